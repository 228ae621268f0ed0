"""What the doctor says of the settings: the same as `manage.py check --deploy`."""

from collections.abc import Iterator

from django.core.checks import run_checks

from games.extensions import Finding


def wrong_settings() -> Iterator[Finding]:
    """A finding for each setting of the site that is wrong."""
    for fault in run_checks(tags=["settings"], include_deployment_checks=True):
        yield Finding("Settings", fault.msg)
