"""Strangers with a page of a game open, which fetches itself twice a minute, as `watch.js` does.

A process of its own, cheap since it shares the cores with what it measures. Prints how long each
page took, and every status that isn't 200.

`python -m tests.benchmarks.speed.watchers FILE`, a file of JSON as `watching.py` writes it.
"""

import asyncio
import json
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

AGAIN = 30.0
"""Seconds after which an open page fetches itself again."""


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
