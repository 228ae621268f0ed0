"""Moves per second over HTTP by gunicorn's two processes, and by the yardstick beside them."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from statistics import quantiles
from typing import Any, NamedTuple

from tests.benchmarks.speed.figures import Figures
from tests.benchmarks.speed.stage import HEADERS, ROOT, Stage
from tests.benchmarks.speed.world import CSRF

SLICES = 5
"""A run is cut into so many parts; how far they differ is its noise."""

WARM_UP = 0.2
"""The first part of a run, which does not count."""

WEB_PROCESSES = 2


class Load(NamedTuple):
    """Games to be played, so many at once, by people with these cookies.

    `pause` are the seconds before each post.
    """

    games: list[int]
    cookies: dict[int, str]
    at_once: int
    seconds: float
    with_page: bool = False
    pause: float = 0.0


def posts(stage: Stage, figures: Figures, load: Load) -> None:
    """Measure posted moves."""
    name = "answers_with_page" if load.with_page else "answers"
    warm_up = WARM_UP * load.seconds
    told = play(stage, load._replace(seconds=load.seconds + warm_up))
    began = told["began"] + warm_up
    end = began + load.seconds
    counted = [(at, took) for _token, at, took in told["posts"] if began <= at < end]
    rates = _rates([at for at, _ in counted], began, load.seconds)
    figures.add_samples(f"{name}_per_second.{load.at_once}", rates)
    add_spread(figures, f"{name}_ms.{load.at_once}", [took for _, took in counted])


def play(stage: Stage, load: Load) -> dict[str, Any]:
    """What the load's process tells; SystemExit if a post wasn't played, or is lost."""
    file = stage.folder / "load.json"
    given = load._asdict() | {"csrf": CSRF, "headers": HEADERS, "port": stage.web_port}
    file.write_text(json.dumps(given))
    [told] = _run(stage, "load", [str(file)])
    if told["others"]:
        raise SystemExit(f"Not every post was played: {sorted(set(told['others']))}")
    _refuse_lost(stage, [token for token, _at, _took in told["posts"]])
    return told


def _refuse_lost(stage: Stage, tokens: Sequence[str]) -> None:
    """What was acknowledged has to be in the database: only that was played."""
    with stage.connect() as db:
        query = "SELECT count(*) FROM games_move WHERE token = ANY(%s::uuid[])"
        [found] = db.execute(query, (list(tokens),)).fetchone()
    if found != len(tokens):
        raise SystemExit(f"{len(tokens)} moves were acknowledged, {found} are in the database.")


def _rates(times: Sequence[float], began: float, seconds: float) -> list[float]:
    """How many there were in each second, for each part of the time."""
    length = seconds / SLICES
    counts = Counter(int((at - began) / length) for at in times if at >= began)
    return [counts[part] / length for part in range(SLICES)]


def add_spread(figures: Figures, name: str, seconds: list[float]) -> None:
    """The middle and the 95th of 100; their noise is how far they differ between parts."""
    if len(seconds) < 2:
        raise SystemExit("This machine is too slow: no move was played in time.")
    thirds = [seconds[part::3] for part in range(3)]
    parts = [quantiles(third if len(third) > 1 else seconds, n=20, method="inclusive")
             for third in thirds]  # fmt: skip
    figures.add_samples(f"{name}.p50", [1000 * part[9] for part in parts])
    figures.add_samples(f"{name}.p95", [1000 * part[18] for part in parts])


def yardstick(
    stage: Stage, figures: Figures, games: list[int], at_once: int, seconds: float
) -> None:
    """The yardstick's own rate, in as many processes as the web server has."""
    processes = min(WEB_PROCESSES, at_once)
    given = [
        {"games": games[number::processes], "seconds": seconds, "threads": at_once // processes}
        for number in range(processes)
    ]
    told = _run(stage, "yardstick", [json.dumps(one) for one in given])
    began, end = max(min(one) for one in told), min(max(one) for one in told)
    rates = _rates([at for one in told for at in one if at < end], began, end - began)
    figures.add_samples(f"yardstick.per_second.{at_once}", rates)


def _run(stage: Stage, module: str, arguments: list[str]) -> list[Any]:
    """What processes of a module print, side by side: one for each argument."""
    running = [
        subprocess.Popen(
            [sys.executable, "-m", f"tests.benchmarks.speed.{module}", argument],
            env=stage.environment,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for argument in arguments
    ]
    printed = [process.communicate()[0] for process in running]
    if any(process.returncode for process in running):
        raise SystemExit(f"{module} failed.")
    return [json.loads(text) for text in printed]
