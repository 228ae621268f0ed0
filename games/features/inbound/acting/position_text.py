"""The position of a game in sentences, for those who read it without the board."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from games.engine import Scholar, View
from games.presentation.board.decision import own_cash
from games.presentation.text.words import (
    People,
    listed,
    money,
    scholar_name,
    with_currency,
)


def position_lines(people: People, view: View) -> list[str]:
    """The round, what is in each palace and at its door, and what the reader holds."""
    rounds = view.table.edition.rounds
    lines = [_("Round {round} of {rounds}.").format(round=view.round, rounds=rounds)]
    lines += [_palace(people, view, seat) for seat in range(len(view.table.players))]
    return [*lines, *_own(people, view)]


def _palace(people: People, view: View, seat: int) -> str:
    """ "Anna (red): 1,000 nobody, 6,000 blue clerk. At the door: green priest." """
    areas = zip(view.table.edition.areas, view.palaces[seat], strict=True)
    held = ", ".join(
        f"{money(area)} {_holder(people, one)}" for area, one in sorted(areas, key=_salary)
    )
    text = _("{name} ({colour}): {areas}.").format(
        name=people.name(seat), colour=people.colour_text(seat), areas=held
    )
    if not view.applicants[seat]:
        return text
    waiting = listed(_label(people, one, view.applicants[seat]) for one in view.applicants[seat])
    return f"{text} {_('At the door: {scholars}.').format(scholars=waiting)}"


def _salary(place: tuple[int, Scholar | None]) -> int:
    return place[0]


def _holder(people: People, scholar: Scholar | None) -> str:
    return _("nobody") if scholar is None else _label(people, scholar)


def _label(people: People, scholar: Scholar, among: tuple[Scholar, ...] = ()) -> str:
    return scholar_name(people.table, scholar, among)


def _own(people: People, view: View) -> Iterator[str]:
    if view.seat is None:
        return
    yield _("You have {cash}.").format(cash=with_currency(people.table, own_cash(view)))
    if view.unsent[view.seat]:
        at_home = listed(people.occupation(one) for one in view.unsent[view.seat])
        yield _("Still to be sent: {scholars}.").format(scholars=at_home)
