"""A digest of many tables: what is due next in full, a line for the rest, and never too long."""

from datetime import timedelta

import pytest

from games.models import OutboxEmail
from games.services.email import delivery
from games.services.lobby.settings import LONGEST_NAME
from games.services.operations import sample_games
from games.services.people.joining import MOST_GAMES
from tests.support.client import person
from tests.support.sent_emails import bodies
from tests.support.tables import MONDAY, seats_to_move, submit_move, table_settings

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

LONGEST_DIGEST = 90_000
PEOPLE = "Anna Boris Clara Dora Emil Fritz Gustav Hanna Jakob Karl Marta Nina"
EVENING = MONDAY.replace(hour=18)


@pytest.mark.full
@pytest.mark.long(after=1)
@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_digest_of_somebody_who_plays_everywhere(smtp, language):
    letter = "ж" if language == "ru" else "w"
    names = [f"{number:02} ".ljust(LONGEST_NAME, letter) for number in range(MOST_GAMES)]
    anna, boris, *hosts = [person(name) for name in PEOPLE.split()]
    for number, name in enumerate(names):
        time = timedelta(days=2, hours=number)
        settings = table_settings(name=name, size=3, move_time=time)
        game = sample_games.open_table(settings, hosts[number % 10], anna, boris, now=MONDAY)
        while seats_to_move(game)[0].user.name != "Anna":
            submit_move(game, seats_to_move(game)[0].user, MONDAY)
            game.refresh_from_db()
    anna.digest_emails, anna.digest_hour = ["your_turn", "game_started"], 18
    anna.language, anna.time_zone = language, "UTC"
    anna.save()
    OutboxEmail.objects.exclude(person=anna).delete()
    delivery.drain(now=EVENING)
    [mail] = [one for one in smtp.messages if one["To"] == anna.email]
    text, html = bodies(mail)
    assert len(html.encode()) < LONGEST_DIGEST
    for body in (text, html):
        assert all(name.strip() in body for name in names)
        places = [body.index(name.strip()) for name in names]
        assert places == sorted(places)
    assert mail["List-Unsubscribe"].strip("<>") in text
    assert html.rindex("/unsubscribe/") > html.rindex(names[-1].strip())
    assert html.count("<h2") == text.count("-" * 40)
    assert 8 <= html.count("<h2") < MOST_GAMES
    assert not OutboxEmail.objects.exclude(status="sent").exists()
