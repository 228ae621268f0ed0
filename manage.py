#!/usr/bin/env python
"""Django's command line."""

import json
import os
import select
import sys


def main() -> None:
    """Run the command that was given.

    Ctrl-C ends it without a traceback, also while it starts, and so does whoever read what it
    prints and wants no more, as `head` does.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "intrigue_site.settings")
    try:
        # Here, because it takes a moment in which somebody may press Ctrl-C already.
        from django.conf import settings
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
        from django.db import OperationalError, ProgrammingError

        try:
            settings.INSTALLED_APPS  # noqa: B018 (execute_from_command_line hides their faults)
            execute_from_command_line(sys.argv)
        except ImproperlyConfigured as fault:
            end_with(str(fault))
        except (OperationalError, ProgrammingError) as failure:
            if not (text := what_the_database_lacks(failure)):
                raise
            sys.exit(text)
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        if not nobody_reads():
            raise
        # What is left of the output goes nowhere, so that Python does not complain at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def end_with(fault: str) -> None:
    """Say which setting is wrong and end, for the doctor as one of its findings."""
    if sys.argv[1:2] != ["doctor"]:
        sys.exit(fault)
    finding = {"part": "Settings", "text": fault, "well": False}
    said = json.dumps([finding]) if "--json" in sys.argv else f"✗ Settings: {fault}"
    sys.stdout.write(f"{said}\n")
    sys.exit(1)


def what_the_database_lacks(failure: Exception) -> str:
    """What is wrong with a database that is away or not migrated, and what to do; else ""."""
    from django.db import OperationalError, connection

    from games.services.operations import versions
    from games.services.operations.doctor.database import database_is_away

    if versions.lacks_something(failure):
        return versions.NOT_MIGRATED
    try:
        connection.close()
        connection.ensure_connection()
    except OperationalError as reason:
        return database_is_away(reason)
    return ""


def nobody_reads() -> bool:
    """Whether it was the standard output that broke, and no other pipe."""
    watched = select.poll()
    watched.register(sys.stdout, select.POLLOUT)
    return any(happened & select.POLLERR for _output, happened in watched.poll(0))


if __name__ == "__main__":
    main()
