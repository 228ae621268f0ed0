"""Which version may work on the database: one that knows what the migrations have made of it.

`manage.py migrate` notes its own version and the oldest that works with it. Whoever is older than
that, or newer than what has migrated, refuses to work. A database without a note was made before
there were any, or by tests: everybody may work on it.
"""

import logging
from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import Error, ProgrammingError, connection, transaction
from packaging.version import Version
from psycopg.errors import UndefinedColumn, UndefinedTable

from games.models import SiteState
from games.services import site_state
from games.services.operations.identity import named
from games.services.site_state import Site

logger = logging.getLogger(__name__)

NOT_MIGRATED: Final = "The database lacks tables or columns. Run manage.py migrate first."

SECONDS_TO_CONNECT: Final = 5
"""How long a process that starts waits for the database."""


def refusal(site: Site) -> str:
    """Why this version must not work on a database that says this of itself; "" if it may."""
    if not site.migrated_by:
        return ""
    ours = Version(settings.VERSION)
    if ours < Version(site.works_with):
        return (
            f"This is Intrigue {settings.VERSION}, and the database works with {site.works_with} "
            "or later only. Install that, or restore the backup made before the upgrade."
        )
    if ours > Version(site.migrated_by):
        return (
            f"This is Intrigue {settings.VERSION}, and the database was last migrated by "
            f"{site.migrated_by}. Run manage.py migrate first."
        )
    return ""


def refusal_now(read: Callable[[], Site] = site_state.read) -> str:
    """The same of the database as it is now. One query; `django.db.Error` if it is away."""
    try:
        return refusal(read())
    except ProgrammingError as failure:
        if not lacks_something(failure):
            raise
        return NOT_MIGRATED


def lacks_something(failure: BaseException) -> bool:
    """Whether a query failed because a table or a column isn't there, or no longer."""
    return isinstance(failure.__cause__, UndefinedColumn | UndefinedTable)


def who_migrated() -> str:
    """Which version has last migrated the database, in a sentence."""
    site = site_state.read()
    if site.migrated_at is None:
        return "Nothing says which version migrated the database. Run manage.py migrate."
    by = named({"version": site.migrated_by, "commit": site.migrated_commit})
    return f"The database was last migrated by {by}, at {site.migrated_at:%F %T} UTC."


def must_not_work() -> bool:
    """Whether this version must not work on the database, as far as it is remembered, which is for
    some seconds; then the log says why.
    """
    if why := refusal_now(site_state.remembered):
        tell(why)
    return bool(why)


def tell(why: str) -> None:
    """Log why this version doesn't work; once a minute."""
    logger.error("%s", why, extra={"once_a_minute": "version"})


def refuse_to_start() -> None:
    """ImproperlyConfigured if this version must not work on the database.

    A database that doesn't respond is no reason: whoever starts meets it later.
    """
    options = connection.settings_dict["OPTIONS"]
    connection.settings_dict["OPTIONS"] = {"connect_timeout": SECONDS_TO_CONNECT, **options}
    try:
        why = refusal_now()
    except Error:
        return
    finally:
        connection.close()  # who starts may fork
        connection.settings_dict["OPTIONS"] = options
    if why:
        raise ImproperlyConfigured(why)


def _noted() -> Site:
    """What the database says; nothing where it has no place for that yet."""
    try:
        with transaction.atomic():
            return site_state.read()
    except ProgrammingError:
        return Site()


def refusal_to_migrate() -> str:
    """Why this version must not migrate the database; "" if it may."""
    site = _noted()
    return refusal(site) if _is_later(site.migrated_by) else ""


def keep_out_older() -> None:
    """Let nobody work from now on to whom the migrations that begin now are unknown.

    So nobody of the version before meets a database that is migrated by half, nor does anybody
    work on it after an end half-way.
    """
    site = _noted()
    if site.migrated_by and Version(site.works_with) < Version(settings.WORKS_WITH):
        SiteState.objects.update(works_with=settings.WORKS_WITH)


def _is_later(version: str) -> bool:
    return bool(version) and Version(version) > Version(settings.VERSION)


def migrated(now: datetime) -> None:
    """Note that this version has migrated the database, unless a later one had before."""
    if _is_later(site_state.read().migrated_by):
        return
    note = {
        "migrated_by": settings.VERSION,
        "migrated_commit": settings.COMMIT,
        "migrated_at": now,
        "works_with": settings.WORKS_WITH,
    }
    SiteState.objects.update_or_create(pk=1, defaults=note)
    site_state.forget()
