"""Figures with the noise that was measured with them: kept as JSON, printed, and compared."""

import json
import os
import platform
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

COLUMNS = ("cpu_ms", "cpu_ratio", "queries", "bytes", "compressed_bytes")
"""Figures of one request, which have a line together; all others have one each."""

BATCHES = 5

LEAST_NOISE, LEAST_NOISE_OF_BYTES = 0.001, 0.02
"""What counts as equal anyway. A page has a few random bytes, which compress in many ways."""

MORE_IS_BETTER = ("_per_second", "per_second.")


class Figures:
    """Figures by their names, whose dots become objects of the JSON; `noise` is a share of each."""

    def __init__(self) -> None:
        self.values: dict[str, float] = {}
        self.noise: dict[str, float] = {}

    def add(self, name: str, value: float, noise: float = 0.0) -> None:
        self.values[name] = float(f"{value:.5g}")
        if noise:
            self.noise[name] = float(f"{noise:.2g}")

    def add_samples(self, name: str, samples: Iterable[float]) -> None:
        """The median of several measurements; their noise is half of how far they lie apart."""
        found = list(samples)
        middle = median(found)
        self.add(name, middle, (max(found) - min(found)) / 2 / middle if middle else 0.0)

    def add_batches(self, name: str, samples: Sequence[float]) -> None:
        """The same for many measurements in a row: what is compared are the medians of batches."""
        ends = [len(samples) * number // BATCHES for number in range(BATCHES + 1)]
        batches = [samples[start:end] for start, end in pairwise(ends)]
        self.add_samples(name, [median(batch) for batch in batches if batch])

    def write(self, path: Path, *, quick: bool) -> None:
        told: dict[str, Any] = {"machine": machine(), "quick": quick}
        for name, value in self.values.items():
            place = told
            *parents, last = name.split(".")
            for parent in parents:
                place = place.setdefault(parent, {})
            place[last] = value
        path.write_text(json.dumps(told | {"noise": self.noise}, indent=1) + "\n")


def read(path: Path) -> tuple[Figures, bool]:
    """The figures of a stored run, and whether it was a quick one."""
    told = json.loads(path.read_text())
    figures = Figures()
    figures.noise = told.pop("noise")
    told.pop("machine")
    quick = told.pop("quick")
    figures.values = dict(_flat(told))
    return figures, quick


def _flat(told: dict[str, Any], before: str = "") -> Iterable[tuple[str, float]]:
    for name, value in told.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, value


def machine() -> dict[str, object]:
    return {"cores": os.cpu_count(), "python": platform.python_version(), "cpu": _processor()}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def table(figures: Figures) -> str:
    """All figures, a request or a single figure on each line."""
    rows: dict[str, dict[str, str]] = {}
    for name, value in figures.values.items():
        stem, _, last = name.rpartition(".")
        is_request = last in COLUMNS and f"{stem}.cpu_ms" in figures.values
        row, column = (stem, last) if is_request else (name, "figure")
        rows.setdefault(row, {})[column] = f"{value:,.5g}" if value < 1e5 else f"{value:,.0f}"
        if column in {"figure", "cpu_ms"}:
            rows[row]["noise"] = f"{100 * figures.noise.get(name, 0):.0f} %"
    heads = ("figure", "noise", *COLUMNS)
    cells = [[row, *(told.get(head, "") for head in heads)] for row, told in rows.items()]
    return _aligned([["", *heads], *cells])


def _aligned(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def slower(before: Figures, now: Figures) -> list[str]:
    """What is worse than in the stored run by more than the noise of both; a line each.

    CPU time is compared in yardsticks where it was taken in them, since machines differ.
    """
    found = []
    for name, old in before.values.items():
        new = now.values.get(name)
        if new is None or not old or _is_also_a_ratio(name, before):
            continue
        more_is_better = any(part in name for part in MORE_IS_BETTER)
        worse = (old - new if more_is_better else new - old) / old
        noise = before.noise.get(name, 0.0) + now.noise.get(name, 0.0)
        least = LEAST_NOISE_OF_BYTES if name.endswith("bytes") else LEAST_NOISE
        if worse > max(noise, least):
            found.append(
                f"{name}: {old:,.5g} before, {new:,.5g} now: {100 * worse:.0f} % worse, "
                f"and the noise is {100 * noise:.0f} %"
            )
    return found


def _is_also_a_ratio(name: str, figures: Figures) -> bool:
    stem, _, last = name.rpartition(".")
    ratios = f"{stem}.cpu_ratio"
    return last.startswith("cpu_ms") and any(one.startswith(ratios) for one in figures.values)
