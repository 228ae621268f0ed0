"""What stands on the dashboard: lines in piles."""

from typing import Final, NamedTuple, Self

from django.urls import reverse
from django.utils.translation import gettext as _

MOST: Final = 20
"""How many lines of each kind are shown."""


class DashboardLine(NamedTuple):
    """Something that waits: what, the page of the next step, and what it is about.

    Both pages are addresses, each with what its link is called; the next step may be missing ("").
    `action` is the key of the next step, if it is an action.
    """

    text: str
    next_step: str
    about: str
    about_name: str
    step_name: str = ""
    action: str = ""

    @classmethod
    def of_game(cls, text: str, game_id: int, slug: str, given: str = "") -> Self:
        """Something at a game; the next step is an action, its form filled in with `given`."""
        step = reverse("admin:game_action", args=[game_id, slug])
        return cls(
            text,
            f"{step}?{given}" if given else step,
            reverse("admin:games_game_change", args=[game_id]),
            _("The game"),
            action=f"game.{slug}",
        )

    @classmethod
    def of_person(cls, text: str, person_id: int, slug: str = "") -> Self:
        """Something about a person; the next step is an action, if there is one."""
        page = reverse("admin:games_user_change", args=[person_id])
        if not slug:
            return cls(text, "", page, _("The person"))
        step = reverse("admin:person_action", args=[person_id, slug])
        return cls(text, step, page, _("The person"), action=f"person.{slug}")


class Pile(NamedTuple):
    """All lines of one kind; `more` says that there are others."""

    title: str
    lines: list[DashboardLine]
    more: bool
