"""A promise kept though somebody else had paid more, and got less for it."""

import pytest

from games.engine import Scholar
from games.engine.events import BribesPaid, ScholarBanished, ScholarHired, ScholarKept
from games.engine.interest import kept_against_interest
from games.engine.promises import Hire, Keep, PlaceIn, Promise, Win
from games.engine.state import Payment

OWNER, FRIEND, RIVAL = 0, 1, 2
MINE, THEIRS = Scholar(FRIEND, 0, 1), Scholar(RIVAL, 0, 1)
CLERK = Scholar(RIVAL, 1, 1)


def paid(scholar, amount):
    return BribesPaid(scholar.owner, (Payment(scholar, amount, 0),))


def banished(scholar):
    return ScholarBanished(OWNER, scholar, 0, 0)


@pytest.mark.parametrize(("rival_paid", "found"), [(3000, True), (2000, False), (1000, False)])
@pytest.mark.parametrize("deed", [Hire(MINE), Win(MINE), PlaceIn(MINE, None, 6000)])
def test_it_is_the_higher_bribe_that_has_to_lose(deed, rival_paid, found):
    conflict = [
        paid(MINE, 2000),
        paid(THEIRS, rival_paid),
        ScholarHired(OWNER, MINE, 6000),
        banished(THEIRS),
    ]
    assert kept_against_interest(Promise(OWNER, FRIEND, deed), conflict) is found


@pytest.mark.parametrize(("area", "found"), [(3000, True), (10000, False)])
def test_a_lower_area_for_the_higher_bribe_counts_too(area, found):
    conflict = [
        paid(MINE, 2000),
        paid(CLERK, 5000),
        ScholarHired(OWNER, MINE, 6000),
        ScholarHired(OWNER, CLERK, area),
    ]
    promise = Promise(OWNER, FRIEND, PlaceIn(MINE, 6000, None))
    assert kept_against_interest(promise, conflict) is found


def test_a_resident_that_keeps_its_area_against_a_higher_bribe_counts():
    conflict = [paid(MINE, 1000), paid(THEIRS, 9000), ScholarKept(OWNER, MINE, 6000)]
    conflict.append(banished(THEIRS))
    assert kept_against_interest(Promise(OWNER, FRIEND, Win(MINE)), conflict)


def test_ones_own_twin_that_paid_more_is_no_rival_and_other_promises_cost_nothing():
    twin = Scholar(FRIEND, 0, 2)
    own = [paid(MINE, 1000), paid(twin, 2000), ScholarHired(OWNER, MINE, 6000), banished(twin)]
    assert not kept_against_interest(Promise(OWNER, FRIEND, Hire(MINE)), own)
    against = [paid(MINE, 1000), paid(THEIRS, 9000), ScholarKept(OWNER, MINE, 6000)]
    assert not kept_against_interest(Promise(OWNER, FRIEND, Keep(MINE, 3)), against)
