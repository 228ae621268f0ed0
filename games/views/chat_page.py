"""Writing messages at a table, and editing one's own."""

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.forms.chat import EditForm, MessageForm
from games.models import Message, PrivateMessage
from games.presentation.text.tables import time_text
from games.services.chat import messages
from games.services.chat.thread_queries import readable_message
from games.services.public_ids import number_of
from games.services.refused import Refused
from games.views.chat import address_of
from games.views.guards import for_members, signed_in, table_of
from games.views.tables import table_page


@never_cache
@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def table_chat(request: HttpRequest, token: str) -> HttpResponseBase:
    """Write a message; on GET lead to the messages, which once had a page here.

    A refused message comes back on the table's page with what was typed.
    """
    game, _notebook = table_of(request, token)
    if request.method != "POST":
        return redirect(address_of(game))
    user = signed_in(request)
    form = MessageForm(request.POST)
    if form.is_valid():
        try:
            messages.say(game_id=game.pk, user=user, now=timezone.now(), **form.cleaned_data)
        except Refused as reason:
            form.add_error("text", str(reason))
        else:
            return redirect(address_of(game))
    elif "token" in form.errors:
        form.add_error("text", messages.out_of_date())
    form.fields["text"].widget.attrs["autofocus"] = True
    game.refresh_from_db()
    return table_page(request, game, chat_form=form, status=422)


@never_cache
@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, token: str, message: str) -> HttpResponse:
    """Change one's own message at a table, shortly after it was sent."""
    rows = Message.objects.select_related("game")
    where = {"pk": number_of("message", message), "game__token": token}
    own_message = get_object_or_404(rows, **where, author=signed_in(request))
    return _edit(request, own_message, address_of(own_message.game))


@never_cache
@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def edit_private(request: HttpRequest, token: str, thread: str, message: str) -> HttpResponse:
    """Change one's own message in a thread, shortly after it was sent."""
    user = signed_in(request)
    try:
        own_message = readable_message(token, thread, message, user)
    except ObjectDoesNotExist:
        raise Http404 from None
    if own_message.author_id != user.pk:
        raise Http404
    return _edit(request, own_message, address_of(own_message.game, thread))


def _edit(request: HttpRequest, own_message: Message | PrivateMessage, back: str) -> HttpResponse:
    form = EditForm(
        request.POST if request.method == "POST" else None, initial={"text": own_message.text}
    )
    if form.is_valid():
        user, text = signed_in(request), form.cleaned_data["text"]
        try:
            messages.edit(message=own_message, user=user, text=text, now=timezone.now())
        except Refused as reason:
            form.add_error("text", str(reason))
        else:
            return redirect(back)
    time = time_text(messages.EDITED_WITHIN)
    context = {"game": own_message.game, "form": form, "back": back, "time": time}
    return render(request, "chat/edit.html", context, status=422 if form.errors else 200)
