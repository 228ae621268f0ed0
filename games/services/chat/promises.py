"""Making offers, and replying to them: what players promise each other at a running table."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from games.engine.errors import BadPromise
from games.engine.ledger import Entry, Status
from games.engine.promises import Promise
from games.models import Cause, Game, Message, Seat, User
from games.presentation.board.refusals import promise_refused
from games.presentation.text.words import People
from games.services.chat import messages
from games.services.clean_text import tidy
from games.services.game import negotiation
from games.services.game.writer import Writer
from games.services.people import sanctions
from games.services.people.display_names import seat_names
from games.services.refused import Refused


def make_offer(
    *, game_id: int, user: User, promise: Promise, text: str, token: UUID, now: datetime
) -> None:
    """Offer a promise: one's own, or one that is asked for. `text` is said in the chat with it.

    The other player is told by email. The same `token`, made with the form, is one message however
    often it comes, and an offer that is open already isn't made twice. `Refused` with a sentence.
    """
    text = tidy(text)
    with transaction.atomic(durable=True):
        person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        writer, seat = _at_table(game_id, user, now)
        number = seat.drawn_number
        is_open = any(
            (entry.by, entry.promise, entry.status) == (number, promise, Status.OPEN)
            for entry in writer.offers.ledger
        )
        if is_open:
            return
        try:
            negotiation.make_offer(writer, number, promise, Cause.PLAYER)
        except BadPromise as reason:
            raise _refused(writer, reason) from reason
        if text and not Message.objects.filter(token=token).exists():
            sanctions.refuse_who_may_not_write(person, now)
            messages.refuse_unless_fit(writer.game, user, text, now)
            messages.write(
                writer.game, author=user, text=text, token=token, now=now, seat_number=number
            )
        writer.go_on()
        writer.commit()


def reply_to_offer(*, game_id: int, user: User, made_at: int, given: Status, now: datetime) -> None:
    """Accept, decline or withdraw the offer that the event `made_at` made.

    The same reply again changes nothing. The player who made the offer is told by email. `Refused`
    for an offer that is no longer open, and for accepting what would leave no legal choice.
    """
    with transaction.atomic(durable=True):
        writer, seat = _at_table(game_id, user, now)
        entry, number = writer.offers.entry(made_at), seat.drawn_number
        if entry is None:
            raise Refused(_("This offer was undone when the game was rewound."))
        if entry.status is given and number == _who_may(entry, given):
            return
        try:
            negotiation.reply_to_offer(writer, number, entry.id, given, Cause.PLAYER)
        except BadPromise as reason:
            raise _refused(writer, reason) from reason
        writer.go_on()
        writer.commit()


def _who_may(entry: Entry, given: Status) -> int:
    return entry.by if given is Status.WITHDRAWN else entry.other


def _at_table(game_id: int, user: User, now: datetime) -> tuple[Writer, Seat]:
    """The locked game and one's own seat; `Refused` for who can't negotiate there."""
    game = Game.objects.lock(game_id)
    if not game.is_in_play or game.resting_since is not None:
        raise Refused(_("This game isn't running."))
    writer = Writer(game, now)
    seat = next((one for one in writer.seats.values() if one.user_id == user.pk), None)
    if seat is None:
        raise Refused(_("You don't have a seat at this table."))
    if seat.absent_since is not None:
        raise Refused(_("You're marked absent: return first, then negotiate."))
    return writer, seat


def _refused(writer: Writer, reason: BadPromise) -> Refused:
    people = People(writer.state.table, seat_names(writer.read.rows))
    return Refused(promise_refused(people, writer.state.round, reason))
