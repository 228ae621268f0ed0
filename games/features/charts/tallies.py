"""What a game's events add up to: salaries, bribes, places. Pure numbers for the charts.

Bribes are counted as they ended: what a loser gets back was neither paid nor taken.
"""

from collections.abc import Sequence

from games.engine import Event, State
from games.engine.events import BribesPaid, SalaryPaid, ScholarBanished
from games.presentation.ranking import Player
from games.presentation.text.words import listed

type Played = Sequence[tuple[Event, State]]
"""All events of a game, each with the state after it."""


def taken_in_bribes(text: Played, seats: int) -> list[int]:
    """What each seat took in bribes, also from the bank for who had no more, less what it gave."""
    taken = [0] * seats
    for event, state in text:
        if isinstance(event, BribesPaid) and state.active is not None:
            taken[state.active] += sum(payment.amount for payment in event.payments)
        elif isinstance(event, ScholarBanished):
            taken[event.palace] -= event.refund + event.bank
    return taken


def salaries_earned(text: Played, seats: int) -> list[int]:
    """What the bank paid each seat for its scholars."""
    earned = [0] * seats
    for event, _state in text:
        if isinstance(event, SalaryPaid):
            earned[event.seat] += sum(salary for _who, _palace, salary in event.salaries)
    return earned


def ends_of_rounds(text: Played) -> dict[int, State]:
    """The last state of each round."""
    return {state.round: state for _event, state in text}


def places_held(state: State) -> list[int]:
    """How many areas the scholars of each seat hold, in all palaces."""
    held = [0] * len(state.palaces)
    for palace in state.palaces:
        for scholar in palace:
            if scholar is not None:
                held[scholar.owner] += 1
    return held


def best(players: list[Player], amounts: Sequence[int]) -> str:
    """Those who have the largest of the amounts."""
    most = max(amounts)
    return listed(
        player.name for player, amount in zip(players, amounts, strict=True) if amount == most
    )
