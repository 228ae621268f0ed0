"""What computer players say to each other is one line of the log for each turn, which opens."""

import pytest

from games.engine.events import StageOpened
from games.engine.ledger import Status
from games.models import Cause, Game
from games.services.game.queries.history import read_folded_turns, read_turns
from games.services.game.queries.log import LogLine
from games.services.game.replay import event_rows
from games.table_events import OfferLapsed, OfferMade, OfferReplied, PromiseJudged
from tests.support.against_computers import whole_game

pytestmark = pytest.mark.django_db

SAID = {OfferMade.__name__, OfferReplied.__name__}


@pytest.mark.long(after=2)
@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.full) for seed in (2, 3, 4))]
)
def test_in_a_game_against_computer_players(seed):
    game = whole_game(seed, (Status.ACCEPTED, Status.DECLINED)).game
    assert_at_most_a_tenth_is_about_others(game)
    assert_one_line_of_a_turn_opens_with_all_that_was_said(game)
    assert_what_came_to_nothing_is_in_the_ledger_alone(game)
    assert_a_broken_promise_is_a_line(game)
    assert_remarks_are_said_to_people_seldom_and_never_twice(game)


def assert_at_most_a_tenth_is_about_others(game: Game) -> None:
    kinds = {row.seq: row.kind for row in event_rows(game)}
    lines = [line for turn in folded(game) for line in turn.all_lines]
    others = [line for line in lines if kinds[line.seq] in SAID and not is_about_anna(line)]
    assert 0 < len(others) <= len(lines) / 10
    assert all(line.folded for line in others)


def assert_one_line_of_a_turn_opens_with_all_that_was_said(game: Game) -> None:
    for whole, turn in zip(read_turns(game, None, "UTC"), folded(game), strict=True):
        opening = [line for line in turn.lines if line.folded]
        assert len(opening) <= 1
        shown = [one for line in turn.lines for one in line.folded or [line]]
        assert sorted(one.seq for one in shown) == [line.seq for line in whole.lines]
        for line in opening:
            deals = sum(" accepts " in one.text for one in line.folded)
            assert ("no deal" in line.text) == (not deals)
            made = "made a deal" if deals == 1 else f"made {deals} deals"
            assert not deals or made in line.text


def assert_what_came_to_nothing_is_in_the_ledger_alone(game: Game) -> None:
    rows = {row.seq: row for row in event_rows(game)}
    texts = {line.seq: line for turn in read_turns(game, None, "UTC") for line in turn.lines}
    for seq, line in texts.items():
        lapsed = rows[seq].kind == OfferLapsed.__name__
        if lapsed or rows[seq].payload.get("verdict") == "void":
            assert is_about_anna(line)
    left_out = {rows[seq].kind for seq in rows.keys() - texts.keys()}
    assert {PromiseJudged.__name__, StageOpened.__name__} <= left_out


def assert_a_broken_promise_is_a_line(game: Game) -> None:
    judged = game.events.filter(kind=PromiseJudged.__name__, payload__verdict="broken")
    lines = {line.seq for turn in folded(game) for line in turn.lines if not line.folded}
    assert set(judged.values_list("seq", flat=True)) <= lines


def assert_remarks_are_said_to_people_seldom_and_never_twice(game: Game) -> None:
    lines = {line.seq: line for turn in read_turns(game, None, "UTC") for line in turn.lines}
    rows = [row for row in event_rows(game) if row.kind in SAID and row.cause == Cause.COMPUTER]
    to_anna = [row for row in rows if is_about_anna(lines[row.seq])]
    remarks = [row.payload["remark"] for row in to_anna if row.payload["remark"]]
    assert {row.payload["remark"] for row in rows if row not in to_anna} == {""}
    assert 0 < len(remarks) == len(set(remarks)) < len(to_anna) / 2


def folded(game: Game):
    return read_folded_turns(game, None, "UTC")


def is_about_anna(line: LogLine) -> bool:
    return not line.folded and "Anna" in line.text
