"""Lists that only grow: the newest first, page after page by key, without counting rows."""

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin import ShowFacets
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.functional import cached_property

PER_PAGE = 50
BEFORE = "before"
"""The parameter of a page's address: it shows rows with smaller keys."""


class OnePage(Paginator):
    """Knows only whether more follows than one page: it never counts the rest."""

    @cached_property
    def count(self) -> int:
        """The rows of this page, and one more where there is another page."""
        rows: Any = self.object_list
        return len(rows.values_list("pk", flat=True)[: self.per_page + 1])


class NewestFirst(admin.ModelAdmin):
    """A list by key, the newest first."""

    ordering: ClassVar[tuple[str, ...]] = ("-pk",)
    sortable_by: ClassVar[tuple[str, ...]] = ()
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    list_per_page = PER_PAGE
    list_max_show_all = 0
    paginator = OnePage
    change_list_template = "admin/newest_first.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        before = getattr(request, BEFORE, None)
        rows = super().get_queryset(request)
        return rows if before is None else rows.filter(pk__lt=before)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """One page of the list, with a link to the next one where there is one."""
        given = request.GET.copy()
        before = given.pop(BEFORE, [""])[0]
        given.pop("p", None)
        request.GET = given  # type: ignore[assignment]
        if isinstance(before, str) and before.isascii() and before.isdigit() and len(before) < 18:
            setattr(request, BEFORE, int(before))
        page = super().changelist_view(request, extra_context)
        if isinstance(page, TemplateResponse) and page.context_data and "cl" in page.context_data:
            changes = page.context_data["cl"]
            rows = list(changes.result_list)
            more = changes.multi_page and rows
            page.context_data["older"] = (
                changes.get_query_string({BEFORE: rows[-1].pk}) if more else ""
            )
        return page
