"""The page of one's standing orders, and leaving and withdrawing them."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from games.engine import Scholar
from games.engine.orders import HighestBribes, Order
from games.forms.orders import BribeOrderForm, SendingOrderForm, WaitForm
from games.models import Game, User
from games.presentation.board.promise_hints import order_warning
from games.services.game import once, orders
from games.services.game.position import Position, read_position
from games.services.game.queries import own_orders
from games.services.public_ids import number_of
from games.services.refused import Refused
from games.views.actions import player_action, token_of
from games.views.guards import for_members, signed_in


@for_members
@never_cache
def page(request: HttpRequest, token: str) -> HttpResponseBase:
    """What one has ordered, and a form for everything that may be ordered. POST leaves an order."""
    game = get_object_or_404(Game, token=token, state__isnull=False)
    position = read_position(game, signed_in(request))
    if position.seat is None:
        messages.error(request, _("Only players at this table can set orders."))
        return redirect(game)
    if request.method == "POST" and once.is_done(signed_in(request), token_of(request)):
        messages.success(request, _("Your order has been saved."))
        return redirect("games:orders", token=token)
    forms = _Forms(position, request.POST if request.method == "POST" else None)
    left = forms.left
    if left is not None and left.is_valid() and _leave(request, position, left):
        return redirect("games:orders", token=token)
    return _render(request, game, position, forms)


@player_action("games:orders")
def withdraw(_request: HttpRequest, game: Game, user: User, order: str) -> None:
    number = number_of("order", order)
    if number is None:
        raise Http404
    orders.withdraw_order(game_id=game.pk, user=user, order_id=number)


class _Forms:
    """The forms of the page; `left` is the one that was handed in, `data` belongs to it alone."""

    def __init__(self, position: Position, data: Any) -> None:
        read = own_orders.read_orders(position)
        self.lines = read.lines
        about = "" if data is None else data.get("about", "")
        names = position.view.table.names
        self.bribes = [
            BribeOrderForm(
                data if about == names[choice.scholar] else None,
                choice=choice,
                people=position.people,
            )
            for choice in read.choice.bribes
        ]
        self.decision = (
            WaitForm(data if about == "decision" else None, prefix="decision")
            if read.choice.decision
            else None
        )
        self.sending = (
            SendingOrderForm(
                data if about == "sending" else None,
                choice=read.choice.sending,
                people=position.people,
            )
            if read.choice.sending is not None
            else None
        )
        every = [*self.bribes, self.decision, self.sending]
        self.left = next((form for form in every if form is not None and form.is_bound), None)


def _order(form: WaitForm) -> tuple[Scholar | None, Order]:
    """The order of the form that was handed in, and whom a bribe is for."""
    match form:
        case BribeOrderForm():
            return form.choice.scholar, form.order
        case SendingOrderForm():
            return None, form.order
        case _:
            return None, HighestBribes()


def _leave(request: HttpRequest, position: Position, form: WaitForm) -> bool:
    """Leave the order; where it is refused, its form says why and keeps what was typed.

    One that would break a promise is saved with a warning.
    """
    scholar, order = _order(form)
    try:
        orders.leave_order(
            game_id=position.game.pk,
            user=signed_in(request),
            scholar=scholar,
            order=order,
            wait_if_addressed=form.cleaned_data["wait_if_addressed"],
            now=timezone.now(),
            token=token_of(request),
        )
    except Refused as reason:
        form.add_error(None, str(reason))
        return False
    messages.success(request, _("Your order has been saved."))
    warning = order_warning(position.people, position.view, position.known, scholar, order)
    if warning:
        messages.warning(request, warning)
    return True


def _render(request: HttpRequest, game: Game, position: Position, forms: _Forms) -> HttpResponse:
    text = _("Decisions in {your_palace}")
    context = {
        "game": game,
        "forms": forms,
        "wanted": request.GET.get("for"),
        "decision_title": text.format(your_palace=position.people.words.your_palace),
        "names": position.people.names,
        "board": position.board,
    }
    status = 422 if forms.left is not None else 200
    return render(request, "game/orders.html", context, status=status)
