"""Writes email to the outbox, as a row in the transaction of the change that causes it.

`services/email/delivery.py` sends it later, if it still applies and is wanted then.
"""

from datetime import datetime

from games.models import Game, OutboxMail, User


def enqueue(  # noqa: PLR0913 (an email is about many things, each by name)
    kind: str,
    *,
    now: datetime,
    game: Game | None = None,
    person: User | None = None,
    address: str = "",
    deadline_version: int = 0,
    about: int = 0,
    not_before: datetime | None = None,
) -> None:
    """Write one email about the present phase of a game, or about a person; never the same twice.

    `kind` is a key of `services/email/kinds.py`. The email goes to a person, or to an `address`
    without an account; nothing is written if there is neither, as for the seat of a house player.
    `about` is the id of the row it is about: an invitation, the seat that wants a substitute, a
    message. It is sent at `not_before` at the earliest.
    """
    if person is None and not address:
        return
    email = OutboxMail(
        kind=kind,
        person=person,
        address=address,
        game=game,
        phase_no=game.phase_no if game is not None else 0,
        deadline_version=deadline_version,
        about=about,
        not_before=not_before or now,
        created_at=now,
    )
    OutboxMail.objects.bulk_create([email], ignore_conflicts=True)
