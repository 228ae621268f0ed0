"""What `manage.py check --deploy` looks at besides the settings."""

from typing import Any

from django.core.checks import CheckMessage, Warning, register  # noqa: A004 (its name there)
from django.db import DatabaseError


@register(deploy=True)
def time_zones(**_what: Any) -> list[CheckMessage]:
    """Whether every stored time zone is known here; nothing where the database can't be read."""
    from games.services.operations import stored_zones

    try:
        trouble = stored_zones.trouble()
    except DatabaseError:
        return []
    return [Warning(trouble, id="games.W001")] if trouble else []
