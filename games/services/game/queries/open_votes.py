"""The open votes of a table, as one person reads them."""

from datetime import datetime
from typing import NamedTuple

from games.models import Game, Seat, User, Vote
from games.presentation.log.table_story import vote_text
from games.presentation.text.words import People
from games.services.game.tally import LEAST_YES, Tally, absent_people, electorate, tally
from games.services.game.votes import rule_text


class VoteLine(NamedTuple):
    """An open vote; `rule` says when it passes.

    `own` is the reader's ballot, None for none yet. `subject` is what the vote is about.
    """

    id: int
    subject: str
    closes_at: datetime
    standing: Tally
    rule: str
    may_vote: bool
    own: bool | None


class OpenVotes(NamedTuple):
    """The open votes, and what the reader may propose; `absent` are seats and names.

    `enough` says whether so many are present that a vote can pass which needs two, and
    `others_absent` whether the reader would be the only one while others may come back.
    """

    lines: list[VoteLine]
    may_call: bool
    enough: bool
    others_absent: bool
    absent: list[tuple[int, str]]

    @property
    def waits(self) -> bool:
        """Whether a vote waits for the reader's ballot."""
        return any(line.may_vote and line.own is None for line in self.lines)


def games_that_vote(user: User, seats: dict[int, list[Seat]]) -> set[int]:
    """In which of these running games, given by id with their seats, a vote waits for somebody.

    At most one query.
    """
    if not seats:
        return set()
    votes = Vote.objects.filter(game__in=seats, game__parked_at=None, closed_at=None)
    waiting = votes.exclude(ballots__user=user)
    return {vote.game_id for vote in waiting if user in electorate(seats[vote.game_id], vote)}


def read_votes(
    game: Game, seats: list[Seat], people: People, user: User | None, *, voting: bool
) -> OpenVotes:
    """The votes of a running game; none where it is over or parked. `voting`: there are some.

    A first game has none: it is left, and found again.
    """
    if not game.is_in_play or game.guided:
        return OpenVotes([], may_call=False, enough=False, others_absent=False, absent=[])
    open_votes = game.votes.filter(closed_at=None).prefetch_related("ballots")
    lines = [_line(vote, seats, people, user) for vote in open_votes] if voting else []
    present = [seat.user for seat in seats if seat.is_present()]
    absent = [
        (seat.drawn_number, people.name(seat.drawn_number))
        for seat in seats
        if seat.wants_substitute()
    ]
    return OpenVotes(
        lines,
        may_call=user in present,
        enough=len(present) >= LEAST_YES,
        others_absent=bool(absent_people(seats)),
        absent=absent,
    )


def _line(vote: Vote, seats: list[Seat], people: People, user: User | None) -> VoteLine:
    ballots = {ballot.user_id: ballot.yes for ballot in vote.ballots.all()}
    return VoteLine(
        id=vote.pk,
        subject=vote_text(people, vote.kind, vote.amount, vote.seat_number),
        closes_at=vote.closes_at,
        standing=tally(seats, vote, ballots),
        rule=rule_text(vote),
        may_vote=user in electorate(seats, vote),
        own=ballots.get(user.pk) if user is not None else None,
    )
