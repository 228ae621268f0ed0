"""Sendings, bribes and areas that were promised, promises in return, and replies."""

import pytest

from games.engine import EDITIONS
from games.engine.errors import BadPromise
from tests.engine.negotiating import (
    ALONE,
    AT_BLUE,
    ATTACK,
    CONTEST,
    both_pay,
    contested,
    negotiated_at,
)

pytestmark = pytest.mark.parametrize("edition", EDITIONS)


class TestSendNobody:
    """5. I will send no scholar to your palace until that round."""

    @pytest.mark.parametrize(
        ("terms", "sent", "verdict"),
        [
            ({}, {"red_0_1": "green", "red_0_2": "blue"}, "pending"),
            ({}, {"red_0_1": "yellow", "red_0_2": "blue"}, "broken"),
            ({"occupation": 1}, {"red_0_1": "yellow", "red_0_2": "blue"}, "pending"),
            ({"occupation": 1}, {"red_0_1": "blue", "red_1_2": "yellow"}, "broken"),
        ],
    )
    def test_is_judged_by_every_sending(self, edition, terms, sent, verdict):
        game = negotiated_at(edition)
        game.owes("red", "yellow", form="send-nobody", until=2, **terms)
        game.sends(**sent)
        assert game.verdicts == [verdict]
        game.pass_until(3, "red")
        assert game.verdicts == ["broken" if verdict == "broken" else "kept"]

    def test_for_a_bribe_it_begins_with_the_bribe(self, edition):
        game = negotiated_at(edition, applicants={"green": ["yellow-0-1"]})
        bribe = {"bribe": "yellow-0-1", "least": 1}
        game.owes("green", "yellow", form="send-nobody", until=2, returns=bribe)
        game.sends(red_2_1="yellow", red_3_1="blue")
        game.pass_until(2, "yellow", "sending")
        game.sends(yellow_1_1="red", yellow_2_1="blue")
        game.pays("yellow-0-1", 1)
        game.let_pass("green")
        game.sends(green_0_1="yellow", green_1_1="blue")
        assert game.verdicts == ["broken"]

    @pytest.mark.parametrize("paid", [False, True])
    def test_for_a_bribe_that_comes_too_late_it_is_void_when_its_time_ends(self, edition, paid):
        game = negotiated_at(edition)
        bribe = {"bribe": "yellow-0-1", "least": 1}
        game.owes("red", "yellow", form="send-nobody", until=2, returns=bribe)
        game.sends(red_2_1="yellow", red_3_1="blue")
        game.pass_until(2, "yellow", "sending")
        game.sends(**{"yellow_0_1" if paid else "yellow_2_1": "red", "yellow_1_1": "green"})
        game.pass_until(2, "blue", "sending")
        assert game.verdicts == ["pending"]
        game.pass_until(3, "red")
        assert game.verdicts == ["void"]

    @pytest.mark.parametrize("returns", [{"bribe": "yellow-0-1", "least": 1}, None])
    def test_an_offer_lapses_when_its_time_ends(self, edition, returns):
        game = negotiated_at(edition)
        more = {"returns": returns} if returns else {}
        game.offers("red", "yellow", form="send-nobody", until=2, **more)
        game.sends(red_2_1="green", red_3_1="blue")
        game.pass_until(2, "yellow", "sending")
        game.sends(yellow_2_1="red", yellow_1_1="green")
        game.pass_until(2, "blue", "sending")
        assert game.verdicts == ["open"]
        game.pass_until(3, "red")
        assert game.verdicts == ["lapsed"]

    def test_where_the_rules_leave_no_other_palace_it_is_void(self, edition):
        options = {"distinct_palaces": True}
        game = negotiated_at(edition, options, players="red yellow green")
        game.owes("red", "yellow", form="send-nobody", until=3)
        game.owes("red", "green", form="send-nobody", occupation=0, until=3)
        game.sends(red_0_1="green", red_0_2="yellow")
        assert game.verdicts == ["void", "broken"]

    def test_whoever_sends_no_more_has_nothing_to_promise(self, edition):
        game = negotiated_at(edition, **AT_BLUE, round=EDITIONS[edition].rounds)
        with pytest.raises(BadPromise, match="no such scholar any more"):
            game.offers("red", "yellow", form="send-nobody", until=EDITIONS[edition].rounds)


class TestSend:
    """6. With my next sending a scholar comes to your palace."""

    @pytest.mark.parametrize(
        ("terms", "sent", "verdict"),
        [
            ({}, {"red_0_1": "yellow", "red_0_2": "blue"}, "kept"),
            ({}, {"red_0_1": "green", "red_0_2": "blue"}, "broken"),
            ({"occupation": 1}, {"red_1_1": "yellow", "red_0_2": "blue"}, "kept"),
            ({"occupation": 1}, {"red_0_1": "yellow", "red_1_2": "blue"}, "broken"),
        ],
    )
    def test_is_judged_by_the_next_sending(self, edition, terms, sent, verdict):
        game = negotiated_at(edition)
        game.owes("red", "yellow", form="send", **terms)
        game.sends(**sent)
        assert game.verdicts == [verdict]

    def test_of_a_kind_of_which_nobody_is_left_it_is_refused(self, edition):
        away = {"island": [f"red-{EDITIONS[edition].occupations[0]}-{n}" for n in (1, 2)]}
        game = negotiated_at(edition, **away)
        with pytest.raises(BadPromise, match="no such scholar any more"):
            game.offers("red", "yellow", form="send", occupation=0)

    def test_in_the_last_round_nobody_sends(self, edition):
        game = negotiated_at(edition, **AT_BLUE, round=EDITIONS[edition].rounds)
        for player in ("red", "blue"):
            with pytest.raises(BadPromise, match="no such scholar any more"):
                game.offers(player, "yellow", form="send")

    def test_in_the_round_before_it_whoever_is_active_still_does(self, edition):
        game = negotiated_at(edition, round=EDITIONS[edition].rounds - 1)
        assert game.offers("red", "yellow", form="send") == 1


class TestPay:
    """7. For my next applicant at your palace, or for this one, I will pay at least so much."""

    @pytest.mark.parametrize("terms", [{}, {"scholar": "yellow-0-1"}])
    @pytest.mark.parametrize(("paid", "verdict"), [(4, "kept"), (5, "kept"), (3, "broken")])
    def test_is_judged_by_the_bribe(self, edition, terms, paid, verdict):
        game = negotiated_at(edition, **ALONE)
        game.owes("yellow", "red", form="pay", least=4, **terms)
        game.pays("yellow-0-1", paid)
        assert game.verdicts == [verdict]

    def test_whoever_has_too_little_breaks_it_all_the_same(self, edition):
        game = negotiated_at(edition, **ALONE, cash={"yellow": 0})
        game.owes("yellow", "red", form="pay", least=4)
        game.let_pass("yellow")
        assert game.verdicts == ["broken"]

    def test_is_void_if_nobody_ever_applies(self, edition):
        game = negotiated_at(edition)
        game.owes("yellow", "red", form="pay", scholar="yellow-0-1", least=4)
        game.pass_until(2, "yellow", "sending")
        game.sends(yellow_0_1="blue", yellow_1_1="green")
        game.pass_until(3, "red")
        assert game.verdicts == ["void"]

    def test_sealed_bribes_are_judged_when_they_are_opened(self, edition):
        game = negotiated_at(edition, {"bribing": "simultaneous"}, **CONTEST)
        game.owes("yellow", "red", form="pay", least=4)
        game.offers("green", "red", form="pay", least=4)
        bribe = {"bribe": "green-0-1", "least": 1}
        game.offers("red", "green", form="hire", scholar="green-0-1", returns=bribe)
        game.pays("yellow-0-1", 3)
        assert game.verdicts == ["pending", "open", "open"]
        game.pays("green-0-1", 5)
        assert game.verdicts == ["broken", "lapsed", "lapsed"]

    def test_a_sealed_bribe_can_no_longer_be_agreed_upon(self, edition):
        game = negotiated_at(edition, {"bribing": "simultaneous"}, **CONTEST)
        game.offers("yellow", "red", form="pay", scholar="yellow-0-1", least=4)
        game.pays("yellow-0-1", 3)
        assert game.verdicts == ["lapsed"]
        with pytest.raises(BadPromise, match="too late"):
            game.offers("yellow", "red", form="pay", scholar="yellow-0-1", least=4)

    @pytest.mark.parametrize("returns", [None, {"form": "give-area", "least": 1}])
    def test_nor_can_that_for_the_next_applicant_be_offered(self, edition, returns):
        game = negotiated_at(edition, {"bribing": "simultaneous"}, **CONTEST)
        terms = {"form": "pay", "least": 4} | ({"returns": returns} if returns else {})
        game.offers("green", "red", **terms)
        game.pays("yellow-0-1", 3)
        with pytest.raises(BadPromise, match="submitted already"):
            game.offers("yellow", "red", **terms)
        back = {"form": "pay", "least": 4}
        with pytest.raises(BadPromise, match="submitted already"):
            game.offers("red", "yellow", form="give-area", least=1, returns=back)
        assert game.offers("green", "red", **terms) == 2
        game.pays("green-0-1", 5)
        assert game.offers("yellow", "red", **terms) == 3  # of one that is still to come

    @pytest.mark.parametrize("bribing", ["sequential", "simultaneous"])
    def test_the_next_applicant_is_not_the_resident_who_is_paid_for_now(self, edition, bribing):
        game = negotiated_at(edition, {"bribing": bribing}, **ATTACK)
        game.offers("yellow", "red", form="pay", least=4)
        game.pays("yellow-0-1", 3)
        assert game.offers("yellow", "red", form="pay", least=4) == 2
        game.pays("green-0-1", 3)
        assert game.verdicts == ["open", "open"]

    def test_whoever_can_send_nobody_there_any_more_has_no_next_applicant(self, edition):
        game = negotiated_at(edition, **CONTEST, round=EDITIONS[edition].rounds)
        assert game.offers("yellow", "red", form="pay", least=4) == 1
        both_pay(game, 4, 4)
        assert game.verdicts == ["lapsed"]
        for player in ("yellow", "blue"):
            with pytest.raises(BadPromise, match="no scholar left who could apply"):
                game.offers(player, "red", form="pay", least=4)

    def test_an_amount_must_be_one_that_can_be_paid(self, edition):
        game = negotiated_at(edition, **ALONE)
        with pytest.raises(BadPromise, match="multiple of"):
            game.offers("yellow", "red", form="pay", least=0)


class TestPayAtMost:
    """8. I will bribe no more than so much for this scholar."""

    @pytest.mark.parametrize(("paid", "verdict"), [(2, "kept"), (3, "broken")])
    def test_is_judged_by_the_next_bribe(self, edition, paid, verdict):
        game = contested(edition)
        ring = {"form": "pay-at-most", "scholar": "green-0-1", "most": 2}
        game.owes("yellow", "green", form="pay-at-most", scholar="yellow-0-1", most=2, returns=ring)
        game.pays("yellow-0-1", paid)
        assert game.verdicts == [verdict]
        game.pays("green-0-1", 2)
        [entry] = game.ledger
        assert entry.condition.value == ("kept" if verdict == "kept" else "void")

    @pytest.mark.parametrize(("most", "verdict"), [(2, "void"), (3, "kept")])
    @pytest.mark.parametrize("paid", [3, 5])
    def test_where_the_rules_ask_for_more_it_is_void(self, edition, most, paid, verdict):
        three = 3 * EDITIONS[edition].unit
        game = negotiated_at(edition, {"uncontested_min_bribe": three}, **ALONE)
        game.owes("yellow", "red", form="pay-at-most", scholar="yellow-0-1", most=most)
        game.pays("yellow-0-1", paid)
        assert game.verdicts == ["broken" if (most, paid) == (3, 5) else verdict]


class TestGiveArea:
    """9. My next open area of at least so much goes to you."""

    def offered(self, edition, *applicants, least=2, **more):
        game = negotiated_at(edition, applicants={"red": [*applicants]}, **more)
        units = game.areas[least] // game.unit
        game.owes("red", "yellow", form="give-area", least=units)
        for scholar in applicants:
            game.pays(scholar, 1)
        return game

    @pytest.mark.parametrize(
        ("areas", "verdict"),
        [
            ({"yellow_0_1": 2, "green_1_1": 0}, "kept"),
            ({"green_1_1": 3, "yellow_0_1": 2}, "kept"),
            ({"yellow_0_1": 0, "green_1_1": 2}, "broken"),
            ({"yellow_0_1": 0, "green_1_1": 1}, "pending"),
        ],
    )
    def test_is_judged_by_the_whole_decision(self, edition, areas, verdict):
        game = self.offered(edition, "yellow-0-1", "green-1-1")
        game.places(**areas)
        assert game.verdicts == [verdict]

    def test_is_broken_where_a_rival_is_hired_for_it(self, edition):
        game = self.offered(edition, "yellow-0-1", "green-0-1")
        game.places(green_0_1=2)
        assert game.verdicts == ["broken"]

    @pytest.mark.parametrize(("least", "verdict"), [(2, "broken"), (0, "void")])
    def test_with_nobody_of_theirs_at_the_door_a_smaller_one_would_do(
        self, edition, least, verdict
    ):
        game = self.offered(edition, "green-0-1", least=least)
        game.places(green_0_1=3)
        assert game.verdicts == [verdict]

    @pytest.mark.parametrize(
        ("applicants", "areas", "verdict"),
        [
            (["green-0-1", "blue-1-1"], {"green_0_1": 2, "blue_1_1": 0}, "broken"),
            (
                ["green-0-1", "blue-1-1", "blue-2-1"],
                {"green_0_1": 2, "blue_1_1": 0, "blue_2_1": 1},
                "void",
            ),
        ],
    )
    def test_two_smaller_ones_are_enough_for_two(self, edition, applicants, areas, verdict):
        game = negotiated_at(edition, applicants={"red": applicants})
        units = game.areas[2] // game.unit
        game.owes("red", "yellow", form="give-area", least=units)
        while game.stage != "placement":
            game.let_pass(game.waiting[0])
        game.places(**areas)
        assert game.verdicts == [verdict]

    def test_an_area_that_is_fought_for_was_not_open(self, edition):
        attack = {"palaces": {"red": {3: "blue-0-1"}}, "applicants": {"red": ["green-0-1"]}}
        game = negotiated_at(edition, **attack)
        game.owes("red", "yellow", form="give-area", least=1)
        game.pays("blue-0-1", 1)
        game.pays("green-0-1", 1)
        game.judges("green-0-1")
        assert game.verdicts == ["pending"]

    def test_where_none_is_open_there_is_nothing_to_promise(self, edition):
        last = len(EDITIONS[edition].areas) - 1
        game = negotiated_at(edition, palaces={"red": {last: "green-0-1"}})
        with pytest.raises(BadPromise, match="No such area is open there"):
            game.offers("red", "yellow", form="give-area", least=game.areas[last] // game.unit)


class TestMutual:
    """10. Mine if yours: each holds from the beginning, and ends with the other's breach."""

    def agreed(self, edition):
        game = negotiated_at(edition, **ATTACK)
        peace = {"form": "send-nobody", "until": 3}
        game.owes("red", "yellow", form="keep", scholar="yellow-0-1", until=4, returns=peace)
        both_pay(game, 1, 1)
        return game

    def test_both_are_kept(self, edition):
        game = self.agreed(edition)
        game.judges("yellow-0-1")
        game.pass_until(2, "yellow", "sending")
        game.sends(yellow_0_2="blue", yellow_1_1="green")
        game.pass_until(3, "yellow", "sending")
        game.sends(yellow_1_2="blue", yellow_2_1="green")
        game.pass_until(4, "red")
        [entry] = game.ledger
        assert (entry.verdict, entry.condition) == ("pending", "kept")

    def test_whoever_breaks_it_frees_the_other(self, edition):
        game = self.agreed(edition)
        game.judges("green-0-1")
        [entry] = game.ledger
        assert (entry.verdict, entry.condition) == ("broken", "void")
        game = self.agreed(edition)
        game.judges("yellow-0-1")
        game.pass_until(2, "yellow", "sending")
        game.sends(yellow_0_2="red", yellow_1_1="green")
        [entry] = game.ledger
        assert (entry.verdict, entry.condition) == ("void", "broken")


class TestReplies:
    def test_only_the_other_may_accept_or_decline_and_only_the_maker_withdraw(self, edition):
        game = negotiated_at(edition)
        game.offers("red", "yellow", form="send")
        for player, given in [("red", "accepted"), ("green", "declined"), ("yellow", "withdrawn")]:
            with pytest.raises(BadPromise, match="Only the player"):
                game.says(player, given)
        game.says("yellow", "declined")
        game.offers("red", "yellow", form="send")
        game.says("red", "withdrawn", 2)
        assert game.verdicts == ["declined", "withdrawn"]
        for player in ("red", "yellow"):
            with pytest.raises(BadPromise, match="no longer open"):
                game.says(player, "accepted", 1)
        with pytest.raises(BadPromise, match="no offer 3"):
            game.says("yellow", "accepted", 3)

    def test_what_was_declined_or_withdrawn_is_never_judged(self, edition):
        game = negotiated_at(edition)
        game.offers("red", "yellow", form="send")
        game.says("yellow", "declined")
        game.sends(red_0_1="yellow", red_0_2="blue")
        assert game.verdicts == ["declined"]

    def test_an_open_offer_lapses_with_its_occasion(self, edition):
        game = negotiated_at(edition)
        game.offers("red", "yellow", form="send")
        game.sends(red_0_1="green", red_0_2="blue")
        assert game.verdicts == ["lapsed"]

    def test_when_the_game_is_over_nothing_is_promised_and_nothing_is_open(self, edition):
        game = negotiated_at(edition, **ALONE, round=EDITIONS[edition].rounds)
        game.offers("red", "yellow", form="place", scholar="yellow-0-1", area=0)
        game.finish()
        assert game.verdicts == ["lapsed"]
        with pytest.raises(BadPromise, match="The game is over"):
            game.offers("red", "yellow", form="send")

    def test_nobody_promises_themselves_anything(self, edition):
        with pytest.raises(BadPromise, match="one player of the table to another"):
            negotiated_at(edition).offers("red", "red", form="send")
