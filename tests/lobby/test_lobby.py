"""Tables before the game: who may do what, the start, closing, the list of tables."""

from datetime import timedelta

import pytest

from games.models import Game, Sitting
from games.services.lobby import tables
from tests.support.client import as_shown, browser, forms_of, person, text_of
from tests.support.sent_emails import emailed
from tests.support.tables import DAY, MONDAY, open_table, seat_of, seats_to_move, table_settings

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
SURE = {"sure": "yes"}
"""What the page that asks first sends."""

POSTS = ["join", "leave", "start", "cancel", "remove", "invite", "again"]


class TestTheTableThatWaits:
    def test_it_says_when_it_closes_by_itself_on_the_readers_clock(self):
        game = open_table("Anna", size=3)
        game.host.time_zone = "America/New_York"
        game.host.save()
        page = text_of(browser(game.host).get(game.get_absolute_url()))
        until = "hasn't started by Mon 16 Mar, 05:00 (America/New_York)"
        assert f"{until}, the table closes automatically." in page

    def test_it_says_how_one_learns_that_the_game_has_started(self):
        game = open_table("Anna", "Boris", size=4)
        for name, kind, sentence in (
            ("Anna", "", "You'll get an email when the game starts, and whenever it's your turn."),
            (
                "Boris",
                "your_turn",
                "You won't be emailed when the game starts or when it's your turn.",
            ),
        ):
            user = seat_of(game, name).user
            user.unwanted_emails = [kind]
            user.save()
            page = browser(user).get(game.get_absolute_url())
            assert sentence in text_of(page)
            assert 'href="/accounts/notifications/"' in page.content.decode()
        assert "You'll get an email" not in text_of(
            browser(person("Zoe")).get(game.get_absolute_url())
        )

    @pytest.mark.parametrize(
        ("allowed", "when"),
        [(True, "full, or when the host fills it with computer players."), (False, "full.")],
    )
    def test_it_says_when_the_game_starts(self, allowed, when):
        game = open_table("Anna", size=4, computer_players_allowed=allowed)
        page = text_of(browser(game.host).get(game.get_absolute_url()))
        assert f"The game starts when the table is {when} Turn order is then drawn" in page

    @pytest.mark.full
    def test_the_host_of_a_listed_table_is_asked_once_whether_its_link_says_their_name(self):
        unlisted, game = open_table("Boris", size=4), open_table("Anna", size=4, listed=True)
        anna, url = browser(game.host), game.get_absolute_url()
        for table, asks in ((unlisted, False), (game, True)):
            forms = forms_of(browser(table.host).get(table.get_absolute_url()).content.decode())
            assert ("/accounts/named/" in forms) is asks
        form = as_shown(forms_of(anna.get(url).content.decode())["/accounts/named/"])
        assert anna.post("/accounts/named/", form | {"named": "yes"})["Location"] == url
        game.host.refresh_from_db()
        assert game.host.named_to_strangers is True
        assert "/accounts/named/" not in forms_of(anna.get(url).content.decode())

    @pytest.mark.full
    def test_only_the_host_sees_and_may_do_what_is_the_hosts(self):
        game = open_table("Anna", "Boris", size=4)
        url = game.get_absolute_url()
        boris = browser(seat_of(game, "Boris").user)
        assert {f"{url}{act}/" for act in ("start", "cancel", "remove")} <= set(
            forms_of(browser(game.host).get(url).content.decode())
        )
        assert not {f"{url}{act}/" for act in ("start", "cancel", "remove")} & set(
            forms_of(boris.get(url).content.decode())
        )
        for act, sentence in (
            ("cancel", "close the table"),
            ("remove", "remove a player from the table"),
        ):
            page = boris.post(
                f"{url}{act}/", SURE | {"seat": seat_of(game, "Anna").pk}, follow=True
            )
            assert f"Only the host can {sentence}." in text_of(page)
        game.refresh_from_db()
        assert (game.status, game.seats.count()) == ("waiting", 2)

    def test_the_host_sends_somebody_away(self):
        game = open_table("Anna", "Boris", size=4)
        anna = browser(game.host)
        url = f"{game.get_absolute_url()}remove/"
        form = as_shown(forms_of(anna.get(game.get_absolute_url()).content.decode())[url]) | SURE
        for _ in range(2):
            assert anna.post(url, form).status_code == 302
        assert list(game.seats.values_list("user__name", flat=True)) == ["Anna"]

    @pytest.mark.sample(1)
    @pytest.mark.parametrize("seat", ["", "x", "-1", "²", "9" * 40, "1" * 17])
    def test_a_seat_that_is_none_removes_nobody(self, seat):
        game = open_table("Anna", "Boris", size=4)
        browser(game.host).post(f"{game.get_absolute_url()}remove/", {"seat": seat} | SURE)
        assert game.seats.count() == 2

    def test_the_host_cannot_send_themselves_away(self):
        game = open_table("Anna", "Boris", size=4)
        seat = seat_of(game, "Anna").pk
        browser(game.host).post(f"{game.get_absolute_url()}remove/", {"seat": seat} | SURE)
        assert game.seats.count() == 2

    def test_nobody_is_removed_from_another_table(self):
        game = open_table("Anna", "Boris", size=4)
        other = open_table("Clara", "Dora", size=4)
        seat = seat_of(other, "Dora").pk
        browser(game.host).post(f"{game.get_absolute_url()}remove/", {"seat": seat} | SURE)
        assert other.seats.count() == 2

    @pytest.mark.full
    def test_the_host_closes_it_and_the_others_are_told(self):
        game = open_table("Anna", "Boris", "Clara", size=4)
        url = game.get_absolute_url()
        for _ in range(2):
            assert browser(game.host).post(f"{url}cancel/", SURE).status_code == 302
        game.refresh_from_db()
        assert game.status == "cancelled"
        assert emailed("table_closed", game) == ["Boris", "Clara"]
        dora = browser(person("Dora"))
        assert "This table is closed." in text_of(dora.post(f"{url}join/", follow=True))
        page = dora.get(url)
        assert "This table is closed." in text_of(page)
        assert f"{url}join/" not in forms_of(page.content.decode())

    def test_a_game_that_has_started_can_neither_be_closed_nor_left_nor_joined(self):
        game = open_table("Anna", "Boris", "Clara")
        anna, url = browser(game.host), game.get_absolute_url()
        assert "The game has already started." in text_of(
            anna.post(f"{url}cancel/", SURE, follow=True)
        )
        left = anna.post(f"{url}leave/", SURE, follow=True)
        assert "You can only leave a table before the game starts." in text_of(left)
        game.refresh_from_db()
        assert (game.status, game.seats.count()) == ("running", 3)

    @pytest.mark.full
    def test_a_get_never_acts(self):
        game = open_table("Anna", "Boris", size=4)
        for act in POSTS:
            url = f"{game.get_absolute_url()}{act}/"
            for reader in (browser(game.host), browser(person(f"Reader {act}"))):
                assert reader.get(url)["Location"] == game.get_absolute_url()
        game.refresh_from_db()
        assert (game.status, game.seats.count()) == ("waiting", 2)

    @pytest.mark.parametrize("act", POSTS)
    def test_who_is_not_signed_in_any_more_comes_back_to_the_table(self, act, client):
        game = open_table("Anna", size=4)
        answered = client.post(f"{game.get_absolute_url()}{act}/")
        assert answered["Location"] == f"/accounts/login/?next={game.get_absolute_url()}"
        assert game.seats.count() == 1

    @pytest.mark.full
    @pytest.mark.parametrize("act", POSTS)
    def test_a_table_that_does_not_exist_is_not_found(self, act):
        anna = browser(person("Anna"))
        for token in ("no-such-table", "%00", "%C3%A9"):
            assert anna.post(f"/tables/{token}/{act}/").status_code == 404
            assert anna.get(f"/tables/{token}/").status_code == 404


class TestTheStart:
    def test_without_computer_players_the_host_cannot_start_alone(self):
        game = open_table("Anna", "Boris", size=4, computer_players_allowed=False)
        anna, url = browser(game.host), game.get_absolute_url()
        assert f"{url}start/" not in forms_of(anna.get(url).content.decode())
        page = anna.post(f"{url}start/", {"computer_player": "default"}, follow=True)
        assert "This table doesn't use computer players" in text_of(page)
        game.refresh_from_db()
        assert game.status == "waiting"

    @pytest.mark.parametrize("computer_player", ["", "wizard", "\0"])
    def test_an_unknown_computer_player_is_refused(self, computer_player):
        game = open_table("Anna", size=3)
        url = game.get_absolute_url()
        answered = browser(game.host).post(f"{url}start/", {"computer_player": computer_player})
        assert answered["Location"] == url
        game.refresh_from_db()
        assert game.status == "waiting"

    def test_everybody_sits_with_their_days_off_from_the_start_on(self):
        game = open_table("Anna", "Boris", "Clara", days_off=12)
        sittings = Sitting.objects.filter(seat__game=game)
        assert sorted(sittings.values_list("user__name", "began_at", "ended_at")) == [
            (name, MONDAY, None) for name in ("Anna", "Boris", "Clara")
        ]
        assert set(game.seats.values_list("days_off_left", flat=True)) == {12}
        assert emailed("game_started", game) == ["Anna", "Boris", "Clara"]

    def test_computer_players_have_no_sitting(self):
        game = open_table("Anna", size=3)
        tables.start_with_computer_players(
            game_id=game.pk, user=game.host, computer_player="default", now=MONDAY
        )
        assert Sitting.objects.get().user == game.host

    def test_the_stored_seed_draws_the_seats_and_the_first_player(self):
        names = ("Anna", "Boris", "Clara")
        people = [person(name) for name in names]
        drawn = []
        for _ in range(2):
            settings = table_settings(size=3)
            game = tables.open_table(host=people[0], settings=settings, now=MONDAY)
            Game.objects.filter(pk=game.pk).update(seed=20260302)
            for user in people[1:]:
                tables.join(game_id=game.pk, user=user, now=MONDAY)
            [first] = seats_to_move(game)
            drawn.append([*game.seats.values_list("user__name", flat=True), first.user.name])
        assert drawn[0] == drawn[1]
        assert sorted(drawn[0][:3]) == list(names)


class TestOldTables:
    def test_they_close_after_14_days_and_everybody_is_told_once(self):
        game = open_table("Anna", "Boris", size=4)
        running = open_table("Clara", "Dora", "Emil")
        assert tables.close_old_tables(MONDAY + 14 * DAY - HOUR) == 0
        assert tables.close_old_tables(MONDAY + 14 * DAY) == 1
        assert tables.close_old_tables(MONDAY + 15 * DAY) == 0
        game.refresh_from_db()
        running.refresh_from_db()
        assert (game.status, running.status) == ("cancelled", "running")
        assert emailed("table_closed", game) == ["Anna", "Boris"]
        assert emailed("table_closed", running) == []


class TestLists:
    @pytest.mark.full
    def test_listed_tables_are_found_by_those_who_do_not_sit_there(self):
        listed = open_table("Anna", "Boris", size=4, name="Rialto", listed=True)
        open_table("Clara", size=4, name="Murano")
        open_table("Dora", "Emil", "Fanny", name="Lido", listed=True)
        closed = open_table("Gustav", size=3, name="Burano", listed=True)
        tables.cancel(game_id=closed.pk, user=closed.host, now=MONDAY)
        zoe = browser(person("Zoe"))
        page = text_of(zoe.get("/tables/"))
        assert "Rialto" in page
        assert "24 hours per move" in page
        assert "2 of 4 seats free" in page
        for hidden in ("Murano", "Lido", "Burano"):
            assert hidden not in page
        assert "Rialto" not in text_of(browser(listed.host).get("/tables/"))

    def test_the_list_may_be_for_those_who_are_signed_in(self, client, settings):
        assert client.get("/tables/").status_code == 200
        settings.WATCHING = "members"
        assert client.get("/tables/")["Location"] == "/accounts/login/?next=/tables/"

    @pytest.mark.full
    def test_the_list_needs_as_many_queries_for_many_tables(self, django_assert_max_num_queries):
        for number in range(6):
            open_table(f"Host {number}", size=3, listed=True)
        zoe = browser(person("Zoe"))
        zoe.get("/tables/")  # the first visit of a day is noted
        with django_assert_max_num_queries(11):
            assert text_of(zoe.get("/tables/")).count("2 of 3 seats free") == 6
