"""What an area is still worth to the player of a first game."""

from games.engine import Stage, View


def area_at_stake(view: View) -> int:
    """The area that is fought for, or the best open one of the palace that holds court."""
    if view.stage is Stage.INTERNAL_BRIBES and view.area is not None:
        return view.area
    row = zip(view.table.edition.areas, view.palaces[view.active or 0], strict=True)
    return max((salary for salary, held_by in row if held_by is None), default=0)


def payments_to_come(view: View) -> int:
    """How often the player would be paid for an area that it won in this turn.

    At each of its turns to come, and once more after the last one.
    """
    seats, first = len(view.table.players), view.table.first
    own, active = ((seat - first) % seats for seat in (view.seat or 0, view.active or 0))
    return view.table.edition.rounds - view.round + (own > active) + 1
