"""How somebody without an account takes a seat: their address is confirmed first.

From the page of an invitation to the code that is emailed, and on to the table.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.forms.first_seat import FirstSeatForm
from games.forms.seats import settings_seen
from games.models import Game, Invitation, User
from games.services.accounts import gate, guests, terms
from games.services.accounts.guests import WANTED_SEAT, WantedSeat
from games.services.lobby import invitations, tables
from games.services.lobby.queries import seat_taken_text
from games.services.refused import Refused
from games.views import limits


def guest_of(request: HttpRequest) -> User | None:
    """The guest who asks, if it is one."""
    user = request.user
    return user if isinstance(user, User) and user.is_guest else None


def ask_for_code(
    request: HttpRequest, form: FirstSeatForm, game: Game, invitation: Invitation | None
) -> HttpResponse | None:
    """Email a code to who wants a seat, and lead to where it is entered; None where they can't.

    The form then says why. A guest stays who they are, as does who asks again; of anybody else
    nothing counts before the code is entered.
    """
    if not form.is_valid():
        return None
    given = form.cleaned_data
    try:
        guest = guest_of(request) or guests.who_wants_seat(request.session)
        guest = guest or _arrive(request, given["time_zone"])
    except Refused as reason:
        form.add_error(None, str(reason))
        return None
    guests.settle(guest, time_zone=given["time_zone"])
    terms.accept(guest, timezone.now())
    wanted = WantedSeat(
        guest=guest.pk,
        table=game.token,
        invitation=invitation.token if invitation is not None else "",
        settings=settings_seen(request.POST),
    )
    request.session[WANTED_SEAT] = wanted._asdict()
    request.session[guests.WANTED_NAME] = given["name"]
    form.send_code(request, guest)
    return redirect("account_email_verification_sent")


def _arrive(request: HttpRequest, time_zone: str) -> User:
    """A new guest, who is not signed in; `Refused` where too many come from one network."""
    if not limits.may_ask(request, "guest", limits.of_household(request)):
        raise Refused(
            _("Too many people have signed up from your network today. Please try again tomorrow.")
        )
    language = translation.get_language() or ""
    now = timezone.now()
    return guests.arrive(language=language, time_zone=time_zone, now=now, for_seat=True)


def forget(request: HttpRequest) -> None:
    """Forget the seat that somebody has asked for."""
    request.session.pop(WANTED_SEAT, None)


def sit_down(request: HttpRequest) -> HttpResponse | None:
    """Give the seat to who has just confirmed their address, and lead to the table.

    None where they have asked for none. Where there is none any more, they are told, and led to
    other tables: their account is made all the same. Whatever they owe first, they settle first.
    """
    wanted, person = guests.wanted_seat(request.session), request.user
    if wanted is None or not isinstance(person, User) or person.pk != wanted.guest:
        return None
    forget(request)
    now = timezone.now()
    person = User.objects.get(pk=person.pk)
    if any(gate.hindrances(person, now)):
        return redirect(wanted.page)
    try:
        game = _take(wanted, person)
    except Refused as reason:
        text = _("Your account is ready, but you didn't get a seat: {reason}")
        messages.warning(request, text.format(reason=reason))
        return redirect(wanted.page if _has_changed(wanted) else "games:tables")
    messages.success(request, seat_taken_text(game))
    return redirect(game)


def _has_changed(wanted: WantedSeat) -> bool:
    """Whether the table waits with other settings than those that somebody has seen."""
    waiting = Game.objects.filter(token=wanted.table, status=Game.Status.WAITING)
    return waiting.exclude(settings_version=wanted.settings).exists()


def _take(wanted: WantedSeat, person: User) -> Game:
    """Give the person the seat; the table. `Refused` where there is none for them."""
    now = timezone.now()
    invitation = Invitation.objects.filter(token=wanted.invitation).first()
    if invitation is not None:
        return invitations.accept(
            invitation_id=invitation.pk, user=person, now=now, seen=wanted.settings
        )
    game = Game.objects.get(token=wanted.table)
    tables.join(game_id=game.pk, user=person, now=now, seen=wanted.settings)
    game.refresh_from_db(fields=["status"])
    return game
