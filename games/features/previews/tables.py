"""Tables of people who don't exist, at which samples of email are played."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import uuid4

from games.engine import Send, default_move
from games.engine.ledger import Status
from games.engine.promises import IfBribed, PlaceIn, Promise
from games.models import Game, Seat, User
from games.services.chat import promises
from games.services.lobby.settings import TableSettings
from games.services.operations import sample_games
from games.table_events import OfferMade

DAY: Final = timedelta(days=1)
PLAYERS: Final = ("Anna", "Boris", "Clara")


@dataclass(frozen=True)
class Words:
    """What people wrote, and the responses to a reply by email."""

    table: str = "The Venice table"
    description: str = "Slow and friendly."
    mention: str = "@Anna, what do you say to that?"
    whisper: str = "Shall we stand together?"
    referee: str = "Please stay polite."
    reason: str = "A player asked for it."
    complaint: str = "This is an insult."
    decision: str = "This is still a game among friends."
    appeal: str = "It was a joke."
    granted: str = "So it was."
    suspended: str = "You keep insulting others."
    requested: str = "You asked us to do this."
    done: str = "Your move was already in; it stands."
    refused: str = "It isn't your turn, so nothing was played."


@dataclass(frozen=True)
class Cast:
    """The players, the time, and what they write. Each name is looked up once or more."""

    person: Callable[[str], User]
    moderator: Callable[[str], User]
    now: datetime
    seed: int | None = None
    """Decides the seats and what computer players play; None for any."""
    words: Words = field(default_factory=Words)


class Sample(NamedTuple):
    """An email to be written: its game, its reader (None: an address), and its other columns."""

    game: Game | None
    reader: User | None
    about: dict[str, Any]


def table(cast: Cast, *names: str, **more: Any) -> Game:
    """A game of these people; it has started if they fill it."""
    host, *others = [cast.person(name) for name in names or PLAYERS]
    usual: dict[str, Any] = {"edition": "mayfair-2005", "size": len(others) + 1, "move_time": DAY}
    settings = TableSettings(name=cast.words.table, **(usual | more))
    return sample_games.open_table(settings, host, *others, now=cast.now, seed=cast.seed)


def seat_to_move(game: Game) -> tuple[Seat, User]:
    """Whoever is to move next."""
    game.refresh_from_db()
    return sample_games.people_to_move(game)[0]


def play_on(cast: Cast, game: Game) -> None:
    """Whoever is to move makes the default move."""
    seat, user = seat_to_move(game)
    sample_games.submit(game, user, default_move(game.decoded(), seat.drawn_number), cast.now)


def at_table(game: Game, name: str) -> User:
    return User.objects.get(name=name, seats__game=game)


def bribing_table(cast: Cast, **more: Any) -> tuple[Game, list[User]]:
    """The first has sent two scholars to the second and is to bribe; all in order of the seats."""
    game = table(cast, **more)
    state = game.decoded()
    by_number = {seat.drawn_number: user for seat, user in sample_games.seated(game)}
    first, size = state.table.first, game.size
    order = [(first + place) % size for place in range(size)]
    kinds = [state.table.edition.occupations.index(one) for one in ("doctor", "clerk")]
    sent = [one for one in state.unsent[first] if one.number == 1 and one.occupation in kinds]
    move = Send(tuple((one, order[1]) for one in sent))
    sample_games.submit(game, by_number[first], move, cast.now)
    return game, [by_number[number] for number in order]


def number_of(game: Game, user: User) -> int:
    return game.seats.get(user=user).drawn_number


class Deal(NamedTuple):
    """An offer of the one who is to place, to the one whose scholars are to be placed."""

    game: Game
    reader: User
    maker: User
    made_at: int
    """The number of its event."""


def deal_of(cast: Cast) -> Deal:
    game, (reader, maker, _third) = bribing_table(cast)
    scholar = game.decoded().contenders[0]
    wanted = PlaceIn(scholar, None, 6000), IfBribed(scholar, 4000)
    promise = Promise(number_of(game, maker), number_of(game, reader), *wanted)
    promises.make_offer(
        game_id=game.pk, user=maker, promise=promise, text="", token=uuid4(), now=cast.now
    )
    game.refresh_from_db()
    made = game.events.filter(kind=OfferMade.__name__).latest("seq")
    return Deal(game, reader, maker, made.seq)


def accepted_deal(cast: Cast) -> Deal:
    deal = deal_of(cast)
    promises.reply_to_offer(
        game_id=deal.game.pk,
        user=deal.reader,
        made_at=deal.made_at,
        given=Status.ACCEPTED,
        now=cast.now,
    )
    deal.game.refresh_from_db()
    return deal
