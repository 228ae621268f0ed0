"""What nobody can see is nothing that was written, wherever words are written for others."""

from uuid import uuid4

import pytest
from django.utils import timezone

from games.models import Acquaintance, Game, Message, Note, PrivateMessage, Report
from games.presentation.text.cities import city_table
from games.services.clean_text import tidy
from games.services.game.notes import keep_notes
from games.services.people import acquaintances
from games.unseen import shows_something
from tests.support.client import browser, forms_of, person, text_of
from tests.support.moderators import (
    act,
    act_on,
    administrator,
    confirmed,
    moderator,
)
from tests.support.reporting import hand_in, message_page, say
from tests.support.sites import site_url
from tests.support.tables import open_table, seat_of
from tests.support.whispering import thread_of

pytestmark = pytest.mark.django_db
UNSEEN = {
    "zero width space": "\u200b",
    "joiner": "\u200d",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "direction": "\u200e\u200f\u202e\u2066",
    "braille blank": "\u2800",
    "hangul filler": "\u3164\u115f\uffa0",
    "soft hyphen": "\u00ad",
    "variation": "\ufe0f",
    "tags": "\U000e0041\U000e007f",
    "accent alone": "\u0301",
    "null note": "\U0001d159",
    "mixed with spaces": " \u200b\n\u2800\u00a0\u3000 ",
}
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
SEEN = [
    "?",
    "…",
    "👍",
    "❤\ufe0f",
    FAMILY,
    "🏳\ufe0f\u200d🌈",
    "🇩🇪",
    "1\ufe0f\u20e3",
    "☎",
    "ক্\u200dষ",
]
BLANK = UNSEEN["mixed with spaces"]


@pytest.fixture
def game() -> Game:
    return open_table("Anna", "Boris", "Clara", now=timezone.now(), press="private")


@pytest.mark.parametrize("text", UNSEEN.values(), ids=UNSEEN.keys())
def test_it_is_nothing(text):
    assert not shows_something(text)
    assert tidy(text) == ""


@pytest.mark.full
@pytest.mark.parametrize("text", SEEN)
def test_pictures_and_signs_are_something_and_stay_as_they_are(game, text):
    assert tidy(text) == text
    anna = seat_of(game, "Anna").user
    page = f"{game.get_absolute_url()}talk/"
    assert (
        browser(anna).post(page, {"talk-text": text, "talk-token": str(uuid4())}).status_code == 302
    )
    assert Message.objects.get().text == text


@pytest.mark.full
@pytest.mark.parametrize("text", UNSEEN.values(), ids=UNSEEN.keys())
def test_it_is_no_message(game, text):
    client, page = browser(seat_of(game, "Anna").user), f"{game.get_absolute_url()}talk/"
    answered = client.post(page, {"talk-text": text, "talk-token": str(uuid4())})
    assert answered.status_code == 422
    assert not Message.objects.exists()


class TestElsewhere:
    def test_in_private(self, game):
        anna, other = seat_of(game, "Anna"), seat_of(game, "Boris")
        thread = thread_of(game, anna.number, other.number, now=timezone.now())
        page = f"{game.get_absolute_url()}private/{thread.token}/say/"
        answered = browser(anna.user).post(page, {"text": BLANK, "token": str(uuid4())})
        assert answered.status_code == 422
        assert not PrivateMessage.objects.exists()

    def test_in_place_of_what_was_said(self, game):
        message = say(game, "Anna", "Hello!")
        page = f"{game.get_absolute_url()}talk/{message.pk}/edit/"
        assert browser(seat_of(game, "Anna").user).post(page, {"text": BLANK}).status_code == 422
        message.refresh_from_db()
        assert message.text == "Hello!"

    def test_in_notes(self, game):
        anna = seat_of(game, "Anna").user
        keep_notes(game=game, user=anna, text=BLANK, now=timezone.now())
        assert not Note.objects.exists()

    def test_in_a_report(self, game):
        message = say(game, "Boris", "A cow!")
        answered = hand_in(browser(seat_of(game, "Anna").user), message_page(message), why=BLANK)
        assert answered.status_code == 422
        assert not Report.objects.exists()

    def test_in_the_name_and_the_description_of_a_table(self):
        anna = browser(person("Anna"))
        form = {
            name: field.value
            for name, field in forms_of(anna.get("/tables/new/").content.decode())[""].items()
            if field.value
        }
        answered = anna.post("/tables/new/", form | {"name": "\u200b", "description": BLANK})
        assert answered.status_code == 302, text_of(answered)
        game = Game.objects.get()
        assert (game.name, game.description) == (city_table(game.seed), "")

    def test_beside_people_who_know_each_other(self):
        anna, boris = person("Anna"), person("Boris")
        acquaintances.declare(user=anna, other_id=boris.pk, now=timezone.now(), note=BLANK)
        assert Acquaintance.objects.get().note == ""

    @pytest.mark.sample(1)
    @pytest.mark.parametrize(
        ("slug", "filled"),
        [
            ("pause", {"reason": BLANK}),
            ("rename", {"name": "\u200b"}),
            ("referee", {"text": BLANK}),
        ],
    )
    def test_from_moderators(self, game, slug, filled):
        answered = act(browser(moderator()), game, slug, **filled)
        assert answered.status_code == 422
        assert not Message.objects.exists()

    @pytest.mark.full
    def test_about_people_and_to_everybody(self, game):
        boris = seat_of(game, "Boris").user
        assert act_on(browser(moderator()), boris, "note", text=BLANK).status_code == 422
        assert act_on(browser(moderator("Nora")), boris, "warn", reason=BLANK).status_code == 422
        nadja = browser(administrator())
        answered = confirmed(nadja, site_url("notice"), {"text": BLANK, "until": ""})
        assert answered.status_code == 422
