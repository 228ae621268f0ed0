"""The way past a connection pooler, for what needs a session of the database to itself.

The site sends each transaction by itself, so DATABASE_URL may lead to a pooler that gives each one
another connection. Advisory locks and settings of a session need a connection of their own, and so
do PostgreSQL's programs: `migrate`, `backup` and `restore` use DATABASE_DIRECT_URL.
"""

from typing import Final

from django.conf import settings
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

IDENTITY: Final = """
SELECT pg_postmaster_start_time(), oid FROM pg_database WHERE datname = current_database()
"""


def go_past() -> None:
    """Let this process use DATABASE_DIRECT_URL from now on, if it is set."""
    if settings.DATABASE_DIRECT:
        connection.close()
        connection.settings_dict.update(settings.DATABASE_DIRECT)


def is_past() -> bool:
    """Whether this process does."""
    direct = settings.DATABASE_DIRECT
    return bool(direct) and direct.items() <= connection.settings_dict.items()


def leads_to_the_same_database() -> bool:
    """Whether DATABASE_DIRECT_URL is another way to the database of DATABASE_URL."""
    direct = connection.copy()
    direct.settings_dict.update(settings.DATABASE_DIRECT)
    try:
        return _identity(direct) == _identity(connection)
    finally:
        direct.close()


def _identity(database: BaseDatabaseWrapper) -> object:
    with database.cursor() as cursor:
        cursor.execute(IDENTITY)
        return cursor.fetchone()
