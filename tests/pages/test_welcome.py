"""The front page: what the game is, a scene of it with a broken promise, and the ways in."""

import json
import re

import pytest
from django.test import Client

from games.engine.record import adjudicate
from games.presentation.scene import PAID, PROMISED, RECORD
from tests.support.client import forms_of, text_of

pytestmark = pytest.mark.django_db

LAST_WORDS = {
    "en": "Piet promised 10,000 and paid 1,000, so Nora sends his scholar away.",
    "de": "Piet hat 10.000 versprochen, aber nur 1.000 gezahlt. Also schickt Nora seinen "
    "Gelehrten fort.",
    "ru": "Пит обещал 10 000, а заплатил 1 000, и Нора прогоняет его учёного мужа.",  # noqa: RUF001
}


def front_page(language="en"):
    return Client().get("/", headers={"Accept-Language": language})


def scene_of(page):
    """What stands there without a script, and what only the script shows."""
    html = re.search(r'<figure class="scene">.*?</figure>', page.content.decode(), re.DOTALL)[0]
    before = re.findall(r"<template>.*?</template>", html, re.DOTALL)
    return re.sub(r"<template>.*?</template>", "", html, flags=re.DOTALL), before


def scholars_in(html, start, end):
    return re.findall(r'data-scholar="([^"]+)"', html.partition(start)[2].partition(end)[0])


def test_the_record_of_the_scene_holds_a_broken_promise():
    result, moves = adjudicate(json.loads(json.dumps(RECORD)))
    assert moves == 3
    assert "error" not in result
    assert result["promises"] == [{"id": 1, "verdict": "broken", "move": 0}]
    assert (PROMISED, PAID) == (10_000, 1_000)
    assert result["final"]["island"] == ["green-clerk-1", "red-clerk-1", "red-doctor-1"]


@pytest.mark.parametrize("language", LAST_WORDS)
def test_the_last_picture_is_there_without_a_script(language):
    page = front_page(language)
    still, before = scene_of(page)
    assert LAST_WORDS[language] in " ".join(re.sub("<[^>]+>", " ", still).split())
    assert still.count('<use href="#seal-broken"/>') == 2  # beside Piet's name, and in the caption
    assert scholars_in(still, 'class="island"', "</article>") == [
        "green-clerk-1", "red-doctor-1", "red-clerk-1",
    ]  # fmt: skip
    assert len(before) == 2


def test_the_script_shows_the_promise_and_the_bribes_before():
    promised, paid = scene_of(front_page())[1]
    for html in (promised, paid):
        door = scholars_in(html, 'class="door"', 'class="home"')
        assert door == ["red-clerk-1", "blue-clerk-1"]
    assert re.findall(r'data-amount="(\d+)"', promised) == []
    assert re.findall(r'data-amount="(\d+)"', paid) == ["1000", "2000"]
    assert ("seal-broken" in promised, "seal-broken" in paid) == (False, True)


def test_nobody_on_the_front_page_is_to_move_or_seen_with_money():
    html = front_page().content.decode()
    assert "to move" not in html
    assert 'class="cash"' not in html


def test_one_tap_leads_into_a_first_game_and_links_to_all_else():
    page = front_page()
    html = page.content.decode()
    assert forms_of(html) == {"/first-game/": {}}
    assert html.count("<h1") == 1
    for address in ("/accounts/signup/", "/accounts/login/", "/rules/"):
        assert f'href="{address}"' in html
    assert "nobody has to keep them" in text_of(page)


def test_where_nobody_plays_a_first_game_there_is_no_button(settings):
    settings.SIGN_UP = "invited"
    assert "takes ten minutes" in text_of(front_page())
    assert "you don't need an account" not in text_of(front_page())


@pytest.mark.parametrize(("watching", "leads_there"), [("anyone", True), ("members", False)])
def test_it_leads_to_the_open_tables_where_strangers_may_look(settings, watching, leads_there):
    settings.WATCHING = watching
    assert ('<a href="/tables/">Open tables</a>' in front_page().content.decode()) is leads_there
