#!/usr/bin/env python
"""Django's command line."""

import os
import sys


def main() -> None:
    """Run the command that was given. Ctrl-C ends it without a traceback, also while it starts."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "intrigue_site.settings")
    try:
        # Here, because it takes a moment in which somebody may press Ctrl-C already.
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
