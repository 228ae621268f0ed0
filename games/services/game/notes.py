"""What people write for themselves at a table: private notes, and drafts of what is not sent yet.

A draft is only ever shown again to its writer; nothing plays it. Both are keyed by the person, so
that a substitute never sees them, and are void when their writer leaves the seat.

Pages save them by themselves, so what is saved may come late: after it was sent or played, or after
its writer has stepped aside. It is refused then. Whatever ends a draft holds the lock of the game,
as what saves one does.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.models import Cause, Draft, Game, Message, Note, PrivateMessage, Seat, User
from games.services.clean_text import tidy
from games.services.refused import Refused
from games.table_events import SeatAbsent

LONGEST_NOTES: Final = 10_000
MOST_FIELDS: Final = 30
LONGEST_FIELD: Final = 4_000
LONGEST_NAME: Final = 60


def keep_notes(
    *, game: Game, user: User, text: str, now: datetime, from_absent: bool = True
) -> None:
    """Keep somebody's notes about a game at which they sit, in place of those there were.

    `from_absent` says that the page knew that they were absent, if they are.
    """
    text = tidy(text)
    if len(text) > LONGEST_NOTES:
        raise Refused(
            _(
                "Your notes are too long: the limit is {most} characters, and you've used {length}."
            ).format(most=LONGEST_NOTES, length=len(text))
        )
    with _seated(game, user) as seat:
        _refuse_after_stepping_aside(game, seat, from_absent=from_absent)
        if text:
            Note.objects.update_or_create(game=game, user=user, defaults={"text": text, "at": now})
        else:
            Note.objects.filter(game=game, user=user).delete()


def keep_draft(  # noqa: PLR0913 (what is kept, whose, and from which page, each by name)
    *,
    game: Game,
    user: User,
    about: Draft.About,
    phase_no: int,
    fields: Mapping[str, str],
    now: datetime,
    token: UUID | None = None,
    conversation: str = "",
    from_absent: bool = True,
) -> None:
    """Keep what is typed into a form and not sent yet, in place of what was kept before.

    `phase_no` is the phase of a move; 0 for a message, of which the `conversation` says where it
    will stand: one draft holds what is typed in each. Refused where this person has nothing to
    decide in it any more, and where the message of the form with this `token` has been sent.
    `from_absent` as in `keep_notes`.
    """
    if len(fields) > MOST_FIELDS or any(
        len(name) > LONGEST_NAME or len(value) > LONGEST_FIELD for name, value in fields.items()
    ):
        raise Refused(_("This is too long to save as a draft."))
    with _seated(game, user) as seat:
        _refuse_after_stepping_aside(game, seat, from_absent=from_absent)
        if about == Draft.About.MOVE:
            if phase_no != game.phase_no or seat.deadline_at is None:
                raise Refused(_("You can no longer make this move."))
        elif token is not None and _is_sent(token):
            raise Refused(_("You've already sent this message."))
        else:
            here = {name_in(conversation, name): value for name, value in fields.items()}
            fields = {**_typed_elsewhere(game, user, conversation), **here}
        _store(game, user, about, fields, phase_no, now)


def drop_message_draft(game: Game, user: User, conversation: str, now: datetime) -> None:
    """Delete what was typed in this conversation: it has been sent."""
    elsewhere = _typed_elsewhere(game, user, conversation)
    _store(game, user, Draft.About.MESSAGE, elsewhere, 0, now)


def name_in(conversation: str, name: str) -> str:
    """What a field of a message is called in the draft; in the table chat it has its own name."""
    return f"{name} {conversation}" if conversation else name


def _typed_elsewhere(game: Game, user: User, conversation: str) -> dict[str, str]:
    draft = Draft.objects.filter(game=game, user=user, about=Draft.About.MESSAGE).first()
    fields: dict[str, str] = {} if draft is None else draft.fields
    return {key: text for key, text in fields.items() if key.partition(" ")[2] != conversation}


def _is_sent(token: UUID) -> bool:
    rows = (model.objects.filter(token=token) for model in (Message, PrivateMessage))
    return any(row.exists() for row in rows)


def _store(
    game: Game,
    user: User,
    about: Draft.About,
    fields: Mapping[str, str],
    phase_no: int,
    now: datetime,
) -> None:
    if any(fields.values()):
        kept = {"phase_no": phase_no, "fields": dict(fields), "at": now}
        Draft.objects.update_or_create(game=game, user=user, about=about, defaults=kept)
    else:
        Draft.objects.filter(game=game, user=user, about=about).delete()


def delete_old_move_drafts(game: Game, moved: Iterable[User | None]) -> None:
    """Delete drafts of moves of an earlier phase, and those of players who have `moved`."""
    people = [user.pk for user in moved if user is not None]
    old = ~Q(phase_no=game.phase_no) | Q(user__in=people)
    Draft.objects.filter(old, game=game, about=Draft.About.MOVE).delete()


def void(game: Game, user: User) -> None:
    """Delete the drafts and notes of a player who gives up their seat."""
    Draft.objects.filter(game=game, user=user).delete()
    Note.objects.filter(game=game, user=user).delete()


@contextmanager
def _seated(game: Game, user: User) -> Iterator[Seat]:
    """Lock the game and read it again; the seat of the person, `Refused` if they have none."""
    with transaction.atomic(durable=True):
        game.refresh_from_db(from_queryset=Game.objects.select_for_update(no_key=True))
        seat = game.seats.filter(user=user).first()
        if seat is None:
            raise Refused(_("Only players at this table can write here."))
        yield seat


def _refuse_after_stepping_aside(game: Game, seat: Seat, *, from_absent: bool) -> None:
    """Refuse text of a page from before: stepping aside deleted it, and it must not come back."""
    if seat.absent_since is None or from_absent:
        return
    left = game.events.filter(kind=SeatAbsent.__name__, payload__seat=seat.drawn_number)
    if left.order_by("seq").values_list("cause", flat=True).last() == Cause.PLAYER:
        raise Refused(_("You've stepped aside, so this wasn't saved."))
