"""The one writer: every change of a started game is made here, inside one transaction.

A caller locks the game, makes a `Writer`, lets it play moves, and calls `commit` once.
"""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from games.engine import (
    Event as EngineEvent,
)
from games.engine import (
    Move as EngineMove,
)
from games.engine import (
    Stage,
    State,
    awaited,
    default_move,
    encode,
    encode_event,
    encode_move,
    step,
    view,
)
from games.engine.houses import HOUSE_PLAYERS
from games.models import Cause, Event, Game, Move, OutboxMail, Seat
from games.services import deadlines, outbox

MOST_STEPS: Final = 50
"""How many moves of house players are played in one transaction; the rest follows in the next."""

DECISIONS: Final = frozenset(
    {
        "BribesSealed",
        "BribesPaid",
        "ScholarHired",
        "ScholarKept",
        "ScholarBanished",
        "ScholarsSent",
    }
)
"""The kinds of events that are somebody's move; all others follow by the rules."""


class Writer:
    """A locked, running game that is being advanced at the instant `now`."""

    def __init__(self, game: Game, now: datetime) -> None:
        self.game = game
        self.now = now
        self.state: State = game.decoded()
        self.seats = {seat.number: seat for seat in game.seats.select_related("user")}
        self.events: list[Event] = []
        self.moves: list[Move] = []
        last = game.events.order_by("-seq").values_list("seq", flat=True).first()
        self.next_seq = (last or 0) + 1

    def seat_due(self) -> Seat | None:
        """An awaited seat whose deadline has passed, or which a house player has to play."""
        for number in awaited(self.state):
            seat = self.seats[number]
            if seat.user is None or seat.deadline_at is None or seat.deadline_at <= self.now:
                return seat
        return None

    def play(self, seat: Seat, move: EngineMove, cause: Cause, token: UUID | None = None) -> None:
        """Play one move of an awaited seat; `IllegalMove` where the engine refuses it."""
        number = _number(seat)
        made = step(self.state, number, move)
        self.moves.append(
            Move(
                game=self.game,
                phase_no=self.game.phase_no,
                seat=seat,
                move=encode_move(self.state.table, number, move),
                cause=cause,
                token=token,
                at=self.now,
            )
        )
        self.state = made.state
        self.tell(made.events, cause)

    def play_default(self, seat: Seat) -> None:
        """Play the default move for a person who let the deadline pass, and tell them by mail."""
        outbox.enqueue(
            OutboxMail.Kind.DEFAULT_PLAYED, game=self.game, person=seat.user, now=self.now
        )
        self.play(seat, default_move(self.state, _number(seat)), Cause.CLOCK)

    def play_house_players(self) -> None:
        """Let house players answer until a person is awaited, at most `MOST_STEPS` times."""
        for _ in range(MOST_STEPS):
            house = [self.seats[number] for number in awaited(self.state)]
            house = [seat for seat in house if seat.user is None]
            if not house:
                return
            self.play(house[0], self._house_move(house[0]), Cause.HOUSE)

    def _house_move(self, seat: Seat) -> EngineMove:
        """A seat that nobody holds any more plays the default (ruling 9: no turn is skipped)."""
        player = HOUSE_PLAYERS[seat.house_player or "default"]
        chance = self.game.seed + self.next_seq  # another one for every move
        return player(view(self.state, _number(seat)), chance)

    def tell(self, told: tuple[EngineEvent, ...], cause: Cause) -> None:
        """Note engine events; every stage that opens is a new phase, and so is the end.

        `cause` made the move; what follows from it by the rules alone has no other cause.
        """
        for event in told:
            fields = encode_event(event)
            kind = fields.pop("kind")
            if kind in {"StageOpened", "GameEnded"}:
                self.game.phase_no += 1
                self.game.phase_opened_at = self.now
            self.events.append(
                Event(
                    game=self.game,
                    seq=self.next_seq,
                    phase_no=self.game.phase_no,
                    kind=kind,
                    payload=fields,
                    cause=cause if self._is_decided(kind) else Cause.RULES,
                    at=self.now,
                )
            )
            self.next_seq += 1

    def _is_decided(self, kind: str) -> bool:
        """Whether such an event is somebody's decision; sealed bribes are paid by the rules."""
        sealed = self.state.table.edition.bribing == "simultaneous"
        return kind in DECISIONS and not (sealed and kind == "BribesPaid")

    def commit(self) -> None:
        """Write everything: events, moves, deadlines, mail rows and the state."""
        Event.objects.bulk_create(self.events)
        Move.objects.bulk_create(self.moves)
        self._set_deadlines()
        game = self.game
        game.state = encode(self.state)
        game.attempts, game.retry_at = 0, None
        if self.state.stage is Stage.OVER:
            game.status = Game.Status.FINISHED
            game.finished_at = self.now
            for seat in self.seats.values():
                outbox.enqueue(OutboxMail.Kind.GAME_OVER, game=game, person=seat.user, now=self.now)
        game.save()

    def _set_deadlines(self) -> None:
        waiting = awaited(self.state)
        for number, seat in self.seats.items():
            if number not in waiting:
                seat.deadline_at = seat.remind_at = None
            elif seat.user is None:
                seat.deadline_at = self.now  # the rest of a long row of house players
            elif seat.deadline_at is None or seat.asked_phase != self.game.phase_no:
                self._ask(seat)
        Seat.objects.bulk_update(
            self.seats.values(), ["deadline_at", "remind_at", "asked_phase", "deadline_version"]
        )
        times = [seat.deadline_at for seat in self.seats.values() if seat.deadline_at is not None]
        self.game.deadline_at = min(times, default=None)

    def _ask(self, seat: Seat) -> None:
        """A person is newly awaited: give a deadline, and say so by mail."""
        seat.asked_phase = self.game.phase_no
        seat.deadline_version += 1
        seat.deadline_at = deadlines.deadline(
            opened_at=self.game.phase_opened_at or self.now,
            asked_at=self.now,
            answer_time=timedelta(seconds=self.game.answer_seconds),
        )
        seat.remind_at = deadlines.reminder(asked_at=self.now, deadline_at=seat.deadline_at)
        outbox.enqueue(
            OutboxMail.Kind.YOUR_TURN,
            game=self.game,
            person=seat.user,
            now=self.now,
            deadline_version=seat.deadline_version,
        )


def _number(seat: Seat) -> int:
    if seat.number is None:
        raise ValueError("A seat has its number once the game has started.")
    return seat.number
