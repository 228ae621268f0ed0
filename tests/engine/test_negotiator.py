"""Computer players that negotiate: what they offer, accept, keep and break, knowing what."""

from collections import Counter

import pytest

from games.engine import COLOURS, EDITIONS, Bribe, Send, Stage, step, to_move, view
from games.engine.binding import view_within
from games.engine.characters import Character, character_of, role_of
from games.engine.codec import decode_move
from games.engine.computer_players import COMPUTER_PLAYERS
from games.engine.ledger import MOST_OFFERS_IN_A_TURN, Entry, Status, follow
from games.engine.negotiated_games import ledger_after, negotiation, play_negotiating
from games.engine.negotiator import (
    Remark,
    ReplyToOffer,
    play_negotiator,
    remark_on,
    say,
)
from games.engine.promises import Hire, IfBribed, Keep, PlaceIn, Promise, Verdict, Win
from games.engine.record import play, read_record, write_record
from games.engine.rules import new_game

LOYAL = Character(greed=1, loyalty=4, vengeance=2)
FALSE = Character(greed=1, loyalty=0, vengeance=2)


def beginning(edition="mayfair-2005", size=4, **options):
    return new_game(edition, options, COLOURS[:size], COLOURS[0])


def played(edition, size, seed, **options):
    characters = {seat: character_of(seed, seat) for seat in range(size)}
    start = beginning(edition, size, **options)
    return play_negotiating(start, [COMPUTER_PLAYERS["courtier"]] * size, characters, seed)


def test_characters_are_drawn_from_the_seed_and_all_occur():
    drawn = [character_of(seed, seat) for seed in range(100) for seat in range(4)]
    assert drawn == [character_of(seed, seat) for seed in range(100) for seat in range(4)]
    for trait in zip(*drawn, strict=True):
        assert set(trait) == {0, 1, 2, 3, 4}


def test_nobody_has_two_seats():
    for seed in range(100):
        assert len({role_of(seed, seat) for seat in range(5)}) == 5


@pytest.mark.long(every=3)
@pytest.mark.full
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("promises", ["free", "binding"])
def test_whole_games_are_legal_and_the_same_for_the_same_seed(edition, promises):
    for seed, size in ((1, 3), (3, 5)):
        game = played(edition, size, seed, promises=promises)
        assert game == played(edition, size, seed, promises=promises)
        assert game.state.stage is Stage.OVER
        record = read_record(write_record(game.state.table, game.moves))
        assert list(play(record))[-1].state == game.state
        assert all(entry.is_settled for entry in game.ledger)


@pytest.mark.full
def test_promises_are_kept_and_broken_in_most_games():
    became = Counter()
    for seed in range(5):
        game = played("mayfair-2005", 4, seed)
        verdicts = [one.verdict for one in game.ledger if one.status is Status.ACCEPTED]
        assert verdicts
        became.update(verdicts)
    assert became[Verdict.KEPT] > became[Verdict.BROKEN] > 0


@pytest.mark.full
def test_nobody_makes_more_offers_in_a_turn_than_allowed():
    for seed in range(2):
        game = played("fx-schmid-1994", 5, seed)
        made = Counter((entry.by, entry.made_in) for entry in game.ledger)
        assert max(made.values()) <= MOST_OFFERS_IN_A_TURN


@pytest.mark.full
def test_nobody_asks_the_same_twice_in_a_turn():
    for seed in range(3):
        game = played("mayfair-2005", 4, seed)
        made = Counter(
            (entry.by, entry.made_in, entry.promise.seat, entry.promise.deed.scholar)
            for entry in game.ledger
            if isinstance(entry.promise.condition, IfBribed)
        )
        assert max(made.values()) == 1


def positions(seed=5, size=4):
    """Positions of a game among negotiators, each with its ledger."""
    game = played("mayfair-2005", size, seed)
    characters = {seat: character_of(seed, seat) for seat in range(size)}
    state, ledger = beginning(size=size).state, ()
    for move in game.moves:
        ledger = [ledger, *negotiation(ledger, state, characters)][-1]
        yield state, ledger
        seat, decoded = decode_move(state.table, move)
        made = step(state, seat, decoded)
        ledger = follow(ledger, state, made.events)
        state = made.state


@pytest.mark.full
def test_what_the_others_hold_changes_nothing():
    """Two positions that differ only in the cash of others lead to the same talk and moves."""
    looked_at = 0
    for state, ledger in positions():
        for seat in range(4):
            cash = tuple(
                held if other == seat else held + 7000 * (other + 1)
                for other, held in enumerate(state.cash)
            )
            twin = state._replace(cash=cash)
            character = character_of(5, seat)
            for others in ({0, 1, 2, 3}, {seat}, set()):
                heard = say(view(state, seat), ledger, character, others)
                assert heard == say(view(twin, seat), ledger, character, others)
            if seat in to_move(state):
                looked_at += 1
                seen, other = view_within(ledger, state, seat), view_within(ledger, twin, seat)
                move = play_negotiator(seen, ledger, character, 1)
                assert move == play_negotiator(other, ledger, character, 1)
    assert looked_at > 50


@pytest.mark.full
def test_offers_go_only_to_those_who_can_reply():
    for state, ledger in positions():
        for seat in range(4):
            heard = say(view(state, seat), ledger, character_of(5, seat), {2})
            offered = [one for one in heard if isinstance(one, Promise)]
            assert {one.to if one.seat == seat else one.seat for one in offered} <= {2}


def court(edition="mayfair-2005", **options):
    """The second's court: the first has a doctor and a clerk at its door, who may bribe."""
    state = beginning(edition, 3, **options).state
    table = state.table
    doctor, clerk = (table.scholars[f"red-{one}-1"] for one in ("doctor", "clerk"))
    state = step(state, 0, Send(((doctor, 1), (clerk, 1)))).state
    assert (state.stage, state.active) == (Stage.UNCONTESTED_BRIBES, 1)
    return state, doctor, clerk


def test_a_good_bribe_for_an_area_is_accepted_and_a_poor_one_declined():
    state, doctor, _clerk = court()
    for least, expected in ((9000, Status.ACCEPTED), (1000, Status.DECLINED)):
        promise = Promise(1, 0, PlaceIn(doctor, None, 10000), IfBribed(doctor, least))
        ledger = ledger_after((), state, 0, promise)
        heard = say(view(state, 1), ledger, LOYAL, set())
        assert ReplyToOffer(1, expected) in heard


def test_a_negotiator_asks_for_more_than_the_minimum_where_nobody_else_applies():
    edition, unit = EDITIONS["mayfair-2005"], 1000
    for minimum in (unit, 9000):
        state, doctor, clerk = court(edition.id, uncontested_min_bribe=minimum)
        heard = say(view(state, 1), (), LOYAL, {0})
        [bribe] = [one.condition for one in heard if isinstance(one.condition, IfBribed)]
        assert bribe.scholar in (doctor, clerk)
        assert bribe.least >= minimum + unit


def test_the_loyal_keep_what_the_false_break():
    """The clerk was promised the ten; the doctor has paid more."""
    state, doctor, clerk = court()
    promise = Promise(1, 0, PlaceIn(clerk, None, 10000))
    ledger = ledger_after(
        ledger_after((), state, 1, promise), state, 0, ReplyToOffer(1, Status.ACCEPTED)
    )
    bribe = step(state, 0, Bribe(((doctor, 5000), (clerk, 1000))))
    ledger, state = follow(ledger, state, bribe.events), bribe.state
    became = {}
    for character in (LOYAL, FALSE):
        move = play_negotiator(view(state, 1), ledger, character, 0)
        [entry] = follow(ledger, state, step(state, 1, move).events)
        became[character] = entry.verdict
    assert became == {LOYAL: Verdict.KEPT, FALSE: Verdict.BROKEN}


def with_verdict(state, verdict, promiser=0, to=1):
    """A ledger in which the promiser kept or broke something to the other."""
    resident = next(one for one in state.table.names.values())
    scholar = state.table.scholars[resident]
    promise = Promise(promiser, to, Win(scholar))
    return (Entry(1, promiser, promise, (1, 0), Status.ACCEPTED, Verdict.KEPT, verdict, (1, 0)),)


def test_players_who_broke_promises_are_trusted_less():
    """What is accepted of somebody who kept one is declined of somebody who broke one."""
    state, _doctor, clerk = court()
    price = Promise(1, 0, PlaceIn(clerk, None, 10000), IfBribed(clerk, 9000))
    replies = {}
    for verdict in (Verdict.KEPT, Verdict.BROKEN):
        ledger = with_verdict(state, verdict)
        for number in range(4):
            ledger = (*ledger, *(with_verdict(state, verdict)[0]._replace(id=number + 2),))
        ledger = ledger_after(ledger, state, 0, price)
        [reply_to_offer] = [
            one
            for one in say(view(state, 1), ledger, LOYAL, set())
            if isinstance(one, ReplyToOffer)
        ]
        replies[verdict] = reply_to_offer.status
    assert replies == {Verdict.KEPT: Status.ACCEPTED, Verdict.BROKEN: Status.DECLINED}


def test_only_the_disloyal_promise_one_place_twice():
    """Two doctors want the one place at the third's palace; the first was promised it."""
    state = beginning(size=3).state
    doctors = [state.table.scholars[f"{colour}-doctor-1"] for colour in COLOURS[:2]]
    clerks = [state.table.scholars[f"{colour}-clerk-1"] for colour in COLOURS[:2]]
    for seat in (0, 1):
        state = step(state, seat, Send(((doctors[seat], 2), (clerks[seat], 2)))).state
    assert state.stage is Stage.EXTERNAL_BRIBES
    first, second = (
        Promise(2, seat, Hire(doctors[seat]), IfBribed(doctors[seat], 9000)) for seat in (0, 1)
    )
    ledger = ledger_after(
        ledger_after((), state, 2, first), state, 0, ReplyToOffer(1, Status.ACCEPTED)
    )
    ledger = ledger_after(ledger, state, 1, second)
    for character, expected in ((LOYAL, Status.DECLINED), (FALSE, Status.ACCEPTED)):
        heard = say(view(state, 2), ledger, character, set())
        assert [one for one in heard if isinstance(one, ReplyToOffer)] == [
            ReplyToOffer(2, expected)
        ]


@pytest.mark.full
def test_a_pact_of_mutual_keeping_is_offered():
    pacts = [
        entry.promise
        for seed in range(4)
        for entry in played("mayfair-2005", 4, seed).ledger
        if isinstance(entry.promise.condition, Keep)
    ]
    assert pacts
    assert all(isinstance(pact.deed, Keep) for pact in pacts)


def test_a_traitor_is_reproached_and_others_hear_a_remark_now_and_then():
    state, doctor, _clerk = court()
    promise = Promise(1, 0, PlaceIn(doctor, None, 10000), IfBribed(doctor, 9000))
    fresh = ledger_after((), state, 0, promise)
    heard = Counter(
        remark_on(view(state, 1), fresh, LOYAL, ReplyToOffer(1, Status.ACCEPTED), seed)
        for seed in range(200)
    )
    assert set(heard) == {None, Remark.AGREED}
    assert 30 < heard[Remark.AGREED] < 90
    offered = {remark_on(view(state, 1), (), LOYAL, promise, seed) for seed in range(200)}
    assert offered == {None, Remark.DEAL, Remark.TRUST}
    broken = tuple(with_verdict(state, Verdict.BROKEN)[0]._replace(id=n + 1) for n in range(5))
    ledger = ledger_after(broken, state, 0, promise)
    reply_to_offer = ReplyToOffer(6, Status.DECLINED)
    for seed in range(20):
        assert remark_on(view(state, 1), ledger, LOYAL, reply_to_offer, seed) is Remark.REPROACH
    forgiving = LOYAL._replace(vengeance=0)
    heard = {
        remark_on(view(state, 1), ledger, forgiving, reply_to_offer, seed) for seed in range(50)
    }
    assert heard == {None, Remark.REFUSED}
