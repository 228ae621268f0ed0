"""Which moderator may read which question: none of their own, nor one about a table of theirs."""

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.features.questions.models import Question
from games.models import Seat, Sitting, User
from games.services import roles
from games.services.refused import Refused
from games.services.reports.rights import may_handle as may_handle_report
from games.services.reports.rights import reports_for


def questions_for(moderator: User) -> QuerySet[Question]:
    """Those that a moderator may read; about a report, those of reports they may read."""
    return (
        Question.objects.exclude(state=Question.State.UNCONFIRMED)
        .filter(Q(report=None) | Q(report__in=reports_for(moderator)))
        .exclude(address=moderator.email)
        .exclude(person=moderator)
        .exclude(game__in=Seat.objects.filter(user=moderator).values("game"))
        .exclude(game__in=Sitting.objects.filter(user=moderator).values("seat__game"))
    )


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
