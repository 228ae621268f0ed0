"""What moderators do to a game's time: pauses, deadlines, and the default."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import AuditLine, Move, OutboxEmail
from games.services.accounts.account import delete_account
from games.services.accounts.queries.your_turn import waiting_games
from games.services.email import delivery
from games.services.game.verify import verify_game
from games.services.operations import clock
from tests.support.client import browser
from tests.support.moderators import (
    act,
    act_url,
    acts_text,
    answer_of,
    asked,
    audited_actions,
    marta_acts,
    moderator,
    shown_form,
    the_log,
)
from tests.support.sent_emails import emailed
from tests.support.tables import DAY, seats_to_move, tick

pytestmark = pytest.mark.django_db

BEHIND = (timezone.now() - DAY).strftime("%Y-%m-%dT%H:%M")
"""In the past, but not so far that it could be a mistake of typing."""


class TestPause:
    @pytest.mark.full
    def test_no_time_passes_and_everybody_has_what_was_left(self, game):
        seat = asked(game)
        marta_acts(game, "pause")
        left = seat.deadline_at - game.paused_at
        assert game.deadline_at is None
        assert not seats_to_move(game)
        assert "This game is paused" in the_log(game)
        assert "The game is paused. (by a moderator)" in the_log(game)
        assert "Clara is in hospital." in the_log(game)
        assert emailed("table_news", game) == ["Anna", "Boris", "Clara", "Dora"]
        assert not answer_of(game, seat).played
        later = timezone.now() + 9 * DAY
        tick(later)
        clock.sweep(now=later)
        assert not Move.objects.filter(game=game, seat=seat).exists()
        marta_acts(game, "resume")
        assert acts_text(game) == ["GamePaused", "GameResumed", "DeadlineMoved"]
        again = asked(game)
        assert again == seat
        resumed = game.events.get(kind="GameResumed").at
        assert timedelta() <= left - (again.deadline_at - resumed) < timedelta(seconds=1)
        assert game.deadline_at == again.deadline_at
        assert again.deadline_version == seat.deadline_version + 1
        assert audited_actions(game=game) == [("Marta", "game.pause"), ("Marta", "game.resume")]
        assert answer_of(game, again).played

    @pytest.mark.full
    def test_the_clock_resumes_it_when_the_pause_is_over(self, game):
        until = timezone.now() + 3 * DAY
        marta_acts(game, "pause", until=until.strftime("%Y-%m-%dT%H:%M"))
        assert "It resumes automatically on" in the_log(game)
        for now, paused in ((until - DAY, True), (until + DAY, False)):
            tick(now)
            clock.sweep(now=now)
            game.refresh_from_db()
            assert bool(game.paused_at) is paused
        assert game.events.filter(kind="GameResumed", cause="clock").count() == 1
        assert audited_actions(game=game)[-1] == ("the clock", "game.resume")
        left = asked(game).deadline_at - (until + DAY)
        assert timedelta(hours=23) < left <= DAY

    def test_an_end_that_lies_behind_is_refused(self, game):
        answered = act(browser(moderator()), game, "pause", until=BEHIND)
        assert answered.status_code == 422
        assert "The end of the pause must be in the future." in answered.content.decode()
        assert acts_text(game) == []

    @pytest.mark.full
    def test_a_paused_game_waits_for_nobody_and_reminds_nobody(self, game):
        user = asked(game).user
        marta_acts(game, "pause")
        assert waiting_games(user) == []
        assert "Other players' turn (1)" in browser(user).get("/").content.decode()
        later = timezone.now() + DAY
        tick(later)
        clock.sweep(now=later)
        assert not OutboxEmail.objects.filter(kind__in=("reminder", "last_reminder")).exists()

    @pytest.mark.full
    def test_an_account_can_be_deleted_meanwhile(self, game):
        seat = asked(game)
        marta_acts(game, "pause")
        delete_account(seat.user, timezone.now())
        marta_acts(game, "resume")
        assert Move.objects.filter(game=game, seat=seat).exists()
        assert verify_game(game.pk) == []


@pytest.mark.full
class TestDeadlines:
    def test_more_time_for_who_is_asked(self, game):
        seat = asked(game)
        marta_acts(game, "extend", seat="all", hours=30)
        assert asked(game).deadline_at == seat.deadline_at + timedelta(hours=30)
        assert acts_text(game) == ["DeadlineMoved"]
        assert emailed("table_news", game) == [seat.user.name]
        assert "Your deadline is now" in the_log(game, seat.user.name)
        line = AuditLine.objects.get(game=game)
        assert line.person == seat.user
        assert (line.before, line.after) == (
            {"at": seat.deadline_at.isoformat(timespec="seconds")},
            {"at": asked(game).deadline_at.isoformat(timespec="seconds")},
        )

    def test_the_same_form_twice_gives_the_time_once(self, game):
        marta = browser(moderator())
        form = shown_form(marta, game, "extend") | {"reason": "Again.", "seat": "all"}
        codes = [marta.post(act_url(game, "extend"), form).status_code for _ in range(2)]
        assert codes == [302, 422]
        assert acts_text(game) == ["DeadlineMoved"]

    def test_a_deadline_is_set_on_the_moderators_own_clock(self, game):
        marta = moderator()
        marta.time_zone = "Asia/Tokyo"
        marta.save()
        day = timezone.now().date() + 5 * DAY
        seat = asked(game)
        marta_acts(game, "deadline", at=f"{day}T09:00", seat=seat.number)
        assert asked(game).deadline_at.isoformat() == f"{day}T00:00:00+00:00"
        assert game.deadline_at == asked(game).deadline_at

    def test_a_deadline_that_has_passed_is_refused(self, game):
        answered = act(browser(moderator()), game, "deadline", seat="all", at=BEHIND)
        assert "The deadline must be in the future." in answered.content.decode()
        assert acts_text(game) == []

    def test_the_mail_says_why_and_until_when(self, game, smtp):
        delivery.drain(now=timezone.now())
        marta_acts(game, "extend", seat="all", hours=30)
        delivery.drain(now=timezone.now())
        mail = smtp.messages[-1]
        for part in ("plain", "html"):
            text = mail.get_body((part,)).get_content()
            assert "Clara is in hospital." in text
            assert "by a moderator" in text
            assert "Please move by" in text
        decision = "choose where to send your scholars · The Venice table"
        subject = rf"Your move by [\w ]+:\d\d \(something has changed\): {decision}"
        assert re.fullmatch(subject, mail["Subject"])


class TestTheDefault:
    @pytest.mark.full
    def test_it_is_played_now_and_is_no_miss(self, game, smtp):
        seat = asked(game)
        phase = game.phase_no
        marta_acts(game, "default", seat=seat.number)
        move = Move.objects.get(game=game, phase_no=phase, seat=seat)
        assert (move.cause, move.user) == ("moderator", None)
        seat.refresh_from_db()
        assert seat.missed == []
        assert emailed("table_news", game) == [seat.user.name]
        assert emailed("default_played", game) == []
        delivery.drain(now=timezone.now())
        [mail] = [m for m in smtp.messages if "News from" in m.get_body(("plain",)).get_content()]
        assert mail["To"] == seat.user.email
        assert "You send" in mail.get_body(("plain",)).get_content()
        assert "A moderator has ended the wait for your move." in the_log(game, seat.user.name)
        assert verify_game(game.pk) == []

    def test_too_late_is_refused(self, game):
        marta = browser(moderator())
        seat = asked(game)
        form = shown_form(marta, game, "default") | {"reason": "It takes long."}
        answer_of(game, seat)
        answered = marta.post(act_url(game, "default"), form)
        assert answered.status_code == 422
        assert acts_text(game) == []
