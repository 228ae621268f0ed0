"""The offers and promises of a table that is being written: made, replied to, kept and broken."""

from collections.abc import Iterable
from functools import partial

from games.engine import Event as EngineEvent
from games.engine import Move as EngineMove
from games.engine import State, Step, View
from games.engine.binding import accept, may_play, step_within, view_within
from games.engine.ledger import Ledger, Status, follow, offer, refuse_too_many, reply
from games.engine.promises import Promise, Verdict
from games.models import Cause, OutboxEmail, Seat
from games.services.game.locked_game import LockedGame
from games.services.game.offers import (
    Offers,
    as_stored,
    made,
    offers_from_events,
    replied,
    settled,
    stored_offers,
)
from games.services.game.private_offers import Happened, PrivateOffers
from games.services.game.replay import StoredEvent, mover_of
from games.services.game.standing_orders import MayPlay
from games.table_events import OfferLapsed, PromiseJudged


class Promises:
    """All that is promised in a locked game: `offers` in front of all, `private` ones in threads.

    The writer has it record and email what becomes of them.
    """

    def __init__(self, locked: LockedGame) -> None:
        self._locked = locked
        self.offers = stored_offers(locked.game, locked.state.table)
        self.private = PrivateOffers(locked)

    @property
    def ledger(self) -> Ledger:
        """What was offered in front of all; only that can bind."""
        return self.offers.ledger

    def view(self, seat: Seat) -> View:
        """The view of a seat now, without choices that its binding promises forbid."""
        return view_within(self.ledger, self._locked.state, seat.drawn_number)

    def may_play(self, seat: Seat) -> MayPlay:
        """The test whether binding promises allow this seat a move now."""
        return partial(may_play, self.ledger, self._locked.state, seat.drawn_number)

    def step(self, seat: Seat, move: EngineMove) -> Step:
        """What a move of a seat leads to; `IllegalMove` also for what binding promises forbid."""
        return step_within(self.ledger, self._locked.state, seat.drawn_number, move)

    def offer(
        self,
        seat: int,
        promise: Promise,
        cause: Cause,
        remark: str = "",
        *,
        besides: Ledger = (),
    ) -> None:
        """Offer a promise, and email the other player; `BadPromise` for what can't be offered.

        `besides` are offers that count as this player's too.
        """
        locked, state = self._locked, self._locked.state
        refuse_too_many((*self.ledger, *besides), state, seat)
        ledger = offer(self.ledger, state, seat, promise)
        seq = locked.record(made(state.table, ledger[-1], remark), cause)
        self.offers = Offers(ledger, (*self.offers.made, seq))
        locked.email("offer", locked.seats[ledger[-1].other], about=seq)

    def reply(self, seat: int, number: int, given: Status, cause: Cause, remark: str = "") -> None:
        """Accept, decline or withdraw an open offer, and email its author.

        `BadPromise` as in `ledger.reply`, also for accepting a binding promise that would leave no
        legal choice.
        """
        locked, state = self._locked, self._locked.state
        ledger = replied_with(self.ledger, state, seat, number, given)
        entry = ledger[number - 1]
        bound = locked.seats[entry.promise.seat]
        failed_before = self._orders_fail(bound)
        self.offers = self.offers._replace(ledger=ledger)
        seq = locked.record(replied(state.table, entry, seat, remark), cause)
        if self._orders_fail(bound) and not failed_before:
            self._email_again(bound, seq)
        if given is not Status.WITHDRAWN:
            locked.email("offer_reply", locked.seats[entry.by], about=seq)

    def _orders_fail(self, seat: Seat) -> bool:
        """Whether the orders of a seat to move can't be played any more as they are."""
        standing = self._locked.orders_of(seat)
        return bool(standing.rows) and standing.fail(self.view(seat), self.may_play(seat))

    def _email_again(self, seat: Seat, about: int) -> None:
        """Email a player whose order was to be played at the deadline and can't be any more.

        Unless the email about their turn hasn't left yet.
        """
        game = self._locked.game
        same = OutboxEmail.objects.filter(game=game, person=seat.user, phase_no=game.phase_no)
        if seat.deadline_at is None or same.filter(kind="your_turn", status="ready").exists():
            return
        version = seat.deadline_version
        self._locked.email("your_turn", seat, about=about, deadline_version=version)

    def are_settled(self) -> bool:
        """Whether nothing that happens can change them any more."""
        ledgers = (self.offers, *self.private.offers.values())
        return all(entry.is_settled for one in ledgers for entry in one.ledger)

    def judge(self, before: State, event: EngineEvent, *, forced: bool) -> None:
        """Record what the last event makes of them, which happened in the state `before`.

        `forced` says that there was no choice.
        """
        locked, cause = self._locked, self._decided_by(event)
        happened = Happened(before, event, locked.next_seq - 1, cause, forced)
        self.private.judge(happened)
        ledger = self.ledger
        self.offers = self.offers._replace(ledger=follow(ledger, before, [event], forced=forced))
        for old, new in zip(ledger, self.ledger, strict=True):
            for outcome in settled(before.table, old, new):
                seq = locked.record(
                    outcome, Cause.RULES if isinstance(outcome, OfferLapsed) else cause
                )
                if isinstance(outcome, PromiseJudged) and outcome.verdict == Verdict.BROKEN:
                    other = new.promise.seat if outcome.in_return else new.promise.to
                    locked.email("promise_broken", locked.seats[other], about=seq)

    def _decided_by(self, event: EngineEvent) -> Cause:
        """The move behind the last event: of bribes that were opened, the hand-in.

        That is the last move of their seat that counts.
        """
        locked, mover = self._locked, mover_of(event)
        if mover is None or not locked.opens_bribes(event):
            return Cause(locked.events[-1].cause)
        seat = locked.seats[mover]
        made = [move for move in locked.moves if move.seat_id == seat.pk]
        last = made[-1] if made else seat.moves.filter(abandoned=False).latest("pk")
        return Cause(last.cause)

    def write(self) -> None:
        """Write what has become of them; those in front of all with the game itself."""
        self._locked.game.ledger = as_stored(self.offers, self._locked.state.table)
        self.private.write()

    def reset_to(self, rows: Iterable[StoredEvent]) -> None:
        """Take all offers back to what they were after these events, which are all up to there."""
        rows = list(rows)
        self.offers = offers_from_events(rows)
        self.private.rewind(rows)


def replied_with(ledger: Ledger, state: State, seat: int, number: int, given: Status) -> Ledger:
    """The ledger after a reply; `BadPromise` as in `ledger.reply` and `binding.accept`."""
    if given is Status.ACCEPTED:
        return accept(ledger, state, seat, number)
    return reply(ledger, seat, number, given)
