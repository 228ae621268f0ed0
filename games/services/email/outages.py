"""Finds out whether email is down: then nobody learns that it is their turn (days 11).

It is while the mail server takes nothing, which the drain knows (`mail_server`), or while nothing
leaves that is ready, whatever the cause. A refusal for one recipient is no outage.
"""

from datetime import datetime, timedelta
from itertools import batched
from typing import Final

from django.db.models import Exists, F, Min, OuterRef, Q

from games.models import EmailOutage, Game, OutboxEmail, Seat, Tick, User, Vote
from games.services.email import delivery, mail_server
from games.services.email.claimed import read_claimed

LONGEST_WAIT: Final = timedelta(minutes=5)
"""Email that is ready and isn't sent for so long, while no other is, says that email is down."""

FEWEST_REFUSED: Final = 2
"""So many people's email has to be refused, and nobody else's taken, to be no one's own matter."""

READ_AT_ONCE: Final = 100
SERVER_ERROR: Final = r"^[45]\d\d "
"""The beginning of an error that a mail server has replied (`answers.error_text`)."""


def watch(now: datetime) -> None:
    """Store whether email is down: with each sweep, since the sender may be what fails."""
    since = _down_since(now)
    if since is None:
        mail_server.end_outage(now)
    else:
        mail_server.begin_outage(since)


def is_down() -> bool:
    """Whether email is down, as far as known."""
    return EmailOutage.objects.filter(until=None).exists()


def _down_since(now: datetime) -> datetime | None:
    """Since when email is down; None if it isn't, or nobody has ever looked for it on this site."""
    server = mail_server.read()
    if server.unavailable_since is not None:
        return server.unavailable_since
    last_sent, late = server.last_sent_at, now - LONGEST_WAIT
    if last_sent is not None and last_sent > late:
        return None
    looked = Tick.objects.filter(name=Tick.MAIL).values_list("at", flat=True).first()
    if looked is None:
        return None
    # Whoever looks for email leaves none that is ready but what is refused.
    left = _left_since(now, late) if looked <= late else None
    found = [at for at in (left, _refused_since(last_sent, late)) if at is not None]
    return min(found, default=None)


def _left_since(now: datetime, late: datetime) -> datetime | None:
    """Since when the oldest email waits that nobody sends; not one that would be held back now."""
    ids = OutboxEmail.objects.left_since(late).values_list("pk", flat=True)
    for some in batched(ids, READ_AT_ONCE):
        for claim in read_claimed(some):
            if delivery.leaves(claim, now):
                return claim.email.not_before
    return None


def _refused_since(last_sent: datetime | None, late: datetime) -> datetime | None:
    """Since when the mail server refuses everybody's email; None if it may be one person's matter.

    Not counted are people whose email was refused before the last one that was taken, or whose
    address was.
    """
    status = OutboxEmail.Status
    refused = OutboxEmail.objects.filter(person__isnull=False).filter(
        Q(status=status.READY) & ~Q(error="") | Q(status=status.FAILED, error__regex=SERVER_ERROR)
    )
    refused = refused.exclude(person__in=User.objects.filter(refused_email=F("email")))
    if last_sent is not None:
        before = refused.filter(created_at__lte=last_sent, status=status.READY).values("person")
        refused = refused.filter(created_at__gt=last_sent).exclude(person__in=before)
    people = refused.filter(created_at__lte=late).values("person")
    if people.distinct().count() < FEWEST_REFUSED:
        return None
    first: datetime | None = refused.aggregate(first=Min("created_at"))["first"]
    return first


def over() -> list[EmailOutage]:
    """The outages after which players may still have to be given time."""
    return list(EmailOutage.objects.filter(until__isnull=False))


def turn_came_in(outage: EmailOutage) -> Q:
    """Of games: whether a player's turn came in it, still lasts, and has got no time for it."""
    seats = Seat.objects.to_move().not_played_at_once().filter(
        game=OuterRef("pk"),
        to_move_since__gte=outage.since, to_move_since__lte=outage.until,
    )  # fmt: skip
    return Q(Exists(seats), status=Game.Status.RUNNING)


def forget_if_made_up_for(outage: EmailOutage) -> None:
    """Forget an outage once no such game is left, nor a vote that was called in it.

    In a game that is paused or parked, players may still have to be given time when it goes on.
    """
    votes = Vote.objects.filter(
        closed_at=None, opened_at__gte=outage.since, opened_at__lte=outage.until
    )
    if not votes.exists() and not Game.objects.filter(turn_came_in(outage)).exists():
        outage.delete()
