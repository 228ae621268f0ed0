"""Who may vote at a table, and how a vote stands (docs/play-over-days.md, 15)."""

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from games.models import Seat, User, Vote

LEAST_YES: Final = 2


def present_people(seats: Iterable[Seat]) -> list[User]:
    """The people who play here now."""
    return [seat.user for seat in seats if seat.user is not None and seat.absent_since is None]


def absent_people(seats: Iterable[Seat]) -> list[User]:
    """The absent people who may come back."""
    return [seat.user for seat in seats if seat.user is not None and seat.absent_since is not None]


def electorate(seats: Collection[Seat], vote: Vote) -> list[User]:
    """The people who may vote: those who are present, but not on their own replacement.

    The absent ones too where the vote includes them.
    """
    present = present_people(
        seat for seat in seats if vote.kind != Vote.Kind.REPLACE or seat.number != vote.seat_number
    )
    return [*present, *absent_people(seats)] if vote.asks_absent else present


class Tally(NamedTuple):
    """The standing of a vote: yes, no, and those who have not voted.

    `silent` are present; the `away` are absent players who may vote, and block nothing if they
    don't. `least` is how many have to vote yes.
    """

    yes: int
    no: int
    silent: int
    unanimous: bool
    away: int = 0
    least: int = LEAST_YES

    @property
    def quiet(self) -> int:
        """How many may vote and have not."""
        return self.silent + self.away

    @property
    def passes(self) -> bool:
        """Whether it has passed if nobody else votes."""
        if self.unanimous:
            return self.yes >= self.least and not self.no and not self.silent
        return self.yes >= self.least and self.yes > self.no

    @property
    def decided(self) -> bool:
        """Whether nothing can change that any more."""
        if self.passes:
            return self._replace(no=self.no + self.quiet, silent=0, away=0).passes
        return not self._replace(yes=self.yes + self.quiet, silent=0, away=0).passes


def tally(seats: Collection[Seat], vote: Vote, ballots: dict[int, bool]) -> Tally:
    """The standing of a vote at a table with these seats; `ballots` are yes or no by person id."""
    voters = electorate(seats, vote)
    ballots_cast = [ballots[person.pk] for person in voters if person.pk in ballots]
    quiet = [person for person in voters if person.pk not in ballots]
    away = [person for person in absent_people(seats) if person in quiet]
    return Tally(
        yes=sum(ballots_cast),
        no=len(ballots_cast) - sum(ballots_cast),
        silent=len(quiet) - len(away),
        unanimous=vote.needs_all,
        away=len(away),
        least=1 if _one_yes_is_enough(seats, vote) else LEAST_YES,
    )


def _one_yes_is_enough(seats: Collection[Seat], vote: Vote) -> bool:
    """Whether the only person who is present may decide.

    About the end of the game they may where nobody can come back, or where the absent ones
    may vote too; about a rewind, which a moderator has proposed, always.
    """
    if vote.kind == Vote.Kind.END:
        may_decide = vote.asks_absent or not absent_people(seats)
        return may_decide and len(present_people(seats)) == 1
    return vote.kind == Vote.Kind.REWIND
