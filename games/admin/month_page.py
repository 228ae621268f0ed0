"""What a moderator decided in the last 30 days: their own page; administrators read all."""

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.admin.actions import title_of
from games.admin.cells import Cell
from games.admin.subjects import Shared, signed_in_moderator
from games.models import User
from games.presentation.text.tables import counted
from games.services.moderation.actions.site import may_administer
from games.services.moderation.queries.month import SPAN, Month, decisions_of, months
from games.services.roles import moderators


@require_safe
def month(request: HttpRequest, shared: Shared) -> HttpResponse:
    """The numbers of the reader, or those of all moderators for an administrator."""
    reader = signed_in_moderator(request)
    people: list[User] = [reader]
    if may_administer(reader):
        people += [one for one in moderators() if one != reader]
    now = timezone.now()
    context = {
        **shared(request),
        "decisions": decisions_of(reader, now, title_of),
        "title": _("Decisions in the last {days} days").format(days=SPAN.days),
        "months": [(one.moderator.name, _cells(one)) for one in months(people, reader, now)],
    }
    return TemplateResponse(request, "admin/games/month.html", context).render()


def _cells(one: Month) -> list[Cell]:
    return [
        Cell(_("Reports decided"), str(one.reports)),
        Cell(_("Median time to decide"), _time(one)),
        Cell(_("Appeals against them"), str(one.appealed_reports)),
        Cell(_("Reversed on appeal"), str(one.reversed_reports)),
        Cell(_("Warnings and sanctions"), str(one.sanctions)),
        Cell(_("Appeals against them"), str(one.appealed_sanctions)),
        Cell(_("Lifted after an appeal"), str(one.lifted_sanctions)),
    ]


def _time(one: Month) -> str:
    if one.within is None:
        return "-"
    hours = round(one.within.total_seconds() / 3600)
    return counted(max(1, hours), "hour") if hours < 48 else counted(round(hours / 24), "day")
