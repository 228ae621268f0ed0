"""Making offers, and replying to them."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlencode
from uuid import uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.functional import Promise as LazyText
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from games.engine.ledger import Status
from games.forms.offers import AboutForm, LikelyForm, OfferForm, kind_label
from games.models import Game, User
from games.presentation.text.words import NameList
from games.services.chat import promises
from games.services.chat.thread_queries import ThreadLine, line_of, tabs_at
from games.services.game import once
from games.services.game.position import Position, read_position
from games.services.game.queries.promises import may_negotiate, offers_in, read_promises
from games.services.public_ids import number_of
from games.services.refused import Refused
from games.views.access import GUESTS, open_to
from games.views.actions import player_action, token_of
from games.views.chat import address_of
from games.views.guards import for_members, signed_in

REPLIES: Final[dict[str, tuple[Status, LazyText]]] = {
    "accept": (Status.ACCEPTED, gettext_lazy("You have accepted the offer.")),
    "decline": (Status.DECLINED, gettext_lazy("You have declined the offer.")),
    "withdraw": (Status.WITHDRAWN, gettext_lazy("You have withdrawn the offer.")),
}
"""Replies by their word in the address, each with the message once it is made."""


@open_to(GUESTS)
@for_members
@never_cache
def page(request: HttpRequest, token: str) -> HttpResponseBase:
    """What may be offered now: likely offers, then any other one. POST makes an offer."""
    game = get_object_or_404(Game, token=token, state__isnull=False)
    user = signed_in(request)
    position = read_position(game, user)
    tabs = tabs_at(game, user, position.seats)
    within = _within(request, tabs)
    # Asked last: the first of two equal requests may commit while the second one reads.
    if request.method == "POST" and once.is_done(user, token_of(request)):
        return _made(request, game, within)
    if not may_negotiate(position):
        messages.error(
            request,
            _(
                "Only active players can make offers or reply to them, and only while the game "
                "is running."
            ),
        )
        return redirect(game)
    if within is None and request.GET.get("among"):  # it never becomes a public offer
        messages.error(request, _("You can't make an offer in that conversation any more."))
        return redirect(address_of(game))
    about = _about(request, position, within)
    form = _offer_form(request, position, about, within)
    if request.method == "POST" and form is not None and form.is_valid():
        try:
            _make(request, game, user, form, within)
        except Refused as reason:
            form.add_error(None, str(reason))
        else:
            return _made(request, game, within)
    if isinstance(form, LikelyForm):
        wrong = [str(reason) for reason in form.non_field_errors()]
        messages.error(request, " ".join(wrong) or _("Please try again."))
        return redirect(request.get_full_path())
    return _render(request, position, about, form, Audience(request, about, tabs, within))


def _within(request: HttpRequest, tabs: Sequence[ThreadLine]) -> ThreadLine | None:
    """The conversation that the offer will be made in; None for one made in front of all."""
    return line_of([one for one in tabs if one.is_own], request.GET.get("among", ""))


def _only_to(request: HttpRequest, position: Position) -> set[int]:
    """The player to whom the offer will be made, if the address says so by their colour."""
    colours = position.people.table.players
    to = request.GET.get("to", "")
    return {colours.index(to)} if to in colours else set()


def _made(request: HttpRequest, game: Game, within: ThreadLine | None) -> HttpResponseBase:
    """Say so, where the offer is seen."""
    said = _("You have made the offer.")
    if within is not None or request.POST.get("among"):
        said = _("You have made the offer privately.")
    elif game.has_threads:
        said = _("You have made the offer publicly.")
    messages.success(request, said)
    if within is not None:
        return redirect(address_of(game, within.token))
    return redirect(f"{game.get_absolute_url()}#promises")


def _about(request: HttpRequest, position: Position, within: ThreadLine | None) -> AboutForm:
    """The other player and the kind of promise; bound as soon as the address has them."""
    return AboutForm(
        request.GET if "what" in request.GET else None,
        people=position.people,
        seat=position.view.seat or 0,
        others=within and within.seats,
        initial={"among": within and within.token, "to": request.GET.get("to")},
    )


def _offer_form(
    request: HttpRequest, position: Position, about: AboutForm, within: ThreadLine | None
) -> OfferForm | LikelyForm | None:
    """The form that was submitted or requested; None where it's still open which."""
    if request.method == "POST" and "terms" in request.POST:
        return LikelyForm(request.POST, people=position.people, view=position.view)
    if about.is_bound and about.is_valid():
        return _terms(request, position, about, within)
    return None


def _terms(
    request: HttpRequest, position: Position, about: AboutForm, within: ThreadLine | None
) -> OfferForm:
    promiser, other = about.promiser_and_other
    return OfferForm(
        request.POST if request.method == "POST" else None,
        people=position.people,
        view=position.view,
        what=about.cleaned_data["what"],
        promiser=promiser,
        other=other,
        may_write=not position.game.is_silent and not signed_in(request).is_muted(timezone.now()),
        # A page from before may say it in the form alone: what is meant for few stays among few.
        among=request.POST.get("among", "") if within is None else _value(within),
    )


def _value(thread: ThreadLine) -> str:
    """The `among` of an offer in this thread."""
    return promises.ALONE if len(thread.seats) == 2 else thread.token


def _make(
    request: HttpRequest,
    game: Game,
    user: User,
    form: OfferForm | LikelyForm,
    within: ThreadLine | None,
) -> None:
    if form.promise is None:
        raise Refused(_("Please choose what to offer."))
    promises.make_offer(
        game_id=game.pk,
        user=user,
        promise=form.promise,
        text=form.cleaned_data.get("text", ""),
        token=token_of(request) or uuid4(),
        now=timezone.now(),
        among=form.cleaned_data.get("among", "") if within is None else _value(within),
    )


class Audience:
    """Who will see the offer: all, or those `within` a conversation; and who might instead.

    `alone` are the reader's conversations with one other person each, by the other's colour.
    """

    def __init__(
        self,
        request: HttpRequest,
        about: AboutForm,
        tabs: Sequence[ThreadLine],
        within: ThreadLine | None,
    ) -> None:
        self.within = within
        self.alone = {one.colour: one for one in tabs if one.colour}
        self._about = {key: request.GET[key] for key in about.fields if request.GET.get(key)}

    @property
    def instead(self) -> list[tuple[NameList | None, str]]:
        """The address of the same page for another audience: who that is (None: all), and where."""
        kept = {key: value for key, value in self._about.items() if key != "among"}
        if self.within is not None:
            to = {"to": self.within.colour} if self.within.colour else {}
            return [(None, f"?{urlencode(to | kept)}")]
        return [
            (one.names, f"?{urlencode(kept | {'among': one.token})}")
            for colour, one in self.alone.items()
            if kept.get("to", colour) == colour
        ]


def _render(
    request: HttpRequest,
    position: Position,
    about: AboutForm,
    form: OfferForm | None,
    audience: Audience,
) -> HttpResponse:
    within = audience.within
    others = _only_to(request, position) or (within and within.seats)
    context = {
        "game": position.game,
        "promises": read_promises(position, suggests=True, others=others),
        "within": within,
        "audience": audience,
        "about": about,
        "board": position.board,
        "form": form,
        "title": kind_label(form.what, position.people) if form is not None else "",
        "promiser": _promiser(position, form),
    }
    status = 422 if form is not None and form.errors else 200
    return render(request, "game/offers.html", context, status=status)


def _promiser(position: Position, form: OfferForm | None) -> str:
    """The name of who promises, if it isn't the reader."""
    if form is None or form.promiser == position.view.seat:
        return ""
    return position.people.name(form.promiser)


@open_to(GUESTS)
@player_action("games:table")
def reply(
    request: HttpRequest, game: Game, user: User, offer: str, choice: str
) -> str | HttpResponseBase:
    """Accept, decline or withdraw an offer."""
    among = request.POST.get("among", "")
    made_at = number_of(offers_in(among), offer)
    if choice not in REPLIES or game.state is None or made_at is None:
        raise Http404
    given, message = REPLIES[choice]
    promises.reply_to_offer(
        game_id=game.pk,
        user=user,
        made_at=made_at,
        given=given,
        now=timezone.now(),
        among=among,
        token=token_of(request),
    )
    if not among:
        return str(message)
    messages.success(request, str(message))
    return redirect(address_of(game, among))
