"""The pile on the dashboard of moderators of accounts that may be one person's."""

from collections.abc import Iterator

from django.db.models import Exists, F, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Game, Seat, SharedBrowser, User
from games.services.moderation.queries.piles import MOST, DashboardLine


def piles(moderator: User) -> Iterator[tuple[str, Iterator[DashboardLine]]]:
    """The one pile, with its title."""
    yield _("Same browser, two seats at one table"), _one_browser(moderator)


def _one_browser(moderator: User) -> Iterator[DashboardLine]:
    """Two people at one table who were signed in with one browser, and nobody has cleared them.

    Not at a table of the moderator's own.
    """
    own = Seat.objects.filter(user=moderator, game=OuterRef("first__seats__game"))
    pairs = SharedBrowser.objects.filter(
        ~Exists(own),
        cleared_at=None,
        first__is_guest=False,
        second__is_guest=False,
        first__seats__game__status__in=Game.UNFINISHED,
        second__seats__game=F("first__seats__game"),
    ).order_by("-last_at", "-pk")
    message = _("{game}: {name} and {other} signed in from the same browser.")
    for pair in pairs.values(
        "first", "first__name", "second__name", "first__seats__game", "first__seats__game__name"
    )[: MOST + 1]:
        text = message.format(
            game=pair["first__seats__game__name"],
            name=pair["first__name"],
            other=pair["second__name"],
        )
        yield DashboardLine(
            text,
            reverse("admin:duplicates", args=[pair["first"]]),
            reverse("admin:games_game_change", args=[pair["first__seats__game"]]),
            pair["first__seats__game__name"],
            _("Possible duplicate account"),
        )
