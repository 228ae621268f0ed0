"""The Celery app. Its schedule is the setting CELERY_BEAT_SCHEDULE."""

import os

from celery import Celery
from celery.signals import beat_init, worker_init
from django.core.exceptions import ImproperlyConfigured

from intrigue_site.secret_key import require_strong_secret_key

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "intrigue_site.settings")

app = Celery("intrigue_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
@beat_init.connect
def refuse_weak_secret_key(**_arguments: object) -> None:
    """Stop a worker or beat that has no strong secret key.

    Celery logs what a receiver raises and goes on; only SystemExit ends the process.
    """
    try:
        require_strong_secret_key()
    except ImproperlyConfigured as refusal:
        raise SystemExit(str(refusal)) from refusal
