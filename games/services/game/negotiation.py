"""Offers and replies at a table that is being written: those of people, and of house players."""

from games.engine import Move as EngineMove
from games.engine import Stage, State, View
from games.engine.binding import accept, view_within
from games.engine.errors import BadPromise
from games.engine.houses import HOUSE_PLAYERS
from games.engine.ledger import Ledger, Status, offer, refuse_too_many, reply
from games.engine.negotiator import (
    Answer,
    Character,
    Said,
    character_of,
    play_negotiator,
    remark_on,
    say,
)
from games.engine.promises import Promise
from games.engine.table_talk import MOST_TALK
from games.engine.teacher import CHARACTER, TEACHER, play_teacher, teacher_says
from games.models import Cause, Game, OutboxMail, Seat
from games.services.game.offers import Offers, made, replied
from games.services.game.writing import Writing

NEGOTIATES = "courtier"
"""The kind of house player that negotiates, where it holds a seat for good."""


def make_offer(
    writer: Writing,
    seat: int,
    promise: Promise,
    cause: Cause,
    remark: str = "",
    *,
    besides: Ledger = (),
) -> None:
    """Offer a promise, and tell the other player; `BadPromise` for what can't be offered.

    `besides` are offers that count as this player's too.
    """
    ledger, state = writer.offers.ledger, writer.state
    refuse_too_many((*ledger, *besides), state, seat)
    ledger = offer(ledger, state, seat, promise)
    seq = writer.record(made(state.table, ledger[-1], remark), cause)
    writer.offers = Offers(ledger, (*writer.offers.made, seq))
    writer.email("offer", writer.seats[ledger[-1].other], about=seq)


def reply_to_offer(
    writer: Writing, seat: int, number: int, given: Status, cause: Cause, remark: str = ""
) -> None:
    """Accept, decline or withdraw an open offer, and tell who made it; `BadPromise` as in `reply`.

    Also for accepting a binding promise that would leave no legal choice.
    """
    state = writer.state
    ledger = replied_with(writer.offers.ledger, state, seat, number, given)
    entry = ledger[number - 1]
    bound = writer.seats[entry.promise.seat]
    failed_before = writer.orders_fail(bound)
    writer.offers = writer.offers._replace(ledger=ledger)
    seq = writer.record(replied(state.table, entry, seat, remark), cause)
    if writer.orders_fail(bound) and not failed_before:
        _ask_again(writer, bound, seq)
    if given is not Status.WITHDRAWN:
        writer.email("offer_reply", writer.seats[entry.by], about=seq)


def _ask_again(writer: Writing, seat: Seat, about: int) -> None:
    """An order that was to be played at the deadline can't be any more: its player is asked.

    Unless the email that asks them hasn't left yet.
    """
    game = writer.game
    same = OutboxMail.objects.filter(game=game, person=seat.user, phase_no=game.phase_no)
    if seat.deadline_at is None or same.filter(kind="your_turn", status="ready").exists():
        return
    writer.email("your_turn", seat, about=about, deadline_version=seat.deadline_version)


def replied_with(ledger: Ledger, state: State, seat: int, number: int, given: Status) -> Ledger:
    """The ledger after a reply; `BadPromise` as in `ledger.reply` and `binding.accept`."""
    if given is Status.ACCEPTED:
        return accept(ledger, state, seat, number)
    return reply(ledger, seat, number, given)


def character_at(game: Game, seat: Seat) -> Character | None:
    """How the house player at this seat negotiates; None for a person, and one that doesn't."""
    if seat.house_player == TEACHER:
        return CHARACTER
    if seat.house_player != NEGOTIATES or game.guided:
        return None
    return character_of(game.seed, seat.drawn_number)


def can_reply(game: Game, seat: Seat) -> bool:
    """Whether somebody sits there who may accept an offer."""
    if seat.user is not None:
        return seat.absent_since is None
    return character_at(game, seat) is not None


def house_players_talk(writer: Writing) -> None:
    """Let the house players reply and offer until none has anything to say any more."""
    characters = {
        number: character
        for number, seat in writer.seats.items()
        if (character := character_at(writer.game, seat)) is not None
    }
    if not characters or writer.state.stage is Stage.OVER:
        return
    others = {number for number, seat in writer.seats.items() if can_reply(writer.game, seat)}
    for _ in range(MOST_TALK):
        before = writer.next_seq
        for number, character in characters.items():
            seen = view_within(writer.offers.ledger, writer.state, number)
            for what in _says(writer, number, seen, character, others):
                remark = _remark(writer, seen, character, what)
                _say(writer, number, what, remark)
        if writer.next_seq == before:
            return


def _says(
    writer: Writing, number: int, seen: View, character: Character, others: set[int]
) -> list[Said]:
    ledger = writer.offers.ledger
    if writer.seats[number].house_player == TEACHER:
        return teacher_says(seen, ledger)
    return say(seen, ledger, character, others)


def _remark(writer: Writing, seen: View, character: Character, what: Said) -> str:
    """What a house player says with it; nothing at a table without messages."""
    if writer.game.press == Game.Press.NONE:
        return ""
    chance = writer.game.seed + writer.next_seq
    return remark_on(seen, writer.offers.ledger, character, what, chance) or ""


def house_move(writer: Writing, seat: Seat, seen: View, chance: int) -> EngineMove:
    """What the house player at a seat plays, or who plays for somebody absent there."""
    ledger = writer.offers.ledger
    if seat.house_player == TEACHER:
        return play_teacher(seen, ledger, chance)
    character = character_at(writer.game, seat)
    if character is not None:
        return play_negotiator(seen, ledger, character, chance)
    name = seat.house_player or writer.game.absent_player
    # One of another release plays like the clock: the others are not to wait for it.
    return HOUSE_PLAYERS.get(name, HOUSE_PLAYERS["default"])(seen, chance)


def _say(writer: Writing, seat: int, what: Said, remark: str) -> None:
    """Carry out what a house player says; what is refused, such as one offer too many, isn't."""
    try:
        if isinstance(what, Answer):
            reply_to_offer(writer, seat, what.number, what.status, Cause.HOUSE, remark)
        else:
            make_offer(writer, seat, what, Cause.HOUSE, remark)
    except BadPromise:
        if isinstance(what, Answer) and what.status is Status.ACCEPTED:
            reply_to_offer(writer, seat, what.number, Status.DECLINED, Cause.HOUSE)
