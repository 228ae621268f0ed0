"""What computer players say to each other is one line of the log for each turn, which opens."""

from datetime import timedelta
from random import Random

import pytest

from games.engine import COLOURS, State, apply, encode_event, step, to_move
from games.engine.binding import view_within
from games.engine.computer_players import COMPUTER_PLAYERS
from games.engine.events import StageOpened
from games.engine.ledger import Ledger, Status, follow
from games.engine.negotiated_games import MOST_EXCHANGES, ledger_after
from games.engine.negotiator import ReplyToOffer, character_of, play_negotiator, say
from games.engine.rules import Step, new_game
from games.engine.state import Stage
from games.models import Cause, Game
from games.presentation.text.words import People, computer_seat
from games.services.game.offers import made, replied, settled
from games.services.game.queries.log import Log, LogLine, Reader
from games.services.game.replay import EventRow
from games.table_events import OfferMade, OfferReplied, TableEvent, encode_table_event
from tests.support.tables import MONDAY

PERSON = 0


class Table:
    """A game of somebody like a person against three negotiators, as the events of its log."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.negotiators = {seat: character_of(seed, seat) for seat in (1, 2, 3)}
        self.rows: list[EventRow] = []
        self.ledger: Ledger = ()
        begun: Step = new_game("mayfair-2005", {}, COLOURS[:4], COLOURS[seed % 4])
        self.state: State = begun.state
        for event in begun.events:
            self.record(encode_event(event), Cause.RULES)

    def record(self, fields: dict, cause: Cause) -> None:
        kind = fields.pop("kind")
        seq = len(self.rows) + 1
        at = MONDAY + timedelta(minutes=seq)
        self.rows.append(EventRow(seq, 1, kind, fields, cause, at))

    def record_offers(self, outcomes: list[TableEvent], cause: Cause) -> None:
        for outcome in outcomes:
            self.record(encode_table_event(outcome), cause)

    def take(self, seat: int, what, cause: Cause) -> None:
        table, before = self.state.table, self.ledger
        self.ledger = ledger_after(before, self.state, seat, what)
        if len(self.ledger) > len(before):
            self.record_offers([made(table, self.ledger[-1], "")], cause)
        elif isinstance(what, ReplyToOffer) and self.ledger != before:
            entry = self.ledger[what.number - 1]
            self.record_offers([replied(table, entry, seat, "")], cause)

    def negotiate(self) -> None:
        for _ in range(MOST_EXCHANGES):
            before = self.ledger
            for seat, character in self.negotiators.items():
                seen = view_within(self.ledger, self.state, seat)
                for what in say(seen, self.ledger, character, range(4)):
                    self.take(seat, what, Cause.COMPUTER)
            for entry in self.ledger:
                if entry.status is Status.OPEN and entry.other == PERSON:
                    given = self.chance.choice((Status.ACCEPTED, Status.DECLINED))
                    self.take(PERSON, ReplyToOffer(entry.id, given), Cause.PLAYER)
            if self.ledger == before:
                return

    def move(self) -> None:
        seat = to_move(self.state)[0]
        seen, luck = view_within(self.ledger, self.state, seat), self.chance.getrandbits(32)
        if seat == PERSON:
            move = COMPUTER_PLAYERS["courtier"](seen, luck)
        else:
            move = play_negotiator(seen, self.ledger, self.negotiators[seat], luck)
        happened = step(self.state, seat, move)
        cause, state = Cause.PLAYER if seat == PERSON else Cause.COMPUTER, self.state
        for event in happened.events:
            self.record(encode_event(event), cause)
            after = follow(self.ledger, state, [event])
            for old, new in zip(self.ledger, after, strict=True):
                self.record_offers(list(settled(state.table, old, new)), Cause.RULES)
            self.ledger = after
            state = apply(state, event)
        self.state = happened.state

    def play(self) -> Log:
        while self.state.stage is not Stage.OVER:
            self.negotiate()
            self.move()
        names = ["Anna", *(computer_seat(colour) for colour in COLOURS[1:4])]
        people = People(self.state.table, names)
        return Log(Game(), self.rows, Reader(PERSON, people, [[name] for name in names]))


def concerns(line: LogLine, log: Log) -> bool:
    """Whether a line is about no offer or reply, or about one of the person's."""
    if line.folded:
        return False
    row = log.rows[line.seq - 1]
    return row.kind not in (OfferMade.__name__, OfferReplied.__name__) or "Anna" in line.text


def lines_of(log: Log) -> list[LogLine]:
    return [line for turn in log.folded() for line in turn.all_lines]


@pytest.mark.parametrize("seed", [1, 2])
def test_they_are_at_most_a_tenth_of_the_lines(seed):
    log = Table(seed).play()
    lines = lines_of(log)
    others = [line for line in lines if not concerns(line, log)]
    assert others
    assert len(others) <= len(lines) / 10
    assert all(line.folded for line in others)


def test_each_turn_has_one_line_that_opens_with_all_that_was_said():
    log = Table(1).play()
    for whole, folded in zip(log.all(), log.folded(), strict=True):
        opening = [line for line in folded.lines if line.folded]
        assert len(opening) <= 1
        shown = [one for line in folded.lines for one in line.folded or [line]]
        assert sorted(one.seq for one in shown) == [line.seq for line in whole.lines]
        for line in opening:
            deals = sum(" accepts " in one.text for one in line.folded)
            assert ("no deal" in line.text) == (not deals)
            assert not deals or f"made {deals} deal" in line.text


def test_what_came_to_nothing_among_them_is_in_the_ledger_alone():
    table = Table(1)
    log = table.play()
    texts = [(line.seq, line.text) for turn in log.all() for line in turn.lines]
    for seq, text in texts:
        row = log.rows[seq - 1]
        nothing = row.kind == "OfferLapsed" or row.payload.get("verdict") == "void"
        assert not nothing or "Anna" in text
    shown = {seq for seq, _text in texts}
    left_out = [row.kind for row in log.rows if row.seq not in shown]
    assert {"PromiseJudged", StageOpened.__name__} <= set(left_out)


def test_a_promise_that_one_breaks_is_a_line_of_its_own():
    found = 0
    for seed in range(3):
        log = Table(seed).play()
        broken = {
            row.seq
            for row in log.rows
            if row.kind == "PromiseJudged" and row.payload["verdict"] == "broken"
        }
        assert broken <= {line.seq for line in lines_of(log) if not line.folded}
        found += len(broken)
    assert found
