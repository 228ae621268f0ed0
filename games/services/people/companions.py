"""With whom somebody plays: often, for their page, and last, to ask them to a table."""

from typing import Final, NamedTuple

from django.db.models import Count

from games.models import Game, Seat, User
from games.models.people import ProfilePart

MOST_COMPANIONS: Final = 8
LATEST: Final = 5
"""How many games count as the latest."""


class Companion(NamedTuple):
    """Somebody with whom a person has finished several games."""

    person: User
    games: int


def companions_of(person: User) -> list[Companion]:
    """With whom they have finished most games, two at least.

    Nobody who does not want to be named so, on whatever page.
    """
    own = Seat.objects.filter(user=person, game__status=Game.Status.FINISHED, game__guided=False)
    others = User.objects.filter(seats__game__in=own.values("game"), is_active=True)
    others = others.exclude(pk=person.pk).exclude(
        hidden_parts__contains=[ProfilePart.COMPANIONS.value]
    )
    counted = others.annotate(together=Count("seats")).filter(together__gte=2)
    most = counted.order_by("-together", "name_key", "pk")[:MOST_COMPANIONS]
    return [Companion(other, other.together) for other in most]


def recent_companions(user: User, besides: Game) -> list[User]:
    """With whom somebody played last, the latest first: whom they may want to ask to a table.

    Nobody who sits there, whom they have asked by name already, or whom they have blocked.
    """
    own = Seat.objects.filter(user=user, game__guided=False).exclude(game=besides)
    latest = own.order_by("-game_id").values_list("game_id", flat=True)[:LATEST]
    invited = besides.invitations.filter(invited_by=user, by_name=True).values("email")
    others = (
        Seat.objects.filter(game__in=list(latest), user__is_active=True)
        .exclude(user=user)
        .exclude(user__in=user.blocks.values("blocked"))
        .exclude(user__in=besides.seats.exclude(user=None).values("user"))
        .exclude(user__email__in=invited)
        .select_related("user")
        .order_by("-game_id", "number")
    )
    people = dict.fromkeys(seat.user for seat in others if seat.user is not None)
    return list(people)[:MOST_COMPANIONS]
