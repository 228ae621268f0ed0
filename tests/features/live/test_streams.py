"""Streams over HTTP, of a live process that hears from a real broker (days 31)."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Thread
from uuid import uuid4

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.test import Client
from django.utils import timezone
from redis import Redis

from games.extensions import Case
from games.features.live import app, readers
from games.features.live.channel import channel
from games.features.live.hub import MOST_OF_A_PERSON
from games.features.live.readers import OpenPage, Reader
from games.features.live.strangers import MOST
from games.models import Game, SiteState, User
from games.services import live, site_state
from games.services.accounts import ways_in
from games.services.chat import messages
from games.services.game import seats
from games.services.lobby import tables
from games.services.moderation.actions import people
from games.services.moderation.actions.person_action import latest_action
from games.services.moderation.actions.requests import PersonRequest
from tests.support.client import browser, person, verified
from tests.support.live import live_process
from tests.support.moderators import moderator
from tests.support.patience import wait_until
from tests.support.tables import open_table, seats_to_move, submit_move

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def process(transactional_db):
    with live_process() as process:
        yield process


def game_now(*names: str) -> Game:
    return open_table(*names, now=timezone.now())


def named(name: str) -> User:
    return User.objects.filter(name=name).first() or person(name)


def say(game: Game, name: str, text: str = "Hello") -> None:
    messages.say(game_id=game.pk, user=named(name), text=text, token=uuid4(), now=timezone.now())


@pytest.mark.full
def test_a_move_reaches_everybody_with_the_page_and_nobody_else(process):
    game, other = game_now("Anna", "Boris", "Clara"), game_now("Dora", "Emil", "Fritz")
    process.settle()
    anna = process.open(browser(named("Anna")), game.token)
    watching = process.open(browser(named("Dora")), game.token)
    elsewhere = process.open(browser(named("Emil")), other.token)
    own_games = process.open(browser(named("Boris")))
    submit_move(game, seats_to_move(game)[0].user, timezone.now())
    for page in (anna, watching, own_games):
        wait_until(lambda page=page: page.received == [game.token])
    process.settle()
    assert elsewhere.received == []


def test_a_message_reaches_the_table(process):
    game = game_now("Anna", "Boris", "Clara")
    process.settle()
    anna = process.open(browser(named("Anna")), game.token)
    say(game, "Boris")
    wait_until(lambda: anna.received == [game.token])


def test_people_who_sit_down_reach_the_lobby_and_their_own_pages(process):
    game = open_table("Anna", size=3, now=timezone.now())
    process.settle()
    anna, boris = (
        process.open(browser(named("Anna")), game.token),
        process.open(browser(named("Boris"))),
    )
    tables.join(game_id=game.pk, user=named("Boris"), now=timezone.now())
    wait_until(lambda: anna.received == [game.token])
    wait_until(lambda: "person" in boris.received)
    say(game, "Anna")  # Boris hears of the table by now, though his stream is older
    wait_until(lambda: game.token in boris.received)


def test_what_a_page_missed_while_it_was_not_connected(process):
    game = game_now("Anna", "Boris", "Clara")
    say(game, "Boris")
    process.settle()
    assert process.open(browser(named("Anna")), game.token, age=0.0).received == []
    missed = process.open(browser(named("Clara")), game.token, age=3.0)
    wait_until(lambda: missed.received in ([game.token], ["again"]))


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"}, {}], ids=["site", "nobody"])
def test_other_sites_and_strangers_get_no_stream(process, headers, client):
    game = game_now("Anna", "Boris", "Clara")
    who = browser(named("Anna")) if headers else client
    assert process.status(who, game.token, **headers) == 403


def test_nothing_else_gets_a_stream(process):
    anna = browser(named("Anna"))
    assert process.status(anna, path="/") == 404
    assert process.status(anna, table="\x00" * 3 + "x" * 300, age=float("nan")) == 200
    anna.cookies["sessionid"] = "gone"
    assert process.status(anna) == 403


def test_none_is_opened_on_the_database_of_another_version(process):
    SiteState.objects.create(migrated_by="99.0.0", works_with="99.0.0")
    site_state.forget()
    assert process.status(browser(named("Anna"))) == 503


def test_what_no_page_sends_is_not_taken_apart(process):
    anna = browser(named("Anna"))
    session = anna.cookies["sessionid"].value
    for cookies, status in ((15_000, 200), (17_000, 431)):
        cookie = f"a={'b' * cookies}; sessionid={session}"
        assert process.status(anna, Cookie=cookie) == status
    assert process.status(anna, table="x" * 1_000) == 431


def with_session(number: int | str) -> Client:
    """A browser with a session that may exist."""
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = f"{number:0>32}"
    return client


@pytest.mark.full
class TestStrangers:
    """Who makes up sessions has to wait, and nobody else."""

    @pytest.fixture
    def from_network(self, process, settings):
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
        return lambda who, address: process.status(who, **{"X-Forwarded-For": address})

    def test_so_many_sessions_are_looked_up_for_one_network(self, from_network):
        anna, boris = browser(named("Anna")), browser(named("Boris"))
        assert from_network(anna, "203.0.113.7") == 200
        codes = [from_network(with_session(one), "203.0.113.7") for one in range(MOST + 9)]
        assert codes == [403] * MOST + [429] * 9
        assert from_network(anna, "203.0.113.7") == 200
        assert from_network(boris, "203.0.113.8") == 200
        assert from_network(with_session("x"), "203.0.113.8") == 403

    def test_of_a_burst_the_database_sees_little(self, from_network, monkeypatch):
        read, seen = readers.read, []

        def counted(pages: list[OpenPage]) -> list[Reader | None]:
            seen.append(pages)
            return read(pages)

        monkeypatch.setattr(readers, "read", counted)
        with ThreadPoolExecutor(40) as pool:
            sessions = map(with_session, range(160))
            codes = Counter(pool.map(lambda one: from_network(one, "2001:db8::7"), sessions))
        at_once = 4  # as many threads look sessions up
        assert MOST <= codes[403] == len(seen) < MOST + at_once
        assert codes[429] == 160 - codes[403]

    def test_whose_session_ends_is_a_stranger_again(self, from_network):
        anna = browser(named("Anna"))
        assert from_network(anna, "203.0.113.7") == 200
        ways_in.end(named("Anna"), Case.SIGNED_OUT)
        codes = [from_network(anna, "203.0.113.7") for _ in range(MOST + 1)]
        assert codes == [403] * MOST + [429]


class TestEnds:
    def test_when_everybody_is_signed_out_of_the_account(self, process):
        anna, boris = named("Anna"), named("Boris")
        own, other = process.open(browser(anna)), process.open(browser(boris))
        ways_in.end(anna, Case.SIGNED_OUT)
        wait_until(lambda: own.is_over)
        assert own.received[-1] == "over"
        assert not other.is_over

    def test_when_one_signs_out(self, process):
        client = browser(named("Anna"))
        page, other = process.open(client), process.open(browser(named("Anna")))
        client.post("/accounts/logout/")
        wait_until(lambda: page.is_over)
        assert not other.is_over

    @pytest.mark.full
    def test_of_the_session_that_one_ends_from_another_browser(self, process):
        anna = verified("Anna")
        here, away = browser(anna), browser(anna)
        for client in (here, away):
            client.get("/accounts/sessions/")  # it is listed from now on
        kept, ended = process.open(here), process.open(away)
        listed = UserSession.objects.get(session_key=away.session.session_key)
        here.post("/accounts/reauthenticate/", {"password": "not so secret"})
        here.post("/accounts/sessions/", {"session": listed.pk})
        wait_until(lambda: ended.is_over)
        assert not kept.is_over

    def test_for_one_page_too_many_which_learns_so(self, process):
        anna = named("Anna")
        oldest, *others = [process.open(browser(anna)) for _ in range(MOST_OF_A_PERSON + 1)]
        wait_until(lambda: oldest.is_over)
        assert oldest.received[-1] == "too many"
        assert not any(page.is_over for page in others)

    def test_with_a_ban(self, process):
        anna = named("Anna")
        page = process.open(browser(anna))
        marta, now = moderator(), timezone.now()
        people.ban(PersonRequest(anna.pk, marta, "Spam", latest_action(anna, marta), now))
        wait_until(lambda: page.is_over)

    def test_for_a_table_that_one_was_removed_from(self, process):
        game = open_table("Anna", "Boris", size=4, now=timezone.now())
        boris = process.open(browser(named("Boris")))
        seat = game.seats.get(user=named("Boris"))
        tables.remove(game_id=game.pk, user=named("Anna"), seat_id=seat.pk)
        wait_until(lambda: "person" in boris.received)
        process.settle()
        heard = boris.received.count(game.token)
        wait_until(
            lambda: (
                not any(
                    game.token in stream.topics.values()
                    for stream in process.application.hub.streams
                )
            )
        )
        say(game, "Anna")
        process.settle()
        assert boris.received.count(game.token) == heard


def test_it_sends_at_once_that_it_is_there(process):
    page = process.open(browser(named("Anna")))
    assert page.lines[:2] == ["event: hello", "data: hello"]


def test_other_cookies_may_be_malformed(process):
    client = browser(named("Anna"))
    session = client.cookies["sessionid"].value
    assert process.status(client, Cookie=f'a b"c=[1]; sessionid={session}; {{}}') == 200


def test_what_changes_while_the_reader_is_read_is_sent(process):
    game = game_now("Anna", "Boris", "Clara")
    client, pages = browser(named("Anna")), []
    process.settle()
    opening = Thread(target=lambda: pages.append(process.open(client, game.token)))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {Session._meta.db_table} IN ACCESS EXCLUSIVE MODE")
        opening.start()
        wait_until(lambda: waits_for_a_lock(cursor))
        live.changed.send(None, topics=[live.table_topic(game.pk)])
        process.settle()
    opening.join()
    wait_until(lambda: pages[0].received == [game.token])


def waits_for_a_lock(cursor: CursorWrapper) -> bool:
    """Whether somebody waits in this database: the server has those of other tests, too.

    A transaction sees `pg_stat_activity` as it was when it first looked, and `pg_locks` as it is.
    """
    cursor.execute(
        "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
        " WHERE datname = current_database() AND NOT granted"
    )
    return bool(cursor.fetchone()[0])


class TestGoesOn:
    def test_after_a_message_that_it_cannot_read(self, process, monkeypatch):
        monkeypatch.setattr(app, "TRIES_AGAIN", 0.05)
        game = game_now("Anna", "Boris", "Clara")
        process.settle()
        anna = process.open(browser(named("Anna")), game.token)
        with Redis.from_url(settings.CELERY_BROKER_URL, protocol=2) as broker:
            broker.publish(channel(), b"\xff")
        wait_until(lambda: anna.received == ["again"])  # it listens anew
        say(game, "Boris")
        wait_until(lambda: anna.received == ["again", game.token])

    def test_after_a_session_that_it_cannot_read(self, transactional_db, monkeypatch, caplog):
        monkeypatch.setattr(app, "BETWEEN_CHECKS", 0.05)
        client = browser(named("Anna"))
        with live_process() as process:
            page = process.open(client)
            session, own = client.session, client.session["_auth_user_id"]
            session["_auth_user_id"] = "nobody"
            session.save()
            wait_until(lambda: "Who reads can't be checked" in caplog.text)
            session["_auth_user_id"] = own
            session["_auth_user_hash"] = "ended"
            session.save()
            wait_until(lambda: page.is_over)


def test_days_off_are_public(process):
    game = game_now("Anna", "Boris", "Clara")
    process.settle()
    boris = process.open(browser(named("Boris")), game.token)
    day = timezone.now().date() + timedelta(days=3)
    seats.announce_days_off(
        game_id=game.pk, user=named("Anna"), first_day=day, last_day=day, now=timezone.now()
    )
    wait_until(lambda: boris.received == [game.token])
