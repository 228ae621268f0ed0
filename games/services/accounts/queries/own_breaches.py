"""Who has broken a promise to a reader since they moved last, at several tables at once."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final, NamedTuple

from django.db.models import Exists, F, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce
from django.utils.translation import gettext as _

from games.engine.ledger import Entry
from games.engine.promises import Promise, Verdict
from games.models import Cause, Event, Miss, Move, PrivateMessage, Sitting, User
from games.services.accounts.queries.own_games import OwnGame, OwnLedger
from games.table_events import PromiseJudged

JUDGED: Final = PromiseJudged.__name__


class _Broken(NamedTuple):
    """A promise to the reader that wasn't kept, as the ledger has it."""

    table: OwnGame
    promise: Promise


class _Verdict(NamedTuple):
    """The verdict behind it: the number of the event, and whether a deadline was missed."""

    seq: int
    is_let_pass: bool


type _Key = tuple[int | None, int, int, bool]
"""The thread, the game, the number of the offer, and whether it is the promise in return."""


def breaches_to(user: User, ledgers: Iterable[OwnLedger]) -> dict[int, list[str]]:
    """Who broke a promise to the reader, the last first, as sentences by the game's id.

    Since the reader's last move by hand, as on the page of a game. Up to two queries, and none
    if the ledgers have no such promise.
    """
    broken = {key: one for ledger in ledgers for key, one in _broken_in(ledger)}
    found: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for key, verdict in _fresh(user, broken):
        table, promise = broken[key]
        name = table.holders.after(verdict.seq)[promise.seat]
        text = _("{name} broke a promise to you")
        if verdict.is_let_pass:
            text = _("{name} missed the deadline, so a promise to you wasn't kept")
        found[table.own.game_id].append((verdict.seq, text.format(name=name)))
    return {
        game: list(dict.fromkeys(text for _seq, text in sorted(texts, reverse=True)))
        for game, texts in found.items()
    }


def _broken_in(ledger: OwnLedger) -> Iterator[tuple[_Key, _Broken]]:
    table, thread, entries = ledger
    own = table.own.drawn_number
    if thread is not None and own not in thread.seats:
        return
    for entry in entries:
        for promise, in_return in _not_kept(entry):
            if promise.to == own:
                place = (None if thread is None else thread.pk, table.own.game_id)
                yield (*place, entry.id, in_return), _Broken(table, promise)


def _not_kept(entry: Entry) -> Iterator[tuple[Promise, bool]]:
    """The promises of an entry that were broken, and whether it was given in return."""
    if entry.verdict is Verdict.BROKEN:
        yield entry.promise, False
    in_return = entry.promise.in_return()
    if in_return is not None and entry.condition is Verdict.BROKEN:
        yield in_return, True


def _fresh(user: User, broken: Collection[_Key]) -> Iterator[tuple[_Key, _Verdict]]:
    """Those that were judged since the reader's last move, each with its last verdict."""
    games = {game for thread, game, _number, _in_return in broken if thread is None}
    threads = {thread for thread, _game, _number, _in_return in broken if thread is not None}
    rows: list[tuple[Any, ...]] = []
    if games:
        public = Event.objects.filter(
            game__in=games, kind=JUDGED, payload__verdict=Verdict.BROKEN.value
        ).annotate(phase=F("phase_no"))
        since = _since_own_move(public, user, "game", "payload").order_by("seq")
        fresh = since.values_list("game", "payload", "seq", "cause", "is_missed")
        rows += [(None, *row) for row in fresh]
    if threads:
        settled_by = Event.objects.filter(game=OuterRef("thread__game"), seq=OuterRef("after"))
        private = PrivateMessage.objects.filter(
            thread__in=threads, undone=False, deal__kind=JUDGED, deal__verdict=Verdict.BROKEN.value
        ).annotate(phase=Subquery(settled_by.values("phase_no")))
        since = _since_own_move(private, user, "thread__game", "deal").order_by("number")
        rows += since.values_list("thread", "thread__game", "deal", "after", "cause", "is_missed")
    latest = {
        (thread, game, judged["number"], judged["in_return"]): _Verdict(
            seq, cause == Cause.CLOCK and is_missed
        )
        for thread, game, judged, seq, cause, is_missed in rows
    }
    return ((key, verdict) for key, verdict in latest.items() if key in broken)


def _since_own_move(rows: QuerySet[Any], user: User, game: str, judged: str) -> QuerySet[Any]:
    """The verdicts since the reader's last move by hand there, or since they sat down.

    Each decision is a phase of its own, so whatever follows from the reader's has its number or a
    higher one.
    """
    sits = {"seat__game": OuterRef(game), "seat__user": user, "user": user}
    moved = Move.objects.filter(**sits, by_order=False).order_by("-pk").values("phase_no")[:1]
    came = Sitting.objects.filter(**sits).order_by("-pk").values("began_at")[:1]
    missed = Miss.objects.filter(
        seat__game=OuterRef(game),
        seat__number=OuterRef("promiser"),
        phase_no=OuterRef("phase"),
    )
    promiser = Cast(KT(f"{judged}__seat"), IntegerField())
    with_misses = rows.annotate(promiser=promiser, is_missed=Exists(missed))
    since = {"phase__gte": Coalesce(Subquery(moved), 0), "at__gte": Subquery(came)}
    fresh: QuerySet[Any] = with_misses.filter(**since)
    return fresh
