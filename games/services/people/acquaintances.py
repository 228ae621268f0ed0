"""People who declare that they know each other, which the tables where both sit can see."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.models import Acquaintance, Block, Game, Seat, User
from games.services.clean_text import tidy
from games.services.people import sanctions
from games.services.people.blocks import lock_two
from games.services.people.display_names import player_name
from games.services.refused import Refused

MOST_OPEN: Final = 20
"""How many people one may be waiting for at a time."""

LONGEST_NOTE: Final = 200


def declare(*, user: User, other_id: int, now: datetime, note: str = "") -> None:
    """Declare that one knows somebody; it counts once they declare it too. Twice is no error.

    Only they read the note, and not while they have blocked the declarer, who doesn't learn that.
    """
    with transaction.atomic(durable=True):
        other = lock_two(user, other_id)
        known = between(user, other_id)
        if known is None:
            sanctions.refuse_who_may_not_write(User.objects.get(pk=user.pk), now)
            _refuse_too_many(user)
            Acquaintance.objects.create(
                person=user, other=other, note=tidy(note)[:LONGEST_NOTE], declared_at=now
            )
        elif known.other_id == user.pk and known.confirmed_at is None:
            known.confirmed_at = now
            known.save(update_fields=["confirmed_at"])


def _refuse_too_many(user: User) -> None:
    declared = Acquaintance.objects.filter(person=user, confirmed_at=None)
    if declared.count() >= MOST_OPEN:
        text = _(
            "{most} people haven't confirmed yet that you know each other. Withdraw one of these"
            " requests first."
        )
        raise Refused(text.format(most=MOST_OPEN))


def take_back(*, user: User, other_id: int) -> None:
    """Take it back, or deny it. Nothing to take back is no error.

    Not while both sit at a table that has not ended: the others there know of it.
    """
    with transaction.atomic(durable=True):
        lock_two(user, other_id)
        known = between(user, other_id)
        if known is None:
            return
        if known.confirmed_at is not None and _sit_together(user, other_id):
            raise Refused(
                _("You both have a seat at the same table, and the players there can see that you "
                "know each other. You can take it back once the game there is over.")
            )  # fmt: skip
        known.delete()


def _sit_together(user: User, other_id: int) -> bool:
    theirs = Seat.objects.filter(user=other_id).values("game")
    own = Seat.objects.filter(user=user, game__status__in=Game.UNFINISHED)
    return own.filter(game__in=theirs).exists()


def between(user: User, other_id: int) -> Acquaintance | None:
    """What two people have declared about knowing each other."""
    ways = Q(person=user, other=other_id) | Q(person=other_id, other=user)
    return Acquaintance.objects.filter(ways).first()


def acquaintances_of(user: User) -> QuerySet[User]:
    """Those who know the person, as both have declared."""
    confirmed = Acquaintance.objects.filter(confirmed_at__isnull=False)
    return User.objects.filter(
        Q(pk__in=confirmed.filter(person=user).values("other"))
        | Q(pk__in=confirmed.filter(other=user).values("person"))
    )


def requests_to(user: User) -> QuerySet[Acquaintance]:
    """Declarations of others that the person has not answered; none of people they have blocked."""
    blocked = Block.objects.filter(blocker=user).values("blocked")
    declared = Acquaintance.objects.filter(other=user, confirmed_at=None).exclude(
        person__in=blocked
    )
    return declared.select_related("person").order_by("pk")


def acquaintances_among(seats: Iterable[Seat]) -> list[tuple[int, int]]:
    """Any two of these players who know each other, by their ids. One query."""
    here = [seat.user_id for seat in seats if seat.user_id is not None]
    known = Acquaintance.objects.filter(
        person__in=here, other__in=here, confirmed_at__isnull=False
    ).order_by("confirmed_at", "pk")
    return list(known.values_list("person_id", "other_id"))


def acquaintance_texts(seats: Iterable[Seat], known: Iterable[tuple[int, int]]) -> list[str]:
    """Which players of these seats know each other, a sentence for each two, given by their ids."""
    here = {seat.user_id: player_name(seat) for seat in seats}
    text = _("{name} and {other} know each other.")
    return [text.format(name=here[person], other=here[other]) for person, other in known]
