"""The way in for the live process: uvicorn intrigue_site.live:application."""

import os

import django

from intrigue_site.secret_key import require_strong_secret_key

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "intrigue_site.settings")

require_strong_secret_key()
django.setup()

from games.live.app import Live  # noqa: E402 (it reads with the models)

application = Live()
