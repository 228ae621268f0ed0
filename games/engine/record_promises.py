"""The optional key `promises` of a game record: read, followed while the game is played, judged."""

from games.engine.binding import accept, default_within, step_within, view_within
from games.engine.codec import Json, decode_move
from games.engine.errors import BadPromise, BadRecord
from games.engine.forced import move_by_itself
from games.engine.ledger import Entry, Ledger, Status, follow, offer, reply
from games.engine.moves import Default
from games.engine.promise_codec import Offered, Replied, decode_promise_entry
from games.engine.promises import Verdict
from games.engine.rules import Step, refuse_if_over
from games.engine.state import BRIBING, State, Table


def read_promises(table: Table, value: Json, moves: int) -> list[Offered | Replied]:
    """The entries of a record with so many moves, in order; `BadRecord` for what is none."""
    if not isinstance(value, list):
        raise BadRecord("The promises must be a list of offers and replies.")
    entries: list[Offered | Replied] = []
    offers = last = 0
    for number, one in enumerate(value):
        try:
            entry = decode_promise_entry(table, one)
        except BadPromise as reason:
            raise _bad(number, str(reason)) from reason
        if not last <= entry.after <= moves:
            raise _bad(number, f"after must be from {last} to {moves}: moves made, never fewer.")
        last = entry.after
        if isinstance(entry, Offered):
            offers += 1
            if type(one.get("id")) is not int or one["id"] != offers:
                raise _bad(number, f"The id of this offer must be {offers}.")
        entries.append(entry)
    return entries


class PromisesOfRecord:
    """The promises of a record while its moves are played. Lives inside one adjudication."""

    def __init__(self, entries: list[Offered | Replied]) -> None:
        self._entries = entries
        self._done = 0
        self._ledger: Ledger = ()
        self._before: State | None = None
        self._private: set[int] = set()
        self._settled: list[tuple[int | None, int | None]] = []

    def follow(self, step: Step, played: int) -> None:
        """Go on after the step that made `played` moves in all: judge it, then read its offers.

        `BadRecord` for an offer or a reply that makes no sense then.
        """
        if self._before is not None:
            forced = self._was_forced(self._before)
            after = follow(self._ledger, self._before, step.events, forced=forced)
            for index, (old, new) in enumerate(zip(self._ledger, after, strict=True)):
                self._note_settled(index, old, new, played - 1)
            self._ledger = after
        self._before = step.state
        while self._done < len(self._entries) and self._entries[self._done].after == played:
            try:
                self._enter(self._entries[self._done], step.state)
            except BadPromise as reason:
                raise _bad(self._done, str(reason)) from reason
            self._done += 1

    def play_move(self, state: State, move: Json) -> Step:
        """The step that a record's move makes, within what binding promises leave."""
        refuse_if_over(state)
        seat, decoded = decode_move(state.table, move)
        if isinstance(decoded, Default):
            decoded = default_within(self._ledger, state, seat)
        return step_within(self._ledger, state, seat, decoded)

    def _enter(self, entry: Offered | Replied, state: State) -> None:
        if isinstance(entry, Offered):
            self._ledger = offer(self._ledger, state, entry.by, entry.promise)
            if entry.private:
                self._private.add(len(self._ledger))
            self._settled.append((None, None))
        else:
            self._ledger = self._after_reply(entry, state)

    def _was_forced(self, before: State) -> bool:
        """Whether nobody had a choice before this move: that depends on what everybody knew.

        A forced move breaks no promise that isn't private.
        """
        if before.active is None or before.stage in BRIBING or not self._private:
            return False
        known = tuple(
            entry._replace(status=Status.LAPSED) if entry.id in self._private else entry
            for entry in self._ledger
        )
        seen = view_within(known, before, before.active)
        return move_by_itself(known, before, seen) is not None

    def _after_reply(self, entry: Replied, state: State) -> Ledger:
        if entry.status is Status.ACCEPTED:
            return accept(self._ledger, state, entry.seat, entry.id)
        return reply(self._ledger, entry.seat, entry.id, entry.status)

    def _note_settled(self, index: int, old: Entry, new: Entry, move: int) -> None:
        """Keep which move settled the offer or its promise, and the one in return."""
        promise, in_return = self._settled[index]
        if (old.status, old.verdict) != (new.status, new.verdict):
            promise = move
        if old.condition != new.condition:
            in_return = move
        self._settled[index] = (promise, in_return)

    def verdicts(self) -> list[Json]:
        """Every offer with what has become of it, and the move (from 0) that settled it."""
        return [self._verdict(*one) for one in zip(self._ledger, self._settled, strict=True)]

    def _verdict(self, entry: Entry, settled: tuple[int | None, int | None]) -> Json:
        if entry.status is not Status.ACCEPTED:
            return {"id": entry.id, "verdict": entry.status.value, "move": settled[0]}
        verdict: dict[str, Json] = {"id": entry.id, **_outcome(entry.verdict, settled[0])}
        if entry.promise.in_return() is not None:
            verdict["in_return"] = _outcome(entry.condition, settled[1])
        return verdict


def _outcome(verdict: Verdict, move: int | None) -> dict[str, Json]:
    return {"verdict": verdict.value, "move": move}


def _bad(number: int, reason: str) -> BadRecord:
    return BadRecord(f"Entry {number} of the promises: {reason}")
