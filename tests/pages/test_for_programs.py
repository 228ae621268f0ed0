"""What programs read of the site is valid, also where there is nothing to show yet.

The calendar is tested in tests/accounts/test_calendar.py, security.txt in
tests/operations/test_legal.py.
"""

import json
from urllib.robotparser import RobotFileParser

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils import timezone

from games.engine.record import adjudicate
from games.features.export.contents import contents_of
from games.models import Game
from tests.support.client import browser, person
from tests.support.tables import MONDAY, open_table, seat_of

pytestmark = pytest.mark.django_db


def test_the_manifest():
    response = Client().get("/manifest.webmanifest")
    assert response["Content-Type"] == "application/manifest+json"
    told = json.loads(response.content)
    assert {"name", "short_name", "id", "start_url", "display", "icons"} <= told.keys()
    assert told["start_url"].startswith("/")
    assert told["display"] in {"fullscreen", "standalone", "minimal-ui", "browser"}
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in told["icons"]}
    for icon in told["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/")), icon


@pytest.mark.parametrize("are_welcome", [False, True])
def test_robots_txt(settings, are_welcome):
    settings.ROBOTS = are_welcome
    response = Client().get("/robots.txt")
    robots = RobotFileParser()
    robots.parse(response.content.decode().splitlines())
    assert robots.can_fetch("anybody", "/rules/")
    assert robots.can_fetch("anybody", "/tables/watch/") is are_welcome
    for program in ("anybody", "Twitterbot"):
        assert not robots.can_fetch(program, "/people/1/")
    [everybody, *_previews] = response.content.decode().split("\n\n")
    for page in ("seat/", "invitation.png"):
        closed = f"/tables/*/{page}" if are_welcome else "/tables/"
        assert f"Disallow: {closed}" in everybody.splitlines()
    assert robots.can_fetch("Twitterbot", "/tables/abc/invitation.png")
    assert robots.can_fetch("Twitterbot", "/tables/abc/"), "A preview is no listing."
    assert response["Content-Type"] == "text/plain; charset=utf-8"


@pytest.mark.parametrize("name", ["Rialto", "!?", '«Ж» "1"', "\u202eabc"])
def test_the_record_of_a_game_that_ended_before_its_first_move(name):
    game = open_table("Anna", "Boris", "Clara", name=name)
    Game.objects.filter(pk=game.pk).update(
        status="cancelled", deadline_at=None, finished_at=timezone.now()
    )
    response = browser(seat_of(game, "Anna").user).get(f"{game.get_absolute_url()}record/")
    assert response["Content-Type"] == "application/json"
    assert response["Content-Disposition"].startswith("attachment; filename")
    record = json.loads(response.content)
    assert (record["moves"], record["name"]) == ([], name)
    result, played = adjudicate(record)
    assert "error" not in result, result
    assert (played, result["final"]["round"]) == (0, 1)


def test_the_export_of_somebody_who_has_done_nothing():
    told = json.loads(json.dumps(contents_of(person("Rosa"), MONDAY)))
    assert told["format"] == "intrigue-export/1"
    assert told["games"] == []
    assert None not in told.values()
