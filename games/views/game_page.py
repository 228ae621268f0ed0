"""The page of a started game."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from games.extensions import parts_of
from games.forms.chat import ChatForm
from games.forms.moves import FORMS, MoveForm
from games.forms.notes import NotesForm
from games.forms.seats import DaysOffForm
from games.models import Game, User
from games.presentation.board.promise_hints import hints
from games.services.game.position import Position
from games.services.game.queries.game_page import GamePage, read_page
from games.services.game.queries.game_view import what_keeps_from_a_seat
from games.services.game.queries.own_notes import Kept, Notebook
from games.services.lobby.queries import settings_text
from games.services.moderation.secrets import Look, looks_at
from games.views.chat import UNREAD, Chat, address_of, mark_read, read_chat, sees_chat
from games.views.guards import admin_link, reader_of
from games.views.sanctions import muted_context_of

SINCE: Final = "X-Since"
"""Sent by a page that fetches itself again: the last event that the reader had seen at first."""

MOST_EVENTS_OF_A_VISIT: Final = 200


@dataclass(frozen=True)
class WholePage(GamePage):
    """The game, and what else its page shows: the chat, the table and its links.

    Whoever isn't signed in sees no chat. `unmet` is why a reader may not take over a seat that is
    free for others. `since` is the last event that they had seen when they opened the page: what
    came later stays new while the page is kept up to date.
    """

    chat: Chat | None
    settings: list[str]
    secrets_log: list[Look]
    link: str
    unmet: str
    admin_link: str
    since: int
    notes_form: NotesForm
    days_off_form: DaysOffForm = field(default_factory=DaysOffForm)


@never_cache
def game_page(
    request: HttpRequest,
    game: Game,
    form: MoveForm | None = None,
    *,
    chat_form: ChatForm | None = None,
    talk: str | None = None,
    notebook: Notebook | None = None,
    status: int = 200,
) -> HttpResponse:
    """A started game as the reader may see it, with a new form or one that was refused.

    `talk` names the conversation of a refused message; else the address names the one to show.
    `notebook` is the reader's, if it has been read already.
    """
    user, zone = reader_of(request)
    visited, notebook = notebook, _since_it_was_opened(request, notebook)
    read = read_page(game, user, zone, timezone.now(), notebook)
    page = WholePage(
        **vars(read),
        chat=_chat(read, user, request.GET if talk is None else {"talk": talk}, chat_form),
        settings=settings_text(game),
        secrets_log=looks_at(game, zone),
        unmet=what_keeps_from_a_seat(read.position, user, timezone.now()),
        link=request.build_absolute_uri(game.get_absolute_url()),
        admin_link=admin_link(game, user),
        since=read.notebook.last_event or read.last_event,
        notes_form=NotesForm(initial={"text": read.notebook.notes}),
    )
    if request.GET.get("talk") == UNREAD:
        return redirect(address_of(game, (page.chat and page.chat.to_open) or ""))
    form = form or new_form(page.position, draft=page.notebook.move)
    context = {"game": game, "page": page, "form": form, **muted_context_of(request)}
    context["parts"] = parts_of("game", request, **context)
    response = render(request, "game/game.html", context, status=status)
    if request.method == "GET" and user is not None and page.chat is not None:
        mark_read(
            game,
            user,
            page.chat,
            visited or page.notebook,
            last_event=page.last_event,
            sees_chat=sees_chat(request),
        )
    return response


def _chat(
    read: GamePage, user: User | None, query: Mapping[str, str], form: ChatForm | None
) -> Chat | None:
    """The conversation to show; None for whoever may read none."""
    if user is None:
        return None
    game, holders, promises = read.position.game, read.position.holders, read.promises
    return read_chat(
        game, user, read.notebook, query, holders=holders, promises=promises, form=form
    )


def _since_it_was_opened(request: HttpRequest, notebook: Notebook | None) -> Notebook | None:
    """What the reader has left, with what they had seen when the page was opened, if it was."""
    since = request.headers.get(SINCE, "")
    if notebook is None or not re.fullmatch(r"[0-9]{1,9}", since):
        return notebook
    opened = max(int(since), notebook.last_event - MOST_EVENTS_OF_A_VISIT)
    return notebook._replace(last_event=min(opened, notebook.last_event))


def new_form(position: Position, data: Any = None, draft: Kept | None = None) -> MoveForm | None:
    """The form of the reader's decision, or None if they have none to make.

    It is filled in with the draft, else with the default move.
    """
    if not position.is_to_move:
        return None
    fields = draft.fields if draft is not None else {}
    return FORMS[type(position.view.choice)](
        data,
        people=position.people,
        view=position.view,
        hints=hints(position.people, position.view, position.known),
        initial={**fields, "phase_no": position.game.phase_no, "token": uuid4()},
    )
