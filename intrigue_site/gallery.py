"""The gallery's tables, for those who work on the pages. Only `bin/dev` shows them.

A table is laid out for one page and thrown away again: nothing stays in the database.
"""

from games.models import Game, User
from games.services.operations.sample_games import people_to_move, seated
from intrigue_site.scenarios import spectator


def readers(game: Game) -> dict[str, User]:
    """Somebody who is to move, another player and a spectator, where there are such."""
    movers = [user for _, user in people_to_move(game)]
    others = [user for _, user in seated(game) if user not in movers]
    found = {"awaited": movers[:1], "other": others[:1], "spectator": [spectator()]}
    return {reader: user for reader, users in found.items() for user in users}
