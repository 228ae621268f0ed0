"""Table talk: the part of a table's page that shows what was said."""

from typing import Any
from uuid import uuid4

from django.utils import timezone

from games.forms.chat import TalkForm
from games.models import Game, Seat, User
from games.presentation.text.time_left import clock_told
from games.services.chat import messages
from games.services.chat.queries import messages_of
from games.services.game.queries.own_notes import Kept, Notebook, read_notebook
from games.services.people.display_names import mention
from games.views.sanctions import muted_context

SHOWN_AT_ONCE = 50
"""How many messages a page shows; older ones are on the pages of the talk."""


def talk_context(
    game: Game,
    user: User | None,
    zone: str,
    *,
    before: int | None = None,
    seats: list[Seat] | None = None,
    notebook: Notebook | None = None,
) -> dict[str, Any]:
    """What chat/_chat.html needs besides `game`: messages, and the form of who sits there.

    They are the latest ones, or those `before` the message of this number.
    Who has read the `seats` and the reader's `notebook` gives them and spares their queries.
    `last_message` is for `mark_read`, after the page was rendered.
    """
    seats = list(game.seats.select_related("user")) if seats is None else seats
    notebook = read_notebook(game, user) if notebook is None else notebook
    lines = messages_of(
        game,
        user,
        zone,
        SHOWN_AT_ONCE + 1,
        before=before,
        seats=seats,
        last_read=notebook.last_message,
    )
    lines, older = lines[:SHOWN_AT_ONCE], lines[SHOWN_AT_ONCE:]
    sits_here = user is not None and any(seat.user == user for seat in seats)
    muted = muted_context(user) if user is not None else {"muted": ""}
    return {
        "talk": lines,
        "talk_unread": sum(line.unread for line in lines),
        "talk_before": lines[-1].number if older else None,
        "talk_is_old": before is not None,
        "talk_form": _new_form(notebook.talk) if sits_here and not muted["muted"] else None,
        "talk_member": sits_here,
        **muted,
        "talk_draft_at": notebook.talk and clock_told(notebook.talk.at, zone),
        "talk_names": [
            mention(seat) for seat in seats if seat.user is not None and seat.user != user
        ],
        "last_message": lines[0].number if lines else 0,
    }


def mark_read(
    game: Game,
    user: User | None,
    context: dict[str, Any],
    *,
    notebook: Notebook | None = None,
    last_event: int = 0,
) -> None:
    """After the page was rendered: note that the reader has seen what it shows."""
    if user is None or not context["talk_member"]:
        return
    messages.visited(
        game,
        user,
        timezone.now(),
        last_message=context["last_message"],
        last_event=last_event,
        is_first=notebook is not None and not notebook.visited,
    )


def _new_form(draft: Kept | None) -> TalkForm:
    text = draft.fields.get("talk-text", "") if draft is not None else ""
    return TalkForm(initial={"token": uuid4(), "text": text})
