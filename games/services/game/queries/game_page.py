"""What the page of a started game shows of the game to one person, read once."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from games.engine import view
from games.models import Event, Game, Seat, User
from games.presentation.board.board import board
from games.presentation.board.turn_summary import result_text, sending_too
from games.presentation.charts.charts import Place, ranking
from games.presentation.rules.guide import GuideText, guide
from games.presentation.text.time_left import Until, clock_text, until
from games.services.game.extra_time import Hosting, read_hosting
from games.services.game.queries.game_view import Days, GameView, Sitter, played_by, read_game
from games.services.game.queries.log import LogLine, LogTurn, latest_turns, read_log
from games.services.game.queries.open_votes import OpenVotes, read_votes
from games.services.game.queries.own_notes import Notebook, read_notebook
from games.services.game.queries.own_orders import OwnOrders, read_orders
from games.services.game.replay import event_rows, state_at
from games.services.people.acquaintances import acquaintance_texts
from games.table_events import GameCancelled, GamePaused, VoteClosed, VoteOpened

MOST_RECAPPED = 8
"""How many lines of the log, the last ones, are shown again to those who were away."""


class ToMove(NamedTuple):
    """A player who is to move: what, until when, and what is played if nothing is done.

    It holds what everybody may know. `until` is None if there is no deadline.
    """

    name: str
    colour: str
    own: bool
    headline: str
    if_nothing_is_done: str
    until: Until | None


class Recap(NamedTuple):
    """What happened since the reader's last visit: its last lines, and how many came before."""

    lines: list[LogLine]
    more: int
    first_step: int


@dataclass(frozen=True)
class GamePage:
    """What the page of a game shows of the game itself.

    `to_move` are all who are to move, `others_to_move` those besides the reader. `until` is the
    reader's own deadline. `last_event` is the number of the last event shown; `recap` is None if
    nothing has happened since the last visit. `result` says who won, "" while the game goes on,
    and `ranking` everybody's money at the end. `sending_too` is the title of the sending that may
    be joined to a move. `hosting` is what the reader may do as the host. `why_still` is what a
    moderator said when they paused or cancelled the game, and `played_by` who plays for absent
    players.
    """

    position: GameView
    zone: str
    notebook: Notebook
    draft_at: str
    orders: OwnOrders
    can_order: bool
    to_move: list[ToMove]
    until: Until | None
    turns: list[LogTurn]
    last_event: int
    recap: Recap | None
    result: str
    ranking: list[Place]
    sending_too: str
    votes: OpenVotes
    hosting: Hosting | None
    why_still: str
    acquaintances: list[str]
    guide: GuideText | None
    played_by: str

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


def read_page(game: Game, user: User | None, zone: str, now: datetime) -> GamePage:
    """The page of a started game as `user` (None: nobody who sits there) may see it."""
    position = read_game(game, user)
    notebook = read_notebook(game, user if position.seat is not None else None)
    rows = event_rows(game)
    log = read_log(
        game,
        rows,
        position.reader._replace(zone=zone),
        notebook.last_event if notebook.visited else None,
    )
    voting = _is_voting(rows)
    return GamePage(
        position=_since_last_visit(position, rows, notebook.last_event),
        zone=zone,
        notebook=notebook,
        draft_at=clock_text(notebook.answer.at, zone) if notebook.answer is not None else "",
        orders=read_orders(position),
        can_order=_can_order(game, position.seat, now),
        to_move=_to_move(position, zone, now),
        until=until(position.deadline_at, zone, now) if position.deadline_at else None,
        turns=latest_turns(log),
        last_event=rows[-1].seq,
        recap=_recap(log, notebook.last_event),
        result=result_text(position.people, position.view),
        ranking=ranking(position.people, position.view),
        sending_too=sending_too(position.people),
        votes=read_votes(game, position.seats, position.people, user, voting=voting),
        hosting=read_hosting(game, position.seats, rows, user),
        why_still=_why_still(log, rows),
        acquaintances=acquaintance_texts(position.seats) if user is not None else [],
        guide=guide(position.people, position.view) if game.guided else None,
        played_by=played_by(game),
    )


def _can_order(game: Game, own: Seat | None, now: datetime) -> bool:
    """Whether the reader may leave standing orders."""
    if own is None or own.user is None or own.absent_since is not None:
        return False
    return game.is_in_play and not own.user.is_suspended(now)


def _why_still(log: list[LogTurn], rows: list[Event]) -> str:
    """The reason beside the last pause or the cancellation; "" where nobody gave one."""
    kinds = {GamePaused.__name__, GameCancelled.__name__}
    last = max((row.seq for row in rows if row.kind in kinds), default=0)
    return next((line.reason for turn in log for line in turn.lines if line.seq == last), "")


def _is_voting(rows: list[Event]) -> bool:
    """Whether the table votes on something: only then its votes are asked for."""
    kinds = [row.kind for row in rows]
    return kinds.count(VoteOpened.__name__) > kinds.count(VoteClosed.__name__)


def _since_last_visit(reading: GameView, rows: list[Event], last_seen: int) -> GameView:
    """The reading with what the reader saw at the last visit, and what is new on the board."""
    if not 0 < last_seen < rows[-1].seq:
        return reading._replace(last_seen=last_seen)
    before = view(state_at(rows, last_seen), reading.view.seat)
    return reading._replace(
        before=before,
        last_seen=last_seen,
        board=board(reading.people, reading.view, before, reading.away),
    )


def _to_move(reading: GameView, zone: str, now: datetime) -> list[ToMove]:
    return [
        ToMove(
            name=waiting.name,
            colour=reading.people.colour(asked.seat),
            own=asked.seat == reading.view.seat,
            headline=asked.headline,
            if_nothing_is_done=asked.if_nothing_is_done,
            until=until(waiting.deadline_at, zone, now) if waiting.deadline_at else None,
        )
        for asked, waiting in zip(reading.asked, reading.waiting, strict=True)
    ]


def _recap(log: list[LogTurn], last_seen: int) -> Recap | None:
    """The log comes with the latest turn first; a recap goes on from where the reader was."""
    if not last_seen:
        return None
    lines = [line for turn in reversed(log) for line in turn.lines if line.seq > last_seen]
    if not lines:
        return None
    return Recap(lines[-MOST_RECAPPED:], max(len(lines) - MOST_RECAPPED, 0), last_seen)
