"""Acts of words: mail that is sent again, and what the referee writes to a table."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Message, OutboxMail
from games.services import audit, outbox, talk
from games.services.moderation.acting import Ask, lock
from games.services.refused import Refused
from games.services.typed_text import tidy

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
            raise Refused(_("This mail waits to be sent anyway."))
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
    if not 0 < len(text) <= talk.LONGEST:
        raise Refused(_("A message has from 1 to {most} characters.").format(most=talk.LONGEST))
    with transaction.atomic(durable=True):
        game = lock(ask)
        if Message.objects.filter(token=token).exists():
            return
        message = talk.write(
            game, author=ask.moderator, text=text, token=token, now=ask.now, by_referee=True
        )
        for seat in game.seats.select_related("user"):
            outbox.enqueue(
                OutboxMail.Kind.REFEREE,
                game=game, person=seat.user, now=ask.now, about=message.pk,
            )  # fmt: skip
        audit.note(
            "referee", now=ask.now, who=ask.moderator, game=game, after=f"message {message.pk}"
        )
