"""A game as moderators see it, and its record."""

from collections.abc import Iterator

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch, prefetch_related_objects
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.admin.subjects import Subject, signed_in_moderator
from games.models import Game, Seat, User
from games.presentation.text.words import capital, colour_text, moment
from games.services import audit
from games.services.game.failures import kind_of
from games.services.game.records import as_file, game_record
from games.services.game.unreadable import cannot_be_read, damaged, state_of
from games.services.people.display_names import player_name, seat_name
from games.services.refused import Refused
from games.services.roles import has_own_part


def game_subject(moderator: User, game_id: int) -> Subject:
    """The game, with what a moderator should know before they act; not at a table of their own."""
    game = get_object_or_404(Game, pk=game_id)
    refuse_own_table(moderator, game)
    return Subject(
        row=game,
        state=game,
        name=str(game),
        link=reverse("admin:games_game_change", args=[game.pk]),
        list_name=_("Games"),
        list_link=reverse("admin:games_game_changelist"),
        facts=facts_of(game, moderator.time_zone),
    )


def refuse_own_table(moderator: User, game: Game) -> None:
    if has_own_part(moderator, game):
        raise PermissionDenied(
            _("You have or had a seat at this table, so another moderator has to do this.")
        )


def facts_of(game: Game, zone: str) -> list[str]:
    """What is wrong with the game, how it stands, who is to move, who is absent or missed."""
    # Read once, also for what the actions ask of them.
    prefetch_related_objects([game], Prefetch("seats", Seat.objects.select_related("user")))
    seats = [seat for seat in game.seats.all() if seat.number is not None]
    facts = [fact for seat in seats for fact in _seat_facts(seat, zone)]
    failure = _failure_facts(game, zone)
    return [
        *failure,
        _how_it_stands(game),
        *_round_facts(game, seats),
        *_negotiation_time_facts(game, zone),
        *facts,
    ]


def colour_of_seat(game: Game, number: int | None) -> str:
    """What a seat of a started game is called; "" for none."""
    return "" if number is None else capital(colour_text(game.colours[number]))


def _how_it_stands(game: Game) -> str:
    sentence = _("The game is {status}.")
    if game.paused_at is not None:
        sentence = _("The game is paused. Its status is “{status}”.")
    if game.dormant_since is not None:
        sentence = _(
            "The game is dormant because nobody is left at the table. Its status is “{status}”."
        )
    if game.parked_at is not None:
        sentence = _("The game is parked because of an error. Its status is “{status}”.")
    return sentence.format(status=game.get_status_display())


def _failure_facts(game: Game, zone: str) -> Iterator[str]:
    """What went wrong, and when it is tried again; nothing where all is well."""
    if cannot_be_read(game):
        yield damaged()
    if game.status != Game.Status.RUNNING or not game.error:
        return
    error = kind_of(game)
    if game.parked_at is not None:
        text = _("The game was parked on {moment} because it couldn't continue: {error}.")
        yield text.format(moment=moment(game.parked_at, zone), error=error)
        return
    text = ngettext(
        "{count} failed attempt to continue: {error}.",
        "{count} failed attempts to continue: {error}.",
        game.attempts,
    ).format(count=game.attempts, error=error)
    if game.retry_at is not None:
        again = _("The next attempt will be on {moment}.").format(
            moment=moment(game.retry_at, zone)
        )
        text = f"{text} {again}"
    yield text


def _round_facts(game: Game, seats: list[Seat]) -> Iterator[str]:
    """How far a running game is; nothing where it can't be read."""
    state = state_of(game) if game.status == Game.Status.RUNNING else None
    if state is not None and state.active is not None:
        sentence = _("Round {round} of {rounds}, {name}'s turn.")
        name = next((seat_name(seat) for seat in seats if seat.number == state.active), "")
        yield sentence.format(round=state.round, rounds=state.table.edition.rounds, name=name)


def _negotiation_time_facts(game: Game, zone: str) -> Iterator[str]:
    if game.talk_until is not None:
        yield _("The negotiation time lasts until {moment}.").format(
            moment=moment(game.talk_until, zone)
        )


def _seat_facts(seat: Seat, zone: str) -> Iterator[str]:
    """What is to be known of a seat, on the moderator's clock; the table sees it too."""
    who = {"name": player_name(seat), "colour": colour_text(seat.colour)}
    if seat.deadline_at is not None and not seat.is_played_at_once():
        sentence = _("{name} ({colour}) has to move by {deadline}.")
        yield sentence.format(**who, deadline=moment(seat.deadline_at, zone))
    if seat.user is not None and seat.absent_since is not None:
        sentence = _("{name} ({colour}) has been absent since {moment}.")
        yield sentence.format(**who, moment=moment(seat.absent_since, zone))
    if seat.user is not None and (missed := sum(seat.missed)):
        sentence = _("Deadlines missed by {name} ({colour}): {count} of the last {all}.")
        yield sentence.format(**who, count=missed, all=len(seat.missed))


def record(request: HttpRequest, game_id: int) -> HttpResponse:
    """The record of a game that is over, as a file; the audit log has a line about it."""
    game = get_object_or_404(Game, pk=game_id, state__isnull=False)
    moderator = signed_in_moderator(request)
    refuse_own_table(moderator, game)
    try:
        record = game_record(game)
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect("admin:games_game_change", game.pk)
    audit.write("game.record", now=timezone.now(), who=moderator, game=game)
    return JsonResponse(record, headers=as_file(game))
