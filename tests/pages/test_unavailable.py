"""A table that is busy, and a database that is away: pages that say so and keep what was typed."""

import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from threading import Event
from uuid import uuid4

import pytest
from django.db import connection, connections
from django.test import Client

from games.models import Game, Message, Move, User, Visit
from games.services.game import moves
from tests.support.choices import choices
from tests.support.client import as_shown, browser, forms_of, move_form, text_of
from tests.support.patience import PATIENCE_SECONDS
from tests.support.stuck import CONNECTION_LOST, DISK_FULL, altering_tables, locked, trouble
from tests.support.tables import open_table, seats_to_move

committed = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def failures_are_expected(caplog):
    caplog.set_level(logging.CRITICAL)


@pytest.fixture
def game(db):
    return open_table("Anna", "Boris", "Clara")


@pytest.fixture
def asked(game):
    """The browser of the player to move."""
    return browser(seats_to_move(game)[0].user)


def filled_in(client, game):
    """The move of the page's form, as the page shows it."""
    return as_shown(move_form(client.get(game.get_absolute_url()).content.decode()))


def sent_again(client, page, url):
    """Click on "Send it again"."""
    return client.post(url, as_shown(forms_of(page.content.decode())[url]))


@committed
class TestBusy:
    def test_a_move_is_kept_with_its_token_and_sent_again_with_one_click(self, game, asked):
        url = f"{game.get_absolute_url()}move/"
        form = filled_in(asked, game)
        with locked(game):
            page = asked.post(url, form)
            assert (page.status_code, page["Retry-After"]) == (503, "5")
            assert "This table is busy" in text_of(page)
            assert not Move.objects.exists()
        assert as_shown(forms_of(page.content.decode())[url])["token"] == form["token"]
        assert sent_again(asked, page, url).status_code == 302
        assert str(Move.objects.get(token__isnull=False).token) == form["token"]

    def test_a_message_is_kept(self, game, asked):
        url = f"{game.get_absolute_url()}talk/"
        said = {"talk-text": "Clara, you promised!", "talk-token": str(uuid4())}
        with locked(game):
            page = asked.post(url, said)
        assert page.status_code == 503
        assert "Message to everyone Clara, you promised!" in text_of(page)
        assert sent_again(asked, page, url).status_code == 302
        assert Message.objects.get().text == "Clara, you promised!"

    def test_choices_are_stored_with_their_reminders_or_not_at_all(self, game, asked):
        with locked(game):
            page = asked.post("/accounts/notifications/", choices(digest_hour="9"))
            assert page.status_code == 503
        assert set(User.objects.values_list("digest_hour", flat=True)) == {8}

    def test_a_lock_that_ends_in_time_is_waited_for(self, game, asked, monkeypatch):
        """The first try ends without the lock, the second one gets it."""
        url = f"{game.get_absolute_url()}move/"
        form = filled_in(asked, game)
        tries = []
        at_table = moves.at_table

        @contextmanager
        def second_try_finds_it_free(*given, **which):
            tries.append(which)
            held = locked(game) if len(tries) == 1 else nullcontext()
            with held, at_table(*given, **which) as turn:
                yield turn

        monkeypatch.setattr(moves, "at_table", second_try_finds_it_free)
        assert asked.post(url, form).status_code == 302
        assert (len(tries), Move.objects.filter(token=form["token"]).count()) == (2, 1)

    def test_a_script_gets_a_text(self, game, asked):
        form = filled_in(asked, game)
        with locked(game):
            response = asked.post(
                f"{game.get_absolute_url()}move/", form, headers={"Accept": "application/json"}
            )
        assert response.status_code == 503
        assert response.json() == {"text": "This table is busy right now. Please try again."}

    @pytest.mark.full
    def test_no_page_waits_for_it_not_even_a_first_visit(self, game, asked):
        url = game.get_absolute_url()
        with locked(game):
            for path in ("", "history/", "deadlines/"):
                assert asked.get(url + path).status_code == 200
            assert asked.get("/").status_code == 200
        assert not Visit.objects.exists()
        assert asked.get(url).status_code == 200
        assert Visit.objects.count() == 1

    def test_a_first_visit_is_stored_while_the_game_is_advanced(self, game, asked):
        with ThreadPoolExecutor(1) as threads:
            taken, let_go = Event(), Event()
            holding = threads.submit(hold, game, taken, let_go)
            assert taken.wait(PATIENCE_SECONDS)
            assert asked.get(game.get_absolute_url()).status_code == 200
            assert Visit.objects.count() == 1
            let_go.set()
            holding.result()


def hold(game, taken, let_go):
    """Lock a game as the site itself does."""
    from django.db import transaction

    try:
        with transaction.atomic():
            Game.objects.lock(game.pk)
            taken.set()
            assert let_go.wait(PATIENCE_SECONDS)
    finally:
        connections.close_all()


@pytest.fixture
def database_is_away(monkeypatch):
    """From now on nothing listens where the database should be."""

    def leave():
        connection.close()
        monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
        monkeypatch.setitem(connection.settings_dict, "PORT", "1")

    yield leave
    monkeypatch.undo()
    connection.close()


PATHS = ("/", "/tables/", "/people/", "/accounts/profile/", "/admin/")


@committed
class TestAway:
    def test_every_page_says_so_signed_in_or_not(self, game, asked, database_is_away):
        nobody = Client()
        database_is_away()
        for client in (asked, nobody):
            client.raise_request_exception = False
            page = client.get(game.get_absolute_url())
            assert page.status_code == 503
            assert "The site's database isn't responding right now." in text_of(page)
            assert page["Retry-After"] == "30"
        for path in PATHS:
            assert asked.get(path).status_code == 503, path
        assert nobody.get("/").status_code == 200
        assert (asked.get("/status/").status_code, asked.get("/health/").status_code) == (503, 503)
        assert asked.get("/health/").json()["database_trouble"] == "away"

    def test_nobody_is_signed_out_by_it(self, game, asked, database_is_away, monkeypatch):
        database_is_away()
        asked.raise_request_exception = False
        page = asked.get("/")
        assert (page.status_code, page.cookies.get("sessionid")) == (503, None)
        monkeypatch.undo()
        connection.close()
        assert "Sign out" in asked.get("/").content.decode()

    def test_what_was_typed_is_kept_and_sent_again(
        self, game, asked, database_is_away, monkeypatch
    ):
        url = f"{game.get_absolute_url()}talk/"
        database_is_away()
        asked.raise_request_exception = False
        page = asked.post(url, {"talk-text": "Trust me.", "talk-token": str(uuid4())})
        assert page.status_code == 503
        assert "Message to everyone Trust me." in text_of(page)
        monkeypatch.undo()
        connection.close()
        assert sent_again(asked, page, url).status_code == 302
        assert Message.objects.get().text == "Trust me."

    @pytest.mark.parametrize("does", [DISK_FULL, CONNECTION_LOST], ids=["disk full", "connection"])
    def test_also_where_it_fails_in_the_middle(self, game, asked, does):
        url = f"{game.get_absolute_url()}move/"
        form = filled_in(asked, game)
        with trouble("games_event", game.pk, does=does):
            page = asked.post(url, form)
            assert page.status_code == 503
        assert not Move.objects.exists()
        assert sent_again(asked, page, url).status_code == 302
        assert Move.objects.filter(token=form["token"]).exists()

    def test_also_where_only_the_session_cannot_be_saved(self, asked):
        """Each first request of a day prolongs it; Django would call that the visitor's mistake."""
        asked.raise_request_exception = False
        with altering_tables() as cursor:
            cursor.execute(
                "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN {DISK_FULL}; END $$;"
                "CREATE TRIGGER full_disk BEFORE UPDATE ON django_session FOR EACH ROW "
                "EXECUTE FUNCTION full_disk()"
            )
        try:
            assert asked.get("/").status_code == 503
        finally:
            with altering_tables() as cursor:
                cursor.execute("DROP TRIGGER full_disk ON django_session; DROP FUNCTION full_disk")
        assert asked.get("/").status_code == 200
