"""Who has blocked somebody sits down with them at no new table, whichever way they come."""

import pytest
from django.utils import timezone

from games.models import Block, Game, OutboxEmail, Seat, Sitting, User
from games.services.accounts.queries.home import read_home
from games.services.email import delivery
from games.services.game import seats
from games.services.game.verify import verify_game
from games.services.lobby import invitations, tables
from games.services.lobby.lists import open_tables
from games.services.lobby.queries import tables_wanting_substitutes
from games.services.lobby.wanted import Wanted
from games.services.people import blocks
from games.services.people.display_names import player_name
from games.services.refused import Refused
from tests.lobby.test_lobby_races import posts, statuses, text
from tests.support.client import browser, html_of, person, text_of
from tests.support.races import at_once
from tests.support.tables import MONDAY, open_table, seat_of, table_settings

pytestmark = pytest.mark.django_db

NO_SEAT = "You can't join this table, because you and one of its players can't be seated together."
BOTH_WAYS = pytest.mark.parametrize("blocker", ["Anna", "Boris"])


def block(one: User, other: User) -> None:
    blocks.block(user=one, other_id=other.pk, now=MONDAY)


def at_odds(blocker: str) -> tuple[User, User]:
    """Anna and Boris, one of whom has blocked the other."""
    anna, boris = person("Anna"), person("Boris")
    block(*(anna, boris) if blocker == "Anna" else (boris, anna))
    return anna, boris


def annas_table(anna: User, *others: User, **more: object) -> Game:
    settings = table_settings(size=4, listed=True, **more)
    game = tables.open_table(host=anna, settings=settings, now=MONDAY)
    for other in others:
        tables.join(game_id=game.pk, user=other, now=MONDAY)
    return game


def at(game: Game) -> list[str]:
    return sorted(player_name(seat) for seat in game.seats.all())


class TestSittingDown:
    @pytest.mark.full
    @BOTH_WAYS
    def test_by_the_link_neither_sits_down_and_the_words_name_nobody(self, blocker):
        anna, boris = at_odds(blocker)
        game = annas_table(anna, person("Clara"))
        page = browser(boris).post(f"{game.get_absolute_url()}join/", follow=True)
        assert NO_SEAT in text_of(page)
        assert "block" not in page.content.decode().lower()
        assert at(game) == ["Anna", "Clara"]

    @BOTH_WAYS
    def test_the_table_is_not_in_the_list(self, blocker):
        anna, boris = at_odds(blocker)
        game = annas_table(anna)
        clara = person("Clara")
        assert [line.game for line in open_tables(clara, Wanted(), MONDAY)] == [game]
        assert open_tables(boris, Wanted(), MONDAY) == []

    def test_others_are_not_concerned_and_unblocked_they_play_again(self):
        anna, boris = at_odds("Anna")
        game = annas_table(anna, person("Clara"))
        blocks.unblock(user=boris, other_id=anna.pk)  # it was not Boris who blocked
        with pytest.raises(Refused, match="can't be seated together"):
            tables.join(game_id=game.pk, user=boris, now=MONDAY)
        blocks.unblock(user=anna, other_id=boris.pk)
        tables.join(game_id=game.pk, user=boris, now=MONDAY)
        assert at(game) == ["Anna", "Boris", "Clara"]

    def test_where_both_sit_already_they_stay_and_the_game_starts_and_goes_on(self):
        anna, boris = person("Anna"), person("Boris")
        game = annas_table(anna, boris)
        block(anna, boris)
        for name in ("Clara", "Dora"):
            tables.join(game_id=game.pk, user=person(name), now=MONDAY)
        game.refresh_from_db()
        assert game.status == "running"
        assert seat_of(game, "Boris").absent_since is None
        assert browser(boris).get(game.get_absolute_url()).status_code == 200


@pytest.mark.full
class TestInvitations:
    def invite(self, blocker):
        anna, boris = at_odds(blocker)
        game = annas_table(anna)
        addresses = [boris.email, "emil@example.org"]
        page = browser(anna).post(
            f"{game.get_absolute_url()}invite/", {"addresses": " ".join(addresses)}, follow=True
        )
        return game, anna, boris, html_of(page)

    @BOTH_WAYS
    def test_no_mail_goes_out_and_who_invites_learns_nothing(self, blocker, smtp):
        _game, _anna, boris, page = self.invite(blocker)
        assert "The invitations are on their way." in page
        assert f"{boris.email}: not answered" in page
        assert "Anyone who has blocked someone at this table, or been blocked by them, won" in page
        delivery.drain(now=timezone.now())
        assert [message["To"] for message in smtp.messages] == ["emil@example.org"]
        assert OutboxEmail.objects.get(kind="invitation", person=boris).status == "dropped"

    @BOTH_WAYS
    def test_it_is_not_on_the_home_page_and_its_link_leads_to_no_seat(self, blocker):
        game, _anna, boris, _page = self.invite(blocker)
        assert read_home(boris, MONDAY).invitations == []
        invitation = game.invitations.get(email=boris.email)
        with pytest.raises(Refused, match="can't be seated together"):
            invitations.accept(invitation_id=invitation.pk, user=boris, now=MONDAY)
        invitation.refresh_from_db()
        assert invitation.status == "open"
        assert at(game) == ["Anna"]
        Block.objects.all().delete()
        assert [one.invitation for one in read_home(boris, MONDAY).invitations] == [invitation]


class TestTheSameAgain:
    @pytest.mark.full
    @BOTH_WAYS
    def test_the_second_to_ask_finds_no_seat_at_the_table_of_the_first(self, blocker):
        over = open_table("Anna", "Boris", "Clara", "Dora", "Emil", options={"rounds": 1})
        assert over.status == "finished"
        anna, boris = (seat_of(over, name).user for name in ("Anna", "Boris"))
        block(*(anna, boris) if blocker == "Anna" else (boris, anna))
        newer = invitations.again(game_id=over.pk, user=anna, now=MONDAY)
        page = browser(boris).post(f"{over.get_absolute_url()}again/", follow=True)
        assert NO_SEAT in text_of(page)
        assert at(newer) == ["Anna"]
        assert read_home(boris, MONDAY).invitations == []
        assert len(read_home(seat_of(over, "Clara").user, MONDAY).invitations) == 1


class TestSubstitutes:
    def absent(self, blocker):
        """A running game of Anna's with an absent seat, and Boris who is at odds with Anna."""
        game = open_table("Anna", "Clara", "Dora", listed=True)
        earlier = open_table("Boris", "Emil", "Fanny")
        anna, boris = seat_of(game, "Anna").user, seat_of(earlier, "Boris").user
        block(*(anna, boris) if blocker == "Anna" else (boris, anna))
        clara = seat_of(game, "Clara").user
        shared = tables.open_table(host=clara, settings=table_settings(size=3), now=MONDAY)
        for user in (boris, seat_of(earlier, "Emil").user):
            tables.join(game_id=shared.pk, user=user, now=MONDAY)
        seats.step_aside(game_id=game.pk, user=clara, now=MONDAY)
        return game, boris, seat_of(game, "Clara").number

    @pytest.mark.full
    @BOTH_WAYS
    def test_they_are_not_asked_and_may_not_take_the_seat_over(self, blocker):
        game, boris, number = self.absent(blocker)
        asked = OutboxEmail.objects.filter(kind="substitute_wanted", game=game)
        assert [mail.person.name for mail in asked] == ["Emil"]
        assert tables_wanting_substitutes(boris) == []
        url = f"{game.get_absolute_url()}take-over/{number}/"
        assert NO_SEAT in text_of(browser(boris).post(url, follow=True))
        assert seat_of(game, "Clara").number == number
        emil = User.objects.get(name="Emil")
        assert [one.pk for one in tables_wanting_substitutes(emil)] == [game.pk]
        seats.take_over(game_id=game.pk, number=number, user=emil, now=MONDAY)
        assert seat_of(game, "Emil").number == number

    @pytest.mark.full
    def test_a_block_after_the_mail_was_written_stops_it(self, smtp):
        game, _boris, _number = self.absent("Boris")
        emil = User.objects.get(name="Emil")
        block(User.objects.get(name="Dora"), emil)
        delivery.drain(now=timezone.now())
        mail = OutboxEmail.objects.get(kind="substitute_wanted", game=game)
        assert (mail.person, mail.status) == (emil, "dropped")

    def test_the_seat_of_who_has_blocked_one_may_be_taken_over(self):
        game = open_table("Anna", "Clara", "Dora")
        anna, boris = seat_of(game, "Anna").user, person("Boris")
        block(anna, boris)
        number = seat_of(game, "Anna").number
        seats.step_aside(game_id=game.pk, user=anna, now=MONDAY)
        seats.take_over(game_id=game.pk, number=number, user=boris, now=MONDAY)
        assert seat_of(game, "Boris").number == number
        assert verify_game(game.pk) == []


def test_a_second_click_is_no_error_and_oneself_cannot_be_blocked():
    anna, boris = at_odds("Anna")
    block(anna, boris)
    assert Block.objects.count() == 1
    with pytest.raises(Refused, match="This is your own account"):
        block(anna, anna)
    with pytest.raises(Refused, match="This account no longer exists"):
        blocks.block(user=anna, other_id=boris.pk + 1000, now=MONDAY)


@pytest.mark.full
def test_a_hundred_are_enough():
    anna = person("Anna")
    others = [person(f"Guest {number}") for number in range(blocks.MOST_BLOCKED + 1)]
    for other in others[:-1]:
        block(anna, other)
    page = browser(anna).post(f"/people/{others[-1].pk}/block/", follow=True)
    assert "You've already blocked 100 people." in text_of(page)


@pytest.mark.django_db(transaction=True)
class TestRaces:
    @pytest.mark.full
    @pytest.mark.counts
    @pytest.mark.parametrize("attempt", range(4))
    def test_two_who_do_not_play_together_join_at_once(self, attempt):
        anna, boris = at_odds("Anna")
        game = annas_table(person("Clara"))
        url = f"{game.get_absolute_url()}join/"
        pages = at_once(*(posts(browser(user), url) for user in (anna, boris) * 3))
        assert statuses(pages) == {200}
        assert text(pages, NO_SEAT) == 3
        assert at(game) in (["Anna", "Clara"], ["Boris", "Clara"])

    @pytest.mark.sample(1)
    @pytest.mark.counts
    @pytest.mark.parametrize("attempt", range(4))
    def test_after_a_block_nobody_sits_down_any_more(self, attempt):
        """A join that began before is finished before the block, or refused."""
        anna, boris = person("Anna"), person("Boris")
        game = annas_table(anna)

        def block_and_look():
            block(anna, boris)
            return at(game)

        seen, page = at_once(
            block_and_look, posts(browser(boris), f"{game.get_absolute_url()}join/")
        )
        assert page.status_code == 200
        assert at(game) == seen
        assert text([page], NO_SEAT) == (seen == ["Anna"])

    @pytest.mark.full
    @pytest.mark.counts
    def test_two_who_do_not_play_together_want_two_seats_of_one_game(self):
        game = open_table("Clara", "Dora", "Emil")
        numbers = [seat_of(game, name).number for name in ("Clara", "Dora")]
        for name in ("Clara", "Dora"):
            seats.step_aside(game_id=game.pk, user=seat_of(game, name).user, now=MONDAY)
        game.refresh_from_db()
        assert game.status == "running"
        anna, boris = at_odds("Anna")
        url = f"{game.get_absolute_url()}take-over/"
        pages = at_once(
            posts(browser(anna), f"{url}{numbers[0]}/"),
            posts(browser(boris), f"{url}{numbers[1]}/"),
        )
        assert statuses(pages) == {200}
        assert text(pages, NO_SEAT) == 1
        assert Sitting.objects.filter(seat__game=game, user__in=(anna, boris)).count() == 1
        assert verify_game(game.pk) == []

    @pytest.mark.counts
    def test_two_block_each_other_at_once(self):
        anna, boris = person("Anna"), person("Boris")
        at_once(*[lambda: block(anna, boris), lambda: block(boris, anna)] * 4)
        assert Block.objects.count() == 2
        assert not Seat.objects.exists()
