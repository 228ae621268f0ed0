"""The actions on a game, in groups, and those on a seat beside the seat."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.admin.actions import ActionLink, address_of, is_damaged
from games.admin.actions.on_games import ON_GAMES, ON_SECRETS
from games.admin.actions.row import Action, Group
from games.forms.moderation.seat_actions import SeatForm
from games.models import Game, User

TITLES: Final[Mapping[Group, Promise]] = {
    Group.TIME: _("Time"),
    Group.TABLE: _("The table"),
    Group.REPAIR: _("Repair"),
}
"""The groups in their order on the page of a game; those on a seat stand beside it."""

FOR_GOOD: Final = _("Can't be undone")


class Shelf(NamedTuple):
    """Actions that belong together, under their heading; `for_good` those that can't be undone."""

    title: Promise
    actions: list[ActionLink]
    for_good: bool = False


class GameActions(NamedTuple):
    """All actions that are possible now; those on a seat by the number of the seat."""

    shelves: list[Shelf]
    of_seats: Mapping[int, list[ActionLink]]


def actions_on_game(game: Game, moderator: User) -> GameActions:
    """What the moderator may do; where something went wrong, what repairs it comes first."""
    possible = [action for action in ON_GAMES if _is_possible(action, game, moderator)]
    links: dict[Group, list[ActionLink]] = {group: [] for group in Group}
    for_good: list[ActionLink] = []
    of_seats: dict[int, list[ActionLink]] = {}
    for action in possible:
        link = ActionLink(
            action.title, address_of(action.key, game.pk), action.danger, action.at_once
        )
        if issubclass(action.form, SeatForm) and action.group is Group.SEAT:
            for number in action.form.numbers_of(game):
                of_one = link._replace(address=f"{link.address}?seat={number}")
                of_seats.setdefault(number, []).append(of_one)
        elif action.danger:
            for_good.append(link)
        else:
            links[action.group].append(link)
    if game.started_at is not None:
        record = reverse("admin:game_record", args=[game.pk])
        links[Group.TABLE].append(ActionLink(_("Download the record"), record, danger=False))
    for_good += [
        ActionLink(action.title, reverse("admin:reveal_secrets", args=[game.pk]), action.danger)
        for action in ON_SECRETS
        if _is_possible(action, game, moderator)
    ]
    shelves = [Shelf(TITLES[group], links[group]) for group in _order(game) if links[group]]
    if for_good:
        shelves.append(Shelf(FOR_GOOD, for_good, for_good=True))
    by_danger = {
        number: sorted(of, key=lambda link: link.danger) for number, of in of_seats.items()
    }
    return GameActions(shelves, by_danger)


def _order(game: Game) -> list[Group]:
    if game.error:
        return sorted(TITLES, key=lambda group: group is not Group.REPAIR)
    return list(TITLES)


def _is_possible(action: Action, game: Game, moderator: User) -> bool:
    damaged = action.reads_state and is_damaged(game)
    return not damaged and not action.why_not(game, moderator)
