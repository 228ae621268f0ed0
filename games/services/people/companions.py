"""With whom somebody plays: often, for their page, and whom they may want to ask to a table."""

from typing import Final, NamedTuple

from django.db.models import Case, Count, Exists, IntegerField, OuterRef, Q, QuerySet, When

from games.models import Game, Seat, User
from games.models.people import ProfilePart
from games.names import LONGEST, key_of, tidy_name
from games.services.people.acquaintances import acquaintances_of

MOST_COMPANIONS: Final = 8
LATEST: Final = 5
"""How many games count as the latest."""

FEWEST_LETTERS: Final = 2
"""How much of a name has to be typed before it is completed."""

_BEGIN_PAIRS: Final = {"r": "m", "v": "w"}
"""What may become of the last letter of a key once the next one is typed: "rn" is as "m"."""


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


def people_to_invite(user: User, besides: Game) -> list[User]:
    """Whom somebody may want to ask to a table: whom they know, then with whom they played last.

    Nobody who sits there, whom they have asked by name already, or whom they have blocked.
    """
    known = acquaintances_of(user).order_by("name_key")
    people = dict.fromkeys([*_to_be_invited(known, user, besides), *_latest(user, besides)])
    return list(people)[:MOST_COMPANIONS]


def _to_be_invited(people: QuerySet[User], user: User, besides: Game) -> QuerySet[User]:
    invited = besides.invitations.filter(invited_by=user, by_name=True).values("email")
    return (
        people.filter(is_active=True)
        .exclude(pk=user.pk)
        .exclude(pk__in=user.blocks.values("blocked"))
        .exclude(pk__in=besides.seats.exclude(user=None).values("user"))
        .exclude(email__in=invited)
    )


def _latest(user: User, besides: Game) -> list[User]:
    """With whom they played last, the latest first."""
    own = Seat.objects.filter(user=user, game__guided=False).exclude(game=besides)
    latest = own.order_by("-game_id").values_list("game_id", flat=True)[:LATEST]
    seats = Seat.objects.filter(game__in=list(latest)).order_by("-game_id", "number")
    possible = _to_be_invited(User.objects.all(), user, besides)
    others = seats.filter(user__in=possible).select_related("user")
    return [seat.user for seat in others if seat.user is not None]


def names_beginning(text: str, user: User) -> list[str]:
    """Names that somebody may mean who has typed this much of one.

    Those of people they know or have played with first; nobody whom they have blocked. Whoever has
    blocked them is among the names: they don't learn of it.
    """
    key = key_of(tidy_name(text[:LONGEST]))
    if len(key) < FEWEST_LETTERS:
        return []
    together = Seat.objects.filter(user=OuterRef("pk"), game__seats__user=user, game__guided=False)
    is_known = Q(pk__in=acquaintances_of(user).values("pk")) | Q(Exists(together))
    begun = Q(name_key__startswith=key)
    for letter, pair in _BEGIN_PAIRS.items():
        if key.endswith(letter):
            begun |= Q(name_key__startswith=key.removesuffix(letter) + pair)
    people = User.objects.filter(begun, is_active=True, is_guest=False).exclude(pk=user.pk)
    people = people.exclude(pk__in=user.blocks.values("blocked"))
    known_first = people.annotate(
        is_stranger=Case(When(is_known, then=0), default=1, output_field=IntegerField())
    )
    found = known_first.order_by("is_stranger", "name_key")
    return list(found.values_list("name", flat=True)[:MOST_COMPANIONS])
