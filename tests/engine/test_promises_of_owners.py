"""What a palace's owner promises about scholars: kept, broken, void or pending."""

import pytest

from games.engine import EDITIONS
from games.engine.errors import BadPromise
from tests.engine.negotiating import ALONE, AT_BLUE, ATTACK, both_pay, contested, negotiated_at

pytestmark = pytest.mark.parametrize("edition", EDITIONS)


class TestHire:
    """1. If you bribe this scholar with at least so much, I will hire it."""

    @pytest.mark.parametrize(
        ("paid", "hired", "verdict"),
        [(4, "yellow_0_1", "kept"), (4, "green_0_1", "broken"), (3, "green_0_1", "void")],
    )
    def test_is_judged_when_the_owner_decides(self, edition, paid, hired, verdict):
        game = contested(edition)
        bribe = {"bribe": "yellow-0-1", "least": 4}
        game.owes("red", "yellow", form="hire", scholar="yellow-0-1", returns=bribe)
        game.pays("yellow-0-1", paid)
        game.pays("green-0-1", 9)
        assert game.verdicts == ["void" if paid < 4 else "pending"]
        game.places(**{hired: 3})
        assert game.verdicts == [verdict]

    def test_with_too_little_paid_it_is_void_though_it_is_hired(self, edition):
        game = contested(edition)
        bribe = {"bribe": "yellow-0-1", "least": 4}
        game.owes("red", "yellow", form="hire", scholar="yellow-0-1", returns=bribe)
        both_pay(game, 3, 1)
        game.places(yellow_0_1=0)
        assert game.verdicts == ["void"]

    def test_may_be_requested_by_the_other(self, edition):
        game = contested(edition)
        bribe = {"bribe": "yellow-0-1", "least": 1}
        terms = {"form": "hire", "scholar": "yellow-0-1", "promiser": "red", "returns": bribe}
        game.offers("yellow", "red", **terms)
        assert game.ledger[0].promise.seat == game.seat("red")
        game.says("red", "accepted")
        both_pay(game, 1, 1)
        game.places(green_0_1=0)
        assert game.verdicts == ["broken"]

    def test_lapses_once_the_bribe_is_paid(self, edition):
        game = contested(edition)
        bribe = {"bribe": "yellow-0-1", "least": 4}
        game.offers("red", "yellow", form="hire", scholar="yellow-0-1", returns=bribe)
        game.pays("yellow-0-1", 4)
        assert game.verdicts == ["lapsed"]
        with pytest.raises(BadPromise, match="no longer open: it is lapsed"):
            game.says("yellow", "accepted")

    @pytest.mark.parametrize(
        ("round_", "palace", "applicants", "away", "may_be_refused"),
        [
            # By whoever may still be sent there, in red's turn: yellow's turn comes before blue's.
            (-1, "blue", ["yellow-0-1"], [], True),
            (0, "blue", ["yellow-0-1"], [], False),
            (0, "blue", ["yellow-0-1", "green-0-1"], [], True),
            (0, "blue", ["yellow-0-1", "green-1-1"], [], False),
            (-1, "blue", ["yellow-0-1"], ["red-0-1", "red-0-2", "green-0-1", "green-0-2"], True),
            (-1, "blue", ["yellow-0-1"], ["red-0", "green-0", "yellow-0-2"], False),
            # Scholars who aren't there yet.
            (-1, "blue", [], [], True),
            (-1, "blue", [], ["red-0", "green-0"], None),
        ],
    )
    def test_is_only_offered_where_the_scholar_could_be_refused(
        self, edition, round_, palace, applicants, away, may_be_refused
    ):
        rounds, kinds = EDITIONS[edition].rounds, EDITIONS[edition].occupations
        gone = [
            f"{owner}-{kinds[int(kind)]}-{number}"
            for owner, kind, *numbers in (one.split("-") for one in away)
            for number in numbers or (1, 2)
        ]
        game = negotiated_at(
            edition, round=rounds + round_, applicants={palace: applicants}, island=gone,
        )  # fmt: skip
        if may_be_refused is None:  # by its twin: may both be sent to one palace?
            may_be_refused = not EDITIONS[edition].distinct_palaces
        if may_be_refused:
            assert game.offers(palace, "yellow", form="hire", scholar="yellow-0-1") == 1
        else:
            with pytest.raises(BadPromise, match="can't be refused"):
                game.offers(palace, "yellow", form="hire", scholar="yellow-0-1")

    def test_is_void_where_the_scholar_goes_elsewhere(self, edition):
        game = negotiated_at(edition)
        bribe = {"bribe": "yellow-0-1", "least": 1}
        game.owes("red", "yellow", form="hire", scholar="yellow-0-1", returns=bribe)
        game.sends(red_2_1="yellow", red_3_1="blue")
        game.pass_until(2, "yellow", "sending")
        game.sends(yellow_0_1="green", yellow_1_2="blue")
        game.pass_until(2, "green", "placement")
        assert game.verdicts == ["pending"]
        game.let_pass("green")
        assert game.verdicts == ["void"]

    @pytest.mark.parametrize("terms", [{"scholar": "green-0-1"}, {"scholar": "blue-0-1"}])
    def test_is_of_a_scholar_of_the_one_who_gets_the_promise(self, edition, terms):
        with pytest.raises(BadPromise, match="one of the player yellow"):
            contested(edition).offers("red", "yellow", form="hire", **terms)

    def test_where_nobody_else_applies_there_is_nothing_to_promise(self, edition):
        with pytest.raises(BadPromise, match="only applicant of an occupation can't be refused"):
            negotiated_at(edition, **ALONE).offers(
                "red", "yellow", form="hire", scholar="yellow-0-1"
            )

    def test_while_others_may_still_apply_there_is(self, edition):
        game = negotiated_at(edition, applicants={"green": ["yellow-0-1"]})
        assert game.offers("green", "yellow", form="hire", scholar="yellow-0-1") == 1

    def test_for_an_area_that_is_fought_for_it_is_another_form(self, edition):
        with pytest.raises(BadPromise, match="wins the conflict"):
            negotiated_at(edition, **ATTACK).offers(
                "red", "green", form="hire", scholar="green-0-1"
            )


class TestPlace:
    """2. I will place it in this area, or in one that pays at least so much."""

    @pytest.mark.parametrize(
        ("terms", "area", "verdict"),
        [
            ({"area": 2}, 2, "kept"),
            ({"area": 2}, 3, "broken"),
            ({"least": 0}, 0, "kept"),
            ({"least": 2}, 3, "kept"),
            ({"least": 2}, 1, "broken"),
        ],
    )
    def test_is_judged_by_the_area(self, edition, terms, area, verdict):
        game = negotiated_at(edition, **ALONE)
        if "least" in terms:
            terms = {"least": game.areas[terms["least"]] // game.unit}
        game.owes("red", "yellow", form="place", scholar="yellow-0-1", **terms)
        game.pays("yellow-0-1", 1)
        game.places(yellow_0_1=area)
        assert game.verdicts == [verdict]

    def test_is_broken_when_a_rival_is_hired(self, edition):
        game = contested(edition)
        game.owes("red", "yellow", form="place", scholar="yellow-0-1", area=2)
        both_pay(game, 1, 1)
        game.places(green_0_1=2)
        assert game.verdicts == ["broken"]

    @pytest.mark.parametrize("order", [("yellow_0_1", "green_1_1"), ("green_1_1", "yellow_0_1")])
    def test_is_broken_when_another_gets_that_area(self, edition, order):
        game = negotiated_at(edition, applicants={"red": ["yellow-0-1", "green-1-1"]})
        game.owes("red", "yellow", form="place", scholar="yellow-0-1", area=2)
        game.pays("yellow-0-1", 1)
        game.pays("green-1-1", 1)
        areas = {"yellow_0_1": 1, "green_1_1": 2}
        game.places(**{one: areas[one] for one in order})
        assert game.verdicts == ["broken"]

    def test_is_broken_before_it_applies_when_its_area_is_given_away(self, edition):
        game = negotiated_at(edition, **ALONE)
        game.owes("red", "green", form="place", scholar="green-1-1", area=2)
        game.pays("yellow-0-1", 1)
        game.places(yellow_0_1=2)
        assert game.verdicts == ["broken"]

    def test_is_void_when_there_was_no_other_area_to_give(self, edition):
        last = len(EDITIONS[edition].areas) - 1
        held = {place: f"blue-{place}-1" for place in range(last)}
        applicants = {"red": [f"yellow-{last}-1"]}
        game = negotiated_at(edition, palaces={"red": held}, applicants=applicants)
        game.owes("red", "green", form="place", scholar=f"green-{last}-1", area=last)
        game.pays(f"yellow-{last}-1", 1)
        assert game.verdicts == ["pending"]
        game.let_pass("red")
        assert game.verdicts == ["pending"]  # green can still win it in a conflict
        game = negotiated_at(edition, palaces={"red": held}, applicants=applicants)
        game.owes("red", "green", form="place", scholar=f"green-{last}-1", least=1)
        game.finish()
        assert game.verdicts == ["void"]

    def test_of_its_own_kind_only_the_area_that_is_taken_counts(self, edition):
        game = negotiated_at(edition, **ALONE)
        game.owes("red", "green", form="place", scholar="green-0-1", area=2)
        game.owes("red", "blue", form="place", scholar="blue-0-1", area=1)
        game.pays("yellow-0-1", 1)
        game.places(yellow_0_1=1)
        assert game.verdicts == ["broken", "pending"]

    def test_where_its_kind_has_an_area_open_ones_do_not_matter(self, edition):
        last = len(EDITIONS[edition].areas) - 1
        applicants = {"red": ["green-0-1", "yellow-1-1", "yellow-2-1"]}
        game = negotiated_at(
            edition, palaces={"red": {last - 2: "blue-0-1"}}, applicants=applicants
        )
        least = game.areas[last - 2] // game.unit
        game.owes("red", "green", form="place", scholar="green-0-1", least=least)
        game.bribe({game.name("yellow-1-1"): game.unit, game.name("yellow-2-1"): game.unit})
        game.places(yellow_1_1=last, yellow_2_1=last - 1)
        assert game.verdicts == ["pending"]

    @pytest.mark.parametrize(("area", "verdict"), [(1, "kept"), (3, None)])
    def test_an_attacker_can_only_get_the_area_of_its_kind(self, edition, area, verdict):
        game = negotiated_at(edition, **ATTACK)
        terms = {"form": "place", "scholar": "green-0-1", "area": area}
        if verdict is None:
            with pytest.raises(BadPromise, match="no such area"):
                game.offers("red", "green", **terms)
            return
        game.owes("red", "green", **terms)
        both_pay(game, 1, 1)
        game.judges("green-0-1")
        assert game.verdicts == [verdict]

    def test_areas_that_are_none_are_refused(self, edition):
        game = negotiated_at(edition, **ALONE)
        with pytest.raises(BadPromise, match="The areas are"):
            game.offers("red", "yellow", form="place", scholar="yellow-0-1", least=10**6)
        with pytest.raises(BadPromise, match="The areas are"):
            game.offers("red", "yellow", form="place", scholar="yellow-0-1")


class TestWin:
    """3. I will let it win this conflict."""

    @pytest.mark.parametrize(
        ("scholar", "winner", "verdict"),
        [
            ("yellow-0-1", "yellow-0-1", "kept"),
            ("yellow-0-1", "green-0-1", "broken"),
            ("green-0-1", "green-0-1", "kept"),
            ("green-0-1", "yellow-0-1", "broken"),
        ],
    )
    def test_is_judged_by_the_winner(self, edition, scholar, winner, verdict):
        game = negotiated_at(edition, **ATTACK)
        game.owes("red", scholar.split("-")[0], form="win", scholar=scholar)
        both_pay(game, 2, 3)
        game.judges(winner)
        assert game.verdicts == [verdict]

    def test_where_only_the_highest_attack_may_win_the_rules_make_it_void(self, edition):
        attack = {"palaces": {"red": {1: "yellow-0-1"}}}
        attackers = {"applicants": {"red": ["green-0-1", "blue-0-1"]}}
        game = negotiated_at(edition, {"attackers": "highest"}, **attack, **attackers)
        game.owes("red", "green", form="win", scholar="green-0-1")
        game.owes("red", "yellow", form="win", scholar="yellow-0-1")
        both_pay(game, 1, 2)
        game.pays("blue-0-1", 3)
        game.judges("blue-0-1")
        assert game.verdicts == ["void", "broken"]

    def test_where_nobody_holds_an_area_it_is_another_form(self, edition):
        with pytest.raises(BadPromise, match="promise to hire"):
            contested(edition).offers("red", "yellow", form="win", scholar="yellow-0-1")


class TestKeep:
    """4. I will keep it against every attacker until that round."""

    def test_is_kept_when_the_round_is_over(self, edition):
        game = negotiated_at(edition, **ATTACK)
        game.owes("red", "yellow", form="keep", scholar="yellow-0-1", until=2)
        both_pay(game, 1, 1)
        game.judges("yellow-0-1")
        game.pass_until(2, "blue", "sending")
        assert game.verdicts == ["pending"]
        game.let_pass("blue")
        assert game.verdicts == ["kept"]

    def test_is_broken_when_it_is_driven_out(self, edition):
        game = negotiated_at(edition, **ATTACK)
        game.owes("red", "yellow", form="keep", scholar="yellow-0-1", until=4)
        both_pay(game, 1, 1)
        game.judges("green-0-1")
        assert game.verdicts == ["broken"]

    def test_until_the_last_round_is_kept_at_the_end(self, edition):
        last = EDITIONS[edition].rounds
        game = negotiated_at(edition, palaces={"red": {1: "yellow-0-1"}}, **AT_BLUE, round=last)
        game.owes("red", "yellow", form="keep", scholar="yellow-0-1", until=last)
        game.finish()
        assert game.verdicts == ["kept"]

    def test_for_a_bribe_that_never_comes_is_void(self, edition):
        game = negotiated_at(edition, palaces={"red": {1: "yellow-0-1"}})
        bribe = {"bribe": "yellow-0-1", "least": 1}
        terms = {"form": "keep", "scholar": "yellow-0-1", "until": 2, "returns": bribe}
        game.owes("red", "yellow", **terms)
        game.pass_until(3, "red")
        assert game.verdicts == ["void"]

    def test_for_a_bribe_that_never_comes_is_void_at_the_end_too(self, edition):
        last = EDITIONS[edition].rounds
        game = negotiated_at(edition, palaces={"red": {1: "yellow-0-1"}}, **AT_BLUE, round=last)
        bribe = {"bribe": "yellow-0-1", "least": 1}
        terms = {"form": "keep", "scholar": "yellow-0-1", "until": last, "returns": bribe}
        game.owes("red", "yellow", **terms)
        game.finish()
        assert game.verdicts == ["void"]

    @pytest.mark.parametrize("until", [1, 99])
    def test_a_round_that_is_over_or_never_comes_is_refused(self, edition, until):
        game = negotiated_at(edition, palaces={"red": {1: "yellow-0-1"}})
        with pytest.raises(BadPromise, match="last round must be from 2 to"):
            game.offers("red", "yellow", form="keep", scholar="yellow-0-1", until=until)

    def test_whoever_has_no_area_cannot_be_kept(self, edition):
        with pytest.raises(BadPromise, match="has no area"):
            negotiated_at(edition).offers(
                "red", "yellow", form="keep", scholar="yellow-0-1", until=3
            )
