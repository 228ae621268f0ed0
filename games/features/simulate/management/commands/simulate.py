"""`manage.py simulate`: many games among computer players, and what came of them."""

import json
import math
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import cycle, permutations, product
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final, NamedTuple, TextIO

from django.core.management.base import BaseCommand, CommandError

from games.engine.characters import character_of
from games.engine.computer_players import COMPUTER_PLAYERS
from games.engine.editions import COLOURS, EDITIONS, edition_named, with_options
from games.engine.errors import BadRecord, BadSetup, quoted
from games.engine.ledger import Entry, Ledger, Status
from games.engine.negotiated_games import NegotiatedGame, play_negotiating
from games.engine.promises import Verdict
from games.engine.record import write_record
from games.engine.rules import Step, new_game
from games.engine.state import TABLE_SIZES, Table, winners
from games.features.simulate.habits import DAY, Habits, LongGame, Made, Source, play_over_days
from games.features.simulate.playout import Playout, Waits, play_out
from games.record_files import parse_record

SECONDS_BETWEEN_PROGRESS = 0.5

WAITS = {
    "naive": "waiting points",
    "tidied": "the same, tidied",
    "with_orders": "with all orders left",
}

SOURCES: Final[Mapping[Source, str]] = {
    "people": "people",
    "orders": "orders",
    "clock": "the clock",
    "forced": "no choice",
}


NEGOTIATOR: Final = "negotiator"
"""A courtier that negotiates, as at tables; one that is called so here doesn't."""

KINDS: Final = (*COMPUTER_PLAYERS, NEGOTIATOR)


class Setting(NamedTuple):
    """What is simulated: the kind of computer player of each seat, and the games' edition.

    With `permute` the kinds change seats from game to game; with `habits` days are simulated.
    """

    edition: str
    options: dict[str, Any]
    kinds: list[str]
    games: int
    seed: int
    permute: bool
    habits: Habits | None


class Seating(NamedTuple):
    """The kind of computer player of each seat in one game, and the colour that begins."""

    kinds: tuple[str, ...]
    first: str


class Result(NamedTuple):
    """One game: who sat where, was paid what and won, by seat, and how long it took.

    In simulated days it has no waiting points, but the time and source of each move (`made`);
    where somebody negotiates, what was offered and promised (`ledger`).
    """

    kinds: tuple[str, ...]
    cash: tuple[int, ...]
    winners: tuple[int, ...]
    moves: int
    waits: Waits | None = None
    made: Sequence[Made] = ()
    ledger: Ledger = ()


class Command(BaseCommand):
    help = (
        "Play games between computer players and print the results. The same seed plays the same "
        "games. 'Wins' counts games that one kind of player won alone, 'shared' games in which it "
        "tied for the most money."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--edition", default="mayfair-2005", choices=EDITIONS)
        parser.add_argument("--options", default="{}", help="options of the edition, as JSON")
        parser.add_argument("--players", type=int, default=4, choices=TABLE_SIZES)
        parser.add_argument("--games", type=int, default=1000)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--seats",
            default="random",
            help=f"one computer player for each seat, or one for all: {', '.join(KINDS)}",
        )
        parser.add_argument(
            "--permute",
            action="store_true",
            help="use every way to assign --seats, with every first player, equally often",
        )
        parser.add_argument(
            "--habits",
            action="store_true",
            help="play in simulated days: a third of the turns is missed, half of the others are "
            "played within three hours",
        )
        parser.add_argument(
            "--orders",
            type=float,
            metavar="SHARE",
            help="with --habits: the share of players who leave standing orders (0.5)",
        )
        parser.add_argument(
            "--order-all",
            action="store_true",
            help="with --habits: these players leave orders for decisions and sendings too",
        )
        parser.add_argument(
            "--talk",
            type=int,
            metavar="HOURS",
            help="with --habits: negotiation time before the first bribes of a turn, 0 to 48 (0)",
        )
        parser.add_argument("--record", metavar="FILE", help="write the games as records")

    def handle(self, **options: Any) -> None:
        if options["games"] < 1:
            raise CommandError("--games must be 1 or more.")
        setting = Setting(
            options["edition"],
            _read_options(options["options"], options["edition"]),
            _read_seats(options["seats"], options["players"]),
            options["games"],
            options["seed"],
            options["permute"],
            _read_habits(options),
        )
        if setting.habits and NEGOTIATOR in setting.kinds:
            raise CommandError("With --habits nobody negotiates: seat courtiers instead.")
        began = time.perf_counter()
        with _written(options["record"]) as stream:
            results = list(self.with_progress(_played(setting, stream), setting.games))
        self.report(setting, results, time.perf_counter() - began)

    def with_progress(self, results: Iterator[Result], games: int) -> Iterator[Result]:
        shown = time.perf_counter()
        for number, result in enumerate(results, 1):
            yield result
            if time.perf_counter() - shown > SECONDS_BETWEEN_PROGRESS or number == games:
                shown = time.perf_counter()
                self.stderr.write(f"\r{number} of {games} games", ending="")
        self.stderr.write("")

    def report(self, setting: Setting, results: list[Result], seconds: float) -> None:
        line = "{:<12}{:>8}{:>9}{:>9}{:>12}".format
        self.stdout.write(line("kind", "games", "wins %", "shared", "mean cash"))
        for kind in dict.fromkeys(setting.kinds):
            self.stdout.write(line(kind, *_standing(kind, results)))
        if setting.permute:
            self.stdout.write(f"\n{_cycles(setting)}")
        self.stdout.write("")
        spread = "{:<24}{:>8}{:>8}{:>8}".format
        self.stdout.write(spread("a game", "mean", "least", "most"))
        moves = [result.moves for result in results]
        self.stdout.write(spread("moves", *_spread(moves)))
        for name, title in WAITS.items():
            waits = [getattr(result.waits, name) for result in results if result.waits]
            if waits:
                self.stdout.write(spread(title, *_spread(waits)))
        if setting.habits:
            self.report_days([result.made for result in results])
        if NEGOTIATOR in setting.kinds:
            self.report_promises([result.ledger for result in results])
        speed = sum(moves) / max(seconds, 1e-9)
        self.stderr.write(f"{sum(moves)} moves in {seconds:.2f} s: {speed:,.0f} moves a second.")

    def report_days(self, games: Sequence[Sequence[Made]]) -> None:
        days = sorted(made[-1].at / DAY if made else 0 for made in games)
        nine_tenths = days[math.ceil(0.9 * len(days)) - 1]
        line = "{:<24}{:>8}{:>8}".format
        self.stdout.write(f"\n{line('a game', 'median', '90 %')}")
        self.stdout.write(line("days", f"{median(days):.1f}", f"{nine_tenths:.1f}"))
        sources = Counter(one.source for made in games for one in made)
        self.stdout.write(f"\n{line('made by', 'moves', '%')}")
        for source, title in SOURCES.items():
            share = 100 * sources[source] / max(sources.total(), 1)
            self.stdout.write(line(title, sources[source], f"{share:.1f}"))

    def report_promises(self, ledgers: Sequence[Ledger]) -> None:
        accepted = [
            [entry for entry in ledger if entry.status is Status.ACCEPTED] for ledger in ledgers
        ]
        became = Counter(verdict for game in accepted for verdict in _verdicts(game))
        spread = "{:<24}{:>8}{:>8}{:>8}".format
        self.stdout.write(f"\n{spread('a game', 'mean', 'least', 'most')}")
        self.stdout.write(spread("offers", *_spread([len(ledger) for ledger in ledgers])))
        self.stdout.write(spread("accepted", *_spread([len(game) for game in accepted])))
        due = max(became[Verdict.KEPT] + became[Verdict.BROKEN], 1)
        self.stdout.write(f"\n{'promises':<24}{'all':>8}{'% of due':>10}")
        for verdict in (Verdict.KEPT, Verdict.BROKEN):
            share = 100 * became[verdict] / due
            self.stdout.write(f"{verdict.value:<24}{became[verdict]:>8}{share:>10.1f}")
        self.stdout.write(f"{'void':<24}{became[Verdict.VOID]:>8}")


def _verdicts(accepted: Sequence[Entry]) -> Iterator[Verdict]:
    """What became of each promise, and of those in return."""
    for entry in accepted:
        yield entry.verdict
        if entry.promise.in_return() is not None:
            yield entry.condition


@contextmanager
def _written(path: str | None) -> Iterator[TextIO | None]:
    """The file to write records to; None where none is wanted."""
    if path is None:
        yield None
        return
    try:
        stream = Path(path).open("w", encoding="utf-8")  # noqa: SIM115 (closed below)
    except OSError as reason:
        raise CommandError(f"{path} cannot be written: {reason.strerror}.") from reason
    with stream:
        yield stream


def _read_options(text: str, edition: str) -> dict[str, Any]:
    try:
        options = parse_record(text)
    except BadRecord as reason:
        raise CommandError(f"--options cannot be read: {reason}") from reason
    if not isinstance(options, dict):
        raise CommandError('--options must be an object such as {"refund_losers": true}.')
    try:
        with_options(edition_named(edition), options)
    except BadSetup as reason:
        raise CommandError(str(reason)) from reason
    return options


def _read_seats(text: str, players: int) -> list[str]:
    kinds = [kind.strip() for kind in text.split(",")]
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        known = ", ".join(KINDS)
        raise CommandError(f"There is no computer player {quoted(unknown[0])}: there are {known}.")
    if len(kinds) == 1:
        kinds *= players
    if len(kinds) != players:
        raise CommandError(f"--seats must name {players} computer players, or one for all.")
    return kinds


def _read_habits(options: dict[str, Any]) -> Habits | None:
    orders, talk = options["orders"], options["talk"]
    if not options["habits"]:
        if orders is not None or talk is not None or options["order_all"]:
            raise CommandError("--orders, --order-all and --talk need --habits.")
        return None
    if orders is not None and not 0 <= orders <= 1:
        raise CommandError("--orders must be a share from 0 to 1, such as 0.5.")
    if talk is not None and not 0 <= talk <= 48:
        raise CommandError("--talk must be 0 to 48 hours.")
    share = 0.5 if orders is None else orders
    return Habits(orders=share, negotiation_time=talk or 0, order_all=options["order_all"])


def _played(setting: Setting, stream: TextIO | None) -> Iterator[Result]:
    chance = Random(setting.seed)  # noqa: S311 (a game, no secret)
    colours = COLOURS[: len(setting.kinds)]
    seatings = _seatings(setting, chance)
    for number in range(setting.games):
        kinds, first = next(seatings)
        beginning = new_game(setting.edition, setting.options, colours, first)
        game = _play(setting, beginning, kinds, chance.getrandbits(64))
        if stream is not None:
            _write(stream, beginning.state.table, game, f"game {number + 1}")
        state, moves = game.state, len(game.moves)
        if isinstance(game, NegotiatedGame):
            yield Result(kinds, state.cash, winners(state), moves, ledger=game.ledger)
        elif isinstance(game, LongGame):
            yield Result(kinds, state.cash, winners(state), moves, made=game.made)
        else:
            yield Result(kinds, state.cash, winners(state), moves, game.waits)


def _play(
    setting: Setting, beginning: Step, kinds: Sequence[str], seed: int
) -> Playout | LongGame | NegotiatedGame:
    negotiators = {
        seat: character_of(seed, seat) for seat, kind in enumerate(kinds) if kind == NEGOTIATOR
    }
    players = [COMPUTER_PLAYERS["courtier" if kind == NEGOTIATOR else kind] for kind in kinds]
    if negotiators:
        return play_negotiating(beginning, players, negotiators, seed)
    if setting.habits:
        return play_over_days(beginning, players, setting.habits, seed)
    return play_out(beginning, players, seed)


def _seatings(setting: Setting, chance: Random) -> Iterator[Seating]:
    """One for each game, without end: all in turn with `permute`, else a drawn first player."""
    if setting.permute:
        yield from cycle(_every_seating(setting.kinds))
    while True:
        yield Seating(tuple(setting.kinds), chance.choice(COLOURS[: len(setting.kinds)]))


def _every_seating(kinds: list[str]) -> list[Seating]:
    """Every different way to assign these kinds to seats, with every first player."""
    assignments = sorted(set(permutations(kinds)))
    return [Seating(*seating) for seating in product(assignments, COLOURS[: len(kinds)])]


def _cycles(setting: Setting) -> str:
    count = len(_every_seating(setting.kinds))
    cycles, rest = divmod(setting.games, count)
    each = f"Games for each of {count} seatings: {cycles}"
    return f"{each} or {cycles + 1}; the last cycle is cut short after {rest}." if rest else each


def _write(
    stream: TextIO, table: Table, game: Playout | LongGame | NegotiatedGame, name: str
) -> None:
    more = {"promises": game.promises} if isinstance(game, NegotiatedGame) else {}
    stream.write(json.dumps(write_record(table, game.moves, name=name, **more)) + "\n")


def _standing(kind: str, results: list[Result]) -> tuple[int, str, int, str]:
    """Games, wins in %, shared wins and mean cash of one kind."""
    best = [[result.kinds[seat] for seat in result.winners] for result in results]
    won = best.count([kind])
    shared = sum(len(kinds) > 1 and kind in kinds for kinds in best)
    cash = [
        money
        for result in results
        for other, money in zip(result.kinds, result.cash, strict=True)
        if other == kind
    ]
    games = len(results)
    return (
        games,
        f"{100 * won / max(games, 1):.1f}",
        shared,
        f"{sum(cash) / max(len(cash), 1):,.0f}",
    )


def _spread(values: list[int]) -> tuple[str, int, int]:
    mean = sum(values) / max(len(values), 1)
    return f"{mean:.1f}", min(values, default=0), max(values, default=0)
