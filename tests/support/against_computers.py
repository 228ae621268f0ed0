"""Whole games of one person against three computer players, through the services."""

from collections.abc import Sequence
from datetime import datetime
from random import Random
from typing import NamedTuple

from games.engine.computer_players import COMPUTER_PLAYERS
from games.engine.ledger import Status
from games.models import Game
from games.services.game.offers import stored_offers
from games.services.game.queries.game_view import read_game
from games.services.operations import clock, sample_games
from tests.support.promising import replies
from tests.support.tables import MONDAY, open_table, tick


class Played(NamedTuple):
    """A game that is over, its person's seat, its end, and how many deadlines went by."""

    game: Game
    person: int
    ended_at: datetime
    deadlines: int


def whole_game(seed: int, given: Sequence[Status | None]) -> Played:
    """A game in which the person plays a courtier's moves at once, and replies by chance.

    To each offer they give one of these replies, maybe none.
    """
    game = open_table("Anna", size=4, seed=seed)
    sample_games.start_with_computer_players(game, game.host, "courtier", MONDAY)
    game.refresh_from_db()
    person = game.seats.get(user=game.host).drawn_number
    chance, now, deadlines, seen = Random(seed), MONDAY, 0, set[int]()
    while game.status == Game.Status.RUNNING:
        offered = [made_at for made_at in _open_to(game, person) if made_at not in seen]
        if offered:
            seen.add(offered[0])
            reply = chance.choice(given)
            if reply is not None:
                replies(game, person, offered[0], reply, now=now)
        elif sample_games.people_to_move(game):
            view = read_game(game, game.host).view
            move = COMPUTER_PLAYERS["courtier"](view, chance.getrandbits(32))
            sample_games.submit(game, game.host, move, now)
        else:
            now, deadlines = game.deadline_at, deadlines + 1
            tick(now)
            clock.sweep(now=now)
        game.refresh_from_db()
    return Played(game, person, now, deadlines)


def _open_to(game: Game, seat: int) -> list[int]:
    """The numbers of the events that made the offers to which this seat can reply."""
    offers = stored_offers(game, game.decoded().table)
    return [
        made_at
        for made_at, entry in zip(offers.made, offers.ledger, strict=True)
        if entry.status is Status.OPEN and entry.other == seat
    ]
