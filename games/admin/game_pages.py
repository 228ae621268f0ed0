"""A moderator's pages of one game: its acts, and its record."""

from collections.abc import Iterator

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.admin import game_actions
from games.admin.action_pages import Shared, Subject, acting_moderator, perform
from games.forms.moderation.game_actions import ActForm
from games.models import Game, Seat, User
from games.presentation.text.words import capital, colour_told, moment
from games.services import audit
from games.services.game.records import game_record
from games.services.moderation.actions.on_games import Ask, Decision
from games.services.people.display_names import player_name
from games.services.refused import Refused
from games.services.roles import has_own_part


def act_page(request: HttpRequest, game_id: int, slug: str, shared: Shared) -> HttpResponse:
    """One act on one game."""
    act = game_actions.BY_SLUG.get(slug)
    if act is None:
        raise Http404
    game = get_object_or_404(Game, pk=game_id)
    moderator = moderator_of(request, game)

    def do(form: ActForm, decision: Decision) -> None:
        act.do(Ask.of(decision, game.pk, form.seen), **form.arguments())

    return perform(
        request,
        shared=shared,
        subject=subject_of(game, moderator.time_zone),
        act=act,
        make_form=lambda posted, given: act.form(posted, game=game, given=given),
        do=do,
        why_not=game_actions.why_not(act, game),
    )


def moderator_of(request: HttpRequest, game: Game) -> User:
    """Who acts; refused at a table of their own."""
    user = acting_moderator(request)
    if has_own_part(user, game):
        raise PermissionDenied(
            _("You have or had a seat at this table, so another moderator has to do this.")
        )
    return user


def subject_of(game: Game, zone: str) -> Subject:
    """The game, with what a moderator should know before they act."""
    return Subject(
        name=str(game),
        link=reverse("admin:games_game_change", args=[game.pk]),
        list_name=_("Games"),
        list_link=reverse("admin:games_game_changelist"),
        facts=facts_of(game, zone),
    )


def facts_of(game: Game, zone: str) -> list[str]:
    """How the game stands, who is asked, and who is absent or missed something."""
    seats = list(game.seats.select_related("user").filter(number__isnull=False))
    facts = [fact for seat in seats for fact in _seat_facts(seat, zone)]
    return [_how_it_stands(game), *facts]


def colour_of_seat(game: Game, number: int | None) -> str:
    """What a seat of a started game is called; "" for none."""
    return "" if number is None else capital(colour_told(game.colours[number]))


def _how_it_stands(game: Game) -> str:
    told = _("The game is {status} (phase {phase}).")
    if game.paused_at is not None:
        told = _("The game is {status} and paused (phase {phase}).")
    if game.resting_since is not None:
        told = _(
            "The game is {status} but resting, because nobody is left at the table (phase {phase})."
        )
    if game.parked_at is not None:
        told = _("The game is {status} but parked (phase {phase}).")
    return told.format(status=game.get_status_display(), phase=game.phase_no)


def _seat_facts(seat: Seat, zone: str) -> Iterator[str]:
    """What is to be known of a seat, on the moderator's clock; the table sees it too."""
    who = {"name": player_name(seat), "colour": colour_told(seat.colour)}
    if seat.deadline_at is not None and not seat.is_played_for():
        told = _("{name} ({colour}) is to move by {deadline}.")
        yield told.format(**who, deadline=moment(seat.deadline_at, zone))
    if seat.user is not None and seat.absent_since is not None:
        told = _("{name} ({colour}) has been absent since {moment}.")
        yield told.format(**who, moment=moment(seat.absent_since, zone))
    if seat.user is not None and (missed := sum(seat.missed)):
        told = ngettext(
            "{name} ({colour}) missed {count} of the last {all} deadlines.",
            "{name} ({colour}) missed {count} of the last {all} deadlines.",
            missed,
        )
        yield told.format(**who, count=missed, all=len(seat.missed))


def record(request: HttpRequest, game_id: int) -> HttpResponse:
    """The record of a game that is over, as a file; noted in the audit log."""
    game = get_object_or_404(Game, pk=game_id, state__isnull=False)
    moderator = moderator_of(request, game)
    try:
        answer = game_record(game)
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect("admin:games_game_change", game.pk)
    audit.note("record", now=timezone.now(), who=moderator, game=game)
    headers = {"Content-Disposition": f'attachment; filename="intrigue-{game.pk}.json"'}
    return JsonResponse(answer, headers=headers)
