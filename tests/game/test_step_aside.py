"""What is asked first: of who steps aside, and of who takes the last one away from a table."""

import pytest
from django.utils import timezone

from games.models import Seat, User
from games.services.moderation.actions.game_action import seen_now
from tests.support.client import browser, person, text_of
from tests.support.moderators import marta_acts, moderator, previewed
from tests.support.tables import DAY, alone, leave, open_table, seat_of

pytestmark = pytest.mark.django_db


class TestSteppingAside:
    ALONE = "You're the last one here. If you step aside, the game goes dormant"

    def page(self, game, name):
        client = browser(seat_of(game, name).user)
        return client.get(f"{game.get_absolute_url()}step-aside/")

    @pytest.mark.full
    def test_it_is_asked_first_and_a_look_changes_nothing(self):
        game = open_table("Anna", "Boris", "Clara", absent_player="courtier")
        events = game.events.count()
        page = text_of(self.page(game, "Anna"))
        assert "the computer player “courtier” will play for you right away" in page
        assert "We'll look for a substitute. You can come back until one takes your seat" in page
        assert "orders, drafts and notes in this game will be deleted" in page
        assert self.ALONE not in page
        assert seat_of(game, "Anna").absent_since is None
        assert game.events.count() == events
        client = browser(seat_of(game, "Anna").user)
        assert f"{game.get_absolute_url()}step-aside/" in links(client.get(game.get_absolute_url()))
        client.post(f"{game.get_absolute_url()}step-aside/")
        assert seat_of(game, "Anna").absent_since is not None

    @pytest.mark.full
    def test_the_last_one_reads_that_the_game_will_rest(self):
        game = open_table("Anna", "Boris", "Clara")
        leave(game, "Boris", "Clara")
        page = text_of(self.page(game, "Anna"))
        assert self.ALONE in page
        assert "will play for you" not in page
        assert self.ALONE in text_of(self.page(alone("Dora"), "Dora"))

    @pytest.mark.full
    def test_at_a_table_that_is_closed_to_newcomers_nobody_is_looked_for(self):
        game = open_table("Anna", "Boris", "Clara")
        marta_acts(game, "close")
        page = text_of(self.page(game, "Anna"))
        assert "We won't look for a substitute" in page
        assert "We'll look for a substitute" not in page
        leave(game, "Boris", "Clara")
        page = text_of(self.page(game, "Anna"))
        assert "It continues when you or another player comes back." in page
        leave(game, "Anna")
        page = text_of(browser(seat_of(game, "Anna").user).get(game.get_absolute_url()))
        assert "As soon as one of the players returns, the game will continue" in page

    def test_who_has_no_seat_to_leave_is_led_to_the_table(self):
        game = open_table("Anna", "Boris", "Clara")
        leave(game, "Anna")
        strangers = (seat_of(game, "Anna").user, person("Dora"))
        for client in map(browser, strangers):
            came = client.get(f"{game.get_absolute_url()}step-aside/")
            assert (came.status_code, came["Location"]) == (302, game.get_absolute_url())

    def test_who_deletes_their_account_reads_which_games_will_rest(self):
        rested, played = alone(), open_table("Boris", "Clara", "Dora", name="Another table")
        anna = seat_of(rested, "Anna").user
        Seat.objects.filter(pk=seat_of(played, "Dora").pk).update(user=anna)
        page = text_of(browser(anna).get("/accounts/delete/"))
        assert "You're the last player at the table below. Its game will go dormant" in page
        assert "The Venice table" in page
        assert "Another table" not in page
        assert "You're the last player" not in text_of(
            browser(User.objects.get(name="Boris")).get("/accounts/delete/")
        )


def links(page):
    return page.content.decode()


@pytest.mark.full
class TestModeratorsAreToldFirst:
    RESTS = "Nobody else is left at this table, so the game will go dormant, and everyone who has"

    @pytest.mark.parametrize(
        ("slug", "more"),
        [("house-player", {"computer_player": "courtier"}), ("reopen", {}), ("absent", {})],
    )
    def test_by_every_act_that_takes_the_last_one_away(self, slug, more):
        game = open_table("Anna", "Boris", "Clara")
        leave(game, "Boris", "Clara")
        number = seat_of(game, "Anna").number
        address = f"/admin/games/game/{game.pk}/act/{slug}/"
        form = {
            "seat": number,
            "reason": "She cannot be reached.",
            **seen_now(game)._asdict(),
            **more,
        }
        nora = browser(moderator("Nora"))
        page = nora.post(address, form)
        assert self.RESTS in text_of(page)
        game.refresh_from_db()
        assert game.dormant_since is None
        assert nora.post(address, form | previewed(page)).status_code == 302
        game.refresh_from_db()
        assert game.dormant_since is not None

    def test_nothing_is_to_be_read_while_others_are_there(self):
        game = open_table("Anna", "Boris", "Clara")
        leave(game, "Boris")
        marta_acts(game, "absent", seat=seat_of(game, "Anna").number)
        assert game.dormant_since is None

    @pytest.mark.parametrize("slug", ["suspend", "ban"])
    def test_by_what_is_done_to_a_person_table_by_table(self, slug):
        open_table("Boris", "Clara", "Dora", name="Another table")
        rested = alone()
        anna = seat_of(rested, "Anna").user
        Seat.objects.filter(user__name="Dora").update(user=anna)
        nora = browser(moderator("Nora"))
        address = f"/admin/games/user/{anna.pk}/act/{slug}/"
        form = {
            "reason": "She shouts.",
            "seen": 0,
            "until": f"{timezone.now() + DAY:%Y-%m-%dT%H:%M}",
        }
        shown = nora.post(address, form)
        page = text_of(shown)
        assert f"Nobody else is left at the table {rested}, so the game will go dormant." in page
        assert page.count("so the game will go dormant") == 1
        rested.refresh_from_db()
        assert rested.dormant_since is None
        assert nora.post(address, form | previewed(shown)).status_code == 302
        rested.refresh_from_db()
        assert rested.dormant_since is not None
