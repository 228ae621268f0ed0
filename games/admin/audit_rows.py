"""Where moderators look at the audit log."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext_lazy as _

from games.admin.actions import title_of, titles
from games.admin.newest_first import PER_PAGE, NewestFirst
from games.admin.site import site
from games.admin.subjects import signed_in_moderator
from games.forms.moderation.audit_search import AuditSearchForm
from games.models import AuditLine, User
from games.services.moderation.audit.queries import find_lines, lines_for
from games.services.moderation.audit.words import actor_name, in_words

SEARCH = "audit_search"
"""Where a request keeps the form that searches the audit log."""


@admin.register(AuditLine, site=site)
class AuditLineAdmin(NewestFirst):
    """Searched by a form of its own, in which every part has its index."""

    list_display = ("at", "actor", "title", "game", "person", "reason", "found", "left")
    list_select_related = ("game", "person")
    by_number = False
    links = ("game__id__exact", "person__id__exact")
    fields = list_display
    change_list_template = "admin/audit_log.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        """Without what the reader may not know of; for the list, its search and each page."""
        rows: QuerySet[Any] = super().get_queryset(request)
        return lines_for(signed_in_moderator(request), rows)

    @admin.display(description=_("who"))
    def actor(self, line: AuditLine) -> str:
        return actor_name(line.who)

    @admin.display(description=_("what"))
    def title(self, line: AuditLine) -> str:
        return title_of(line.action)

    @admin.display(description=_("before"))
    def found(self, line: AuditLine) -> str:
        return in_words(line.before, get_current_timezone_name())

    @admin.display(description=_("after"))
    def left(self, line: AuditLine) -> str:
        return in_words(line.after, get_current_timezone_name())

    def name_of(self, row: AuditLine) -> str:
        return f"{actor_name(row.who)}: {title_of(row.action)}"

    def take_own(self, request: HttpRequest, given: Any) -> Any:
        form = AuditSearchForm(
            {name: given.get(name, "") for name in AuditSearchForm.base_fields}, titles=titles()
        )
        setattr(request, SEARCH, form)
        for name in form.fields:
            given.pop(name, None)
        return given

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        form, reader = getattr(request, SEARCH, None), request.user
        if form is None or not isinstance(reader, User):
            return queryset, False
        return find_lines(queryset, form.search(reader.time_zone), reader, PER_PAGE + 1), False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        page = super().changelist_view(request, extra_context)
        if isinstance(page, TemplateResponse) and page.context_data is not None:
            search = getattr(request, SEARCH, None)
            page.context_data["search"] = search
            page.context_data["searching"] = search is not None and any(search.data.values())
            page.context_data["search_terms"] = [] if search is None else _search_terms(search)
        return page


def _search_terms(search: AuditSearchForm) -> list[str]:
    """What was filled in, each with its label."""
    return [
        _("{filter}: {value}").format(filter=field.label, value=title_of(value))
        for field in search
        if (value := str(field.value() or ""))
    ]
