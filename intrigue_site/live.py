"""The way in for the live process: uvicorn intrigue_site.live:application."""

import os
from typing import Any

import django
from django.conf import settings
from django.utils.module_loading import import_string

from intrigue_site.settings_checks import faults_in_words, refuse_wrong_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "intrigue_site.settings")

with faults_in_words():
    refuse_wrong_settings()
    django.setup()
    import_string("games.services.operations.versions.refuse_to_start")()

if "live" in settings.FEATURES_OFF:
    raise SystemExit("FEATURES_OFF says that this site does without live pages.")

application: Any = import_string("games.features.live.app.Live")()
PATH: str = import_string("games.features.live.channel.PATH")
