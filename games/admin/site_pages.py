"""The page of the whole site: how it stands, what may be done, and how far that is."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import extensions
from games.admin.actions import possible_actions
from games.admin.actions.on_site import ON_SITE
from games.admin.subjects import Shared, Subject, signed_in_moderator
from games.models import User
from games.services import site_state
from games.services.moderation.actions.site import may_administer
from games.services.moderation.queries import site as site_queries


@require_safe
def the_site(request: HttpRequest, shared: Shared) -> HttpResponse:
    """How the site stands; every moderator may read it."""
    moderator = signed_in_moderator(request)
    site, zone = site_state.read(), moderator.time_zone
    may_act = may_administer(moderator)
    context = {
        **shared(request),
        "title": _("The site"),
        "facts": site_queries.how_it_stands(site, timezone.now(), zone),
        "actions": possible_actions(ON_SITE, site, moderator) if may_act else [],
        "may_act": may_act,
        "feature_pages": [page for page in extensions.admin_pages() if page.of_site],
        "grants": site_queries.latest_grants(zone),
    }
    return TemplateResponse(request, "admin/games/site.html", context).render()


def site_subject(moderator: User) -> Subject:
    """The site; only administrators act on it."""
    if not may_administer(moderator):
        raise PermissionDenied(_("Only administrators can do this."))
    site = site_state.read()
    return Subject(
        row=site,
        state=site,
        name=_("The site"),
        link=reverse("admin:the_site"),
        list_name="",
        list_link="",
        facts=site_queries.how_it_stands(site, timezone.now(), moderator.time_zone),
    )
