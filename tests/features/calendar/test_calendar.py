"""Deadlines in a calendar: at an address that can be renewed, and only one's own."""

from datetime import timedelta

import pytest
from django.test import Client
from icalendar import Calendar

from games.features.calendar import feed as calendar
from games.features.guide import first_game
from games.models import Game, Seat, User
from games.services.moderation.actions import timing
from tests.support.client import browser, person
from tests.support.moderators import request_of_nora
from tests.support.tables import DAY, MONDAY, open_table, seats_to_move, submit_move

pytestmark = pytest.mark.django_db
TURN = "/accounts/calendar/"


def with_calendar(user):
    assert browser(user).post(TURN, {"turn": "on"})["Location"] == "/accounts/notifications/"
    user.refresh_from_db()
    return calendar.address_of(user)


def read(address):
    return Client().get(address.removeprefix("http://localhost:8000"))


def events(address):
    return Calendar.from_ical(read(address).content).walk("VEVENT")


def test_each_game_that_waits_is_an_event_at_its_deadline_which_moves_with_it():
    game = open_table("Anna", "Boris", "Clara")
    [seat] = seats_to_move(game)
    address = with_calendar(seat.user)
    [event] = events(address)
    assert event["SUMMARY"] == "Your move: The Venice table"
    assert event["URL"] == event["DESCRIPTION"] == f"http://localhost:8000{game.get_absolute_url()}"
    assert event.decoded("DTSTART") == seat.deadline_at
    assert event.decoded("DURATION") == timedelta(minutes=15)
    assert "VALARM" not in [part.name for part in event.subcomponents]

    moved_to = seat.deadline_at + DAY
    seat.deadline_at = moved_to + timedelta(seconds=36, microseconds=5)
    seat.save()
    [moved] = events(address)
    assert (moved["UID"], moved.decoded("DTSTART")) == (event["UID"], moved_to)

    submit_move(game, seat.user, MONDAY)
    to_move = {one.user for one in seats_to_move(game)}
    waiting, *_ = {one.user for one in game.seats.select_related("user")} - to_move - {seat.user}
    assert events(with_calendar(waiting)) == []
    assert len(events(address)) == (seat.user in to_move)


def test_it_is_in_the_language_of_its_owner_and_names_what_they_named():
    game = open_table("Anna", "Boris", "Clara", name="Rialto; 1, two\n")
    [seat] = seats_to_move(game)
    User.objects.filter(pk=seat.user_id).update(language="de")
    [event] = events(with_calendar(seat.user))
    assert event["SUMMARY"].startswith("Dein Zug: Rialto; 1, two")


def test_a_new_address_ends_the_old_one_and_turning_it_off_ends_all():
    rosa = person("Rosa")
    assert calendar.address_of(rosa) == ""
    first = with_calendar(rosa)
    second = with_calendar(rosa)
    assert [read(one).status_code for one in (first, second)] == [404, 200]
    browser(rosa).post(TURN, {"turn": "off"})
    rosa.refresh_from_db()
    assert calendar.address_of(rosa) == ""
    third = with_calendar(rosa)
    assert [read(one).status_code for one in (first, second, third)] == [404, 404, 200]


def test_a_forged_address_and_that_of_a_banned_person_lead_nowhere():
    rosa = person("Rosa")
    address = with_calendar(rosa)
    number = address.rpartition("/")[2]
    for forged in (f"x{number}", number.replace(":", ":x"), "1.ics", "a:b.ics"):
        assert Client().get(f"/calendar/{forged}").status_code == 404
    User.objects.filter(pk=rosa.pk).update(is_active=False)
    assert read(address).status_code == 404


def test_the_page_shows_the_address_to_its_owner_alone_and_nobody_may_keep_it():
    rosa, boris = person("Rosa"), person("Boris")
    address = with_calendar(rosa)
    assert address in browser(rosa).get("/accounts/notifications/").content.decode()
    assert address not in browser(boris).get("/accounts/notifications/").content.decode()
    response = read(address)
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    assert "private" in response["Cache-Control"]


def test_strangers_have_no_calendar():
    assert Client().post(TURN, {"turn": "on"}).status_code == 302
    assert not User.objects.exclude(calendar=0).exists()


def complaints(content: bytes) -> list[str]:
    """What RFC 5545 forbids in a calendar, by rule."""
    text = content.decode()
    lines = text.split("\r\n")
    found = ["ends of lines"] if "\n" in text.replace("\r\n", "") or lines.pop() else []
    found += [f"too long: {line}" for line in lines if len(line.encode()) > 75]
    read = Calendar.from_ical(content)
    found += [f"no {name}" for name in ("PRODID", "VERSION") if name not in read]
    found += ["empty"] if not read.subcomponents else []
    for part in read.subcomponents:
        wanted = {"VEVENT": ("UID", "DTSTAMP", "DTSTART"), "VTIMEZONE": ("TZID",)}[part.name]
        found += [f"{part.name} without {name}" for name in wanted if name not in part]
        if part.name == "VTIMEZONE" and not part.subcomponents:
            found.append("VTIMEZONE without a rule")
        if part.name == "VEVENT":
            found += ["both ends"] if {"DTEND", "DURATION"} <= set(part) else []
            stamps = (part.decoded(name) for name in ("DTSTAMP", "LAST-MODIFIED", "DTSTART"))
            found += ["not in UTC" for at in stamps if at.utcoffset() != timedelta()]
        for alarm in part.walk("VALARM"):
            found += [one for one in ("ACTION", "TRIGGER", "DESCRIPTION") if one not in alarm]
    keys = [event["UID"] for event in read.walk("VEVENT")]
    return [*found, *(["a key twice"] if len(set(keys)) < len(keys) else [])]


@pytest.mark.full
def test_it_is_valid_when_empty_with_one_and_with_two_entries():
    rosa = person("Rosa")
    address = with_calendar(rosa)
    assert complaints(read(address).content) == []
    assert events(address) == []
    [zone] = Calendar.from_ical(read(address).content).subcomponents
    assert (zone.name, zone["TZID"]) == ("VTIMEZONE", "Etc/UTC")
    first = open_table("Anna", "Boris", "Clara", name=30 * "Ж")
    second = open_table("Dora", "Emil", "Fritz", name="Rialto; 1, two")
    [seat] = seats_to_move(first)
    address = with_calendar(seat.user)
    for count in (1, 2):
        for query in ("", "?alarm=60"):
            content = read(address + query).content
            assert complaints(content) == []
            assert len(Calendar.from_ical(content).walk("VEVENT")) == count
        [other] = seats_to_move(second)
        Seat.objects.filter(pk=other.pk).update(user=seat.user)


def test_an_entry_that_moves_is_the_same_with_a_higher_number():
    game = open_table("Anna", "Boris", "Clara")
    [seat] = seats_to_move(game)
    address = with_calendar(seat.user)
    [first] = events(address)
    assert first["SEQUENCE"] == seat.deadline_version
    assert first.decoded("LAST-MODIFIED") == first.decoded("DTSTAMP") == MONDAY
    assert read(address).content == read(address).content
    request = request_of_nora(game)._replace(now=MONDAY + timedelta(hours=2))
    timing.extend(request, time=DAY)
    [moved] = events(address)
    assert moved["UID"] == first["UID"]
    assert moved["SEQUENCE"] == first["SEQUENCE"] + 1
    assert moved.decoded("DTSTART") == first.decoded("DTSTART") + DAY
    assert moved.decoded("LAST-MODIFIED") == MONDAY + timedelta(hours=2)
    assert complaints(read(address).content) == []


def test_people_who_want_an_alarm_have_one():
    game = open_table("Anna", "Boris", "Clara")
    [seat] = seats_to_move(game)
    address = with_calendar(seat.user)
    page = browser(seat.user).get("/accounts/notifications/").content.decode()
    assert f"{address}?alarm=60" in page
    [event] = events(f"{address}?alarm=60")
    [alarm] = event.walk("VALARM")
    assert alarm.decoded("TRIGGER") == timedelta(hours=-1)
    assert alarm["DESCRIPTION"] == event["SUMMARY"]
    for wrong in ("0", "-5", "x", "\u0663", "10081", "9" * 500, ""):
        [event] = events(f"{address}?alarm={wrong}")
        assert event.walk("VALARM") == []


def test_a_game_without_deadlines_is_not_in_it():
    anna = person("Anna")
    first_game.begin(user=anna, now=MONDAY)
    assert seats_to_move(Game.objects.get())[0].user == anna
    assert events(with_calendar(anna)) == []
