"""Games against computer players that begin at once: by one tap, from the form, once more."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Game, Move
from games.services.lobby import against_computers
from games.services.lobby.tables import MOST_OPENED_A_DAY
from games.services.operations import clock
from games.services.refused import Refused
from tests.support.client import as_shown, browser, forms_of, opening_form, person, text_of
from tests.support.sent_emails import sent
from tests.support.tables import DAY, MONDAY, submit_move, table_settings

pytestmark = pytest.mark.django_db
AGAINST = "/tables/against-computer-players/"


def form_on(client):
    """The form on My games, as it is shown."""
    return as_shown(forms_of(client.get("/").content.decode())[AGAINST])


class TestOneTap:
    @pytest.mark.full
    def test_it_opens_fills_and_starts_an_unlisted_table_and_leads_there(self):
        anna = browser(person("Anna"))
        began = anna.post(AGAINST, form_on(anna))
        game = Game.objects.get()
        assert began["Location"] == game.get_absolute_url()
        assert (game.status, game.listed, game.edition, game.size) == (
            "running", False, "mayfair-2005", 4,
        )  # fmt: skip
        players = sorted(game.seats.values_list("user__name", "computer_player"), key=str)
        assert players == [("Anna", ""), *[(None, "courtier")] * 3]
        page = text_of(anna.get(game.get_absolute_url()))
        assert "No deadlines: the game waits for you." in page

    @pytest.mark.full
    def test_the_same_tap_twice_is_one_game_and_another_one_another(self):
        anna = browser(person("Anna"))
        form = form_on(anna)
        first, again = anna.post(AGAINST, form), anna.post(AGAINST, form)
        assert first["Location"] == again["Location"]
        anna.post(AGAINST, form_on(anna))
        assert Game.objects.filter(status="running").count() == 2

    def test_a_get_begins_nothing(self):
        assert browser(person("Anna")).get(AGAINST)["Location"] == "/"
        assert not Game.objects.exists()

    def test_nothing_is_begun_for_a_guest_or_nobody(self, client):
        client.post(AGAINST)
        assert not Game.objects.exists()
        client.post("/first-game/")
        client.post(AGAINST)
        assert Game.objects.get().guided

    def test_it_waits_for_its_player_and_nothing_is_emailed(self, smtp, monkeypatch):
        monkeypatch.setattr(against_computers, "COMPUTER_PLAYER", "default")
        anna = person("Anna")
        game = against_computers.play_as_usual(user=anna, now=MONDAY)
        submit_move(game, anna, MONDAY)
        assert sent(smtp, later=timedelta(days=400)) == {}
        assert clock.sweep(now=MONDAY + timedelta(days=400)) == 0
        assert Move.objects.filter(user=anna, cause="player").count() == 1

    def test_its_player_ends_it_alone(self):
        anna = person("Anna")
        game = against_computers.play_as_usual(user=anna, now=MONDAY)
        page = browser(anna).get(game.get_absolute_url())
        assert "your vote alone decides" in text_of(page)
        votes = f"{game.get_absolute_url()}votes/"
        browser(anna).post(votes, {"kind": "end", "sure": "yes"})
        game.refresh_from_db()
        assert game.is_over


@pytest.mark.full
class TestThreeWaitingTables:
    def test_it_doesnt_count_and_isnt_counted(self):
        anna = browser(person("Anna"))
        for _ in range(3):
            anna.post("/tables/new/", opening_form(anna))
        assert anna.post(AGAINST)["Location"] != "/"
        refused = anna.post("/tables/new/", opening_form(anna))
        assert "You already have a seat at 3 tables that haven't started yet." in text_of(refused)

    def test_games_against_computer_players_leave_three_tables(self):
        anna = browser(person("Anna"))
        for _ in range(4):
            anna.post(AGAINST)
        for _ in range(3):
            assert anna.post("/tables/new/", opening_form(anna)).status_code == 302

    def test_the_form_of_a_table_begins_one_with_its_rules(self):
        anna = browser(person("Anna"))
        for _ in range(3):
            anna.post("/tables/new/", opening_form(anna))
        typed = {"alone": "yes", "size": "5", "edition": "russian", "bribing": "simultaneous"}
        typed |= {
            "fixed_hour": "20",
            "talk_seconds": "43200",
            "no_play_days": ["6"],
            "name": "Solo",
        }
        form = opening_form(anna) | typed
        first, again = anna.post("/tables/new/", form), anna.post("/tables/new/", form)
        assert first["Location"] == again["Location"]
        game = Game.objects.get(status="running")
        assert (game.size, game.edition, game.options, game.name) == (
            5, "russian", {"bribing": "simultaneous"}, "Solo",
        )  # fmt: skip
        assert (game.listed, game.has_deadlines, game.talk_seconds, game.fixed_hour) == (
            False, False, 0, None,
        )  # fmt: skip

    def test_the_limit_of_a_day_stays(self):
        anna = person("Anna")
        for _ in range(MOST_OPENED_A_DAY):
            against_computers.play_as_usual(user=anna, now=MONDAY)
        with pytest.raises(Refused, match="opened a lot of tables in the last 24 hours"):
            against_computers.play_as_usual(user=anna, now=MONDAY)
        against_computers.play_as_usual(user=anna, now=MONDAY + DAY)

    def test_it_is_refused_with_a_sentence_on_my_games(self):
        anna = person("Anna")
        for _ in range(MOST_OPENED_A_DAY):
            against_computers.play_as_usual(user=anna, now=timezone.now())
        page = browser(anna).post(AGAINST, follow=True)
        assert page.redirect_chain == [("/", 302)]
        assert "You've opened a lot of tables in the last 24 hours." in text_of(page)

    def test_who_may_not_write_plays_as_usual_but_names_no_table(self):
        anna = person("Anna", muted_until=timezone.now() + DAY)
        client = browser(anna)
        assert client.post(AGAINST)["Location"] != "/"
        refused = client.post("/tables/new/", opening_form(client) | {"alone": "yes"})
        assert refused.status_code == 422
        assert Game.objects.count() == 1


class TestOnceMore:
    @pytest.mark.full
    def test_a_game_without_deadlines_is_begun_again_at_once(self, monkeypatch):
        monkeypatch.setattr(against_computers, "COMPUTER_PLAYER", "default")
        anna = person("Anna")
        settings = table_settings(options={"rounds": 2}, size=3)
        over = against_computers.play(user=anna, settings=settings, now=MONDAY)
        while over.status == "running":
            submit_move(over, anna, MONDAY)
            over.refresh_from_db()
        client = browser(anna)
        page = client.get(over.get_absolute_url())
        assert "Play again" in text_of(page)
        assert "invites everyone who played" not in text_of(page)
        begun = client.post(f"{over.get_absolute_url()}again/")
        newer = Game.objects.exclude(pk=over.pk).get()
        assert begun["Location"] == newer.get_absolute_url()
        assert (newer.status, newer.options, newer.has_deadlines) == (
            "running", {"rounds": 2}, False,
        )  # fmt: skip
