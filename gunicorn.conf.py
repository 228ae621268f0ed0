"""What gunicorn believes of a request; it reads this by itself from the folder it is started in.

By default it takes the script's name, the path and the scheme from headers, wherever the proxy is
on the same machine, and a proxy may pass on those that a visitor has sent. What the site believes
of its proxies is said by TRUSTED_PROXIES alone (intrigue_site/settings.py).
"""

forwarder_headers = ""
secure_scheme_headers: dict[str, str] = {}
