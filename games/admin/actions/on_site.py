"""The actions on the whole site, and when each is possible."""

from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.actions.row import Action
from games.forms.moderation import site_actions as forms
from games.models import User
from games.services.moderation.actions import site
from games.services.site_state import Site


def unless_working(now: Site, _moderator: User) -> str:
    if now.maintenance_since is None:
        return ""
    return _("Maintenance is in progress. End it first; deadlines are then extended by its length.")


def unless_no_maintenance(now: Site, _moderator: User) -> str:
    return "" if now.maintenance_since is None else _("Maintenance is already in progress.")


def unless_in_maintenance(now: Site, _moderator: User) -> str:
    return _("No maintenance is in progress.") if now.maintenance_since is None else ""


def unless_announced(now: Site, _moderator: User) -> str:
    return "" if now.notice else _("There's no announcement.")


def unless_open(now: Site, _moderator: User) -> str:
    return "" if now.takes_new_games(timezone.now()) else _("New games have already been stopped.")


def unless_stopped(now: Site, _moderator: User) -> str:
    return _("New games are already allowed.") if now.no_new_games_since is None else ""


ON_SITE: Final = (
    Action(
        "site.hours",
        gettext_lazy("Give all games extra time"),
        gettext_lazy(
            "Extends every open deadline in every running game by this many hours. You'll see a "
            "preview first."
        ),
        forms.HoursForm,
        site.give_hours,
        unless_working,
    ),
    Action(
        "site.downtime",
        gettext_lazy("Excuse downtime"),
        gettext_lazy(
            "Players whose turn it was while the site was down get that time back, and any "
            "deadlines they missed then are cleared. You'll see a preview first."
        ),
        forms.DowntimeForm,
        site.excuse_downtime,
        unless_working,
    ),
    Action(
        "site.notice",
        gettext_lazy("Show an announcement"),
        gettext_lazy("The announcement appears at the top of every page and replaces any other."),
        forms.NoticeForm,
        site.set_notice,
    ),
    Action(
        "site.no-notice",
        gettext_lazy("Remove the announcement"),
        gettext_lazy("Removes the announcement from the top of the pages."),
        forms.SiteActionForm,
        site.take_notice_away,
        unless_announced,
    ),
    Action(
        "site.no-new-games",
        gettext_lazy("Stop new games"),
        gettext_lazy(
            "Nobody can open a table or start their first game. Tables that are already waiting "
            "for players aren't affected: people can still join, and the game starts."
        ),
        forms.NoNewGamesForm,
        site.stop_new_games,
        unless_open,
    ),
    Action(
        "site.new-games",
        gettext_lazy("Allow new games"),
        gettext_lazy("New games can be opened again."),
        forms.SiteActionForm,
        site.allow_new_games,
        unless_stopped,
    ),
    Action(
        "site.maintenance",
        gettext_lazy("Begin maintenance"),
        gettext_lazy(
            "Makes the site read-only and stops the clock until someone ends the maintenance. "
            "You'll see a preview first."
        ),
        forms.MaintenanceForm,
        site.begin_maintenance,
        unless_no_maintenance,
    ),
    Action(
        "site.maintenance-over",
        gettext_lazy("End maintenance"),
        gettext_lazy(
            "The site works again right away. Every open deadline is extended by the length of "
            "the maintenance, and the clock resumes once that is done for all games."
        ),
        forms.SiteActionForm,
        site.end_maintenance,
        unless_in_maintenance,
    ),
)
