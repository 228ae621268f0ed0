"""The commands that need no site: simulate, adjudicate; and verify_games after everything else."""

import re
import time

from tests.benchmarks.speed.figures import Figures
from tests.benchmarks.speed.stage import Stage

SPEED = re.compile(r"([\d,]+) moves a second")


def engine(stage: Stage, figures: Figures, games: int, runs: int) -> None:
    """Moves a second, as both commands print it."""
    record = str(stage.folder / "games.jsonl")
    simulate = ["manage.py", "simulate", "--games", str(games)]
    simulated = [_speed(stage, simulate) for _ in range(runs)]
    stage.run([*simulate, "--record", record])
    adjudicated = [_speed(stage, ["manage.py", "adjudicate", record]) for _ in range(runs)]
    figures.add_samples("adjudicate_moves_per_second", adjudicated)
    figures.add_samples("simulate_moves_per_second", simulated)


def _speed(stage: Stage, command: list[str]) -> float:
    found = SPEED.search(stage.run(command).stderr)
    assert found is not None, command
    return float(found[1].replace(",", ""))


def verify(stage: Stage, figures: Figures) -> str:
    """Whether everything that was played and copied is sound; SystemExit where it is not."""
    began = time.perf_counter()
    told = stage.manage("verify_games").strip().splitlines()[-1]
    figures.add("verify_games_seconds", time.perf_counter() - began, 0.05)
    return told
