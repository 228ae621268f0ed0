"""Tables at which people negotiate."""

from datetime import datetime
from uuid import uuid4

from games.engine import Bribe, Place, Send, State
from games.engine.ledger import Entry, Status
from games.engine.promises import IfBribed, PlaceIn, Promise
from games.models import Event, Game, User
from games.services.chat.promises import make_offer, reply_to_offer
from games.services.game import rewind
from games.services.game.offers import stored_offers
from games.services.game.writer import Writer
from games.table_events import OfferMade
from tests.support.tables import MONDAY, open_table, seats_to_move, submit_move

SIX = 6000
TEN = 10000
"""Areas of the edition that is usually played."""


def bribing_table(**more: object) -> Game:
    """Three at a table; the first has sent a doctor and a clerk to the second, and is to bribe."""
    game = open_table("Anna", "Boris", "Clara", **more)
    first, second, _third = in_order(game)
    moves(game, both_to(game, first, second))
    return game


def rivals_table(**more: object) -> Game:
    """Three at a table; the first two have sent a doctor and a clerk to the third, and bribe."""
    game = open_table("Anna", "Boris", "Clara", **more)
    first, second, third = in_order(game)
    moves(game, both_to(game, first, third), both_to(game, second, third))
    return game


def both_to(game: Game, seat: int, palace: int) -> Send:
    """A doctor and a clerk of the seat go to this palace."""
    state = game.decoded()
    occupations = [state.table.edition.occupations.index(one) for one in ("doctor", "clerk")]
    sent = [one for one in state.unsent[seat] if one.number == 1 and one.occupation in occupations]
    return Send(tuple((one, palace) for one in sent))


def in_order(game: Game) -> list[int]:
    """The seats as they play in a round."""
    first, size = game.decoded().table.first, game.size
    return [(first + place) % size for place in range(size)]


def moves(game: Game, *played: object, now: datetime = MONDAY) -> None:
    """The seats to move make these moves; None is the default move."""
    for move in played:
        outcome = submit_move(game, seats_to_move(game)[0].user, now, move)
        assert outcome.played, outcome
    game.refresh_from_db()


def rewound(game: Game, seq: int) -> None:
    """A moderator has taken the game back to this event."""
    game.refresh_from_db()
    writer = Writer(game, MONDAY)
    rewind.rewind(writer, seq, "moderator")
    writer.go_on()
    writer.commit()
    game.refresh_from_db()


def sitter(game: Game, seat: int) -> User:
    return game.seats.get(number=seat).user


def offers(game: Game, by: int, promise: Promise, text: str = "", now: datetime = MONDAY) -> int:
    """The seat makes an offer; the number of its event."""
    make_offer(
        game_id=game.pk, user=sitter(game, by), promise=promise, text=text, token=uuid4(), now=now
    )
    game.refresh_from_db()
    made = Event.objects.filter(game=game, kind=OfferMade.__name__)
    return made.latest("seq").seq


def replies(
    game: Game, seat: int, made_at: int, given: Status = Status.ACCEPTED, now: datetime = MONDAY
) -> None:
    reply_to_offer(game_id=game.pk, user=sitter(game, seat), made_at=made_at, given=given, now=now)
    game.refresh_from_db()


def entry_of(game: Game, made_at: int) -> Entry | None:
    """The offer as the stored game has it."""
    game.refresh_from_db()
    return stored_offers(game, state_of(game).table).entry(made_at)


def state_of(game: Game) -> State:
    game.refresh_from_db()
    return game.decoded()


def place_for(game: Game, area: int = SIX, least: int = 4000) -> Promise:
    """The owner gives the first contender an area of at least so much for a bribe."""
    state = state_of(game)
    scholar = state.contenders[0]
    return Promise(
        state.active, scholar.owner, PlaceIn(scholar, None, area), IfBribed(scholar, least)
    )


def bribed(game: Game, first: int = 4000) -> Bribe:
    """So much for the first contender, the minimum for the other."""
    one, two = state_of(game).contenders
    return Bribe(((one, first), (two, 1000)))


def placed(game: Game, first: int, second: int) -> Place:
    one, two = state_of(game).contenders
    return Place(((one, first), (two, second)))
