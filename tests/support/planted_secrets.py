"""A running game in which everything is secret that can be, for tests of who sees it."""

from django.utils import timezone

from games.engine import Bribe, legal
from games.models import Draft, Game, Note, Order
from tests.support.tables import open_table, seat_of, seats_to_move, submit_move, tick

ORDERED = 4_711_000
SEALED = 23_000
"""The sealed bribe: legal, and like no other amount of the game."""

PLANTED = ("my secret plan", "half a sentence", "nearly an answer")
"""Of Anna's: a note, and drafts of a message and of her move."""


def planted_game() -> Game:
    """Two are to move in a sealed conflict, one of whom has; Anna has left everything."""
    now = timezone.now()
    tick(now)
    game = open_table("Anna", "Boris", "Clara", options={"bribing": "simultaneous"}, now=now)
    while len(seats_to_move(game)) < 2:
        submit_move(game, seats_to_move(game)[0].user, now)
    game.refresh_from_db()
    seat = seats_to_move(game)[0]
    [scholar] = legal(game.decoded(), seat.number).scholars
    submit_move(game, seat.user, now, Bribe(((scholar, SEALED),)))
    game.refresh_from_db()
    anna = seat_of(game, "Anna")
    name = next(iter(game.decoded().table.scholars))
    formula = {"kind": "amount", "amount": ORDERED}
    Order.objects.create(seat=anna, kind="bribe", scholar=name, formula=formula, made_at=now)
    note, said, answered = PLANTED
    Note.objects.create(game=game, user=anna.user, text=note, at=now)
    for about, text in (("talk", said), ("answer", answered)):
        typed = {f"{about}-text": text}
        Draft.objects.create(
            game=game, user=anna.user, about=about, phase_no=game.phase_no, fields=typed, at=now
        )
    return game
