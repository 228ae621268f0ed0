"""The outbox: mail is written as a row with what it tells of, and sent by `drain`.

At least once, with a Message-ID that stays the same: a crash after sending repeats the same mail.
"""

from datetime import datetime

from games.models import Game, OutboxMail, User
from games.services import subscriptions


def enqueue(  # noqa: PLR0913 (a mail is about many things, each by name)
    kind: OutboxMail.Kind,
    *,
    now: datetime,
    game: Game | None = None,
    person: User | None = None,
    address: str = "",
    deadline_version: int = 0,
    about: int = 0,
    not_before: datetime | None = None,
) -> None:
    """Write one mail, about the present phase of a game or about a person; not twice the same.

    It goes to a person, or to an `address` that has none yet; a seat without a person gets none.
    `about` is the id of the row it speaks of: an invitation, the seat that wants a substitute, a
    message. It is sent at `not_before` at the earliest.
    """
    also_banned = kind in subscriptions.ALSO_TO_THE_BANNED
    if (person is None or not (person.is_active or also_banned)) and not address:
        return
    mail = OutboxMail(
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
    OutboxMail.objects.bulk_create([mail], ignore_conflicts=True)
