"""`manage.py simulate`: many games among house players, and what came of them."""

import json
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TextIO

from django.core.management.base import BaseCommand, CommandError

from games.engine.editions import COLOURS, EDITIONS, edition_named, with_options
from games.engine.errors import BadRecord, BadSetup, quoted
from games.engine.houses import HOUSE_PLAYERS
from games.engine.playout import Playout, Waits, play_out
from games.engine.record import write_record
from games.engine.rules import new_game
from games.engine.state import Table, winners
from games.record_files import parse_record

SECONDS_BETWEEN_PROGRESS = 0.5

WAITS = {
    "naive": "waiting points",
    "tidied": "the same, tidied",
    "with_orders": "with all orders left",
}


class Setting(NamedTuple):
    """What is simulated: the kind of house player of each seat, and the games' edition."""

    edition: str
    options: dict[str, Any]
    kinds: list[str]
    games: int
    seed: int


class Result(NamedTuple):
    """One game: who was paid what and who won, by seat, and how long it took."""

    cash: tuple[int, ...]
    winners: tuple[int, ...]
    moves: int
    waits: Waits


class Command(BaseCommand):
    help = (
        "Play games between house players and print the results. The same seed plays the same "
        "games. 'Wins' counts games that one kind of player won alone, 'shared' games in which it "
        "tied for the most money."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--edition", default="mayfair-2005", choices=EDITIONS)
        parser.add_argument("--options", default="{}", help="options of the edition, as JSON")
        parser.add_argument("--players", type=int, default=4, choices=(3, 4, 5))
        parser.add_argument("--games", type=int, default=1000)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--seats",
            default="random",
            help=f"one house player for each seat, or one for all: {', '.join(HOUSE_PLAYERS)}",
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
        )
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
            seats = {seat for seat, other in enumerate(setting.kinds) if other == kind}
            self.stdout.write(line(kind, *_standing(seats, results)))
        self.stdout.write("")
        spread = "{:<24}{:>8}{:>8}{:>8}".format
        self.stdout.write(spread("a game", "mean", "least", "most"))
        moves = [result.moves for result in results]
        self.stdout.write(spread("moves", *_spread(moves)))
        for name, title in WAITS.items():
            waits = [getattr(result.waits, name) for result in results]
            self.stdout.write(spread(title, *_spread(waits)))
        speed = sum(moves) / max(seconds, 1e-9)
        self.stderr.write(f"{sum(moves)} moves in {seconds:.2f} s: {speed:,.0f} moves a second.")


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
    unknown = [kind for kind in kinds if kind not in HOUSE_PLAYERS]
    if unknown:
        known = ", ".join(HOUSE_PLAYERS)
        raise CommandError(f"There is no house player {quoted(unknown[0])}: there are {known}.")
    if len(kinds) == 1:
        kinds *= players
    if len(kinds) != players:
        raise CommandError(f"--seats must name {players} house players, or one for all.")
    return kinds


def _played(setting: Setting, stream: TextIO | None) -> Iterator[Result]:
    chance = Random(setting.seed)  # noqa: S311 (a game, no secret)
    colours = COLOURS[: len(setting.kinds)]
    players = [HOUSE_PLAYERS[kind] for kind in setting.kinds]
    for number in range(setting.games):
        beginning = new_game(setting.edition, setting.options, colours, chance.choice(colours))
        playout = play_out(beginning, players, chance.getrandbits(64))
        if stream is not None:
            _write(stream, beginning.state.table, playout, f"game {number + 1}")
        state = playout.state
        yield Result(state.cash, winners(state), len(playout.moves), playout.waits)


def _write(stream: TextIO, table: Table, playout: Playout, name: str) -> None:
    stream.write(json.dumps(write_record(table, playout.moves, name=name)) + "\n")


def _standing(seats: set[int], results: list[Result]) -> tuple[int, str, int, str]:
    """Games, wins in %, shared wins and mean cash of the seats of one kind."""
    won = sum(len(result.winners) == 1 and result.winners[0] in seats for result in results)
    shared = sum(len(result.winners) > 1 and bool(seats & {*result.winners}) for result in results)
    cash = sum(result.cash[seat] for result in results for seat in seats)
    games = len(results)
    return (
        games,
        f"{100 * won / max(games, 1):.1f}",
        shared,
        f"{cash / max(games * len(seats), 1):,.0f}",
    )


def _spread(values: list[int]) -> tuple[str, int, int]:
    mean = sum(values) / max(len(values), 1)
    return f"{mean:.1f}", min(values, default=0), max(values, default=0)
