"""Everything that the page of a started game shows to one person, read once."""

from datetime import datetime
from typing import NamedTuple

from games.engine import view
from games.models import Event, Game, User
from games.presentation.board.board import board
from games.presentation.board.turn_summary import result_told, sending_too
from games.presentation.charts.charts import Place, ranking
from games.presentation.text.time_left import Until, until
from games.services.game.extra_time import Hosting, read_hosting
from games.services.game.queries.game_view import GameReading, read_game
from games.services.game.queries.log import LogLine, LogTurn, read_log
from games.services.game.queries.own_notes import Notebook, read_notebook
from games.services.game.queries.own_orders import OrdersReading, read_orders
from games.services.game.replay import event_rows, state_at
from games.table_events import GameCancelled, GamePaused, VoteClosed, VoteOpened

MOST_RECAPPED = 8
"""How many lines of the log are told again to who was away; the last ones."""


class AskedNow(NamedTuple):
    """Somebody who is asked: what, until when, and what is played if nothing is done.

    It holds what everybody may know. `until` is None where nobody is waited for.
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


class PageReading(NamedTuple):
    """The page of a game.

    `may_order` says whether the reader may leave standing orders.

    `why_still` is what a moderator said when they paused or cancelled it.

    `asked` are all who are asked, `asked_too` those besides the reader. `until` is
    the reader's own. `last_event` is the number of the last event told,
    `recap` is None where nothing has happened since the last visit. `result` says who won, "" while
    the game goes on, and `ranking` everybody's money at the end; `sending_too` is the title of the
    sending that may be joined to an answer. `hosting` is what the reader may do as the host.
    """

    game: GameReading
    notebook: Notebook
    orders: OrdersReading
    may_order: bool
    asked: list[AskedNow]
    asked_too: list[AskedNow]
    until: Until | None
    log: list[LogTurn]
    last_event: int
    recap: Recap | None
    result: str
    ranking: list[Place]
    sending_too: str
    voting: bool
    hosting: Hosting | None
    why_still: str


def read_page(game: Game, user: User | None, zone: str, now: datetime) -> PageReading:
    """The page of a started game as `user` (None: nobody who sits there) may see it."""
    reading = read_game(game, user)
    notebook = read_notebook(game, user if reading.seat is not None else None)
    rows = event_rows(game)
    log = read_log(
        game,
        rows,
        reading.reader._replace(zone=zone),
        notebook.last_event if notebook.visited else None,
    )
    asked = _asked(reading, zone, now)
    return PageReading(
        game=_since_last_visit(reading, rows, notebook.last_event),
        notebook=notebook,
        orders=read_orders(reading),
        may_order=game.is_in_play and reading.seat is not None and not reading.seat.absent_since,
        asked=asked,
        asked_too=[one for one in asked if not one.own],
        until=until(reading.deadline_at, zone, now) if reading.deadline_at else None,
        log=log,
        last_event=rows[-1].seq,
        recap=_recap(log, notebook.last_event),
        result=result_told(reading.people, reading.view),
        ranking=ranking(reading.people, reading.view),
        sending_too=sending_too(reading.people),
        voting=_is_voting(rows),
        hosting=read_hosting(game, reading.seats, rows, user),
        why_still=_why_still(log, rows),
    )


def _why_still(log: list[LogTurn], rows: list[Event]) -> str:
    """The reason beside the last pause or the cancellation; "" where nobody gave one."""
    kinds = {GamePaused.__name__, GameCancelled.__name__}
    last = max((row.seq for row in rows if row.kind in kinds), default=0)
    return next((line.reason for turn in log for line in turn.lines if line.seq == last), "")


def _is_voting(rows: list[Event]) -> bool:
    """Whether the table votes on something: only then its votes are asked for."""
    kinds = [row.kind for row in rows]
    return kinds.count(VoteOpened.__name__) > kinds.count(VoteClosed.__name__)


def _since_last_visit(reading: GameReading, rows: list[Event], last_seen: int) -> GameReading:
    """The reading with what the reader saw at the last visit, and what is new on the board."""
    if not 0 < last_seen < rows[-1].seq:
        return reading._replace(last_seen=last_seen)
    before = view(state_at(rows, last_seen), reading.view.seat)
    return reading._replace(
        before=before,
        last_seen=last_seen,
        board=board(reading.people, reading.view, before, reading.away),
    )


def _asked(reading: GameReading, zone: str, now: datetime) -> list[AskedNow]:
    return [
        AskedNow(
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
