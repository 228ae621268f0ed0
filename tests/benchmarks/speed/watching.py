"""Strangers who watch games while moves are posted: how fast their pages are, and the moves."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import psycopg

from tests.benchmarks.speed.figures import Figures
from tests.benchmarks.speed.stage import HEADERS, ROOT, Stage
from tests.benchmarks.speed.throughput import Load, add_spread, play

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
        for token in tokens[:8]:
            stage.get(f"/tables/{token}/")  # the first pages of a process compile their templates
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
        [sys.executable, "-m", "tests.benchmarks.speed.watchers", str(file)],
        env=stage.environment,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
