"""The load: so many games at once, in each one player after the other posts a move over HTTP.

A process of its own, cheap since it shares the cores with what it measures. It reads the state of a
game from the database, makes the form's fields by the engine, posts them over a new connection (as
nginx does by default), and then plays on in that game. `with_page` it loads the game's page before
each post. Prints what was acknowledged: tokens, ends and seconds of all posts.

`python -m tests.benchmarks.speed.load FILE`, a file of JSON as `throughput.py` writes it.
"""

import asyncio
import json
import os
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psycopg

from games.engine import Stage, decode
from tests.benchmarks.speed.fields import fields

READ = """
SELECT game.state, game.phase_no, game.token, seat.number, seat.user_id
FROM games_game game JOIN games_seat seat ON seat.game_id = game.id
WHERE game.id = %s AND seat.deadline_at IS NOT NULL AND seat.user_id IS NOT NULL
ORDER BY seat.number LIMIT 1
"""
FORM = "application/x-www-form-urlencoded"


class Load:
    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        self.database = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)
        self.games: list[int] = given["games"]
        self.told: list[tuple[str, float, float]] = []
        self.others: list[int] = []
        self.end = 0.0

    async def run(self) -> dict[str, Any]:
        began = time.time()
        self.end = began + self.given["seconds"]
        await asyncio.gather(*(self._play() for _ in range(self.given["at_once"])))
        return {"began": began, "posts": self.told, "others": self.others}

    async def _play(self) -> None:
        """Play one game after the other until the time is over."""
        while self.games:
            game_id = self.games.pop()
            while await self._post(game_id):
                if time.time() > self.end:
                    return
        raise AssertionError("There are too few games.")

    async def _post(self, game_id: int) -> bool:
        """Post a move; whether somebody was to move."""
        row = self.database.execute(READ, (game_id,)).fetchone()
        if row is None or (state := decode(row[0])).stage is Stage.OVER:
            return False
        _state, phase_no, token, number, user_id = row
        cookie, path = self.given["cookies"][str(user_id)], f"/tables/{token}/"
        if self.given["with_page"]:
            self._note_other(await self._ask("GET", path, cookie), 200)
        await asyncio.sleep(self.given["pause"])
        told = fields(state, number, phase_no)
        body = urlencode(told | {"csrfmiddlewaretoken": self.given["csrf"]})
        began = time.time()
        status = await self._ask("POST", f"{path}move/", cookie, body)
        self._note_other(status, 302)
        if status == 302:
            self.told.append((told["token"], time.time(), time.time() - began))
        return True

    def _note_other(self, status: int, wanted: int) -> None:
        if status != wanted:
            self.others.append(status)

    async def _ask(self, method: str, path: str, cookie: str, body: str = "") -> int:
        """The status of the answer, which is read to its end."""
        headers = self.given["headers"] | {"Cookie": cookie, "Connection": "close"}
        headers |= {"Accept-Encoding": "gzip", "Content-Length": str(len(body))}
        if body:
            headers["Content-Type"] = FORM
        lines = [f"{method} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items())]
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.given["port"])
            writer.write(("\r\n".join(lines) + "\r\n\r\n" + body).encode())
            answer = await reader.read()
            writer.close()
        except OSError:
            return 0
        return int(answer[9:12]) if answer else 0


if __name__ == "__main__":
    given = json.loads(Path(sys.argv[1]).read_text())
    sys.stdout.write(json.dumps(asyncio.run(Load(given).run())) + "\n")
