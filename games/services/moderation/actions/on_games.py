"""The ground of every act: who may, on what game, and what it leaves behind."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple, Self

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Cause, Game, Reason, Seat, User
from games.services import audit
from games.services.game.writer import Writer
from games.services.refused import Refused
from games.services.roles import refuse_unless_may
from games.table_events import TableEvent


class Seen(NamedTuple):
    """What a moderator saw when they decided: the phase, and the sum of the deadlines' versions."""

    phase_no: int
    version: int


class Decision(NamedTuple):
    """That a moderator acts: who, why, and when."""

    moderator: User
    reason: str
    now: datetime


class Ask(NamedTuple):
    """An act that is asked for: on which game, by whom, why, on what they saw, and when."""

    game_id: int
    moderator: User
    reason: str
    seen: Seen
    now: datetime

    @classmethod
    def of(cls, decision: Decision, game_id: int, seen: Seen) -> Self:
        """A decision about a game."""
        return cls(game_id, decision.moderator, decision.reason, seen, decision.now)


def seen_now(game: Game) -> Seen:
    """How the game stands, for the form of an act."""
    versions = game.seats.values_list("deadline_version", flat=True)
    return Seen(game.phase_no, sum(versions))


class Acting:
    """An act under way: the writer of the locked game, and who acts why."""

    def __init__(self, writer: Writer, name: str, ask: Ask) -> None:
        self.writer = writer
        self.name = name
        self.ask = ask

    def note(self, event: TableEvent) -> int:
        """Note an event in the game's log; its number."""
        return self.writer.note(event, Cause.MODERATOR)

    def seat(self, number: int) -> Seat:
        """A seat of the table; `Refused` where there is none of this number."""
        try:
            return self.writer.seats[number]
        except KeyError:
            raise Refused(_("There is no such seat at this table.")) from None

    def explain(self, number: int) -> None:
        """Let the table read the reason beside this event of the log."""
        if self.ask.reason:
            Reason.objects.create(game=self.writer.game, seq=number, text=self.ask.reason)

    def audit(self, *, person: User | None = None, before: object = "", after: object = "") -> None:
        """Write the line of the audit log."""
        audit.note(
            self.name,
            now=self.ask.now,
            who=self.ask.moderator,
            game=self.writer.game,
            person=person,
            reason=self.ask.reason,
            before=before,
            after=after,
        )

    def mail(self, people: Iterable[User | None], about: int) -> None:
        """Tell people what was done; `about` is the number of the event."""
        for person in people:
            self.writer.mail_person("table_news", person, about=about)

    def mail_table(self, about: int) -> None:
        self.mail([seat.user for seat in self.writer.seats.values()], about)


@contextmanager
def acting(name: str, ask: Ask, *, exactly: bool = False) -> Iterator[Acting]:
    """An act on a running game; what the block does is committed at its end.

    `Refused` where it may not be done, or the game has gone on since it was `seen`: to another
    phase or, with `exactly`, to other deadlines.
    """
    with transaction.atomic(durable=True):
        game = lock(ask, exactly=exactly)
        refuse_unless_running(game)
        writer = Writer(game, ask.now)
        yield Acting(writer, name, ask)
        writer.go_on()
        writer.commit()


def lock(ask: Ask, *, exactly: bool = False) -> Game:
    """The game, locked; `Refused` where this moderator may not act on it, or saw it otherwise."""
    game = Game.objects.lock(ask.game_id)
    refuse_unless_may(ask.moderator, game)
    refuse_if_gone_on(game, ask.seen, exactly=exactly)
    return game


def refuse_if_gone_on(game: Game, seen: Seen, *, exactly: bool = False) -> None:
    now = seen_now(game)
    if now.phase_no != seen.phase_no or (exactly and now.version != seen.version):
        raise Refused(_("The game has moved on since you opened this page. Please check again."))


def refuse_unless_running(game: Game) -> None:
    if game.status != Game.Status.RUNNING:
        raise Refused(_("This game is not running."))
    if game.parked_at is not None:
        raise Refused(_("This game is parked. Retry it first."))
