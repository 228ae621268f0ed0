"""The log of a game as one person may read it, from rows that were loaded once for the page."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from games.engine import Event as EngineEvent
from games.engine import view_event
from games.engine.events import (
    StageOpened,
)
from games.models import Cause, Game, Thread
from games.presentation.board.board import Fresh, fresh_in
from games.presentation.log.story import HEADINGS, SILENT_STAGES, decisive, event_text
from games.presentation.text.time_left import clock_text
from games.presentation.text.words import (
    People,
    day_and_hour,
    moment,
    on_clock,
    to_the_minute,
)
from games.services.game.holders import Holders
from games.services.game.private_offers import LedgerRow
from games.services.game.queries.causes import BY_A_PERSON, cause_of, cause_with_heir, seat_of_line
from games.services.game.queries.log_asides import Place, asides_text, computers_of, place_of
from games.services.game.queries.verdicts import Outcome, Verdicts, with_private
from games.services.game.replay import StoredEvent, mover_of, rule_event, surviving
from games.services.people.display_names import is_read_by_stranger
from games.table_events import (
    FOLLOW_UPS,
    NAME_CHANGES,
    OfferMade,
    PromiseJudged,
    TableEvent,
    decode_table_event,
    is_table_event,
)


class Reader(NamedTuple):
    """The reader of a log: their seat (None: a spectator), and the people of the game.

    `holders` know who sat there when; `zone` is that of the reader's clock.
    """

    seat: int | None
    people: People
    holders: Holders
    zone: str = "UTC"


class Offered(NamedTuple):
    """Where the log has the terms of an offer: the number of the event, and its time in short."""

    seq: int
    clock: str


class LogLine(NamedTuple):
    """One line of the log. `colour` is the seat it is about, empty where it is about all.

    `cause` is empty where the player did it, or it follows by the rules; `when` is to the minute on
    the reader's clock, and `iso` the same for machines; `clock` is day and time in short, empty
    where they are those of the line above. `fresh` is what happened since the reader's last visit.
    `reason` is what a moderator wrote about it; what a rewind took back is `abandoned`.
    A heading begins a part of the log, such as a turn. `decisive` says why a moment is one to
    remember: "betrayal"; "" for most. `names` are those in it. A line about an offer that the log
    has above says where it was `offered`, without its terms. A line that opens has the lines
    behind it as `folded`. A line that `is_private` is about a private promise: only those who know
    that promise have it, and `seq` is the event behind which it stands. `seal` names what marks a
    promise that was broken, or kept at a cost. `breach` says what the reader was promised, and what
    happened instead.
    """

    seq: int
    text: str
    cause: str
    iso: str
    when: str
    clock: str
    colour: str
    fresh: bool
    reason: str = ""
    abandoned: bool = False
    is_heading: bool = False
    decisive: str = ""
    names: Sequence[str] = ()
    offered: Offered | None = None
    folded: Sequence["LogLine"] = ()
    is_private: bool = False
    seal: str = ""
    breach: str = ""


class Moment(NamedTuple):
    """A minute as log lines show it."""

    iso: str
    when: str
    clock: str


class LogTurn[Line](NamedTuple):
    """The lines of one turn. `opening` says whose it is, None before the first turn."""

    opening: Line | None
    lines: list[Line]

    @property
    def all_lines(self) -> list[Line]:
        """The opening and the lines."""
        return self.lines if self.opening is None else [self.opening, *self.lines]


MOST_LINES: Final = 30
"""How many lines of the log the page of a game shows at most, however long the game is."""

LEAST_LINES: Final = 10
"""How many it shows at least, whatever the reader has seen already."""

WHOLE_TURNS: Final = 2
"""The present turn and the last full one stand there in full."""


class Entry(NamedTuple):
    """An event with a line in the log that isn't in words yet, and the people as they were then.

    `offer` is the one that the event is about, if the log has it. An `aside` was said among
    computer players; `folded` are all those for which this one stands. `outcome` is a verdict with
    its story, None for all other events; `thread` has the promise if it's a private one.
    """

    row: StoredEvent
    people: People
    fresh: bool
    offer: StoredEvent | None = None
    aside: bool = False
    outcome: Outcome | None = None
    thread: Thread | None = None
    folded: Sequence["Entry"] = ()


class Log:
    """The log of a game as one person may read it, in words only as far as it is read.

    `rows` are events by number: all of them, or the latest and all `LASTING_EVENTS`. Players are
    called by the names of those who sat there then. That a standing order did it is shown when
    the game is over, never which one. `last_seen` is the last event of the reader's last visit,
    None if nothing counts as new. `private` are the verdicts that the reader may know besides.
    """

    def __init__(
        self,
        game: Game,
        rows: Sequence[StoredEvent],
        reader: Reader,
        last_seen: int | None = None,
        private: Sequence[LedgerRow] = (),
    ) -> None:
        self.reader = reader
        self.rows = rows
        self.lines = with_private(rows, private)
        self.outcomes = dict(Verdicts(game, reader.people, [line.row for line in self.lines]))
        self.ordered = _played_by_order(game)
        self.reasons = reasons_of(game, rows)
        self.counting = {row.seq for row in surviving(rows)}
        self.moments: dict[datetime, Moment] = {}
        self.stages: dict[int, StageOpened] = {}  # by the number of the event: read once
        self.turns = self._turns(last_seen)

    def all(self) -> list[LogTurn[LogLine]]:
        """The whole log: the latest turn first, each from its beginning."""
        return [self._in_words(turn) for turn in self.turns]

    def folded(self) -> list[LogTurn[LogLine]]:
        """The whole log, in which the asides of a turn are one line."""
        return [self._in_words(_folded(turn)) for turn in self.turns]

    def numbers(self) -> list[int]:
        """The numbers of the events that have a line, in order."""
        return [
            entry.row.seq
            for turn in reversed(self.turns)
            for entry in turn.all_lines
            if entry.thread is None
        ]

    def openings(self) -> list[LogLine | None]:
        """The openings of all turns, the latest first."""
        return [turn.opening and self.line(turn.opening) for turn in self.turns]

    def turn_of(self, seq: int) -> LogTurn[LogLine]:
        """The turn in which the event with this number has its line."""
        of_it = (t for t in self.turns if any(entry.row.seq == seq for entry in t.all_lines))
        return self._in_words(next(of_it))

    def latest(self) -> list[LogTurn[LogLine]]:
        """The part of it that the page of the game shows; the asides of a turn are one line."""
        whole = self.rows[0].seq == 1 or len(self.turns) == 1
        turns = self.turns if whole else self.turns[:-1]  # the first one may lack its beginning
        return [self._in_words(turn) for turn in latest_turns([_folded(turn) for turn in turns])]

    def line(self, entry: Entry, above: LogLine | None = None, *, refers: bool = True) -> LogLine:
        """An event in words; `above` is the line right before it, if there is one.

        If it `refers`, it gives no terms of an offer that the log has.
        """
        if entry.folded:
            return self._line_that_opens(entry, above)
        row, people, offer = entry.row, entry.people, entry.offer
        outcome, thread = entry.outcome, entry.thread
        offered = self._offered(offer, row) if refers and offer is not None else None
        event = self._event(entry)
        seat = seat_of_line(event)
        iso, when, clock = self._moment(row.at)
        return LogLine(
            seq=row.seq,
            text=event_text(people, event, refers=offered is not None),
            cause=self._cause(entry, event),
            iso=iso,
            when=when,
            clock="" if above is not None and above.iso == iso else clock,
            colour="" if seat is None else people.colour(seat),
            fresh=entry.fresh,
            reason=self.reasons.get(row.seq, ""),
            abandoned=row.seq not in self.counting,
            is_heading=row.kind in HEADINGS,
            decisive=decisive(people, event) if outcome is None else outcome.mark,
            names=self._names(event, people),
            offered=offered,
            is_private=thread is not None,
            seal="" if outcome is None else outcome.seal,
            breach=self._breach(entry),
        )

    def _names(self, event: EngineEvent | TableEvent, people: People) -> Sequence[str]:
        if not isinstance(event, PromiseJudged):
            return people.names
        return [*people.names, *self.reader.holders.everybody]  # it may name whose promise it was

    def _line_that_opens(self, entry: Entry, above: LogLine | None) -> LogLine:
        one = self.line(entry._replace(folded=()), above)
        text = asides_text(entry.people, [aside.row for aside in entry.folded])
        inner = [before := one]
        inner += [before := self.line(aside, before) for aside in entry.folded[1:]]
        return one._replace(text=text, cause="", colour="", folded=inner)

    def _breach(self, entry: Entry) -> str:
        """What the reader was promised, and what happened instead; "" for all else."""
        row, outcome, thread = entry.row, entry.outcome, entry.thread
        if outcome is None or not outcome.is_breach_to(entry.people.reader):
            return ""
        given = self.reader.holders.names_given(outcome.event, row.seq, thread)
        return outcome.breach(entry.people, given)

    def _offered(self, offer: StoredEvent, row: StoredEvent) -> Offered:
        """Where the line of `row` finds the offer: by its time, with the day if it's another."""
        then, now = (on_clock(one.at, self.reader.zone).date() for one in (offer, row))
        _iso, _when, clock = self._moment(offer.at)
        return Offered(offer.seq, clock_text(offer.at, self.reader.zone) if then == now else clock)

    def _event(self, entry: Entry) -> EngineEvent | TableEvent:
        """The event of an entry as its reader may read it."""
        if entry.outcome is not None:
            return entry.outcome.event
        return self.stages.get(entry.row.seq) or read_event(entry.row, self.reader.seat)

    def _cause(self, entry: Entry, event: EngineEvent | TableEvent) -> str:
        row, people = entry.row, entry.people
        by_hand = row.cause in BY_A_PERSON
        if by_hand and self.ordered and (row.phase_no, mover_of(event)) in self.ordered:
            return _("by a standing order")
        if isinstance(event, PromiseJudged):
            heir = self.reader.holders.heir_judged(people, event, row.seq, entry.thread)
            why = "" if entry.outcome is None else entry.outcome.why(people)
            return cause_with_heir(heir, cause_of(people, event, row.cause), row.cause, why)
        return cause_of(people, event, row.cause)

    def _moment(self, at: datetime) -> Moment:
        minute, zone = to_the_minute(at), self.reader.zone
        if minute not in self.moments:
            self.moments[minute] = Moment(
                minute.isoformat(), moment(minute, zone), day_and_hour(minute, zone)
            )
        return self.moments[minute]

    def _turns(self, last_seen: int | None) -> list[LogTurn[Entry]]:
        people = people_then(self.rows, self.reader, 0)
        computers = computers_of(people)
        turns: list[LogTurn[Entry]] = [LogTurn(None, [])]
        offers: dict[int, StoredEvent] = {}  # by their numbers; after a rewind, the later one
        for place, (row, thread) in enumerate(self.lines):
            opened = read_event(row, None) if row.kind == StageOpened.__name__ else None
            if isinstance(opened, StageOpened):
                self.stages[row.seq] = opened
                people = people._replace(among=opened.contenders)
                if opened.stage in SILENT_STAGES:
                    continue
            elif row.kind in NAME_CHANGES:
                then = people_then(self.rows, self.reader, row.seq)
                people = then._replace(among=people.among)
                computers = computers_of(people)
            where = place_of(row, people, computers) if thread is None else Place.LINE
            if where is Place.NOWHERE:
                continue
            fresh = last_seen is not None and row.seq > last_seen
            is_public = thread is None  # a private verdict has a number of another ledger
            follows = is_public and row.kind in FOLLOW_UPS
            offer = offers.get(row.payload["number"]) if follows else None
            outcome = self.outcomes.get(place)
            entry = Entry(row, people, fresh, offer, where is Place.FOLD, outcome, thread)
            if row.kind == OfferMade.__name__:
                offers[row.payload["number"]] = row
            if row.kind in HEADINGS:
                turns.append(LogTurn(entry, []))
            else:
                turns[-1].lines.append(entry)
        return turns[::-1]

    def _in_words(self, turn: LogTurn[Entry]) -> LogTurn[LogLine]:
        opening = above = None if turn.opening is None else self.line(turn.opening)
        return LogTurn(opening, [above := self.line(entry, above) for entry in turn.lines])


def _folded(turn: LogTurn[Entry]) -> LogTurn[Entry]:
    """The turn with one line for all its asides, where the first of them stands."""
    asides = [entry for entry in turn.lines if entry.aside]
    lines = [
        entry._replace(folded=asides, fresh=False) if entry.aside else entry
        for entry in turn.lines
        if not entry.aside or entry is asides[0]
    ]
    return turn._replace(lines=lines)


def read_log(game: Game, rows: Sequence[StoredEvent], reader: Reader) -> list[LogTurn[LogLine]]:
    """The whole log; `rows` are all events by number."""
    return Log(game, rows, reader).all()


def latest_turns[L: (LogLine, Entry)](
    log: Sequence[LogTurn[L]], most: int = MOST_LINES
) -> list[LogTurn[L]]:
    """The present turn, the last full one, and of earlier ones what is fresh.

    At least the `LEAST_LINES` latest lines, and at most the `most` latest.
    """
    shown: list[LogTurn[L]] = []
    text = 0
    for place, turn in enumerate(log):
        if place >= WHOLE_TURNS and text >= most:
            break
        fresh = sum(line.fresh for line in turn.lines)
        wanted = len(turn.lines) if place < WHOLE_TURNS else max(fresh, LEAST_LINES - text)
        lines = turn.lines[-wanted:][-(most - text) :] if wanted and text < most else []
        text += len(lines)
        if lines or not shown:
            shown.append(turn._replace(lines=lines))
    return shown


def fresh_of(rows: Iterable[StoredEvent], seat: int | None) -> Fresh:
    """What these events changed on the board, as this seat (None: a spectator) may read them."""
    return fresh_in(read_event(row, seat) for row in surviving(rows))


def people_then(rows: Sequence[StoredEvent], reader: Reader, seq: int) -> People:
    """The people by the names of those who sat there after the event with the number `seq`.

    A player who sat down after the reader's names were read is called by the last known name.
    """
    names = reader.holders.names_after(row for row in rows if row.seq <= seq)
    return reader.people.then(names)._replace(zone=reader.zone)


def _played_by_order(game: Game) -> set[tuple[int, int | None]]:
    """The phases and seats in which a standing order played; none while the game is going on."""
    if game.status != Game.Status.FINISHED:
        return set()
    return set(game.moves.filter(by_order=True).values_list("phase_no", "seat__number"))


def reasons_of(game: Game, rows: Sequence[StoredEvent]) -> dict[int, str]:
    """What moderators wrote about events, by number; read only where they did something.

    It may name somebody: strangers don't read it.
    """
    if is_read_by_stranger() or not any(row.cause == Cause.MODERATOR for row in rows):
        return {}
    return dict(game.reasons.values_list("seq", "text"))


def read_event(row: StoredEvent, seat: int | None) -> EngineEvent | TableEvent:
    """A stored event as this seat (None: a spectator) may read it."""
    if is_table_event(row.kind):
        return decode_table_event({"kind": row.kind, **row.payload})
    return view_event(rule_event(row), seat)
