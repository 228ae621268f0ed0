"""What a seat may choose now, as a finite description.

Forms, the validator, the default move and the computer players all read this one description.
Money is in the edition's currency; areas are salaries; palaces are seat numbers.
"""

from typing import TYPE_CHECKING, NamedTuple

from games.engine.state import BRIBING, Payment, Scholar, Stage, State, Table, resident, to_move

if TYPE_CHECKING:
    from games.engine.view import Seen  # which imports this module

SENT_IN_A_TURN = 2


class BribeChoice(NamedTuple):
    """One amount for each of `scholars` (all of them, each once), in any order of paying.

    Payment by payment (ruling 4): with `minimum` or more in hand, any multiple of `unit` from
    `minimum` up to all of it; with less, exactly `minimum`. A scholar in `may_pass` may also bribe
    0. `cash` is what the player holds before the first payment.
    """

    scholars: tuple[Scholar, ...]
    minimum: int
    unit: int
    cash: int
    may_pass: tuple[Scholar, ...]

    def highest(self, cash: int) -> int:
        """The most that one bribe may be with `cash` in hand: at least the minimum, always."""
        return max(cash - cash % self.unit, self.minimum)


class PlaceChoice(NamedTuple):
    """Exactly one scholar of each of `conflicts`, each in a different one of `open_areas`.

    An uncontested applicant is a conflict of one.
    """

    conflicts: tuple[tuple[Scholar, ...], ...]
    open_areas: tuple[int, ...]


class JudgeChoice(NamedTuple):
    """One of `winners` takes or keeps `area`."""

    winners: tuple[Scholar, ...]
    area: int


class SendChoice(NamedTuple):
    """Exactly `count` different ones of `scholars`, each to one of `palaces`.

    With `distinct` to different palaces.
    """

    scholars: tuple[Scholar, ...]
    palaces: tuple[int, ...]
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody needs here
    distinct: bool


type Choice = BribeChoice | PlaceChoice | JudgeChoice | SendChoice


def legal(state: State, seat: int) -> Choice | None:
    """What this seat may choose now, or None where it is not to move.

    The choice is all there is: a move is legal if and only if `check` accepts it.
    """
    return choice_of_mover(state, seat) if seat in to_move(state) else None


def choice_of_mover(state: State, seat: int) -> Choice:
    """What this seat may choose now; the caller knows already that it is to move."""
    if state.stage in BRIBING:
        return _bribe_choice(state, seat)
    if state.stage is Stage.SENDING:
        return send_choice(state.table, state.unsent[seat], seat)
    return decision_choice(
        state.table, state.palaces[seat], state.contenders, state.paid, state.area
    )


def _bribe_choice(state: State, seat: int) -> BribeChoice:
    edition = state.table.edition
    own = tuple([scholar for scholar in state.contenders if scholar.owner == seat])
    may_pass: tuple[Scholar, ...] = ()
    if edition.defender_bribe == "optional":
        defender = resident(state)
        may_pass = tuple(scholar for scholar in own if scholar == defender)
    minimum = minimum_bribe(state)
    return BribeChoice(own, minimum, edition.unit, state.cash[seat], may_pass)


def minimum_bribe(state: "Seen") -> int:
    """The least that a bribe may be in this round and stage."""
    uncontested = state.stage is Stage.UNCONTESTED_BRIBES
    return state.table.edition.minimum_bribe(state.round, uncontested=uncontested)


def decision_choice(
    table: Table,
    residents: tuple[Scholar | None, ...],
    contenders: tuple[Scholar, ...],
    paid: tuple[Payment, ...],
    area: int | None,
) -> PlaceChoice | JudgeChoice:
    """What the owner of a palace may decide once every contender has paid.

    `residents` hold its areas; `area` is the salary fought for in an internal conflict, else None.
    """
    areas = table.edition.areas
    if area is None:
        return _place_choice(areas, residents, contenders)
    defender = residents[areas.index(area)]
    return _judge_choice(table, defender, contenders, paid, area)


def _place_choice(
    areas: tuple[int, ...], residents: tuple[Scholar | None, ...], contenders: tuple[Scholar, ...]
) -> PlaceChoice:
    conflicts: dict[int, list[Scholar]] = {}
    for scholar in contenders:
        conflicts.setdefault(scholar.occupation, []).append(scholar)
    open_areas = [salary for place, salary in enumerate(areas) if residents[place] is None]
    return PlaceChoice(tuple([tuple(rivals) for rivals in conflicts.values()]), tuple(open_areas))


def _judge_choice(
    table: Table,
    defender: Scholar | None,
    contenders: tuple[Scholar, ...],
    paid: tuple[Payment, ...],
    area: int,
) -> JudgeChoice:
    """Whom the owner may choose (ruling 1): anyone, or defender and highest attackers."""
    winners = contenders
    if table.edition.attackers == "highest":
        attacks = [payment for payment in paid if payment.scholar != defender]
        highest = max(payment.amount for payment in attacks)
        strongest = {payment.scholar for payment in attacks if payment.amount == highest}
        winners = tuple(
            scholar for scholar in winners if scholar == defender or scholar in strongest
        )
    return JudgeChoice(winners=winners, area=area)


def send_choice(table: Table, unsent: tuple[Scholar, ...], seat: int) -> SendChoice:
    """What this seat may send with these scholars still beside its palace."""
    return SendChoice(
        scholars=unsent,
        palaces=table.clockwise_from_left_of(seat),
        count=min(SENT_IN_A_TURN, len(unsent)),
        distinct=table.edition.distinct_palaces,
    )
