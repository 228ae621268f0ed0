"""Money, scholars and palaces in words."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from games.engine import Scholar, Table


class People(NamedTuple):
    """The table, the players' names by seat, and the scholars who compete at the moment.

    A scholar whose twin competes too is called by its number.
    """

    table: Table
    names: list[str]
    among: tuple[Scholar, ...] = ()

    def name(self, seat: int) -> str:
        return self.names[seat]

    def colour(self, seat: int) -> str:
        return self.table.players[seat]

    def scholar(self, scholar: Scholar) -> str:
        return f"the {scholar_name(self.table, scholar, self.among)}"

    def own_scholar(self, scholar: Scholar) -> str:
        """A scholar as its owner says it, without the colour: "clerk", "clerk 2"."""
        name = scholar_name(self.table, scholar, self.among)
        return name.removeprefix(f"{self.table.players[scholar.owner]} ")

    def occupation(self, scholar: Scholar) -> str:
        return self.table.edition.occupations[scholar.occupation]


def money(amount: int) -> str:
    """An amount without its currency: 8,000."""
    return f"{amount:,}"


def with_currency(table: Table, amount: int) -> str:
    """An amount in the edition's currency: 8,000 ducats, $8,000."""
    currency = table.edition.words.currency
    return f"${amount:,}" if currency == "$" else f"{amount:,} {currency}"


def scholar_name(table: Table, scholar: Scholar, among: Collection[Scholar] = ()) -> str:
    """A scholar as people say it: "blue clerk".

    With its number where its twin is among the ones spoken of: "blue clerk 2".
    """
    name = f"{table.players[scholar.owner]} {table.edition.occupations[scholar.occupation]}"
    twin = scholar._replace(number=3 - scholar.number)
    return f"{name} {scholar.number}" if twin in among else name


def capital(words: str) -> str:
    """The words with a capital at their beginning."""
    return words[:1].upper() + words[1:]


def listed(parts: Iterable[str], last: str = "and") -> str:
    """A list in words: "a, b and c"."""
    *most, final = parts
    return f"{', '.join(most)} {last} {final}" if most else final


def moment(at: datetime, zone: str) -> str:
    """An instant on the reader's clock, zone named: "Thu 26 Nov, 20:00 (Europe/Vienna)"."""
    local = at.astimezone(ZoneInfo(zone))
    return f"{local:%a} {local.day} {local:%b, %H:%M} ({zone})"
