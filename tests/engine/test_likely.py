"""Likely offers and narrowed choices: what they are, and that no secret is in them."""

from collections.abc import Iterator
from random import Random

import pytest

from games.engine import COLOURS, EDITIONS, Judge, Place, Send, Stage, State, step, to_move, view
from games.engine.binding import binds, may_play, moves_in_order, step_within, view_within
from games.engine.characters import character_of
from games.engine.choices import JudgeChoice, PlaceChoice, SendChoice
from games.engine.computer_players import COMPUTER_PLAYERS
from games.engine.errors import IllegalMove
from games.engine.ledger import Ledger, follow
from games.engine.likely import MOST, likely_offers
from games.engine.negotiated_games import negotiation
from games.engine.negotiator import play_negotiator
from games.engine.offers import check_offer
from games.engine.promises import IfBribed, Keep, PlaceIn, Promise, Win
from games.engine.rules import new_game

pytestmark = pytest.mark.full

EVERY = [(edition, size) for edition in EDITIONS for size in (3, 5)]


def positions(edition: str, size: int, **options: object) -> Iterator[tuple[State, Ledger]]:
    """Positions of a game among negotiators, each with its ledger."""
    chance = Random(7)
    characters = {seat: character_of(7, seat) for seat in range(size)}
    state = new_game(edition, options, COLOURS[:size], COLOURS[0]).state
    ledger: Ledger = ()
    while state.stage is not Stage.OVER:
        ledger = [ledger, *negotiation(ledger, state, characters)][-1]
        yield state, ledger
        seat = to_move(state)[0]
        seen = view_within(ledger, state, seat)
        move = play_negotiator(seen, ledger, characters[seat], chance.getrandbits(32))
        try:
            made = step_within(ledger, state, seat, move)
        except IllegalMove:
            made = step(state, seat, seen.default)
        ledger, state = follow(ledger, state, made.events), made.state


def richer(state: State, seat: int) -> State:
    """The same for who looks on from this seat: only the others' cash is different."""
    cash = (held if one == seat else held + 9000 * (one + 1) for one, held in enumerate(state.cash))
    return state._replace(cash=tuple(cash))


@pytest.mark.parametrize(("edition", "size"), EVERY)
def test_likely_offers_make_sense_and_know_nothing_of_the_others_cash(edition, size):
    found = set()
    for state, _ledger in positions(edition, size):
        for seat in range(size):
            offers = likely_offers(view(state, seat))
            assert len(offers) <= MOST
            assert offers == likely_offers(view(richer(state, seat), seat))
            for promise in offers:
                assert seat in (promise.seat, promise.to)
                check_offer(promise, state)
                found.add(type(promise.deed))
    assert found >= {PlaceIn, Win, Keep}


def test_the_end_and_a_spectator_have_none():
    state = new_game("mayfair-2005", {}, COLOURS[:3], COLOURS[0]).state
    assert likely_offers(view(state, None)) == []
    assert likely_offers(view(state._replace(stage=Stage.OVER), 0)) == []


def test_an_owner_is_offered_a_share_of_the_salary():
    """A bribe of two fifths of the best open salary, in whole units."""
    state = new_game("mayfair-2005", {}, COLOURS[:3], COLOURS[0]).state
    doctor, clerk = (state.table.scholars[f"red-{one}-1"] for one in ("doctor", "clerk"))
    state = step(state, 0, Send(((doctor, 1), (clerk, 1)))).state
    best = Promise(1, 0, PlaceIn(doctor, None, 10000), IfBribed(doctor, 4000))
    for seat in (0, 1):
        assert likely_offers(view(state, seat))[0] == best
    assert best not in likely_offers(view(state, 2))


def test_a_likely_bribe_is_more_than_the_minimum_where_nobody_else_applies():
    """Two fifths of the best salary would be less than whoever applies alone has to pay anyway."""
    options = {"uncontested_min_bribe": 10000}
    state = new_game("russian", options, COLOURS[:3], COLOURS[0]).state
    doctor, clerk = (state.table.scholars[f"red-{one}-1"] for one in ("doctor", "clerk"))
    state = step(state, 0, Send(((doctor, 1), (clerk, 2)))).state
    offers = [one for one in likely_offers(view(state, 1)) if isinstance(one.condition, IfBribed)]
    assert [one.condition for one in offers] == [IfBribed(doctor, 11000)] * 2


@pytest.mark.parametrize(("edition", "size"), EVERY)
def test_a_choice_that_a_binding_promise_forbids_is_never_offered(edition, size):
    """What the narrowed view offers is what `step_within` allows; and one choice is always left."""
    bound = 0
    for state, ledger in positions(edition, size, promises="binding"):
        for seat in to_move(state):
            seen = view_within(ledger, state, seat)
            assert seen == view_within(ledger, richer(state, seat), seat)._replace(cash=seen.cash)
            step_within(ledger, state, seat, seen.default)
            if any(binds(entry, state) for entry in ledger):
                bound += 1
                assert offered(seen.choice) == allowed(ledger, state, seat)
    assert bound > 5


def offered(choice: object) -> set[object]:
    """Who may win, who may be hired and which areas given, or who may be sent and where."""
    match choice:
        case JudgeChoice(winners):
            return set(winners)
        case PlaceChoice(conflicts, areas):
            return {*areas, *(one for conflict in conflicts for one in conflict)}
        case SendChoice(scholars, palaces):
            return {*scholars, *(("to", palace) for palace in palaces)}
    return set()


def allowed(ledger: Ledger, state: State, seat: int) -> set[object]:
    """The same of all moves that are legal at a binding table."""
    found: set[object] = set()
    for move in moves_in_order(state, seat):
        if not may_play(ledger, state, seat, move):
            with pytest.raises(IllegalMove, match="binding promise"):
                step_within(ledger, state, seat, move)
            continue
        match move:
            case Judge(winner):
                found.add(winner)
            case Place(placements):
                found.update(*placements)
            case Send(sent):
                found.update(*((one, ("to", palace)) for one, palace in sent))
    return found


def test_plain_computer_players_see_the_narrowed_choice():
    for state, ledger in positions("mayfair-2005", 4, promises="binding"):
        seat = to_move(state)[0]
        seen = view_within(ledger, state, seat)
        if isinstance(seen.choice, JudgeChoice):
            for seed in range(5):
                step_within(ledger, state, seat, COMPUTER_PLAYERS["random"](seen, seed))
