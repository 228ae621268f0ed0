"""The way in for the web server."""

import os

from django.core.wsgi import get_wsgi_application

from intrigue_site.garbage import collect_seldom
from intrigue_site.settings_checks import faults_in_words, refuse_wrong_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "intrigue_site.settings")

# With this status gunicorn gives up, instead of starting one process after the other.
with faults_in_words(status=3):
    refuse_wrong_settings(shows_pages=True)
    application = get_wsgi_application()

from games import wake
from games.services.operations.versions import refuse_to_start

with faults_in_words(status=3):
    refuse_to_start()
wake.connect()
collect_seldom()
