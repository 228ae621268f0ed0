"""Whether the database can be used, and both ways to it."""

from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor

from games.extensions import Finding
from games.services import pooler, timeouts
from games.services.operations import versions
from games.services.operations.doctor.words import first_line, well
from games.services.operations.identity import identity, named


def database() -> Finding:
    part = "Database"
    try:
        connection.ensure_connection()
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
        version = connection.pg_version // 10000  # type: ignore[attr-defined]
    except Error as failure:
        return Finding(part, database_is_away(failure))
    if missing:
        return Finding(part, f"Missing migrations: {len(missing)}. Run manage.py migrate.")
    if timeouts.in_force(connection) != timeouts.TIMEOUTS:
        return Finding(
            part,
            "Its time limits are missing, so one lock could block everything. Run manage.py "
            "migrate as the role that the site uses, then start every process anew.",
        )
    return well(part, f"PostgreSQL {version} is running and every migration is applied.")


def version() -> Finding:
    """Look at the version that is installed here, and at the one that migrated the database."""
    part, installed = "Version", f"{named(identity()._asdict())} is installed here."
    try:
        if why := versions.refusal_now():
            return Finding(part, why)
        return well(part, f"{installed} {versions.who_migrated()}")
    except Error:
        return well(part, installed)


def database_is_away(failure: Exception) -> str:
    """What is wrong where no connection to the database can be made, and what to do."""
    name = "DATABASE_DIRECT_URL" if pooler.is_past() else "DATABASE_URL"
    return (
        f"PostgreSQL can't be used ({first_line(failure)}). Start PostgreSQL 15 or later and "
        f"set {name} to its address."
    )


def direct_database() -> Finding:
    part, name = "Direct", "DATABASE_DIRECT_URL"
    use = "migrate, backup and restore use it"
    try:
        is_same = pooler.leads_to_the_same_database()
    except Error as failure:
        return Finding(part, f"{name} can't be used ({first_line(failure)}); {use}.")
    if not is_same:
        return Finding(part, f"{name} leads to another database than DATABASE_URL; {use}.")
    return well(part, f"{name} leads to the same database.")
