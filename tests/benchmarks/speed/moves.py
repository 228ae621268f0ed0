"""The figures that matter most, in turn with the yardstick: a posted move, a game's page."""

from collections.abc import Iterator
from itertools import cycle
from statistics import median
from typing import NamedTuple

import psycopg

from games.engine import decode
from tests.benchmarks.speed import yardstick
from tests.benchmarks.speed.fields import fields
from tests.benchmarks.speed.figures import BATCHES, Figures
from tests.benchmarks.speed.in_process import Request, counted, cpu_ms, send, site
from tests.benchmarks.speed.kinds import tables_of
from tests.benchmarks.speed.load import READ
from tests.benchmarks.speed.stage import Stage

SOME = 11
"""Requests whose queries are counted: moves differ, and some read what a process remembers."""


class Posts:
    """Posted moves, one after the other in each of these games in turn."""

    def __init__(
        self, db: psycopg.Connection, games: Iterator[int], cookies: dict[int, str]
    ) -> None:
        self.db = db
        self.games = games
        self.cookies = cookies

    def next(self) -> Request:
        """The next move, of a game that is not over."""
        while True:
            row = self.db.execute(READ, (next(self.games),)).fetchone()
            if row is not None:
                break
        state, phase_no, token, number, user_id = row
        form = fields(decode(state), number, phase_no)
        return Request(f"/tables/{token}/move/", self.cookies[user_id], form, 302)

    def cpu_ms(self, moves: int) -> list[float]:
        return [cpu_ms(site(), self.next()) for _ in range(moves)]


class Games(NamedTuple):
    """Copies of one game for the yardstick, to post to, and to look at; and a long one."""

    bare: range
    posted: range
    new: range
    long: range


def measure(
    stage: Stage,
    db: psycopg.Connection,
    figures: Figures,
    games: Games,
    cookies: dict[int, str],
    moves: int,
) -> float:
    """Take turns between the yardstick, posted moves and pages; the yardstick in milliseconds."""
    bare, posts = cycle(games.bare), Posts(db, cycle(games.posted), cookies)
    new, long = tables_of(db, games.new)[0], tables_of(db, games.long)[0]
    pages = {"3": Request(new.path, new.mover), "300": Request(long.path, long.mover)}
    samples: dict[str, list[float]] = {}
    with yardstick.connect(stage.url) as connection:
        yardstick.cpu_ms(connection, bare, moves // BATCHES)  # both warm up
        posts.cpu_ms(moves // BATCHES)
        for _ in range(BATCHES):
            found = {"yardstick": yardstick.cpu_ms(connection, bare, moves // BATCHES)}
            found["answer"] = posts.cpu_ms(moves // BATCHES)
            for events, page in pages.items():
                found[events] = [cpu_ms(site(), page) for _ in range(moves // BATCHES)]
            for name, times in found.items():
                samples.setdefault(name, []).append(median(times))
    _add(figures, samples)
    figures.add("answer.queries", median(_queries(posts.next()) for _ in range(SOME)))
    figures.add("page.queries", median(_queries(pages["3"]) for _ in range(SOME)))
    return median(samples["yardstick"])


def _queries(request: Request) -> int:
    with counted() as queries:
        send(site(), request)
    return len(queries)


def _add(figures: Figures, samples: dict[str, list[float]]) -> None:
    """Times, and how many yardsticks they are: of the same batch, when the machine was as fast."""
    names = {"answer": ("answer.cpu_ms", "answer.cpu_ratio")}
    names["3"] = ("page.cpu_ms", "page.cpu_ratio_3")
    names["300"] = ("page.cpu_ms_300", "page.cpu_ratio_300")
    figures.add_samples("yardstick.cpu_ms", samples["yardstick"])
    for name, (in_ms, as_ratio) in names.items():
        figures.add_samples(in_ms, samples[name])
        both = zip(samples[name], samples["yardstick"], strict=True)
        figures.add_samples(as_ratio, [time / stick for time, stick in both])
