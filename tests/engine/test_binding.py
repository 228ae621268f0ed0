"""`promises: binding`: what binds, what is then legal, and what cannot be accepted (days 26)."""

from random import Random
from typing import Any

import pytest

from games.engine import EDITIONS, IllegalMove, Place, State, encode_move, to_move, view
from games.engine.binding import accept, binds, default_within, moves_in_order, step_within
from games.engine.errors import BadPromise
from games.engine.ledger import Ledger, follow, offer
from games.engine.moves import Move
from games.engine.promises import Verdict
from games.engine.record import adjudicate
from games.engine.rules import Step
from tests.engine.negotiating import Negotiated, negotiated_at
from tests.engine.playouts import PLAIN, Setting, mixed_settings, wild_move
from tests.engine.test_ledger_properties import random_promise

BOUND = {"promises": "binding"}
RIVALS = ["yellow-0-1", "green-0-1", "blue-1-1"]


def bound(edition: str, options: dict[str, Any] | None = None, **position: Any) -> Negotiated:
    return negotiated_at(edition, {**BOUND, **(options or {})}, **position)


def agree(game: Negotiated, player: str, to: str, bribe: int = 1, **terms: Any) -> None:
    """For a bribe of at least so many units, where the form is about a scholar."""
    if "scholar" in terms:
        terms["returns"] = {"bribe": terms["scholar"], "least": bribe}
    number = game.offers(player, to, **terms)
    game.ledger = accept(game.ledger, game.state, game.seat(to), number)


def refused(game: Negotiated, move: Move) -> str:
    with pytest.raises(IllegalMove) as refusal:
        step_within(game.ledger, game.state, to_move(game.state)[0], move)
    assert refusal.value.code == "promise"
    return refusal.value.message


def legal_moves(game: Negotiated) -> list[Any]:
    """All moves of a decision or a sending that binding promises leave, as records write them."""
    seat = to_move(game.state)[0]
    found = []
    for move in moves_in_order(game.state, seat):
        try:
            step_within(game.ledger, game.state, seat, move)
        except IllegalMove as refusal:
            if refusal.code != "promise":
                raise
        else:
            found.append(encode_move(game.state.table, seat, move))
    return found


@pytest.mark.parametrize("edition", EDITIONS)
class TestWhatBinds:
    def decision(self, edition, yellow=1, **terms):
        """Red has promised yellow something about its scholar; all have paid."""
        game = bound(edition, applicants={"red": ["yellow-0-1", "green-0-1"]})
        agree(game, "red", "yellow", 4, scholar="yellow-0-1", **terms)
        game.pays("yellow-0-1", yellow)
        game.pays("green-0-1", 9)
        return game

    def test_whoever_was_promised_to_be_hired_is(self, edition):
        game = self.decision(edition, 4, form="hire")
        hired = {move["placements"][0][0] for move in legal_moves(game)}
        assert hired == {game.name("yellow-0-1")}

    def test_whoever_was_promised_an_area_gets_it(self, edition):
        game = self.decision(edition, 4, form="place", area=2)
        wanted = [[game.name("yellow-0-1"), game.areas[2]]]
        assert [move["placements"] for move in legal_moves(game)] == [wanted]

    def test_whoever_pays_less_has_no_claim(self, edition):
        game = self.decision(edition, 3, form="hire")
        hired = {move["placements"][0][0] for move in legal_moves(game)}
        assert hired == {game.name("yellow-0-1"), game.name("green-0-1")}

    def test_the_refusal_names_the_offer(self, edition):
        game = self.decision(edition, 4, form="hire")
        green = game.state.table.scholars[game.name("green-0-1")]
        message = refused(game, Place(((green, game.areas[0]),)))
        assert message == (
            "This would break offer 1, a binding promise to yellow. The default move breaks none."
        )

    def test_the_default_is_the_first_that_is_legal(self, edition):
        """Ruling 8: the highest bribe and the best area, over what is still legal."""
        game = self.decision(edition, 4, form="place", area=1)
        default = default_within(game.ledger, game.state, game.seat("red"))
        yellow = game.state.table.scholars[game.name("yellow-0-1")]
        assert default.placements == ((yellow, game.areas[1]),)

    @pytest.mark.parametrize(("form", "scholar"), [("win", "green-0-1"), ("win", "yellow-0-1")])
    def test_the_winner_of_a_conflict(self, edition, form, scholar):
        attack = {"palaces": {"red": {1: "yellow-0-1"}}, "applicants": {"red": ["green-0-1"]}}
        game = bound(edition, **attack)
        agree(game, "red", scholar.split("-")[0], form=form, scholar=scholar)
        game.pays("yellow-0-1", 1)
        game.pays("green-0-1", 1)
        assert [move["winner"] for move in legal_moves(game)] == [game.name(scholar)]

    def test_a_resident_that_is_to_be_kept(self, edition):
        attack = {"palaces": {"red": {1: "yellow-0-1"}}, "applicants": {"red": ["green-0-1"]}}
        game = bound(edition, **attack)
        agree(game, "red", "yellow", form="keep", scholar="yellow-0-1", until=4)
        game.pays("yellow-0-1", 1)
        game.pays("green-0-1", 1)
        assert [move["winner"] for move in legal_moves(game)] == [game.name("yellow-0-1")]

    def test_a_sending(self, edition):
        game = bound(edition)
        agree(game, "red", "yellow", form="send-nobody", until=2)
        agree(game, "red", "green", form="send", occupation=1)
        sent = legal_moves(game)
        assert sent
        for move in sent:
            palaces = [palace for _, palace in move["scholars"]]
            kinds = {one.split("-")[1] for one, palace in move["scholars"] if palace == "green"}
            assert "yellow" not in palaces
            assert game.occupations[1] in kinds

    def test_an_area_stays_free_for_a_scholar_who_comes_later_in_the_turn(self, edition):
        """Uncontested applicants are placed before the external conflict is fought."""
        game = bound(edition, applicants={"red": RIVALS})
        agree(game, "red", "yellow", form="place", scholar="yellow-0-1", area=2)
        game.pays("blue-1-1", 1)
        given = {move["placements"][0][1] for move in legal_moves(game)}
        assert given == {*game.areas} - {game.areas[2]}

    def test_two_areas_stay_free_for_two_who_come_later(self, edition):
        rivals = ["yellow-0-1", "green-0-1", "yellow-2-1", "green-2-1"]
        game = bound(edition, applicants={"red": ["blue-1-1", *rivals]})
        least = game.areas[-2] // game.unit
        for scholar in ("yellow-0-1", "yellow-2-1"):
            agree(game, "red", "yellow", form="place", scholar=scholar, least=least)
        game.pays("blue-1-1", 1)
        given = {move["placements"][0][1] for move in legal_moves(game)}
        assert given == {*game.areas[:-2]}

    def test_nothing_binds_without_the_option_or_a_bribe_or_in_a_later_turn(self, edition):
        conflict = {"applicants": {"red": ["yellow-0-1", "green-0-1"]}}
        free, unpaid, later = (
            negotiated_at(edition, **conflict),
            bound(edition, **conflict),
            bound(edition),
        )
        agree(free, "red", "yellow", form="hire", scholar="yellow-0-1")
        unpaid.ledger = accept(
            offer_of(unpaid, form="hire", scholar="yellow-0-1"), unpaid.state, 1, 1
        )
        agree(later, "yellow", "red", form="send-nobody", until=3)
        later.sends(red_0_1="green", red_0_2="blue")
        later.pass_until(2, "yellow", "sending")
        for game in (free, unpaid, later):
            assert not binds(game.ledger[0], game.state)
        assert {palace for move in legal_moves(later) for _, palace in move["scholars"]} >= {"red"}


def offer_of(game: Negotiated, **terms: Any) -> Ledger:
    game.offers("red", "yellow", **terms)
    return game.ledger


@pytest.mark.parametrize("edition", EDITIONS)
class TestWhatCannotBeAccepted:
    def test_two_winners_of_one_conflict(self, edition):
        game = bound(edition, applicants={"red": ["yellow-0-1", "green-0-1"]})
        agree(game, "red", "yellow", form="hire", scholar="yellow-0-1")
        with pytest.raises(BadPromise, match="Offer 2 would leave no legal choice"):
            agree(game, "red", "green", form="hire", scholar="green-0-1")
        assert game.verdicts == ["pending", "open"]

    def test_one_area_for_two(self, edition):
        game = bound(edition, applicants={"red": RIVALS})
        agree(game, "red", "yellow", form="place", scholar="yellow-0-1", area=2)
        with pytest.raises(BadPromise, match="would leave no legal choice"):
            agree(game, "red", "blue", form="place", scholar="blue-1-1", area=2)
        agree(game, "red", "green", form="send", occupation=1)

    def test_more_good_areas_than_there_are(self, edition):
        game = bound(edition, applicants={"red": ["yellow-0-1", "green-1-1", "blue-2-1"]})
        best = [area // game.unit for area in game.areas]
        for scholar in ("yellow-0-1", "green-1-1"):
            to = scholar.split("-")[0]
            agree(game, "red", to, form="place", scholar=scholar, least=best[-2])
        with pytest.raises(BadPromise, match="would leave no legal choice"):
            agree(game, "red", "blue", form="place", scholar="blue-2-1", least=best[-2])

    def test_at_a_free_table_they_can(self, edition):
        game = negotiated_at(edition, applicants={"red": ["yellow-0-1", "green-0-1"]})
        for scholar in ("yellow-0-1", "green-0-1"):
            agree(game, "red", scholar.split("-")[0], form="hire", scholar=scholar)
        assert game.verdicts == ["pending", "pending"]


def test_where_the_rules_forbid_the_promised_winner_it_no_longer_binds():
    """Reference Manual: of the attackers only the one with the highest bribe may win."""
    attackers = {"applicants": {"red": ["green-0-1", "blue-0-1"]}}
    game = bound("reference-manual", palaces={"red": {1: "yellow-0-1"}}, **attackers)
    agree(game, "red", "green", form="win", scholar="green-0-1")
    game.pays("yellow-0-1", 1)
    game.pays("green-0-1", 1)
    game.pays("blue-0-1", 2)
    names = [game.name("blue-0-1"), game.name("yellow-0-1")]
    assert [move["winner"] for move in legal_moves(game)] == names
    game.judges("blue-0-1")
    assert game.verdicts == ["void"]


def bound_settings() -> list[Setting]:
    settings = [*PLAIN, *mixed_settings(12, seed=17)]
    return [Setting(one.edition, {**one.options, **BOUND}, one.players) for one in settings]


def chat(chance: Random, state: State, ledger: Ledger) -> Ledger:
    """Random offers, each accepted at once where that is possible."""
    for _ in range(4):
        by, promise = random_promise(chance, state)
        try:
            offered = offer(ledger, state, by, promise)
            ledger = accept(offered, state, offered[-1].other, len(offered))
        except BadPromise:
            continue
    return ledger


def play_within(ledger: Ledger, state: State, seat: int, chance: Random) -> tuple[Step, int]:
    """A random legal move, and how many were refused before."""
    choice = view(state, seat).choice
    assert choice is not None
    for refusals in range(5):
        try:
            return step_within(ledger, state, seat, wild_move(choice, chance)), refusals
        except IllegalMove as refusal:
            if refusal.code != "promise":
                raise
    return step_within(ledger, state, seat, default_within(ledger, state, seat)), 5


@pytest.mark.full
def test_a_legal_choice_always_remains_and_no_binding_promise_is_broken():
    refusals = bindings = 0
    for number, setting in enumerate(bound_settings()):
        chance, state = Random(number), setting.begin("red").state
        ledger: Ledger = ()
        while waiting := to_move(state):
            ledger = chat(chance, state, ledger)
            seat = chance.choice(waiting)
            default = default_within(ledger, state, seat)
            step_within(ledger, state, seat, default)  # it is legal, whatever was promised
            binding = [entry.id for entry in ledger if binds(entry, state)]
            made, refused_before = play_within(ledger, state, seat, chance)
            ledger = follow(ledger, state, made.events)
            for one in binding:
                assert ledger[one - 1].verdict is not Verdict.BROKEN
            refusals += refused_before
            bindings += len(binding)
            state = made.state
    assert refusals > 200
    assert bindings > 1000


def test_a_record_is_played_within_its_binding_promises():
    offered = {
        "after": 0, "player": "red", "type": "offer", "id": 1, "to": "yellow",
        "form": "send-nobody", "until": 2,
    }  # fmt: skip
    record = {
        "format": "intrigue-record/1",
        "edition": "mayfair-2005",
        "options": BOUND,
        "players": ["red", "yellow", "green"],
        "first": "red",
        "moves": [{"player": "red", "type": "default"}],
        "promises": [offered, {"after": 0, "player": "yellow", "type": "accept", "id": 1}],
    }
    result, _ = adjudicate(record)
    at_the_doors = {"red": [], "yellow": [], "green": ["red-scientist-1", "red-scientist-2"]}
    assert result["final"]["applicants"] == at_the_doors
    sent = [["red-clerk-1", "yellow"], ["red-clerk-2", "green"]]
    result, moves = adjudicate(
        {**record, "moves": [{"player": "red", "type": "send", "scholars": sent}]}
    )
    assert moves == 0
    assert result["error"]["move"] == 0
    assert result["error"]["code"] == "promise"
    assert adjudicate({**record, "moves": [], "options": {}})[0]["promises"] == [
        {"id": 1, "verdict": "pending", "move": None}
    ]


def test_the_option_is_one_of_two_values():
    record = {
        "format": "intrigue-record/1",
        "edition": "mayfair-2005",
        "options": {"promises": "always"},
        "players": ["red", "yellow", "green"],
        "first": "red",
        "moves": [],
    }
    message = adjudicate(record)[0]["error"]["message"]
    assert message == "The option promises must be one of free, binding."
