"""What the page of a started game shows of the game to one person, read once."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.models import Game, Seat, User
from games.presentation.board.board import Board, Fresh
from games.presentation.board.decision import owner_of
from games.presentation.board.turn_summary import result_in_short, result_text, sending_too
from games.presentation.ranking import Place, ranking
from games.presentation.text.time_left import Until, clock_text, until
from games.services.game import talk_time
from games.services.game.extra_time import Hosting, read_hosting
from games.services.game.private_offers import private_verdicts
from games.services.game.queries.breaches import Breaches, read_breaches
from games.services.game.queries.ending import Ending, read_ending
from games.services.game.queries.game_view import GameView, Sitter, Waiting, played_by, read_game
from games.services.game.queries.left_seat import left_seat_text
from games.services.game.queries.log import Log, LogLine, LogTurn, fresh_of
from games.services.game.queries.open_votes import OpenVotes, read_votes
from games.services.game.queries.own_notes import Notebook, read_notebook
from games.services.game.queries.own_orders import OwnOrders, read_orders
from games.services.game.queries.promises import Promises, read_promises
from games.services.game.queries.recap import Recap, read_recap
from games.services.game.read_seats import Days
from games.services.game.replay import EventRow, event_rows_for
from games.table_events import GameCancelled, GamePaused, VoteClosed, VoteOpened


class ToMove(NamedTuple):
    """A player who is to move: their decision, the deadline and the default move.

    It holds what everybody may know. `until` is None if there is no deadline. A computer player
    that `waits` for a reply, maybe the `readers`, has a headline that says so and no default move.
    """

    name: str
    colour: str
    own: bool
    headline: str
    if_nothing_is_done: str
    until: Until | None
    waits: bool = False
    readers: bool = False


class ReadyPlayer(NamedTuple):
    """A player whom the bribes of this turn concern, and whether they are ready."""

    name: str
    colour: str
    ready: bool


class TimeForTalk(NamedTuple):
    """The negotiation time as the page shows it; `own` is None if the bribes don't concern them."""

    until: Until
    players: list[ReadyPlayer]
    own: ReadyPlayer | None


@dataclass(frozen=True)
class GamePage:
    """The game itself, as its page shows it.

    `to_move` are all who are to move, `others_to_move` those besides the reader. `until` is the
    reader's own deadline. `last_event` is the number of the last event shown; `breaches` are those
    since the reader's last move, and `recap` is None if nothing else has happened since the last
    visit. `result` says who won, and `own_rank` how a reader
    who lost finished, both "" while the game goes on; `ranking` is everybody's money at the end,
    and `ending` how it came to that. `sending_too` is the title of the sending that may be joined
    to a move. `hosting` is what the reader may do as the host. `why_still` is a moderator's reason
    for a pause or a cancellation, and `played_by` who plays for absent players. `left_seat` tells a
    reader who left the table who has their seat; "" for all others.
    """

    position: GameView
    board: Board
    zone: str
    notebook: Notebook
    draft_at: str
    orders: OwnOrders
    can_order: bool
    to_move: list[ToMove]
    until: Until | None
    turns: list[LogTurn[LogLine]]
    last_event: int
    breaches: Breaches
    recap: Recap | None
    result: str
    own_rank: str
    ranking: list[Place]
    ending: Ending | None
    sending_too: str
    votes: OpenVotes
    hosting: Hosting | None
    why_still: str
    acquaintances: list[str]
    played_by: str
    promises: Promises
    negotiation_time: TimeForTalk | None
    left_seat: str

    @property
    def own_seat(self) -> Seat | None:
        return self.position.seat

    @property
    def seats(self) -> list[Sitter]:
        return self.position.sitters

    @property
    def own_days_off(self) -> list[Days]:
        return [days for seat in self.seats if seat.own for days in seat.days_off]

    @property
    def others_to_move(self) -> list[ToMove]:
        return [one for one in self.to_move if not one.own]


def read_page(
    game: Game, user: User | None, zone: str, now: datetime, notebook: Notebook | None = None
) -> GamePage:
    """The page of a started game as `user` (None: nobody who sits there) may see it.

    A caller that has read the reader's `notebook` already gives it and spares a query.
    """
    position = read_game(game, user)
    if notebook is None or position.seat is None:
        notebook = read_notebook(game, None if position.seat is None else user)
    since = notebook.last_event if notebook.visited else None
    rows, own_since = event_rows_for(game, position.seat, since)
    position.holders.know_changes(rows)
    private = private_verdicts(position.private, rows)
    log = Log(game, rows, position.reader._replace(zone=zone), since, private)
    breaches = read_breaches(log, own_since)
    recap = read_recap(log, game, position.seat, notebook.last_event, breaches.entries)
    return GamePage(
        position=position,
        board=_board(position, rows, notebook.last_event, breaches),
        zone=zone,
        notebook=notebook,
        draft_at=clock_text(notebook.move.at, zone) if notebook.move is not None else "",
        orders=read_orders(position),
        can_order=_can_order(game, position.seat, now),
        to_move=_to_move(position, zone, now),
        until=_until(game, position.deadline_at, zone, now),
        turns=log.latest(),
        last_event=rows[-1].seq,
        breaches=breaches,
        recap=recap,
        result=result_text(position.people, position.view),
        own_rank=_own_rank(position),
        ranking=ranking(position.people, position.view),
        ending=read_ending(position, rows[-1].seq),
        sending_too=sending_too(position.people),
        votes=read_votes(game, position.seats, position.people, user, voting=_is_voting(rows)),
        hosting=read_hosting(game, position.seats, rows, user),
        why_still=_why_still(log),
        acquaintances=position.acquaintances,
        played_by=played_by(game),
        promises=read_promises(position, suggests=True),
        negotiation_time=_negotiation_time(position, zone, now),
        left_seat=left_seat_text(position, user),
    )


def _negotiation_time(position: GameView, zone: str, now: datetime) -> TimeForTalk | None:
    game, people = position.game, position.people
    if game.talk_until is None:
        return None
    seats = {seat.drawn_number: seat for seat in position.seats}
    players = {
        one.seat.drawn_number: ReadyPlayer(
            people.name(one.seat.drawn_number), one.seat.colour, one.ready
        )
        for one in talk_time.concerned(position.view, seats, game)
    }
    own = None if position.view.seat is None else players.get(position.view.seat)
    return TimeForTalk(until(game.talk_until, zone, now), list(players.values()), own)


def _can_order(game: Game, own: Seat | None, now: datetime) -> bool:
    """Whether the reader may set standing orders."""
    if own is None or own.user is None or own.absent_since is not None or not game.has_deadlines:
        return False
    return game.is_in_play and not own.user.is_suspended(now)


def _own_rank(position: GameView) -> str:
    winners = position.view.winners
    lost = winners and position.view.seat not in winners
    return result_in_short(position.view) if lost else ""


def _why_still(log: Log) -> str:
    """The reason beside the last pause or the cancellation; "" where nobody gave one."""
    kinds = {GamePaused.__name__, GameCancelled.__name__}
    last = max((row.seq for row in log.rows if row.kind in kinds), default=0)
    return log.reasons.get(last, "")


def _is_voting(rows: list[EventRow]) -> bool:
    """Whether the table votes on something: only then its votes are read."""
    kinds = [row.kind for row in rows]
    return kinds.count(VoteOpened.__name__) > kinds.count(VoteClosed.__name__)


def _board(position: GameView, rows: list[EventRow], last_seen: int, breaches: Breaches) -> Board:
    """The board with what is new on it since the reader's last visit, and who betrayed them."""
    rows = [row for row in rows if last_seen and row.seq > last_seen]
    fresh = fresh_of(rows, position.view.seat) if rows else Fresh()
    return position.board_since(fresh._replace(broke=breaches.traitors))


def _until(game: Game, at: datetime | None, zone: str, now: datetime) -> Until | None:
    return until(at, zone, now) if at is not None and game.has_deadlines else None


def _to_move(reading: GameView, zone: str, now: datetime) -> list[ToMove]:
    return [
        _waits_for_reply(reading, decision.seat, waiting, zone, now)
        if waiting.for_reply
        else ToMove(
            name=waiting.name,
            colour=reading.people.colour(decision.seat),
            own=decision.seat == reading.view.seat,
            headline=decision.headline,
            if_nothing_is_done=decision.if_nothing_is_done,
            until=_until(reading.game, waiting.deadline_at, zone, now),
        )
        for decision, waiting in zip(reading.seats_to_move, reading.waiting, strict=True)
    ]


def _waits_for_reply(
    reading: GameView, seat: int, waiting: Waiting, zone: str, now: datetime
) -> ToMove:
    """A computer player that waits for the owner of the palace to reply."""
    owner, people = owner_of(reading.view), reading.people
    readers = owner == reading.view.seat
    text = (
        _("{name} is waiting for your reply.")
        if readers
        else _("{name} is waiting for {other}'s reply.")
    )
    return ToMove(
        name=waiting.name,
        colour=people.colour(seat),
        own=False,
        headline=text.format(name=waiting.name, other=people.name(owner)),
        if_nothing_is_done="",
        until=_until(reading.game, waiting.deadline_at, zone, now),
        waits=True,
        readers=readers,
    )
