"""What makes it possible to reply to an email: its Reply-To, and a sentence that says so."""

import re
from typing import Final

from django.utils.translation import gettext as _

from games.extensions import Reply
from games.features.inbound.addresses import address_about, address_of, is_on
from games.features.inbound.commands.words import shown
from games.features.inbound.matters import Matter, matter_of, matter_of_row
from games.features.inbound.replied_to import RESPONSES
from games.models import Game, InboundEmail, OutboxEmail, Seat, Thread
from games.services.chat.thread_queries import conversation_of, threads_at

ID: Final = re.compile(r"<[!-;=?-~]+>")

OPEN_TO_REPLIES: Final = (Game.Status.WAITING, Game.Status.RUNNING, Game.Status.FINISHED)


def reply_of(email: OutboxEmail, seat: Seat | None) -> Reply:
    """How an email can be replied to: anyone with a seat at a table may reply to email about it.

    So may whoever writes about a matter of another feature, to what they get about that. Replies to
    email about a private message go to its conversation. Email that a reply wasn't read takes none:
    it doesn't say in which conversation that was.
    """
    responded_to = _responded_to(email)
    its_id = "" if responded_to is None else responded_to.message_id
    to = its_id if ID.fullmatch(its_id) else ""
    person, game = email.person, email.game
    if is_on() and (matter := _matter(email, responded_to)) is not None:
        hint = f"{_('You can reply to this email.')} {_read_only_from(matter.topic.address)}"
        return Reply(address_about(matter), hint, to)
    if not is_on() or person is None or game is None or seat is None or game.guided:
        return Reply(in_reply_to=to)
    if game.status not in OPEN_TO_REPLIES or email.kind == "not_read":
        return Reply(in_reply_to=to)
    thread = _thread(email, responded_to)
    if thread is not None:
        address = address_of(person, game.pk, thread.token)
        return Reply(
            address, f"{_hint_of_thread(game, email, thread)} {_read_only_from(person.email)}", to
        )
    return Reply(address_of(person, game.pk), f"{_hint(game)} {_read_only_from(person.email)}", to)


def _responded_to(email: OutboxEmail) -> InboundEmail | None:
    if email.kind not in RESPONSES:
        return None
    rows = InboundEmail.objects.select_related("thread", "person")
    return rows.filter(pk=email.about).first()


def _matter(email: OutboxEmail, responded_to: InboundEmail | None) -> Matter | None:
    """What an email is about that isn't a table; None if there is no such thing."""
    if responded_to is not None:
        return matter_of_row(responded_to) if responded_to.topic else None
    return None if email.kind == "not_read" else matter_of(email)


def _thread(email: OutboxEmail, responded_to: InboundEmail | None) -> Thread | None:
    if responded_to is not None:
        return responded_to.thread
    return conversation_of(email)


def _read_only_from(address: str) -> str:
    return _("Only replies from {address} are read.").format(address=address)


def _hint(game: Game) -> str:
    if game.is_silent:
        text = _("You can reply to this email with your move. Reply “{help}” to find out how.")
    elif game.status == Game.Status.RUNNING:
        text = _(
            "You can reply to this email with your move, or with a message to everyone at the "
            "table. Reply “{help}” to find out how."
        )
    else:
        text = _("You can reply to this email with a message to everyone at the table.")
    return text.format(help=shown("help"))


def _hint_of_thread(game: Game, email: OutboxEmail, thread: Thread) -> str:
    own = threads_at(game, email.person)
    names = next((one.names for one in own if one.token == thread.token), "")
    text = _(
        "You can reply to this email with a message to {names}, or with your move. Reply “{help}” "
        "to find out how."
    )
    return text.format(names=names, help=shown("help"))
