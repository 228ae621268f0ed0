"""What gunicorn believes of a request; it reads this by itself from the folder it is started in.

By default it takes the script's name, the path and the scheme from headers, wherever the proxy is
on the same machine, and a proxy may pass on those that a visitor has sent. What the site believes
of its proxies is said by TRUSTED_PROXIES alone (intrigue_site/settings.py).
Where LOG_FORMAT asks for JSON, its own lines are JSON, too (games/logs.py).
"""

import os

forwarder_headers = ""
secure_scheme_headers: dict[str, str] = {}

if os.environ.get("LOG_FORMAT") == "json":
    own = {"handlers": ["stderr"], "level": "INFO", "propagate": False}
    logconfig_dict = {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": "games.logs.JsonLine"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "gunicorn.error": own,
            # With a configuration of its own, gunicorn would log each address as it was typed.
            "gunicorn.access": {"handlers": [], "level": "CRITICAL", "propagate": False},
        },
    }
