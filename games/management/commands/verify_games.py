"""`manage.py verify_games`: replay every stored game and compare."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.services.game import verify

GAMES_BETWEEN_PROGRESS = 100


class Command(BaseCommand):
    help = (
        "Replay every stored game from its events and from its moves, and compare the result with "
        "the stored state. Changes nothing. Exits with 0 if all agree, otherwise with 1."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", type=int, metavar="ID", help="only this one")

    def handle(self, *_arguments: Any, game: int | None, **_options: Any) -> None:
        if game is not None and not verify.has_started(game):
            raise CommandError(f"There is no game {game} that has started.")
        wrong = looked_at = 0
        for game_id in verify.stored_games() if game is None else [game]:
            faults = verify.verify_game(game_id)
            looked_at += 1
            wrong += bool(faults)
            for fault in faults:
                self.stdout.write(f"Game {game_id}: {fault}")
            if looked_at % GAMES_BETWEEN_PROGRESS == 0:
                self.stderr.write(f"{looked_at} games ...")
        self.stdout.write(f"Games replayed: {looked_at}; with faults: {wrong}.")
        if wrong:
            sys.exit(1)
