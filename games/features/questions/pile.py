"""The pile on the dashboard of questions that wait for the moderators."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _

from games.features.questions.queries import rows_of, waiting
from games.models import User
from games.services.moderation.queries.piles import MOST, DashboardLine


def piles(moderator: User) -> Iterator[tuple[str, Iterator[DashboardLine]]]:
    """The one pile, with its title."""
    yield _("Questions to the moderators"), _questions(moderator)


def _questions(moderator: User) -> Iterator[DashboardLine]:
    """One line for each; the next step with what another moderator has is theirs."""
    for row in rows_of(waiting(moderator), MOST + 1, moderator.time_zone):
        text = _("{name}, {moment}: {kind}. “{text}”").format(
            name=row.person, moment=row.at, kind=row.kind.rstrip("?"), text=row.text
        )
        page = reverse("admin:question_page", args=[row.number])
        line = DashboardLine(text, "", page, row.person)
        if row.owner and row.owner != moderator.name:
            taken = _("{name} is handling this question.").format(name=row.owner)
            line = line._replace(text=f"{text} {taken}")
        else:
            step = reverse("admin:question_action", args=[row.number, "answer"])
            line = line._replace(next_step=step, action="question.answer")
        yield line
