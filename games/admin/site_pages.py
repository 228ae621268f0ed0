"""An administrator's page of the site: how it stands, what may be done, and how far that is."""

from collections.abc import Callable
from typing import Final, NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from games.admin.action_pages import Shared, Subject, acting_moderator, perform
from games.forms.moderation import site_actions as forms
from games.services import site_state
from games.services.moderation.actions import site as site_actions
from games.services.moderation.actions.on_games import Decision
from games.services.moderation.actions.site import may_administer
from games.services.moderation.queries import site as site_queries
from games.services.site_state import Site


class SiteAct(NamedTuple):
    """An act on the site: `explains` says what will happen, `fits` whether it is possible now."""

    slug: str
    title: Promise
    explains: Promise
    form: type[forms.SiteForm]
    do: Callable[..., None]
    fits: Callable[[Site], bool]


def _any(_site: Site) -> bool:
    return True


def _open(site: Site) -> bool:
    return site.maintenance_since is None


ALL: Final = (
    SiteAct(
        "hours",
        gettext_lazy("Give all games more time"),
        gettext_lazy(
            "Extends every open deadline in every running game by this many hours. You see a "
            "preview first."
        ),
        forms.HoursForm,
        site_actions.give_hours,
        _open,
    ),
    SiteAct(
        "downtime",
        gettext_lazy("Excuse downtime"),
        gettext_lazy(
            "Gives players who were to move while the site was down that time back, and clears "
            "the deadlines they missed then. You see a preview first."
        ),
        forms.DowntimeForm,
        site_actions.excuse_downtime,
        _open,
    ),
    SiteAct(
        "notice",
        gettext_lazy("Show an announcement"),
        gettext_lazy("The announcement appears at the top of every page and replaces any other."),
        forms.NoticeForm,
        site_actions.set_notice,
        _any,
    ),
    SiteAct(
        "no-notice",
        gettext_lazy("Remove the announcement"),
        gettext_lazy("Removes the announcement from the top of the pages."),
        forms.SiteForm,
        site_actions.take_notice_away,
        lambda site: bool(site.notice),
    ),
    SiteAct(
        "no-new-games",
        gettext_lazy("Stop new games"),
        gettext_lazy(
            "Nobody can open a table or start a first game. Tables that are already waiting for "
            "players aren't affected: people can sit down, and the game starts."
        ),
        forms.NoNewGamesForm,
        site_actions.stop_new_games,
        lambda site: site.takes_new_games(timezone.now()),
    ),
    SiteAct(
        "new-games",
        gettext_lazy("Allow new games"),
        gettext_lazy("New games can be opened again."),
        forms.SiteForm,
        site_actions.allow_new_games,
        lambda site: site.no_new_games_since is not None,
    ),
    SiteAct(
        "maintenance",
        gettext_lazy("Begin maintenance"),
        gettext_lazy(
            "Makes the site read-only and stops the clock until someone ends the maintenance. "
            "You see a preview first."
        ),
        forms.MaintenanceForm,
        site_actions.begin_maintenance,
        _open,
    ),
    SiteAct(
        "maintenance-over",
        gettext_lazy("End maintenance"),
        gettext_lazy(
            "The site works again at once. Every open deadline is extended by the length of the "
            "maintenance, and the clock resumes once all games have been given their time."
        ),
        forms.SiteForm,
        site_actions.end_maintenance,
        lambda site: site.maintenance_since is not None,
    ),
)

BY_SLUG: Final = {act.slug: act for act in ALL}

_MAINTENANCE: Final = gettext_lazy(
    "Maintenance is in progress. End it first; deadlines are then extended by its length."
)
WHY_NOT: Final[dict[str, Promise]] = {
    "hours": _MAINTENANCE,
    "downtime": _MAINTENANCE,
    "no-notice": gettext_lazy("There is no announcement."),
    "no-new-games": gettext_lazy("New games are already stopped."),
    "new-games": gettext_lazy("New games are already allowed."),
    "maintenance": gettext_lazy("Maintenance is already in progress."),
    "maintenance-over": gettext_lazy("No maintenance is in progress."),
}
"""Why an act is not possible, where it is not."""


@require_safe
def the_site(request: HttpRequest, shared: Shared) -> HttpResponse:
    """How the site stands; every moderator may read it."""
    moderator = acting_moderator(request)
    site, zone = site_state.read(), moderator.time_zone
    may_act = may_administer(moderator)
    context = {
        **shared(request),
        "title": _("The site"),
        "facts": site_queries.how_it_stands(site, timezone.now(), zone),
        "acts": [act for act in ALL if act.fits(site)] if may_act else [],
        "may_act": may_act,
        "grants": site_queries.latest_grants(zone),
    }
    return TemplateResponse(request, "admin/games/site.html", context).render()


def act_page(request: HttpRequest, slug: str, shared: Shared) -> HttpResponse:
    """One act on the site; only for administrators."""
    moderator = acting_moderator(request)
    if not may_administer(moderator):
        raise PermissionDenied(_("Only administrators can do this."))
    act = BY_SLUG.get(slug)
    if act is None:
        raise Http404
    site = site_state.read()

    def do(form: forms.SiteForm, decision: Decision) -> None:
        act.do(decision, **form.arguments())

    return perform(
        request,
        shared=shared,
        subject=_subject(site, moderator.time_zone),
        act=act,
        make_form=lambda posted, given: act.form(posted, given=given),
        do=do,
        why_not="" if act.fits(site) else str(WHY_NOT[act.slug]),
    )


def _subject(site: Site, zone: str) -> Subject:
    return Subject(
        name=_("The site"),
        link=reverse("admin:the_site"),
        list_name="",
        list_link="",
        facts=site_queries.how_it_stands(site, timezone.now(), zone),
    )
