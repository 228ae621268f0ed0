"""The figures of all scenarios as one table, in the form of a reviewer's report."""

import json
import os
from pathlib import Path
from typing import Any

PROPERTY = "faults"
SUMMED = (
    "kills", "acknowledged", "lost", "duplicated", "misplaced", "told not played", "defaults",
    "early", "event gaps", "emails", "emails lost", "repeats (same ID)", "two emails with one ID",
    "your turn lost", "500s", "parked",
)  # fmt: skip


def table(scenarios: dict[str, dict[str, Any]]) -> str:
    """Markdown: a line for each scenario, and what they come to together."""
    lines = ["| scenario | result |", "|---|---|"]
    for name, text in scenarios.items():
        wrong = {key: count for key, count in text["wrong"].items() if count}
        zeros = [key for key, count in text["wrong"].items() if not count]
        parts = [f"**{key}: {count}**" for key, count in wrong.items()]
        parts += [f"{key}: {value}" for key, value in text["seen"].items()]
        parts += [f"0: {', '.join(zeros)}"] if zeros else []
        lines.append(f"| {name} | {'; '.join(parts)} |")
    together = {key: sum(_number(text, key) for text in scenarios.values()) for key in SUMMED}
    text = "; ".join(f"{key}: {count:,}" for key, count in together.items())
    return "\n".join([*lines, f"| **all** | {text} |"])


def _number(text: dict[str, Any], key: str) -> int:
    value = (text["wrong"] | text["seen"]).get(key, 0)
    return value if isinstance(value, int) else 0


def scenarios_of(reports: list[Any]) -> dict[str, dict[str, Any]]:
    """What the tests have recorded, by their reports, which also come from other processes."""
    found = {}
    for report in reports:
        for name, value in getattr(report, "user_properties", ()):
            if name == PROPERTY and report.when == "call":
                found |= json.loads(value)
    return dict(sorted(found.items()))


def tell(terminal: Any) -> None:
    """Print the table at the end of the tests, and write it where FAULTS_REPORT says."""
    reports = [report for kind in ("passed", "failed") for report in terminal.stats.get(kind, [])]
    scenarios = scenarios_of(reports)
    if not scenarios:
        return
    terminal.section("faults")
    terminal.write_line(table(scenarios))
    if file := os.environ.get("FAULTS_REPORT"):
        Path(file).write_text(table(scenarios) + "\n")
