"""What players do about reports: they report a message, a person or a table, and appeal."""

from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Game, Message, PrivateMessage, Report, User
from games.services import outbox
from games.services.chat.queries import may_be_reported
from games.services.clean_text import fitting, tidy
from games.services.people.display_names import as_they_are, speaker
from games.services.refused import Refused
from games.services.reports.about import about, reports_about
from games.services.reports.queries import refuse_unless_may_appeal
from games.services.reports.rights import moderators_for, moderators_for_appeal
from games.services.roles import has_own_part

LONGEST: Final = 2000
MOST_A_DAY: Final = 10
FROZEN_AROUND: Final = 10
"""How many messages before and after a private one moderators get with a report of it."""


class Complaint(NamedTuple):
    """A report to be filed: its reporter, reason, form, time and kind.

    The same `token`, made with the form, is one report however often it comes.
    """

    user: User
    text: str
    token: UUID
    now: datetime
    kind: Report.Kind = Report.Kind.OTHER


def report_message(complaint: Complaint, *, message_id: int) -> None:
    """Report a message of somebody else; the moderators who may deal with it are emailed.

    `Refused` for one's own and the referee's messages, for those removed already, twice, without a
    reason, and for more than `MOST_A_DAY` reports in 24 hours.
    """
    with transaction.atomic(durable=True):
        message = Message.objects.select_related("author", "game", "redaction").get(pk=message_id)
        if _is_in(complaint):
            return
        refuse_unless_reportable(message, complaint.user)
        _write(complaint, Report(person=message.author, game=message.game, message=message))


def report_private(complaint: Complaint, *, message_id: int) -> None:
    """Report a message of somebody else in a thread of one's own; as `report_message`.

    Moderators get it with the messages around it, as they are now.
    """
    with transaction.atomic(durable=True):
        rows = PrivateMessage.objects.select_related("author", "thread__game", "redaction")
        message = rows.get(pk=message_id)
        if _is_in(complaint):
            return
        refuse_unless_reportable(message, complaint.user)
        game = message.game
        report = Report(person=message.author, game=game, private_message=message)
        report.frozen = freeze(message)
        _write(complaint, report)


def freeze(message: PrivateMessage) -> list[dict[str, Any]]:
    """A private message and those around it, for `Report.frozen`, the first one first."""
    messages = message.thread.messages.exclude(text="").select_related("author")
    before = messages.filter(number__lt=message.number).order_by("-number")[:FROZEN_AROUND]
    after = messages.filter(number__gte=message.number).order_by("number")[: FROZEN_AROUND + 1]
    return [
        {
            "number": one.number,
            "name": speaker(one),
            "at": one.at.isoformat(),
            "text": one.text,
            "earlier": one.earlier,
            "reported": one.pk == message.pk,
        }
        for one in [*reversed(before), *after]
    ]


def report_person(complaint: Complaint, *, person: User, game: Game | None = None) -> None:
    """Report somebody else, perhaps for something at a `game` where they sit or sat.

    The moderators who may deal with it are emailed. `Refused` for oneself, twice, without a reason,
    and for more than `MOST_A_DAY` reports in 24 hours.
    """
    with transaction.atomic(durable=True):
        if _is_in(complaint):
            return
        if person == complaint.user:
            raise Refused(_("You can't report yourself."))
        at_their_table = game is not None and has_own_part(person, game)
        _write(complaint, Report(person=person, game=game if at_their_table else None))


def report_table(complaint: Complaint, *, game_id: int) -> None:
    """Report the name and description of a table; the moderators who may handle it are emailed.

    `Refused` to its host, twice, without a reason, and for more than `MOST_A_DAY` in 24 hours.
    """
    with transaction.atomic(durable=True):
        if _is_in(complaint):
            return
        game = Game.objects.select_related("host").get(pk=game_id)
        refuse_host(game, complaint.user)
        _write(complaint, Report(person=game.host, game=game, table_words=words_of(game)))


def refuse_host(game: Game, user: User) -> None:
    if game.host_id == user.pk:
        raise Refused(_("You're the host of this table, so you can't report it."))


def words_of(game: Game) -> str:
    """What the host has written about a table: its name, and its description if it has one."""
    return f"{game.name}\n{game.description}".strip()


def refuse_unless_reportable(message: Message | PrivateMessage, user: User) -> None:
    if not may_be_reported(message, user):
        raise Refused(
            _(
                "You can't report this message: it's your own, it's from the referee, or it "
                "has been removed."
            )
        )


def _is_in(complaint: Complaint) -> bool:
    """Whether this very form has come already. Reports of one person come one by one."""
    User.objects.select_for_update(no_key=True).get(pk=complaint.user.pk)
    same = Report.objects.filter(token=complaint.token).first()
    if same is not None and same.reporter_id != complaint.user.pk:
        raise Refused(_("This page is out of date. Please reload it and try again."))
    return same is not None


def _write(complaint: Complaint, report: Report) -> None:
    """Store a report that says only what it is about."""
    report.text = _checked(complaint.text)
    _refuse_too_many(complaint, report)
    report.token, report.reporter, report.at = complaint.token, complaint.user, complaint.now
    report.kind = complaint.kind
    for name, value in as_they_are(report.person).items():
        setattr(report, name, value)
    report.save()
    for moderator in moderators_for(report):
        outbox.enqueue("report", person=moderator, now=complaint.now, about=report.pk)


def _refuse_too_many(complaint: Complaint, report: Report) -> None:
    same = reports_about(about(report)).filter(state__in=Report.WITHOUT_DECISION)
    if same.filter(reporter=complaint.user).exists():
        raise Refused(_("You've already reported this. The moderators are looking into it."))
    made = Report.objects.filter(reporter=complaint.user)
    if made.filter(at__gt=complaint.now - timedelta(days=1)).count() >= MOST_A_DAY:
        text = _("You can send up to {most} reports in 24 hours. Please try again later.")
        raise Refused(text.format(most=MOST_A_DAY))


def _checked(text: str) -> str:
    """The text with plain ends of lines; `Refused` where it is empty or endless."""
    if not tidy(text):
        raise Refused(_("Please give a reason."))
    return fitting(text, LONGEST)


def appeal(*, report_id: int, user: User, text: str, now: datetime) -> None:
    """Ask for another look at what was decided against oneself; once, and within 30 days.

    Other moderators than who decided are emailed. The same text twice is one appeal.
    """
    text = _checked(text)
    with transaction.atomic(durable=True):
        report = Report.objects.select_for_update().get(pk=report_id, person=user)
        if report.state == Report.State.APPEALED and report.appeal == text:
            return
        refuse_unless_may_appeal(report, now)
        report.state, report.appeal, report.appealed_at = Report.State.APPEALED, text, now
        report.save(update_fields=["state", "appeal", "appealed_at"])
        for moderator in moderators_for_appeal(report):
            outbox.enqueue("appeal", person=moderator, now=now, about=report.pk)
