"""What every action on a game starts from: who may do it, on which game, and what it leaves."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Unpack

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Cause, Game, Reason, Seat, User
from games.services.audit import Changed
from games.services.game.unreadable import refusing_damaged
from games.services.game.writer import Writer
from games.services.moderation.actions.requests import GameRequest, Seen, write_audit_line
from games.services.refused import Refused
from games.services.roles import refuse_unless_may
from games.table_events import TableEvent


def seen_now(game: Game) -> Seen:
    """The state of the game, for the form of an action."""
    seats = list(game.seats.order_by("pk").values_list("deadline_version", "user"))
    people = " ".join(str(person or 0) for _version, person in seats)
    return Seen(game.phase_no, sum(version for version, _person in seats), people)


class GameAction:
    """An action in progress: the writer of the locked game, and who does it why."""

    def __init__(self, writer: Writer, key: str, request: GameRequest) -> None:
        self.writer = writer
        self.key = key
        self.request = request

    def record(self, event: TableEvent) -> int:
        """Add an event to the game's log; its number."""
        return self.writer.record(event, Cause.MODERATOR)

    def seat(self, number: int) -> Seat:
        """A seat of the table; `Refused` if there is none with this number."""
        try:
            return self.writer.seats[number]
        except KeyError:
            raise Refused(_("There's no such seat at this table.")) from None

    def explain(self, number: int) -> None:
        """Show the table the reason beside this event of the log."""
        if self.request.reason:
            Reason.objects.create(game=self.writer.game, seq=number, text=self.request.reason)

    def audit(self, person: User | None = None, **changed: Unpack[Changed]) -> None:
        """Write the line of the audit log."""
        game = self.writer.game
        write_audit_line(self.key, self.request, game=game, person=person, **changed)

    def notify(self, number: int, people: Iterable[User | None]) -> None:
        """Explain this event of the log, and email these people about it."""
        self.explain(number)
        for person in people:
            self.writer.email_person("table_news", person, about=number)

    def notify_table(self, number: int, *others: User | None) -> None:
        """The same to all who sit there, and to `others` before them."""
        self.notify(number, [*others, *(seat.user for seat in self.writer.seats.values())])


@contextmanager
def game_action(
    key: str, request: GameRequest, *, exactly: bool = False, newcomer: User | None = None
) -> Iterator[GameAction]:
    """Do the action with this key to a running game; the block is committed at its end.

    `Refused` if it may not be done, or the game has moved on since it was `seen`: to another phase
    or other people or, with `exactly`, to other deadlines. A `newcomer` is locked before the game,
    as by everybody who sits down.
    """
    with transaction.atomic(durable=True):
        if newcomer is not None:
            User.objects.select_for_update(no_key=True).filter(pk=newcomer.pk).first()
        game = lock(request, exactly=exactly)
        if game.status != Game.Status.RUNNING:
            raise Refused(_("This game isn't running."))
        if game.parked_at is not None:
            raise Refused(_("This game is parked. Retry it first."))
        with refusing_damaged(game.pk):
            writer = Writer(game, request.now)
            yield GameAction(writer, key, request)
            writer.go_on()
            writer.commit()


def lock(request: GameRequest, *, exactly: bool = False) -> Game:
    """The game, locked; `Refused` if this moderator may not act on it, or it has moved on."""
    game = Game.objects.lock(request.game_id)
    refuse_unless_may(request.moderator, game)
    now, seen = seen_now(game), request.seen
    moved_on = (now.phase_no, now.people) != (seen.phase_no, seen.people)
    if moved_on or (exactly and now.version != seen.version):
        raise Refused(
            _(
                "The game has moved on since you opened this page. Please check that you still "
                "want to do this."
            )
        )
    return game
