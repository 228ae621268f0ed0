"""Lists that only grow: the newest first, page after page by key, without counting rows.

They and the pages of their rows are only read.
"""

from typing import Any, ClassVar, Final

from django.contrib import admin
from django.contrib.admin import ShowFacets
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.functional import cached_property
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from games.admin.cells import Cell, Rows, Words, read_cells, read_rows
from games.admin.read_only import ReadOnly
from games.admin.subjects import signed_in_moderator
from games.models import User
from games.services.moderation import search
from games.services.public_ids import number_of, public_id

PER_PAGE: Final = 50
BEFORE: Final = "before"
"""The parameter of a page's address: it shows rows with smaller keys."""

NOT_OURS: Final = ("p", "o", "all")
"""Django's parameters for other pages and orders, which these lists do not have."""


class OnePage(Paginator):
    """Knows only whether more follows than one page: it never counts the rest."""

    @cached_property
    def found(self) -> list[Any]:
        """The rows of this page, and one more where there is another page."""
        rows: Any = self.object_list
        return list(rows[: self.per_page + 1])

    @cached_property
    def count(self) -> int:
        return len(self.found)


class FoundOnce(ChangeList):
    """The rows that the paginator has read already."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        paginator: Any = self.paginator
        self.result_list = paginator.found[: self.list_per_page]


class NewestFirst(ReadOnly, admin.ModelAdmin):
    """A list by key, the newest first.

    It is searched by the games and people to which `game_paths` and `person_paths` lead, and by
    `word_columns`, which have an index together. `left_out` is too big to be read for a list, as
    the state of a game is, and rows `of_guests` are not in it: there are many, and nobody asks for
    them. Where a moderator may not know of some rows, pages are not `by_number`: gaps would tell.
    """

    game_paths: ClassVar[tuple[str, ...]] = ()
    person_paths: ClassVar[tuple[str, ...]] = ()
    word_columns: ClassVar[tuple[str, ...]] = ()
    left_out: ClassVar[tuple[str, ...]] = ()
    by_number: ClassVar[bool] = True
    on_dashboard: ClassVar[bool] = True
    of_guests: ClassVar[Q | None] = None
    list_select_related: ClassVar[tuple[str, ...]] = ()

    ordering: ClassVar[tuple[str, ...]] = ("-pk",)
    sortable_by: ClassVar[tuple[str, ...]] = ()
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    list_per_page = PER_PAGE
    list_max_show_all = 0
    paginator = OnePage
    change_list_template = "admin/newest_first.html"
    actions = None
    search_help_text: ClassVar[Any] = _(
        "Game numbers and names, people's names and email addresses, or other words. The first "
        "letters of a word are enough."
    )

    def get_changelist(self, request: HttpRequest, **named: Any) -> type[ChangeList]:
        return FoundOnce

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        before = getattr(request, BEFORE, None)
        states = (f"{path}__state" for path in self.list_select_related if path.endswith("game"))
        rows = super().get_queryset(request).defer(*self.left_out, *states)
        if self.list_select_related:
            rows = rows.select_related(*self.list_select_related)
        match = request.resolver_match
        if self.of_guests is not None and match and match.view_name.endswith("_changelist"):
            rows = rows.exclude(self.of_guests)
        return rows if before is None else rows.filter(pk__lt=before)

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        """The row of a page, with the rows that a list shows beside it."""
        number = object_id if self.by_number else number_of(self.ids_of, object_id, old=False)
        return None if number is None else super().get_object(request, str(number), from_field)

    @property
    def ids_of(self) -> str:
        """What the ids of its rows are of, where they have some."""
        return str(self.opts.model_name)

    def key_of(self, row: Model) -> str:
        """What names a row in the addresses of its page, and of the page after it."""
        return str(row.pk) if self.by_number else public_id(self.ids_of, row.pk)

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        """Only whether there is a box to search in: see `get_search_results`."""
        return (*self.game_paths, *self.person_paths, *self.word_columns)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """What is found by an index; nothing is there twice."""
        if not search_term or not self.get_search_fields(request):
            return queryset, False
        return self.find(queryset, search_term, signed_in_moderator(request)), False

    def find(self, rows: QuerySet[Any], words: str, reader: User) -> QuerySet[Any]:
        """The newest of these rows that a reader finds by these words: as many as a page shows."""
        keys = search.keys_found_in(
            rows,
            words,
            reader,
            game_paths=self.game_paths,
            person_paths=self.person_paths,
            columns=self.word_columns,
            most=PER_PAGE + 1,
        )
        return rows.filter(pk__in=keys)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """One page of the list, with a link to the next one where there is one."""
        given = request.GET.copy()
        before = given.pop(BEFORE, [""])[0]
        for name in NOT_OURS:
            given.pop(name, None)
        setattr(request, BEFORE, number_of(self.ids_of, str(before), old=self.by_number))
        older = given.copy()
        request.GET = self.take_own(request, given)
        page = super().changelist_view(request, extra_context)
        if isinstance(page, TemplateResponse) and page.context_data and "cl" in page.context_data:
            changes = page.context_data["cl"]
            rows = changes.result_list
            page.context_data["shown"] = self.shown(rows)
            page.context_data["chosen"] = _chosen(changes, rows)
            if changes.multi_page and rows:
                older[BEFORE] = self.key_of(rows[-1])
                page.context_data["older"] = f"?{older.urlencode()}"
        return page

    def shown(self, rows: list[Any]) -> Rows:
        """The columns of the list, of these rows."""
        return read_rows(self, rows, [str(name) for name in self.list_display])

    def words(self, rows: list[Any]) -> Words:
        """What is read for all rows of a list at once."""
        return {}

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *arguments: Any, **named: Any
    ) -> HttpResponse:
        """The page of a row: all its fields, in words."""
        row = named.get("obj")
        if row is not None:
            names = [str(name) for name in self.get_fields(request, row)]
            context["name"] = self.name_of(row)
            context["cells"] = read_cells(self, row, names)
            context |= self.beside(request, row)
        return super().render_change_form(request, context, *arguments, **named)

    def beside(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """What else the page of a row shows: what may be done, and what belongs to it."""
        return {}

    def name_of(self, row: Any) -> str:
        """What the page of a row is called."""
        return str(row)

    def take_own(self, request: HttpRequest, given: Any) -> Any:
        """Take the parameters that Django does not know out of those that were `given`."""
        return given


def _chosen(changes: ChangeList, rows: list[Any]) -> list[Cell]:
    """What the list is of: the rows that a link wants, and the filters that are set."""
    admin: Any = changes.model_admin
    filtered = [name.partition("__")[0] for name in admin.links if name in changes.params]
    kept = [name for name in filtered if name in {field.name for field in admin.opts.fields}]
    # The first choice of each filter is to have none.
    set_now = [
        Cell(str(capfirst(spec.title)), str(choice["display"]))
        for spec in changes.filter_specs
        for choice in list(spec.choices(changes))[1:]
        if choice["selected"]
    ]
    return (read_cells(admin, rows[0], kept) if rows else []) + set_now
