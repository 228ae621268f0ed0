"""What is the same in every game of an edition (docs/rules.md), and lemmas about whole games."""

from collections import Counter
from itertools import permutations, product
from random import Random

import pytest

from games.engine import (
    COLOURS,
    BribeChoice,
    Event,
    IllegalMove,
    Send,
    SendChoice,
    Stage,
    State,
    check,
    legal,
    new_game,
    step,
    to_move,
)
from games.engine.events import (
    BribesPaid,
    SalaryPaid,
    ScholarBanished,
    ScholarHired,
    ScholarsSent,
    StageOpened,
    TurnBegan,
)
from tests.engine.playouts import PLAIN, SETTINGS, Setting, play, wild_move

pytestmark = pytest.mark.full

M, S, R, K = "mayfair-2005", "fx-schmid-1994", "russian", "reference-manual"

TURNS = {M: (15, 20, 25), S: (18, 24, 30), R: (18, 24, 30), K: (18, 24, 30)}
TURNS_WITH_A_SEND = {M: (12, 16, 20), S: (15, 20, 25), R: (12, 16, 20), K: (12, 16, 20)}
APPLICANTS_BRIBES = {M: (24, 32, 40), S: (30, 40, 50), R: (24, 32, 40), K: (24, 32, 40)}
SENDS_WITH_A_FULL_HAND = {M: (36, 78, 136), S: (25, 75, 150), R: (16, 48, 96), K: (16, 48, 96)}
MOST_APPLICANTS = {M: (4, 6, 8), S: (2, 3, 4), R: (2, 3, 4), K: (2, 3, 4)}
LAST_ROUND_THAT_SENDS = {M: 4, S: 5, R: 4, K: 4}
PAYMENTS_OF_A_SCHOLAR = {M: (2, 5), S: (2, 6), R: (3, 6), K: (3, 6)}

SEEDS = range(8)


def fixed(numbers: dict[str, tuple[int, ...]], setting: Setting) -> int:
    return numbers[setting.edition][setting.players - 3]


def text(setting: Setting, seed: int) -> tuple[Event, ...]:
    """All events of a game."""
    *_, last = play(setting.begin(COLOURS[seed % setting.players]), seed)
    return last.log


def of_kind[Kind](events: tuple[Event, ...], kind: type[Kind]) -> list[Kind]:
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.parametrize("setting", PLAIN, ids=str)
def test_turns_sends_and_applicants_bribes(setting):
    """Each scholar is bribed for exactly once as an applicant: 24, 32, 40 bribes and so on."""
    for seed in SEEDS:
        events = text(setting, seed)
        assert len(of_kind(events, TurnBegan)) == fixed(TURNS, setting)
        assert len(of_kind(events, ScholarsSent)) == fixed(TURNS_WITH_A_SEND, setting)
        bribes = [p for event in of_kind(events, BribesPaid) for p in event.payments]
        fights = [e for e in of_kind(events, StageOpened) if e.stage is Stage.INTERNAL_BRIBES]
        assert len(bribes) - len(fights) == fixed(APPLICANTS_BRIBES, setting)
        defended = Counter(event.contenders[0] for event in fights)
        bribed = Counter(payment.scholar for payment in bribes)
        bribed.subtract(defended)
        assert set(bribed.values()) == {1}


@pytest.mark.parametrize("setting", PLAIN, ids=str)
def test_legal_sends_with_a_full_hand(setting):
    """Sends that differ in occupations and palaces: 36, 78, 136 where one palace may get both."""
    state = setting.begin().state
    choice = legal(state, 0)
    assert isinstance(choice, SendChoice)
    seats = range(-1, setting.players)
    legal_sends = set()
    for pair in permutations(state.unsent[0], 2):
        for to in product(seats, repeat=2):
            sent = tuple(zip(pair, to, strict=True))
            try:
                check(state.table, choice, Send(sent))
            except IllegalMove:
                continue
            kinds = sorted((scholar.occupation, palace) for scholar, palace in sent)
            legal_sends.add(tuple(kinds))
    assert len(legal_sends) == fixed(SENDS_WITH_A_FULL_HAND, setting)


def parks_at_turns(setting: Setting, seed: int) -> list[tuple[int, int, int]]:
    """Round, place in the turn order (from 1), and applicants, at the start of each turn."""
    waiting: Counter[int] = Counter()
    found = []
    for event in text(setting, seed):
        if isinstance(event, TurnBegan):
            place = (event.seat - seed % setting.players) % setting.players + 1
            found.append((event.round, place, waiting.pop(event.seat, 0)))
        elif isinstance(event, ScholarsSent):
            waiting.update(palace for _, palace in event.sent)
    return found


@pytest.mark.parametrize("setting", PLAIN, ids=str)
def test_lemma_2_applicants_in_the_first_and_the_last_round(setting):
    """Seat k has at most 2(k-1) in round 1 and 2(n-k) in the last one; the last seat none."""
    each = fixed(MOST_APPLICANTS, setting) // (setting.players - 1)
    last = LAST_ROUND_THAT_SENDS[setting.edition] + 1
    seen = 0
    for seed in SEEDS:
        for number, place, applicants in parks_at_turns(setting, seed):
            seen = max(seen, applicants)
            assert applicants <= fixed(MOST_APPLICANTS, setting)
            if number == 1:
                assert applicants <= each * (place - 1)
            if number == last:
                assert applicants <= each * (setting.players - place)
            if number > last:
                assert applicants == 0
    assert seen > 1


@pytest.mark.parametrize("setting", PLAIN, ids=str)
def test_lemma_5_nobody_is_stranded(setting):
    """Whoever is sent in a round is judged in that round or in the next one."""
    for seed in SEEDS:
        sent: dict[object, int] = {}
        number = 0
        for event in text(setting, seed):
            if isinstance(event, TurnBegan):
                number = event.round
            elif isinstance(event, ScholarsSent):
                sent.update((scholar, number) for scholar, _ in event.sent)
            elif isinstance(event, ScholarHired | ScholarBanished) and event.scholar in sent:
                assert number - sent.pop(event.scholar) in (0, 1)
        assert not sent


@pytest.mark.parametrize("setting", PLAIN, ids=str)
def test_lemma_6_how_often_a_scholar_is_paid(setting):
    """At least twice in M and S if never replaced, three times in R and K; never in round 1."""
    least, most = PAYMENTS_OF_A_SCHOLAR[setting.edition]
    for seed in SEEDS:
        events = text(setting, seed)
        payments: Counter[object] = Counter()
        number = 0
        for event in events:
            if isinstance(event, TurnBegan):
                number = event.round
            if isinstance(event, SalaryPaid):
                assert number > 1
                payments.update(scholar for scholar, _, _ in event.salaries)
        banished = {event.scholar for event in of_kind(events, ScholarBanished)}
        for scholar in {event.scholar for event in of_kind(events, ScholarHired)}:
            assert payments[scholar] <= most
            assert scholar in banished or payments[scholar] >= least


def shape(setting: Setting, seed: int, sends: int) -> tuple[list[object], list[object]]:
    """The conflicts of a game and its winners; `sends` is the seed of what is sent alone."""
    chance, sending = Random(seed), Random(sends)
    state = setting.begin().state
    conflicts: list[object] = []
    hired: list[object] = []
    while waiting := to_move(state):
        choice = legal(state, waiting[0])
        assert choice is not None
        move = wild_move(choice, sending if isinstance(choice, SendChoice) else chance)
        state, events = step(state, waiting[0], move)
        for event in of_kind(events, StageOpened):
            kinds = Counter(scholar.occupation for scholar in event.contenders)
            conflicts.append((state.round, state.active, event.stage, sorted(kinds.items())))
        hired += of_kind(events, ScholarHired)
    return conflicts, hired


@pytest.mark.parametrize("setting", PLAIN, ids=str)
def test_lemma_8_what_was_sent_decides_which_conflicts_there_are(setting):
    """Bribes and decisions change who wins, not what must be decided.

    The order of internal conflicts depends on the areas chosen, so they are counted by turn.
    """
    games = [shape(setting, seed, sends=5) for seed in range(5)]
    counted = [Counter(map(repr, conflicts)) for conflicts, _ in games]
    assert all(count == counted[0] for count in counted)
    assert len({repr(hired) for _, hired in games}) > 1, "the decisions did differ"


def owner_without_money(state: State) -> bool:
    seats = range(len(state.table.players))
    choices = [legal(state, seat) for seat in seats]
    return any(isinstance(c, BribeChoice) and c.cash < c.minimum for c in choices)


def test_the_playouts_reach_what_is_rare():
    """Broke players, debts, every kind of stage and all-resident palaces do come up."""
    seen: Counter[str] = Counter()
    for seed, setting in enumerate(SETTINGS):
        for moment in play(setting.begin(), seed):
            seen["broke"] += owner_without_money(moment.before)
            seen["debt"] += min(moment.before.cash) < 0
            seen["full palace"] += any(None not in row for row in moment.before.palaces)
            seen["sealed"] += bool(moment.before.sealed)
            seen[moment.before.stage.value] += 1
    assert set(seen) == {
        "broke",
        "debt",
        "full palace",
        "sealed",
        *(stage.value for stage in Stage if stage is not Stage.OVER),
    }
    assert min(seen.values()) > 100


def test_the_first_player_may_be_anybody():
    """`first` only decides who begins."""
    for colour in COLOURS:
        state = new_game(M, {}, COLOURS, colour).state
        assert state.table.players[state.active] == colour
