"""The page of a person in the admin: what a moderator sees of them, and what never."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from games.admin.actions.on_people import ON_PEOPLE
from games.models import Game, Order, OutboxEmail, User
from games.services.chat import messages
from games.services.game import notes
from games.services.lobby import invitations, tables
from games.services.operations import clock
from tests.support.client import browser, person, text_of
from tests.support.moderators import (
    act_on,
    administrator,
    marta_acts_on,
    moderator,
    person_act_url,
)
from tests.support.tables import DAY, open_table, seat_of, seats_to_move, table_settings, tick

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def marta() -> Client:
    return browser(moderator())


def page_of(user: User) -> str:
    return f"/admin/games/user/{user.pk}/change/"


def offered(client: Client, user: User) -> list[str]:
    """The acts that the page offers."""
    page = client.get(page_of(user)).content.decode()
    return re.findall(rf"/admin/games/user/{user.pk}/act/([a-z-]+)/", page)


@pytest.mark.full
def test_it_says_how_somebody_stands_and_offers_what_fits(marta):
    rosa = person("Rosa")
    assert "No active sanctions." in text_of(marta.get(page_of(rosa)))
    first = [
        "note", "warn", "rename", "mute", "suspend", "end-sessions", "second-factor", "ban",
        "clear-up",
    ]  # fmt: skip
    assert offered(marta, rosa) == first
    until = (timezone.now() + 3 * DAY).strftime("%Y-%m-%dT%H:%M")
    marta_acts_on(rosa, "warn")
    marta_acts_on(rosa, "mute", until=until)
    marta_acts_on(rosa, "suspend", until=until)
    marta_acts_on(rosa, "second-factor")
    said = text_of(marta.get(page_of(rosa)))
    for text in ("Suspended until", "Muted until", "Must use two-factor authentication."):
        assert text in said
    assert {"take-back-warning", "unmute", "lift-suspension", "no-second-factor"} < set(
        offered(marta, rosa)
    )
    marta_acts_on(rosa, "ban")
    assert "Banned." in text_of(marta.get(page_of(rosa)))
    assert offered(marta, rosa) == [
        "note", "take-back-warning", "rename", "unmute", "lift-suspension", "lift-ban",
        "no-second-factor", "clear-up",
    ]  # fmt: skip
    assert set(offered(marta, rosa)) < {action.slug for action in ON_PEOPLE}


@pytest.mark.full
def test_it_says_who_is_a_moderator_and_who_an_administrator(marta):
    assert "This person is a moderator." in text_of(marta.get(page_of(moderator("Nora"))))
    nadja = administrator("Nadja")
    assert "This person is an administrator." in text_of(marta.get(page_of(nadja)))


@pytest.mark.full
def test_notes_are_for_moderators_and_never_emailed(marta):
    rosa, nora = person("Rosa"), moderator("Nora")
    answer = act_on(marta, rosa, "note", text="Was friendly on the phone.\nCall again in May.")
    assert answer.status_code == 302
    said = text_of(browser(nora).get(page_of(rosa)))
    assert "Marta: Was friendly on the phone. Call again in May." in said
    assert not OutboxEmail.objects.filter(person=rosa).exists()
    client = browser(rosa)
    own = [(client, page) for page in ("/", "/accounts/conduct/", "/accounts/profile/")]
    lists = [(marta, f"/admin/{page}") for page in ("", "games/auditline/", "games/user/")]
    for reader, page in own + lists:
        answered = reader.get(page)
        assert answered.status_code == 200
        assert "phone" not in text_of(answered)
    for text in (" ", "x" * 2001):
        assert act_on(marta, rosa, "note", text=text).status_code == 422


@pytest.mark.full
def test_nobody_reads_the_notes_about_themselves_nor_acts_on_themselves(marta):
    rosa = person("Rosa")
    act_on(marta, rosa, "note", text="Would make a good moderator.")
    User.objects.filter(pk=rosa.pk).update(is_staff=True, is_superuser=True)
    rosa = browser(User.objects.get(pk=rosa.pk))
    said = text_of(rosa.get(page_of(User.objects.get(name="Rosa"))))
    assert "Would make" not in said
    assert "This is your own account, so another moderator has to do this." in said
    assert offered(rosa, User.objects.get(name="Rosa")) == []


@pytest.mark.full
def test_it_shows_games_misses_and_the_story(marta):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    seat = seats_to_move(game)[0]
    late = seat.deadline_at + timedelta(minutes=1)
    tick(late)
    clock.sweep(now=late)
    waiting = tables.open_table(
        host=seat.user, settings=table_settings(name="The Lido table"), now=timezone.now()
    )
    marta_acts_on(seat.user, "warn", reason="You were very rude.")
    response = marta.get(page_of(seat.user))
    said = text_of(response)
    assert f"{game}: running. Joined on" in said
    assert "Deadlines missed: 1 of the last 1." in said
    assert "warned, by Marta. You were very rude." in said
    assert ": Warn, by Marta. You were very rude." in said
    html = response.content.decode()
    for shown in (game, waiting):
        assert f'href="/admin/games/game/{shown.pk}/change/"' in html
    for link in ("outboxemail/?person__id__exact", "sitting/?user__id__exact"):
        assert marta.get(f"/admin/games/{link}={seat.user.pk}").status_code == 200
    links = (
        "message/?author__id__exact",
        "auditline/?person__id__exact",
        "report/?person__id__exact",
        "report/?reporter__id__exact",
    )
    for link in links:
        assert f"/admin/games/{link}={seat.user.pk}" in html
        assert marta.get(f"/admin/games/{link}={seat.user.pk}").status_code == 200


def test_it_tells_no_secret(marta):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    anna = seat_of(game, "Anna")
    User.objects.filter(pk=anna.user.pk).update(last_login=timezone.now())
    notes.keep_notes(game=game, user=anna.user, text="Boris bluffs.", now=timezone.now())
    Order.objects.create(
        seat=anna, kind="sending", formula={"send": "planted"}, made_at=timezone.now()
    )
    html = marta.get(page_of(anna.user)).content.decode()
    for secret in ("Boris bluffs.", "planted", anna.user.password, "md5", "cash", game.token):
        assert secret not in html


@pytest.mark.full
def test_it_needs_few_queries_however_much_there_is(marta, django_assert_max_num_queries):
    rosa = person("Rosa")
    for number in range(12):
        game = tables.open_table(
            host=rosa, settings=table_settings(size=3), now=timezone.now() + number * DAY
        )
        for other in range(2):
            user = person(f"Guest {number} {other}")
            tables.join(game_id=game.pk, user=user, now=timezone.now())
        messages.say(game_id=game.pk, user=rosa, text="Hi", token=uuid4(), now=timezone.now() + DAY)
        marta_acts_on(rosa, "warn")
        act_on(marta, rosa, "note", text="Again.")
    assert Game.objects.filter(seats__user=rosa).count() == 12
    with django_assert_max_num_queries(15):
        marta.get(page_of(rosa))
    with django_assert_max_num_queries(15):
        marta.get(f"/admin/games/user/{rosa.pk}/act/warn/")


def test_the_desk_leads_to_mail_that_failed(marta):
    rosa = person("Rosa")
    for number in range(2):
        OutboxEmail.objects.create(
            kind="conduct", person=rosa, about=number, status="failed", error="No such box",
            not_before=timezone.now(), created_at=timezone.now(),
        )  # fmt: skip
    page = text_of(marta.get("/admin/"))
    assert "Rosa: a moderator's decision about you : No such box" in page
    assert "1 more email failed for the same reason." in page


def test_it_is_for_moderators(client):
    rosa = person("Rosa")
    assert client.get(page_of(rosa)).status_code == 302
    assert browser(rosa).get(page_of(rosa)).status_code == 302
    marta = browser(moderator())
    assert marta.get("/admin/games/user/999999/change/").status_code == 302
    assert marta.get("/admin/games/user/999999/act/warn/").status_code == 404


@pytest.mark.full
def test_the_page_of_an_action_says_who_it_is_when_they_were_warned_and_whom_it_hurts(marta):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    anna = seat_of(game, "Anna").user
    marta_acts_on(anna, "warn")
    mute, suspend, ban = (
        text_of(marta.get(person_act_url(anna, slug))) for slug in ("mute", "suspend", "ban")
    )
    hurt = f"Anna has a seat in 1 running game: {game}."
    assert "Suspend: Anna" in suspend
    assert "Last warned on" in suspend
    assert hurt in suspend
    assert hurt in ban
    assert hurt not in mute


@pytest.mark.full
def test_it_leads_to_the_invitations_they_sent(marta):
    for name, address in (("Anna", "eva@example.org"), ("Boris", "udo@example.org")):
        game = open_table(name, size=3, now=timezone.now())
        host = seat_of(game, name).user
        invitations.invite(game_id=game.pk, user=host, addresses=[address], now=timezone.now())
    anna = User.objects.get(name="Anna")
    link = f"/admin/games/invitation/?invited_by__id__exact={anna.pk}"
    assert link in marta.get(page_of(anna)).content.decode()
    listed = text_of(marta.get(link))
    assert "eva@example.org" in listed
    assert "udo@example.org" not in listed
