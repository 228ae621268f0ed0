"""People and games for the harness, made by the site's own services in a process of its own.

`python -m tests.faults.seed '{"games": 6, "seconds": 20}'` prints the people's session cookies.
"""

import json
import sys
from datetime import timedelta
from typing import Any


def main(given: dict[str, Any]) -> None:
    import django

    django.setup()
    people = []
    for number in range(given.get("first", 0), given.get("first", 0) + given["games"]):
        people += open_game(number, given)
    sys.stdout.write(json.dumps(people) + "\n")


def open_game(number: int, given: dict[str, Any]) -> list[dict[str, Any]]:
    """A game that has begun, of people who play nowhere else; who they are."""
    from allauth.account.models import EmailAddress
    from django.conf import settings
    from django.test import Client
    from django.utils import timezone

    from games.engine import EDITIONS
    from games.models import User
    from games.services.lobby import tables
    from tests.support.tables import table_settings

    editions = [given["edition"]] if "edition" in given else list(EDITIONS)
    now = timezone.now()
    zone = "UTC" if 8 <= now.hour < 20 else "Pacific/Honolulu"  # at night some are not asked
    names = [f"{name} {number}" for name in ("Anna", "Boris", "Clara", "David")]
    names = names[: given.get("size", 4)]
    # Made before they sit down, since what they are asked there depends on their zone.
    for name in names:
        address = f"{name.replace(' ', '.').lower()}@example.org"
        user = User.objects.create_user(
            email=address, name=name, password="not so secret", time_zone=zone
        )
        EmailAddress.objects.create(user=user, email=address, primary=True, verified=True)
    users = list(User.objects.filter(name__in=names))
    agreed = table_settings(
        name=f"Table {number}",
        edition=editions[number % len(editions)],
        size=len(names),
        move_time=timedelta(seconds=given["seconds"]),
    )
    game = tables.open_table(host=users[0], settings=agreed, now=now)
    for user in users[1:]:
        tables.join(game_id=game.pk, user=user, now=now)
    text = []
    for user in users:
        client = Client()
        client.force_login(user)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME]
        text.append({"user": user.pk, "cookie": f"{cookie.key}={cookie.value}"})
    return text


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
