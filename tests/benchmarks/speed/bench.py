"""One run of the benchmark: its parts in order, and what they share."""

import sys
import time

from tests.benchmarks.speed import (
    background,
    commands,
    in_process,
    kinds,
    moves,
    streams,
    throughput,
    watching,
)
from tests.benchmarks.speed import world as worlds
from tests.benchmarks.speed.figures import Figures
from tests.benchmarks.speed.sizes import Sizes
from tests.benchmarks.speed.stage import Stage

AT_ONCE = (1, 16, 64)
WITH_PAGE = 16
PAUSE = 0.3
"""Seconds before each move whose email is timed: nothing else is to be sent meanwhile."""


class Bench:
    """All parts add to `figures`. `mass` are games that nobody has touched yet."""

    def __init__(self, stage: Stage, sizes: Sizes) -> None:
        self.stage = stage
        self.sizes = sizes
        self.figures = Figures()
        self.began = time.monotonic()
        self.db = stage.connect()
        self.people = 0

    def run(self, parts: list[str]) -> Figures:
        """Measure pages with few games, then fill the database and measure all parts."""
        self._refuse_unsafe()
        self.say("Making games")
        self.world = worlds.make()
        self.yardstick = self._measure_moves(self.sizes.moves // 5)
        if "pages" in parts and self.sizes.with_few_games:
            self.say("Measuring pages with few games")
            self._measure_pages("few_games")
        self._fill()
        for part in parts:
            self.say(f"Measuring {part}")
            getattr(self, part)()
        return self.figures

    def say(self, words: str) -> None:
        sys.stderr.write(f"[{time.monotonic() - self.began:5.0f} s] {words}\n")

    def _refuse_unsafe(self) -> None:
        """Measure only a database that loses nothing."""
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            [value] = self.db.execute(f"SHOW {name}").fetchone()
            if value != "on":
                raise SystemExit(f"PostgreSQL runs with {name} = {value}.")

    def _fill(self) -> None:
        """As many games and events as after years: most are short, some long."""
        games, events = self.sizes.games, self.sizes.events
        self.say(f"Filling the database: {games} games, {events} events")
        people = worlds.add_people(self.db, self.sizes.people, "Player")
        middle, long = self.world.middle, self.world.long
        short_length, long_length = middle.events.count(), long.events.count()
        count = max(1, (events - games * short_length) // (long_length - short_length))
        short = worlds.copy_games(self.db, middle, games - count, people)
        worlds.copy_games(self.db, long, count, people)
        self.db.execute("VACUUM ANALYZE")
        self.mass = iter(short)

    def _new_games(self, count: int) -> tuple[range, dict[int, str]]:
        """Games that have just begun, of people who play nowhere else and are signed in."""
        people = self._more_people(count * self.world.new.size)
        copies = worlds.copy_games(self.db, self.world.new, count, people)
        return copies, worlds.sign_in(self.db, people)

    def _more_people(self, count: int) -> range:
        self.people += 1
        return worlds.add_people(self.db, count, f"Group {self.people} number")

    def pages(self) -> None:
        self._measure_pages("many_games")

    def _measure_pages(self, prefix: str) -> None:
        given = kinds.Given(
            self.db, self.world, self._more_people, self.sizes.runs, self.sizes.tables
        )
        for name, requests, runs in kinds.all_kinds(given):
            self.say(f"  {name}")
            in_process.measure(self.figures, f"{prefix}.{name}", requests, runs, self.yardstick)

    def moves(self) -> None:
        self.yardstick = self._measure_moves(self.sizes.moves)

    def _measure_moves(self, count: int) -> float:
        games, cookies = self._new_games(2 * (count // 8 + 2))
        half = len(games) // 2
        people = self._more_people(self.world.long.size)
        chosen = moves.Games(
            bare=games[1:half],
            posted=games[half:],
            new=games[:1],
            long=worlds.copy_games(self.db, self.world.long, 1, people),
        )
        return moves.measure(self.stage, self.db, self.figures, chosen, cookies, count)

    def load(self) -> None:
        runs = [(count, False) for count in AT_ONCE] + [(WITH_PAGE, True)]
        games, cookies = self._new_games(self.sizes.played * len(runs))
        with self.stage.running("web") as processes:
            for number, (at_once, with_page) in enumerate(runs):
                self.say(f"  {at_once} games at once{', with pages' if with_page else ''}")
                throughput.posts(
                    self.stage,
                    self.figures,
                    throughput.Load(
                        list(games[number :: len(runs)]), cookies, at_once, self.sizes.seconds,
                        with_page,
                    ),
                )  # fmt: skip
            loaded = processes["web"].megabytes()
        self.figures.add("memory.web_after_load_megabytes", loaded, 0.05)
        self._yardstick_load()

    def _yardstick_load(self) -> None:
        games, _ = self._new_games(self.sizes.played * len(AT_ONCE))
        for number, at_once in enumerate(AT_ONCE):
            self.say(f"  the yardstick, {at_once} games at once")
            chosen = list(games[number :: len(AT_ONCE)])
            throughput.yardstick(self.stage, self.figures, chosen, at_once, self.sizes.seconds / 3)

    def live(self) -> None:
        games, cookies = self._new_games(self.sizes.streams // self.world.new.size)
        seconds = self.sizes.seconds
        streams.measure(self.stage, self.db, self.figures, list(games), cookies, seconds)

    def strangers(self) -> None:
        games, cookies = self._new_games(2 * self.sizes.watched)
        watching.measure(
            self.stage, self.db, self.figures, games, cookies, self.sizes.strangers,
            self.sizes.seconds,
        )  # fmt: skip

    def sweep(self) -> None:
        background.idle_sweep(self.figures, self.sizes.runs)

    def deadlines(self) -> None:
        _, cookies = self._new_games(1)
        reader = next(iter(cookies.values()))
        for count in self.sizes.deadlines:
            for workers in self.sizes.workers:
                self.say(f"  {count} deadlines, {workers} worker{'s' if workers > 1 else ''}")
                games = [next(self.mass) for _ in range(count)]
                background.deadlines(self.stage, self.figures, games, workers, reader)

    def emails(self) -> None:
        games = [next(self.mass) for _ in range(self.sizes.emails)]
        for workers in self.sizes.senders:
            self.say(f"  {workers} worker{'s' if workers > 1 else ''}")
            background.emails(self.stage, self.figures, games, workers)
        self.say("  a sender is killed")
        background.killed_sender(self.stage, self.figures, games[:200], self.sizes.kills)
        games, cookies = self._new_games(self.sizes.played)
        load = throughput.Load(list(games), cookies, 1, self.sizes.seconds, pause=PAUSE)
        background.mail_after_move(self.stage, self.figures, load)

    def engine(self) -> None:
        commands.engine(self.stage, self.figures, self.sizes.simulated, self.sizes.repeats)

    def starts(self) -> None:
        background.starts(self.stage, self.figures, self.sizes.repeats)

    def verify(self) -> None:
        self.say(commands.verify(self.stage, self.figures))
