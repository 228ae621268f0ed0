"""Open appeals against sanctions: the moderators who may answer them, and which comes first."""

from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.models import Sanction, User
from games.services import roles
from games.services.moderation.actions.person_action import why_not
from games.services.people.queries.sanctions import is_in_force


def open_appeals(person: User) -> list[Sanction]:
    """Decisions with an appeal that nobody has answered, the oldest appeal first."""
    waiting = person.sanctions.filter(appealed_at__isnull=False, answered_at=None)
    return list(waiting.select_related("by").order_by("appealed_at"))


def is_appealed(sanction: Sanction) -> bool:
    """Whether there is an appeal against it that nobody has answered."""
    return sanction.appealed_at is not None and sanction.answered_at is None


def may_answer(sanction: Sanction, moderator: User) -> bool:
    """Whether a moderator may answer: not the one who made the decision, if another may."""
    return sanction.by_id != moderator.pk or all(
        why_not(other, sanction.person) for other in _moderators_but(moderator)
    )


def next_appeal(person: User, moderator: User) -> Sanction | None:
    """The oldest appeal of a person that this moderator may answer."""
    return next((one for one in open_appeals(person) if may_answer(one, moderator)), None)


def can_be_shortened(sanction: Sanction, now: datetime) -> bool:
    """Whether it is in force and more than a warning."""
    return sanction.kind != Sanction.Kind.WARNING and is_in_force(sanction, now)


def own_decision() -> str:
    """The reason why a moderator may not answer."""
    return _("You made this decision, so another moderator must answer the appeal.")


def others_keep_order(moderator: User) -> bool:
    """Whether there is any other moderator."""
    return _moderators_but(moderator).exists()


def _moderators_but(moderator: User) -> QuerySet[User]:
    return roles.moderators().exclude(pk=moderator.pk)
