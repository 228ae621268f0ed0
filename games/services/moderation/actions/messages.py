"""Acts of words: mail sent again, what the referee writes, and the words of a table itself."""

from uuid import UUID, uuid4

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Game, Message, OutboxMail
from games.services import audit, outbox
from games.services.chat import messages
from games.services.clean_text import tidy
from games.services.lobby.settings import LONGEST_NAME
from games.services.moderation.actions.on_games import Ask, lock
from games.services.refused import Refused

MAY_GO_AGAIN = (
    OutboxMail.Status.FAILED,
    OutboxMail.Status.SENT,
    OutboxMail.Status.DROPPED,
    OutboxMail.Status.SUSPENDED,
)


def send_again(ask: Ask, *, mail_id: int) -> None:
    """Send a mail of a game once more, where it is still true. It keeps its Message-ID."""
    with transaction.atomic(durable=True):
        game = lock(ask)
        mail = game.mails.select_for_update(of=("self",)).select_related("person").get(pk=mail_id)
        if mail.status not in MAY_GO_AGAIN:
            raise Refused(_("This email is already waiting to be sent."))
        before = mail.status
        mail.status, mail.not_before = OutboxMail.Status.READY, ask.now
        mail.attempts, mail.claimed_at, mail.error = 0, None, ""
        mail.save()
        audit.note(
            "send again", now=ask.now, who=ask.moderator, game=game, person=mail.person,
            reason=ask.reason, before=f"{mail.kind}: {before}", after=mail.status,
        )  # fmt: skip


def write_as_referee(ask: Ask, *, text: str, token: UUID) -> None:
    """Write in the talk of a table as the referee; everybody who sits there gets it by mail.

    The same `token`, made with the form, is one message however often it comes.
    """
    text = tidy(text)
    if not 0 < len(text) <= messages.LONGEST:
        raise Refused(
            _("A message must have 1 to {most} characters.").format(most=messages.LONGEST)
        )
    with transaction.atomic(durable=True):
        game = lock(ask)
        if Message.objects.filter(token=token).exists():
            return
        message = _tell_table(game, ask, text, token)
        audit.note(
            "referee", now=ask.now, who=ask.moderator, game=game, after=f"message {message.pk}"
        )


def _tell_table(game: Game, ask: Ask, text: str, token: UUID, act: str = "") -> Message:
    """Write in the talk of a locked table, and mail it to everybody who sits there."""
    message = messages.write(
        game, author=ask.moderator, text=text, token=token, now=ask.now, by_referee=True
    )
    if act:
        message.act = act
        message.save(update_fields=["act"])
    for seat in game.seats.select_related("user"):
        outbox.enqueue("referee", game=game, person=seat.user, now=ask.now, about=message.pk)
    return message


def rename_table(ask: Ask, *, name: str) -> None:
    """Give a table another name, whether it waits, plays or is over. The table is told why."""
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused(_("A name must have 1 to {most} characters.").format(most=LONGEST_NAME))
    with transaction.atomic(durable=True):
        game = lock(ask)
        if game.name == name:
            raise Refused(_("The table already has this name."))
        before, game.name = game.name, name
        game.save(update_fields=["name"])
        _tell_table(game, ask, ask.reason, uuid4(), Message.Act.RENAMED)
        _note_words("rename table", game, ask, before, name)


def remove_note(ask: Ask) -> None:
    """Take the note of a table away. The table is told why."""
    with transaction.atomic(durable=True):
        game = lock(ask)
        if not game.note:
            raise Refused(_("This table has no description."))
        before, game.note = game.note, ""
        game.save(update_fields=["note"])
        _tell_table(game, ask, ask.reason, uuid4(), Message.Act.NOTE_REMOVED)
        _note_words("remove note", game, ask, before, "")


def _note_words(act: str, game: Game, ask: Ask, before: str, after: str) -> None:
    audit.note(
        act, now=ask.now, who=ask.moderator, game=game, person=game.host,
        reason=ask.reason, before=before, after=after,
    )  # fmt: skip
