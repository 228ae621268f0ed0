"""What the mails about a person tell, which are about no table: one function a kind."""

from collections.abc import Callable
from typing import Any, Final

from games.models import OutboxMail, Seat

type Context = dict[str, Any]

CONTEXTS: Final[dict[OutboxMail.Kind, Callable[[OutboxMail, Seat | None], Context]]] = {}
