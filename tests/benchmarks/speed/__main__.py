"""How fast the site is: everything by one command, on a site of its own with production settings.

docs/performance.md says what the figures mean.
"""

import argparse
import os
import signal
import sys
from pathlib import Path

import django

from tests.benchmarks.speed import figures as kept
from tests.benchmarks.speed.sizes import QUICK, Sizes
from tests.benchmarks.speed.stage import Stage

PARTS = (
    "pages", "moves", "load", "live", "strangers", "sweep", "deadlines", "emails", "engine",
    "starts", "verify",
)  # fmt: skip


def main() -> None:
    given = _arguments()
    stored = _stored(given.compare, quick=given.quick) if given.compare else None
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that all processes are stopped
    sizes = QUICK if given.quick else Sizes()
    with Stage(sizes.sweep_seconds) as stage:
        os.environ |= stage.environment
        django.setup()
        stage.prepare()
        from tests.benchmarks.speed.bench import Bench  # it needs Django to be set up

        figures = Bench(stage, sizes).run([part for part in PARTS if part in given.only])
    print(kept.table(figures))
    if given.json:
        figures.write(given.json, quick=given.quick)
    if stored is not None:
        found = kept.slower(stored, figures)
        print("\n".join(["", f"Slower than {given.compare}:", *(found or ["nothing"])]))
        sys.exit(1 if found else 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bin/bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes: at most two minutes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    parser.add_argument(
        "--compare",
        type=Path,
        metavar="FILE",
        help="list what is slower than in FILE by more than the noise; exit with 1 if anything is",
    )
    parser.add_argument(
        "--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART", help=", ".join(PARTS)
    )
    return parser.parse_args()


def _stored(path: Path, *, quick: bool) -> kept.Figures:
    figures, was_quick = kept.read(path)
    if was_quick != quick:
        raise SystemExit(f"{path} is {'a' if was_quick else 'no'} quick run: it can't be compared.")
    return figures


if __name__ == "__main__":
    main()
