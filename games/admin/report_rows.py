"""Where moderators look at reports, and at what was removed from the talk."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from games.admin import report_pages
from games.admin.act_pages import acting_moderator
from games.admin.newest_first import NewestFirst
from games.admin.rows import ReadOnly
from games.admin.site import site
from games.models import Redaction, Report, Seat, Sitting
from games.services.moderation.report_desk import read_case
from games.services.moderation.report_rights import reports_for


class Whose(admin.SimpleListFilter):
    """Whose reports are listed."""

    title = _("owner")
    parameter_name = "whose"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("mine", _("mine")), ("nobodys", _("nobody's"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Report]) -> QuerySet[Report]:
        if self.value() == "mine":
            return queryset.filter(owner=acting_moderator(request))
        return queryset.filter(owner=None) if self.value() == "nobodys" else queryset


@admin.register(Report, site=site)
class ReportAdmin(ReadOnly, NewestFirst):
    """The queue. What is about a moderator, or about a table of theirs, is not there for them."""

    list_display = ("id", "state", "person", "game", "at", "owner")
    list_select_related = ("person", "game", "owner")
    list_filter = ("state", Whose)
    links = ("whose", "person__id__exact", "reporter__id__exact")
    game_paths = ("game",)
    person_paths = ("person",)
    left_out = ("game__state",)
    fields = (
        "state", "person", "reporter", "game", "at", "owner", "decided_at", "appealed_at",
        "last_word", "closed_by", "closed_at",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        rows: QuerySet[Any] = super().get_queryset(request)
        return reports_for(acting_moderator(request), rows)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        """Those in which something stands."""
        return [name for name in self.fields if getattr(obj, name, None)]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The report with what belongs to it, and its acts."""
        report = self.get_object(request, object_id)
        more: dict[str, Any] = {}
        if isinstance(report, Report):
            moderator = acting_moderator(request)
            acts = report_pages.acts_on_report(report, moderator)
            more = {
                "case": read_case(report, moderator),
                "acts": acts,
                "facts": report_pages.report_facts(report),
                "subtitle": report_pages.report_name(report),
            }
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **more})


@admin.register(Redaction, site=site)
class RedactionAdmin(ReadOnly, NewestFirst):
    """What was removed, by whom and why; with the text, as long as it is kept."""

    list_display = ("at", "who", "message", "reason")
    list_select_related = ("message__game", "message__author")
    game_paths = ("message__game",)
    person_paths = ("message__author",)
    left_out = ("message__game__state",)
    fields: ClassVar = ("message", "report", "who", "reason", "text", "at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        """Without one's own words, and those of one's own tables."""
        reader = acting_moderator(request)
        return (
            super()
            .get_queryset(request)
            .exclude(message__author=reader)
            .exclude(message__game__in=Seat.objects.filter(user=reader).values("game"))
            .exclude(message__game__in=Sitting.objects.filter(user=reader).values("seat__game"))
        )
