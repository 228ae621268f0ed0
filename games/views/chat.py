"""The chat as part of a page: messages, and the form for players at the table."""

from typing import Final, NamedTuple
from uuid import uuid4

from django.http import HttpRequest
from django.utils import timezone

from games.forms.chat import MessageForm
from games.models import Game, User
from games.presentation.text.time_left import clock_text
from games.services.chat import messages
from games.services.chat.queries import ChatLine, messages_of
from games.services.chat.thread_queries import ThreadLine, threads_at
from games.services.game.holders import Holders
from games.services.game.queries.own_notes import Kept, Notebook
from games.services.people.display_names import mention

LIVE: Final = "X-Live"
"""Sent by a page that fetches itself again: "chat" if the reader sees the chat, else "page"."""

SHOWN_AT_ONCE = 50
"""How many messages a page shows; older ones are on the pages of the chat."""


class Chat(NamedTuple):
    """Some messages, the latest first.

    `older_than` is the id of the last one if there are older ones, or ""; `is_old` says that these
    aren't the latest. `form` is None for those who may not write. `draft_at` says when the draft
    in it was saved, and `names` how to mention the others. `mentions` are all mentions with the
    colour of their seat, "" before the game. `threads` are None where nobody talks privately.
    """

    lines: list[ChatLine]
    unread: int
    older_than: str
    is_old: bool
    is_player: bool
    form: MessageForm | None
    draft_at: str
    names: list[str]
    mentions: dict[str, str]
    threads: list[ThreadLine] | None

    @property
    def all_unread(self) -> int:
        """With what is unread in the reader's private conversations."""
        return self.unread + sum(thread.unread for thread in self.threads or ())

    @property
    def last_message(self) -> int:
        return self.lines[0].number if self.lines else 0


def read_chat(
    game: Game,
    user: User,
    notebook: Notebook,
    *,
    before: int | None = None,
    holders: Holders | None = None,
    form: MessageForm | None = None,
) -> Chat:
    """The latest messages, or those `before` the message of this number.

    `notebook` is the reader's. Who has the `holders` already gives them and spares a query.
    `form` is one that was refused.
    """
    holders = Holders.of(game) if holders is None else holders
    players = [seat for seat in holders.seats if seat.user is not None]
    lines = messages_of(
        game,
        user,
        user.time_zone,
        SHOWN_AT_ONCE + 1,
        before=before,
        holders=holders,
        last_read=notebook.last_message,
    )
    lines, older = lines[:SHOWN_AT_ONCE], lines[SHOWN_AT_ONCE:]
    is_old = before is not None
    is_player = any(seat.user == user for seat in players)
    draft = notebook.message
    shows_threads = game.has_threads and game.state is not None and not is_old
    return Chat(
        lines=lines,
        unread=sum(line.unread for line in lines),
        older_than=lines[-1].id if older else "",
        is_old=is_old,
        is_player=is_player,
        form=form or (_form(draft) if is_player and _may_write(game, user) else None),
        draft_at=clock_text(draft.at, user.time_zone) if draft is not None else "",
        names=[mention(seat) for seat in players if seat.user != user],
        mentions={mention(seat): "" if seat.number is None else seat.colour for seat in players},
        threads=threads_at(game, user) if shows_threads else None,
    )


def _form(draft: Kept | None) -> MessageForm:
    """The form of a message, with the draft there is."""
    text = draft.fields.get("talk-text", "") if draft is not None else ""
    return MessageForm(initial={"token": uuid4(), "text": text})


def _may_write(game: Game, player: User) -> bool:
    now = timezone.now()
    return not (player.is_muted(now) or player.is_suspended(now) or game.is_silent)


def sees_chat(request: HttpRequest) -> bool:
    """Whether the chat of a page is in sight, as far as the page itself knows."""
    return request.headers.get(LIVE) != "page"


def mark_read(
    game: Game,
    user: User,
    chat: Chat,
    notebook: Notebook,
    *,
    last_event: int = 0,
    sees_chat: bool = True,
) -> None:
    """After the page was rendered: record that a player has seen what it shows and they hadn't.

    A page that fetched itself again may not show the chat at the moment.
    """
    last_message = chat.last_message if sees_chat else 0
    is_new = last_message > notebook.last_message or last_event > notebook.last_event
    if chat.is_player and (is_new or not notebook.visited):
        messages.visited(
            game,
            user,
            timezone.now(),
            last_message=last_message,
            last_event=last_event,
            is_first=not notebook.visited,
        )
