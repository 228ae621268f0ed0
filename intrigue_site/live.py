"""The way in for the live process: uvicorn intrigue_site.live:application."""

import os
from typing import Any

import django
from django.conf import settings
from django.utils.module_loading import import_string

from intrigue_site.secret_key import require_strong_secret_key

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "intrigue_site.settings")

require_strong_secret_key()
django.setup()

if "live" in settings.FEATURES_OFF:
    raise SystemExit("FEATURES_OFF says that this site does without live pages.")

application: Any = import_string("games.features.live.app.Live")()
PATH: str = import_string("games.features.live.channel.PATH")
