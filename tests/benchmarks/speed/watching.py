"""Strangers who watch games while moves are posted: how fast their pages are, and the moves.

Each has a page of a game open, which fetches itself twice a minute, as `watch.js` does. They run in
a process of their own, cheap since it shares the cores with what it measures.

`python -m tests.benchmarks.speed.watching FILE`, a file of JSON as `measure` writes it.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import psycopg

from tests.benchmarks.speed.figures import Figures
from tests.benchmarks.speed.stage import HEADERS, ROOT, Stage
from tests.benchmarks.speed.throughput import Load, add_spread, play

AGAIN = 30.0
"""Seconds after which an open page fetches itself again."""

PAUSE = 0.1
"""Seconds before each posted move: people don't play as fast as they can."""

OPEN = "UPDATE games_game SET listed = true, strangers = 'everyone' WHERE id = ANY(%s)"
TOKENS = "SELECT token FROM games_game WHERE id = ANY(%s) ORDER BY id"


def measure(
    stage: Stage,
    db: psycopg.Connection,
    figures: Figures,
    games: Sequence[int],
    cookies: dict[int, str],
    strangers: int,
    seconds: float,
) -> None:
    """Post moves in half of the games, and in the other half while strangers watch it."""
    unwatched, watched = list(games[::2]), list(games[1::2])
    db.execute(OPEN, (watched,))
    tokens = [token for (token,) in db.execute(TOKENS, (watched,)).fetchall()]
    with stage.running("web"):
        alone = _moves(stage, Load(unwatched, cookies, 1, seconds, pause=PAUSE))
        file = stage.folder / "watching.json"
        given = {"tokens": tokens, "strangers": strangers, "seconds": seconds}
        file.write_text(json.dumps(given | {"headers": HEADERS, "port": stage.web_port}))
        watching = _start(stage, file)
        beside = _moves(stage, Load(watched, cookies, 1, seconds, pause=PAUSE))
        printed, _ = watching.communicate()
    told = json.loads(printed)
    if told["others"]:
        raise SystemExit(f"Not every stranger got their page: {sorted(set(told['others']))}")
    figures.add("strangers.pages_per_second", len(told["took"]) / seconds, 0.1)
    add_spread(figures, "strangers.page_ms", told["took"])
    add_spread(figures, "strangers.answers_alone_ms", alone)
    add_spread(figures, "strangers.answers_ms", beside)
    figures.add("strangers.answers_slower", median(beside) / median(alone), 0.1)


def _moves(stage: Stage, load: Load) -> list[float]:
    """The seconds that each posted move took."""
    return [took for _token, _at, took in play(stage, load)["posts"]]


def _start(stage: Stage, file: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.speed.watching", str(file)],
        env=stage.environment,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


class Watchers:
    """All strangers; each comes from an address of its own."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        self.took: list[float] = []
        self.others: list[int] = []
        self.chance = Random(1)

    async def run(self) -> dict[str, Any]:
        self.end = time.monotonic() + self.given["seconds"]
        await asyncio.gather(*(self._watch(one) for one in range(self.given["strangers"])))
        return {"took": self.took, "others": self.others}

    async def _watch(self, number: int) -> None:
        tokens = self.given["tokens"]
        token, address = tokens[number % len(tokens)], f"198.18.{number // 250}.{number % 250}"
        wait = AGAIN * self.chance.random()  # some time since the page was opened
        while time.monotonic() + wait < self.end:
            await asyncio.sleep(wait)
            began = time.monotonic()
            status = await self._ask(f"/tables/{token}/", address)
            self.took.append(time.monotonic() - began)
            if status != 200:
                self.others.append(status)
            wait = AGAIN * (0.9 + 0.2 * self.chance.random())

    async def _ask(self, path: str, address: str) -> int:
        headers = self.given["headers"] | {"X-Forwarded-For": address, "Connection": "close"}
        lines = [f"GET {path} HTTP/1.1", *(f"{key}: {value}" for key, value in headers.items())]
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.given["port"])
            writer.write(("\r\n".join([*lines, "Accept-Encoding: gzip"]) + "\r\n\r\n").encode())
            answer = await reader.read()
            writer.close()
        except OSError:
            return 0
        return int(answer[9:12]) if answer else 0


if __name__ == "__main__":
    told = asyncio.run(Watchers(json.loads(Path(sys.argv[1]).read_text())).run())
    sys.stdout.write(json.dumps(told) + "\n")
