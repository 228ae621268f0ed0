"""Where moderators look at games: everything is read-only, and no secret of a running game.

Orders and moves are missing: what somebody will play, or has sealed, is nobody else's business.
"""

import json
from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.admin import email_pages, game_pages, story_pages
from games.admin.actions import ActionLink
from games.admin.actions.in_groups import GameActions, actions_on_game
from games.admin.cells import Rows, read_rows
from games.admin.filters import KindOfEmail, Parked, Paused, Resting, Size
from games.admin.newest_first import PER_PAGE, NewestFirst
from games.admin.site import site
from games.admin.subjects import signed_in_moderator
from games.models import (
    DaysOff,
    Event,
    Game,
    Invitation,
    OutboxEmail,
    Reason,
    Seat,
    Sitting,
    User,
    Vote,
)
from games.presentation.text.tables import computer_player_name, option_text, time_text
from games.presentation.text.words import capital, colour_text
from games.services.email.kinds import label_of, name_of
from games.services.email.queries import visible_to
from games.services.moderation import search
from games.services.moderation.queries import mail_search
from games.services.moderation.queries.events import events_text, played_by_clock, public_payload
from games.services.roles import has_own_part


@admin.register(Game, site=site)
class GameAdmin(NewestFirst):
    """Without `state` and `seed`: they give away what players hold and computer players will do."""

    list_display = ("name", "number", "edition", "size", "stands", "deadline_at", "created_at")
    list_filter = (
        "status", ("parked_at", Parked), ("paused_at", Paused), ("dormant_since", Resting),
        "edition", Size,
    )  # fmt: skip
    search_help_text = _(
        "The number, the link, or words from the name, an earlier name, the description, or the "
        "name of a player. The first letters of a word are enough."
    )
    left_out = ("state",)
    of_guests = Q(host__is_guest=True)
    fields = (
        "name", "table_link", "host", "edition", "rules", "size", "move_time", "status",
        "phase_no", "deadline_at", "tries", "retry_at", "parked_at", "error_text", "paused_at",
        "paused_until", "dormant_since", "closed_to_newcomers", "created_at", "started_at",
        "finished_at",
    )  # fmt: skip

    @admin.display(description=_("number"))
    def number(self, game: Game) -> str:
        return f"#{game.pk}"

    @admin.display(description=_("status"))
    def stands(self, game: Game) -> str:
        if game.parked_at is not None:
            return gettext("Parked")
        if game.dormant_since is not None:
            return gettext("Dormant")
        return gettext("Paused") if game.paused_at else capital(game.get_status_display())

    @admin.display(description=_("time per move"))
    def move_time(self, game: Game) -> str:
        return time_text(game.move_seconds)

    @admin.display(description=_("attempts"))
    def tries(self, game: Game) -> str:
        return str(game.attempts or "")

    @admin.display(description=_("link"))
    def table_link(self, game: Game) -> SafeString:
        address = game.get_absolute_url()
        return format_html('<a href="{}">{}</a>', address, address)

    @admin.display(description=_("rule changes"))
    def rules(self, game: Game) -> str:
        text = (option_text(name, value) for name, value in sorted(game.options.items()))
        return "\n".join(text)

    @admin.display(description=_("error"))
    def error_text(self, game: Game) -> str:
        return format_html("<code>{}</code>", game.error) if game.error else ""

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        return ("name",)

    def find(self, rows: QuerySet[Any], words: str, reader: User) -> QuerySet[Any]:
        return rows.filter(pk__in=search.games_by_anything(words, PER_PAGE + 1, reader, rows))

    def beside(self, request: HttpRequest, row: Game) -> dict[str, Any]:
        """The actions; none for who sits or has sat there."""
        reader = signed_in_moderator(request)
        own = has_own_part(reader, row)
        facts = game_pages.facts_of(row, reader.time_zone)
        possible = GameActions([], {}) if own else actions_on_game(row, reader)
        return {
            "facts": facts,
            "shelves": possible.shelves,
            "has_menus": bool(possible.of_seats),
            "own_game": own,
            "has_decisions": not own and row.started_at is not None,
            "seats": SeatAdmin(Seat, site).of_game(row, possible.of_seats),
        }


@admin.register(Seat, site=site)
class SeatAdmin(NewestFirst):
    on_dashboard = False
    list_display = ("game", "colour", "user", "computer", "deadline_at", "absent_since")
    list_select_related = ("game", "user")
    game_paths = ("game",)
    person_paths = ("user",)
    fields = (
        "game", "colour", "user", "computer", "joined_at", "to_move_phase", "deadline_at",
        "deadline_version", "remind_at", "absent_since",
    )  # fmt: skip

    @admin.display(description=_("colour"))
    def colour(self, seat: Seat) -> str:
        return colour_text(seat.colour) if seat.colour else ""

    @admin.display(description=_("computer player"))
    def computer(self, seat: Seat) -> str:
        return computer_player_name(seat.computer_player) if seat.computer_player else ""

    def of_game(self, game: Game, menus: Mapping[int, list[ActionLink]]) -> Rows:
        """The seats of one game, for its page, with what can be done to each."""
        columns = ("player", "user", "computer", "deadline_at", "absent_since")
        seats = list(game.seats.all())
        shown = read_rows(self, seats, columns)
        if not menus:
            return shown
        with_menus = [
            row._replace(menu=() if seat.number is None else menus.get(seat.number, ()))
            for row, seat in zip(shown.rows, seats, strict=True)
        ]
        return Rows([*shown.labels, gettext("Actions")], with_menus)

    @admin.display(description=_("seat"))
    def player(self, seat: Seat) -> str:
        """Its colour; which it will be is drawn at the start."""
        return capital(self.colour(seat)) or gettext("Not drawn yet")


@admin.register(Event, site=site)
class EventAdmin(NewestFirst):
    """What happened, as a spectator may see it: sealed bribes stay sealed."""

    list_display = ("game", "seq", "text", "cause", "at")
    list_select_related = ("game",)
    links = ("game__id__exact", "kind__exact")
    game_paths = ("game",)
    fields = ("game", "seq", "phase_no", "text", "cause", "at", "raw")

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """All events of one kind would be looked for in the events of all games."""
        allowed = super().lookup_allowed(lookup, value, request)
        return allowed and (lookup != "kind__exact" or "game__id__exact" in request.GET)

    @admin.display(description=_("what happened"))
    def text(self, event: Event) -> SafeString:
        return self.words([event])[event.pk]["text"]

    def words(self, rows: list[Any]) -> Mapping[int, Mapping[str, SafeString]]:
        """The sentences of the log, each with the kind of the event in small print.

        What the clock did leads to the story of the decision.
        """
        sentences = events_text(rows)
        pattern = "{} <code>{}</code>{}"
        return {
            event.pk: {
                "text": format_html(pattern, sentences[event.pk], event.kind, _link_to_story(event))
            }
            for event in rows
        }

    @admin.display(description=_("raw data"))
    def raw(self, event: Event) -> SafeString:
        return format_html("<code>{}</code>", json.dumps(public_payload(event)))


def _link_to_story(event: Event) -> SafeString:
    """The link from a move of the clock to the story of the decision; "" for all else."""
    seat = played_by_clock(event)
    if seat is None:
        return SafeString("")
    address = story_pages.address(event.game_id, seat, event.phase_no)
    return format_html('<br><a href="{}">{}</a>', address, gettext("How this decision came about"))


@admin.register(OutboxEmail, site=site)
class OutboxEmailAdmin(NewestFirst):
    list_display = ("kind_text", "person", "game", "status", "attempts", "not_before", "sent_at")
    list_select_related = ("person", "game")
    list_filter = ("status", KindOfEmail)
    by_number = False
    links = ("game__id__exact", "person__id__exact")
    game_paths = ("game",)
    person_paths = ("person",)
    fields = (
        "kind_text", "person", "address", "game", "status", "attempts", "not_before", "sent_at",
        "error_text", "message_id", "created_at",
    )  # fmt: skip
    search_help_text = _(
        "A Message-ID, an email address or domain, the name of a person, or the number or name of "
        "a game."
    )

    def find(self, rows: QuerySet[Any], words: str, reader: User) -> QuerySet[Any]:
        return mail_search.found_emails(rows, words, reader, PER_PAGE + 1)

    def beside(self, request: HttpRequest, row: OutboxEmail) -> dict[str, Any]:
        """What has become of it, what can be done, and what it says."""
        return email_pages.email_context(request, row)

    @admin.display(description=_("kind"))
    def kind_text(self, email: OutboxEmail) -> str:
        return capital(label_of(email))

    def name_of(self, row: OutboxEmail) -> str:
        return name_of(row)

    @admin.display(description=_("error"))
    def error_text(self, email: OutboxEmail) -> str:
        return format_html("<code>{}</code>", email.error) if email.error else ""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        """Without email about reports that the moderator may not read: it names who made them."""
        emails: QuerySet[Any] = super().get_queryset(request)
        return visible_to(request.user, emails) if isinstance(request.user, User) else emails.none()


@admin.register(Invitation, site=site)
class InvitationAdmin(NewestFirst):
    """Without `token`: anybody who has it may decline."""

    list_display = ("email", "game", "invited_by", "status", "created_at")
    list_select_related = ("game", "invited_by")
    list_filter = ("status",)
    game_paths = ("game",)
    person_paths = ("invited_by",)
    links = ("invited_by__id__exact",)
    word_columns = ("email",)
    fields = list_display


@admin.register(Vote, site=site)
class VoteAdmin(NewestFirst):
    on_dashboard = False
    list_display = ("game", "kind", "opened_at", "closes_at", "closed_at", "passed")
    list_select_related = ("game",)
    list_filter = ("kind", "passed")
    game_paths = ("game",)
    fields = (*list_display, "amount", "seat", "to_seq", "asks_absent")

    @admin.display(description=_("seat"))
    def seat(self, vote: Vote) -> str:
        return game_pages.colour_of_seat(vote.game, vote.seat_number)


@admin.register(Reason, site=site)
class ReasonAdmin(NewestFirst):
    on_dashboard = False
    list_display = ("game", "seq", "text")
    list_select_related = ("game",)
    game_paths = ("game",)
    word_columns = ("text",)
    fields = list_display


@admin.register(Sitting, site=site)
class SittingAdmin(NewestFirst):
    on_dashboard = False
    list_display = ("seat", "user", "began_at", "ended_at")
    links = ("user__id__exact",)
    list_select_related = ("seat__game", "seat__user", "user")
    game_paths = ("seat__game",)
    person_paths = ("user",)
    fields = list_display


@admin.register(DaysOff, site=site)
class DaysOffAdmin(NewestFirst):
    on_dashboard = False
    list_display = ("seat", "first_day", "last_day", "announced_at")
    list_select_related = ("seat__game", "seat__user")
    game_paths = ("seat__game",)
    person_paths = ("seat__user",)
    fields = list_display
