"""Many open pages at one live process, while things happen at their tables."""

import asyncio
import time
from collections.abc import Mapping
from random import Random
from statistics import quantiles

import psycopg

from games.features.live.channel import PATH
from games.features.live.publisher import PUBLISHER
from games.services.live import table_topic
from tests.benchmarks.speed.figures import Figures
from tests.benchmarks.speed.stage import HEADERS, Stage

EVENTS_PER_SECOND = 50
OPENED_AT_ONCE = 100
SITTING = """
SELECT seat.user_id, game.token, game.id FROM games_seat seat
JOIN games_game game ON game.id = seat.game_id
WHERE game.id = ANY(%s) AND seat.user_id IS NOT NULL
"""


class Pages:
    """The pages that are open, and how late each hears of what happens."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.happened: dict[str, float] = {}
        self.delays: list[float] = []
        self._open: list[asyncio.StreamWriter] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, token: str, cookie: str) -> None:
        """Open a page at a table; it listens when this returns."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        headers = "".join(f"{key}: {value}\r\n" for key, value in HEADERS.items())
        asked = f"GET {PATH}?table={token}&age=0 HTTP/1.1\r\n{headers}Cookie: {cookie}\r\n\r\n"
        writer.write(asked.encode())
        while (line := await reader.readline()) != b"event: hello\n":
            if not line:
                raise SystemExit("A stream was refused.")
        self._open.append(writer)
        self._tasks.append(asyncio.create_task(self._read(reader)))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            if line.startswith(b"data: "):
                label = line[6:].decode().strip()
                if label in self.happened:
                    self.delays.append(time.perf_counter() - self.happened[label])

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for writer in self._open:
            writer.close()


def measure(
    stage: Stage,
    db: psycopg.Connection,
    figures: Figures,
    games: list[int],
    cookies: Mapping[int, str],
    seconds: float,
) -> None:
    """Open a page for everybody who sits in these games; then events happen, each at a table.

    The delay is from after the commit to when a page hears of it.
    """
    sitting = db.execute(SITTING, (games,)).fetchall()
    with stage.running("live") as processes:
        delays, opening = asyncio.run(_run(stage.live_port, sitting, cookies, seconds))
        memory = processes["live"].megabytes()
    told = quantiles(delays, n=20, method="inclusive")
    figures.add("live.streams", len(sitting))
    figures.add("live.opened_per_second", len(sitting) / opening, 0.2)
    figures.add("live.delay_p50_ms", 1000 * told[9], 0.2)
    figures.add("live.delay_p95_ms", 1000 * told[18], 0.2)
    figures.add("memory.live_megabytes", memory, 0.05)


async def _run(
    port: int,
    sitting: list[tuple[int, str, int]],
    cookies: Mapping[int, str],
    seconds: float,
) -> tuple[list[float], float]:
    """How late each page heard of each event, and how long it took to open them all."""
    pages, chance = Pages(port), Random(1)
    began = time.perf_counter()
    for first in range(0, len(sitting), OPENED_AT_ONCE):
        some = sitting[first : first + OPENED_AT_ONCE]
        await asyncio.gather(*(pages.open(token, cookies[user]) for user, token, _game in some))
    opening = time.perf_counter() - began
    tables = {token: game for _user, token, game in sitting}
    viewers = len(sitting) // len(tables)
    chosen = chance.sample(sorted(tables), min(len(tables), int(seconds * EVENTS_PER_SECOND)))
    for token in chosen:
        pages.happened[token] = time.perf_counter()
        PUBLISHER.announce([table_topic(tables[token])])
        await asyncio.sleep(1 / EVENTS_PER_SECOND)
    await asyncio.sleep(2)
    if len(pages.delays) != viewers * len(chosen):
        raise SystemExit(f"{len(pages.delays)} pages heard of {len(chosen)} events.")
    await pages.close()
    return pages.delays, opening
