"""`manage.py adjudicate FILE`: play game records, without a database."""

import json
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand

from games.engine.errors import BadRecord
from games.engine.record import adjudicate, bad_record
from games.record_files import name_in, parse_record, records_in


class Command(BaseCommand):
    help = (
        "Play every game record of FILE (- for standard input) and print one JSON object a line "
        "for each. The exit status is 0 where every record was played to its last move, 1 where "
        "any was not, 2 where the file cannot be read."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a record, or JSON Lines; - for input")
        parser.add_argument("--steps", action="store_true", help="print all states, not the last")

    def handle(self, *, file: str, steps: bool, **options: Any) -> None:
        try:
            stream = sys.stdin.buffer if file == "-" else Path(file).open("rb")  # noqa: SIM115
        except OSError as reason:
            self.stderr.write(f"{file} cannot be opened: {reason.strerror}.")
            sys.exit(2)
        try:
            with stream:
                complete = self.adjudicate_all(stream, steps=steps)
        except UnicodeDecodeError as reason:
            self.stderr.write(f"{file} is no UTF-8 text: {reason.reason}.")
            sys.exit(2)
        sys.exit(0 if complete else 1)

    def adjudicate_all(self, stream: BinaryIO, *, steps: bool) -> bool:
        """Print the answer to every record; say whether all were played to their last move."""
        began = time.perf_counter()
        played = 0
        complete = True
        for answer, moves in self.answers(records_in(stream), steps=steps):
            self.stdout.write(json.dumps(answer))
            played += moves
            complete = complete and "error" not in answer
        seconds = max(time.perf_counter() - began, 1e-9)
        self.stderr.write(
            f"{played} moves in {seconds:.2f} s: {played / seconds:,.0f} moves a second."
        )
        return complete

    def answers(self, texts: Iterable[str], *, steps: bool) -> Iterable[tuple[dict[str, Any], int]]:
        for text in texts:
            try:
                value = parse_record(text)
            except BadRecord as reason:
                yield bad_record(name_in(text), str(reason), with_steps=steps), 0
            else:
                yield adjudicate(value, with_steps=steps)
