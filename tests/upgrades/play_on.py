"""Plays on in every running game of the database, as its players would by the site.

First, whoever has been made an offer accepts it, in front of all and in private. Prints how many
moves were played, by edition, and how many offers were accepted, as JSON.
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
    from games.services.operations.sample_games import people_to_move, submit

    played: Counter[str] = Counter()
    accepted = 0
    for game in Game.objects.going_on():
        accepted += accept_offers(game)
        for _ in range(5):
            asked = people_to_move(game)
            if not asked:
                break
            seat, user = asked[0]
            before = game.events.count()
            submit(game, user, default_move(game.decoded(), seat.drawn_number), timezone.now())
            if game.events.count() == before:
                sys.exit(f"The move in {game} was not played.")
            played[game.edition] += 1
    sys.stdout.write(json.dumps({"moves": played, "accepted": accepted}))


def accept_offers(game) -> int:
    """Accept all open offers of a game that are made to people; how many there were."""
    from django.utils import timezone

    from games.engine.ledger import Status
    from games.services.chat.promises import reply_to_offer
    from games.services.game.offers import stored_offers

    accepted, now = 0, timezone.now()
    table = game.decoded().table
    people = {seat.drawn_number: seat.user for seat in game.seats.all() if seat.user}
    for among, ledger in [("", game), *((thread.token, thread) for thread in game.threads.all())]:
        offers = stored_offers(ledger, table)
        for made, entry in zip(offers.made, offers.ledger, strict=True):
            if entry.status is Status.OPEN and entry.other in people:
                reply_to_offer(
                    game_id=game.pk,
                    user=people[entry.other],
                    made_at=made,
                    given=Status.ACCEPTED,
                    now=now,
                    among=among,
                )
                accepted += 1
    return accepted


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "intrigue_site.settings")
    main()
