"""How deadlines work, on a page of the site: with its own numbers, and pages lead there."""

import pytest
from django.test import Client

from games.services.game import absence, extra_time
from games.services.lobby.settings import MOST_TALK
from tests.support.client import browser, person, text_of
from tests.support.guests import arrive
from tests.support.tables import open_table, seats_to_move

pytestmark = pytest.mark.django_db

PAGE = "/deadlines/"


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en", "How deadlines work"),
        ("de", "Wie Fristen funktionieren"),
        ("ru", "Как устроены сроки"),
    ],
)
def test_everybody_can_read_it(language, title):
    for reader in (Client(), browser(person("Anna", language=language))):
        page = reader.get(PAGE, headers={"Accept-Language": language})
        assert page.status_code == 200
        assert f"<h1>{title}</h1>" in page.content.decode()


def test_a_guest_can_read_it():
    guest = Client()
    arrive(guest)
    assert guest.get(PAGE).status_code == 200


def test_it_takes_its_numbers_from_the_rules():
    text = text_of(Client().get(PAGE))
    for sentence in (
        "from 5 minutes to 7 days",
        "when 80% of your time has passed, and a second one 2 hours before the deadline",
        "If you miss 2 in a row, or 3 of your last 8 deadlines",
        "You have 7 for the whole game",
        "at least 2 yes votes",
        "up to 3 times in a game",
        "up to 48 hours of negotiation time",
        "After 14 days, the game ends",
        "deleted 2 days after your last visit",
    ):
        assert sentence in text
    assert (absence.RULE, extra_time.MOST_TIMES) == ((2, 3, 8), 3)
    assert MOST_TALK.total_seconds() == 48 * 3600


@pytest.mark.full
def test_whatever_talks_about_deadlines_leads_there():
    waiting, running = open_table("Dora", size=3), open_table("Anna", "Boris", "Clara")
    mover = browser(seats_to_move(running)[0].user)
    in_the_foot = Client().get("/").content.decode()
    assert f'<a href="{PAGE}">Deadlines</a>' in in_the_foot
    link = f'<a href="{PAGE}">How deadlines work</a>'
    game = mover.get(running.get_absolute_url()).content.decode()
    assert link in game.partition('class="default-move"')[2].partition("</p>")[0]
    assert link in game.partition("<summary>Table settings")[2]
    for address in ("/tables/new/", "/rules/", waiting.get_absolute_url()):
        assert link in mover.get(address).content.decode(), address
