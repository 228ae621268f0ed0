"""What people are called at a table, and to whose page their names link.

No other module may read the name of a user for a table (`tests/tools/test_display_names.py`): a
table that hides its players' names hides them here. Everyone at a table reads the same names;
strangers read those of people who have chosen so, and of everybody else the colour of the seat.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, NamedTuple, assert_never

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, OuterRef, QuerySet, Value, When
from django.utils.translation import gettext as _

from games.engine import COLOURS
from games.engine.characters import role_of
from games.models import (
    Game,
    Invitation,
    Message,
    PrivateMessage,
    Report,
    Seat,
    Sitting,
    ThreadMember,
    User,
)
from games.names import key_of, words_of
from games.presentation.text.characters import CRESTS, character_name
from games.presentation.text.cities import city_table
from games.presentation.text.direction import ComputerName, StandIn, isolated
from games.presentation.text.words import empty_seat, seat_in_colour
from games.table_events import (
    HousePlayerSat,
    NameChange,
    SeatGivenBack,
    SeatReopened,
    SubstituteSat,
)

HIDDEN: Final = ""
"""Stands among names that were read alone for somebody whose name the reader doesn't learn."""

_SITTINGS: Final = Sitting.objects.filter(seat=OuterRef("pk")).order_by("pk")
_NAMES: Final = ArraySubquery(_SITTINGS.values("user__name"))
_NAMES_TO_STRANGERS: Final = ArraySubquery(
    _SITTINGS.values(
        shown=Case(
            When(user__named_to_strangers=True, then="user__name"),
            When(user__isnull=False, then=Value(HIDDEN)),
        )
    )
)

_by_stranger: ContextVar[bool] = ContextVar("by_stranger", default=False)


@contextmanager
def read_by_stranger() -> Iterator[None]:
    """What is written meanwhile is read by somebody without an account."""
    token = _by_stranger.set(True)
    try:
        yield
    finally:
        _by_stranger.reset(token)


def is_read_by_stranger() -> bool:
    """Whether what is written now is read by somebody without an account."""
    return _by_stranger.get()


def _is_hidden(person: User) -> bool:
    return _by_stranger.get() and not person.named_to_strangers


_isolates: ContextVar[bool] = ContextVar("isolates", default=False)


@contextmanager
def isolated_names() -> Iterator[None]:
    """Names keep their own direction in what is written meanwhile, without any HTML: for email."""
    token = _isolates.set(True)
    try:
        yield
    finally:
        _isolates.reset(token)


def _shown(name: str) -> str:
    return isolated(name) if _isolates.get() else name


def _left() -> StandIn:
    return StandIn(_("Someone who has left"))


def _someone(colour: str = "") -> StandIn:
    """In place of a name that the reader doesn't learn."""
    return seat_in_colour(colour) if colour else StandIn(_("Someone"))


def _name_of(person: User, colour: str = "") -> str:
    """The name of a person, who perhaps has the seat of this colour."""
    return _someone(colour) if _is_hidden(person) else _shown(person.name)


# Those who have a seat now.


def seat_name(seat: Seat) -> str:
    """What the table calls a seat of a started game."""
    if seat.user is not None:
        return _name_of(seat.user, seat.colour)
    if seat.computer_player:
        return computer_name(seat.game, seat.drawn_number)
    return empty_seat(seat.colour)


def seat_names(seats: Iterable[Seat]) -> list[str]:
    return [seat_name(seat) for seat in seats]


def computer_name(game: Game, seat: int) -> ComputerName:
    """What the table calls a computer player that plays this seat of a started game."""
    return character_name(role_of(game.seed, seat))


def player_name(seat: Seat) -> str:
    """The same before the game starts, or where the colour of an empty seat is shown anyway."""
    if seat.user is not None or (seat.computer_player and seat.number is not None):
        return seat_name(seat)
    return StandIn(_("Computer") if seat.computer_player else _("Nobody"))


def seat_person_id(seat: Seat) -> int | None:
    """The person to whose page the name of a seat links; None for no link."""
    return None if _by_stranger.get() else seat.user_id


def seat_crest(seat: Seat) -> str:
    """The crest of who sits there; "" for nobody."""
    if seat.computer_player and seat.number is not None:
        return CRESTS[role_of(seat.game.seed, seat.number)]
    return "" if seat.user is None else _crest_of(seat.user)


def _crest_of(person: User) -> str:
    return "" if _is_hidden(person) else person.shown_crest


class Seated(NamedTuple):
    """Somebody who sits at a table that has not started; `crest` is "" for nobody.

    `in_time` says in few words how reliable they are, where it is shown and known.
    """

    name: str
    crest: str
    is_host: bool
    in_time: str = ""


def seated(game: Game, seats: Iterable[Seat]) -> list[Seated]:
    """Who sits at a table, in the order of these seats."""
    return [
        Seated(player_name(seat), seat_crest(seat), is_host=seat.user_id == game.host_id)
        for seat in seats
    ]


def sitter_name(sitting: Sitting) -> str:
    """Who sat there."""
    return _name_of(sitting.user, sitting.seat.colour) if sitting.user is not None else _left()


def mention(seat: Seat) -> str:
    """How the player of a seat is mentioned in the chat."""
    return f"@{player_name(seat)}"


# Those who had a seat at some moment of the game.


def with_names(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Seats with the names for `names_in_order` as `sat`, read in one query."""
    return seats.annotate(sat=_NAMES_TO_STRANGERS if _by_stranger.get() else _NAMES)


def names_in_order(seat: Seat, sat: Iterable[str | None]) -> list[str]:
    """The names of all who have had this seat, the first one first, from those of their accounts.

    `sat` are these names, None where there is no account any more, and perhaps `HIDDEN` ones.
    """

    def name_of(one: str | None) -> str:
        if one is None:
            return _left()
        return _someone(seat.colour) if one == HIDDEN else _shown(one)

    return [name_of(one) for one in sat] or [seat_name(seat)]


def names_after(
    game: Game, names: Sequence[Sequence[str]], changes: Iterable[NameChange]
) -> list[str]:
    """What each seat was called after these changes, which are all from the start of the game on.

    `names` are the `names_in_order` of all seats. If they were read before the last change, the
    last name among them stays.
    """
    players = [list(own) for own in names]
    without_player: dict[int, str] = {}
    for change in changes:
        match change:
            case SubstituteSat(seat):
                if len(players[seat]) > 1:
                    players[seat].pop(0)
                without_player.pop(seat, None)
            case HousePlayerSat(seat):
                without_player[seat] = computer_name(game, seat)
            case SeatReopened(seat):
                without_player[seat] = empty_seat(COLOURS[seat])
            case SeatGivenBack(seat):
                without_player.pop(seat, None)
            case _:
                assert_never(change)
    return [without_player.get(seat, own[0]) for seat, own in enumerate(players)]


# Those who do something at a table.


def is_by_referee(message: Message | PrivateMessage) -> bool:
    """Whether the referee speaks, who isn't named; never privately."""
    return isinstance(message, Message) and message.by_referee


def speaker(message: Message | PrivateMessage) -> str:
    """Who wrote it; "" for a verdict, which has no author."""
    if isinstance(message, PrivateMessage) and message.deal and message.seat_number is None:
        return ""
    if is_by_referee(message):
        return StandIn(_("The referee"))
    return _name_of(message.author) if message.author else _left()


def speaker_person_id(message: Message | PrivateMessage) -> int | None:
    """The person to whose page the name of a speaker links; None for no link."""
    return None if is_by_referee(message) or _by_stranger.get() else message.author_id


def speaker_crest(message: Message | PrivateMessage) -> str:
    """The crest of an author; "" for the referee and for people who have left."""
    if is_by_referee(message) or message.author is None:
        return ""
    return _crest_of(message.author)


def member_names(members: Iterable[ThreadMember]) -> list[str]:
    """The names of the members of a thread."""
    return [_name_of(one.user) if one.user else _left() for one in members]


def host_name(game: Game) -> str:
    """The name of the host; "" if they no longer have an account."""
    return _name_of(game.host) if game.host is not None else ""


def inviter_name(invitation: Invitation) -> str:
    """Who invites to the table; "" if they no longer have an account."""
    inviter = invitation.invited_by
    return _name_of(inviter) if inviter is not None else ""


def names_of_addresses(addresses: Sequence[str]) -> dict[str, str]:
    """The names of those who were invited by name, by their addresses."""
    if not addresses or _by_stranger.get():
        return {}
    return dict(User.objects.filter(email__in=addresses).values_list("email", "name"))


# What a table is called, and what its host says about it.


def table_title(game: Game) -> str:
    """The name of a table; to strangers a city's, where it holds a name that they don't learn."""
    return StandIn(city_table(game.seed)) if _holds_hidden_name(game, game.name) else game.name


def table_description(game: Game) -> str:
    """What the host says about the table; "" where it holds a name that strangers don't learn."""
    return "" if _holds_hidden_name(game, game.description) else game.description


def read_titles(games: Sequence[Game]) -> None:
    """Read what the titles of these games need in one query; nothing unless a stranger reads."""
    if not games or not _by_stranger.get():
        return
    sitting = Sitting.objects.filter(seat__game__in=games)
    seated = Seat.objects.filter(game__in=games, user__isnull=False)
    hosts = Game.objects.filter(pk__in=[game.pk for game in games])
    more = _hidden(seated, "game_id", "user"), _hidden(hosts, "pk", "host")
    rows = _hidden(sitting, "seat__game_id", "user").union(*more, all=True).order_by()
    found: dict[int, list[str | None]] = {game.pk: [] for game in games}
    for key, name in rows:
        found[key].append(name)
    for game in games:
        vars(game)["hidden_names"] = found[game.pk]


def _hidden(rows: QuerySet[Any], game: str, person: str) -> QuerySet[Any, tuple[int, str | None]]:
    """The games of these rows, and the names of their people that strangers don't learn."""
    hidden = rows.exclude(**{f"{person}__named_to_strangers": True})
    return hidden.values_list(game, f"{person}__name")


def _holds_hidden_name(game: Game, text: str) -> bool:
    """Whether a text of the host's may name somebody of the table whose name is hidden.

    A name may be inflected, or stand there in part. Of those who have left nobody knows it.
    """
    if not text or not _by_stranger.get():
        return False
    if "hidden_names" not in vars(game):
        read_titles([game])
    hidden = vars(game)["hidden_names"]
    return any(name is None or is_named(name, text) for name in hidden)


def is_mentioned(person: User, text: str) -> bool:
    """Whether a text may name this person."""
    return is_named(person.name, text)


def is_named(name: str, text: str) -> bool:
    """Whether a text may name somebody: the name may be inflected, or stand there in part."""
    ending = 2 if CYRILLIC.search(name) else 1
    words = words_of(key_of(text))
    written = "".join(words)
    return any(
        part[: max(LEAST_OF_A_PART, len(part) - ending)] in written
        if len(part) >= LEAST_OF_A_PART
        else any(word.startswith(part) and len(word) <= len(part) + ending for word in words)
        for part in words_of(key_of(name))
    )


LEAST_OF_A_PART: Final = 3
"""So many letters of a name are looked for inside of words, fewer at their beginning."""

CYRILLIC: Final = re.compile(r"[\u0400-\u04ff]")
"""Names in it lose up to two letters when they are inflected, others one."""


def as_they_are(person: User | None) -> dict[str, str]:
    """What somebody is called and carries now, for a report of them."""
    if person is None:
        return {}
    return {"person_name": person.name, "person_crest": person.shown_crest}


def reported_name(report: Report) -> str:
    """Whom a report is about, by the name that was reported."""
    if report.person is None:
        return _left()
    return report.person_name or report.person.name


def name_since(report: Report) -> str:
    """What the person is called now; "" where that is what was reported."""
    if report.person is None or report.person_name in {"", report.person.name}:
        return ""
    return report.person.name
