"""What runs out or grows old on this machine: its disks, and the backups."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import Error, connection
from django.utils.timesince import timesince

from games.extensions import Finding
from games.models import Tick
from games.services.operations.doctor.words import well

LEAST_FREE: Final = 500_000_000
"""Bytes. PostgreSQL stops where nothing is left, and needs room for what it is at work on."""

OLDEST_BACKUP: Final = timedelta(days=2)

BACKUPS: Final = Path("/var/backups/intrigue")
"""Where docs/hosting.md lets them be written."""

DATABASES: Final = (Path("/var/lib/postgresql"), Path("/var/lib/pgsql"))
"""Where packages of PostgreSQL have its data, which it tells its owner only."""


def disks(*, with_database: bool) -> Iterator[Finding]:
    """The free space of each disk of the site on this machine."""
    folders = [BACKUPS, Path(settings.VAR_DIR), Path(settings.BASE_DIR)]
    if with_database:
        folders = [*_folders_of_database(), *folders]
    seen = set()
    free = []
    for folder in folders:
        try:
            device, left = folder.stat().st_dev, shutil.disk_usage(folder).free
        except OSError:
            continue  # It isn't there, or nobody may look at it.
        if device in seen:
            continue
        seen.add(device)
        if left < LEAST_FREE:
            yield Finding(
                "Disk",
                f"Only {_size(left)} are free where {folder} is. Make room, such as by deleting "
                "old backups and logs, or give it a larger disk: PostgreSQL stops at a full one.",
            )
        free.append(f"{_size(left)} at {folder}")
    if free:
        yield well("Disk", f"free: {', '.join(free)}.")


def _folders_of_database() -> Iterator[Path]:
    """Where the database is, if it is on this machine."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT inet_server_addr() IS NOT DISTINCT FROM inet_client_addr(),"
            " (SELECT setting FROM pg_settings WHERE name = 'data_directory')"
        )
        is_here, folder = cursor.fetchone()
    if is_here:
        yield from [Path(folder)] if folder else DATABASES


def _size(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= LEAST_FREE else f"{size / 1e6:.0f} MB"


def backups(now: datetime) -> Finding:
    """How old the last backup is that `manage.py backup` has made."""
    part = "Backup"
    last = Tick.objects.filter(name=Tick.BACKUP).values_list("at", flat=True).first()
    if last is None:
        return well(
            part,
            "manage.py backup has never made one. Run it every night, unless the database is "
            "backed up in another way.",
        )
    made = f"The last one was made {timesince(last, now)} ago, at {last:%F %T} UTC."
    if last < now - OLDEST_BACKUP:
        return Finding(
            part,
            f"{made} Run manage.py backup every night: look at the crontab and its email, or "
            "systemctl list-timers.",
        )
    return well(part, made)


def record_backup(now: datetime) -> None:
    """Store that one has just been made; not where the database is only read, such as a replica."""
    with suppress(Error):
        Tick.objects.ticked(Tick.BACKUP, now)
