"""The board: the exact facts of a position, what is new to the reader, and no secrets."""

from django.template.loader import render_to_string
from django.utils.translation import override

from games.engine import view
from games.presentation.board.board import board, fresh_in
from games.presentation.text.words import People
from tests.engine.cases import at

NAMES = ["Anna", "Boris", "Clara"]
RIVALS = ["red-clerk-1", "green-clerk-1", "green-priest-2"]


def conflict_at_annas(**more):
    """Anna holds court: two clerks and a priest stand at her door, two are in palaces already."""
    return at(
        "mayfair-2005",
        "yellow red green",
        **{
            "round": 2,
            "active": "yellow",
            "cash": {"yellow": 12000, "red": 14000, "green": 5000},
            "palaces": {
                "yellow": {6000: "green-priest-1"},
                "red": {1000: "yellow-doctor-1", 3000: "green-scientist-2"},
            },
            "applicants": {"yellow": RIVALS, "green": ["red-clerk-2"]},
            "island": ["red-priest-1"],
            **more,
        },
    )


def drawn(game, seat=None, seen=None):
    """The board; `seen` is how many events the reader knows from the last visit."""
    people = People(game.state.table, NAMES)
    fresh = None if seen is None else fresh_in(game.events[seen:])
    return board(people, view(game.state, seat), fresh)


def held(palace):
    return {area.salary: area.resident and area.resident.name for area in palace.areas}


def test_the_board_shows_who_is_where():
    shown = drawn(conflict_at_annas(), seat=1)
    anna, boris, clara = shown.palaces
    assert (shown.round, shown.rounds) == (2, 5)
    assert [palace.owner for palace in shown.palaces] == NAMES
    assert [palace.letter for palace in shown.palaces] == ["Y", "R", "G"]
    assert held(anna) == {
        "1,000": None,
        "6,000": "green priest 1",
        "10,000": None,
        "3,000": None,
    }
    assert held(boris)["1,000"] == "yellow doctor"
    assert held(boris)["3,000"] == "green scientist"
    assert [scholar.name for scholar in anna.applicants] == [
        "red clerk 1",
        "green clerk",
        "green priest 2",
    ]
    assert [scholar.name for scholar in clara.applicants] == ["red clerk 2"]
    assert [scholar.key for scholar in shown.island] == ["red-priest-1"]
    assert [scholar.occupation for scholar in boris.unsent] == [
        "scientist",
        "scientist",
        "doctor",
        "doctor",
        "priest",
    ]
    assert [occupation.name for occupation in shown.occupations] == [
        "scientist",
        "doctor",
        "priest",
        "clerk",
    ]


def attack_at_annas():
    """Boris attacks Clara's priest, who lives at Anna's."""
    return conflict_at_annas(applicants={"yellow": ["red-priest-2"]})


def test_the_board_shows_who_holds_court_who_is_to_move_and_what_is_fought_for():
    anna, boris, clara = drawn(attack_at_annas(), seat=1).palaces
    assert [palace.active for palace in (anna, boris, clara)] == [True, False, False]
    assert [palace.to_move for palace in (anna, boris, clara)] == [False, False, True]
    assert [palace.own for palace in (anna, boris, clara)] == [False, True, False]
    assert [area.salary for area in anna.areas if area.contested] == ["6,000"]
    assert [scholar.name for scholar in anna.applicants if scholar.contends] == ["red priest"]
    assert anna.areas[1].resident.contends


def test_only_the_readers_own_money_is_on_the_board():
    game = conflict_at_annas()
    assert [palace.cash for palace in drawn(game, seat=1).palaces] == ["", "14,000", ""]
    assert [palace.cash for palace in drawn(game).palaces] == ["", "", ""]


def test_bribes_of_the_present_conflict_stand_beside_their_scholars():
    game = attack_at_annas()
    game.bribe({"green-priest-1": 2000})
    anna = drawn(game).palaces[0]
    clara_paid, boris_to_pay = anna.areas[1].resident, anna.applicants[0]
    assert (clara_paid.paid, clara_paid.amount, clara_paid.contends) == ("2,000", "2000", True)
    assert (boris_to_pay.paid, boris_to_pay.contends) == ("", True)
    game.bribe({"red-priest-2": 4000})
    game.judge("green-priest-1")
    assert not [
        area for area in drawn(game).palaces[0].areas if area.resident and area.resident.paid
    ]


def test_sealed_bribes_are_only_shown_as_handed_in():
    game = conflict_at_annas(applicants={"yellow": RIVALS[:2]}, options={"bribing": "simultaneous"})
    game.bribe({"green-clerk-1": 2000})
    for reader in (0, 1, None):
        boris, clara = drawn(game, seat=reader).palaces[0].applicants
        assert (clara.sealed, clara.paid, clara.amount) == (True, "", "")
        assert (boris.sealed, boris.paid) == (False, "")
        assert "2,000" not in html(game, seat=reader)


def test_what_has_changed_since_the_last_visit_is_fresh():
    game = attack_at_annas()
    seen = len(game.events)
    game.bribe({"green-priest-1": 2000})
    paid = drawn(game, 1, seen)
    assert paid.palaces[0].areas[1].resident.fresh
    assert not paid.palaces[0].areas[1].fresh
    game.bribe({"red-priest-2": 4000})
    game.judge("red-priest-2")
    shown = drawn(game, 1, seen)
    anna, boris, _ = shown.palaces
    assert [area.salary for area in anna.areas if area.fresh] == ["6,000"]
    assert not any(area.fresh for area in boris.areas)
    assert [scholar.name for scholar in shown.island if scholar.fresh] == ["green priest"]
    assert 'class="mark new"' in html(game, 1, seen)


def test_nothing_is_fresh_where_nothing_happened_or_at_the_first_visit():
    game = attack_at_annas()
    game.bribe({"green-priest-1": 2000})
    for seen in (None, len(game.events)):
        assert 'class="mark new"' not in html(game, 0, seen)


def html(game, seat=None, seen=None, template="game/_board.html"):
    return render_to_string(template, {"board": drawn(game, seat, seen)})


def test_the_board_is_drawn_or_described_in_a_table():
    picture = html(conflict_at_annas(), seat=1)
    table = html(conflict_at_annas(), seat=1, template="game/_board_table.html")
    assert picture.count('data-scholar="green-priest-1"') == 1
    assert picture.count("data-scholar=") == 3 * 8
    assert picture.count("data-area=") == 3 * 4
    assert 'data-palace="yellow"' in picture
    assert "tabindex" not in picture
    assert "style=" not in picture
    assert table.count('<th scope="row">6,000</th>') == 3
    for fact in ("green priest 1", "red clerk 2", "14,000", "red priest"):
        assert fact in table


def test_numbers_for_the_script_are_plain_in_every_language():
    with override("de"):
        assert 'data-area="10000"' in html(conflict_at_annas())


def test_every_occupation_of_every_edition_has_an_emblem():
    symbols = render_to_string("components/_symbols.html")
    for edition, players in (("mayfair-2005", 3), ("fx-schmid-1994", 5), ("reference-manual", 4)):
        colours = " ".join(("red", "yellow", "green", "blue", "violet")[:players])
        for occupation in drawn_opening(edition, colours).occupations:
            assert f'id="emblem-{occupation.key}"' in symbols


def drawn_opening(edition, colours):
    game = at(
        edition,
        colours,
        round=1,
        active="red",
        cash=dict.fromkeys(colours.split(), 10000),
        applicants={},
        island=[],
    )
    return board(People(game.state.table, colours.split()), view(game.state, None))
