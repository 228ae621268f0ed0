"""Writes email to the outbox, as rows in the transaction of the change that causes it.

`services/email/delivery.py` sends it later, if it still applies and is wanted then. Channels of
features (`games.extensions.Channel`) write what they tell of it with it.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django.db import connection, transaction
from django.dispatch import Signal

from games import extensions
from games.models import Game, OutboxEmail, User
from games.services.sql import insert, insertion, values_of

NEWS: Final = frozenset({"offer", "offer_reply", "promise_broken", "substitute_wanted", "vote"})
"""Kinds that wait for more of them, or for a turn that takes them along."""

NEWS_WAITS: Final = timedelta(minutes=1)

written = Signal()
"""Sent after each commit that wrote email. A receiver must be quick and refuse nothing."""


def email(  # noqa: PLR0913 (an email is about many things, each by name)
    kind: str,
    *,
    now: datetime,
    game: Game | None = None,
    person: User | None = None,
    address: str = "",
    deadline_version: int = 0,
    about: int = 0,
    not_before: datetime | None = None,
) -> OutboxEmail:
    """An email about the present phase of a game, or about a person, for `write`.

    `kind` is a key of `services/email/kinds.py`. The email goes to a person, or to an `address`
    without an account. `about` is the id of the row it is about: an invitation, the seat that wants
    a substitute, a message. It is sent at `not_before` at the earliest, which for `NEWS` is in a
    minute, and now for anything else.
    """
    return OutboxEmail(
        kind=kind,
        person=person,
        address=address,
        game=game,
        phase_no=game.phase_no if game is not None else 0,
        deadline_version=deadline_version,
        about=about,
        not_before=not_before or (now + NEWS_WAITS if kind in NEWS else now),
        created_at=now,
    )


def write(emails: Iterable[OutboxEmail]) -> None:
    """Write these emails, in one statement, except those that were written before.

    Those to nobody are left out, such as to the seat of a computer player or to a guest.
    """
    rows = [one for one in emails if (one.person and not one.person.is_guest) or one.address]
    if not rows:
        return
    if channels := extensions.channels():
        _write_for_channels(rows, [channel.write for channel in channels])
    else:
        insert(rows, skip_known=True)
    transaction.on_commit(partial(written.send, None), robust=True)


def _write_for_channels(rows: Sequence[OutboxEmail], statements: Sequence[str]) -> None:
    """In one statement: by the ORM, whoever posts a move would wait for one or two more."""
    *others, last = statements
    others_too = "".join(f", by_{number} AS ({one})" for number, one in enumerate(others))
    written_rows = f"{insertion(OutboxEmail, len(rows))} ON CONFLICT DO NOTHING RETURNING *"
    with connection.cursor() as cursor:
        cursor.execute(f"WITH written AS ({written_rows}){others_too} {last}", values_of(rows))


def enqueue(kind: str, **about: Any) -> None:
    """Write one email, described as for `email`; never the same twice."""
    write([email(kind, **about)])
