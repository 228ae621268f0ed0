"""A person's home page: their games, by what is needed from them and the nearest deadline."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from games.engine import View
from games.models import Acquaintance, Game, Invitation, Seat, Sitting, User
from games.presentation.board.turn_summary import asked_in_short, result_in_short
from games.presentation.text.time_left import Until, until
from games.presentation.text.words import People, listed
from games.services.chat.queries import unread_counts
from games.services.game.queries.open_votes import games_that_vote
from games.services.game.unreadable import view_of
from games.services.lobby.queries import listed_games
from games.services.people.acquaintances import requests_to
from games.services.people.blocks import not_for
from games.services.people.display_names import inviter_name, seat_names

MOST_FINISHED = 20
MOST_REQUESTS = 10


class OwnTable(NamedTuple):
    """A line of one's home page.

    `asked` says in a few words what is asked, whom the game waits for, or how it ended; `until` is
    the deadline of the reader, or else of those who are waited for, None where there is none.
    `unread` is how much was said there that the reader has not seen; `votes` whether the table has
    a vote open in which they have said nothing yet.
    """

    game: Game
    asked: str
    until: Until | None
    seated: int
    unread: int
    votes: bool = False


class OpenInvitation(NamedTuple):
    """An invitation to the reader's own address, and who sent it ("" if they have left)."""

    invitation: Invitation
    inviter: str


class HomePage(NamedTuple):
    """One's home page: what is needed from the reader first, by the nearest deadline."""

    awaited: list[OwnTable]
    invitations: list[OpenInvitation]
    waiting: list[OwnTable]
    running: list[OwnTable]
    finished: list[OwnTable]
    finished_count: int
    listed_count: int
    asked_whether_known: list[Acquaintance]

    @property
    def is_empty(self) -> bool:
        """Whether there is no table at all to show."""
        tables = self.awaited, self.invitations, self.waiting, self.running, self.finished
        return not any(tables)


class _Table(NamedTuple):
    """One of the reader's running games: their own seat, and all of them by number.

    `seen` is None where the game cannot be read.
    """

    own: Seat
    seats: list[Seat]
    seen: View | None


def read_home(user: User, now: datetime) -> HomePage:
    """A person's own tables, their invitations, and how many tables they could join.

    As many queries for many games as for one.
    """
    own, seats = _own_seats(user)
    unread = unread_counts(user)
    waiting = [seat for seat in own if seat.game.status == Game.Status.WAITING]
    finished = list(_finished_or_left(user)[: MOST_FINISHED + 1])
    tables = [
        _Table(seat, seats[seat.game_id], view_of(seat.game, seat.number))
        for seat in own
        if seat.game.status == Game.Status.RUNNING
    ]
    asked = games_that_vote(user, {table.own.game_id: table.seats for table in tables})
    awaited = [table for table in tables if _is_awaited(table)]
    others = [table for table in tables if not _is_awaited(table)]
    return HomePage(
        awaited=_vote_texts(
            [_line_of_own_turn(table, user, now, unread) for table in awaited], asked
        ),
        invitations=[OpenInvitation(one, inviter_name(one)) for one in _open_invitations(user)],
        waiting=[
            OwnTable(seat.game, "", None, len(seats[seat.game_id]), unread.get(seat.game_id, 0))
            for seat in sorted(waiting, key=lambda seat: seat.game.created_at, reverse=True)
        ],
        running=_vote_texts(
            [_line_of_others_turn(table, user, now, unread) for table in others], asked
        ),
        finished=[
            OwnTable(one.seat.game, _result(one), None, 0, unread.get(one.seat.game_id, 0))
            for one in finished[:MOST_FINISHED]
        ],
        finished_count=(
            len(finished) if len(finished) <= MOST_FINISHED else _finished_or_left(user).count()
        ),
        listed_count=listed_games(user).count(),
        asked_whether_known=list(requests_to(user)[:MOST_REQUESTS]),
    )


def _vote_texts(lines: list[OwnTable], asked: set[int]) -> list[OwnTable]:
    return [line._replace(votes=line.game.pk in asked) for line in lines]


def _own_seats(user: User) -> tuple[list[Seat], dict[int, list[Seat]]]:
    """The person's seats at tables that wait or run, and all seats there by the game's id.

    The nearest deadline comes first: the person's own, or else that of the game.
    """
    own = list(
        Seat.objects.filter(user=user, game__status__in=(Game.Status.WAITING, Game.Status.RUNNING))
        .select_related("game")
        .order_by(
            F("deadline_at").asc(nulls_last=True), F("game__deadline_at").asc(nulls_last=True), "pk"
        )
    )
    seats: dict[int, list[Seat]] = {}
    at_these = Seat.objects.filter(game__in=[seat.game_id for seat in own])
    for seat in at_these.select_related("user").order_by("number", "pk") if own else ():
        seats.setdefault(seat.game_id, []).append(seat)
    return own, seats


def _is_awaited(table: _Table) -> bool:
    """Whether the reader is; never in a game that rests, nor at a seat somebody plays for."""
    own = table.own
    if table.seen is None:
        return False
    return own.deadline_at is not None and own.game.is_going_on and own.absent_since is None


def _line_of_own_turn(table: _Table, user: User, now: datetime, unread: dict[int, int]) -> OwnTable:
    own = table.own
    if table.seen is None:
        raise ValueError("Nobody is awaited in a game that cannot be read.")
    people = People(table.seen.table, seat_names(table.seats))
    return OwnTable(
        game=own.game,
        asked=asked_in_short(people, table.seen),
        until=until(own.deadline_at, user.time_zone, now) if own.deadline_at else None,
        seated=0,
        unread=unread.get(own.game_id, 0),
    )


def _line_of_others_turn(
    table: _Table, user: User, now: datetime, unread: dict[int, int]
) -> OwnTable:
    game, rests = table.own.game, table.seen is None or table.own.game.parked_at is not None
    awaited = [] if table.seen is None else [table.seats[number] for number in table.seen.awaited]
    times = [seat.deadline_at for seat in awaited if seat.deadline_at is not None]
    times += [game.talk_until] if game.talk_until is not None else []
    return OwnTable(
        game=game,
        asked=_rests() if rests else _waits_for(game, awaited),
        until=until(min(times), user.time_zone, now) if times and not rests else None,
        seated=0,
        unread=unread.get(game.pk, 0),
    )


def _rests() -> str:
    return _("stopped by an error; the moderators know about it")


def _waits_for(game: Game, awaited: Iterable[Seat]) -> str:
    if game.resting_since is not None:
        return _("dormant: nobody is left at the table")
    if game.paused_at is not None:
        return _("paused")
    if game.is_time_for_talk:
        return _("time for talk")
    names = seat_names(list(awaited))
    return (
        _("to move: {names}").format(names=listed(names)) if names else _("continues automatically")
    )


def _finished_or_left(user: User) -> QuerySet[Sitting]:
    """Where the person sat in games that are over, or that went on without them, latest first."""
    sittings = Sitting.objects.filter(user=user).select_related("seat__game")
    over = Q(ended_at__isnull=False) | Q(seat__game__status__in=Game.OVER)
    left_at = Coalesce("ended_at", "seat__game__finished_at")
    return sittings.filter(over).order_by(left_at.desc(nulls_last=True), "pk")


def _result(sitting: Sitting) -> str:
    game = sitting.seat.game
    if sitting.ended_at is not None:
        return _("you left before the end")
    if game.status == Game.Status.CANCELLED:
        return _("cancelled, without a winner")
    if game.status == Game.Status.ABANDONED:
        return _("abandoned, so it doesn't count for anyone")
    seen = view_of(game, sitting.seat.number)
    return _rests() if seen is None else result_in_short(seen)


def _open_invitations(user: User) -> QuerySet[Invitation]:
    """Invitations to one's own address that can still be accepted.

    None to a table of somebody with whom they do not play: nobody is told who has blocked whom.
    """
    return (
        Invitation.objects.filter(
            email=user.email, status=Invitation.Status.OPEN, game__status=Game.Status.WAITING
        )
        .exclude(game__in=Seat.objects.filter(user=user).values("game"))
        .exclude(game__in=not_for(user))
        .select_related("game", "invited_by")
    )
