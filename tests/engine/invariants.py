"""What is true of every state of every game, each as a named check.

The lemmas are those of docs/rules.md.
"""

from collections.abc import Callable, Sequence

from games.engine import Event, Stage, State
from games.engine.events import BribesPaid, GameEnded, SalaryPaid, ScholarBanished


def every_scholar_is_in_exactly_one_place(state: State) -> None:
    placed = [scholar for row in state.palaces for scholar in row if scholar is not None]
    placed += [scholar for row in (*state.applicants, *state.unsent) for scholar in row]
    placed += state.island
    assert sorted(placed) == sorted(state.table.names), "a scholar is lost, or in two places"
    edition = state.table.edition
    assert len(placed) == len(state.table.players) * 2 * len(edition.occupations)


def no_scholar_is_in_or_before_his_own_palace(state: State) -> None:
    for owner, (row, waiting) in enumerate(zip(state.palaces, state.applicants, strict=True)):
        there = [scholar for scholar in (*row, *waiting) if scholar is not None]
        assert all(scholar.owner != owner for scholar in there), f"one of seat {owner}'s own"


def nobodys_unsent_are_anothers(state: State) -> None:
    for owner, row in enumerate(state.unsent):
        assert all(scholar.owner == owner for scholar in row), f"a stranger beside palace {owner}"
        assert list(row) == sorted(row), "not in card order"


def no_occupation_is_employed_twice_in_a_palace(state: State) -> None:
    for row in state.palaces:
        occupations = [scholar.occupation for scholar in row if scholar is not None]
        assert len(set(occupations)) == len(occupations), "an occupation twice in one palace"


def nobody_owes_money_unless_the_table_knows_debts(state: State) -> None:
    if state.table.edition.broke == "bank":
        assert min(state.cash) >= 0, "a debt where the bank should have paid"


def money_is_whole_and_a_multiple_of_the_unit(state: State) -> None:
    for money in (*state.cash, state.bank):
        assert type(money) is int, "no whole number"
        assert money % state.table.edition.unit == 0, "no such bills"


def cash_plus_bank_is_what_it_was(state: State) -> None:
    edition = state.table.edition
    total = edition.starting_cash * len(state.table.players)
    assert sum(state.cash) + state.bank == total, "money was made or lost"


def lemma_1_there_is_an_area_for_whoever_must_be_hired(state: State) -> None:
    for row, waiting in zip(state.palaces, state.applicants, strict=True):
        bound = {scholar.occupation for scholar in row if scholar is not None}
        unbound = {scholar.occupation for scholar in waiting} - bound
        assert row.count(None) == len(state.table.edition.areas) - len(bound)
        assert len(unbound) <= row.count(None), "more to hire than open areas"


def lemma_2_no_more_applicants_than_sends_since_the_owners_turn(state: State) -> None:
    others = len(state.table.players) - 1
    most = others if state.table.edition.distinct_palaces else 2 * others
    assert max(map(len, state.applicants)) <= most, "too many before one palace"


def lemma_3_distinct_palaces_leave_one_applicant_of_each_player(state: State) -> None:
    if state.table.edition.distinct_palaces:
        for waiting in state.applicants:
            owners = [scholar.owner for scholar in waiting]
            assert len(set(owners)) == len(owners), "two of one player before one palace"


def lemma_4_contenders_are_few(state: State) -> None:
    others = len(state.table.players) - 1
    if state.stage is Stage.INTERNAL_BRIBES:
        distinct = state.table.edition.distinct_palaces
        attackers = len(state.contenders) - 1
        assert 1 <= attackers <= (others if distinct else 2 * others - 1)
    if state.stage is Stage.EXTERNAL_BRIBES:
        occupations = [scholar.occupation for scholar in state.contenders]
        most = others if state.table.edition.distinct_palaces else 2 * others
        assert all(2 <= occupations.count(each) <= most for each in occupations)


STATE_CHECKS: Sequence[Callable[[State], None]] = (
    every_scholar_is_in_exactly_one_place,
    no_scholar_is_in_or_before_his_own_palace,
    nobodys_unsent_are_anothers,
    no_occupation_is_employed_twice_in_a_palace,
    nobody_owes_money_unless_the_table_knows_debts,
    money_is_whole_and_a_multiple_of_the_unit,
    cash_plus_bank_is_what_it_was,
    lemma_1_there_is_an_area_for_whoever_must_be_hired,
    lemma_2_no_more_applicants_than_sends_since_the_owners_turn,
    lemma_3_distinct_palaces_leave_one_applicant_of_each_player,
    lemma_4_contenders_are_few,
)


def hold(state: State) -> None:
    """All that is true of a state by itself, in a game that began at the set-up."""
    for check in STATE_CHECKS:
        check(state)


def a_filled_area_stays_with_its_occupation(before: State, after: State) -> None:
    for old_row, new_row in zip(before.palaces, after.palaces, strict=True):
        for old, new in zip(old_row, new_row, strict=True):
            if old is not None:
                assert new is not None, "a filled area became empty"
                assert new.occupation == old.occupation, "an area changed its occupation"


def nobody_comes_back(before: State, after: State) -> None:
    assert set(before.island) <= set(after.island), "somebody left the island"
    for old, new in zip(before.unsent, after.unsent, strict=True):
        assert set(new) <= set(old), "somebody is beside his palace again"


def lemma_7_the_owner_pays_nothing_in_his_own_turn(
    before: State, after: State, events: Sequence[Event]
) -> None:
    """Nor does a refund cost him more than the bribes of that conflict brought."""
    owner = before.active
    paid = [event for event in events if isinstance(event, BribesPaid)]
    assert all(event.seat != owner for event in paid), "the owner bribed himself"
    given_back = sum(
        event.refund + event.bank for event in events if isinstance(event, ScholarBanished)
    )
    assert given_back <= sum(payment.amount for payment in before.paid)
    if owner is not None and before.table.edition.broke == "bank":
        assert after.cash[owner] >= 0


def cash_changes_only_as_the_events_tell(
    before: State, after: State, events: Sequence[Event]
) -> None:
    """Bribes, refunds and salaries, counted again from the events alone."""
    cash = list(before.cash)
    owner = before.active
    for event in events:
        if isinstance(event, SalaryPaid):
            cash[event.seat] += sum(salary for _, _, salary in event.salaries)
        elif isinstance(event, BribesPaid):
            for _, amount, bank in event.payments:
                cash[event.seat] -= amount - bank
                cash[owner] += amount
        elif isinstance(event, ScholarBanished):
            cash[event.scholar.owner] += event.refund
            cash[event.palace] -= event.refund + event.bank
        elif isinstance(event, GameEnded):
            assert tuple(cash) == event.cash
    assert tuple(cash) == after.cash
