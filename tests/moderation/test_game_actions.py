"""What moderators do to seats, to the game as a whole, and with words."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import AuditLine, Game, Message, Move, Order, OutboxEmail
from games.services.email import delivery
from games.services.game import seats
from games.services.game.verify import verify_game
from games.services.lobby import tables
from games.services.moderation.actions import seats as moderated_seats
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from games.services.operations import clock, sample_games
from games.services.public_ids import short_id
from games.services.refused import Refused
from tests.support.client import browser, person, text_of
from tests.support.moderators import (
    act,
    act_url,
    acts_text,
    answer_of,
    asked,
    marta_acts,
    moderator,
    shown_form,
    the_log,
)
from tests.support.sent_emails import emailed
from tests.support.stuck import MISTAKE, trouble
from tests.support.tables import DAY, open_table, seat_of, table_settings, tick

pytestmark = pytest.mark.django_db


class TestSeats:
    @pytest.mark.full
    def test_missed_turns_are_excused(self, game):
        seat = asked(game)
        late = seat.deadline_at
        tick(late)
        clock.sweep(now=late)
        seat.refresh_from_db()
        assert seat.missed == [True]
        marta_acts(game, "excuse", seat=seat.number)
        seat.refresh_from_db()
        assert (seat.missed, seat.last_miss_at) == ([], None)
        assert emailed("table_news", game) == [seat.user.name]
        assert "Your missed deadlines are excused." in the_log(game, seat.user.name)

    @pytest.mark.full
    def test_absent_and_present(self, game):
        clara = seat_of(game, "Clara")
        marta_acts(game, "absent", seat=clara.number)
        assert seat_of(game, "Clara").absent_since
        assert "Clara is absent" in the_log(game)
        marta_acts(game, "present", seat=clara.number)
        assert seat_of(game, "Clara").absent_since is None
        assert "Clara is back." in the_log(game)
        assert acts_text(game) == ["SeatAbsent", "SeatReturned"]
        assert emailed("table_news", game) == ["Clara", "Clara"]

    @pytest.mark.full
    def test_a_computer_player_plays_on_and_the_player_is_gone(self, game):
        clara = seat_of(game, "Clara")
        marta_acts(game, "house-player", seat=clara.number, computer_player="courtier")
        seat = game.seats.get(number=clara.number)
        assert (seat.user, seat.computer_player) == (None, "courtier")
        assert f"A computer player takes over the {seat.colour} seat permanently." in the_log(game)
        assert emailed("table_news", game) == ["Anna", "Boris", "Clara", "Dora"]
        assert "You have" not in browser(clara.user).get(game.get_absolute_url()).content.decode()
        play_to_the_end(game)
        assert Move.objects.filter(seat=seat, cause="house").exists()
        assert verify_game(game.pk) == []

    @pytest.mark.full
    def test_a_freed_seat_is_taken_by_a_substitute(self, game):
        clara, emil = seat_of(game, "Clara"), person("Emil")
        marta_acts(game, "reopen", seat=clara.number)
        assert game.seats.get(number=clara.number).user is None
        seats.take_over(game_id=game.pk, number=clara.number, user=emil, now=timezone.now())
        log = the_log(game, "Emil")
        assert f"The {clara.colour} seat is free again: a substitute may take it." in log
        assert f"You take over {clara.colour} as a substitute." in log
        play_to_the_end(game)
        assert verify_game(game.pk) == []

    def test_a_seat_of_the_house_is_not_freed(self):
        anna = person("Anna")
        game = tables.open_table(host=anna, settings=table_settings(), now=timezone.now())
        tables.start_with_computer_players(
            game_id=game.pk, user=anna, computer_player="default", now=timezone.now()
        )
        house = game.seats.filter(user=None).first()
        game.refresh_from_db()
        marta = moderator()
        options = browser(marta).get(act_url(game, "reopen")).content.decode().partition("seat")[2]
        assert f'<option value="{house.number}"' not in options.partition("</select>")[0]
        request = GameRequest(game.pk, marta, "Because.", seen_now(game), timezone.now())
        with pytest.raises(Refused, match="This seat has always belonged to a computer player"):
            moderated_seats.reopen_seat(request, seat=house.number)

    @pytest.mark.full
    def test_a_table_closed_to_newcomers_takes_none_and_asks_none(self, game):
        clara, emil = seat_of(game, "Clara"), person("Emil")
        marta_acts(game, "close")
        seats.step_aside(game_id=game.pk, user=clara.user, now=timezone.now())
        with pytest.raises(Refused, match="This table isn't taking new players"):
            seats.take_over(game_id=game.pk, number=clara.number, user=emil, now=timezone.now())
        page = browser(emil).get(game.get_absolute_url()).content.decode()
        assert "take-over" not in page
        log = browser(emil).get(f"{game.get_absolute_url()}history/").content.decode()
        assert "The table is closed to new players" in log
        marta_acts(game, "open")
        seats.take_over(game_id=game.pk, number=clara.number, user=emil, now=timezone.now())
        assert acts_text(game) == ["NewcomersRefused", "NewcomersWelcome"]


def play_to_the_end(game):
    sample_games.decline_offers(game, timezone.now())
    while game.status == Game.Status.RUNNING:
        answer_of(game, asked(game))
        sample_games.decline_offers(game, timezone.now())


class TestTheGame:
    @pytest.mark.full
    def test_the_pace_changes_with_the_next_question(self, game):
        before = asked(game)
        marta_acts(game, "pace", hours=48)
        assert asked(game).deadline_at == before.deadline_at
        assert "From the next decision on, players have 2 days per move." in the_log(game)
        answer_of(game, before)
        left = asked(game).deadline_at - timezone.now()
        assert timedelta(hours=47) < left <= timedelta(hours=48)
        assert emailed("table_news", game) == ["Anna", "Boris", "Clara", "Dora"]

    @pytest.mark.full
    def test_a_cancelled_game_is_over_for_everybody(self, game, smtp):
        seat = asked(game)
        marta_acts(game, "cancel")
        assert (game.status, game.deadline_at) == (Game.Status.CANCELLED, None)
        log = the_log(game)
        assert "This game was cancelled" in log
        assert "The game is cancelled. Nobody wins. (by a moderator)" in log
        assert not answer_of(game, seat).played
        assert game.name in browser(seat_of(game, "Anna").user).get("/").content.decode()
        assert not Order.objects.filter(seat__game=game).exists()
        delivery.drain(now=timezone.now())
        text = [m for m in smtp.messages if "cancelled" in m.get_body(("plain",)).get_content()]
        assert len(text) == 4
        assert verify_game(game.pk) == []
        record = browser(moderator("Nora")).get(f"/admin/games/game/{game.pk}/record/")
        assert record.json()["format"] == "intrigue-record/1"
        name = f"intrigue-{short_id('game', game.pk)}-the-venice-table.json"
        assert record["Content-Disposition"] == f'attachment; filename="{name}"'

    def test_a_waiting_table_is_closed(self):
        game = open_table("Anna", "Boris", size=3)
        marta_acts(game, "cancel")
        assert game.status == Game.Status.CANCELLED
        assert emailed("table_closed", game) == ["Anna", "Boris"]
        assert AuditLine.objects.get(game=game).before == {"game_status": "waiting"}

    def test_a_parked_game_is_tried_again(self, game):
        seat = asked(game)
        parked = seat.deadline_at + timedelta(minutes=36)
        Game.objects.filter(pk=game.pk).update(
            parked_at=parked, deadline_at=None, attempts=3, error="engine.py:1\nKeyError"
        )
        Game.objects.filter(pk=game.pk).update(parked_at=timezone.now() - 2 * DAY)
        game.seats.filter(pk=seat.pk).update(deadline_at=timezone.now() - 2 * DAY)
        assert "This game is on hold" in the_log(game)
        marta_acts(game, "retry")
        assert (game.parked_at, game.error, game.attempts) == (None, "", 0)
        assert game.deadline_at > timezone.now() + timedelta(hours=23)
        assert acts_text(game) == ["GameTakenUp", "DeadlineMoved"]
        assert emailed("table_news", game) == [seat.user.name]
        assert AuditLine.objects.get(game=game).before == {"error": "KeyError"}

    @pytest.mark.full
    @pytest.mark.parametrize("slug", ["retry", "cancel"])
    def test_the_state_of_a_parked_game_is_read_from_its_log(self, game, slug):
        answer_of(game, asked(game))
        state = Game.objects.get(pk=game.pk).state
        Game.objects.filter(pk=game.pk).update(parked_at=timezone.now(), deadline_at=None, state={})
        marta_acts(game, slug)
        assert game.parked_at is None
        assert game.state == state
        assert browser(seat_of(game, "Anna").user).get(game.get_absolute_url()).status_code == 200

    def test_a_game_that_still_cannot_go_on_stays_parked(self, game):
        Game.objects.filter(pk=game.pk).update(parked_at=timezone.now(), deadline_at=None)
        with trouble("games_event", game.pk, does=MISTAKE):
            answered = act(browser(moderator()), game, "retry")
        assert "The game still can't continue: DataError." in text_of(answered)
        game.refresh_from_db()
        assert game.parked_at
        assert not AuditLine.objects.exists()

    def test_the_record_of_a_running_game_is_not_given(self, game):
        answered = browser(moderator()).get(f"/admin/games/game/{game.pk}/record/")
        assert answered.status_code == 302


class TestWords:
    @pytest.mark.full
    def test_the_referee_writes_and_everybody_gets_it(self, game, smtp):
        delivery.drain(now=timezone.now())
        marta_acts(game, "referee", text="Please be <b>kind</b>.")
        message = Message.objects.get(game=game)
        assert (message.author.name, message.by_referee) == ("Marta", True)
        page = browser(seat_of(game, "Anna").user).get(game.get_absolute_url()).content.decode()
        assert "The referee" in page
        assert "Please be &lt;b&gt;kind&lt;/b&gt;." in page
        assert "Marta" not in page
        before = len(smtp.messages)
        delivery.drain(now=timezone.now())
        text = smtp.messages[before:]
        assert len(text) == 4
        assert all("be <b>kind" in m.get_body(("plain",)).get_content() for m in text)

    def test_the_same_form_twice_is_one_message(self, game):
        marta = browser(moderator())
        form = shown_form(marta, game, "referee") | {"text": "Be kind."}
        assert [marta.post(act_url(game, "referee"), form).status_code for _ in "ab"] == [302, 302]
        assert Message.objects.count() == 1

    @pytest.mark.full
    def test_a_failed_mail_goes_out_again(self, game, smtp):
        mail = OutboxEmail.objects.filter(game=game, kind="your_turn").first()
        OutboxEmail.objects.exclude(pk=mail.pk).update(status="sent")
        OutboxEmail.objects.filter(pk=mail.pk).update(status="failed", error="550 no", attempts=8)
        marta_acts(game, "send-again", mail_id=mail.pk)
        delivery.drain(now=timezone.now())
        mail.refresh_from_db()
        assert (mail.status, mail.error) == ("sent", "")
        assert len(smtp.messages) == 1
        line = AuditLine.objects.get(game=game)
        assert (line.action, line.person) == ("game.send-again", mail.person)
