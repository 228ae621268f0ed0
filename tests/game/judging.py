"""Our own judge at real tables: what became of every promise, why, and whom it counts for.

Worked out from the moves that stand, from what was said, and from who sat where; held against what
the site has stored and shows.
"""

from collections import Counter
from datetime import datetime
from typing import Any, NamedTuple

from games.engine import Scholar, decode_move
from games.engine.ledger import Entry, Status
from games.engine.promise_codec import decode_promise
from games.engine.record import adjudicate, play, read_record, write_record
from games.models import Cause, Event, Game, Miss, PrivateMessage, Sitting, User
from games.services.accounts.queries.profile import read_person
from games.services.game.offers import stored_offers
from games.services.game.records import game_record
from games.services.game.replay import event_rows, steps_of
from tests.engine.judge_of_promises import ACCEPTED, BROKEN, KEPT, OPEN, PENDING, Case, OwnJudge
from tests.game.evenings import Evening, Rewinds, Said

HANDS = (Cause.PLAYER, Cause.SUBSTITUTE)
LET_PASS = "let pass"

type Key = tuple[int, str]
"""Names an offer: its number and the thread in which it was made."""


class Agreed(NamedTuple):
    """An offer of the game as our judge sees it, and the event behind which it was accepted."""

    made: Said
    case: Case
    accepted: int


class Verdict(NamedTuple):
    """A promise of `seat` that was kept or broken by the move of this number.

    `behind` is the number of the decision that did it, which is that of the hand-in for sealed
    bribes; None where time settled it.
    """

    of: Agreed
    seat: int
    verdict: str
    move: int
    behind: int | None


class Sessions:
    """Who sat where, by the numbers of events, and whether they were waited for."""

    def __init__(self, game: Game) -> None:
        kinds = ("SeatAbsent", "SeatReturned", "SubstituteSat")
        self.told = list(game.events.filter(kind__in=kinds).order_by("seq"))

    def at(self, seat: int, seq: int) -> tuple[int, bool]:
        """How many substitutes have sat there up to an event, and whether somebody is there."""
        sat, present = 0, True
        for event in self.told:
            if event.payload["seat"] == seat and event.seq <= seq:
                sat += event.kind == "SubstituteSat"
                present = event.kind != "SeatAbsent"
        return sat, present


class Judged:
    """A game that is over, judged by our own judge from the moves that stand and what was said."""

    def __init__(self, evening: Evening) -> None:
        self.game, self.table = evening.game, evening.state.table
        self.rows = list(self.game.moves.filter(abandoned=False).order_by("pk"))
        told = [row.move for row in self.rows]
        self.states = [made.state for made in play(read_record(write_record(self.table, told)))]
        self.moves = [decode_move(self.table, move) for move in told]
        # The last event of each move, and of what followed by the rules.
        self.ends = [one.seq for one in steps_of(self.game, event_rows(self.game), told)][1:]
        self.own = OwnJudge()
        self.agreed: dict[Key, Agreed] = {}
        self.misplayed: list[str] = []
        said = sorted([*evening.said, *said_by_the_house(self.game)], key=lambda one: one.seq)
        for number, first in enumerate([0, *self.ends]):
            following = self.ends[number] if number < len(told) else float("inf")
            for one in said:
                if first <= one.seq < following:
                    self.hear(one)
            if number < len(told):
                self.see(number)

    def hear(self, said: Said) -> None:
        key = (said.made_at, said.among)
        if said.promise is not None:
            self.own.offered(said.by, said.promise)
            self.agreed[key] = Agreed(said, self.own.cases[-1], 0)
        elif said.given is not None:
            made = self.agreed[key]
            made.case.status = said.given.value
            self.agreed[key] = made._replace(accepted=said.seq)

    def see(self, number: int) -> None:
        before, (seat, move) = self.states[number], self.moves[number]
        forced = self.rows[number].cause == Cause.RULES
        if forced and len(before.contenders) > 1 and before.table.edition.promises == "free":
            named = self.public_names(seat)
            if named & set(before.contenders):
                self.misplayed.append(f"move {number} was played though {named} are promised")
        self.own.moved(before, seat, move, self.states[number + 1], forced=forced)

    def public_names(self, seat: int) -> set[Scholar]:
        """The scholars named by public promises that are owed, and by own open offers."""
        found = set()
        for made, case, _ in self.agreed.values():
            owed = case.status == ACCEPTED and PENDING in (
                case.verdict, case.back if case.returned else KEPT
            )  # fmt: skip
            if not made.among and (owed or (case.status == OPEN and case.by == seat)):
                parts = (case.promise.deed, case.promise.condition)
                found |= {getattr(one, "scholar", None) for one in parts} - {None}
        return found

    def ledgers(self) -> dict[Key, tuple[str, str | None]]:
        """What became of every offer, and of what was promised in return."""
        return {key: one.case.in_record for key, one in self.agreed.items()}

    def verdicts(self) -> list[Verdict]:
        """All that was kept or broken, in return too."""
        found = []
        for one in self.agreed.values():
            case = one.case
            halves = [(case.promise.seat, case.verdict, case.settled, case.by_time)]
            if case.returned is not None:
                halves.append((case.promise.to, case.back, case.settled_back, case.by_time_back))
            for seat, verdict, move, by_time in halves:
                if case.status == ACCEPTED and verdict in (KEPT, BROKEN) and move is not None:
                    behind = None if by_time else self.decision(seat, move)
                    found.append(Verdict(one, seat, verdict, move, behind))
        return found

    def decision(self, seat: int, move: int) -> int:
        return max(at for at in range(move + 1) if self.moves[at][0] == seat)

    def counts(self) -> dict[tuple[int, int], Counter[str]]:
        """What counts for whom: by seat, and how many substitutes had sat down before.

        Private promises do where everybody can read them now.
        """
        sessions = Sessions(self.game)
        misses = set(
            Miss.objects.filter(seat__game=self.game).values_list("seat__number", "phase_no")
        )
        house = set(self.game.seats.exclude(computer_player="").values_list("number", flat=True))
        found: dict[tuple[int, int], Counter[str]] = {}
        for one in self.verdicts() if self.game.promises_count else []:
            is_secret = bool(one.of.made.among) and not self.game.threads_published
            sat, _ = sessions.at(one.seat, one.of.accepted)
            now_sits, present = sessions.at(one.seat, self.ends[one.move])
            counts_as = self.counts_as(one, misses, present=present and one.seat not in house)
            if sat == now_sits and counts_as and not is_secret:
                found.setdefault((one.seat, sat), Counter())[counts_as] += 1
        return found

    def counts_as(self, one: Verdict, misses: set[Any], *, present: bool) -> str:
        if one.behind is None:
            return one.verdict if present else ""
        row = self.rows[one.behind]
        if row.cause in HANDS:
            return one.verdict
        is_miss = (one.seat, row.phase_no) in misses
        is_let_pass = row.cause == Cause.CLOCK and one.verdict == BROKEN and is_miss
        return LET_PASS if is_let_pass else ""

    def causes(self) -> Counter[tuple[bool, str, str]]:
        """How often what was kept or broken by whose decision, in front of all and privately."""
        return Counter(
            (
                bool(one.of.made.among),
                one.verdict,
                Cause.RULES if one.behind is None else self.rows[one.behind].cause,
            )
            for one in self.verdicts()
        )

    def known_to(self, seat: int | None) -> list[Case]:
        """The offers that whoever sits in a seat may know in the end; None is a spectator."""
        return [
            one.case
            for one in self.agreed.values()
            if not one.made.among
            or self.game.threads_published
            or seat in (one.case.promise.seat, one.case.promise.to)
        ]


def said_by_the_house(game: Game) -> list[Said]:
    """The offers and replies of computer players that stand."""
    found: list[Said] = []
    made: dict[int, int] = {}
    rewinds, table = Rewinds(game), game.decoded().table
    for row in game.events.filter(kind__in=("OfferMade", "OfferReplied")).order_by("seq"):
        told = row.payload
        if rewinds.undid(row.seq):
            continue
        if row.kind == "OfferMade":
            made[told["number"]] = row.seq
        if row.cause != Cause.COMPUTER:
            continue
        said = Said(row.seq - 1, told["seat"], made[told["number"]])
        if row.kind == "OfferMade":
            promise = decode_promise(table, told["by"], told["terms"])
            found.append(said._replace(promise=promise))
        else:
            found.append(said._replace(given=Status(told["reply"])))
    return found


def stored_ledgers(judged: Judged) -> dict[Key, tuple[str, str | None]]:
    """What the game and its threads have stored of every offer."""
    game, found = judged.game, {}
    for stored, among in [(game, ""), *((one, one.token) for one in game.threads.all())]:
        offers = stored_offers(stored, judged.table)
        for made_at, entry in zip(offers.made, offers.ledger, strict=True):
            found[made_at, among] = as_told(entry)
    return found


def as_told(entry: Entry) -> tuple[str, str | None]:
    """What an entry of a ledger says of an offer, as our judge would."""
    if entry.status is not Status.ACCEPTED:
        return entry.status.value, None
    back = entry.condition.value if entry.promise.in_return() is not None else None
    return entry.verdict.value, back


def noted_counts(game: Game) -> dict[tuple[int, int], Counter[str]]:
    """What the site has counted for everybody who sat at a table."""
    found = {}
    for seat in game.seats.all():
        for place, one in enumerate(Sitting.objects.filter(seat=seat).order_by("pk")):
            counts = (one.promises_kept, one.promises_broken, one.promises_let_pass or 0)
            told = Counter(dict(zip((KEPT, BROKEN, LET_PASS), counts, strict=True)))
            if +told:
                found[seat.number, place] = +told
    return found


def told_causes(game: Game) -> Counter[tuple[bool, str, str]]:
    """The causes that the events and the rows of threads which stand tell."""
    found: Counter[tuple[bool, str, str]] = Counter()
    rewinds = Rewinds(game)
    for event in Event.objects.filter(game=game, kind="PromiseJudged"):
        if event.payload["verdict"] != "void" and not rewinds.undid(event.seq):
            found[False, event.payload["verdict"], event.cause] += 1
    for row in PrivateMessage.objects.filter(thread__game=game, deal__kind="PromiseJudged"):
        if row.deal["verdict"] != "void" and not rewinds.undid(row.after):
            found[True, row.deal["verdict"], row.cause] += 1
    return found


def told_on_profiles(game: Game, reader: User, now: datetime) -> dict[tuple[int, int], str]:
    """The sentence about promises on the page of everybody who sat at a table."""
    found = {}
    for seat in game.seats.all():
        for place, one in enumerate(Sitting.objects.filter(seat=seat).order_by("pk")):
            facts = read_person(one.user, reader, now).facts
            for fact in facts:
                if fact.startswith("Promises"):
                    found[seat.number, place] = fact
    return found


def as_on_profiles(counts: dict[tuple[int, int], Counter[str]]) -> dict[tuple[int, int], str]:
    """The sentences that tell these counts."""
    found = {}
    for who, told in counts.items():
        found[who] = f"Promises kept: {told[KEPT]}. Promises broken: {told[BROKEN]}."
        if told[LET_PASS]:
            found[who] += f" Promises not kept because of a missed deadline: {told[LET_PASS]}."
    return found


def told_in_record(game: Game, user: User | None) -> list[tuple[Any, ...]]:
    """What `adjudicate` makes of the record that somebody gets: all verdicts, and by which move."""
    answer, _ = adjudicate(game_record(game, user))
    found = []
    for told in answer.get("promises", []):
        back = told.get("in_return", {})
        found.append((told["verdict"], back.get("verdict"), told["move"], back.get("move")))
    return found
