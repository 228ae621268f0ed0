"""The chat as part of a page: one of its conversations, and the form for players at the table."""

from collections.abc import Mapping
from typing import Final, NamedTuple
from uuid import uuid4

from django.http import HttpRequest
from django.utils import timezone

from games.forms.chat import ChatForm, MessageForm, ThreadForm, WhisperForm, before_of
from games.models import Game, User
from games.presentation.text.time_left import clock_text
from games.presentation.text.words import NameList
from games.services.chat import messages, threads
from games.services.chat.queries import ChatLine, among, messages_of, unread
from games.services.chat.thread_queries import (
    ThreadLine,
    ThreadPage,
    line_of,
    read_thread,
    tabs_at,
)
from games.services.game.holders import Holders
from games.services.game.notes import name_in
from games.services.game.queries.own_notes import Notebook
from games.services.game.queries.promises import OfferLine, Promises
from games.services.people.display_names import mention

LIVE: Final = "X-Live"
"""Sent by a page that fetches itself again: "chat" if the reader sees the chat, else "page"."""

SHOWN_AT_ONCE: Final = 50
"""How many messages of the table chat a page shows; older ones are one link further."""

UNREAD: Final = "unread"
"""What names the first conversation in which something is unread, in addresses."""

NEW: Final = "new"
"""What names the conversation that is to begin, in addresses."""


class Tabs(NamedTuple):
    """The private conversations that a reader may know of, and the one that they read.

    `shown` is None while they read the table chat, or begin another one (`is_new`).
    """

    lines: list[ThreadLine]
    shown: ThreadLine | None
    is_new: bool

    @property
    def others(self) -> list[ThreadLine]:
        """The conversations with one other person each who sits at the table now."""
        return [line for line in self.lines if line.colour]

    @property
    def by_colour(self) -> dict[str, ThreadLine]:
        """These by the colour of the other person."""
        return {line.colour: line for line in self.others}

    @property
    def key(self) -> str:
        """What names the conversation in addresses; "" for the table chat."""
        return NEW if self.is_new else "" if self.shown is None else self.shown.token

    @property
    def place(self) -> str:
        """What names the conversation where drafts are kept; "" for the table chat."""
        return "" if self.shown is None else threads.place_of(self.shown.seats)

    def draft_in(self, notebook: Notebook) -> str:
        """What the reader has typed in this conversation and not sent."""
        fields = {} if notebook.message is None else notebook.message.fields
        return "" if self.is_new else fields.get(name_in(self.place, "talk-text"), "")

    @property
    def unread(self) -> int:
        return sum(line.unread for line in self.lines)


class Chat(NamedTuple):
    """Some messages of one conversation, the latest last.

    `thread` is what there is of a private one, None for the table chat and for one that hasn't
    begun. `unread` counts what is unread in the table chat. `older_than` is the id of the first
    line if there are older ones, or ""; `is_old` says that these aren't the latest. `form` is None
    for those who may not write here. `draft_at` says when the draft in it was saved, and `names`
    how to mention the others. `mentions` are all mentions with the colour of their seat, "" before
    the game. `offers` are the open ones among these lines that the reader may reply to or withdraw,
    by the number of the line.
    """

    tabs: Tabs
    thread: ThreadPage | None
    lines: list[ChatLine]
    unread: int
    older_than: str
    is_old: bool
    is_player: bool
    form: ChatForm | None
    draft_at: str
    names: list[str]
    mentions: dict[str, str]
    offers: Mapping[int, OfferLine]

    @property
    def to_open(self) -> str | None:
        """What names another conversation, in which something is unread.

        None while something is unread in the one that is shown, or in none.
        """
        if any(line.unread for line in self.lines):
            return None
        private = (one.token for one in self.tabs.lines if one.unread and one.can_read)
        return next(private, "" if self.unread and self.tabs.key else None)

    @property
    def all_unread(self) -> int:
        """With what is unread in the reader's private conversations."""
        return self.unread + self.tabs.unread


def address_of(game: Game, key: str = "") -> str:
    """Where a conversation of a table is read: the one with this `key`, or the table chat."""
    return f"{game.get_absolute_url()}{f'?talk={key}' if key else ''}#chat"


def read_tabs(game: Game, user: User | None, holders: Holders, key: str) -> Tabs:
    """The private conversations at a table, of which the one with this `key` is read.

    If the reader has no such conversation, they read the table chat; whoever isn't signed in never
    reads that, but the first one that is open to everybody.
    """
    if game.state is None:
        return Tabs([], None, is_new=False)
    lines = tabs_at(game, user, holders.seats)
    shown = line_of(lines, key)
    if user is None and shown is None:
        shown = next((line for line in lines if line.can_read), None)
    tabs = Tabs(lines, shown, is_new=False)
    return tabs._replace(is_new=key == NEW and len(tabs.others) > 1)


def read_chat(
    game: Game,
    user: User | None,
    notebook: Notebook,
    query: Mapping[str, str],
    *,
    holders: Holders | None = None,
    promises: Promises | None = None,
    form: ChatForm | None = None,
) -> Chat:
    """The conversation that `query` names, up to the latest message or to the one that it names.

    `notebook` and `promises` are the reader's. Who has the `holders` already gives them and spares
    a query. `form` is one that was refused.
    """
    holders = Holders.of(game) if holders is None else holders
    players = [seat for seat in holders.seats if seat.user is not None]
    tabs = read_tabs(game, user, holders, query.get("talk", ""))
    thread = _thread(game, tabs, user, holders, query)
    lines, older_than = ([], "") if thread is None else (thread.lines, thread.older_than)
    if user is not None and not tabs.key:
        lines, older_than = _table_chat(game, user, notebook, holders, query)
    draft = notebook.message if tabs.draft_in(notebook) else None
    is_player = any(seat.user == user for seat in players)
    may_write = is_player and _may_write(game, user) and (thread is None or thread.can_write)
    return Chat(
        tabs=tabs,
        thread=thread,
        lines=lines,
        unread=unread(game, user) if user and tabs.key else sum(one.unread for one in lines),
        older_than=older_than,
        is_old="before" in query,
        is_player=is_player,
        form=_form(tabs, notebook, form, may_write=may_write),
        draft_at=clock_text(draft.at, user.time_zone) if user and draft else "",
        names=[mention(seat) for seat in players if seat.user != user],
        mentions={mention(seat): "" if seat.number is None else seat.colour for seat in players},
        offers={} if promises is None else _offers_in(promises, tabs.key),
    )


def others_of(tabs: Tabs) -> list[tuple[str, NameList]]:
    """The people with whom a conversation can begin, as choices of its form."""
    return [(line.person_id, line.names) for line in tabs.others]


def _thread(
    game: Game, tabs: Tabs, user: User | None, holders: Holders, query: Mapping[str, str]
) -> ThreadPage | None:
    if tabs.shown is None or tabs.shown.thread is None:
        return None
    thread, zone = tabs.shown.thread, "UTC" if user is None else user.time_zone
    before = before_of(query, among(thread.token), old=False)
    return read_thread(game, thread, user, zone, holders=holders, before=before)


def _offers_in(promises: Promises, token: str) -> dict[int, OfferLine]:
    """The open offers of the reader's in a private conversation, by the number of their line."""
    own = (*promises.to_me, *promises.mine)
    return {offer.made_at: offer for offer in own if token and offer.thread == token}


def _table_chat(
    game: Game, user: User, notebook: Notebook, holders: Holders, query: Mapping[str, str]
) -> tuple[list[ChatLine], str]:
    """Its lines, and the id of the first one if there are older ones."""
    lines = messages_of(
        game,
        user,
        user.time_zone,
        SHOWN_AT_ONCE + 1,
        before=before_of(query, "message"),
        holders=holders,
        last_read=notebook.last_message,
    )
    lines, older = lines[:SHOWN_AT_ONCE], lines[SHOWN_AT_ONCE:]
    return lines[::-1], lines[-1].id if older else ""


def _form(
    tabs: Tabs, notebook: Notebook, refused: ChatForm | None, *, may_write: bool
) -> ChatForm | None:
    """The form of a message in the conversation that is shown, with what was typed before."""
    blank: ChatForm
    if tabs.is_new:
        blank = ThreadForm(others=others_of(tabs))
    else:
        form = MessageForm if tabs.shown is None else WhisperForm
        blank = form(initial={"token": uuid4(), "text": tabs.draft_in(notebook)})
    if type(refused) is type(blank):  # what is private never stands in another field
        return refused
    return blank if may_write else None


def _may_write(game: Game, player: User | None) -> bool:
    now = timezone.now()
    if player is None or game.is_silent:
        return False
    return not (player.is_muted(now) or player.is_suspended(now))


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
    """After the page was rendered: record that somebody has seen what it shows and they hadn't.

    A page that fetched itself again may not show the chat at the moment.
    """
    shown, last = chat.tabs.shown, chat.lines[-1].number if chat.lines and sees_chat else 0
    if shown is not None:
        if shown.thread is not None and last and any(line.unread for line in chat.lines):
            threads.read_up_to(shown.thread.pk, user, last)
        last = 0
    is_new = last > notebook.last_message or last_event > notebook.last_event
    if chat.is_player and (is_new or not notebook.visited):
        messages.visited(
            game,
            user,
            timezone.now(),
            last_message=last,
            last_event=last_event,
            is_first=not notebook.visited,
        )
