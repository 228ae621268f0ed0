"""Plays on in every running game of the database, as its players would by the site.

Prints how many moves were played, by edition, as JSON.
"""

import json
import os
import sys
from collections import Counter

import django


def main() -> None:
    django.setup()
    from django.utils import timezone

    from games.engine import default_move
    from games.models import Game
    from games.services.operations.scenarios import submit, to_move

    played: Counter[str] = Counter()
    for game in Game.objects.going_on():
        for _ in range(5):
            asked = to_move(game)
            if not asked:
                break
            seat, user = asked[0]
            before = game.events.count()
            submit(game, user, default_move(game.decoded(), seat.drawn_number), timezone.now())
            if game.events.count() == before:
                sys.exit(f"The move in {game} was not played.")
            played[game.edition] += 1
    sys.stdout.write(json.dumps(played))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "intrigue_site.settings")
    main()
