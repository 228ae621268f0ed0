"""The one writer: every change of a started game is made here, inside one transaction.

A caller locks the game, makes a `Writer`, lets it play moves, and calls `commit` once.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from games import extensions
from games.engine import Event, Stage, State, View, apply, encode, encode_move
from games.engine import Move as EngineMove
from games.engine.events import GameEnded, StageOpened
from games.engine.forced import move_by_itself
from games.models import Cause, Game, Move, Seat
from games.models.game_clock import Clock
from games.services import live, outbox
from games.services.game import (
    absence,
    dormancy,
    negotiation,
    notes,
    reply_time,
    talk_time,
    to_move,
)
from games.services.game.locked_game import LockedGame
from games.services.game.promise_counts import count_promises
from games.services.game.promise_keeping import Promises
from games.services.game.replay import EventRow
from games.services.game.standing_orders import delete_used
from games.services.sql import insert, update

SEAT_COLUMNS: Final = (
    "user", "computer_player", "to_move_phase", "deadline_set_at", "to_move_since", "deadline_at",
    "deadline_version", "full_time", "phase_deadline_at", "remind_at", "seconds_left",
    "ready_phase", "reply_until", "missed", "last_miss_at", "absent_since", "days_off_left",
)  # fmt: skip
"""What a writer changes of a seat. Nobody does so who has not locked the game, as it has."""

GAME_COLUMNS: Final = (
    *Clock._fields, "status", "state", "ledger", "phase_no", "phase_opened_at", "deadline_at",
    "attempts", "retry_at", "error", "started_at", "finished_at", "move_seconds", "listed",
    "closed_to_newcomers",
)  # fmt: skip
"""What a writer, or whoever lets it write, changes of a game that has started."""

MOST_STEPS: Final = 50
"""How many moves are played by themselves in one transaction; the rest follows in the next."""


class Writer(LockedGame):
    """A locked game that has started, and is played on at the instant `now`."""

    def __init__(self, game: Game, now: datetime) -> None:
        super().__init__(game, now)
        self.promises = Promises(self)
        self._cut_short = False

    def play(
        self,
        seat: Seat,
        move: EngineMove,
        cause: Cause,
        token: UUID | None = None,
        *,
        by_order: bool = False,
        at_once: bool = False,
    ) -> None:
        """Play one move of a seat to move; `IllegalMove` where the engine refuses it.

        A substitute's own move is recorded as theirs. `by_order` says that the player had ordered
        it, `at_once` that nobody was waited for.
        """
        number, before = seat.drawn_number, self.state
        made = self.promises.step(seat, move)
        by_a_person = cause == Cause.PLAYER
        if by_a_person and seat.pk in self.read.by_substitute:
            cause = Cause.SUBSTITUTE
        had_time = seat.deadline_at is not None and not at_once
        is_due = had_time and seat.to_move_phase == self.game.phase_no
        self.moves.append(
            Move(
                game=self.game,
                phase_no=self.game.phase_no,
                seat=seat,
                user=seat.user if by_a_person else None,
                move=encode_move(self.state.table, number, move),
                cause=cause,
                token=token,
                by_order=by_order,
                at=self.now,
                to_move_since=seat.to_move_since if is_due else None,
                deadline_at=seat.deadline_at if is_due else None,
            )
        )
        if by_a_person:
            absence.record_move(seat)
        self.state = made.state
        if seat.pk in self.orders:
            self.orders[seat.pk].use_up(number, move, made.state)
        self.record_all(made.events, cause, before)

    def record_all(
        self, happened: Iterable[Event], cause: Cause, before: State | None = None
    ) -> None:
        """Record events of the engine; every stage that opens is a new phase, and so is the end.

        `cause` made the move. What becomes of promises is recorded behind each event; `before` is
        the state before the first, None at the beginning of a game.
        """
        kinds: list[str] = []
        for event in happened:
            if isinstance(event, StageOpened | GameEnded):
                to_move.begin_phase(self)
            self.record_played(event, cause)
            if isinstance(event, StageOpened) and talk_time.opens(kinds, event.stage):
                talk_time.begin(self)
            kinds.append(type(event).__name__)
            if before is not None and not self.promises.are_settled():
                self.promises.judge(before, event, forced=cause == Cause.RULES)
                before = apply(before, event)

    def end_wait_for(self, seat: Seat) -> None:
        """Play a late seat's orders, or the default and mark the miss.

        A computer player waits for no reply any more, and `go_on` plays its move.
        """
        if seat.reply_until is not None:
            seat.reply_until = None
        elif self.play_at_deadline(seat, Cause.CLOCK) and absence.record_miss(seat, self.now):
            absence.mark_absent(self, seat, Cause.CLOCK)

    def play_at_deadline(self, seat: Seat, cause: Cause) -> bool:
        """Play the player's orders or, by `cause`, the default; say whether it was the default.

        Of orders that cannot be played as they are, the nearest legal is played, and that is shown
        and counted as a default.
        """
        seen, may_play = self.promises.view(seat), self.promises.may_play(seat)
        move, ordered = self.orders_of(seat).deadline_move(seen, may_play)
        if not ordered and cause == Cause.CLOCK:
            self.email("default_played", seat)
        self.play(seat, move, Cause.PLAYER if ordered else cause, by_order=ordered)
        return not ordered

    def go_on(self) -> None:
        """Play whatever waits for no person, at most `MOST_STEPS` moves.

        Computer players, also those that play for absent seats, choices that public facts force,
        and standing orders; not who waits for a reply. Barred players are absent. Where nobody is
        left, nothing is played. Where there may be more to play, `commit` leaves it to the next
        transaction, which follows at once.
        """
        absence.mark_barred_players_absent(self)
        dormancy.fall_dormant_or_wake(self)
        self._cut_short = False
        for _ in range(MOST_STEPS):
            if not self.game.is_going_on:
                return
            negotiation.computer_players_negotiate(self, self.promises)
            if not talk_time.close_if_ready(self):
                return
            reply_time.end(self, self.promises.ledger)
            if not any(self._moves_by_itself(seat) for seat in self.waiting()):
                return
        self._cut_short = True

    def _moves_by_itself(self, seat: Seat) -> bool:
        """Play the seat's move where it waits for no person; say whether one was played."""
        seen = self.promises.view(seat)
        forced = move_by_itself(self.promises.ledger, self.state, seen)
        if forced is not None:
            self.play(seat, forced, Cause.RULES)
        elif seat.is_played_at_once():
            by_the_clock = self.game.absent_player == "default" and not seat.computer_player
            move = negotiation.computer_move(self, self.promises, seat, seen)
            cause = Cause.CLOCK if by_the_clock else Cause.COMPUTER
            self.play(seat, move, cause, at_once=True)
        else:
            return self._play_orders(seat, seen)
        return True

    def _play_orders(self, seat: Seat, seen: View) -> bool:
        """Play what the player ordered, as if by hand; whether there was something to play."""
        may_play = self.promises.may_play(seat)
        ordered = self.orders_of(seat).move_now(seen, may_play, self.promises.offers)
        if ordered is None:
            return False
        self.play(seat, ordered, Cause.PLAYER, by_order=True)
        return True

    def reset_to(self, state: State, rows: list[EventRow]) -> None:
        """Take the game back to a state, in a new phase; all orders are void.

        Offers and promises become what they were after `rows`, which are all events up to there.
        """
        self.state = state
        self.promises.reset_to(rows)
        self.drop_orders()
        to_move.begin_phase(self)

    def commit(self) -> None:
        """Write everything: events, moves, deadlines, email rows and the state."""
        game = self.game
        dormancy.fall_dormant_or_wake(self)
        to_move.set_deadlines(self, cut_short=self._cut_short)
        self.promises.write()
        self._delete_what_is_done_with()
        insert(self.events)
        insert(self.moves)
        game.state = encode(self.state)
        game.attempts, game.retry_at, game.error = 0, None, ""
        if self.state.stage is Stage.OVER:
            game.status = Game.Status.FINISHED
            game.finished_at = self.now
            for seat in self.seats.values():
                self.email("game_over", seat)
            count_promises(game)
        outbox.write(self._emails)
        insert(list(self.seats.values()), update=SEAT_COLUMNS)
        update(game, GAME_COLUMNS)
        if game.is_over:
            extensions.game_over(game)
        if self.events or self.moves:
            live.table_changed(game.pk)
        if self._cut_short:
            transaction.on_commit(lambda: go_on(game.pk, self.now), robust=True)

    def _delete_what_is_done_with(self) -> None:
        """Delete the orders that were carried out or cannot be any more, and old drafts."""
        for seat in self.seats.values():
            if seat.pk in self.orders:
                self.orders[seat.pk].drop_impossible(self.promises.view(seat))
        if self.state.stage is Stage.OVER:
            self.drop_orders()
        delete_used(self.orders.values())
        if self.read.has_drafts:
            notes.delete_old_move_drafts(self.game, [move.user for move in self.moves])


def go_on(game_id: int, now: datetime) -> None:
    """Play on where a long row of moves was cut short.

    Best effort: the game is due, and where this fails or somebody has it locked, the clock goes on.
    """
    with transaction.atomic(durable=True):
        games = Game.objects.going_on().filter(pk=game_id)
        game = games.select_for_update(skip_locked=True).first()
        if game is not None:
            writer = Writer(game, now)
            writer.go_on()
            writer.commit()
