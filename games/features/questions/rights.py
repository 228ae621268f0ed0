"""Which moderator may read which question: none of their own, nor one about a table of theirs."""

from django.db.models import BigIntegerField, Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from games.features.questions.models import Question
from games.models import AuditLine, User
from games.services import roles
from games.services.refused import Refused
from games.services.reports.rights import may_handle as may_handle_report
from games.services.reports.rights import reports_for
from games.services.roles import own_tables


def questions_for(moderator: User) -> QuerySet[Question]:
    """Those that a moderator may read; about a report, those of reports they may read."""
    return (
        Question.objects.exclude(state=Question.State.UNCONFIRMED)
        .filter(Q(report=None) | Q(report__in=reports_for(moderator)))
        .exclude(address=moderator.email)
        .exclude(person=moderator)
        .exclude(game__in=own_tables(moderator))
    )


def audit_lines_for(moderator: User, lines: QuerySet[AuditLine]) -> QuerySet[AuditLine]:
    """Those of these lines that aren't about the moderator's own questions, or their tables."""
    own = Q(person=moderator) | Q(address=moderator.email) | Q(game__in=own_tables(moderator))
    about = Cast(KT("before__question"), BigIntegerField())
    theirs = Q(question__in=Question.objects.filter(own)) | Q(person=moderator)
    return lines.alias(question=about).filter(Q(question=None) | ~theirs)


def may_handle(moderator: User, question: Question) -> bool:
    """Whether a moderator may read and answer a question."""
    is_own = question.person_id == moderator.pk or question.address == moderator.email
    if is_own or not roles.may_moderate(moderator):
        return False
    if question.game is not None and roles.has_own_part(moderator, question.game):
        return False
    return question.report is None or may_handle_report(moderator, question.report)


def refuse_unless_may_handle(moderator: User, question: Question) -> None:
    roles.refuse_non_moderators(moderator)
    if not may_handle(moderator, question):
        raise Refused(
            _(
                "This question is yours or about one of your tables, so another moderator has to "
                "handle it."
            )
        )


def moderators_for(question: Question) -> list[User]:
    """All moderators who may deal with a question."""
    return [one for one in roles.moderators() if may_handle(one, question)]
