"""What a table asks of those who sit down: moves made in time, and whether newcomers may."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Game, OutboxEmail
from games.services.game import absence, seats
from games.services.lobby import invitations, tables
from games.services.lobby.queries import settings_text
from games.services.lobby.settings import refuse_impossible, settings_of
from games.services.refused import Refused
from tests.support.client import browser, forms_of, opening_form, person, text_of
from tests.support.reliability import has_played
from tests.support.tables import MONDAY, leave, open_table, seat_of, table_settings

pytestmark = pytest.mark.django_db

TOO_LOW = "This table requires at least 90% of moves made in time; your share is 84%."
TOO_FEW = "This table requires at least 10 moves in the last 12 months; so far, you've made 9."
SHARE = "Only for players who have made at least {}% of their moves in time"
SOME_MOVES = "at least 10 moves in the last 12 months"


def of_84_percent(name="Zoe"):
    user = person(name)
    has_played(user, moved=21, missed=4)
    return user


def of_90_percent(name="Yves"):
    user = person(name)
    has_played(user, moved=9, missed=1)
    return user


def newcomer(name="Nils"):
    """Somebody one move short of a share."""
    user = person(name)
    has_played(user, moved=8, missed=1)
    return user


def join(game, user):
    return text_of(browser(user).post(f"{game.get_absolute_url()}join/", follow=True))


def sits(game, user):
    return game.seats.filter(user=user).exists()


class TestJoining:
    def test_a_share_that_is_too_low_is_refused_with_both_numbers(self):
        game = open_table("Anna", size=4, least_in_time=90)
        zoe = of_84_percent()
        assert TOO_LOW in join(game, zoe)
        assert not sits(game, zoe)

    def test_the_share_that_is_asked_for_is_enough(self):
        game = open_table("Anna", size=4, least_in_time=90, newcomers_welcome=False)
        yves = of_90_percent()
        join(game, yves)
        assert sits(game, yves)

    def test_a_share_is_not_rounded_up(self):
        game, user = open_table("Anna", size=4, least_in_time=95), person("Zoe")
        has_played(user, moved=189, missed=11)
        assert "at least 95% of moves made in time; your share is 94%." in join(game, user)

    def test_newcomers_may_sit_down_where_they_are_welcome_whatever_they_missed(self):
        game, user = open_table("Anna", size=4, least_in_time=95), person("Nils")
        has_played(user, moved=0, missed=9)
        join(game, user)
        assert sits(game, user)

    @pytest.mark.parametrize("least", [0, 90])
    def test_newcomers_are_refused_where_they_are_not_welcome_with_both_numbers(self, least):
        game = open_table("Anna", size=4, least_in_time=least, newcomers_welcome=False)
        nils = newcomer()
        assert TOO_FEW in join(game, nils)
        assert not sits(game, nils)

    def test_moves_of_more_than_a_year_ago_do_not_count(self):
        game, user = open_table("Anna", size=4, newcomers_welcome=False), person("Zoe")
        has_played(user, moved=50, at=timezone.now() - timedelta(days=366))
        assert "so far, you've made 0." in join(game, user)

    def test_it_is_the_share_that_the_profile_shows(self):
        zoe = of_84_percent()
        page = text_of(browser(person("Reader")).get(f"/people/{zoe.pk}/"))
        assert "On time: 84% of 25 moves in the last 12 months." in page

    def test_who_hides_the_share_is_asked_for_it_all_the_same(self):
        game, zoe = open_table("Anna", size=4, least_in_time=90), of_84_percent()
        zoe.hidden_parts = ["reliability"]
        zoe.save()
        assert TOO_LOW in join(game, zoe)

    def test_who_sits_there_already_is_not_refused(self):
        game = open_table("Anna", "Boris", size=4)
        boris = seat_of(game, "Boris").user
        has_played(boris, moved=21, missed=4)
        Game.objects.filter(pk=game.pk).update(least_in_time=90)
        assert TOO_LOW not in join(game, boris)
        assert sits(game, boris)


class TestInvitations:
    @pytest.mark.parametrize("by_name", [True, False])
    def test_the_hosts_own_invitation_does_not_lift_it(self, by_name):
        game, zoe = open_table("Anna", size=4, least_in_time=90), of_84_percent()
        whom = {"names": [zoe.name], "addresses": []} if by_name else {"addresses": [zoe.email]}
        invitations.invite(game_id=game.pk, user=game.host, now=timezone.now(), **whom)
        [asked] = game.invitations.all()
        page = browser(zoe).post(f"{asked.get_absolute_url()}accept/", follow=True)
        assert TOO_LOW in text_of(page)
        assert not sits(game, zoe)
        asked.refresh_from_db()
        assert asked.status == "open"

    def test_the_page_says_it_instead_of_the_button(self):
        game, zoe = open_table("Anna", size=4, least_in_time=90), of_84_percent()
        invitations.invite(game_id=game.pk, user=game.host, addresses=[zoe.email], now=MONDAY)
        page = browser(zoe).get(game.invitations.get().get_absolute_url())
        assert TOO_LOW in text_of(page)
        assert not any("/accept/" in one for one in forms_of(page.content.decode()))
        assert any("/decline/" in one for one in forms_of(page.content.decode()))

    @pytest.mark.parametrize("welcome", [True, False])
    def test_without_an_account_one_is_no_more_than_a_newcomer(self, client, welcome):
        game = open_table("Anna", size=4, listed=True, least_in_time=90, newcomers_welcome=welcome)
        page = client.get(game.get_absolute_url())
        assert (f"with {SOME_MOVES}." in text_of(page)) is not welcome
        forms = forms_of(page.content.decode())
        assert any("email" in fields for fields in forms.values()) is welcome

    def test_the_service_refuses_too(self):
        game, zoe = open_table("Anna", size=4, least_in_time=90), of_84_percent()
        invitations.invite(game_id=game.pk, user=game.host, addresses=[zoe.email], now=MONDAY)
        with pytest.raises(Refused, match="your share is 84%"):
            invitations.accept(
                invitation_id=game.invitations.get().pk, user=zoe, now=timezone.now()
            )


class TestRematches:
    @pytest.fixture
    def over(self):
        game = open_table("Anna", "Boris", "Clara", options={"rounds": 1}, fixed_hour=20)
        assert game.status == Game.Status.FINISHED
        Game.objects.filter(pk=game.pk).update(least_in_time=90, newcomers_welcome=False)
        return Game.objects.get(pk=game.pk)

    def test_they_ask_for_the_same_but_not_of_their_host(self, over):
        anna, boris = (seat_of(over, name).user for name in ("Anna", "Boris"))
        for user in (anna, boris):
            has_played(user, moved=21, missed=4)
        game = invitations.again(game_id=over.pk, user=anna, now=timezone.now())
        assert (game.least_in_time, game.newcomers_welcome) == (90, False)
        assert settings_of(game) == settings_of(over)
        assert sits(game, anna)
        with pytest.raises(Refused, match="your share is 84%"):
            invitations.again(game_id=over.pk, user=boris, now=timezone.now())
        assert not sits(game, boris)


class TestSubstitutes:
    @pytest.fixture
    def game(self):
        game = open_table("Anna", "Boris", "Clara", least_in_time=90)
        leave(game, "Clara")
        return game

    def take_over(self, game, user):
        number = seat_of(game, "Clara").number
        address = f"{game.get_absolute_url()}take-over/{number}/"
        return text_of(browser(user).post(address, follow=True))

    @pytest.mark.full
    def test_a_share_that_is_too_low_is_refused_with_both_numbers(self, game):
        zoe = of_84_percent()
        assert TOO_LOW in self.take_over(game, zoe)
        assert not sits(game, zoe)

    @pytest.mark.full
    def test_the_share_that_is_asked_for_is_enough(self, game):
        yves = of_90_percent()
        self.take_over(game, yves)
        assert sits(game, yves)

    @pytest.mark.full
    def test_the_page_says_it_instead_of_the_button(self, game):
        address = game.get_absolute_url()
        for user, text, button in ((of_84_percent(), TOO_LOW, False), (of_90_percent(), "", True)):
            page = browser(user).get(address)
            assert text in text_of(page)
            assert ("Take over this seat" in text_of(page)) is button

    @pytest.mark.full
    def test_who_may_not_take_the_seat_gets_no_email_about_it(self, game):
        zoe, yves = of_84_percent(), of_90_percent()
        other = open_table("Dora", size=4)
        for user in (seat_of(game, "Anna").user, zoe, yves):
            tables.join(game_id=other.pk, user=user, now=timezone.now())
        absence.ask_for_substitutes(game, seat_of(game, "Clara"), timezone.now())
        asked = OutboxEmail.objects.filter(kind="substitute_wanted")
        assert sorted(asked.values_list("person__name", flat=True)) == ["Dora", "Yves"]

    def test_who_stepped_aside_comes_back_whatever_it_is(self, game):
        clara = seat_of(game, "Clara").user
        has_played(clara, moved=21, missed=4)
        seats.come_back(game_id=game.pk, user=clara, now=timezone.now())
        assert seat_of(game, "Clara").absent_since is None


class TestSettings:
    @pytest.mark.full
    def test_they_are_chosen_when_a_table_is_opened_by_whoever_it_is(self):
        zoe = of_84_percent()
        client = browser(zoe)
        usual = opening_form(client)
        assert (usual["least_in_time"], usual["newcomers_welcome"]) == ("0", "welcome")
        chosen = {"name": "Rialto", "least_in_time": "90", "newcomers_welcome": "experienced"}
        client.post("/tables/new/", usual | chosen)
        game = Game.objects.get(name="Rialto")
        assert (game.least_in_time, game.newcomers_welcome) == (90, False)
        assert sits(game, zoe)

    @pytest.mark.parametrize(
        ("least", "welcome", "sentence"),
        [
            (0, True, "Newcomers are welcome."),
            (0, False, f"Only for players with {SOME_MOVES}."),
            (80, True, f"{SHARE.format(80)}, and for newcomers."),
            (95, False, f"{SHARE.format(95)}, with {SOME_MOVES}."),
        ],
    )
    def test_they_are_stated(self, least, welcome, sentence):
        game = open_table("Anna", size=4, least_in_time=least, newcomers_welcome=welcome)
        assert sentence in settings_text(game)

    @pytest.mark.parametrize("least", [1, 85, 100, -1])
    def test_the_service_refuses_other_shares(self, least):
        with pytest.raises(Refused, match="0%, 80%, 90%, 95%"):
            refuse_impossible(table_settings(least_in_time=least))

    @pytest.mark.full
    def test_the_form_takes_no_other_share(self):
        client = browser(person("Anna"))
        page = client.post("/tables/new/", opening_form(client) | {"least_in_time": "85"})
        assert page.status_code == 422
        assert not Game.objects.exists()
        assert "<details open><summary>Who plays" in page.content.decode()


class TestBeforeTheTap:
    @pytest.mark.full
    @pytest.mark.parametrize("page", ["/tables/", "{table}"])
    def test_the_sentence_stands_instead_of_the_button(self, page):
        game = open_table("Anna", size=4, listed=True, least_in_time=90)
        address = page.format(table=game.get_absolute_url())
        for user, text, button in ((of_84_percent(), TOO_LOW, False), (of_90_percent(), "", True)):
            shown = browser(user).get(address)
            assert text in text_of(shown)
            assert ("Take a seat" in text_of(shown)) is button
            assert not any("/join/" in one for one in forms_of(shown.content.decode())) or button
