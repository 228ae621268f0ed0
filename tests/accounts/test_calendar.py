"""Deadlines in a calendar: at an address that can be renewed, and only one's own."""

from datetime import timedelta

import pytest
from django.test import Client
from icalendar import Calendar

from games.models import User
from games.services.accounts import calendar
from tests.support.client import browser, person
from tests.support.tables import DAY, MONDAY, answer, awaited_seats, open_table

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
    [seat] = awaited_seats(game)
    address = with_calendar(seat.user)
    [event] = events(address)
    assert event["SUMMARY"] == "Your move: The Venice table"
    assert event["URL"] == event["DESCRIPTION"] == f"http://localhost:8000{game.get_absolute_url()}"
    assert event.decoded("DTSTART") == seat.deadline_at
    assert "DTEND" not in event

    moved_to = seat.deadline_at + DAY
    seat.deadline_at = moved_to + timedelta(seconds=36, microseconds=5)
    seat.save()
    [moved] = events(address)
    assert (moved["UID"], moved.decoded("DTSTART")) == (event["UID"], moved_to)

    answer(game, seat.user, MONDAY)
    awaited = {one.user for one in awaited_seats(game)}
    waiting, *_ = {one.user for one in game.seats.select_related("user")} - awaited - {seat.user}
    assert events(with_calendar(waiting)) == []
    assert len(events(address)) == (seat.user in awaited)


def test_it_is_in_the_language_of_its_owner_and_names_what_they_named():
    game = open_table("Anna", "Boris", "Clara", name="Rialto; 1, two\n")
    [seat] = awaited_seats(game)
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
    answered = read(address)
    assert answered["Content-Type"] == "text/calendar; charset=utf-8"
    assert "private" in answered["Cache-Control"]


def test_strangers_have_no_calendar():
    assert Client().post(TURN, {"turn": "on"}).status_code == 302
    assert not User.objects.exclude(calendar=0).exists()
