"""Notifications: their readers, their text, and what becomes of them on their way."""

import socket
from datetime import timedelta
from threading import Event
from urllib.parse import urlsplit

import pytest
from django.contrib.sessions.models import Session
from django.db.models.signals import post_delete
from py_vapid import Vapid02

from games.features.guide import first_game
from games.features.push import delivery, keys
from games.features.push.service import Encrypted, Fate, give
from games.models import (
    MutedGame,
    OutboxEmail,
    OutboxPush,
    PushSubscription,
)
from games.services import outbox
from games.services.email import delivery as email_delivery
from games.services.game import seats
from games.services.lobby import invitations
from games.services.operations.trim import trim
from intrigue_site.celery import app as celery_app
from tests.support.choices import choices
from tests.support.client import browser, person, text_of
from tests.support.patience import PATIENCE_SECONDS
from tests.support.push_service import Browser, subscribed
from tests.support.sent_emails import plain_text
from tests.support.tables import MONDAY, open_table, seat_of, seats_to_move, submit_move

pytestmark = pytest.mark.django_db

PAGE = "/accounts/notifications/"
SOON = MONDAY + timedelta(minutes=2)


def turn_comes(game, user):
    """Others move until it is this person's turn."""
    while seats_to_move(game)[0].user != user:
        submit_move(game, seats_to_move(game)[0].user, MONDAY)


@pytest.fixture
def table(service):
    """A game in which the next turn is that of somebody whose browser is notified."""
    game = open_table("Anna", "Boris", "Clara")
    first = seats_to_move(game)[0].user
    user = game.seats.exclude(user=first).order_by("number").first().user
    client, own = subscribed(user)
    OutboxPush.objects.all().delete()  # "the game has started" came before
    turn_comes(game, user)
    return game, user, client, own


class TestSubscribing:
    def test_a_person_who_knows_only_the_address_of_anothers_browser_changes_nothing(self):
        anna, boris = person("Anna"), person("Boris")
        _client, own = subscribed(anna)
        forged = own.form | {"auth": Browser("b").form["auth"]}
        assert browser(boris).post(f"{PAGE}on/", forged).status_code == 422
        assert PushSubscription.objects.get().user == anna
        # With its secret it is the browser itself, in which Boris has signed in.
        assert browser(boris).post(f"{PAGE}on/", own.form).status_code == 204
        assert PushSubscription.objects.get().user == boris

    def test_the_page_lists_browsers_and_each_can_be_stopped(self):
        anna = person("Anna")
        client, _own = subscribed(anna)
        page = client.get(PAGE)
        assert "This browser , since" in text_of(page)
        assert f'data-push-key="{keys.public_key()}"' in page.content.decode()
        [one] = PushSubscription.objects.all()
        stranger = browser(person("Boris"))
        assert stranger.post(f"{PAGE}off/", {"browser": one.pk}).status_code == 404
        assert client.post(f"{PAGE}off/", {"browser": one.pk}).status_code == 302
        assert not PushSubscription.objects.exists()

    @pytest.mark.parametrize(
        "change",
        [
            {"endpoint": "http://push.example.org/a"},
            {"endpoint": "https://push.example.org:8443/a"},
            {"endpoint": "https://me@push.example.org/a"},
            {"endpoint": "https:///a"},
            {"endpoint": "https://a..b/x"},
            {"endpoint": "https://push.example.org/" + "a" * 1000},
            {"p256dh": "AAAA"},
            {"auth": "AAAA"},
            {"auth": "not base 64!"},
        ],
    )
    def test_what_is_no_subscription_is_refused(self, change):
        client = browser(person("Anna"))
        refused = client.post(f"{PAGE}on/", Browser().form | change)
        assert refused.status_code == 422
        assert refused.content.decode() == "This browser's push service can't be used."
        assert not PushSubscription.objects.exists()

    @pytest.mark.full
    def test_ten_browsers_are_notified_and_the_oldest_makes_room(self):
        anna = person("Anna")
        for number in range(11):
            subscribed(anna, f"n{number}")
        left = PushSubscription.objects.order_by("pk").values_list("endpoint", flat=True)
        assert list(left) == [f"https://localhost/send/n{number}" for number in range(1, 11)]

    def test_without_a_key_it_is_off(self, settings):
        settings.PUSH_KEY = ""
        client = browser(person("Anna"))
        assert "can't send notifications to browsers" in text_of(client.get(PAGE))
        assert client.post(f"{PAGE}on/", Browser().form).status_code == 404


class TestTheLastWayOfBeingTold:
    """Nothing else reminds its person of their turns, which they learn once."""

    @pytest.fixture
    def no_email(self, table):
        _game, user, _client, _own = table
        user.unwanted_emails = ["your_turn"]
        user.save()
        return user

    def emailed(self, user):
        return user.emails.filter(kind="not_told").count()

    @pytest.mark.full
    @pytest.mark.parametrize("status", [404, 410])
    def test_a_person_who_loses_it_gets_one_email(self, table, no_email, service, smtp, status):
        service.answer = status
        delivery.drain(now=SOON)
        assert self.emailed(no_email) == 1
        email_delivery.drain(now=SOON)
        [email] = [one for one in smtp.messages if "You're no longer notified" in one["Subject"]]
        assert email["To"] == no_email.email
        assert f"{PAGE}" in plain_text(email)

    def test_a_person_who_gets_email_or_has_another_browser_gets_none(self, table, service):
        _game, user, _client, _own = table
        service.answer = 410
        delivery.drain(now=SOON)
        assert self.emailed(user) == 0

    def test_a_person_who_signs_out_of_it_gets_the_email_too(self, table, no_email):
        _game, _user, client, _own = table
        client.post("/accounts/logout/")
        assert self.emailed(no_email) == 1

    def test_whose_session_has_ended_gets_it_too(self, table, no_email, service):
        Session.objects.all().delete()
        delivery.drain(now=SOON)
        assert self.emailed(no_email) == 1

    def test_the_page_says_so_when_one_turns_off_the_last(self):
        anna = person("Anna")
        client = browser(anna)
        warning = "You won't know when it's your turn"
        assert warning not in text_of(client.get(PAGE))
        saved = client.post(PAGE, choices(email={"your_turn": "never"}), follow=True)
        assert warning in text_of(saved)

    def test_the_page_says_so_when_the_last_browser_is_stopped(self, table, no_email):
        _game, _user, client, _own = table
        one = PushSubscription.objects.get()
        stopped = client.post(f"{PAGE}off/", {"browser": one.pk}, follow=True)
        assert "You won't know when it's your turn" in text_of(stopped)
        assert self.emailed(no_email) == 0


class TestSubscribingAgain:
    """Every page asks a browser that is to be notified to look after its subscription."""

    def test_a_session_that_wants_it_gives_the_key_on_every_page(self, service):
        anna = person("Anna")
        client, _own = subscribed(anna)
        assert keys.public_key() in client.get("/").content.decode()
        PushSubscription.objects.all().delete()  # the push service has responded 410
        renewed = Browser("renewed")
        answered = client.post(f"{PAGE}on/", {**renewed.form, "again": "1"})
        assert answered.status_code == 204
        assert PushSubscription.objects.get().endpoint == renewed.endpoint
        newer = Browser("newer")
        client.post(f"{PAGE}on/", {**newer.form, "again": "1"})
        assert PushSubscription.objects.get().endpoint == newer.endpoint

    @pytest.mark.full
    def test_where_it_was_stopped_also_from_elsewhere_it_stays_so(self, service):
        anna = person("Anna")
        client, _own = subscribed(anna)
        elsewhere = browser(anna)
        assert keys.public_key() not in elsewhere.get("/").content.decode()
        elsewhere.post(f"{PAGE}off/", {"browser": PushSubscription.objects.get().pk})
        assert keys.public_key() not in client.get("/").content.decode()


class TestContent:
    def test_a_turn_is_notified_to_the_one_browser_that_can_read_it(self, table, service):
        game, _user, _client, own = table
        assert delivery.drain(now=SOON) == 1
        [given] = service.given
        payload = own.read(given)
        assert payload["title"] == "The Venice table"
        assert payload["body"].startswith("Your turn: ")
        assert (payload["url"], payload["count"]) == (game.get_absolute_url(), 1)
        assert payload["tag"] == f"game-{game.token}"
        assert given.path == "/send/a"
        assert (given.headers["TTL"], given.headers["Urgency"]) == (str(24 * 3600 - 120), "high")
        assert not OutboxPush.objects.exists()
        assert delivery.drain(now=SOON) == 0

    def test_it_says_by_when_and_is_kept_no_longer(self, table, service):
        _game, _user, _client, own = table
        delivery.drain(now=MONDAY + timedelta(hours=23))
        [given] = service.given
        assert own.read(given)["body"].endswith("\nBy Tue 3 Mar, 09:00")
        assert given.headers["TTL"] == "3600"

    def test_it_names_the_games_that_wait_so_that_others_are_taken_away(self, table, service):
        game, _user, _client, own = table
        delivery.drain(now=SOON)
        [payload] = [own.read(given) for given in service.given]
        assert (payload["is_turn"], payload["waiting"]) == (True, [f"game-{game.token}"])

    @pytest.mark.full
    def test_it_is_signed_with_the_key_of_the_site(self, table, service):
        delivery.drain(now=SOON)
        authorization = service.given[0].headers["Authorization"]
        assert Vapid02.verify(authorization)
        assert authorization.endswith(f"k={keys.public_key()}")

    @pytest.mark.full
    def test_it_is_in_the_readers_language(self, table, service):
        _game, user, _client, own = table
        user.language = "de"
        user.save()
        delivery.drain(now=SOON)
        assert own.read(service.given[0])["body"].startswith("Du bist am Zug: ")

    @pytest.mark.full
    def test_what_others_hide_is_not_in_it(self, service):
        """Twin games, in which others have other money, give the same."""
        bodies = set()
        for twin, cash in (("Ä", 40000), ("Ö", 12345)):
            names = [f"{name}{twin}" for name in ("Anna", "Boris", "Clara")]
            game = open_table(*names, seed=7, name="The Venice table")
            seat = game.seats.exclude(user=seats_to_move(game)[0].user).order_by("number")[0]
            _client, own = subscribed(seat.user, f"n{cash}")
            OutboxPush.objects.all().delete()
            turn_comes(game, seat.user)
            game.refresh_from_db()
            state = game.state
            money = state["cash"] if "cash" in state else state["position"]["cash"]
            money[(seat.number + 1) % 3] = cash
            game.save()
            delivery.drain(now=SOON)
            payload = own.read(service.given[-1])
            bodies.add((payload["title"], payload["body"].replace(twin, "")))
        assert len(bodies) == 1


class TestWhoIsNotified:
    @pytest.mark.full
    def test_not_people_who_dont_want_it_whatever_they_want_by_email(self, table, service):
        _game, user, client, _own = table
        user.unwanted_emails = ["your_turn"]
        user.save()
        client.post(PAGE, choices(push=["mention"]))
        assert delivery.drain(now=SOON) == 0
        assert not OutboxPush.objects.exists()

    @pytest.mark.full
    def test_people_who_want_no_email_may_want_this(self, table, service):
        _game, user, _client, _own = table
        user.unwanted_emails = ["your_turn"]
        user.save()
        assert delivery.drain(now=SOON) == 1

    def test_an_invitation_to_a_member(self, service):
        boris = person("Boris")
        _client, own = subscribed(boris)
        game = open_table("Anna", size=3)
        invitations.invite(game_id=game.pk, user=game.host, addresses=[boris.email], now=MONDAY)
        assert delivery.drain(now=SOON) == 1
        assert own.read(service.given[0])["body"] == "An invitation"

    def test_not_about_a_guided_game(self, service):
        """Which is played in one go, and of which no email comes either."""
        anna = person("Anna")
        subscribed(anna)
        game = first_game.begin(user=anna, now=MONDAY)
        OutboxPush.objects.all().delete()
        outbox.enqueue("game_started", game=game, person=anna, now=MONDAY, about=1)
        assert OutboxPush.objects.exists()
        assert delivery.drain(now=SOON) == 0
        assert not OutboxPush.objects.exists()

    @pytest.mark.full
    def test_not_about_a_muted_game(self, table, service):
        game, user, _client, _own = table
        MutedGame.objects.create(user=user, game=game)
        assert delivery.drain(now=SOON) == 0

    def test_not_what_is_over_before_it_is_sent(self, table, service):
        game, user, _client, _own = table
        while seats_to_move(game)[0].user == user:
            submit_move(game, user, MONDAY)
        assert delivery.drain(now=SOON) == 0
        assert service.given == []

    @pytest.mark.full
    def test_not_yesterdays_news(self, table, service):
        assert delivery.drain(now=MONDAY + timedelta(hours=24, minutes=1)) == 0

    def test_a_turn_waits_while_the_game_is_paused(self, table, service):
        game, *_ = table
        game.paused_at, game.deadline_at = MONDAY, None
        game.save()
        assert delivery.drain(now=SOON) == 0
        assert OutboxPush.objects.count() == 1

    @pytest.mark.full
    @pytest.mark.parametrize("how", ["sign out", "ban", "password", "session"])
    def test_not_a_session_that_has_ended(self, table, service, how):
        _game, user, client, _own = table
        if how == "sign out":
            client.post("/accounts/logout/")
        elif how == "session":
            client.session.flush()
        elif how == "ban":
            user.is_active = False
            user.save()
        else:
            user.set_password("something else")
            user.save()
        assert delivery.drain(now=SOON) == 0
        assert not PushSubscription.objects.exists()
        assert service.given == []

    @pytest.mark.full
    def test_everybody_else_is_left_alone(self, table, service):
        assert OutboxEmail.objects.filter(kind="your_turn").count() > 1
        assert set(OutboxPush.objects.values_list("subscription__user", flat=True)) == {table[1].pk}

    @pytest.mark.full
    def test_each_browser_of_a_person_is_notified(self, service):
        game = open_table("Anna", "Boris", "Clara")
        user = game.seats.exclude(user=seats_to_move(game)[0].user).first().user
        browsers = [subscribed(user, name)[1] for name in ("desk", "phone")]
        OutboxPush.objects.all().delete()
        turn_comes(game, user)
        assert delivery.drain(now=SOON) == 2
        given_to = {given.path: given for given in service.given}
        desk, phone = browsers
        bodies = (
            desk.read(given_to["/send/desk"])["body"],
            phone.read(given_to["/send/phone"])["body"],
        )
        assert bodies[0] == bodies[1]


class TestOnTheWay:
    @pytest.mark.full
    @pytest.mark.parametrize("status", [404, 410])
    def test_a_browser_that_is_gone_is_forgotten(self, table, service, status):
        service.answer = status
        assert delivery.drain(now=SOON) == 0
        assert not PushSubscription.objects.exists()
        assert not OutboxPush.objects.exists()

    @pytest.mark.full
    @pytest.mark.parametrize("status", [429, 500, 503])
    def test_what_cannot_be_taken_now_is_tried_four_times_more(self, table, service, status):
        service.answer, now = status, SOON
        for minutes in (1, 5, 20, 60):
            assert delivery.drain(now=now) == 0
            assert delivery.drain(now=now + timedelta(minutes=minutes, seconds=-1)) == 0
            now += timedelta(minutes=minutes)
        delivery.drain(now=now)
        assert len(service.given) == 5
        assert not OutboxPush.objects.exists()
        assert PushSubscription.objects.exists()

    def test_once_it_can_it_arrives(self, table, service):
        service.answer = 503
        delivery.drain(now=SOON)
        service.answer = 201
        assert delivery.drain(now=SOON + timedelta(minutes=1)) == 1

    @pytest.mark.full
    @pytest.mark.parametrize("status", [302, 400, 403, 413])
    def test_a_refusal_is_final_and_redirects_are_not_followed(self, table, service, status):
        service.answer = status
        assert delivery.drain(now=SOON) == 0
        assert len(service.given) == service.connected == 1
        assert not OutboxPush.objects.exists()
        assert PushSubscription.objects.exists()

    @pytest.mark.full
    def test_what_may_have_arrived_is_sent_once_more_to_replace_the_first(self, table, service):
        """The service takes it and ends the connection without a response."""
        service.drops = True
        assert delivery.drain(now=SOON) == 0
        for minutes in (1, 2, 30, 90):
            assert delivery.drain(now=SOON + timedelta(minutes=minutes)) == 0
        first, second = service.given
        assert first.headers["Topic"] == second.headers["Topic"]
        assert not OutboxPush.objects.exists()

    @pytest.mark.full
    def test_a_service_that_never_responds_is_given_up(self, table, service):
        service.answer = 0
        assert delivery.drain(now=SOON) == 0
        assert OutboxPush.objects.get().not_before == SOON + timedelta(minutes=1)

    @pytest.mark.full
    def test_a_service_that_responds_bit_by_bit_is_given_up(self, table, service, monkeypatch):
        monkeypatch.setattr("games.features.push.service.SECONDS", 0.5)
        service.drips = True
        assert delivery.drain(now=SOON) == 0
        assert OutboxPush.objects.get().not_before == SOON + timedelta(minutes=1)

    @pytest.mark.full
    def test_a_service_that_hangs_holds_up_no_other(self, service):
        """What has arrived is stored, while another one has no response yet."""
        game = open_table("Anna", "Boris", "Clara")
        user = game.seats.exclude(user=seats_to_move(game)[0].user).first().user
        for name in ("desk", "phone"):
            subscribed(user, name)
        OutboxPush.objects.all().delete()
        turn_comes(game, user)
        first = OutboxPush.objects.order_by("pk").first()
        noted = Event()
        service.held[urlsplit(first.subscription.endpoint).path] = noted
        post_delete.connect(
            lambda **_: noted.set(), sender=OutboxPush, weak=False, dispatch_uid="noted"
        )
        try:
            assert delivery.drain(now=SOON) == 2
        finally:
            post_delete.disconnect(sender=OutboxPush, dispatch_uid="noted")

    def test_a_name_that_nobody_resolves_is_given_up(self, monkeypatch):
        given_up = Event()

        def resolve(*_name, **_more):
            given_up.wait(PATIENCE_SECONDS)
            raise socket.gaierror("nobody knows")

        monkeypatch.setattr("games.features.push.service.SECONDS", 0.1)
        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        fate, why = give(Encrypted("https://slow.invalid/a", b"x", {}))
        assert fate is Fate.LATER
        assert not given_up.is_set()
        given_up.set()
        assert "can't be resolved" in why

    @pytest.mark.parametrize("host", ["a..b", "a" * 64 + ".org"])
    def test_a_name_that_can_be_none_is_forgotten(self, host):
        fate, _why = give(Encrypted(f"https://{host}/x", b"x", {}))
        assert fate is Fate.GONE

    @pytest.mark.full
    @pytest.mark.counts
    def test_two_workers_that_send_at_once_send_it_once(self, table, service):
        taken = delivery._take(SOON)
        assert len(taken) == 1
        assert delivery._take(SOON) == []
        assert delivery.drain(now=SOON) == 0
        assert delivery.drain(now=SOON + delivery.LEASE) == 1  # the worker that took it has died


class TestAddresses:
    @pytest.mark.sample(2)
    @pytest.mark.parametrize(
        "host",
        [
            "127.0.0.1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "0.0.0.0", "[::1]",
            "[fd00::1]", "[fe80::1]", "[::ffff:10.0.0.1]", "[::ffff:127.0.0.1]", "224.0.0.1",
            "100.64.0.1", "localhost", "[64:ff9b::10.0.0.1]", "[64:ff9b::127.0.0.1]",
            "[fec0::1]", "[64:ff9b:1::8.8.8.8]", "[::127.0.0.1]", "[::8.8.8.8]", "[2002:a00:1::1]",
        ],
    )  # fmt: skip
    def test_nobody_is_connected_to_inside_the_network(self, service, settings, host):
        settings.PUSH_PRIVATE_HOSTS = {}
        fate, why = give(Encrypted(f"https://{host}/send/a", b"x", {}))
        assert fate is Fate.GONE
        assert "not public" in why
        assert service.connected == 0

    def test_a_name_that_cannot_be_resolved_is_tried_again(self):
        fate, why = give(Encrypted("https://nowhere.invalid/a", b"x", {}))
        assert fate is Fate.LATER
        assert "can't be resolved" in why

    def test_a_server_that_cannot_prove_to_be_the_host_gets_nothing(self, service, monkeypatch):
        monkeypatch.delenv("SSL_CERT_FILE")
        fate, why = give(Encrypted("https://localhost/send/a", b"x", {}))
        assert (fate, service.given) == (Fate.LATER, [])
        assert "CERTIFICATE_VERIFY_FAILED" in why


def test_the_command_makes_a_key_that_works(settings, capsys):
    from django.core.management import call_command

    call_command("push_key")
    name, _, made = capsys.readouterr().out.strip().partition("=")
    assert name == "PUSH_KEY"
    settings.PUSH_KEY = made
    keys.own_key.cache_clear()
    assert len(keys.as_bytes(keys.public_key())) == 65


@pytest.mark.full
def test_what_nobody_sends_or_reads_any_more_is_trimmed(table, settings):
    """As where the host has taken the key away, or the session of a browser has run out."""
    _game, _user, client, _own = table
    settings.PUSH_KEY = ""
    trim(now=MONDAY + timedelta(hours=23))
    assert OutboxPush.objects.count() == PushSubscription.objects.count() == 1
    trim(now=MONDAY + timedelta(hours=25))
    assert (OutboxPush.objects.count(), PushSubscription.objects.count()) == (0, 1)
    client.session.flush()
    trim(now=MONDAY + timedelta(hours=25))
    assert not PushSubscription.objects.exists()


@pytest.mark.full
def test_stepping_aside_ends_notifications_about_the_turn(table, service):
    game, user, *_ = table
    seats.step_aside(game_id=game.pk, user=user, now=MONDAY)
    assert delivery.drain(now=SOON) == 0
    assert seat_of(game, user.name).absent_since is not None


@pytest.mark.parametrize("task", ["push.tasks.push", "export.tasks.export"])
def test_what_may_take_long_is_not_on_the_queue_of_the_clock(task):
    assert celery_app.amqp.router.route({}, f"games.features.{task}")["queue"].name == "mail"
