"""The gallery's tables, for those who work on the pages. Only `bin/dev` shows them.

A table is laid out for one page and thrown away again: nothing stays in the database.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from games.models import Game, User
from games.services.operations.scenarios import seated, spectator, to_move


@contextmanager
def nothing_stays() -> Iterator[None]:
    """Whatever the block writes is rolled back, also what its services commit."""
    transaction.set_autocommit(False)
    try:
        with connection.cursor() as cursor:
            # Frames of a page are laid out at once, with the same people: one waits for another.
            cursor.execute("SET LOCAL lock_timeout = '30s'")
        yield
    finally:
        transaction.rollback()
        transaction.set_autocommit(True)


def readers(game: Game) -> dict[str, User]:
    """Somebody who is to move, another player and a spectator, where there are such."""
    movers = [user for _, user in to_move(game)]
    others = [user for _, user in seated(game) if user not in movers]
    found = {"awaited": movers[:1], "other": others[:1], "spectator": [spectator()]}
    return {reader: user for reader, users in found.items() for user in users}
