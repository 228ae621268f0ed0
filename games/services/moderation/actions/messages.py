"""Actions on the words of a table: email sent again, the referee's messages, name, description."""

from uuid import UUID, uuid4

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Game, Message, OutboxEmail, User
from games.services import audit, live, outbox
from games.services.audit import Changed
from games.services.chat import messages
from games.services.clean_text import fitting
from games.services.lobby.settings import LONGEST_NAME
from games.services.moderation.actions.game_action import lock
from games.services.moderation.actions.requests import ActionRequest, GameRequest, write_audit_line
from games.services.refused import Refused

MAY_GO_AGAIN = (
    OutboxEmail.Status.FAILED,
    OutboxEmail.Status.SENT,
    OutboxEmail.Status.DROPPED,
    OutboxEmail.Status.SUSPENDED,
)


def send_again(request: GameRequest, *, email_id: int) -> None:
    """Send an email of a game once more, if it still applies. It keeps its Message-ID."""
    with transaction.atomic(durable=True):
        game = lock(request)
        email = (
            game.emails.select_for_update(of=("self",)).select_related("person").get(pk=email_id)
        )
        if email.status not in MAY_GO_AGAIN:
            raise Refused(_("This email is already waiting to be sent."))
        before = email.status
        email.status, email.not_before = OutboxEmail.Status.READY, request.now
        email.attempts, email.claimed_at, email.error = 0, None, ""
        email.save()
        write_audit_line(
            "game.send-again",
            request,
            game=game,
            person=email.person,
            before={"email": email.pk, "email_kind": email.kind, "email_status": before},
            after={"email_status": email.status},
        )


def write_as_referee(request: GameRequest, *, text: str, token: UUID) -> None:
    """Write in the chat of a table as the referee; everybody who sits there gets it by email.

    The same `token`, made with the form, is one message however often it comes.
    """
    text = fitting(text, messages.LONGEST)
    with transaction.atomic(durable=True):
        game = lock(request)
        if Message.objects.filter(token=token).exists():
            return
        message = write_to_table(game, request, text, token)
        audit.write(
            "game.referee", now=request.now, who=request.moderator, game=game,
            after={"message": message.pk},
        )  # fmt: skip


def write_to_table(
    game: Game,
    request: GameRequest | ActionRequest,
    text: str,
    token: UUID,
    act: str = "",
    but: User | None = None,
) -> Message:
    """Write in the chat of a locked table, and email it to everybody who sits there, `but` one."""
    message = messages.write(
        game, author=request.moderator, text=text, token=token, now=request.now, by_referee=True
    )
    if act:
        message.act = act
        message.save(update_fields=["act"])
    for seat in game.seats.select_related("user"):
        if but is None or seat.user != but:
            outbox.enqueue(
                "referee", game=game, person=seat.user, now=request.now, about=message.pk
            )
    return message


def rename_table(request: GameRequest, *, name: str) -> None:
    """Rename a table, at any stage of its game. The table reads why."""
    with transaction.atomic(durable=True):
        game = lock(request)
        changed = give_table_name(game, request, name)
        write_audit_line("game.rename", request, game=game, person=game.host, **changed)


def give_table_name(
    game: Game, request: GameRequest | ActionRequest, name: str, but: User | None = None
) -> Changed:
    """Rename a locked table; everybody there is emailed why, `but` one.

    What changed is returned.
    """
    name = fitting(" ".join(name.split()), LONGEST_NAME)
    if game.name == name:
        raise Refused(_("The table already has this name."))
    before, game.name = game.name, name
    game.save(update_fields=["name"])
    live.table_changed(game.pk)
    write_to_table(game, request, request.reason, uuid4(), Message.Act.RENAMED, but)
    return {"before": {"name": before}, "after": {"name": name}}


def remove_description(request: GameRequest) -> None:
    """Delete the description of a table. The table reads why."""
    with transaction.atomic(durable=True):
        game = lock(request)
        changed = delete_description(game, request)
        write_audit_line("game.remove-note", request, game=game, person=game.host, **changed)


def delete_description(
    game: Game, request: GameRequest | ActionRequest, but: User | None = None
) -> Changed:
    """Delete the description of a locked table; everybody there is emailed why, `but` one.

    What changed is returned.
    """
    if not game.description:
        raise Refused(_("This table has no description."))
    before, game.description = game.description, ""
    game.save(update_fields=["description"])
    live.table_changed(game.pk)
    write_to_table(game, request, request.reason, uuid4(), Message.Act.DESCRIPTION_REMOVED, but)
    return {"before": {"text": before}}


def give_description_back(game: Game, text: str) -> None:
    """Let a locked table have the description again that it had."""
    game.description = text
    game.save(update_fields=["description"])
    live.table_changed(game.pk)
