"""The one writer: every change of a started game is made here, inside one transaction.

A caller locks the game, makes a `Writer`, lets it play moves, and calls `commit` once.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from games.engine import Event as EngineEvent
from games.engine import Move as EngineMove
from games.engine import Stage, State, View, apply, awaited, encode, encode_event, encode_move
from games.engine.binding import default_within, may_play, step_within, view_within
from games.engine.events import BribesPaid, StageOpened
from games.engine.forced import move_by_itself
from games.engine.ledger import follow
from games.engine.promises import Verdict
from games.models import Cause, DaysOff, Event, Game, Move, OutboxMail, Seat, User
from games.models.changes import save_changes_of
from games.services import live, outbox, sql
from games.services.game import absence, negotiation, notes, resting, talk_time, to_move
from games.services.game.offers import as_stored, offers_told, settled, stored_offers
from games.services.game.private_offers import Happened, PrivateOffers
from games.services.game.promise_counts import count_promises
from games.services.game.read_seats import Days, read_seats
from games.services.game.replay import EventRow, who_moved
from games.services.game.standing_orders import MayPlay, StandingOrders, delete_used, orders_at
from games.table_events import (
    GameRested,
    GameWoken,
    OfferLapsed,
    PromiseJudged,
    SeatAbsent,
    TableEvent,
    encode_table_event,
)

MOST_STEPS: Final = 50
"""How many moves are played by themselves in one transaction; the rest follows in the next."""


class Writer:
    """A locked, running game that is being advanced at the instant `now`."""

    def __init__(self, game: Game, now: datetime) -> None:
        self.game = game
        self.now = now
        self.state = game.decoded()
        self.offers = stored_offers(game, self.state.table)
        # After the lock: it sees what the change before this one has left.
        self.read = read = read_seats(game)
        self.private_offers = PrivateOffers(game, self.state.table, read)
        self.seats: dict[int, Seat] = {seat.drawn_number: seat for seat in read.rows}
        self.days_off = read.days_off
        self.next_seq = read.last_event + 1
        self.orders = orders_at(self.state.table, read)
        self.events: list[Event] = []
        self.moves: list[Move] = []
        self._emails: list[OutboxMail] = []
        self._cut_short = False

    def waiting(self) -> list[Seat]:
        """The seats that are asked now, in bribing order."""
        return [self.seats[number] for number in awaited(self.state)]

    def view(self, seat: Seat) -> View:
        return view_within(self.offers.ledger, self.state, seat.drawn_number)

    def play(self, seat: Seat, move: EngineMove, cause: Cause, token: UUID | None = None) -> None:
        """Play one move of an awaited seat; `IllegalMove` where the engine refuses it.

        A substitute's own move is told as theirs.
        """
        number, before = seat.drawn_number, self.state
        made = step_within(self.offers.ledger, before, number, move)
        by_a_person = cause == Cause.PLAYER
        if by_a_person and seat.pk in self.read.by_substitute:
            cause = Cause.SUBSTITUTE
        self.moves.append(
            Move(
                game=self.game,
                phase_no=self.game.phase_no,
                seat=seat,
                user=seat.user if by_a_person else None,
                move=encode_move(self.state.table, number, move),
                cause=cause,
                token=token,
                at=self.now,
            )
        )
        if by_a_person:
            absence.note_answer(seat)
        self.state = made.state
        if seat.pk in self.orders:
            self.orders[seat.pk].use_up(number, move, made.state)
        self.record_all(made.events, cause, before)

    def play_for_who_is_late(self, seat: Seat) -> None:
        """The deadline has passed: play the player's orders, or the default and mark the miss."""
        if self.play_at_deadline(seat, Cause.CLOCK) and absence.note_miss(seat, self.now):
            self.mark_absent(seat, Cause.CLOCK)

    def play_at_deadline(self, seat: Seat, cause: Cause) -> bool:
        """Play the player's orders or, by `cause`, the default; say whether it was the default.

        Of orders that cannot be played as they are, the nearest legal is played, and that is told
        and counted as a default.
        """
        seen = self.view(seat)
        standing = self.orders.get(seat.pk) or StandingOrders(self.state.table, [])
        move, ordered = standing.deadline_move(seen, self._may_play(seat))
        if not ordered and cause == Cause.CLOCK:
            self.email("default_played", seat)
        self.play(seat, move, Cause.PLAYER if ordered else cause)
        self.moves[-1].by_order = ordered
        return not ordered

    def go_on(self) -> None:
        """Play whatever needs nobody's answer, at most `MOST_STEPS` moves.

        House players and whoever plays for absent seats, choices that public facts force, and
        standing orders. Whoever may not play is not waited for. Where nobody is left, nothing is
        played. Where there may be more to play, `commit` leaves it to the next transaction, which
        follows at once.
        """
        self._wait_for_nobody_who_may_not_play()
        self._rest_or_wake()
        self._cut_short = False
        for _ in range(MOST_STEPS):
            if not self.game.is_going_on:
                return
            negotiation.house_players_talk(self)
            if not talk_time.close_if_ready(self):
                return
            if not any(self._answers_by_itself(seat) for seat in self.waiting()):
                return
        self._cut_short = True

    def _wait_for_nobody_who_may_not_play(self) -> None:
        """Mark absent who was suspended or banned, also where the game was paused or parked."""
        if self.state.stage is Stage.OVER:
            return
        for seat in self.seats.values():
            if seat.user is None or seat.absent_since is not None or seat.user.may_play(self.now):
                continue
            self.mark_absent(seat, Cause.MODERATOR)
            notes.void(self.game, seat.user)

    def _rest_or_wake(self) -> None:
        """Let the game rest where nobody is left at the table, and wake it when somebody is."""
        game = self.game
        if not game.is_in_play or self.state.stage is Stage.OVER:
            return
        nobody = resting.nobody_is_left(self.seats.values())
        if nobody and game.resting_since is None:
            self._rest()
        elif not nobody and game.resting_since is not None:
            game.resting_since = None
            to_move.open_phase(game, self.seats.values(), self.now)  # all are asked anew
            self.record(GameWoken(), Cause.RULES)
            talk_time.begin_again_if_woken(self)

    def _rest(self) -> None:
        """Stop the clock, and tell everybody who sat here last."""
        self.game.resting_since = self.now
        for seat in self.seats.values():
            seat.deadline_at = seat.seconds_left = None
        number = self.record(GameRested(), Cause.RULES)
        if not resting.emailed_lately(self.game, self.now):
            for person in resting.who_sat_last(self.game):
                self.email_person("game_rests", person, about=number)

    def mark_absent(self, seat: Seat, cause: Cause) -> int:
        """Wait for this seat no more, void its orders, and ask for a substitute at once.

        Returns the number of the event. The player is told if the clock did it, not if it was
        their own wish; what a moderator does is told by the caller.
        """
        seat.absent_since = self.now
        self.drop_orders(seat)
        number = self.record(SeatAbsent(seat.drawn_number), cause)
        if cause == Cause.CLOCK:
            self.email("marked_absent", seat, about=seat.pk)
        absence.ask_for_substitutes(self.game, seat, self.now)
        return number

    def _answers_by_itself(self, seat: Seat) -> bool:
        """Play the seat's move where it needs no person now; say whether one was played."""
        seen = self.view(seat)
        forced = move_by_itself(self.offers.ledger, self.state, seen)
        if forced is not None:
            self.play(seat, forced, Cause.RULES)
        elif seat.is_played_for():
            chance = self.game.seed + self.next_seq  # another one for every move
            by_the_clock = self.game.absent_player == "default" and not seat.house_player
            cause = Cause.CLOCK if by_the_clock else Cause.HOUSE
            move = negotiation.house_move(self, seat, seen, chance)
            if not self._may_play(seat)(move):
                move = default_within(self.offers.ledger, self.state, seat.drawn_number)
            self.play(seat, move, cause)
        else:
            return self._play_orders(seat, seen)
        return True

    def _play_orders(self, seat: Seat, seen: View) -> bool:
        """Play what the player ordered, as if by hand; whether there was something to play."""
        standing = self.orders.get(seat.pk)
        if standing is None:
            return False
        ordered = standing.move_now(seen, self._may_play(seat), self.offers)
        if ordered is None:
            return False
        self.play(seat, ordered, Cause.PLAYER)
        self.moves[-1].by_order = True
        return True

    def _may_play(self, seat: Seat) -> MayPlay:
        """What no binding promise forbids to this seat now."""
        return partial(may_play, self.offers.ledger, self.state, seat.drawn_number)

    def orders_fail(self, seat: Seat) -> bool:
        """Whether the orders of a seat that is asked can't be played any more as they are."""
        standing = self.orders.get(seat.pk)
        if standing is None or seat.drawn_number not in awaited(self.state):
            return False
        return standing.fail(self.view(seat), self._may_play(seat))

    def record_all(
        self, happened: Sequence[EngineEvent], cause: Cause, before: State | None = None
    ) -> None:
        """Record engine events; every stage that opens is a new phase, and so is the end.

        `cause` made the move; what follows from it by the rules alone has no other cause. What
        becomes of promises is recorded behind each event; `before` is the state before the first.
        """
        kinds: list[str] = []
        for event in happened:
            fields = encode_event(event)
            kind = fields["kind"]
            if kind in {"StageOpened", "GameEnded"}:
                self._begin_phase()
            self._record(fields, cause if self._is_decided(event) else Cause.RULES)
            if isinstance(event, StageOpened) and talk_time.opens(kinds, event.stage):
                talk_time.begin(self)
            kinds.append(kind)
            if before is not None and self._may_settle():
                self._judge(
                    Happened(
                        before,
                        event,
                        self.events[-1].seq,
                        self._decided_by(event),
                        forced=cause == Cause.RULES,
                    )
                )
                before = apply(before, event)

    def _may_settle(self) -> bool:
        """Whether there are offers or promises that may be settled."""
        ledgers = (self.offers, *self.private_offers.offers.values())
        return any(not entry.is_settled for one in ledgers for entry in one.ledger)

    def _judge(self, happened: Happened) -> None:
        """Record what an event makes of offers and promises."""
        self.private_offers.judge(happened, self.seats)
        state, event, _seq, cause, forced = happened
        ledger = self.offers.ledger
        after = follow(ledger, state, [event], forced=forced)
        self.offers = self.offers._replace(ledger=after)
        for old, new in zip(ledger, self.offers.ledger, strict=True):
            for told in settled(state.table, old, new):
                seq = self.record(told, Cause.RULES if isinstance(told, OfferLapsed) else cause)
                if isinstance(told, PromiseJudged) and told.verdict == Verdict.BROKEN:
                    other = new.promise.seat if told.in_return else new.promise.to
                    self.email("promise_broken", self.seats[other], about=seq)

    def record(self, event: TableEvent, cause: Cause) -> int:
        """Record something that happened at the table and is no move; the number of the event."""
        self._record(encode_table_event(event), cause)
        return self.events[-1].seq

    def email(self, kind: str, seat: Seat, **about: int) -> None:
        """Write an email to the person at a seat, if there is one; `about` as below."""
        self.email_person(kind, seat.user, **about)

    def email_person(
        self, kind: str, person: User | None, *, about: int = 0, deadline_version: int = 0
    ) -> None:
        """Write an email to somebody who sits here, or did; see `outbox.email`."""
        self._emails.append(
            outbox.email(
                kind, game=self.game, person=person, now=self.now, about=about,
                deadline_version=deadline_version,
            )
        )  # fmt: skip

    def reset_to(self, state: State, rows: Sequence[EventRow]) -> None:
        """Take the game back to a state, in a new phase; all orders are void.

        Offers and promises become what they were after `rows`, which are all events up to there.
        """
        self.state = state
        self.offers = offers_told(rows)
        self.private_offers.rewind(rows)
        self.drop_orders()
        self._begin_phase()

    def _begin_phase(self) -> None:
        """Everybody who is to move from now on has a full answering time."""
        self.game.phase_no += 1
        to_move.open_phase(self.game, self.seats.values(), self.now)

    def drop_orders(self, seat: Seat | None = None) -> None:
        """Void the standing orders of a seat, or all at the table."""
        for standing in self.orders.values() if seat is None else [self.orders.get(seat.pk)]:
            if standing is not None:
                standing.drop_all()

    def seat_substitute(self, seat: Seat, user: User) -> None:
        """Let somebody play from now on where another did: their moves are a substitute's."""
        seat.user = user
        self.read.by_substitute.add(seat.pk)
        self.set_days_off(seat, [])

    def set_days_off(self, seat: Seat, days_off: list[Days]) -> None:
        """Let these days off count at a seat from now on, in order."""
        self.days_off[seat.pk] = days_off

    def _record(self, fields: dict[str, Any], cause: Cause) -> None:
        self.events.append(
            Event(
                game=self.game,
                seq=self.next_seq,
                phase_no=self.game.phase_no,
                kind=fields.pop("kind"),
                payload=fields,
                cause=cause,
                at=self.now,
            )
        )
        self.next_seq += 1

    def _is_decided(self, event: EngineEvent) -> bool:
        """Whether such an event is somebody's decision; sealed bribes are paid by the rules."""
        return who_moved(event) is not None and not self._is_opened(event)

    def _is_opened(self, event: EngineEvent) -> bool:
        sealed = self.state.table.edition.bribing == "simultaneous"
        return sealed and isinstance(event, BribesPaid)

    def _decided_by(self, event: EngineEvent) -> Cause:
        """Who made the decision behind the last event: of bribes that were opened, the hand-in.

        That is the last move of their seat that counts.
        """
        mover = who_moved(event)
        if mover is None or not self._is_opened(event):
            return Cause(self.events[-1].cause)
        seat = self.seats[mover]
        made = [move for move in self.moves if move.seat_id == seat.pk]
        last = made[-1] if made else seat.moves.filter(abandoned=False).latest("pk")
        return Cause(last.cause)

    def commit(self) -> None:
        """Write everything: events, moves, deadlines, email rows and the state."""
        game = self.game
        self._rest_or_wake()
        talk_time.stop_or_go_on(self)
        asked = to_move.set_deadlines(
            game, self.seats, self.days_off, self.state, self.now, cut_short=self._cut_short
        )
        self._emails += asked.emails
        for moved in asked.moved:
            self.record(moved, Cause.PLAYER)
        for off, until in asked.given:
            DaysOff.objects.filter(pk=off).update(given_until=until)
        self._emails += self.private_offers.write(self.now, self.seats)
        self._delete_what_is_done_with()
        sql.insert(self.events)
        sql.insert(self.moves)
        game.state = encode(self.state)
        game.ledger = as_stored(self.offers, self.state.table)
        game.attempts, game.retry_at, game.error = 0, None, ""
        if self.state.stage is Stage.OVER:
            game.status = Game.Status.FINISHED
            game.finished_at = self.now
            for seat in self.seats.values():
                self.email("game_over", seat)
            count_promises(game)
        outbox.write(self._emails)
        save_changes_of(self.seats.values())
        game.save_changes()
        if self.events or self.moves:
            live.table_changed(game.pk)
        if self._cut_short:
            transaction.on_commit(partial(go_on, game.pk, self.now), robust=True)

    def _delete_what_is_done_with(self) -> None:
        """Delete the orders that were executed or cannot be any more, and old drafts."""
        for seat in self.seats.values():
            if seat.pk in self.orders:
                self.orders[seat.pk].drop_impossible(self.view(seat))
        if self.state.stage is Stage.OVER:
            self.drop_orders()
        delete_used(self.orders.values())
        if self.read.has_drafts:
            notes.delete_old_answers(self.game, [move.user for move in self.moves])


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
