"""Votes of a table about its game (days 15).

At least two say yes, and more yes than no; not voting does not block. To end the game, and to
rewind it past opened bribes, every present player has to agree. Where only one person is present,
absent players may vote too on whether the game ends: each of them can prevent it by a no, or by
coming back, but not by not voting. A vote is closed when its time is over, or as soon as nothing
can change its outcome.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final, NamedTuple, assert_never
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Ballot, Cause, EmailOutage, Game, Seat, User, Vote
from games.presentation.log.table_story import vote_rule
from games.presentation.text.tables import time_text
from games.presentation.text.words import moment
from games.services import audit, live
from games.services.game import deadlines, interventions, moved_deadlines, once, rewind
from games.services.game.deadlines import Calendar, Pace
from games.services.game.tally import (
    LEAST_YES,
    Tally,
    absent_people,
    electorate,
    present_people,
    tally,
)
from games.services.game.writer import Writer
from games.services.refused import Refused
from games.table_events import VoteClosed, VoteOpened

LEAST_TIME: Final = timedelta(hours=1)
MOST_TIME: Final = timedelta(days=3)
MOST_CALLED: Final = 2
"""How many votes one person calls at a table within `CALLED_WITHIN`: each is emailed to everybody,
also to those who muted the game."""

CALLED_WITHIN: Final = timedelta(hours=24)
MOST_DAYS: Final = 30
MOST_HOURS: Final = 168


class Proposal(NamedTuple):
    """The subject of a vote, as `Vote` explains it."""

    kind: Vote.Kind
    amount: int | None = None
    seat: int | None = None
    to_seq: int | None = None


def call_vote(
    *, game_id: int, user: User, proposal: Proposal, now: datetime, token: UUID | None = None
) -> Vote:
    """Call a vote; the caller has voted yes. Everybody else who may vote is emailed.

    The request with the same `token` calls one vote, also if it is closed by now.
    """
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        if once.is_done(user, token):
            return game.votes.filter(opened_by=user, kind=proposal.kind).latest("pk")
        once.mark_done(user, token, now)
        _refuse_unless_in_play(game)
        writer = Writer(game, now)
        seat = _own_seat(writer, user)
        _refuse_too_few(writer, proposal)
        _refuse_impossible(writer, proposal)
        _refuse_too_many(game, user, now)
        vote = open_vote(writer, proposal, user, seat)
        Ballot.objects.create(vote=vote, user=user, yes=True, at=now)
        _close_if_decided(writer, vote)
        writer.go_on()
        writer.commit()
    return vote


def cast(
    *,
    game_id: int,
    user: User,
    vote_id: int,
    yes: bool,
    now: datetime,
    token: UUID | None = None,
) -> Vote:
    """Vote yes or no; it may be changed while the vote is open.

    The request with the same `token` counts once: it changes back no later ballot.
    """
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        if once.is_done(user, token):
            return game.votes.get(pk=vote_id)
        once.mark_done(user, token, now)
        _refuse_unless_in_play(game)
        vote = game.votes.filter(pk=vote_id, closed_at=None).first()
        if vote is None:
            raise Refused(_("This vote is closed."))
        writer = Writer(game, now)
        if user not in electorate(writer.seats.values(), vote):
            raise Refused(_("Only active players can vote on this."))
        Ballot.objects.update_or_create(vote=vote, user=user, defaults={"yes": yes, "at": now})
        live.table_changed(game.pk)
        _close_if_decided(writer, vote)
        writer.go_on()
        writer.commit()
    return vote


def close_over(game: Game, now: datetime) -> None:
    """Close the votes of a locked game whose time is over.

    Not those that count absent players who don't vote while email is down; players whom email could
    not reach when it was called have a quarter of the time to move once it is back (days 11).
    """
    over = game.votes.filter(closed_at=None, closes_at__lte=now)
    if not game.is_in_play:
        over.update(closed_at=now, passed=False)
        return
    writer = Writer(game, now)
    for vote in over:
        if not _waits_for_email(vote, now):
            _close(writer, vote, passed=_tally(writer, vote).passes)
    writer.go_on()
    writer.commit()


def _waits_for_email(vote: Vote, now: datetime) -> bool:
    if not vote.asks_absent:
        return False
    calendar = Calendar(deadlines.pace_of(vote.game))
    for outage in EmailOutage.objects.all():
        if outage.until is None:
            return True
        if outage.holds(vote.opened_at):
            least = calendar.after(outage.until, calendar.pace.move_time / 4)
            vote.closes_at = max(vote.closes_at, least)
    vote.save(update_fields=["closes_at"])
    return vote.closes_at > now


def after_outage(game: Game, since: datetime, now: datetime) -> None:
    """Give the votes whose time ran out in an outage that ends `now` time again (days 11)."""

    def after(vote: Vote) -> datetime:
        lasts = Calendar(Pace(vote.closes_at - vote.opened_at))
        return deadlines.after_outage(vote.closes_at, since=since, now=now, calendar=lasts)

    move_ends(game, after)


def move_ends(game: Game, after: Callable[[Vote], datetime]) -> None:
    """Let the open votes of a game end then, as its deadlines move."""
    for vote in game.votes.filter(closed_at=None):
        vote.closes_at = after(vote)
        vote.save(update_fields=["closes_at"])


def open_vote(writer: Writer, proposal: Proposal, user: User, seat: Seat | None) -> Vote:
    """Open a vote and email those who may vote; `seat` proposes it, None for a moderator."""
    game, now = writer.game, writer.now
    if game.votes.filter(kind=proposal.kind, closed_at=None).exists():
        raise Refused(_("There's already a vote on this."))
    seats = writer.seats.values()
    asks_absent = (
        proposal.kind == Vote.Kind.END
        and len(present_people(seats)) == 1
        and bool(absent_people(seats))
    )
    vote = Vote.objects.create(
        game=game,
        kind=proposal.kind,
        amount=proposal.amount,
        seat_number=proposal.seat,
        to_seq=proposal.to_seq,
        opened_by=user,
        opened_at=now,
        closes_at=_closes_at(game, now, asks_absent=asks_absent),
        asks_absent=asks_absent,
    )
    by = None if seat is None else seat.drawn_number
    cause = Cause.MODERATOR if seat is None else Cause.PLAYER
    writer.record(VoteOpened(proposal.kind.value, proposal.amount, proposal.seat, by), cause)
    for person in electorate(seats, vote):
        if person != user:
            writer.email_person("vote", person, about=vote.pk)
    return vote


def _closes_at(game: Game, now: datetime, *, asks_absent: bool) -> datetime:
    """When the time to vote is over; absent players have the table's full time to move."""
    time = min(max(timedelta(seconds=game.move_seconds), LEAST_TIME), MOST_TIME)
    if not asks_absent:
        return now + time
    return max(now + time, deadlines.full_deadline(Calendar(deadlines.pace_of(game)), now))


def _tally(writer: Writer, vote: Vote) -> Tally:
    ballots = dict(vote.ballots.values_list("user_id", "yes"))
    return tally(writer.seats.values(), vote, ballots)


def _close_if_decided(writer: Writer, vote: Vote) -> None:
    standing = _tally(writer, vote)
    if standing.decided:
        _close(writer, vote, passed=standing.passes)


def _close(writer: Writer, vote: Vote, *, passed: bool) -> None:
    """Close a vote and do what has passed, where that is still possible."""
    vote.closed_at, vote.passed = writer.now, passed
    vote.save(update_fields=["closed_at", "passed"])
    writer.record(VoteClosed(vote.kind, passed), Cause.RULES)
    if not passed:
        return
    replaced = writer.seats.get(-1 if vote.seat_number is None else vote.seat_number)
    left = replaced.user if replaced is not None else None
    try:
        number = _do(writer, vote)
    except Refused:
        return  # the proposal has come about, or is not possible any more
    interventions.email_table(writer, number)
    writer.email_person("table_news", left, about=number)
    key = f"vote.{vote.kind}"
    audit.write(key, now=writer.now, who=audit.TABLE, game=writer.game, person=left)


def _do(writer: Writer, vote: Vote) -> int:
    """Carry out a vote; the number of its event."""
    match Vote.Kind(vote.kind):
        case Vote.Kind.PAUSE:
            until = writer.now + timedelta(days=vote.amount or 0)
            return interventions.pause(writer, until, Cause.TABLE)
        case Vote.Kind.RESUME:
            return interventions.resume(writer, Cause.TABLE)
        case Vote.Kind.EXTEND:
            time = timedelta(hours=vote.amount or 0)
            return moved_deadlines.extend(writer, time, Cause.TABLE)[0].number
        case Vote.Kind.REPLACE:
            return _replace(writer, vote)
        case Vote.Kind.END:
            return interventions.cancel(writer, Cause.TABLE)
        case Vote.Kind.REWIND:
            return rewind.rewind(writer, vote.to_seq or 0, Cause.TABLE)


def _replace(writer: Writer, vote: Vote) -> int:
    seat = _absent_seat(writer, vote.seat_number)
    return interventions.seat_computer_player(writer, seat, writer.game.absent_player, Cause.TABLE)


def rule_text(vote: Vote) -> str:
    """When this vote passes, as a sentence."""
    return vote_rule(needs_all=vote.needs_all, asks_absent=vote.asks_absent, least=LEAST_YES)


def _absent_seat(writer: Writer, number: int | None) -> Seat:
    seat = writer.seats.get(-1 if number is None else number)
    if seat is None or not seat.wants_substitute():
        raise Refused(_("This seat's player isn't absent."))
    return seat


def _refuse_unless_in_play(game: Game) -> None:
    if not game.is_in_play:
        raise Refused(_("This game isn't running."))


def _own_seat(writer: Writer, user: User) -> Seat:
    for seat in writer.seats.values():
        if seat.user == user and seat.is_present():
            return seat
    raise Refused(_("Only active players can call a vote."))


def _refuse_too_many(game: Game, user: User, now: datetime) -> None:
    """Refuse a person who has called too many votes at a table for now."""
    called = game.votes.filter(opened_by=user, opened_at__gt=now - CALLED_WITHIN)
    latest = list(called.order_by("-opened_at").values_list("opened_at", flat=True)[:MOST_CALLED])
    if len(latest) < MOST_CALLED:
        return
    next_minute = latest[-1] + CALLED_WITHIN + timedelta(minutes=1)
    text = _(
        "You can call up to {most} votes at a table in {time}. You can call another one after "
        "{moment}."
    )
    again_at = moment(next_minute, user.time_zone)
    raise Refused(text.format(most=MOST_CALLED, time=time_text(CALLED_WITHIN), moment=again_at))


def _refuse_too_few(writer: Writer, proposal: Proposal) -> None:
    """Refuse a vote that too few people could support."""
    present = [seat for seat in writer.seats.values() if seat.is_present()]
    if proposal.kind != Vote.Kind.END and len(present) < LEAST_YES:
        text = _("A vote needs at least {least} active players.")
        raise Refused(text.format(least=LEAST_YES))


def _refuse_impossible(writer: Writer, proposal: Proposal) -> None:
    """Refuse a vote about something that cannot be done."""
    game, amount = writer.game, proposal.amount or 0
    if proposal.kind in {Vote.Kind.PAUSE, Vote.Kind.EXTEND} and game.paused_at is not None:
        raise Refused(_("The game is already paused."))
    match proposal.kind:
        case Vote.Kind.PAUSE if not 1 <= amount <= MOST_DAYS:
            raise Refused(_("A pause can last 1 to {most} days.").format(most=MOST_DAYS))
        case Vote.Kind.RESUME if game.paused_at is None:
            raise Refused(_("The game isn't paused."))
        case Vote.Kind.EXTEND if not 1 <= amount <= MOST_HOURS:
            raise Refused(_("You can add between 1 and {most} hours.").format(most=MOST_HOURS))
        case Vote.Kind.REPLACE:
            _absent_seat(writer, proposal.seat)
        case Vote.Kind.REWIND:
            raise Refused(_("Only a moderator can propose a rewind."))
        case Vote.Kind.PAUSE | Vote.Kind.RESUME | Vote.Kind.EXTEND | Vote.Kind.END:
            return
        case _:
            assert_never(proposal.kind)
