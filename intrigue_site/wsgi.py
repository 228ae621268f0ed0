"""The way in for the web server."""

import os

from django.core.wsgi import get_wsgi_application

from intrigue_site.garbage import collect_seldom
from intrigue_site.secret_key import require_strong_secret_key

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "intrigue_site.settings")

require_strong_secret_key()
application = get_wsgi_application()

from games import wake  # noqa: E402 (the models come with the application)

wake.connect()
collect_seldom()
