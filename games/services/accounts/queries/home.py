"""A person's home page: their games, by what is needed from them and the nearest deadline."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.mailboxes import spellings
from games.models import Acquaintance, Game, Invitation, Seat, Sitting, User
from games.presentation.board.small_board import SmallBoard, small_board
from games.presentation.board.turn_summary import decision_in_short, result_in_short
from games.presentation.log.story import event_text
from games.presentation.text.time_left import Until, until
from games.presentation.text.words import People, listed
from games.services.accounts.queries.own_breaches import breaches_to
from games.services.accounts.queries.own_games import (
    OwnGame,
    ledgers_of,
    offers_to,
    over_games,
    own_games,
)
from games.services.chat.queries import unread_counts
from games.services.game.queries.log import read_event
from games.services.game.queries.open_votes import games_that_vote
from games.services.game.unreadable import UNREADABLE, view_of
from games.services.lobby.changed_settings import changes_for
from games.services.people.acquaintances import requests_to
from games.services.people.blocks import not_for
from games.services.people.display_names import Seated, inviter_name, seat_names, seated

MOST_FINISHED = 20
MOST_REQUESTS = 10


class OwnTable(NamedTuple):
    """A line of one's home page.

    `text` says in a few words what is to be decided, who is to move, or how it ended; `until`
    is the deadline of the reader, or else of those to move, None where there is none. `unread`
    is how much was written there that the reader has not seen, and `offers` how many offers
    wait for their reply; `votes` whether the table has a vote open in which they haven't voted
    yet. `changes` say what the host has changed in the settings, to which they haven't agreed yet.
    `breaches` say who broke a promise to the reader since their last move. `last` is the last
    thing that somebody did there, and `names` are those of all who play; they and the `board` are
    only shown of running games, the `seated` only of others.
    """

    game: Game
    text: str
    until: Until | None
    seated: Sequence[Seated] = ()
    unread: int = 0
    votes: bool = False
    offers: int = 0
    board: SmallBoard | None = None
    breaches: Sequence[str] = ()
    last: str = ""
    names: Sequence[str] = ()
    changes: Sequence[str] = ()


class OpenInvitation(NamedTuple):
    """An invitation to the reader's own address, and its sender ("" if they have left)."""

    invitation: Invitation
    inviter: str


class HomePage(NamedTuple):
    """One's home page: what is needed from the reader first, by the nearest deadline."""

    to_move: list[OwnTable]
    to_talk: list[OwnTable]
    to_agree: list[OwnTable]
    invitations: list[OpenInvitation]
    waiting: list[OwnTable]
    running: list[OwnTable]
    finished: list[OwnTable]
    finished_count: int
    acquaintance_requests: list[Acquaintance]

    @property
    def is_empty(self) -> bool:
        """Whether there is no table at all to show."""
        tables = self.to_move, self.to_talk, self.to_agree, self.invitations, self.waiting
        return not any((*tables, self.running, self.finished))


class _Lines:
    """Makes the lines of one reader's games that wait or are being played."""

    def __init__(self, user: User, now: datetime, tables: Sequence[OwnGame]) -> None:
        self.user = user
        self.now = now
        self.unread = unread_counts(user)
        self.voting = games_that_vote(user, {table.own.game_id: table.seats for table in tables})
        ledgers = ledgers_of(tables)
        self.offers = offers_to(ledgers)
        self.breaches = breaches_to(user, ledgers)

    def waiting(self, table: OwnGame) -> OwnTable:
        """The line of a table that waits for players."""
        game = table.own.game
        sitting = sorted(table.seats, key=lambda seat: seat.pk)
        return OwnTable(
            game,
            "",
            None,
            seated=seated(game, sitting),
            unread=self.unread.get(game.pk, 0),
            changes=changes_for(table.own, game),
        )

    def line(self, table: OwnGame) -> OwnTable:
        game = table.own.game
        line = OwnTable(
            game=game,
            text=_stopped_text(),
            until=None,
            unread=self.unread.get(game.pk, 0),
            votes=game.pk in self.voting,
            offers=self.offers[game.pk],
        )
        if table.seen is None:
            return line
        people = People(
            table.seen.table,
            seat_names(table.seats),
            zone=self.user.time_zone,
            reader=table.seen.seat,
            has_deadlines=game.has_deadlines,
        )
        line = line._replace(
            board=small_board(people, table.seen),
            breaches=self.breaches.get(game.pk, ()),
            last=_last_action(table, people),
            names=table.holders.everybody,
        )
        if table.is_to_move:
            text = decision_in_short(people, table.seen)
            return line._replace(text=text, until=self._until(table.own.deadline_at))
        if game.parked_at is not None:
            return line
        to_move = [table.seats[number] for number in table.seen.to_move]
        times = [*(seat.deadline_at for seat in to_move), game.talk_until]
        first = min((time for time in times if time is not None), default=None)
        return line._replace(text=_waits_for(game, to_move), until=self._until(first))

    def _until(self, at: datetime | None) -> Until | None:
        return None if at is None else until(at, self.user.time_zone, self.now)


def read_home(user: User, now: datetime) -> HomePage:
    """A person's own tables and their invitations.

    As many queries for many games as for one.
    """
    own, over = own_games(user), over_games(user)
    waiting = [table for table in own if table.own.game.status == Game.Status.WAITING]
    tables = [table for table in own if table.own.game.status == Game.Status.RUNNING]
    lines = _Lines(user, now, tables)
    others = [table for table in tables if not table.is_to_move]
    newest = sorted(waiting, key=lambda one: one.own.game.created_at, reverse=True)
    wait = [lines.waiting(table) for table in newest]
    return HomePage(
        to_move=[lines.line(table) for table in tables if table.is_to_move],
        to_talk=[lines.line(table) for table in others if table.is_to_talk],
        to_agree=[line for line in wait if line.changes],
        invitations=[OpenInvitation(one, inviter_name(one)) for one in _open_invitations(user)],
        waiting=[line for line in wait if not line.changes],
        running=[lines.line(table) for table in others if not table.is_to_talk],
        finished=[
            OwnTable(
                one.seat.game, _result(one), None, unread=lines.unread.get(one.seat.game_id, 0)
            )
            for one in over[:MOST_FINISHED]
        ],
        finished_count=over.count(),
        acquaintance_requests=list(requests_to(user)[:MOST_REQUESTS]),
    )


def _last_action(table: OwnGame, people: People) -> str:
    """What happened last, as the reader may read it; "" if nothing did, or it can't be read.

    With the names of those who sat there then.
    """
    event = table.last
    if event is None:
        return ""
    people = people.then(table.holders.after(event.seq))
    try:
        return event_text(people, read_event(event, table.own.number))
    except UNREADABLE:
        return ""


def _stopped_text() -> str:
    return _("stopped by an error; the moderators know about it")


def _waits_for(game: Game, to_move: Iterable[Seat]) -> str:
    if game.dormant_since is not None:
        return _("dormant: nobody is left at the table")
    if game.paused_at is not None:
        return _("paused")
    if game.is_negotiation_time:
        return _("negotiation time")
    names = seat_names(list(to_move))
    return (
        _("to move: {names}").format(names=listed(names)) if names else _("continues automatically")
    )


def _result(sitting: Sitting) -> str:
    game = sitting.seat.game
    if sitting.ended_at is not None:
        return _("you left before the end")
    if game.status == Game.Status.CANCELLED:
        return _("cancelled, without a winner")
    if game.status == Game.Status.ABANDONED:
        return _("abandoned, so it doesn't count for anyone")
    seen = view_of(game, sitting.seat.number)
    return _stopped_text() if seen is None else result_in_short(seen)


def _open_invitations(user: User) -> QuerySet[Invitation]:
    """Invitations to one's own address that can still be accepted.

    None to a table of somebody with whom they do not play: nobody learns who has blocked whom.
    """
    return (
        Invitation.objects.filter(
            email__in=spellings(user.email),
            status=Invitation.Status.OPEN,
            game__status=Game.Status.WAITING,
        )
        .exclude(game__in=Seat.objects.filter(user=user).values("game"))
        .exclude(game__in=not_for(user))
        .select_related("game", "invited_by")
    )
