"""How much one account may do: games, tables in a day, and words in a day."""

from datetime import timedelta
from uuid import uuid4

import pytest

from games.features.guide import first_game
from games.models import Game, Message, Seat, User
from games.models.game import new_token
from games.services.chat import messages as chat_messages
from games.services.game import seats
from games.services.lobby import invitations, tables
from games.services.people import joining
from games.services.public_ids import public_id
from games.services.refused import Refused
from tests.support.client import browser, person, text_of
from tests.support.races import at_once, refusal
from tests.support.tables import DAY, MONDAY, finished, open_table, seat_of, table_settings

pytestmark = pytest.mark.django_db
MANY_GAMES = "You already have a seat at 50 tables."
MANY_OPENED = "You've opened a lot of tables in the last 24 hours."


def busy(user: User, games: int) -> None:
    """Somebody sits at so many running games."""
    game = open_table("Xenia", "Yves", "Zoe")
    copies = []
    for _ in range(games):
        copy = Game.objects.get(pk=game.pk)
        copy.pk, copy.token = None, new_token()
        copies.append(copy)
    made = Game.objects.bulk_create(copies)
    Seat.objects.bulk_create(Seat(game=one, user=user, number=0, joined_at=MONDAY) for one in made)


def open_and_close(host: User, times: int, now=MONDAY) -> None:
    for _ in range(times):
        game = tables.open_table(host=host, settings=table_settings(), now=now)
        tables.cancel(game_id=game.pk, user=host, now=now)


class TestGames:
    @pytest.mark.full
    def test_fifty_are_the_limit_by_whatever_way_one_sits_down(self):
        anna = person("Anna")
        waiting = open_table("Boris", size=4)
        [invited] = [
            invitations.invite(
                game_id=waiting.pk, user=waiting.host, addresses=[anna.email], now=MONDAY
            )
            and waiting.invitations.get()
        ]
        running = open_table("Clara", "Dora", "Emil")
        seats.step_aside(game_id=running.pk, user=seat_of(running, "Dora").user, now=MONDAY)
        number = seat_of(running, "Dora").number
        busy(anna, joining.MOST_GAMES)
        ways = (
            lambda: tables.open_table(host=anna, settings=table_settings(), now=MONDAY),
            lambda: tables.join(game_id=waiting.pk, user=anna, now=MONDAY),
            lambda: invitations.accept(invitation_id=invited.pk, user=anna, now=MONDAY),
            lambda: seats.take_over(game_id=running.pk, number=number, user=anna, now=MONDAY),
            lambda: first_game.begin(user=anna, now=MONDAY),
        )
        for way in ways:
            assert refusal(way).startswith(MANY_GAMES)
        page = browser(anna).post(f"{waiting.get_absolute_url()}join/", follow=True)
        assert MANY_GAMES in text_of(page)

    def test_a_game_that_is_over_makes_room_and_a_first_game_takes_none(self):
        anna = person("Anna")
        first_game.begin(user=anna, now=MONDAY)
        busy(anna, joining.MOST_GAMES - 1)
        tables.open_table(host=anna, settings=table_settings(), now=MONDAY)
        with pytest.raises(Refused, match=MANY_GAMES):
            tables.open_table(host=anna, settings=table_settings(), now=MONDAY)
        over = Game.objects.filter(seats__user=anna, status="running", guided=False).first()
        Game.objects.filter(pk=over.pk).update(status="finished", deadline_at=None)
        tables.open_table(host=anna, settings=table_settings(), now=MONDAY)


@pytest.mark.full
class TestTablesInADay:
    def test_twenty_are_the_limit_also_of_those_that_were_closed_or_started(self):
        anna = person("Anna")
        open_and_close(anna, tables.MOST_OPENED_A_DAY - 1)
        game = tables.open_table(host=anna, settings=table_settings(), now=MONDAY)
        tables.start_with_computer_players(
            game_id=game.pk, user=anna, computer_player="default", now=MONDAY
        )
        with pytest.raises(Refused, match=MANY_OPENED):
            tables.open_table(host=anna, settings=table_settings(), now=MONDAY)
        with pytest.raises(Refused, match=MANY_OPENED):
            tables.open_table(
                host=anna, settings=table_settings(), now=MONDAY + DAY - timedelta(seconds=1)
            )
        tables.open_table(host=anna, settings=table_settings(), now=MONDAY + DAY)

    def test_first_games_are_counted_by_themselves_and_end(self):
        anna = person("Anna")
        open_and_close(anna, tables.MOST_OPENED_A_DAY)
        for _ in range(tables.MOST_FIRST_GAMES_A_DAY):
            game = first_game.begin(user=anna, now=MONDAY)
            Game.objects.filter(pk=game.pk).update(status="finished", deadline_at=None)
        with pytest.raises(Refused, match=MANY_OPENED):
            first_game.begin(user=anna, now=MONDAY)

    def test_a_rematch_is_one_more_but_not_a_table_that_is_made_for_somebody(self):
        game = finished()
        boris = seat_of(game, "Boris").user
        open_and_close(boris, tables.MOST_OPENED_A_DAY)
        with pytest.raises(Refused, match=MANY_OPENED):
            invitations.again(game_id=game.pk, user=boris, now=MONDAY)
        made = tables.make(table_settings(), host=boris, now=MONDAY)
        assert [seat.user for seat in made.seats.all()] == [boris]

    @pytest.mark.counts
    @pytest.mark.django_db(transaction=True)
    def test_eight_at_once_open_no_more_than_is_left(self):
        anna = person("Anna")
        open_and_close(anna, tables.MOST_OPENED_A_DAY - 1)

        def opens():
            return refusal(
                lambda: tables.open_table(host=anna, settings=table_settings(), now=MONDAY)
            )

        answers = at_once(*[opens] * 8)
        assert answers.count("") == 1
        assert Game.objects.filter(host=anna).count() == tables.MOST_OPENED_A_DAY


class TestTalk:
    def messages(self, game: Game, count: int, text: str = "Hear me") -> None:
        user = seat_of(game, "Boris").user
        Message.objects.bulk_create(
            Message(game=game, author=user, text=f"{text} {n}", token=uuid4(), at=MONDAY)
            for n in range(count)
        )

    @pytest.mark.full
    def test_the_page_of_three_days_of_shouting_is_small_and_leads_on(self):
        game = open_table("Anna", "Boris", "Clara")
        self.messages(game, 17_280)
        anna, url = browser(game.host), game.get_absolute_url()
        page = anna.get(url).content.decode()
        assert page.count("Hear me") == 50
        assert "Hear me 17279" in page
        assert len(page) < 200_000
        first = Message.objects.order_by("pk").first().pk
        last = public_id("message", first + 17_280 - 50)
        older = f'href="{url}?before={last}#chat">Older messages</a>'
        assert older in anna.get(url).content.decode()
        early = public_id("message", first + 50)
        page = anna.get(f"{url}?before={early}").content.decode()
        assert page.count("Hear me") == 50
        assert "Older messages" not in page
        assert f'<a href="{url}#chat">Latest messages</a>' in page
        before_all = anna.get(f"{url}?before={public_id('message', first)}")
        assert "Hear me" not in before_all.content.decode()

    @pytest.mark.full
    @pytest.mark.parametrize("before", ["", "x", "-1", "9" * 40, "²", "%00"])
    def test_a_page_that_is_none_is_the_latest(self, before):
        game = open_table("Anna", "Boris", "Clara")
        self.messages(game, 1)
        url = f"{game.get_absolute_url()}?before={before}"
        assert "Hear me 0" in browser(game.host).get(url).content.decode()

    def test_one_person_says_no_more_than_five_hundred_things_in_a_day(self):
        game, other = open_table("Anna", "Boris", "Clara"), open_table("Dora", size=4)
        boris = seat_of(game, "Boris").user
        tables.join(game_id=other.pk, user=boris, now=MONDAY)
        self.messages(game, chat_messages.MOST_A_DAY)
        later = MONDAY + timedelta(hours=23)

        def speak(now, where=other):
            chat_messages.say(game_id=where.pk, user=boris, text="More", token=uuid4(), now=now)

        with pytest.raises(Refused, match="You can send up to 500 messages in 24 hours"):
            speak(later)
        chat_messages.say(game_id=game.pk, user=game.host, text="Quiet", token=uuid4(), now=later)
        speak(MONDAY + DAY)
