"""Where moderators look: everything is read-only, and shows no secret of a running game."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from games.engine import decode_event, encode_event, view_event
from games.models import (
    DaysOff,
    Event,
    Game,
    Invitation,
    Message,
    OutboxMail,
    Seat,
    Sitting,
    Tick,
    User,
)

site = admin.AdminSite()
"""Has only what is registered below: what libraries register in Django's own site is editable.

Orders and moves are missing: what somebody will play, or has sealed, is nobody else's business.
"""


class ReadOnly:
    """No adding, changing or deleting."""

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
        "created_at",
        "started_at",
        "finished_at",
    )


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
class EventAdmin(ReadOnly, admin.ModelAdmin):
    """What happened, as a spectator may see it: sealed bribes stay sealed."""

    list_display = ("game", "seq", "phase_no", "kind", "cause", "at")
    list_select_related = ("game",)
    list_filter = ("kind", "cause")
    search_fields = ("game__name",)
    fields = ("game", "seq", "phase_no", "kind", "public_payload", "cause", "at")
    readonly_fields = ("public_payload",)

    @admin.display(description="payload")
    def public_payload(self, event: Event) -> dict[str, Any]:
        told = decode_event({"kind": event.kind, **event.payload})
        return encode_event(view_event(told, None))


@admin.register(OutboxMail, site=site)
class OutboxMailAdmin(ReadOnly, admin.ModelAdmin):
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


@admin.register(Message, site=site)
class MessageAdmin(ReadOnly, admin.ModelAdmin):
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
