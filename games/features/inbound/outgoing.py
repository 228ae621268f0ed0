"""What makes it possible to reply to an email: its Reply-To, and a sentence that says so."""

import re
from typing import Final

from django.utils.translation import gettext as _

from games.extensions import Reply
from games.features.inbound.addresses import address_of, is_on
from games.features.inbound.commands.words import shown
from games.features.inbound.replied_to import ANSWERS
from games.models import Game, InboundEmail, OutboxEmail, Seat, Thread, User
from games.services.chat.thread_queries import conversation_of, threads_at

ID: Final = re.compile(r"<[!-;=?-~]+>")

ANSWERED: Final = (Game.Status.WAITING, Game.Status.RUNNING, Game.Status.FINISHED)


def reply_of(email: OutboxEmail, seat: Seat | None) -> Reply:
    """What may be replied to an email: whoever sits at a table may answer email about it.

    Email about a private message is answered in its conversation. Email that a reply wasn't read
    isn't answered: it doesn't say in which conversation that was.
    """
    answered = _answered(email)
    its_id = "" if answered is None else answered.message_id
    to = its_id if ID.fullmatch(its_id) else ""
    person, game = email.person, email.game
    if not is_on() or person is None or game is None or seat is None or game.guided:
        return Reply(answers=to)
    if game.status not in ANSWERED or email.kind == "not_read":
        return Reply(answers=to)
    thread = _thread(email, answered)
    if thread is not None:
        address = address_of(person, game.pk, thread.token)
        return Reply(address, f"{_hint_of_thread(game, email, thread)} {_who(person)}", to)
    return Reply(address_of(person, game.pk), f"{_hint(game)} {_who(person)}", to)


def _answered(email: OutboxEmail) -> InboundEmail | None:
    if email.kind not in ANSWERS:
        return None
    return InboundEmail.objects.select_related("thread").filter(pk=email.about).first()


def _thread(email: OutboxEmail, answered: InboundEmail | None) -> Thread | None:
    if answered is not None:
        return answered.thread
    return conversation_of(email)


def _who(person: User) -> str:
    return _("Only replies from {address} are read.").format(address=person.email)


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
