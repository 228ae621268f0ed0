"""Votes of a table about its game (docs/play-over-days.md, ruling 12).

At least two say yes, and more yes than no; silence does not block. To end the game, and to rewind
it past opened bribes, every present player has to agree. A vote is closed when its time is over, or
as soon as nothing can change its outcome.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Ballot, Cause, Game, OutboxMail, Seat, User, Vote
from games.services import audit, deadlines, rewinding, table_acts
from games.services.deadlines import Calendar, Pace
from games.services.refused import Refused
from games.services.writer import Writer
from games.table_events import VoteClosed, VoteOpened

LEAST_TIME: Final = timedelta(hours=1)
MOST_TIME: Final = timedelta(days=3)
LEAST_YES: Final = 2
MOST_DAYS: Final = 30
MOST_HOURS: Final = 168


class Proposal(NamedTuple):
    """What a vote is about, as `Vote` explains it."""

    kind: Vote.Kind
    amount: int | None = None
    seat: int | None = None
    to_seq: int | None = None


def call_vote(*, game_id: int, user: User, proposal: Proposal, now: datetime) -> None:
    """Ask the table; who asks has said yes. Everybody else who is present is mailed."""
    with transaction.atomic(durable=True):
        game = _lock(game_id)
        writer = Writer(game, now)
        seat = _own_seat(writer, user)
        _refuse_impossible(writer, proposal)
        vote = open_vote(writer, proposal, user, seat)
        Ballot.objects.create(vote=vote, user=user, yes=True, at=now)
        _close_if_decided(writer, vote)
        writer.go_on()
        writer.commit()


def cast(*, game_id: int, user: User, vote_id: int, yes: bool, now: datetime) -> None:
    """Say yes or no; it may be changed while the vote is open."""
    with transaction.atomic(durable=True):
        game = _lock(game_id)
        vote = game.votes.filter(pk=vote_id, closed_at=None).first()
        if vote is None:
            raise Refused(_("This vote is closed."))
        writer = Writer(game, now)
        if user not in electorate(writer.seats.values(), vote):
            raise Refused(_("Only who plays here now can vote on this."))
        Ballot.objects.update_or_create(vote=vote, user=user, defaults={"yes": yes, "at": now})
        _close_if_decided(writer, vote)
        writer.go_on()
        writer.commit()


def close_over(game: Game, now: datetime) -> None:
    """Close the votes of a locked game whose time is over."""
    over = game.votes.filter(closed_at=None, closes_at__lte=now)
    if not game.is_in_play:
        over.update(closed_at=now, passed=False)
        return
    writer = Writer(game, now)
    for vote in over:
        _close(writer, vote, passed=_tally(writer, vote).passes)
    writer.go_on()
    writer.commit()


def after_outage(game: Game, since: datetime, now: datetime) -> None:
    """Give the votes whose time ran out in an outage that ends `now` time again (ruling 11)."""
    for vote in game.votes.filter(closed_at=None, closes_at__lte=now):
        lasts = Calendar(Pace(vote.closes_at - vote.opened_at))
        vote.closes_at = deadlines.after_outage(
            vote.closes_at, since=since, now=now, calendar=lasts
        )
        vote.save(update_fields=["closes_at"])


def open_vote(writer: Writer, proposal: Proposal, user: User, seat: Seat | None) -> Vote:
    """Open a vote and mail those who may vote; `seat` is who asks, None for a moderator."""
    game, now = writer.game, writer.now
    if game.votes.filter(kind=proposal.kind, closed_at=None).exists():
        raise Refused(_("There is a vote about this already."))
    time = min(max(timedelta(seconds=game.answer_seconds), LEAST_TIME), MOST_TIME)
    vote = Vote.objects.create(
        game=game,
        kind=proposal.kind,
        amount=proposal.amount,
        seat_number=proposal.seat,
        to_seq=proposal.to_seq,
        opened_by=user,
        opened_at=now,
        closes_at=now + time,
    )
    by = None if seat is None else seat.drawn_number
    cause = Cause.MODERATOR if seat is None else Cause.PLAYER
    writer.note(VoteOpened(proposal.kind.value, proposal.amount, proposal.seat, by), cause)
    for person in electorate(writer.seats.values(), vote):
        if person != user:
            writer.mail_person(OutboxMail.Kind.VOTE, person, about=vote.pk)
    return vote


def electorate(seats: Iterable[Seat], vote: Vote) -> list[User]:
    """Who may vote: the people who are present, but not on their own replacement."""
    return [
        seat.user
        for seat in seats
        if seat.user is not None
        and seat.absent_since is None
        and not (vote.kind == Vote.Kind.REPLACE and seat.number == vote.seat_number)
    ]


class Tally(NamedTuple):
    """How a vote stands: yes, no, and those who have not said anything."""

    yes: int
    no: int
    silent: int
    unanimous: bool

    @property
    def passes(self) -> bool:
        """Whether it has passed if nobody says anything more."""
        if self.unanimous:
            return self.yes > 0 and not self.no and not self.silent
        return self.yes >= LEAST_YES and self.yes > self.no

    @property
    def decided(self) -> bool:
        """Whether nothing can change that any more."""
        if self.passes:
            return self._replace(no=self.no + self.silent, silent=0).passes
        return not self._replace(yes=self.yes + self.silent, silent=0).passes


def tally(people: list[User], vote: Vote, ballots: dict[int, bool]) -> Tally:
    """How a vote of these people stands; `ballots` are yes or no by the person's id."""
    said = [ballots[person.pk] for person in people if person.pk in ballots]
    return Tally(sum(said), len(said) - sum(said), len(people) - len(said), vote.needs_all)


def _tally(writer: Writer, vote: Vote) -> Tally:
    ballots = dict(vote.ballots.values_list("user_id", "yes"))
    return tally(electorate(writer.seats.values(), vote), vote, ballots)


def _close_if_decided(writer: Writer, vote: Vote) -> None:
    standing = _tally(writer, vote)
    if standing.decided:
        _close(writer, vote, passed=standing.passes)


def _close(writer: Writer, vote: Vote, *, passed: bool) -> None:
    """Close a vote and do what has passed, where that is still possible."""
    vote.closed_at, vote.passed = writer.now, passed
    vote.save(update_fields=["closed_at", "passed"])
    writer.note(VoteClosed(vote.kind, passed), Cause.RULES)
    if not passed:
        return
    replaced = writer.seats.get(-1 if vote.seat_number is None else vote.seat_number)
    left = replaced.user if replaced is not None else None
    try:
        number = _do(writer, vote)
    except Refused:
        return  # what was asked for has come about, or is not possible any more
    table_acts.tell_table(writer, number)
    writer.mail_person(OutboxMail.Kind.TABLE_NEWS, left, about=number)
    audit.note(f"vote: {vote.kind}", now=writer.now, who=audit.TABLE, game=writer.game, person=left)


def _do(writer: Writer, vote: Vote) -> int:
    """What a vote was about; the number of its event."""
    match Vote.Kind(vote.kind):
        case Vote.Kind.PAUSE:
            until = writer.now + timedelta(days=vote.amount or 0)
            return table_acts.pause(writer, until, Cause.TABLE)
        case Vote.Kind.RESUME:
            return table_acts.resume(writer, Cause.TABLE)
        case Vote.Kind.EXTEND:
            time = timedelta(hours=vote.amount or 0)
            return table_acts.extend(writer, time, Cause.TABLE)[0].number
        case Vote.Kind.REPLACE:
            return _replace(writer, vote)
        case Vote.Kind.END:
            return table_acts.cancel(writer, Cause.TABLE)
        case Vote.Kind.REWIND:
            return rewinding.rewind(writer, vote.to_seq or 0, Cause.TABLE)


def _replace(writer: Writer, vote: Vote) -> int:
    seat = _absent_seat(writer, vote.seat_number)
    return table_acts.seat_house_player(writer, seat, writer.game.absent_player, Cause.TABLE)


def _absent_seat(writer: Writer, number: int | None) -> Seat:
    seat = writer.seats.get(-1 if number is None else number)
    if seat is None or not seat.wants_substitute():
        raise Refused(_("Nobody is absent from this seat."))
    return seat


def _lock(game_id: int) -> Game:
    game = Game.objects.lock(game_id)
    if not game.is_in_play:
        raise Refused(_("This game is not being played now."))
    return game


def _own_seat(writer: Writer, user: User) -> Seat:
    for seat in writer.seats.values():
        if seat.user == user and seat.absent_since is None:
            return seat
    raise Refused(_("Only who plays here now can call a vote."))


def _refuse_impossible(writer: Writer, proposal: Proposal) -> None:
    """A vote must be about something that can be done, and that enough people can want."""
    game, amount = writer.game, proposal.amount or 0
    present = [seat for seat in writer.seats.values() if not seat.is_played_for()]
    if proposal.kind != Vote.Kind.END and len(present) < LEAST_YES:
        raise Refused(_("A vote needs two people who are present."))
    if proposal.kind in {Vote.Kind.PAUSE, Vote.Kind.EXTEND} and game.paused_at is not None:
        raise Refused(_("The game is paused already."))
    match proposal.kind:
        case Vote.Kind.PAUSE if not 1 <= amount <= MOST_DAYS:
            raise Refused(_("A pause lasts from 1 to {most} days.").format(most=MOST_DAYS))
        case Vote.Kind.RESUME if game.paused_at is None:
            raise Refused(_("The game is not paused."))
        case Vote.Kind.EXTEND if not 1 <= amount <= MOST_HOURS:
            raise Refused(_("From 1 to {most} hours more are possible.").format(most=MOST_HOURS))
        case Vote.Kind.REPLACE:
            _absent_seat(writer, proposal.seat)
        case Vote.Kind.REWIND:
            raise Refused(_("Only a moderator can ask for a rewind."))
