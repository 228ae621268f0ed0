"""Where moderators look: everything is read-only, and shows no secret of a running game."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from games.engine import decode_event, encode_event, view_event
from games.models import Event, Game, OutboxMail, Seat


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


@admin.register(Game)
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


@admin.register(Seat)
class SeatAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("game", "number", "user", "house_player", "deadline_at")
    list_select_related = ("game", "user")
    list_filter = ("house_player",)
    search_fields = ("game__name", "user__name")
    fields = (
        "game", "number", "user", "house_player", "joined_at", "asked_phase",
        "deadline_at", "deadline_version", "remind_at",
    )  # fmt: skip


@admin.register(Event)
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


@admin.register(OutboxMail)
class OutboxMailAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("kind", "person", "game", "status", "attempts", "not_before", "sent_at")
    list_select_related = ("person", "game")
    list_filter = ("status", "kind")
    search_fields = ("person__email", "person__name", "game__name")
