"""Each request is carried out once, however often it comes: a double click, a lost response.

Services look first, under the lock of the game, and mark it in the transaction of the change. A
repeated request gets the response of the first one, also where it couldn't be done any more.
"""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID, uuid5

from games.models import DoneRequest, User


def token_of(form_token: str, address: str, fields: Iterable[tuple[str, str]]) -> UUID | None:
    """The token of a request: of its form's own, where it goes, and all its fields.

    So the same form with other words is another request. None where the form has no token: then
    every request is another one.
    """
    try:
        own = UUID(form_token)
    except ValueError:
        return None
    return uuid5(own, repr((address, sorted(fields))))


def is_done(user: User, token: UUID | None) -> bool:
    """Whether this request of a person was carried out."""
    return token is not None and DoneRequest.objects.filter(user=user, token=token).exists()


def mark_done(user: User, token: UUID | None, now: datetime) -> None:
    """Mark it as carried out, in the transaction that does it."""
    if token is not None:
        DoneRequest.objects.create(user=user, token=token, at=now)
