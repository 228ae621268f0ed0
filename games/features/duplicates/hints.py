"""What two accounts have in common, each in words, with what it is worth. Pure: no database."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.presentation.text.tables import time_text
from games.presentation.text.words import money

MISSED_TOGETHER: Final = timedelta(hours=6)
MOVED_TOGETHER: Final = timedelta(minutes=5)
ENOUGH_MOVES: Final = 10
ENOUGH_MISSES: Final = 2
MANY_TABLES: Final = 3
ONE_WAY: Final = 10
"""Money flows one way where so many times as much flows there as back."""


class Hint(NamedTuple):
    """Something two accounts have in common, what it is worth, and how much: 1 little, 3 much."""

    text: str
    worth: str
    strength: int


class Names(NamedTuple):
    """What the two are called."""

    name: str
    other: str


class Span(NamedTuple):
    """When somebody was seen first and last, as days."""

    first: str
    last: str


class Flow(NamedTuple):
    """What went from somebody to another one at the tables they share.

    `paid` in bribes that were not given back, and `usual`: to each of the others there, on average;
    `hired` is how many of their scholars the other one hired.
    """

    paid: int
    usual: int
    hired: int


class Money(NamedTuple):
    """What flowed at so many shared tables: from the first one to the other, and back."""

    tables: int
    there: Flow
    back: Flow


def one_browser(names: Names, own: Span, others: Span) -> Hint:
    message = _(
        "Both used the same browser: {name} from {first} to {last}, {other} from {other_first} "
        "to {other_last}."
    )
    text = message.format(
        **names._asdict(), **own._asdict(), other_first=others.first, other_last=others.last
    )
    return Hint(text, _("A strong hint, but people who live together may share a computer."), 3)


def same_addresses(count: int) -> Hint | None:
    if not count:
        return None
    text = ngettext("{count} IP address in common.", "{count} IP addresses in common.", count)
    worth = _("A weak hint: households, schools, offices and mobile networks share addresses.")
    return Hint(text.format(count=count), worth, 1)


def many_tables(names: Names, together: int, tables: int) -> Hint | None:
    if together < MANY_TABLES:
        return None
    message = _("{together} of {name}'s {tables} tables were shared with {other}.")
    text = message.format(together=together, tables=tables, **names._asdict())
    return Hint(text, _("A weak hint: friends play together."), 1)


def shared_misses(
    names: Names, own: Sequence[datetime], others: Sequence[datetime], in_all: int
) -> Hint | None:
    """Of misses at shared tables; `in_all` are those of the first one at any table."""
    together = _how_many_close(own, others, MISSED_TOGETHER)
    if together < ENOUGH_MISSES:
        return None
    message = _(
        "{together} of the {count} deadlines missed by {name} fell within {time} of one "
        "missed by {other} at a shared table."
    )
    time = time_text(MISSED_TOGETHER)
    text = message.format(together=together, count=in_all, time=time, **names._asdict())
    worth = _(
        "A moderate hint: someone with two accounts misses deadlines on both while they're away, "
        "but two people on a trip together show the same pattern."
    )
    return Hint(text, worth, 2)


def close_moves(names: Names, own: Sequence[datetime], others: Sequence[datetime]) -> Hint | None:
    """Whether at least half of the moves of whichever moved less came right beside the other's."""
    if len(others) < len(own):
        return close_moves(Names(names.other, names.name), others, own)
    close = _how_many_close(own, others, MOVED_TOGETHER)
    if len(own) < ENOUGH_MOVES or 2 * close < len(own):
        return None
    message = _("{close} of {count} moves by {name} came within {time} of a move by {other}.")
    time = time_text(MOVED_TOGETHER)
    text = message.format(close=close, count=len(own), time=time, **names._asdict())
    worth = _(
        "A moderate hint: someone with two accounts often moves on both in one sitting, but two "
        "people who play at the same time leave the same trace."
    )
    return Hint(text, worth, 2)


def _how_many_close(own: Sequence[datetime], others: Sequence[datetime], within: timedelta) -> int:
    """Of how many of one's own moments one of the others is not further away than that."""
    in_order = sorted(others)
    return sum(
        bisect_left(in_order, at - within) < bisect_right(in_order, at + within) for at in own
    )


def one_way_money(names: Names, flows: Money) -> Hint | None:
    """Whether bribes flow one way, and at least twice as many as the payer gives to others."""
    tables, there, back = flows
    if there.paid < back.paid:
        return one_way_money(Names(names.other, names.name), Money(tables, back, there))
    if there.paid < 2 * there.usual or there.paid < ONE_WAY * back.paid or not there.paid:
        return None
    message = _(
        "Shared tables: {tables}. In these games, {name} paid {other} {paid} in bribes and "
        "received {back} from them. On average, {name} paid each of the other players {usual}. "
        "{name}'s scholars hired by {other}: {hired}; the other way round: {hired_back}."
    )
    text = message.format(
        **names._asdict(),
        tables=tables,
        paid=money(there.paid),
        back=money(back.paid),
        usual=money(there.usual),
        hired=there.hired,
        hired_back=back.hired,
    )
    worth = _(
        "A weak hint if it's only one table, a moderate one if there are several. Look at these "
        "games."
    )
    return Hint(text, worth, 1 if tables == 1 else 2)


def know_each_other(names: Names, *, confirmed: bool, declared_by_first: bool) -> Hint:
    """What they stated themselves: it stands for two people, and explains much of the rest."""
    if confirmed:
        text = _("Both say that they know each other.")
    else:
        declarer, of = names if declared_by_first else (names.other, names.name)
        message = _("{name} says they know {other}, who hasn't confirmed it.")
        text = message.format(name=declarer, other=of)
    return Hint(
        text, _("This suggests two different people who are open about knowing each other."), 0
    )
