"""Making offers, and replying to them: what players promise each other at a running table."""

from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from games.engine import State
from games.engine.binding import could_bind
from games.engine.errors import BadPromise
from games.engine.ledger import Entry, Status, offer, refuse_too_many
from games.engine.promises import Promise
from games.models import Cause, Game, PrivateMessage, Seat, Thread, User
from games.presentation.board.refusals import promise_refused
from games.presentation.text.words import People
from games.services.chat import messages, threads
from games.services.clean_text import tidy
from games.services.game import once
from games.services.game.offers import Offers, as_stored, made, replied, stored_offers
from games.services.game.private_offers import deal
from games.services.game.promise_keeping import replied_with
from games.services.game.writer import Writer
from games.services.people import sanctions
from games.services.people.display_names import seat_names
from games.services.refused import Refused

ALONE: Final = "two"
"""The `among` of an offer that only the two it concerns can read."""


def make_offer(
    *,
    game_id: int,
    user: User,
    promise: Promise,
    text: str,
    token: UUID,
    now: datetime,
    among: str = "",
) -> None:
    """Offer a promise: one's own, or one that is wanted. `text` is a message that goes with it.

    It is made in front of all, or `among` fewer: `ALONE`, or the people of the thread with this
    token. The other player gets an email. The same `token`, made with the form, is one offer and
    one message however often it comes, also once the offer was replied to; and an offer that is
    open already isn't made twice. `Refused` with a sentence.
    """
    text = tidy(text)
    with transaction.atomic(durable=True):
        person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        game = Game.objects.lock(game_id)
        if once.is_done(user, token):
            return
        writer, seat = _at_table(game, user, now)
        if text:
            sanctions.refuse_who_may_not_write(person, now)
        try:
            if among:
                _make_privately(writer, user, promise, text, token, among)
            else:
                _make_publicly(writer, seat, promise, text, token)
        except BadPromise as reason:
            raise _refused(writer, reason) from reason
        once.mark_done(user, token, now)


def _make_publicly(writer: Writer, seat: Seat, promise: Promise, text: str, token: UUID) -> None:
    number, game = seat.drawn_number, writer.game
    promises = writer.promises
    if _is_open(promises.offers, number, promise):
        return
    private = promises.private.known_to(number)
    promises.offer(number, promise, Cause.PLAYER, besides=private)
    if text and seat.user is not None:
        messages.refuse_unless_fit(game, seat.user, text, writer.now)
        messages.write(
            game, author=seat.user, text=text, token=token, now=writer.now, seat_number=number
        )
    writer.go_on()
    writer.commit()


def _make_privately(
    writer: Writer, user: User, promise: Promise, text: str, token: UUID, among: str
) -> None:
    game, state = writer.game, writer.state
    seats, number = threads.seats_of(game, user)
    if among == ALONE:
        thread = threads.thread_of(game, seats, {promise.seat, promise.to}, writer.now)
    else:
        thread = _thread(game, among)
        threads.refuse_unless_together(thread, seats, number)
    if not {promise.seat, promise.to} <= set(thread.seats):
        raise Refused(_("Please choose someone who is in this conversation."))
    offers = stored_offers(thread, state.table)
    if _is_open(offers, number, promise):
        return
    _refuse_to_bind(promise, state)
    if text:
        threads.refuse_at_odds(seats[one] for one in thread.seats)
        messages.refuse_unless_fit(game, user, text, writer.now)
    known = (*writer.promises.ledger, *writer.promises.private.known_to(number))
    refuse_too_many(known, state, number)
    ledger = offer(offers.ledger, state, number, promise)
    message = deal(
        thread, made(state.table, ledger[-1], ""), state, writer.next_seq - 1, Cause.PLAYER,
        author=user, seat=number, text=text, token=token,
    )  # fmt: skip
    _save(thread, Offers(ledger, (*offers.made, message.number)), message, writer)


def _refuse_to_bind(promise: Promise, state: State) -> None:
    if could_bind(promise, state):
        raise Refused(
            _("At this table, a promise like this is binding, so it has to be offered publicly.")
        )


def _save(thread: Thread, offers: Offers, message: PrivateMessage, writer: Writer) -> None:
    """Store the message with an offer or a reply in a thread, and notify the others of it."""
    message.at = writer.now
    message.save()
    thread.ledger = as_stored(offers, writer.state.table)
    thread.save(update_fields=["ledger", "length"])
    threads.notify(message, writer.now)


def _thread(game: Game, token: str) -> Thread:
    thread = game.threads.filter(token=token).first()
    if thread is None:
        raise Refused(_("There is no such conversation at this table."))
    return thread


def _is_open(offers: Offers, by: int, promise: Promise) -> bool:
    """Whether the same offer has been made and is open."""
    same = (by, promise, Status.OPEN)
    return any((entry.by, entry.promise, entry.status) == same for entry in offers.ledger)


def reply_to_offer(
    *,
    game_id: int,
    user: User,
    made_at: int,
    given: Status,
    now: datetime,
    among: str = "",
    token: UUID | None = None,
) -> None:
    """Accept, decline or withdraw the offer that the event `made_at` made.

    Or the message of this number, in the thread whose token `among` is. The same reply again
    changes nothing, nor does the request with the same `token`. The player who made the offer gets
    an email. `Refused` for an offer that is no longer open, and for accepting what would leave no
    legal choice.
    """
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        if once.is_done(user, token) or _is_replied(game, user, made_at, given, among):
            return
        writer, seat = _at_table(game, user, now)
        number, thread = seat.drawn_number, None
        offers = writer.promises.offers
        if among:
            thread = _thread(writer.game, among)
            if number not in thread.seats:
                raise Refused(_("There is no such conversation at this table."))
            offers = stored_offers(thread, writer.state.table)
        entry = offers.entry(made_at)
        if entry is not None and thread is not None:
            private = writer.promises.private
            entry = None if number in private.unknown_to(thread, entry, made_at) else entry
        if entry is None:
            raise Refused(_("This offer was undone when the game was rewound."))
        once.mark_done(user, token, now)
        try:
            if thread is not None:
                _reply_privately(writer, seat, thread, entry, given)
                return
            writer.promises.reply(number, entry.id, given, Cause.PLAYER)
        except BadPromise as reason:
            raise _refused(writer, reason) from reason
        writer.go_on()
        writer.commit()


def is_replied(*, game_id: int, user: User, made_at: int, given: Status, among: str = "") -> bool:
    """Whether this very reply of a person to an offer, described as above, was given already."""
    return _is_replied(Game.objects.get(pk=game_id), user, made_at, given, among)


def _is_replied(game: Game, user: User, made_at: int, given: Status, among: str) -> bool:
    seat = game.seats.filter(user=user).first()
    if seat is None or game.state is None:
        return False
    stored = _thread(game, among) if among else game
    entry = stored_offers(stored, game.decoded().table).entry(made_at)
    if entry is None or entry.status is not given:
        return False
    return seat.drawn_number == (entry.by if given is Status.WITHDRAWN else entry.other)


def _reply_privately(
    writer: Writer, seat: Seat, thread: Thread, entry: Entry, given: Status
) -> None:
    state, number = writer.state, seat.drawn_number
    if given is Status.ACCEPTED:
        _refuse_to_bind(entry.promise, state)
    offers = stored_offers(thread, state.table)
    ledger = replied_with(offers.ledger, state, number, entry.id, given)
    after = ledger[entry.id - 1]
    message = deal(
        thread, replied(state.table, after, number, ""), state, writer.next_seq - 1, Cause.PLAYER,
        author=seat.user, seat=number,
    )  # fmt: skip
    private = writer.promises.private
    message.unknown_to = private.unknown_to(thread, entry, offers.made[entry.id - 1])
    _save(thread, offers._replace(ledger=ledger), message, writer)


def _at_table(game: Game, user: User, now: datetime) -> tuple[Writer, Seat]:
    """The writer of a locked game and one's own seat; `Refused` if one can't negotiate there."""
    if not game.is_in_play or game.dormant_since is not None:
        raise Refused(_("This game isn't running."))
    writer = Writer(game, now)
    seat = next((one for one in writer.seats.values() if one.user_id == user.pk), None)
    if seat is None:
        raise Refused(_("You don't have a seat at this table."))
    if seat.absent_since is not None:
        raise Refused(_("You're marked absent: return to your seat before you negotiate."))
    return writer, seat


def _refused(writer: Writer, reason: BadPromise) -> Refused:
    people = People(writer.state.table, seat_names(writer.read.rows))
    return Refused(promise_refused(people, writer.state.round, reason))
