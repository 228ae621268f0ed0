"""Computer players at a table: their offers and replies, and their moves, also for the absent."""

from random import Random

from games.engine import Move as EngineMove
from games.engine import Stage, View
from games.engine.characters import CHARACTERS, Character, Role, role_of
from games.engine.computer_players import COMPUTER_PLAYERS
from games.engine.errors import BadPromise
from games.engine.ledger import Ledger, Status
from games.engine.negotiated_games import MOST_EXCHANGES
from games.engine.negotiator import (
    OfferOrReply,
    ReplyToOffer,
    play_negotiator,
    remark_on,
    say,
)
from games.engine.teacher import CHARACTER, TEACHER, play_teacher, teacher_says
from games.models import Cause, Game, Seat
from games.presentation.text.remarks import choose
from games.services.game import reply_time
from games.services.game.locked_game import LockedGame
from games.services.game.promise_keeping import Promises
from games.table_events import OfferMade, OfferReplied

NEGOTIATES = "courtier"
"""The kind of computer player that negotiates, where it holds a seat for good."""


def character_at(game: Game, seat: Seat) -> Character | None:
    """The character of the computer player at this seat; None if it doesn't negotiate."""
    role = role_at(game, seat)
    if role is not None:
        return CHARACTERS[role]
    return CHARACTER if seat.computer_player == TEACHER else None


def role_at(game: Game, seat: Seat) -> Role | None:
    """Who the computer player at this seat is; None if it doesn't negotiate, or only teaches."""
    if seat.computer_player != NEGOTIATES or game.guided:
        return None
    return role_of(game.seed, seat.drawn_number)


def can_reply(game: Game, seat: Seat) -> bool:
    """Whether a seat has a player, human or computer, that may accept an offer."""
    return seat.is_present() or character_at(game, seat) is not None


def computer_players_negotiate(locked: LockedGame, promises: Promises) -> None:
    """Let the computer players reply and offer until none has anything to say any more.

    Those who ask a person for a promise about their next bribe wait for the reply.
    """
    characters = {
        number: character
        for number, seat in locked.seats.items()
        if (character := character_at(locked.game, seat)) is not None
    }
    if not characters or locked.state.stage is Stage.OVER:
        return
    others = {number for number, seat in locked.seats.items() if can_reply(locked.game, seat)}
    may_ask = reply_time.may_ask(locked, promises.ledger)
    wait: set[int] = set()
    for _ in range(MOST_EXCHANGES):
        before = locked.next_seq
        for number, character in characters.items():
            seat = locked.seats[number]
            seen = promises.view(seat)
            for what in _says(seat, seen, promises.ledger, character, others):
                if _asks_a_person(locked, number, what):
                    if not may_ask:
                        continue
                    wait.add(number)
                remark = _remark(locked, seat, seen, promises.ledger, character, what)
                _carry_out(promises, number, what, remark)
        if locked.next_seq == before:
            break
    reply_time.begin(locked, promises.ledger, wait)


def _asks_a_person(locked: LockedGame, by: int, what: OfferOrReply) -> bool:
    """Whether a person is asked who would have to reply before this seat bribes."""
    if isinstance(what, ReplyToOffer) or not reply_time.is_request(what, by):
        return False
    return locked.seats[what.seat].is_present()


def _says(
    seat: Seat, seen: View, ledger: Ledger, character: Character, others: set[int]
) -> list[OfferOrReply]:
    if seat.computer_player == TEACHER:
        return teacher_says(seen, ledger)
    return say(seen, ledger, character, others)


def _remark(
    locked: LockedGame,
    seat: Seat,
    seen: View,
    ledger: Ledger,
    character: Character,
    what: OfferOrReply,
) -> str:
    """What a computer player says to a person with an offer or reply, as it is stored.

    Nothing at a table without messages, and nothing twice in a game.
    """
    game = locked.game
    if game.press == Game.Press.NONE:
        return ""
    if not locked.seats[_other(what, seat, ledger)].is_present():
        return ""
    chance = game.seed + locked.next_seq
    remark = remark_on(seen, ledger, character, what, chance)
    if remark is None:
        return ""
    earlier = game.events.filter(kind__in=(OfferMade.__name__, OfferReplied.__name__))
    said = set(earlier.values_list("payload__remark", flat=True))
    said |= {event.payload.get("remark") for event in locked.events}
    role = role_of(game.seed, seat.drawn_number)
    return choose(role, remark, said, Random(chance))  # noqa: S311 (a game, no secret)


def _other(what: OfferOrReply, by: Seat, ledger: Ledger) -> int:
    """The seat to which this one says it."""
    if isinstance(what, ReplyToOffer):
        return ledger[what.number - 1].by
    return what.to if what.seat == by.number else what.seat


def computer_move(locked: LockedGame, promises: Promises, seat: Seat, seen: View) -> EngineMove:
    """The move of the computer player at a seat, or of the one that plays for an absent player."""
    chance = locked.game.seed + locked.next_seq  # another one for every move
    move = _preferred(locked.game, seat, seen, promises.ledger, chance)
    if seen.default is not None and not promises.may_play(seat)(move):
        return seen.default  # which breaks no promise
    return move


def _preferred(game: Game, seat: Seat, seen: View, ledger: Ledger, chance: int) -> EngineMove:
    if seat.computer_player == TEACHER:
        return play_teacher(seen, ledger, chance)
    character = character_at(game, seat)
    if character is not None:
        return play_negotiator(seen, ledger, character, chance)
    name = seat.computer_player or game.absent_player
    # One of another release plays like the clock: the others are not to wait for it.
    return COMPUTER_PLAYERS.get(name, COMPUTER_PLAYERS["default"])(seen, chance)


def _carry_out(promises: Promises, seat: int, what: OfferOrReply, remark: str) -> None:
    """Carry out an offer or reply of a computer player; what is refused is left out."""
    try:
        if isinstance(what, ReplyToOffer):
            promises.reply(seat, what.number, what.status, Cause.COMPUTER, remark)
        else:
            promises.offer(seat, what, Cause.COMPUTER, remark)
    except BadPromise:
        if isinstance(what, ReplyToOffer) and what.status is Status.ACCEPTED:
            promises.reply(seat, what.number, Status.DECLINED, Cause.COMPUTER)
