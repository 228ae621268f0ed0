"""Acts of moderators in the admin: what they do, what the table sees, and the mails."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from games.admin import acts
from games.models import AuditLine, Event, Game, Message, Move, Order, OutboxMail, Reason
from games.services import clock, lobby, outbox, seats
from games.services.accounts import delete_account
from games.services.moderation import seat_acts, time_acts
from games.services.moderation.acting import Ask, seen_now
from games.services.refused import Refused
from games.services.verify import verify_game
from games.services.waiting import waiting_games
from tests.moderators import act, act_url, marta_acts, moderator, shown_form
from tests.tables import (
    DAY,
    answer,
    awaited_seats,
    open_table,
    seat_of,
    table_settings,
    tick,
)
from tests.web import browser, person

pytestmark = pytest.mark.django_db

SLUGS = [one.slug for one in acts.ALL]


@pytest.fixture
def game() -> Game:
    """Four people, the first of whom is asked now, with a day for an answer."""
    return open_table("Anna", "Boris", "Clara", "Dora", now=timezone.now())


def asked(game):
    return awaited_seats(game)[0]


def kinds(game):
    return [row.kind for row in game.events.filter(cause="moderator").order_by("seq")]


def the_log(game, name="Anna"):
    """The page of the table and its whole log, in words."""
    client = browser(seat_of(game, name).user)
    urls = (game.get_absolute_url(), f"{game.get_absolute_url()}history/")
    pages = "".join(client.get(url).content.decode() for url in urls)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", pages)))


def mailed(game, kind="table_news"):
    mails = OutboxMail.objects.filter(game=game, kind=kind).select_related("person")
    return sorted(mail.person.name for mail in mails)


def audit(game):
    return [(line.who, line.act) for line in AuditLine.objects.filter(game=game).order_by("pk")]


def test_a_moderator_comes_to_the_desk_from_the_table_but_not_from_their_own(
    game, django_assert_max_num_queries
):
    hugo, marta, anna = person("Hugo"), moderator(), seat_of(game, "Anna").user
    waiting = lobby.open_table(host=hugo, settings=table_settings(), now=timezone.now())
    client = browser(marta)
    client.get("/")
    for table in (game, waiting):
        page, link = table.get_absolute_url(), f"/admin/games/game/{table.pk}/change/"
        with django_assert_max_num_queries(15):
            assert link in client.get(page).content.decode()
        assert link not in browser(anna).get(page).content.decode()
    lobby.join(game_id=waiting.pk, user=marta, now=timezone.now())
    assert link not in client.get(waiting.get_absolute_url()).content.decode()
    link = f"/admin/games/user/{anna.pk}/change/"
    assert link in client.get(f"/people/{anna.pk}/").content.decode()
    assert link not in browser(hugo).get(f"/people/{anna.pk}/").content.decode()
    assert "At the desk" not in client.get(f"/people/{marta.pk}/").content.decode()


def boxes(game, name):
    """What the table's page says at first, and since the last visit."""
    page = browser(seat_of(game, name).user).get(game.get_absolute_url()).content.decode()
    ask, _, rest = page.partition('class="ask card"')[2].partition("</section>")
    recap = rest.partition('class="recap card"')[2].partition("</section>")[0]
    return ask, recap


@pytest.mark.parametrize("slug", ["pause", "cancel"])
def test_the_reason_stands_where_the_table_looks_first(game, slug):
    boxes(game, "Boris")
    marta_acts(game, slug)
    for box in boxes(game, "Boris"):
        assert "<q>Clara is in hospital.</q>" in box


class TestPause:
    def test_no_time_passes_and_everybody_has_what_was_left(self, game):
        seat = asked(game)
        marta_acts(game, "pause")
        left = seat.deadline_at - game.paused_at
        assert game.deadline_at is None
        assert not awaited_seats(game)
        assert "This game is paused" in the_log(game)
        assert "The game is paused. (by a moderator)" in the_log(game)
        assert "Clara is in hospital." in the_log(game)
        assert mailed(game) == ["Anna", "Boris", "Clara", "Dora"]
        assert not answer_of(game, seat).played
        later = timezone.now() + 9 * DAY
        tick(later)
        clock.sweep(now=later)
        assert not Move.objects.filter(game=game, seat=seat).exists()
        marta_acts(game, "resume")
        assert kinds(game) == ["GamePaused", "GameResumed", "DeadlineMoved"]
        again = asked(game)
        assert again == seat
        resumed = game.events.get(kind="GameResumed").at
        assert timedelta() <= left - (again.deadline_at - resumed) < timedelta(seconds=1)
        assert game.deadline_at == again.deadline_at
        assert again.deadline_version == seat.deadline_version + 1
        assert audit(game) == [("Marta", "pause"), ("Marta", "resume")]
        assert answer_of(game, again).played

    def test_the_clock_resumes_it_when_the_pause_is_over(self, game):
        until = timezone.now() + 3 * DAY
        marta_acts(game, "pause", until=until.strftime("%Y-%m-%dT%H:%M"))
        assert "It goes on by itself on" in the_log(game)
        for now, paused in ((until - DAY, True), (until + DAY, False)):
            tick(now)
            clock.sweep(now=now)
            game.refresh_from_db()
            assert bool(game.paused_at) is paused
        assert game.events.filter(kind="GameResumed", cause="clock").count() == 1
        assert audit(game)[-1] == ("the clock", "resume")
        left = asked(game).deadline_at - (until + DAY)
        assert timedelta(hours=23) < left <= DAY

    def test_an_end_that_lies_behind_is_refused(self, game):
        answered = act(browser(moderator()), game, "pause", until="2020-01-01T00:00")
        assert answered.status_code == 422
        assert "must lie ahead" in answered.content.decode()
        assert kinds(game) == []

    def test_a_paused_game_waits_for_nobody_and_reminds_nobody(self, game):
        user = asked(game).user
        marta_acts(game, "pause")
        assert waiting_games(user) == []
        assert "Others are awaited (1)" in browser(user).get("/").content.decode()
        later = timezone.now() + DAY
        tick(later)
        clock.sweep(now=later)
        assert not OutboxMail.objects.filter(kind__in=("reminder", "last_reminder")).exists()

    def test_an_account_can_be_deleted_meanwhile(self, game):
        seat = asked(game)
        marta_acts(game, "pause")
        delete_account(seat.user, timezone.now())
        marta_acts(game, "resume")
        assert Move.objects.filter(game=game, seat=seat).exists()
        assert verify_game(game.pk) == []


def answer_of(game, seat):
    return answer(game, seat.user, timezone.now())


class TestDeadlines:
    def test_more_time_for_who_is_asked(self, game):
        seat = asked(game)
        marta_acts(game, "extend", hours=30)
        assert asked(game).deadline_at == seat.deadline_at + timedelta(hours=30)
        assert kinds(game) == ["DeadlineMoved"]
        assert mailed(game) == [seat.user.name]
        assert f"{seat.user.name}'s deadline is now" in the_log(game)
        line = AuditLine.objects.get(game=game)
        assert line.person == seat.user
        assert (line.before, line.after) == (
            seat.deadline_at.isoformat(timespec="seconds"),
            asked(game).deadline_at.isoformat(timespec="seconds"),
        )

    def test_the_same_form_twice_gives_the_time_once(self, game):
        marta = browser(moderator())
        form = shown_form(marta, game, "extend") | {"reason": "Again."}
        codes = [marta.post(act_url(game, "extend"), form).status_code for _ in range(2)]
        assert codes == [302, 422]
        assert kinds(game) == ["DeadlineMoved"]

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
        answered = act(browser(moderator()), game, "deadline", at="2020-01-01T00:00")
        assert "A deadline must lie ahead" in answered.content.decode()
        assert kinds(game) == []

    def test_the_mail_says_why_and_until_when(self, game, smtp):
        outbox.drain(now=timezone.now())
        marta_acts(game, "extend", hours=30)
        outbox.drain(now=timezone.now())
        mail = smtp.messages[-1]
        for part in ("plain", "html"):
            text = mail.get_body((part,)).get_content()
            assert "Clara is in hospital." in text
            assert "by a moderator" in text
            assert "Answer until" in text
        assert mail["Subject"] == "[Intrigue] The Venice table"


class TestTheDefault:
    def test_it_is_played_now_and_is_no_miss(self, game, smtp):
        seat = asked(game)
        phase = game.phase_no
        marta_acts(game, "default", seat=seat.number)
        move = Move.objects.get(game=game, phase_no=phase, seat=seat)
        assert (move.cause, move.user) == ("moderator", None)
        seat.refresh_from_db()
        assert seat.missed == []
        assert mailed(game) == [seat.user.name]
        assert mailed(game, "default_played") == []
        outbox.drain(now=timezone.now())
        [mail] = [
            m
            for m in smtp.messages
            if "Something was changed" in m.get_body(("plain",)).get_content()
        ]
        assert mail["To"] == seat.user.email
        assert f"{seat.user.name} sends" in mail.get_body(("plain",)).get_content()
        assert f"The wait for {seat.user.name} is ended." in the_log(game)
        assert verify_game(game.pk) == []

    def test_too_late_is_refused(self, game):
        marta = browser(moderator())
        seat = asked(game)
        form = shown_form(marta, game, "default") | {"reason": "It takes long."}
        answer_of(game, seat)
        answered = marta.post(act_url(game, "default"), form)
        assert answered.status_code == 422
        assert kinds(game) == []


class TestSeats:
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
        assert mailed(game) == [seat.user.name]
        assert f"The missed answers of {seat.user.name} are excused." in the_log(game)

    def test_absent_and_present(self, game):
        clara = seat_of(game, "Clara")
        marta_acts(game, "absent", seat=clara.number)
        assert seat_of(game, "Clara").absent_since
        assert "Clara is absent" in the_log(game)
        marta_acts(game, "present", seat=clara.number)
        assert seat_of(game, "Clara").absent_since is None
        assert "Clara is back." in the_log(game)
        assert kinds(game) == ["SeatAbsent", "SeatReturned"]
        assert mailed(game) == ["Clara", "Clara"]

    def test_a_house_player_plays_on_and_the_player_is_gone(self, game):
        clara = seat_of(game, "Clara")
        marta_acts(game, "house-player", seat=clara.number, house_player="courtier")
        seat = game.seats.get(number=clara.number)
        assert (seat.user, seat.house_player) == (None, "courtier")
        assert "A house player sits down for" in the_log(game)
        assert mailed(game) == ["Anna", "Boris", "Clara", "Dora"]
        assert "You hold" not in browser(clara.user).get(game.get_absolute_url()).content.decode()
        play_to_the_end(game)
        assert Move.objects.filter(seat=seat, cause="house").exists()
        assert verify_game(game.pk) == []

    def test_a_freed_seat_is_taken_by_a_substitute(self, game):
        clara, emil = seat_of(game, "Clara"), person("Emil")
        marta_acts(game, "reopen", seat=clara.number)
        assert game.seats.get(number=clara.number).user is None
        seats.take_over(game_id=game.pk, number=clara.number, user=emil, now=timezone.now())
        log = the_log(game, "Emil")
        assert "is free again: a substitute may sit down." in log
        assert "Emil sits down as the substitute" in log
        play_to_the_end(game)
        assert verify_game(game.pk) == []

    def test_a_seat_of_the_house_is_not_freed(self):
        anna = person("Anna")
        game = lobby.open_table(host=anna, settings=table_settings(), now=timezone.now())
        lobby.start_with_house_players(
            game_id=game.pk, user=anna, house_player="default", now=timezone.now()
        )
        house = game.seats.filter(user=None).first()
        answered = act(browser(moderator()), game, "reopen", seat=house.number)
        assert "No person has ever sat here" in answered.content.decode()

    def test_a_table_closed_to_newcomers_takes_none_and_asks_none(self, game):
        clara, emil = seat_of(game, "Clara"), person("Emil")
        marta_acts(game, "close")
        seats.step_aside(game_id=game.pk, user=clara.user, now=timezone.now())
        with pytest.raises(Refused, match="closed to newcomers"):
            seats.take_over(game_id=game.pk, number=clara.number, user=emil, now=timezone.now())
        page = browser(emil).get(game.get_absolute_url()).content.decode()
        assert "take-over" not in page
        log = browser(emil).get(f"{game.get_absolute_url()}history/").content.decode()
        assert "The table is closed to newcomers" in log
        marta_acts(game, "open")
        seats.take_over(game_id=game.pk, number=clara.number, user=emil, now=timezone.now())
        assert kinds(game) == ["NewcomersRefused", "NewcomersWelcome"]


def play_to_the_end(game):
    game.refresh_from_db()
    while game.status == Game.Status.RUNNING:
        answer_of(game, asked(game))
        game.refresh_from_db()


class TestTheGame:
    def test_the_pace_changes_with_the_next_question(self, game):
        before = asked(game)
        marta_acts(game, "pace", hours=48)
        assert asked(game).deadline_at == before.deadline_at
        assert "From the next question on, the time for an answer is 2 days." in the_log(game)
        answer_of(game, before)
        left = asked(game).deadline_at - timezone.now()
        assert timedelta(hours=47) < left <= timedelta(hours=48)
        assert mailed(game) == ["Anna", "Boris", "Clara", "Dora"]

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
        outbox.drain(now=timezone.now())
        told = [m for m in smtp.messages if "cancelled" in m.get_body(("plain",)).get_content()]
        assert len(told) == 4
        assert verify_game(game.pk) == []
        record = browser(moderator("Nora")).get(f"/admin/games/game/{game.pk}/record/")
        assert record.json()["format"] == "intrigue-record/1"

    def test_a_waiting_table_is_closed(self):
        game = open_table("Anna", "Boris", size=3)
        marta_acts(game, "cancel")
        assert game.status == Game.Status.CANCELLED
        assert mailed(game, "table_closed") == ["Anna", "Boris"]

    def test_a_parked_game_is_tried_again(self, game):
        seat = asked(game)
        parked = seat.deadline_at + timedelta(minutes=36)
        Game.objects.filter(pk=game.pk).update(
            parked_at=parked, deadline_at=None, attempts=3, error="engine.py:1\nKeyError"
        )
        Game.objects.filter(pk=game.pk).update(parked_at=timezone.now() - 2 * DAY)
        game.seats.filter(pk=seat.pk).update(deadline_at=timezone.now() - 2 * DAY)
        assert "This game rests" in the_log(game)
        marta_acts(game, "retry")
        assert (game.parked_at, game.error, game.attempts) == (None, "", 0)
        assert game.deadline_at > timezone.now() + timedelta(hours=23)
        assert kinds(game) == ["GameTakenUp", "DeadlineMoved"]
        assert mailed(game) == [seat.user.name]
        assert AuditLine.objects.get(game=game).before == "KeyError"

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
        Order.objects.create(
            seat=asked(game), kind="bribe", scholar="x", formula={}, made_at=timezone.now()
        )
        answered = act(browser(moderator()), game, "retry")
        assert "It still cannot go on: BadOrder." in answered.content.decode()
        game.refresh_from_db()
        assert game.parked_at
        assert not AuditLine.objects.exists()

    def test_the_record_of_a_running_game_is_not_given(self, game):
        answered = browser(moderator()).get(f"/admin/games/game/{game.pk}/record/")
        assert answered.status_code == 302


class TestWords:
    def test_the_referee_writes_and_everybody_gets_it(self, game, smtp):
        outbox.drain(now=timezone.now())
        marta_acts(game, "referee", text="Please be <b>kind</b>.")
        message = Message.objects.get(game=game)
        assert (message.author.name, message.by_referee) == ("Marta", True)
        page = browser(seat_of(game, "Anna").user).get(game.get_absolute_url()).content.decode()
        assert "The referee" in page
        assert "Please be &lt;b&gt;kind&lt;/b&gt;." in page
        assert "Marta" not in page
        before = len(smtp.messages)
        outbox.drain(now=timezone.now())
        told = smtp.messages[before:]
        assert len(told) == 4
        assert all("be <b>kind" in m.get_body(("plain",)).get_content() for m in told)

    def test_the_same_form_twice_is_one_message(self, game):
        marta = browser(moderator())
        form = shown_form(marta, game, "referee") | {"text": "Be kind."}
        assert [marta.post(act_url(game, "referee"), form).status_code for _ in "ab"] == [302, 302]
        assert Message.objects.count() == 1

    def test_a_failed_mail_goes_out_again(self, game, smtp):
        mail = OutboxMail.objects.filter(game=game, kind="your_turn").first()
        OutboxMail.objects.exclude(pk=mail.pk).update(status="sent")
        OutboxMail.objects.filter(pk=mail.pk).update(status="failed", error="550 no", attempts=8)
        marta_acts(game, "send-again", mail_id=mail.pk)
        outbox.drain(now=timezone.now())
        mail.refresh_from_db()
        assert (mail.status, mail.error) == ("sent", "")
        assert len(smtp.messages) == 1
        line = AuditLine.objects.get(game=game)
        assert (line.act, line.person) == ("send again", mail.person)


class TestWhoMay:
    def test_players_and_strangers_may_nothing(self, game):
        for client in (browser(seat_of(game, "Anna").user), browser(person("Emil")), Client()):
            for slug in SLUGS:
                for answered in (
                    client.get(act_url(game, slug)),
                    client.post(act_url(game, slug), {"reason": "Because."}),
                ):
                    assert answered.status_code == 302
                    assert "login/" in answered["Location"]
        assert not AuditLine.objects.exists()
        assert kinds(game) == []

    def test_a_moderator_may_nothing_at_their_own_table(self):
        marta = moderator()
        game = open_table("Anna", "Boris", size=3, now=timezone.now())
        client = browser(marta)
        lobby.join(game_id=game.pk, user=marta, now=timezone.now())
        self.assert_nothing_is_open(client, game)
        seats.step_aside(game_id=game.pk, user=marta, now=timezone.now())
        number = seat_of(game, "Marta").number
        emil = person("Emil")
        seats.take_over(game_id=game.pk, number=number, user=emil, now=timezone.now())
        self.assert_nothing_is_open(client, game)
        page = client.get(f"/admin/games/game/{game.pk}/change/").content.decode()
        assert "/act/" not in page
        assert "another moderator has to act on it" in page

    def assert_nothing_is_open(self, client, game):
        for slug in SLUGS:
            assert client.get(act_url(game, slug)).status_code == 403
            assert client.post(act_url(game, slug), {"reason": "Because."}).status_code == 403
        assert client.get(f"/admin/games/game/{game.pk}/record/").status_code == 403

    def test_the_service_refuses_too(self, game):
        anna = seat_of(game, "Anna").user
        ask = Ask(game.pk, person("Emil"), "Because.", seen_now(game), timezone.now())
        with pytest.raises(Refused, match="Only moderators"):
            time_acts.pause(ask)
        anna.is_staff = anna.is_superuser = True
        anna.save()
        with pytest.raises(Refused, match="another moderator"):
            seat_acts.mark_absent(ask._replace(moderator=anna), seat=0)

    def test_staff_without_the_role_may_nothing(self, game):
        emil = person("Emil", is_staff=True)
        assert browser(emil).get("/admin/").status_code == 302
        ask = Ask(game.pk, emil, "Because.", seen_now(game), timezone.now())
        with pytest.raises(Refused, match="Only moderators"):
            time_acts.pause(ask)

    def test_a_moderator_is_no_superuser(self):
        marta = moderator()
        assert marta.is_staff
        assert not marta.is_superuser
        assert marta.has_perm("games.moderate_game")
        assert not marta.has_perm("games.administer_site")


class TestForms:
    def test_looking_changes_nothing_and_says_what_would_be_done(self, game):
        marta = browser(moderator())
        for slug in SLUGS:
            page = marta.get(act_url(game, slug))
            assert page.status_code == 200
            assert str(acts.BY_SLUG[slug].explains) in unescape(page.content.decode())
        assert kinds(game) == []
        assert not AuditLine.objects.exists()

    def test_an_act_needs_a_reason_and_templates_will_do(self, game):
        marta = browser(moderator())
        form = shown_form(marta, game, "pause")
        answered = marta.post(act_url(game, "pause"), form)
        assert answered.status_code == 422
        assert "Please choose a reason" in answered.content.decode()
        template = "A player cannot be reached."
        marta.post(act_url(game, "pause"), form | {"why": template, "reason": "Since May."})
        assert Reason.objects.get(game=game).text == "A player cannot be reached. Since May."

    def test_an_act_on_what_has_gone_on_is_refused(self, game):
        marta = browser(moderator())
        form = shown_form(marta, game, "pause") | {"reason": "Because."}
        while game.phase_no == int(form["phase_no"]):
            answer_of(game, asked(game))
            game.refresh_from_db()
        answered = marta.post(act_url(game, "pause"), form)
        assert answered.status_code == 422
        assert "The game has gone on since you opened the page." in answered.content.decode()
        assert kinds(game) == []

    def test_the_page_of_a_game_offers_what_fits_its_state(self, game):
        marta = browser(moderator())
        page = marta.get(f"/admin/games/game/{game.pk}/change/").content.decode()
        offered = set(re.findall(r"/act/([\w-]+)/", page))
        assert offered == set(SLUGS) - {"retry", "resume", "open", "present", "rewind"}
        marta_acts(game, "pause")
        page = marta.get(f"/admin/games/game/{game.pk}/change/").content.decode()
        assert {"resume", "cancel"} <= set(re.findall(r"/act/([\w-]+)/", page))
        assert "/act/extend/" not in page

    def test_an_unknown_act_or_game_is_not_found(self, game):
        marta = browser(moderator())
        assert marta.get(act_url(game, "dance")).status_code == 404
        assert marta.get("/admin/games/game/999999/act/pause/").status_code == 404

    def test_the_pages_run_under_the_strict_policy(self, game):
        page = browser(moderator()).get(act_url(game, "pause"))
        assert "unsafe" not in page["Content-Security-Policy"]
        assert " style=" not in page.content.decode()


@pytest.mark.parametrize("change", ["UPDATE {} SET act='x'", "DELETE FROM {}", "TRUNCATE {}"])
def test_the_audit_log_is_never_changed(game, change):
    marta_acts(game, "pause")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            cursor.execute(change.format("games_auditline"))
    assert audit(game) == [("Marta", "pause")]


def test_a_moderator_goes_and_the_audit_log_stays(game):
    marta_acts(game, "pause")
    marta = AuditLine.objects.get().moderator
    marta.delete()
    assert audit(game) == [("Marta", "pause")]
    page = browser(moderator("Nora")).get("/admin/games/auditline/")
    assert "Clara is in hospital." in page.content.decode()


def test_events_hold_no_reason_and_no_name(game):
    clara = seat_of(game, "Clara")
    marta_acts(game, "house-player", seat=clara.number, house_player="default")
    for event in Event.objects.filter(game=game):
        assert "hospital" not in str(event.payload)
        assert "Clara" not in str(event.payload)
