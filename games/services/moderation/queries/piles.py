"""What the dashboard is made of: lines, in piles of one kind, in areas; the most urgent first."""

import re
from collections.abc import Iterable, Mapping
from enum import Enum, auto
from typing import Final, NamedTuple, Self

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.models import Game, User

MOST: Final = 20
"""How many lines of each kind are shown."""

OPEN_LINES: Final = 12
"""About so many lines can be read at once, shared among the piles; the rest of each is folded."""


class Area(Enum):
    """What a pile is about, in the order of the dashboard."""

    SITE = auto()
    PEOPLE = auto()
    GAMES = auto()
    EMAIL = auto()


AREA_TITLES: Final[Mapping[Area, Promise]] = {
    Area.SITE: _("The site"),
    Area.PEOPLE: _("Reports and people"),
    Area.GAMES: _("Games"),
    Area.EMAIL: _("Emails"),
}


class DashboardLine(NamedTuple):
    """Something that waits: what, the page of the next step, and what it is about.

    Both pages are addresses, each with what its link is called; the next step may be missing ("").
    `action` is the key of the next step, if it is an action. Where `about_name` stands in the text,
    the link is there.
    """

    text: str
    next_step: str
    about: str
    about_name: str
    step_name: str = ""
    action: str = ""

    @classmethod
    def of_game(cls, text: str, game: Game, slug: str, given: str = "") -> Self:
        """Something at a game; the next step is an action, its form filled in with `given`."""
        step = reverse("admin:game_action", args=[game.pk, slug])
        return cls(
            text,
            f"{step}?{given}" if given else step,
            reverse("admin:games_game_change", args=[game.pk]),
            str(game),
            action=f"game.{slug}",
        )

    @classmethod
    def of_person(cls, text: str, person: User, slug: str = "") -> Self:
        """Something about a person; the next step is an action, if there is one."""
        page = reverse("admin:games_user_change", args=[person.pk])
        if not slug:
            return cls(text, "", page, person.name)
        step = reverse("admin:person_action", args=[person.pk, slug])
        return cls(text, step, page, person.name, action=f"person.{slug}")

    @property
    def parts(self) -> tuple[str, str]:
        """What stands before the link and after it; the link is last if its name isn't in there."""
        at = re.search(rf"(?<!\w){re.escape(self.about_name)}(?!\w)", self.text)
        if at is None:
            return f"{self.text} ", ""
        return self.text[: at.start()], self.text[at.end() :]


class Pile(NamedTuple):
    """All lines of one kind; `more` says that there are others. `most_open` are not folded."""

    area: Area
    title: str
    lines: list[DashboardLine]
    more: bool
    key: str = ""
    most_open: int = MOST

    @property
    def how_many(self) -> str:
        """How many there are: "20+" for more than are shown."""
        return f"{len(self.lines)}+" if self.more else str(len(self.lines))

    @property
    def first(self) -> list[DashboardLine]:
        """The most urgent lines."""
        return self.lines if self._fits else self.lines[: self.most_open]

    @property
    def folded(self) -> list[DashboardLine]:
        """The other lines."""
        return [] if self._fits else self.lines[self.most_open :]

    @property
    def how_many_folded(self) -> str:
        """How many the other ones are."""
        return f"{len(self.folded)}+" if self.more else str(len(self.folded))

    @property
    def _fits(self) -> bool:
        return len(self.lines) <= self.most_open


class AreaOfPiles(NamedTuple):
    """The piles of one area."""

    title: Promise
    piles: list[Pile]


def pile_of(area: Area, title: str, lines: Iterable[DashboardLine]) -> Pile:
    """A pile of at most `MOST` of the lines."""
    found = list(lines)
    return Pile(area, title, found[:MOST], len(found) > MOST)


def in_areas(piles: list[Pile]) -> list[AreaOfPiles]:
    """The piles, area by area; so many lines of each are open that the page stays short."""
    most_open = max(1, OPEN_LINES // max(1, len(piles)))
    numbered = [
        pile._replace(key=f"pile-{number}", most_open=most_open)
        for number, pile in enumerate(piles, 1)
    ]
    areas = (
        AreaOfPiles(AREA_TITLES[area], [pile for pile in numbered if pile.area is area])
        for area in Area
    )
    return [area for area in areas if area.piles]
