"""Where moderators look: everything is read-only, and shows no secret of a running game.

Orders and moves are missing: what somebody will play, or has sealed, is nobody else's business.
"""

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse

from games.admin import acts
from games.admin.newest_first import NewestFirst
from games.admin.site import site
from games.engine import encode_event
from games.models import (
    AuditLine,
    DaysOff,
    Event,
    Game,
    Invitation,
    Message,
    OutboxMail,
    Reason,
    Seat,
    Sitting,
    Tick,
    User,
    Vote,
)
from games.services.log_reading import read_event
from games.services.moderation.acting import has_own_part
from games.table_events import is_table_event


class ReadOnly:
    """For every moderator to read; no adding, changing or deleting."""

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
    fields = ("number", "user", "house_player", "deadline_at", "remind_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("user", "game")


@admin.register(Game, site=site)
class GameAdmin(ReadOnly, admin.ModelAdmin):
    """Without `state` and `seed`: they tell what players hold and what house players will do."""

    list_display = ("name", "edition", "size", "status", "deadline_at", "attempts", "parked_at")
    list_filter = ("status", "edition", ("parked_at", admin.EmptyFieldListFilter))
    search_fields = ("name", "token")
    inlines = (SeatInline,)
    fields = (
        "name",
        "token",
        "host",
        "edition",
        "options",
        "size",
        "answer_seconds",
        "status",
        "phase_no",
        "deadline_at",
        "attempts",
        "retry_at",
        "parked_at",
        "error",
        "paused_at",
        "paused_until",
        "closed_to_newcomers",
        "created_at",
        "started_at",
        "finished_at",
    )

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The game with its acts; none for who sits or has sat there."""
        game = self.get_object(request, object_id)
        reader = request.user
        own = game is not None and isinstance(reader, User) and has_own_part(reader, game)
        fitting = [] if game is None or own else acts.that_fit(game)
        context = {**(extra_context or {}), "acts": fitting, "own_game": own}
        return super().change_view(request, object_id, form_url, context)


@admin.register(Seat, site=site)
class SeatAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("game", "number", "user", "house_player", "deadline_at")
    list_select_related = ("game", "user")
    list_filter = ("house_player",)
    search_fields = ("game__name", "user__name")
    fields = (
        "game", "number", "user", "house_player", "joined_at", "asked_phase",
        "deadline_at", "deadline_version", "remind_at",
    )  # fmt: skip


@admin.register(Event, site=site)
class EventAdmin(ReadOnly, NewestFirst):
    """What happened, as a spectator may see it: sealed bribes stay sealed."""

    list_display = ("game", "seq", "phase_no", "kind", "cause", "at")
    list_select_related = ("game",)
    fields = ("game", "seq", "phase_no", "kind", "public_payload", "cause", "at")
    readonly_fields = ("public_payload",)

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
    search_fields = ("person__email", "person__name", "game__name")


@admin.register(User, site=site)
class UserAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name", "email", "is_staff", "is_active", "date_joined", "time_zone")
    list_filter = ("is_staff", "is_active")
    search_fields = ("name", "email")
    fields = list_display


@admin.register(Invitation, site=site)
class InvitationAdmin(ReadOnly, admin.ModelAdmin):
    """Without `token`: whoever has it may say no."""

    list_display = ("email", "game", "invited_by", "status", "created_at")
    list_select_related = ("game", "invited_by")
    list_filter = ("status",)
    search_fields = ("email", "game__name")
    fields = list_display


@admin.register(AuditLine, site=site)
class AuditLineAdmin(ReadOnly, NewestFirst):
    list_display = ("at", "who", "act", "game", "person", "reason", "before", "after")
    list_select_related = ("game", "person")
    search_fields = ("who", "act", "reason", "game__name")
    fields = list_display


@admin.register(Vote, site=site)
class VoteAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("game", "kind", "opened_at", "closes_at", "closed_at", "passed")
    list_select_related = ("game",)
    list_filter = ("kind", "passed")
    search_fields = ("game__name",)
    fields = (*list_display, "amount", "seat_number", "to_seq")


@admin.register(Reason, site=site)
class ReasonAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("game", "seq", "text")
    list_select_related = ("game",)
    search_fields = ("text", "game__name")
    fields = list_display


@admin.register(Message, site=site)
class MessageAdmin(ReadOnly, NewestFirst):
    list_display = ("game", "author", "at", "text")
    list_select_related = ("game", "author")
    search_fields = ("text", "game__name", "author__name")
    fields = ("game", "author", "seat_number", "round", "turn_of", "at", "text")


@admin.register(Sitting, site=site)
class SittingAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("seat", "user", "began_at", "ended_at")
    list_select_related = ("seat__game", "seat__user", "user")
    search_fields = ("user__name", "seat__game__name")
    fields = list_display


@admin.register(DaysOff, site=site)
class DaysOffAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("seat", "first_day", "last_day", "announced_at")
    list_select_related = ("seat__game", "seat__user")
    search_fields = ("seat__user__name", "seat__game__name")
    fields = list_display


@admin.register(Tick, site=site)
class TickAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name", "at")
    fields = list_display
