"""Where moderators look: everything is read-only, and shows no secret of a running game.

Orders and moves are missing: what somebody will play, or has sealed, is nobody else's business.
"""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.admin import acts, game_pages, report_pages
from games.admin.act_pages import acting_moderator
from games.admin.filters import Parked
from games.admin.newest_first import PER_PAGE, NewestFirst
from games.admin.person_pages import person_context
from games.admin.site import site
from games.engine import encode_event
from games.forms.audit_search import AuditSearchForm
from games.models import (
    AuditLine,
    DaysOff,
    Event,
    Game,
    Invitation,
    Message,
    OutboxMail,
    Reason,
    Sanction,
    Seat,
    Sitting,
    Tick,
    User,
    Vote,
)
from games.presentation.table_words import time_told
from games.services.log_reading import read_event
from games.services.moderation import finding
from games.services.moderation.acting import has_own_part
from games.services.moderation.audit_reading import act_told, find_lines, value_told
from games.services.moderation.report_rights import mails_for, reports_for
from games.services.talk_reading import redaction_of
from games.table_events import is_table_event

SEARCH = "audit_search"
"""Where a request keeps the form that searches the audit log."""


class ReadOnly:
    """For every moderator to read; no adding, changing or deleting.

    A list is filtered only by its `list_filter` and by what links of ours hold (`links`): any other
    lookup would let a moderator guess what they may not see.
    """

    links: ClassVar[tuple[str, ...]] = ()
    list_filter: ClassVar[Any] = ()

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        names = [one[0] if isinstance(one, tuple) else one for one in self.list_filter]
        filters = {f"{name}__{how}" for name in names for how in ("exact", "isnull", "isempty")}
        return lookup in filters | set(self.links)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return site.has_permission(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return site.has_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    template = "admin/rows_inline.html"
    fields = ("number", "user", "house_player", "deadline_at", "absent_since")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("user", "game")


@admin.register(Game, site=site)
class GameAdmin(ReadOnly, NewestFirst):
    """Without `state` and `seed`: they tell what players hold and what house players will do."""

    list_display = ("name", "edition", "size", "status", "deadline_at", "attempts", "parked_at")
    list_filter = ("status", "edition", ("parked_at", Parked))
    search_help_text = _("The number, the link, or words of the name: the beginnings do.")
    left_out = ("state",)
    inlines = (SeatInline,)
    fields = (
        "name",
        "token",
        "host",
        "edition",
        "options",
        "size",
        "answer_time",
        "status",
        "phase_no",
        "deadline_at",
        "attempts",
        "retry_at",
        "parked_at",
        "error",
        "paused_at",
        "paused_until",
        "newcomers",
        "created_at",
        "started_at",
        "finished_at",
    )
    readonly_fields = ("answer_time", "newcomers")

    @admin.display(description=_("Time for an answer"))
    def answer_time(self, game: Game) -> str:
        return time_told(game.answer_seconds)

    @admin.display(description=_("closed to newcomers"))
    def newcomers(self, game: Game) -> str:
        return gettext("yes") if game.closed_to_newcomers else gettext("no")

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        return ("name",)

    def find(self, rows: QuerySet[Any], words: str) -> QuerySet[Any]:
        keys = finding.newest_keys(finding.games(words, rows), PER_PAGE + 1)
        return rows.filter(pk__in=keys)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The game with its acts; none for who sits or has sat there."""
        game = self.get_object(request, object_id)
        reader = request.user
        own = game is not None and isinstance(reader, User) and has_own_part(reader, game)
        fitting = [] if game is None or own else acts.that_fit(game)
        zone = acting_moderator(request).time_zone
        facts = [] if game is None else game_pages.facts_of(game, zone)
        context = {**(extra_context or {}), "facts": facts, "acts": fitting, "own_game": own}
        return super().change_view(request, object_id, form_url, context)


@admin.register(Seat, site=site)
class SeatAdmin(ReadOnly, NewestFirst):
    list_display = ("game", "number", "user", "house_player", "deadline_at")
    list_select_related = ("game", "user")
    game_paths = ("game",)
    person_paths = ("user",)
    left_out = ("game__state",)
    fields = (
        "game", "number", "user", "house_player", "joined_at", "asked_phase",
        "deadline_at", "deadline_version", "remind_at",
    )  # fmt: skip


@admin.register(Event, site=site)
class EventAdmin(ReadOnly, NewestFirst):
    """What happened, as a spectator may see it: sealed bribes stay sealed."""

    list_display = ("game", "seq", "phase_no", "kind", "cause", "at")
    list_select_related = ("game",)
    links = ("game__id__exact", "kind__exact")
    game_paths = ("game",)
    left_out = ("game__state",)
    fields = ("game", "seq", "phase_no", "kind", "public_payload", "cause", "at")
    readonly_fields = ("public_payload",)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """All events of one kind would be looked for in the events of all games."""
        allowed = super().lookup_allowed(lookup, value, request)
        return allowed and (lookup != "kind__exact" or "game__id__exact" in request.GET)

    @admin.display(description="payload")
    def public_payload(self, event: Event) -> dict[str, Any]:
        if is_table_event(event.kind):
            return {"kind": event.kind, **event.payload}
        told: Any = read_event(event, None)
        return encode_event(told)


@admin.register(OutboxMail, site=site)
class OutboxMailAdmin(ReadOnly, NewestFirst):
    list_display = ("kind", "person", "game", "status", "attempts", "not_before", "sent_at")
    list_select_related = ("person", "game")
    list_filter = ("status", "kind")
    links = ("game__id__exact", "person__id__exact")
    game_paths = ("game",)
    person_paths = ("person",)
    left_out = ("game__state",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        """Without mail of reports that the reader may not read: it would tell who made them."""
        mails: QuerySet[Any] = super().get_queryset(request)
        return mails_for(request.user, mails) if isinstance(request.user, User) else mails.none()


@admin.register(User, site=site)
class UserAdmin(ReadOnly, NewestFirst):
    """A person, with the acts on them, without their password."""

    list_display = ("name", "email", "is_staff", "is_active", "suspended_until", "muted_until")
    list_filter = ("is_staff", "is_active")
    search_help_text = _("Words of the name, or the beginning of the mail address.")
    fields = (*list_display, "needs_second_factor", "date_joined", "zone", "language")
    readonly_fields = ("zone",)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """How the person stands, with the acts on them, their notes, games and story."""
        person = self.get_object(request, object_id)
        shown = {} if person is None else person_context(request, person)
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **shown})

    @admin.display(description=_("time zone"))
    def zone(self, user: User) -> str:
        """Without looking for its words among all zones, again for each row."""
        return user.time_zone

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        return ("name", "email")

    def find(self, rows: QuerySet[Any], words: str) -> QuerySet[Any]:
        keys = finding.newest_keys(finding.people(words, rows), PER_PAGE + 1)
        return rows.filter(pk__in=keys)


@admin.register(Sanction, site=site)
class SanctionAdmin(ReadOnly, NewestFirst):
    list_display = ("person", "kind", "at", "until", "ended_at", "by")
    list_select_related = ("person", "by")
    list_filter = ("kind",)
    links = ("person__id__exact",)
    person_paths = ("person",)
    fields = (
        *list_display,
        "reason",
        "seen_at",
        "objection",
        "objected_at",
        "answer",
        "answered_at",
    )


@admin.register(Invitation, site=site)
class InvitationAdmin(ReadOnly, NewestFirst):
    """Without `token`: whoever has it may say no."""

    list_display = ("email", "game", "invited_by", "status", "created_at")
    list_select_related = ("game", "invited_by")
    list_filter = ("status",)
    game_paths = ("game",)
    person_paths = ("invited_by",)
    word_columns = ("email",)
    left_out = ("game__state",)
    fields = list_display


@admin.register(AuditLine, site=site)
class AuditLineAdmin(ReadOnly, NewestFirst):
    """Searched by a form of its own, in which every part has its index."""

    list_display = ("at", "who", "told", "game", "person", "reason", "was", "became")
    list_select_related = ("game", "person")
    links = ("game__id__exact", "person__id__exact")
    left_out = ("game__state",)
    fields = list_display
    change_list_template = "admin/audit_log.html"

    @admin.display(description=_("what"))
    def told(self, line: AuditLine) -> str:
        return act_told(line.act)

    @admin.display(description=_("before"))
    def was(self, line: AuditLine) -> str:
        return value_told(line.before, get_current_timezone_name())

    @admin.display(description=_("after"))
    def became(self, line: AuditLine) -> str:
        return value_told(line.after, get_current_timezone_name())

    def take_own(self, request: HttpRequest, given: Any) -> Any:
        form = AuditSearchForm({name: given.get(name, "") for name in AuditSearchForm.base_fields})
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
        return find_lines(queryset, form.search(reader.time_zone), PER_PAGE + 1), False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        page = super().changelist_view(request, extra_context)
        if isinstance(page, TemplateResponse) and page.context_data is not None:
            search = getattr(request, SEARCH, None)
            page.context_data["search"] = search
            page.context_data["searching"] = search is not None and any(search.data.values())
        return page


@admin.register(Vote, site=site)
class VoteAdmin(ReadOnly, NewestFirst):
    list_display = ("game", "kind", "opened_at", "closes_at", "closed_at", "passed")
    list_select_related = ("game",)
    list_filter = ("kind", "passed")
    game_paths = ("game",)
    left_out = ("game__state",)
    fields = (*list_display, "amount", "seat_number", "to_seq")


@admin.register(Reason, site=site)
class ReasonAdmin(ReadOnly, NewestFirst):
    list_display = ("game", "seq", "text")
    list_select_related = ("game",)
    game_paths = ("game",)
    word_columns = ("text",)
    left_out = ("game__state",)
    fields = list_display


@admin.register(Message, site=site)
class MessageAdmin(ReadOnly, NewestFirst):
    list_display = ("game", "author", "at", "text")
    list_select_related = ("game", "author")
    links = ("game__id__exact", "author__id__exact")
    game_paths = ("game",)
    person_paths = ("author",)
    word_columns = ("text",)
    left_out = ("game__state",)
    fields = ("game", "author", "seat_number", "round", "turn_of", "at", "text")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The message with its acts, and the reports about it; none at a table of one's own."""
        message = self.get_object(request, object_id)
        reader = request.user
        more: dict[str, Any] = {}
        if isinstance(message, Message) and isinstance(reader, User):
            more["own_game"] = has_own_part(reader, message.game)
            if not more["own_game"]:
                more["acts"] = report_pages.acts_on_message(message)
                more["reports"] = reports_for(reader).filter(message=message).order_by("-pk")[:20]
                more["redaction"] = redaction_of(message)
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **more})


@admin.register(Sitting, site=site)
class SittingAdmin(ReadOnly, NewestFirst):
    list_display = ("seat", "user", "began_at", "ended_at")
    links = ("user__id__exact",)
    list_select_related = ("seat__game", "seat__user", "user")
    game_paths = ("seat__game",)
    person_paths = ("user",)
    left_out = ("seat__game__state",)
    fields = list_display


@admin.register(DaysOff, site=site)
class DaysOffAdmin(ReadOnly, NewestFirst):
    list_display = ("seat", "first_day", "last_day", "announced_at")
    list_select_related = ("seat__game", "seat__user")
    game_paths = ("seat__game",)
    person_paths = ("seat__user",)
    left_out = ("seat__game__state",)
    fields = list_display


@admin.register(Tick, site=site)
class TickAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name", "at")
    fields = list_display
