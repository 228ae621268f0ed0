"""Misses and absence: when nobody waits for a seat any more (docs/play-over-days.md, 3 and 4)."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import Max

from games.engine import Stage
from games.models import Cause, Game, Miss, Seat, Sitting, User
from games.services import outbox
from games.services.game import notes
from games.services.game.locked_game import LockedGame
from games.services.people import blocks, conditions
from games.services.sql import insert
from games.table_events import SeatAbsent


class Rule(NamedTuple):
    """How many misses make a seat absent: one after another, or of the decisions remembered."""

    in_a_row: int
    misses: int
    remembered: int

    def remember(self, missed: list[bool], *, miss: bool) -> list[bool]:
        """What was missed of the last decisions, the latest last, and now one more."""
        return [*missed, miss][-self.remembered :]

    def is_too_much(self, missed: list[bool]) -> bool:
        """Whether a seat is absent by what was missed of its last decisions, the latest last."""
        row = [True] * self.in_a_row
        return missed[-self.in_a_row :] == row or sum(missed) >= self.misses


RULE: Final = Rule(in_a_row=2, misses=3, remembered=8)

MOST_SUBSTITUTES_EMAILED: Final = 20
"""How many people get email about a seat that needs a substitute."""

ONE_MISS_IN: Final = timedelta(hours=24)


def record_move(seat: Seat) -> None:
    """Store that the player moved: a row of misses ends."""
    seat.missed = RULE.remember(seat.missed, miss=False)


def record_miss(seat: Seat, now: datetime) -> bool:
    """Store that the player let the deadline pass; say whether that makes the seat absent.

    Only a full answering time can be missed, and at most once in 24 h.
    """
    too_soon = seat.last_miss_at is not None and now - seat.last_miss_at < ONE_MISS_IN
    if not seat.full_time or too_soon:
        return False
    seat.last_miss_at = now
    seat.missed = RULE.remember(seat.missed, miss=True)
    if seat.user is not None:
        miss = Miss(user=seat.user, seat=seat, phase_no=seat.to_move_phase, at=now)
        insert([miss], skip_known=True)
    return RULE.is_too_much(seat.missed)


def recount(seat: Seat, since: datetime | None) -> None:
    """Work out anew what the person at a seat missed, from the moves and misses that stand.

    Those from `since` on, when they were no longer absent; None for all.
    """
    began = since or seat.joined_at
    misses = seat.misses.filter(user=seat.user).order_by("at")
    moves = seat.moves.filter(user=seat.user, abandoned=False, at__gte=began)
    outcomes = [(phase_no, False) for phase_no in moves.values_list("phase_no", flat=True)]
    counted = misses.filter(at__gte=began).values_list("phase_no", flat=True)
    outcomes += [(phase_no, True) for phase_no in counted]
    seat.missed = [missed for _phase_no, missed in sorted(outcomes)][-RULE.remembered :]
    latest = misses.last()
    seat.last_miss_at = latest.at if latest is not None else None


def forget_misses(seat: Seat, since: datetime, until: datetime) -> bool:
    """Forget what the person at a seat missed in a period; return whether there was anything."""
    if seat.last_miss_at is None or seat.last_miss_at < since:
        return False
    misses = Miss.objects.filter(seat=seat, user=seat.user)
    times = iter(list(misses.order_by("-at").values_list("at", flat=True)))
    kept, latest = [], None
    for missed in reversed(seat.missed):
        at = next(times, None) if missed else None
        if at is None or not since <= at <= until:
            kept.append(missed)
            latest = latest or at
    misses.filter(at__range=(since, until)).delete()
    if len(kept) == len(seat.missed):
        return False
    seat.missed, seat.last_miss_at = kept[::-1], latest
    return True


def mark_absent(locked: LockedGame, seat: Seat, cause: Cause) -> int:
    """Wait for this seat no more, void its player's orders, and look for a substitute at once.

    Returns the number of the event. Where the clock did it, the player gets email, and finds their
    drafts and notes again on coming back. Email about what a moderator does is the caller's.
    """
    seat.absent_since = locked.now
    locked.drop_orders(seat)
    number = locked.record(SeatAbsent(seat.drawn_number), cause)
    if cause == Cause.CLOCK:
        locked.email("marked_absent", seat, about=seat.pk)
    elif seat.user is not None:
        notes.void(locked.game, seat.user)
    ask_for_substitutes(locked.game, seat, locked.now)
    return number


def mark_barred_players_absent(locked: LockedGame) -> None:
    """Mark suspended and banned players absent, also where the game was paused or parked."""
    if locked.state.stage is Stage.OVER:
        return
    for seat in locked.seats.values():
        if seat.user is None or seat.absent_since is not None or seat.user.may_play(locked.now):
            continue
        mark_absent(locked, seat, Cause.MODERATOR)


def ask_for_substitutes(game: Game, seat: Seat, now: datetime) -> None:
    """Email people who might take the seat over; nobody if newcomers aren't admitted."""
    if game.closed_to_newcomers:
        return
    for person in _possible_substitutes(game, now):
        outbox.enqueue("substitute_wanted", game=game, person=person, now=now, about=seat.pk)


def _possible_substitutes(game: Game, now: datetime) -> list[User]:
    """People who have played with somebody of this table, and do not sit there, latest first.

    Nobody who may not play, does not play with one of the players there, or of whom the table asks
    more. Read table by table: in one statement, it took minutes in a database whose statistics were
    out of date.
    """
    here = list(User.objects.filter(seats__game=game))
    sittings = Sitting.objects.exclude(user=None)
    own = sittings.filter(user__in=here).values_list("seat", flat=True)
    games = Seat.objects.filter(pk__in=list(own)).exclude(game=game).values_list("game", flat=True)
    seats = Seat.objects.filter(game__in=set(games)).values_list("pk", flat=True)
    left_out = {*sittings.filter(seat__in=list(game.seats.all())).values_list("user", flat=True)}
    left_out |= {person.pk for person in blocks.at_odds_with(here)}
    latest = sittings.filter(seat__in=list(seats)).exclude(user__in=left_out).values("user")
    latest = latest.annotate(last=Max("began_at")).order_by("-last", "user")
    may_play = User.objects.filter(is_active=True).exclude(suspended_until__gt=now)
    people = may_play.in_bulk([row["user"] for row in latest])
    found = [people[row["user"]] for row in latest if row["user"] in people]
    return conditions.who_meet(game, found, now)[:MOST_SUBSTITUTES_EMAILED]
