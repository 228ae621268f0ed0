"""The findings of `manage.py doctor`: each part of the server in words, with what to do next."""

from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.utils import timezone

from games import extensions
from games.extensions import Finding
from games.models import database_now
from games.services import legal
from games.services.operations import stored_zones
from games.services.operations.doctor.database import database, direct_database, version
from games.services.operations.doctor.email import emails, mail_server, reports_of_bounces
from games.services.operations.doctor.games import clock, games, site_stopped
from games.services.operations.doctor.machine import backups, disks
from games.services.operations.doctor.settings import wrong_settings
from games.services.operations.doctor.web import web
from games.services.operations.doctor.words import skew, well
from games.services.operations.doctor.workers import broker_and_workers


def checkup(*, now: datetime, mail_to: str | None = None, by_web: bool = True) -> Iterator[Finding]:
    """Look at every part of the server, one after the other; send a test email where wanted.

    What is away is a finding, no error. Without the database nothing is said of clock and games,
    and the web server isn't asked: it tells only whom it finds in the database.
    """
    yield from wrong_settings()
    of_database = database()
    yield of_database
    yield version()
    if of_database.is_well and settings.DATABASE_DIRECT:
        yield direct_database()
    yield from broker_and_workers()
    if of_database.is_well and by_web:
        yield from web(now)
        yield from extensions.findings("findings_by_web")
    yield mail_server(mail_to)
    yield from reports_of_bounces()
    yield _legal_pages()
    yield from extensions.findings()
    if of_database.is_well:
        ahead = (database_now() - timezone.now()).total_seconds()
        yield from skew("The clock of the database", ahead)
        if missing := stored_zones.trouble():
            yield Finding("Time zones", missing)
        yield from disks(with_database=True)
        yield backups(now)
        yield from site_stopped()
        yield clock(now)
        yield from games(now)
        yield from emails(now)
    else:
        yield from disks(with_database=False)


def _legal_pages() -> Finding:
    """Look at the legal pages, which a site may do without: its operator decides."""
    try:
        missing = legal.missing()
    except (OSError, UnicodeDecodeError) as failure:
        return Finding("Legal pages", f"they can't be read ({failure}).")
    if not missing:
        return well("Legal pages", "imprint, privacy and terms are there.")
    files = ", ".join(f"{kind}.txt" for kind in missing)
    return well("Legal pages", f"there is no {files} in LEGAL_DIR. Many countries require them.")
