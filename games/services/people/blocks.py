"""Blocks and ignores: people not to play with, and people not to read. Nobody learns of either.

No new table brings together somebody and whom they have blocked; games that run, and tables at
which both sit already, go on. What somebody ignored writes is folded away, and causes no email.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.models import Block, Game, Ignore, Seat, User
from games.services.refused import Refused

MOST_BLOCKED: Final = 100


def block(*, user: User, other_id: int, now: datetime) -> None:
    """Play at no new table with somebody. Blocked already is no error.

    Both are locked: whoever is about to sit down at a table of the other one does so before, or is
    refused.
    """
    with transaction.atomic(durable=True):
        other = lock_two(user, other_id)
        if user.blocks.filter(blocked=other).exists():
            return
        if user.blocks.count() >= MOST_BLOCKED:
            text = _("You've already blocked {most} people. Unblock someone first.")
            raise Refused(text.format(most=MOST_BLOCKED))
        Block.objects.create(blocker=user, blocked=other, at=now)


def unblock(*, user: User, other_id: int) -> None:
    """Play with somebody again. Not blocked (any more) is no error."""
    Block.objects.filter(blocker=user, blocked=other_id).delete()


def ignore(*, user: User, other_id: int, now: datetime) -> None:
    """Fold away what somebody writes. Ignored already is no error."""
    if user.pk == other_id:
        raise Refused(_("This is your own account."))
    if user.ignores.count() >= MOST_BLOCKED and not user.ignores.filter(ignored=other_id).exists():
        text = _("You're already ignoring {most} people. Stop ignoring someone first.")
        raise Refused(text.format(most=MOST_BLOCKED))
    Ignore.objects.get_or_create(user=user, ignored_id=other_id, defaults={"at": now})


def unignore(*, user: User, other_id: int) -> None:
    """Show again what somebody writes. Not ignored (any more) is no error."""
    Ignore.objects.filter(user=user, ignored=other_id).delete()


def lock_two(user: User, other_id: int) -> User:
    """Lock somebody and another person, always in one order; the other one.

    `Refused` where they are the same, or there is no such person (any more).
    """
    if user.pk == other_id:
        raise Refused(_("This is your own account."))
    two = User.objects.filter(pk__in=(user.pk, other_id)).order_by("pk")
    locked = {person.pk: person for person in two.select_for_update(no_key=True)}
    if other_id not in locked:
        raise Refused(_("This account no longer exists."))
    return locked[other_id]


def at_odds_with(people: Iterable[User]) -> QuerySet[User]:
    """Everybody who was blocked by one of these people, or has blocked one of them."""
    return User.objects.filter(
        Q(pk__in=Block.objects.filter(blocker__in=people).values("blocked"))
        | Q(pk__in=Block.objects.filter(blocked__in=people).values("blocker"))
    )


def people_at(game: Game) -> QuerySet[User]:
    """Those who sit at a table, for a query."""
    return User.objects.filter(seats__game=game)


def not_for(user: User) -> QuerySet[Game]:
    """The tables at which somebody sits with whom the person does not play, for a query."""
    return Game.objects.filter(seats__user__in=at_odds_with([user]))


def refuse_at_odds(game: Game, user: User, *, leaves: Seat | None = None) -> None:
    """Refuse a seat at a locked table to a locked person who does not play with somebody there.

    Who `leaves` the seat to them does not count.
    """
    seats = game.seats.filter(user__in=at_odds_with([user]))
    if any(seat != leaves for seat in seats):
        raise Refused(
            _(
                "You can't join this table, because you and one of its players can't be seated "
                "together."
            )
        )
