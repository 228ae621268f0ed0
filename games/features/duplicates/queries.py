"""Signs that two accounts are one person: hints with their evidence, never a proof, and no score.

It reads what was seen of sign-ins, misses, moments of moves and public moves. What somebody holds
or has sealed in a running game is not read.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import Q
from django.utils import timezone

from games.features.duplicates import hints
from games.features.duplicates.hints import Hint, Names, Span
from games.features.duplicates.money import read_money
from games.models import (
    Acquaintance,
    Miss,
    Move,
    SharedBrowser,
    SignIn,
    Sitting,
    User,
)
from games.presentation.text.words import day

MOST_PAIRS: Final = 10
MOST_SIGN_INS: Final = 300
MOST_SITTINGS: Final = 2000
MOST_MOMENTS: Final = 3000
MOST_AT_AN_ADDRESS: Final = 20
"""An address of more accounts than that is a school's or a network's, and says nothing."""

MOVES_OF: Final = timedelta(days=60)


class Pair(NamedTuple):
    """Another account and what speaks for its being the same person, the strongest first.

    `one_browser` says that a browser was shared, `cleared` that a moderator took the two off the
    dashboard.
    """

    other: User
    hints: list[Hint]
    one_browser: bool
    cleared: bool


class _Seated(NamedTuple):
    """Somebody who sits or sat at a seat of a game."""

    game_id: int
    seat_id: int
    number: int
    user_id: int


class _Found(NamedTuple):
    """All that was read for one page, by person or by game."""

    person: User
    others: list[User]
    sign_ins: list[SignIn]
    seated: list[_Seated]
    misses: list[Miss]
    moves: list[tuple[int, datetime]]
    known: list[Acquaintance]
    browsers: list[SharedBrowser]


def read_duplicates(
    person_id: int, moderator: User, now: datetime
) -> tuple[User, list[Pair]] | None:
    """The person, and at most ten accounts that may be theirs too; None where there is no such one.

    The moderator and guests are none of them. Money is not told of games at which the moderator
    sits or sat.
    """
    found = _read(person_id, moderator, now)
    if found is None:
        return None
    own_games = _games_of(found.seated, person_id)
    games = {other.pk: own_games & _games_of(found.seated, other.pk) for other in found.others}
    flows = read_money(
        {key: _whole_games(found.seated, person_id, key) for key in games}, moderator
    )
    pairs = [_pair(found, other, games[other.pk], flows.get(other.pk)) for other in found.others]
    hinted = [pair for pair in pairs if any(hint.strength for hint in pair.hints)]
    return found.person, sorted(hinted, key=_strength, reverse=True)


def _strength(pair: Pair) -> tuple[int, int]:
    strengths = [hint.strength for hint in pair.hints]
    return max(strengths), sum(strengths)


def _read(person_id: int, moderator: User, now: datetime) -> _Found | None:
    own = list(SignIn.objects.filter(user=person_id).order_by("-last_at")[:MOST_SIGN_INS])
    same = Q(device__in={row.device for row in own}) | Q(address__in={row.address for row in own})
    others = SignIn.objects.filter(same, user__is_guest=False).exclude(user=person_id)
    others = others.order_by("-last_at")
    sign_ins = own + list(others[:MOST_SIGN_INS])
    seated = _seated(person_id)
    candidates = _candidates(person_id, moderator, sign_ins, seated)
    people = User.objects.filter(is_guest=False).in_bulk([person_id, *candidates])
    if person_id not in people:
        return None
    misses = Miss.objects.filter(user__in=people).select_related("seat").order_by("-pk")
    moves = Move.objects.filter(user__in=people, at__gt=now - MOVES_OF).order_by("-pk")
    ways = Q(person=person_id, other__in=candidates) | Q(other=person_id, person__in=candidates)
    return _Found(
        person=people[person_id],
        others=[people[key] for key in candidates if key in people],
        sign_ins=sign_ins,
        seated=seated,
        misses=list(misses[:MOST_MOMENTS]),
        moves=[
            (user, at)
            for user, at in moves.values_list("user", "at")[:MOST_MOMENTS]
            if user is not None
        ],
        known=list(Acquaintance.objects.filter(ways)),
        browsers=list(SharedBrowser.objects.filter(Q(first=person_id) | Q(second=person_id))),
    )


def _seated(person_id: int) -> list[_Seated]:
    """Everybody who sits or sat at the person's games, the latest first."""
    own = Sitting.objects.filter(user=person_id).values("seat__game")
    rows = Sitting.objects.filter(seat__game__in=own, user__isnull=False).order_by("-pk")
    fields = rows.values_list("seat__game", "seat", "seat__number", "user")
    return [
        _Seated(game, seat, number or 0, user or 0)
        for game, seat, number, user in fields[:MOST_SITTINGS]
    ]


def _candidates(
    person_id: int, moderator: User, sign_ins: list[SignIn], seated: list[_Seated]
) -> list[int]:
    """Who shares a browser, an address or many tables with the person; in this order."""
    own = [row for row in sign_ins if row.user_id == person_id]
    devices, addresses = {row.device for row in own}, {row.address for row in own}
    by_device = [row.user_id for row in sign_ins if row.device in devices]
    crowds = _crowds(sign_ins)
    by_address = [
        row.user_id for row in sign_ins if row.address in addresses and row.address not in crowds
    ]
    shared = Counter(user for user, _game in {(one.user_id, one.game_id) for one in seated})
    by_tables = [user for user, count in shared.most_common() if count >= hints.MANY_TABLES]
    in_order = dict.fromkeys([*by_device, *by_address, *by_tables])
    return [key for key in in_order if key not in {person_id, moderator.pk}][:MOST_PAIRS]


def _crowds(sign_ins: Iterable[SignIn]) -> set[str]:
    """The addresses of so many accounts that they say nothing."""
    accounts = Counter(address for address, _user in {(r.address, r.user_id) for r in sign_ins})
    return {address for address, count in accounts.items() if count > MOST_AT_AN_ADDRESS}


def _games_of(seated: list[_Seated], user_id: int) -> set[int]:
    return {one.game_id for one in seated if one.user_id == user_id}


def _whole_games(
    seated: list[_Seated], person_id: int, other_id: int
) -> dict[int, tuple[int, int]]:
    """The seats of both, by game, where nobody else ever sat at one of the two."""
    sitters = Counter(one.seat_id for one in seated)
    alone = [one for one in seated if sitters[one.seat_id] == 1]
    own = {one.game_id: one.number for one in alone if one.user_id == person_id}
    others = {one.game_id: one.number for one in alone if one.user_id == other_id}
    return {game: (own[game], others[game]) for game in own if game in others}


def _pair(found: _Found, other: User, games: set[int], money: hints.Money | None) -> Pair:
    names = Names(found.person.name, other.name)
    text = [
        _browser(found, names, other),
        _addresses(found, other),
        hints.many_tables(names, len(games), len(_games_of(found.seated, found.person.pk))),
        _misses(found, names, other, games),
        hints.close_moves(names, _moves_of(found, found.person.pk), _moves_of(found, other.pk)),
        hints.one_way_money(names, money) if money is not None else None,
        _known(found, names, other),
    ]
    browsers = [row for row in found.browsers if other.pk in {row.first_id, row.second_id}]
    return Pair(
        other=other,
        hints=sorted(filter(None, text), key=lambda hint: -hint.strength),
        one_browser=bool(browsers),
        cleared=any(row.cleared_at is not None for row in browsers),
    )


def _browser(found: _Found, names: Names, other: User) -> Hint | None:
    own = [row for row in found.sign_ins if row.user_id == found.person.pk]
    others = [row for row in found.sign_ins if row.user_id == other.pk]
    both = {row.device for row in own} & {row.device for row in others}
    if not both:
        return None
    return hints.one_browser(names, _span(own, both), _span(others, both))


def _span(rows: Iterable[SignIn], devices: set[str]) -> Span:
    seen = [row for row in rows if row.device in devices]
    first, last = min(row.first_at for row in seen), max(row.last_at for row in seen)
    return Span(_day(first), _day(last))


def _day(at: datetime) -> str:
    """The day on the clock of the reader."""
    return day(at, timezone.get_current_timezone_name())


def _addresses(found: _Found, other: User) -> Hint | None:
    crowds = _crowds(found.sign_ins)
    own = {row.address for row in found.sign_ins if row.user_id == found.person.pk}
    others = {row.address for row in found.sign_ins if row.user_id == other.pk}
    return hints.same_addresses(len((own & others) - crowds))


def _misses(found: _Found, names: Names, other: User, games: set[int]) -> Hint | None:
    at_shared = [row for row in found.misses if row.seat.game_id in games]
    own = [row.at for row in at_shared if row.user_id == found.person.pk]
    others = [row.at for row in at_shared if row.user_id == other.pk]
    in_all = sum(row.user_id == found.person.pk for row in found.misses)
    return hints.shared_misses(names, own, others, in_all)


def _moves_of(found: _Found, user_id: int) -> list[datetime]:
    return [at for user, at in found.moves if user == user_id]


def _known(found: _Found, names: Names, other: User) -> Hint | None:
    for row in found.known:
        if other.pk in {row.person_id, row.other_id}:
            return hints.know_each_other(
                names,
                confirmed=row.confirmed_at is not None,
                declared_by_first=row.person_id == found.person.pk,
            )
    return None
