"""Awards at the end of a game: what is to be remembered of it, all from public events."""

from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import combinations
from typing import Final, NamedTuple

from games.engine.careers import Career
from games.engine.editions import Edition

MOST_AWARDS: Final = 3

STRONGEST: Final = 2
"""How often the least an award can be: more of one thing leaves the others their place."""

MOST_SHARING: Final = 2
"""What more than these have done equally well is nothing special."""


class AwardKind(StrEnum):
    """What an award is given for, the first of two that are equally strong first."""

    FAITHFUL = "faithful"
    NOT_FOR_SALE = "not-for-sale"
    TREACHEROUS = "treacherous"
    FOR_NOTHING = "for-nothing"
    BARGAIN = "bargain"
    DEAREST = "dearest"
    UNMOVED = "unmoved"
    BRIBED = "bribed"
    BANISHED = "banished"


class GivenWord(NamedTuple):
    """What became of the promises that a seat made in front of all.

    `despite_bribe` are those of the kept ones for which a higher bribe lost.
    """

    kept: int = 0
    broken: int = 0
    let_pass: int = 0
    despite_bribe: int = 0


class Award(NamedTuple):
    """An award, and to whom it goes: one seat or two, who have so much of it (`value`).

    `strength` is how often that is the least for which it is given, `STRONGEST` at most. `career`
    is that of the scholar it is about, if it is about one.
    """

    kind: AwardKind
    seats: tuple[int, ...]
    value: int | Fraction
    strength: Fraction
    career: Career | None = None


def awards(
    careers: Sequence[Career],
    words: Sequence[GivenWord],
    edition: Edition,
    changed: Collection[int] = (),
) -> list[Award]:
    """The strongest awards of a finished game, three at most, for different players if possible.

    `words` are those of the seats in order. An award isn't given if the best have less of it than
    the least, if more than two are equally good, or if one of them is a seat that has `changed`
    hands: what somebody did stays theirs.
    """
    seats = range(len(words))
    cash = edition.starting_cash
    taken = [sum(one.bribes + one.by_bank for one in careers if one.palace == at) for at in seats]
    islanders = [sum(_is_banished(one) for one in careers if _owner(one) == seat) for seat in seats]
    worked = [one for one in careers if one.area is not None]
    in_vain = [one for one in careers if one.area is None and _is_banished(one)]
    found = (
        _of_seats(AwardKind.FAITHFUL, 3, [_kept_by_all_means(word) for word in words]),
        _of_seats(AwardKind.NOT_FOR_SALE, 1, [word.despite_bribe for word in words]),
        _of_seats(AwardKind.TREACHEROUS, 2, [word.broken for word in words]),
        _of_scholars(AwardKind.FOR_NOTHING, cash // 8, [(one.bribes, one) for one in in_vain]),
        _of_scholars(AwardKind.BARGAIN, 15, [(_bargain(one, edition), one) for one in worked]),
        _of_scholars(AwardKind.DEAREST, cash // 4, [(one.bribes, one) for one in worked]),
        _of_scholars(AwardKind.UNMOVED, 2, [(one.defended, one) for one in worked]),
        _of_seats(AwardKind.BRIBED, cash, taken),
        _of_seats(AwardKind.BANISHED, 5, islanders),
    )
    return _strongest(
        [award for award in found if award is not None and not set(award.seats) & set(changed)]
    )


def _of_seats(kind: AwardKind, least: int, values: Sequence[int]) -> Award | None:
    most = max(values)
    best = tuple(seat for seat, value in enumerate(values) if value == most)
    if most < least or len(best) > MOST_SHARING:
        return None
    return Award(kind, best, most, _strength(most, least))


def _of_scholars(
    kind: AwardKind, least: int, values: Sequence[tuple[int | Fraction, Career]]
) -> Award | None:
    """An award for the best scholar: none where scholars of two players are equally good."""
    most = max((value for value, _career in values), default=0)
    best = [career for value, career in values if value == most]
    if most < least or len({_owner(career) for career in best}) != 1:
        return None
    return Award(kind, (_owner(best[0]),), most, _strength(most, least), best[0])


def _strength(value: int | Fraction, least: int) -> Fraction:
    return min(Fraction(value) / least, Fraction(STRONGEST))


def _strongest(found: Iterable[Award]) -> list[Award]:
    """Those that name nobody twice if possible, and among these the strongest, these first."""
    given = list(found)

    def merit(chosen: Sequence[Award]) -> tuple[int, Fraction]:
        named = [seat for award in chosen for seat in award.seats]
        return len(set(named)) - len(named), sum((one.strength for one in chosen), Fraction())

    chosen = max(combinations(given, min(MOST_AWARDS, len(given))), key=merit)
    return sorted(chosen, key=lambda award: -award.strength)


def _kept_by_all_means(word: GivenWord) -> int:
    return 0 if word.broken or word.let_pass else word.kept


def _bargain(career: Career, edition: Edition) -> Fraction:
    """What came back for each coin; what the bank paid counts as the smallest bill."""
    return Fraction(career.earned, max(career.bribes, edition.unit))


def _owner(career: Career) -> int:
    return career.scholar.owner


def _is_banished(career: Career) -> bool:
    return career.banished is not None
