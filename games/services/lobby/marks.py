"""How a table differs from the usual one, in a few words each."""

from collections.abc import Iterator

from django.utils.translation import pgettext

from games.engine.editions import EDITIONS
from games.models import Game
from games.presentation.text.tables import time_text

OWN_WORDS = ("bribing", "promises")
"""Rules that are named; of all others it is only said that some are the table's own."""


def what_differs(game: Game) -> list[str]:
    """Marks of a table: its talk, its rules, and whom it wants; nothing where all is as usual."""
    return [*_of_talk(game), *_of_rules(game), *_of_people(game)]


def _of_talk(game: Game) -> Iterator[str]:
    if game.press == Game.Press.PRIVATE:
        yield pgettext("mark of a table", "private talk")
    if game.press == Game.Press.NONE:
        yield pgettext("mark of a table", "no messages")
    if game.talk_seconds:
        text = pgettext("mark of a table", "{time} to negotiate")
        yield text.format(time=time_text(game.talk_seconds))


def _of_rules(game: Game) -> Iterator[str]:
    edition = EDITIONS.get(game.edition)
    if edition is None:
        return  # a broken row, which is to spoil no list
    if game.options.get("bribing", edition.bribing) == "simultaneous":
        yield pgettext("mark of a table", "sealed bribes")
    if game.options.get("promises", edition.promises) == "binding":
        yield pgettext("mark of a table", "binding promises")
    others = (item for item in game.options.items() if item[0] not in OWN_WORDS)
    if any(value != getattr(edition, name, None) for name, value in others):
        yield pgettext("mark of a table", "custom rules")


def _of_people(game: Game) -> Iterator[str]:
    if game.least_in_time:
        text = pgettext("mark of a table", "at least {percent}% of moves in time")
        yield text.format(percent=game.least_in_time)
    if not game.newcomers_welcome:
        yield pgettext("mark of a table", "no newcomers")
    elif game.least_in_time:
        yield pgettext("mark of a table", "newcomers welcome")
