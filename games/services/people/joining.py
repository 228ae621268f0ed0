"""Who may take a seat. Whoever does is locked first, before the table."""

from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from games.models import Game, Seat, User
from games.services.people import sanctions
from games.services.refused import Refused

MOST_GAMES: Final = 50


def lock_person(user: User, now: datetime) -> User:
    """Let one person sit down at one table at a time, until the end of the transaction.

    The person as they stand now; `Refused` where they may not play.
    """
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    sanctions.refuse_who_may_not_play(person, now)
    return person


def refuse_too_many_games(user: User) -> None:
    """`Refused` where a locked person sits at as many unfinished tables as one person may."""
    seats = Seat.objects.filter(user=user, game__status__in=Game.UNFINISHED, game__guided=False)
    if seats.count() >= MOST_GAMES:
        text = _(
            "You already have a seat at {most} tables. You can take another seat when one of "
            "those games is over."
        )
        raise Refused(text.format(most=MOST_GAMES))
