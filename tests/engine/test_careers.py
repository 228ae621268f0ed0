"""What each scholar cost and earned: by hand, and of the recorded games."""

import pytest

from games.engine import Payment, Scholar, view_event
from games.engine.careers import Career, careers
from games.engine.events import (
    BribesPaid,
    GameStarted,
    SalaryPaid,
    ScholarBanished,
    ScholarHired,
    ScholarKept,
    ScholarsSent,
    TurnBegan,
)
from games.engine.state import make_table, opening
from tests.support.recorded import RECORDS, SMALL, events_and_states

TABLE = make_table("mayfair-2005", {}, ("red", "yellow", "green"), "red")
CLERK, PRIEST, RIVAL = Scholar(1, 3, 1), Scholar(1, 2, 2), Scholar(2, 3, 1)


def found(*events):
    """The careers that these events of round 3 change, with those of a game before them."""
    all_of_them = careers([GameStarted(TABLE, opening(TABLE)), TurnBegan(3, 0), *events])
    assert [one.scholar for one in all_of_them] == sorted(TABLE.names)
    return {one.scholar: one for one in all_of_them if one != Career(one.scholar)}


def test_a_scholar_that_works_and_is_beaten_later():
    assert found(
        ScholarsSent(1, ((CLERK, 0), (PRIEST, 2))),
        BribesPaid(1, (Payment(CLERK, 4000, 0),)),
        ScholarHired(0, CLERK, 6000),
        SalaryPaid(1, ((CLERK, 0, 6000),)),
        BribesPaid(1, (Payment(CLERK, 2000, 500),)),
        ScholarKept(0, CLERK, 6000),
        SalaryPaid(1, ((CLERK, 0, 6000),)),
        TurnBegan(4, 0),
        BribesPaid(1, (Payment(CLERK, 1000, 0),)),
        ScholarBanished(0, CLERK, 0, 0),
    ) == {
        CLERK: Career(CLERK, 0, 6000, 4, bribes=6500, by_bank=500, earned=12000, defended=1),
        PRIEST: Career(PRIEST, 2),
    }


def test_what_comes_back_was_not_paid():
    assert found(
        BribesPaid(1, (Payment(CLERK, 4000, 1000),)),
        BribesPaid(2, (Payment(RIVAL, 2000, 0),)),
        ScholarHired(0, RIVAL, 10000),
        ScholarBanished(0, CLERK, 3000, 1000),
    ) == {
        CLERK: Career(CLERK, 0, None, 3),
        RIVAL: Career(RIVAL, 0, 10000, bribes=2000),
    }


def test_the_careers_of_the_small_game():
    known = careers(event for event, _state in events_and_states(SMALL))
    names = events_and_states(SMALL)[0][1].table.names
    assert {names[one.scholar]: one[1:] for one in known if one.palace is not None} == {
        "red-doctor-1": (3, None, 2, 1000, 0, 0, 0),
        "red-doctor-2": (3, 1000, None, 1000, 0, 2000, 0),
        "yellow-scientist-1": (0, None, 2, 1000, 0, 0, 0),
        "yellow-doctor-1": (2, 3000, None, 7000, 0, 6000, 0),
        "violet-scientist-1": (0, 1000, None, 9000, 0, 2000, 1),
        "violet-clerk-1": (0, 3000, None, 32000, 0, 6000, 0),
        "blue-priest-2": (0, 10000, None, 2000, 0, 20000, 0),
        "blue-clerk-2": (1, 1000, None, 1000, 0, 2000, 0),
    }


@pytest.mark.parametrize("record", RECORDS)
def test_a_career_ends_where_the_scholar_is_in_the_last_state(record):
    text = events_and_states(record)
    state = text[-1][1]
    areas = state.table.edition.areas
    for one in careers(event for event, _state in text):
        place = None if one.palace is None else (one.palace, one.area)
        if one.banished is not None:
            assert one.scholar in state.island
        elif place is None:
            assert one.scholar in state.unsent[one.scholar.owner]
        elif one.area is None:
            assert one.scholar in state.applicants[one.palace]
        else:
            assert state.palaces[one.palace][areas.index(one.area)] == one.scholar


@pytest.mark.parametrize("record", RECORDS)
def test_they_follow_from_what_spectators_may_know(record):
    events = [event for event, _state in events_and_states(record)]
    assert careers(events) == careers(view_event(event, None) for event in events)
