"""What moderators do about reports: take, give back, decide, and decide an appeal.

Whoever a report concerns, and whoever sits or sat at its table, does nothing of it. Each act locks
the report, so that of two moderators one acts and the other is told.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Report, User
from games.services import audit, outbox
from games.services.chat.queries import redaction_of
from games.services.moderation.actions import redaction
from games.services.moderation.actions.on_games import Decision
from games.services.refused import Refused
from games.services.reports.rights import moderators_for_appeal, refuse_unless_may_handle

State = Report.State


def take(decision: Decision, *, report_id: int) -> None:
    """Become the owner of a report that nobody has taken."""
    with _acting("take report", decision, report_id) as report:
        if report.state == State.TAKEN and report.owner is not None:
            raise Refused(_taken_told(report.owner, decision.moderator))
        _refuse_unless(report, State.OPEN, State.TAKEN)
        report.state, report.owner = State.TAKEN, decision.moderator


def take_over(decision: Decision, *, report_id: int, owner_id: int) -> None:
    """Become the owner of a report in place of `owner_id`, who has it."""
    with _acting("take over report", decision, report_id) as report:
        _refuse_unless(report, State.TAKEN)
        if report.owner_id != owner_id:
            raise Refused(
                _("This report has changed hands since you opened the page. Please check again.")
            )
        if report.owner == decision.moderator:
            raise Refused(_("You have already taken this report."))
        report.owner = decision.moderator


def give_back(decision: Decision, *, report_id: int) -> None:
    """Leave a report that one has taken to any other moderator."""
    with _acting("give back report", decision, report_id) as report:
        _refuse_unless_owner(report, decision.moderator)
        report.state, report.owner = State.OPEN, None


def uphold(decision: Decision, *, report_id: int, remove_message: bool = False) -> None:
    """Decide that a report is right; with `remove_message` its message is removed too.

    The reason is what both sides read; the person may appeal. Who was mailed that another report of
    the message was upheld is not mailed again, unless it is removed only now.
    """
    with _acting("uphold report", decision, report_id) as report:
        _refuse_unless_owner(report, decision.moderator)
        _decide(report, State.UPHELD, decision)
        removed = remove_message and _remove(report, decision)
        people = [report.reporter]
        if removed or not _was_upheld_before(report):
            people.append(report.person)
        _mail("report_decided", people, report, decision)


def _remove(report: Report, decision: Decision) -> bool:
    """Remove the message that is reported; whether it was still there."""
    if report.message_id is None:
        return False
    message = redaction.lock_message(report.message_id)
    if redaction_of(message) is not None:
        return False
    redaction.remove(message, decision, report)
    return True


def _was_upheld_before(report: Report) -> bool:
    """Whether another report of the same message holds: its author was told of it then."""
    if report.message_id is None:
        return False
    others = Report.objects.filter(message=report.message_id).exclude(pk=report.pk)
    return others.filter(state__in=(State.UPHELD, State.APPEALED, State.CONFIRMED)).exists()


def reject(decision: Decision, *, report_id: int) -> None:
    """Decide that nothing is to be done. Only who reported hears of it."""
    with _acting("reject report", decision, report_id) as report:
        _refuse_unless_owner(report, decision.moderator)
        _decide(report, State.REJECTED, decision)
        _mail("report_decided", [report.reporter], report, decision)


def grant_appeal(decision: Decision, *, report_id: int) -> None:
    """Take back what was decided, after an appeal; a removed message is shown again."""
    with _acting("grant appeal", decision, report_id) as report:
        _refuse_unless_may_decide_appeal(report, decision.moderator)
        _close(report, State.TAKEN_BACK, decision)


def deny_appeal(decision: Decision, *, report_id: int) -> None:
    """Let stand what was decided, after an appeal."""
    with _acting("deny appeal", decision, report_id) as report:
        _refuse_unless_may_decide_appeal(report, decision.moderator)
        _close(report, State.CONFIRMED, decision)


def take_back(decision: Decision, *, report_id: int) -> None:
    """Take back what was decided, without an appeal; a removed message is shown again."""
    with _acting("take back decision", decision, report_id) as report:
        _refuse_unless(report, State.UPHELD)
        _close(report, State.TAKEN_BACK, decision)


@contextmanager
def _acting(name: str, decision: Decision, report_id: int) -> Iterator[Report]:
    """An act on a locked report; what the block does to it is saved and noted at its end."""
    with transaction.atomic(durable=True):
        report = Report.objects.select_for_update().get(pk=report_id)
        refuse_unless_may_handle(decision.moderator, report)
        before = report.state
        yield report
        report.save()
        audit.note(
            name,
            now=decision.now,
            who=decision.moderator,
            game=report.game,
            person=report.person,
            reason=decision.reason,
            before=f"report {report.pk}: {before}",
            after=report.state,
        )


def may_decide_appeal(report: Report, moderator: User) -> bool:
    """Whether somebody may decide an appeal: not who decided the report, if there is another."""
    return moderator in moderators_for_appeal(report)


def _refuse_unless_may_decide_appeal(report: Report, moderator: User) -> None:
    _refuse_unless(report, State.APPEALED)
    if not may_decide_appeal(report, moderator):
        raise Refused(_("You decided this report, so another moderator must decide the appeal."))


def _refuse_unless_owner(report: Report, moderator: User) -> None:
    _refuse_unless(report, State.OPEN, State.TAKEN)
    if report.owner is None:
        raise Refused(_("Take the report first."))
    if report.owner != moderator:
        raise Refused(_taken_told(report.owner, moderator))


def _refuse_unless(report: Report, *states: Report.State) -> None:
    if report.state not in states:
        raise Refused(stands_told(report))


def stands_told(report: Report) -> str:
    """That something is not possible as the report stands."""
    told = _("That is no longer possible. The report is now: {state}.")
    return told.format(state=report.get_state_display())


def _taken_told(owner: User, moderator: User) -> str:
    if owner == moderator:
        return _("You have already taken this report.")
    return _("{name} has taken this report.").format(name=owner.name)


def _decide(report: Report, state: Report.State, decision: Decision) -> None:
    report.state, report.outcome, report.decided_at = state, decision.reason, decision.now


def _close(report: Report, state: Report.State, decision: Decision) -> None:
    """The last word; where the decision is taken back, what was removed is shown again."""
    report.state, report.last_word = state, decision.reason
    report.closed_by, report.closed_at = decision.moderator, decision.now
    if state == State.TAKEN_BACK:
        redaction.show_again(report, decision)
    _mail("appeal_decided", [report.reporter, report.person], report, decision)


def _mail(kind: str, people: list[User | None], report: Report, decision: Decision) -> None:
    for person in people:
        outbox.enqueue(kind, person=person, now=decision.now, about=report.pk)
