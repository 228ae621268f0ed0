"""What a table asks of those who sit down: moves made in time. Its host isn't asked."""

from datetime import datetime

from django.utils.translation import gettext as _

from games.models import Game, User
from games.services.people.reliability import COUNTED_MONTHS, ENOUGH, Reliability, reliability_of
from games.services.refused import Refused


def conditions_text(game: Game) -> str:
    """What a table asks of those who sit down, as a sentence."""
    numbers = {"least": game.least_in_time, "enough": ENOUGH, "months": COUNTED_MONTHS}
    if not game.least_in_time:
        text = (
            _("Newcomers are welcome.")
            if game.newcomers_welcome
            else _("Only for players with at least {enough} moves in the last {months} months.")
        )
    elif game.newcomers_welcome:
        text = _(
            "Only for players who have made at least {least}% of their moves in time, and for "
            "newcomers."
        )
    else:
        text = _(
            "Only for players who have made at least {least}% of their moves in time, with at "
            "least {enough} moves in the last {months} months."
        )
    return text.format(**numbers)


def asks_anything(game: Game) -> bool:
    """Whether there is anybody who may not sit down at a table because of what it asks."""
    return bool(game.least_in_time) or not game.newcomers_welcome


def unmet_by(game: Game, user: User, own: Reliability) -> str:
    """Why somebody who is that reliable may not sit down at a table; "" if they may."""
    if game.host_id == user.pk:
        return ""
    if own.percent is None:
        if game.newcomers_welcome:
            return ""
        text = _(
            "This table requires at least {enough} moves in the last {months} months; so far, "
            "you've made {count}."
        )
        return text.format(enough=ENOUGH, months=COUNTED_MONTHS, count=own.counted)
    if own.percent < game.least_in_time:
        text = _(
            "This table requires at least {least}% of moves made in time; your share is {percent}%."
        )
        return text.format(least=game.least_in_time, percent=own.percent)
    return ""


def unmet(game: Game, user: User, now: datetime) -> str:
    """Why somebody may not sit down at a table; "" if they may."""
    if not asks_anything(game):
        return ""
    return unmet_by(game, user, reliability_of([user.pk], now)[user.pk])


def who_meet(game: Game, people: list[User], now: datetime) -> list[User]:
    """Those of these people who may sit down at a table."""
    if not asks_anything(game):
        return people
    known = reliability_of([person.pk for person in people], now)
    return [person for person in people if not unmet_by(game, person, known[person.pk])]


def refuse_unless_met(game: Game, user: User, now: datetime) -> None:
    """Refuse a seat at a table to somebody of whom it asks more; with both numbers."""
    if reason := unmet(game, user, now):
        raise Refused(reason)
