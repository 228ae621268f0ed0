"""Removing messages: each keeps its place, with the moderator who removed it and the reason."""

from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Game, Message, PrivateMessage, Redaction, Report, User
from games.services import audit, outbox
from games.services.chat.messages import refresh_pages_of_readers
from games.services.chat.queries import redaction_of
from games.services.moderation.actions.requests import ActionRequest, write_audit_line
from games.services.moderation.queries.everything import public_messages
from games.services.people.display_names import as_they_are
from games.services.refused import Refused
from games.services.roles import refuse_unless_may


def redact(request: ActionRequest, *, message_id: int) -> None:
    """Remove a message that nobody has reported. Who wrote it gets email, and may appeal.

    The table reads the reason in its place. `Refused` at tables of one's own, twice, and where a
    report about it waits.
    """
    with transaction.atomic(durable=True):
        message = _locked(request, message_id)
        if message.reports.filter(state__in=Report.WAITING).exists():
            raise Refused(
                _("There's an open report about this message. Handle the report instead.")
            )
        remove(message, request, _own_report(request, message))


def remove_all(request: ActionRequest, person: User) -> int:
    """Remove all public messages of somebody, but at the moderator's own tables; how many.

    That is one decision: the person gets one email, and may appeal once. Each table has a
    transaction of its own. Messages with an open report are removed too.
    """
    found = public_messages(person, request.moderator)
    games = sorted(set(found.order_by("game").values_list("game", flat=True).distinct()))
    if not games:
        return 0
    with transaction.atomic(durable=True):
        report = _decided(request, person)
    return sum(_remove_at(game_id, person, request, report) for game_id in games)


def _remove_at(game_id: int, person: User, request: ActionRequest, report: Report) -> int:
    with transaction.atomic(durable=True):
        Game.objects.lock(game_id)
        here = public_messages(person, request.moderator).filter(game=game_id)
        messages = list(here.select_related("game", "author", "redaction"))
        for message in messages:
            remove(message, request, report)
        return len(messages)


def restore(request: ActionRequest, *, message_id: int) -> None:
    """Show a message again that was removed without anybody who could appeal.

    Where there is a decision about it, that is taken back instead (`reports.take_back`).
    """
    with transaction.atomic(durable=True):
        message = _locked(request, message_id)
        redaction = redaction_of(message)
        if redaction is None:
            raise Refused(_("This message hasn't been removed."))
        if redaction.report_id is not None:
            raise Refused(
                _(
                    "This message was removed because of a report. Reverse the decision on the "
                    "report instead."
                )
            )
        _show(redaction, request)


def remove(
    message: Message | PrivateMessage, request: ActionRequest, report: Report | None
) -> None:
    """Remove a message of a locked game, in a transaction; its text is kept for an appeal.

    A private one is removed only on a report of somebody who can read it.
    """
    if redaction_of(message) is not None:
        raise Refused(_("This message has already been removed."))
    Redaction.objects.create(
        message=message if isinstance(message, Message) else None,
        private_message=message if isinstance(message, PrivateMessage) else None,
        report=report,
        moderator=request.moderator,
        who=request.moderator.name,
        reason=request.reason,
        text=message.text,
        at=request.now,
    )
    message.text = ""
    message.save(update_fields=["text"])
    refresh_pages_of_readers(message)
    _audit("message.remove", message, report, request)


def show_again(report: Report, request: ActionRequest) -> None:
    """Give back what was removed on a report, in a transaction; the game is locked."""
    for game_id in _games_of(report):
        Game.objects.lock(game_id)
    both = ("message__game", "message__author", "private_message__thread__game")
    for redaction in report.redactions.select_related(*both, "private_message__author"):
        _show(redaction, request)


def _games_of(report: Report) -> list[int]:
    """The games in which something was removed on a report, in the order to lock them in."""
    removed = report.redactions.filter(message__isnull=False)
    games = {report.game_id, *removed.values_list("message__game", flat=True)}
    return sorted(game_id for game_id in games if game_id is not None)


def _show(redaction: Redaction, request: ActionRequest) -> None:
    if not redaction.text:
        raise Refused(_("The text of this message is no longer stored."))
    message = redaction.about
    message.text = redaction.text
    message.save(update_fields=["text"])
    refresh_pages_of_readers(message)
    redaction.delete()
    _audit("message.show", message, redaction.report, request)


def lock_message(message_id: int) -> Message:
    """The message, with the row of its game locked."""
    message = Message.objects.get(pk=message_id)
    Game.objects.lock(message.game_id)
    return Message.objects.select_related("game", "author", "redaction").get(pk=message_id)


def lock_private(message_id: int) -> PrivateMessage:
    """The private message, with the row of its game locked."""
    rows = PrivateMessage.objects.select_related("thread__game", "author", "redaction")
    Game.objects.lock(rows.get(pk=message_id).game.pk)
    return rows.get(pk=message_id)


def _locked(request: ActionRequest, message_id: int) -> Message:
    message = lock_message(message_id)
    refuse_unless_may(request.moderator, message.game)
    if message.author_id == request.moderator.pk and not message.by_referee:
        raise Refused(_("You wrote this yourself, so another moderator has to handle it."))
    return message


def _own_report(request: ActionRequest, message: Message) -> Report | None:
    """A decision without a report of anybody, so that who wrote the message may appeal.

    None for the referee's messages, and where who wrote it has gone.
    """
    if message.by_referee or message.author is None:
        return None
    return _decided(request, message.author, message)


def _decided(request: ActionRequest, person: User, message: Message | None = None) -> Report:
    """A decision about a message, or about all of somebody's; they get email."""
    report = Report.objects.create(
        token=uuid4(),
        person=person,
        **as_they_are(person),
        game=None if message is None else message.game,
        message=message,
        at=request.now,
        state=Report.State.UPHELD,
        owner=request.moderator,
        outcome=request.reason,
        decided_at=request.now,
    )
    outbox.enqueue("report_decided", person=person, now=request.now, about=report.pk)
    return report


def _audit(
    key: str, message: Message | PrivateMessage, report: Report | None, request: ActionRequest
) -> None:
    """The line names the report too: who may not read that doesn't read the line."""
    after: audit.Values = {"message": message.pk}
    if report is not None:
        after["report"] = report.pk
    write_audit_line(key, request, game=message.game, person=message.author, after=after)
