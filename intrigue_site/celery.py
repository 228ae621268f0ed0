"""The Celery app. Its schedule is the setting CELERY_BEAT_SCHEDULE."""

import logging
import os
import signal
from typing import Any

import celery
from celery import Celery
from celery.signals import (
    after_setup_logger,
    after_setup_task_logger,
    beat_init,
    celeryd_after_setup,
    task_postrun,
    task_prerun,
    worker_init,
    worker_process_init,
)
from django.conf import settings
from django.utils.module_loading import import_string

from games import logs
from intrigue_site import worker_clock
from intrigue_site.garbage import collect_seldom
from intrigue_site.settings_checks import faults_in_words, refuse_wrong_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "intrigue_site.settings")


class Task(celery.Task):
    """A task that does nothing while this version must not work on the database.

    What is to be done stays in the database, for whoever may do it.
    """

    abstract = True

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        from games.services.operations.versions import must_not_work  # models come with Django

        return None if must_not_work() else super().__call__(*arguments, **named)


app = Celery("intrigue_site", task_cls=Task)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.user_options["worker"].add(worker_clock.OPTION)
app.steps["consumer"].add(worker_clock.Clock)

ONCE_A_MINUTE = logs.OnceAMinute()


@app.on_configure.connect
def read_settings(**_arguments: object) -> None:
    """Read Django's settings before Celery does, so that their faults are told in words."""
    with faults_in_words():
        settings.INSTALLED_APPS  # noqa: B018


@worker_init.connect
@beat_init.connect
def stop_where_it_must_not_work(**_arguments: object) -> None:
    """Celery logs what a receiver raises and goes on; only SystemExit ends the process."""
    from games.services.operations.versions import refuse_to_start  # models come with Django

    with faults_in_words():
        refuse_wrong_settings()
        refuse_to_start()


@beat_init.connect
def end_when_requested(sender: Any, **_arguments: object) -> None:
    """Have the beat end with the next tick at the latest.

    Celery's own handler only raises SystemExit. That is lost while a library reads a response of
    the broker: what it clears up with fails, and beat takes that for a failure of the broker's.
    """

    def end(_signal: int, _frame: object) -> None:
        sender.stop()
        raise SystemExit

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)


@celeryd_after_setup.connect
def prepare_for_many_tasks(**_arguments: object) -> None:
    """The processes of a worker run for long, and share the memory of what is loaded by now."""
    collect_seldom()


@worker_process_init.connect
def wake_the_sender(**_arguments: object) -> None:
    """Email that a sweep causes leaves at once, too."""
    from games import wake

    wake.connect(seconds_between=wake.BETWEEN_MESSAGES_OF_A_WORKER)


@after_setup_logger.connect
@after_setup_task_logger.connect
def log_as_everywhere(logger: logging.Logger, **_arguments: object) -> None:
    """Write the log of workers and beat as the site does; Celery has options for the rest of it."""
    line = import_string(settings.LOG_LINE)
    for handler in logger.handlers:
        handler.setFormatter(line())
        handler.addFilter(ONCE_A_MINUTE)


@task_prerun.connect
def record_task(task_id: str, **_arguments: object) -> None:
    """What a task logs has its id."""
    logs.current.set(logs.Work(task_id))


@task_postrun.connect
def forget_task(**_arguments: object) -> None:
    logs.current.set(logs.NOTHING)
