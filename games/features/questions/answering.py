"""What moderators do about questions: take them, answer, leave notes, close them.

Each action locks the question, so that of two moderators at once one succeeds and the other is
refused. Nobody answers what they haven't read: `seen` is the last message they saw.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from games.features.questions.asking import LONGEST
from games.features.questions.models import Letter, Question
from games.features.questions.rights import refuse_unless_may_handle
from games.models import Report, User
from games.services import outbox
from games.services.audit import Values
from games.services.clean_text import fitting
from games.services.moderation.actions.person_action import why_not as why_not_person
from games.services.moderation.actions.requests import ActionRequest, write_audit_line
from games.services.refused import Refused
from games.services.reports import rights as report_rights
from games.services.roles import refuse_non_moderators

State = Question.State


def take(request: ActionRequest, *, question_id: int) -> None:
    """Become the owner of a question that nobody has taken."""
    with _question_action("question.take", request, question_id) as question:
        if question.owner is not None:
            raise Refused(taken_by(question.owner, request.moderator))
        question.owner = request.moderator


def take_over(request: ActionRequest, *, question_id: int, owner_id: int) -> None:
    """Become the owner of a question in place of `owner_id`, who has it."""
    with _question_action("question.take-over", request, question_id) as question:
        if question.owner_id != owner_id or question.owner == request.moderator:
            raise Refused(
                _(
                    "This question has changed hands since you opened the page. Please check who "
                    "has it now."
                )
            )
        question.owner = request.moderator


def give_back(request: ActionRequest, *, question_id: int) -> None:
    """Leave a question that one has taken to any other moderator."""
    with _question_action("question.give-back", request, question_id) as question:
        if question.owner != request.moderator:
            raise Refused(_("You haven't taken this question."))
        question.owner = None


def answer(request: ActionRequest, *, question_id: int, text: str, token: UUID, seen: int) -> None:
    """Answer the person, who gets it by email; a question without an owner is taken by it."""
    with _question_action("question.answer", request, question_id) as question:
        if _is_in(token, question):
            return
        _refuse_unless_current(question, request.moderator, seen)
        letter = _write(question, request, Letter.By.MODERATOR, text, token)
        question.owner, question.state = request.moderator, State.ANSWERED
        question.last_at = request.now
        outbox.enqueue(
            "moderators_wrote", person=question.person, address=question.address, now=request.now,
            about=letter.pk,
        )  # fmt: skip


def note(request: ActionRequest, *, question_id: int, text: str, token: UUID) -> None:
    """Leave a note that only moderators read."""
    with _question_action("question.note", request, question_id) as question:
        if not _is_in(token, question):
            _write(question, request, Letter.By.NOTE, text, token)


def close(request: ActionRequest, *, question_id: int, seen: int) -> None:
    """Close a question that needs no answer, or no other one. The person isn't emailed."""
    with _question_action("question.close", request, question_id) as question:
        if question.state == State.CLOSED:
            raise Refused(_("This question is closed."))
        _refuse_unless_current(question, request.moderator, seen)
        question.state = State.CLOSED


def ask_reporter(request: ActionRequest, *, report_id: int, text: str, token: UUID) -> None:
    """Ask who made a report; it's read by them and by those moderators who may read the report.

    A second question goes into the same thread.
    """
    with transaction.atomic(durable=True):
        rows = Report.objects.select_for_update(of=("self",))
        report = rows.select_related("game", "reporter").get(pk=report_id)
        report_rights.refuse_unless_may_handle(request.moderator, report)
        if report.reporter is None:
            raise Refused(nobody_to_ask())
        question = Question.objects.select_for_update().filter(report=report).first()
        if question is None:
            question = Question(
                token=token,
                person=report.reporter,
                kind=Question.Kind.REPORT,
                report=report,
                owner=request.moderator,
                at=request.now,
            )
        elif _is_in(token, question):
            return
        question.state, question.last_at = State.ANSWERED, request.now
        question.save()
        letter = _write(question, request, Letter.By.MODERATOR, text, token)
        outbox.enqueue("moderators_wrote", person=report.reporter, now=request.now, about=letter.pk)
        write_audit_line(
            "reporter.ask",
            request,
            game=report.game,
            person=report.person,
            before={"report": report.pk},
        )


def ask_person(request: ActionRequest, *, person_id: int, text: str, token: UUID) -> None:
    """Write to a person; what they answer waits for the moderators like a question of theirs.

    A second message goes into the same thread, until it is closed.
    """
    with transaction.atomic(durable=True):
        refuse_non_moderators(request.moderator)
        person = User.objects.select_for_update(no_key=True).filter(pk=person_id).first()
        if person is None:
            raise Refused(_("This account no longer exists."))
        if reason := why_not_person(request.moderator, person):
            raise Refused(reason)
        begun = Question.objects.filter(person=person, kind=Question.Kind.PERSON)
        question = begun.exclude(state=State.CLOSED).select_for_update().last()
        if question is None:
            question = Question(
                token=token,
                person=person,
                kind=Question.Kind.PERSON,
                owner=request.moderator,
                at=request.now,
            )
        if Letter.objects.filter(token=token, question__person=person).exists():
            return
        question.state, question.last_at = State.ANSWERED, request.now
        question.save()
        letter = _write(question, request, Letter.By.MODERATOR, text, token)
        outbox.enqueue("moderators_wrote", person=person, now=request.now, about=letter.pk)
        write_audit_line("player.ask", request, person=person, before={"question": question.pk})


@contextmanager
def _question_action(key: str, request: ActionRequest, question_id: int) -> Iterator[Question]:
    """Do the action with this key to a locked question, which is saved at the end of the block.

    The audit log names who asked, but neither the table nor, of a report, its reporter.
    """
    with transaction.atomic(durable=True):
        rows = Question.objects.select_for_update(of=("self",))
        question = rows.select_related("person", "game", "report__game", "owner").get(
            pk=question_id
        )
        refuse_unless_may_handle(request.moderator, question)
        yield question
        question.save()
        before: Values = {"question": question.pk}
        if question.report is not None:
            before["report"] = question.report.pk
        person = question.person if question.report is None else None
        write_audit_line(key, request, person=person, before=before)


def _refuse_unless_current(question: Question, moderator: User, seen: int) -> None:
    """Nobody answers for another moderator, nor without having read what was written last."""
    if question.owner is not None and question.owner != moderator:
        raise Refused(taken_by(question.owner, moderator))
    if question.letters.filter(pk__gt=seen).exists():
        raise Refused(
            _("Something has been written here since you opened the page. Please read it first.")
        )


def taken_by(owner: User, moderator: User) -> str:
    """Who has a question."""
    if owner == moderator:
        return _("You've already taken this question.")
    return _("{name} is handling this question.").format(name=owner.name)


def nobody_to_ask() -> str:
    return _("The person who made this report no longer has an account.")


def _is_in(token: UUID, question: Question) -> bool:
    """Whether this very form has come already."""
    return Letter.objects.filter(token=token, question=question).exists()


def _write(
    question: Question, request: ActionRequest, by: Letter.By, text: str, token: UUID
) -> Letter:
    return Letter.objects.create(
        token=token,
        question=question,
        author=request.moderator,
        by=by,
        text=fitting(text, LONGEST),
        at=request.now,
    )
