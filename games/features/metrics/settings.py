"""What the settings of the site get from the token of whoever may read the metrics.

Without one, nothing is counted, and there is no such address.
"""

from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured

from intrigue_site.environment import secret

SHORTEST_TOKEN: Final = 20


def add_to(settings: dict[str, Any]) -> None:
    """Add the token, and the layer that counts requests and answers those who know it."""
    token = secret("METRICS_TOKEN")
    if token and (len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable()):
        raise ImproperlyConfigured(
            f"METRICS_TOKEN must have {SHORTEST_TOKEN} characters or more, such as "
            'python3 -c "import secrets; print(secrets.token_urlsafe(30))" prints.'
        )
    settings["METRICS_TOKEN"] = token
    if token:
        # Before all that looks at host and scheme: a Prometheus asks by the address of the machine.
        settings["MIDDLEWARE"].insert(1, "games.features.metrics.middleware.Metrics")
