"""What moderators do about reports: take, give back, decide, and decide an appeal.

Nobody handles a report that concerns them, or one about a table at which they sit or sat. Each
action locks the report, so that of two moderators at once one succeeds and the other is refused.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import assert_never

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import OutboxEmail, Report, User
from games.services import outbox
from games.services.moderation.actions import consequences
from games.services.moderation.actions.consequences import Consequences
from games.services.moderation.actions.requests import ActionRequest, Results, write_audit_line
from games.services.refused import Refused
from games.services.reports.about import (
    AboutMessage,
    AboutPerson,
    AboutPrivateMessage,
    AboutTable,
    about,
    reports_about,
)
from games.services.reports.rights import moderators_for_appeal, refuse_unless_may_handle

State = Report.State


def take(request: ActionRequest, *, report_id: int) -> None:
    """Become the owner of a report that nobody has taken."""
    with _report_action("report.take", request, report_id) as report:
        if report.state == State.TAKEN and report.owner is not None:
            raise Refused(_taken_by(report.owner, request.moderator))
        _refuse_unless(report, State.OPEN, State.TAKEN)
        report.state, report.owner = State.TAKEN, request.moderator


def take_over(request: ActionRequest, *, report_id: int, owner_id: int) -> None:
    """Become the owner of a report in place of `owner_id`, who has it."""
    with _report_action("report.take-over", request, report_id) as report:
        _refuse_unless(report, State.TAKEN)
        if report.owner_id != owner_id:
            raise Refused(
                _(
                    "This report has changed hands since you opened the page. Please check who "
                    "has it now."
                )
            )
        if report.owner == request.moderator:
            raise Refused(_("You've already taken this report."))
        report.owner = request.moderator


def give_back(request: ActionRequest, *, report_id: int) -> None:
    """Leave a report that one has taken to any other moderator."""
    with _report_action("report.give-back", request, report_id) as report:
        _refuse_unless_owner(report, request.moderator)
        report.state, report.owner = State.OPEN, None


def uphold(
    request: ActionRequest,
    *,
    report_id: int,
    to_reporter: str = "",
    wanted: Consequences = consequences.NONE,
    tells_person: bool = True,
) -> None:
    """Decide that a report is right, with what this brings the person, all or nothing.

    A report that nobody has becomes the moderator's, here as in `reject`. The reason is what the
    person reads, who may appeal against all of it at once; `to_reporter` is what the reporter
    reads, or the reason where it is empty. Who was emailed that another report about the same was
    upheld isn't emailed again, unless something else is done; without `tells_person` they never
    are.
    """
    with _report_action("report.uphold", request, report_id) as report:
        _take_unless_taken(report, request.moderator)
        _decide(report, State.UPHELD, request)
        report.to_reporter = to_reporter
        done = consequences.carry_out(report, request, wanted)
        people = [report.reporter]
        if tells_person and (done or not was_upheld_before(report)):
            people.append(report.person)
        _email("report_decided", people, report, request)
    consequences.leave_tables(report, request, wanted)


def uphold_with_others(
    request: ActionRequest,
    *,
    report_id: int,
    to_reporter: str,
    wanted: Consequences,
    others: Iterable[int] = (),
) -> Results:
    """Uphold a report, and then the `others` about the person, each in its own transaction.

    They bring the person nothing more, and no more email. What was done with them is returned.
    """
    uphold(request, report_id=report_id, to_reporter=to_reporter, wanted=wanted)
    results, done = Results([], []), 0
    for number in others:
        try:
            uphold(request, report_id=number, to_reporter=to_reporter, tells_person=False)
        except Refused as reason:
            name = _("Report {number}").format(number=number)
            results.refused.append(f"{name}: {reason}")
        else:
            done += 1
    if done:
        text = ngettext(
            "Upheld {count} other report. Whoever made it gets an email.",
            "Upheld {count} other reports. Whoever made them gets an email.",
            done,
        )
        results.done.append(text.format(count=done))
    return results


def was_upheld_before(report: Report) -> bool:
    """Whether the person was emailed that another report about the same holds."""
    return bool(upheld_before([report]))


def upheld_before(reports: Sequence[Report]) -> list[Report]:
    """Those of the reports of which that is so.

    Of a message any counts; of a person or a table only one that was upheld in the same words.
    """
    people = {report.person_id for report in reports}
    held = Report.objects.filter(person__in=people, state__in=Report.HOLDING)
    numbers: defaultdict[Hashable, set[int]] = defaultdict(set)
    for one in held.only("person", "message", "private_message", "game", "table_words", "outcome"):
        numbers[_what_they_read(one)].add(one.pk)
    return [report for report in reports if numbers[_what_they_read(report)] - {report.pk}]


def _what_they_read(report: Report) -> Hashable:
    """The same for all reports of which the person reads once that they hold."""
    what, words = about(report), ""
    match what:
        case AboutMessage() | AboutPrivateMessage():
            pass
        case AboutTable() | AboutPerson():
            words = report.outcome
        case _ as unknown:
            assert_never(unknown)
    return report.person_id, type(what), what, words


def reject(request: ActionRequest, *, report_id: int) -> None:
    """Decide that nothing is to be done. Only who reported hears of it."""
    with _report_action("report.reject", request, report_id) as report:
        _take_unless_taken(report, request.moderator)
        _decide(report, State.REJECTED, request)
        _email("report_decided", [report.reporter], report, request)


def reopen(request: ActionRequest, *, report_id: int) -> None:
    """Decide once more on a report that was dismissed, or upheld and reversed, by mistake: it
    becomes the moderator's.

    Who reported hears of it, as they did of the decision.
    """
    with _report_action("report.reopen", request, report_id) as report:
        if reason := why_not_reopen(report):
            raise Refused(reason)
        report.state, report.owner = State.TAKEN, request.moderator
        report.outcome, report.to_reporter, report.decided_at = "", "", None
        report.last_word, report.closed_by, report.closed_at = "", None, None
        _email("report_reopened", [report.reporter], report, request)


def why_not_reopen(report: Report) -> str:
    """Why a report can't be decided once more; "" if it can. What an appeal has ended, stays."""
    reversed_alone = report.state == State.TAKEN_BACK and report.appealed_at is None
    if report.is_without_report or not (report.state == State.REJECTED or reversed_alone):
        return no_longer_possible(report)
    return nothing_to_reopen() if reported_again(report) else ""


def reported_again(report: Report) -> bool:
    """Whether who made a report has made another about the same, which waits."""
    others = reports_about(about(report)).filter(state__in=Report.WITHOUT_DECISION)
    return others.filter(reporter__isnull=False, reporter=report.reporter_id).exists()


def nothing_to_reopen() -> str:
    """The reason why a report stays as it was decided."""
    return _("The same person has reported this again. Please decide on that report.")


def grant_appeal(request: ActionRequest, *, report_id: int) -> None:
    """Take back what was decided, after an appeal; a removed message is shown again."""
    with _report_action("report.grant-appeal", request, report_id) as report:
        _refuse_unless_may_decide_appeal(report, request.moderator)
        _close(report, State.TAKEN_BACK, request)


def deny_appeal(request: ActionRequest, *, report_id: int) -> None:
    """Let stand what was decided, after an appeal."""
    with _report_action("report.deny-appeal", request, report_id) as report:
        _refuse_unless_may_decide_appeal(report, request.moderator)
        _close(report, State.CONFIRMED, request)


def shorten(request: ActionRequest, *, report_id: int, days: int) -> None:
    """Let stand what was decided, after an appeal, but let the sanction end so many days from now.

    A ban becomes a suspension.
    """
    with _report_action("report.shorten", request, report_id) as report:
        _refuse_unless_may_decide_appeal(report, request.moderator)
        consequences.shorten(report, request, days)
        _close(report, State.SHORTENED, request)


def take_back(request: ActionRequest, *, report_id: int) -> None:
    """Take back what was decided, without an appeal; a removed message is shown again."""
    with _report_action("report.take-back", request, report_id) as report:
        _refuse_unless(report, State.UPHELD)
        _close(report, State.TAKEN_BACK, request)


@contextmanager
def _report_action(key: str, request: ActionRequest, report_id: int) -> Iterator[Report]:
    """Do the action with this key to a locked report, which is saved at the end of the block."""
    with transaction.atomic(durable=True):
        report = Report.objects.select_for_update().get(pk=report_id)
        refuse_unless_may_handle(request.moderator, report)
        before = report.state
        yield report
        report.save()
        write_audit_line(
            key,
            request,
            game=report.game,
            person=report.person,
            before={"report": report.pk, "report_state": before},
            after={"report_state": report.state},
        )


def may_decide_appeal(report: Report, moderator: User) -> bool:
    """Whether somebody may decide an appeal: not who decided the report, if there is another."""
    return moderator in moderators_for_appeal(report)


def why_not_decide_appeal(report: Report, moderator: User) -> str:
    """Why somebody may not decide an appeal now; "" where they may."""
    if report.state != State.APPEALED:
        return no_longer_possible(report)
    if may_decide_appeal(report, moderator):
        return ""
    return _(
        "You made the decision on this report, so another moderator must decide on the appeal."
    )


def _refuse_unless_may_decide_appeal(report: Report, moderator: User) -> None:
    if reason := why_not_decide_appeal(report, moderator):
        raise Refused(reason)


def _take_unless_taken(report: Report, moderator: User) -> None:
    """Become the owner of a report that nobody has; `Refused` if another moderator was faster."""
    if report.state not in Report.WITHOUT_DECISION and report.owner not in {None, moderator}:
        text = _("{name} has already decided on this report. Its status is now: {state}.")
        raise Refused(text.format(name=report.owner, state=report.get_state_display()))
    if report.state == State.OPEN:
        report.owner = moderator
    _refuse_unless_owner(report, moderator)


def _refuse_unless_owner(report: Report, moderator: User) -> None:
    _refuse_unless(report, State.OPEN, State.TAKEN)
    if report.owner is None:
        raise Refused(_("Take the report first."))
    if report.owner != moderator:
        raise Refused(_taken_by(report.owner, moderator))


def _refuse_unless(report: Report, *states: Report.State) -> None:
    if report.state not in states:
        raise Refused(no_longer_possible(report))


def no_longer_possible(report: Report) -> str:
    """That something is not possible as the report stands."""
    sentence = _("That's no longer possible. The report's status is now: {state}.")
    return sentence.format(state=report.get_state_display())


def _taken_by(owner: User, moderator: User) -> str:
    if owner == moderator:
        return _("You've already taken this report.")
    return _("{name} is handling this report.").format(name=owner.name)


def _decide(report: Report, state: Report.State, request: ActionRequest) -> None:
    report.state, report.outcome, report.decided_at = state, request.reason, request.now


def _close(report: Report, state: Report.State, request: ActionRequest) -> None:
    """The last word; where the decision is taken back, all it has brought the person is undone."""
    report.state, report.last_word = state, request.reason
    report.closed_by, report.closed_at = request.moderator, request.now
    if state == State.TAKEN_BACK:
        consequences.undo(report, request)
    _email("appeal_decided", [report.reporter, report.person], report, request)


def _email(kind: str, people: list[User | None], report: Report, request: ActionRequest) -> None:
    """Email them, again too where a report was reopened: then it isn't the same email."""
    for person in people:
        before = OutboxEmail.objects.filter(person=person, kind=kind, about=report.pk)
        latest = before.aggregate(latest=Max("deadline_version"))["latest"]
        number = 0 if latest is None else latest + 1
        outbox.enqueue(
            kind, person=person, now=request.now, about=report.pk, deadline_version=number
        )
