"""The rows of the chat, of reports, and of removed messages, for moderators."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from games import extensions
from games.admin import report_pages
from games.admin.actions import possible_actions, title_of
from games.admin.actions.on_reports import ON_MESSAGES, ON_REPORTS
from games.admin.game_pages import colour_of_seat
from games.admin.newest_first import NewestFirst
from games.admin.queue_pages import DEEDS
from games.admin.site import site
from games.admin.subjects import signed_in_moderator
from games.models import Message, Redaction, Report
from games.services.chat.queries import redaction_of, shown_text
from games.services.moderation.queries.meanwhile import done_about_report
from games.services.moderation.queries.queue import quoted, waiting_about_the_same
from games.services.moderation.queries.reports import read_case
from games.services.reports.queries import message_text
from games.services.reports.rights import reports_for
from games.services.roles import has_own_part, own_tables


class Whose(admin.SimpleListFilter):
    """Whose reports are listed."""

    title = _("owner")
    parameter_name = "whose"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("mine", _("mine")), ("nobodys", _("unassigned"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Report]) -> QuerySet[Report]:
        if self.value() == "mine":
            return queryset.filter(owner=signed_in_moderator(request))
        return queryset.filter(owner=None) if self.value() == "nobodys" else queryset


@admin.register(Report, site=site)
class ReportAdmin(NewestFirst):
    """The queue. What is about a moderator, or about a table of theirs, is not there for them."""

    list_display = ("number", "kind", "words_of", "state", "person", "game", "at", "owner")
    list_select_related = ("person", "game", "owner", "message__author", "message__redaction")
    list_filter = ("kind", "state", Whose)
    links = ("whose", "person__id__exact", "reporter__id__exact")
    game_paths = ("game",)
    person_paths = ("person",)
    word_columns = ("person_name",)
    fields = (
        "kind", "state", "person", "person_name", "reporter", "game", "at", "owner", "decided_at",
        "appealed_at", "last_word", "closed_by", "closed_at",
    )  # fmt: skip

    def name_of(self, row: Report) -> str:
        return report_pages.report_name(row)

    @admin.display(description=_("number"))
    def number(self, report: Report) -> str:
        return f"#{report.pk}"

    @admin.display(description=_("words"))
    def words_of(self, report: Report) -> str:
        """What was reported, and below that why; each shortened."""
        said, why = (
            Truncator(" ".join(one.split())).chars(90)
            for one in (message_text(report), report.text)
        )
        return "\n".join(filter(None, [quoted(said), why]))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        rows: QuerySet[Any] = super().get_queryset(request)
        return reports_for(signed_in_moderator(request), rows)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        """Those in which something stands."""
        return [name for name in self.fields if getattr(obj, name, None)]

    def beside(self, request: HttpRequest, row: Report) -> dict[str, Any]:
        moderator = signed_in_moderator(request)
        return {
            "case": read_case(row, moderator),
            "meanwhile": done_about_report(row, moderator, title_of),
            "actions": possible_actions(ON_REPORTS, row, moderator, row.pk),
            "facts": report_pages.report_facts(row),
            "together": waiting_about_the_same(row, moderator),
            "deeds": DEEDS,
            "parts": extensions.parts_of("report_in_admin", request, report=row),
        }


@admin.register(Redaction, site=site)
class RedactionAdmin(NewestFirst):
    """What was removed, by whom and why; with the text, as long as it is kept."""

    on_dashboard = False
    list_display = ("at", "who", "message", "reason")
    list_select_related = ("message__game", "message__author")
    game_paths = ("message__game", "private_message__thread__game")
    person_paths = ("message__author", "private_message__author")
    fields: ClassVar = ("message", "report", "who", "reason", "text", "at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        """Without one's own words, those of one's own tables, and reports not for oneself."""
        reader = signed_in_moderator(request)
        return (
            super()
            .get_queryset(request)
            .filter(Q(report=None) | Q(report__in=reports_for(reader)))
            .exclude(message__in=Message.objects.filter(author=reader))
            .exclude(message__in=Message.objects.filter(game__in=own_tables(reader)))
        )


@admin.register(Message, site=site)
class MessageAdmin(NewestFirst):
    list_display = ("game", "author", "at", "said")
    list_select_related = ("game", "author", "redaction")
    links = ("game__id__exact", "author__id__exact")
    game_paths = ("game",)
    person_paths = ("author",)
    word_columns = ("text",)
    fields = ("game", "author", "seat", "round", "turn", "at", "said")

    @admin.display(description=_("seat"))
    def seat(self, message: Message) -> str:
        return colour_of_seat(message.game, message.seat_number)

    @admin.display(description=_("whose turn"))
    def turn(self, message: Message) -> str:
        return colour_of_seat(message.game, message.turn_of)

    @admin.display(description=_("text"))
    def said(self, message: Message) -> str:
        """The words; of what was removed, that and why."""
        return shown_text(message)

    def beside(self, request: HttpRequest, row: Message) -> dict[str, Any]:
        """The actions, and the reports about it; none at a table of one's own."""
        reader = signed_in_moderator(request)
        if has_own_part(reader, row.game):
            return {"own_game": True}
        return {
            "own_game": False,
            "actions": possible_actions(ON_MESSAGES, row, reader, row.pk),
            "reports": reports_for(reader).filter(message=row).order_by("-pk")[:20],
            "redaction": redaction_of(row),
        }
