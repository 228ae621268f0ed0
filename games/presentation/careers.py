"""What the scholars of each player cost and earned, as a table with bars."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.engine.careers import Career
from games.presentation.ranking import Player, percent, players_of
from games.presentation.text.words import People, capital, money


class Figure(NamedTuple):
    """An amount and its part of the largest one at the table, in percent."""

    amount: str
    percent: str


class CareerLine(NamedTuple):
    """A scholar: its occupation, where it worked and how long, what it cost and what it earned."""

    name: str
    place: str
    bribes: Figure
    earned: Figure


class CareerTable(NamedTuple):
    """The scholars of a player, who may be the reader (`own`), and the sums of their amounts."""

    player: Player
    own: bool
    lines: list[CareerLine]
    bribes: str
    earned: str


class CareerTables(NamedTuple):
    """The tables of all players, and the edition's words for what they are about."""

    title: str
    scholar: str
    tables: list[CareerTable]


def career_tables(people: People, careers: Iterable[Career]) -> CareerTables:
    """A table for each player, the reader's first; who earned most stands first in it."""
    found = list(careers)
    most = max([1, *(one.bribes for one in found), *(one.earned for one in found)])

    def lines(own: Iterable[Career]) -> Iterator[CareerLine]:
        for one in sorted(own, key=lambda one: -one.earned):
            yield CareerLine(
                name=capital(people.occupation(one.scholar)),
                place=place_text(people, one),
                bribes=Figure(money(one.bribes), percent(one.bribes, most)),
                earned=Figure(money(one.earned), percent(one.earned, most)),
            )

    tables = []
    for seat, player in enumerate(players_of(people)):
        own = [one for one in found if one.scholar.owner == seat]
        bribes, earned = sum(one.bribes for one in own), sum(one.earned for one in own)
        mine = seat == people.reader
        tables.append(CareerTable(player, mine, list(lines(own)), money(bribes), money(earned)))
    title = _("What the {scholars} cost and earned").format(scholars=people.words.scholars)
    tables.sort(key=lambda table: not table.own)
    return CareerTables(title, capital(people.words.scholar), tables)


def place_text(people: People, career: Career) -> str:
    """Where a scholar worked, and how that ended."""
    if career.palace is None:
        return _("never sent")
    if career.banished is None and career.area is None:
        text = _("still at {name}'s door")
    elif career.banished is None:
        text = _("hired by {name} for {amount}, stayed to the end")
    elif career.area is None:
        text = _("banished from {name}'s door in round {round}")
    else:
        text = _("hired by {name} for {amount}, banished in round {round}")
    return text.format(
        name=people.name(career.palace), amount=money(career.area or 0), round=career.banished
    )
