"""Maintenance: pages are read-only, the clock stands still, and nobody has lost time afterwards."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from games.models import (
    Message,
    Move,
    OutboxEmail,
    Redaction,
    Sanction,
    SiteState,
    Tick,
    TimeGrant,
    User,
    Vote,
)
from games.services.game import votes
from games.services.game.verify import verify_game
from games.services.moderation.actions import site, timing
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from games.services.operations import clock, time_grants
from games.services.refused import Refused
from tests.support import passkeys
from tests.support.client import all_forms, as_shown, browser, verified
from tests.support.legal import texts_in, write
from tests.support.moderators import act_on, act_url, marta_acts, marta_acts_on, moderator
from tests.support.races import assert_whole, at_once, doing, handing_in, race, rounds_of, sweeping
from tests.support.reporting import decide, named, reported, say
from tests.support.sites import by_nadja, nadja, nadja_acts, site_act, site_url
from tests.support.tables import DAY, MONDAY, open_table, seat_of, seats_to_move, submit_move, tick

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def begin(now, **more):
    site.begin_maintenance(by_nadja(now), **more)


def end(now):
    site.end_maintenance(by_nadja(now))


def deadline(game):
    [seat] = seats_to_move(game)
    game.refresh_from_db()
    assert game.deadline_at == seat.deadline_at
    return seat.deadline_at


class TestPages:
    @pytest.mark.full
    def test_they_can_be_read_and_say_so(self, client):
        game = open_table("Anna", "Boris", "Clara", now=timezone.now())
        nadja_acts("maintenance")
        anna = browser(seat_of(game, "Anna").user)
        own = ("/", game.get_absolute_url(), "/accounts/profile/", "/tables/new/")
        for reader, pages in ((anna, own), (client, ("/", "/rules/", "/accounts/login/"))):
            for page in pages:
                shown = reader.get(page)
                assert shown.status_code == 200, page
                assert "This site has been read-only since" in shown.content.decode(), page
                assert "The server moves." in shown.content.decode()
        status = client.get("/status/").content.decode()
        assert "Maintenance: the site is read-only, and all deadlines are on hold." in status

    @pytest.mark.full
    def test_what_is_sent_is_refused_kept_and_can_be_sent_again_afterwards(self):
        game = open_table("Anna", "Boris", "Clara", now=timezone.now())
        anna = browser(seat_of(game, "Anna").user)
        talk = f"{game.get_absolute_url()}talk/"
        form = {"talk-text": "Who offers more?", "talk-token": str(uuid4())}
        nadja_acts("maintenance")
        refused = anna.post(talk, form)
        assert refused.status_code == 503
        page = refused.content.decode()
        assert "This site is read-only right now" in page
        assert "Nothing was saved." in page
        assert "Who offers more?" in page
        assert not Message.objects.exists()
        nadja_acts("maintenance-over")
        again = next(as_shown(fields) for action, fields in all_forms(page) if action == talk)
        assert anna.post(talk, again).status_code == 302
        assert Message.objects.get().text == "Who offers more?"

    def test_programs_learn_when_to_come_again(self, client):
        now = timezone.now()
        begin(now, until=now + 2 * HOUR)
        response = client.post("/accounts/signup/", headers={"Accept": "application/json"})
        assert response.status_code == 503
        assert response.json() == {"text": "The site is read-only right now."}
        assert 7100 < int(response["Retry-After"]) <= 7201
        end(now)
        begin(now)
        assert client.post("/accounts/signup/")["Retry-After"] == "601"

    def test_passwords_are_not_kept(self, client):
        begin(timezone.now())
        form = {"email": "emil@example.org", "password1": "a long secret"}
        page = client.post("/accounts/signup/", form).content.decode()
        assert "emil@example.org" in page
        assert "a long secret" not in page
        assert 'name="password1"' in page

    def test_a_forged_form_is_refused_as_always(self):
        begin(timezone.now())
        assert Client(enforce_csrf_checks=True).post("/accounts/signup/", {}).status_code == 403

    def test_people_sign_in_and_out_and_choose_their_language(self, client):
        verified("Anna")
        begin(timezone.now())
        form = {"login": "anna@example.org", "password": "not so secret"}
        assert client.post("/accounts/login/", form).status_code == 302
        assert "Anna" in client.get("/").content.decode()
        assert client.post("/language/", {"language": "de"}).status_code == 302
        assert client.post("/accounts/logout/").status_code == 302

    @pytest.mark.full
    def test_one_can_sign_in_with_a_passkey_and_accept_the_terms(self, client, settings, tmp_path):
        verified("Rosa")
        device = passkeys.Device()
        rosa = Client()
        rosa.post("/accounts/login/", {"login": "rosa@example.org", "password": "not so secret"})
        rosa.post("/accounts/reauthenticate/", {"password": "not so secret"})
        passkeys.add(rosa, device)
        nadja_acts("maintenance")
        assert passkeys.sign_in(client, device)["Location"] == "/"
        with texts_in(settings, tmp_path) as folder:
            write(folder, terms="Be kind.")
            assert client.get("/rules/").status_code == 302
            client.post("/accounts/terms/", {"accepts": "on"})
            assert client.get("/rules/").status_code == 200

    @pytest.mark.full
    def test_moderators_wait_too_and_administrators_end_it(self):
        game = open_table("Anna", "Boris", "Clara", now=timezone.now())
        begin(timezone.now())
        marta = browser(moderator())
        assert marta.get(act_url(game, "pause")).status_code == 200
        assert marta.post(act_url(game, "pause"), {"reason": "Why."}).status_code == 503
        assert "This site has been read-only since" in marta.get("/admin/").content.decode()
        for slug, text in (
            ("hours", "Maintenance is in progress."),
            ("downtime", "Maintenance is in progress."),
            ("maintenance", "Maintenance is already in progress."),
        ):
            assert text in browser(nadja()).get(site_url(slug)).content.decode()
        nadja_acts("notice", text="Soon.")
        assert marta.post("/admin/logout/").status_code in {200, 302}
        assert marta.get("/admin/").status_code == 302
        marta = browser(User.objects.get(name="Marta"))
        nadja_acts("maintenance-over")
        assert marta.post(act_url(game, "pause"), {"reason": "Why."}).status_code == 422

    @pytest.mark.full
    def test_moderators_still_protect_people(self):
        game = open_table("Anna", "Boris", "Clara", now=timezone.now(), description="Hate.")
        report = reported("Anna", say(game, "Boris", "Anna is a thief."))
        begin(timezone.now())
        marta_acts(game, "remove-note")
        decide(named("Marta"), report, "take")
        decide(named("Marta"), report, "uphold", reason="No insults.", remove_message="this")
        assert Redaction.objects.get().message_id == report.message_id
        marta_acts_on(named("Boris"), "mute", lasts=3)
        marta_acts_on(named("Boris"), "suspend", lasts=1)
        assert Sanction.objects.filter(person=named("Boris")).count() == 2
        game.refresh_from_db()
        assert game.description == ""
        assert verify_game(game.pk) == []

    def test_they_cannot_where_all_is_read_only(self):
        boris = seat_of(open_table("Anna", "Boris", "Clara", now=timezone.now()), "Boris").user
        begin(timezone.now(), read_only=True)
        assert act_on(browser(moderator()), boris, "mute", lasts=3).status_code == 503
        assert not Sanction.objects.exists()
        end(timezone.now())
        assert not SiteState.objects.get().maintenance_read_only

    def test_its_consequences_are_read_first(self):
        client = browser(nadja())
        form = {"reason": "The server moves."}
        page = client.post(site_url("maintenance"), form).content.decode()
        assert "The site becomes read-only immediately" in page
        assert "has been read-only since" not in client.get("/").content.decode()
        assert site_act(client, "maintenance").status_code == 302
        assert "has been read-only since" in client.get("/").content.decode()


class TestTheClock:
    def test_it_plays_nothing_reminds_nobody_and_closes_nothing(self):
        game = open_table("Anna", "Boris", "Clara")
        paused = open_table("Dora", "Emil", "Fritz")
        request = GameRequest(paused.pk, moderator(), "A feast.", seen_now(paused), MONDAY)
        timing.pause(request, until=MONDAY + 2 * HOUR)
        proposal = votes.Proposal(Vote.Kind.EXTEND, amount=5)
        anna = seat_of(game, "Anna").user
        votes.call_vote(game_id=game.pk, user=anna, proposal=proposal, now=MONDAY)
        waiting = open_table("Gerda", size=3, now=MONDAY - 14 * DAY + HOUR)
        events, emails = game.events.count(), OutboxEmail.objects.count()
        begin(MONDAY + HOUR)
        now = MONDAY + 3 * DAY
        tick(now)
        assert clock.sweep(now=now) == 0
        for one in (game, paused, waiting):
            one.refresh_from_db()
        assert not Move.objects.exists()
        assert (game.events.count(), OutboxEmail.objects.count()) == (events, emails)
        assert Vote.objects.get().closed_at is None
        assert paused.paused_at == MONDAY
        assert waiting.status == "waiting"
        assert Tick.objects.get().at == now

    def test_machines_hear_of_it_and_are_content(self, client):
        now = timezone.now()
        game = open_table("Anna", "Boris", "Clara", now=now - 3 * DAY)
        begin(deadline(game) - HOUR)
        response = client.get("/health/")
        assert response.status_code == 200
        text = response.json()
        assert (text["maintenance"], text["overdue"], text["clock_is_late"]) == (True, 1, True)
        end(now)
        assert client.get("/health/").json()["time_is_given"] is True
        tick(now)
        clock.sweep(now=now)
        text = client.get("/health/").json()
        assert (text["maintenance"], text["time_is_given"], text["overdue"]) == (False, False, 0)


class TestAfterwards:
    @pytest.mark.full
    def test_every_open_deadline_moves_on_by_as_long_as_it_took(self):
        passed = open_table("Anna", "Boris", "Clara", move_time=6 * HOUR)
        ahead = open_table("Dora", "Emil", "Fritz", move_time=2 * DAY)
        begin(MONDAY + HOUR)
        tick(MONDAY + 11 * HOUR)
        clock.sweep(now=MONDAY + 10 * HOUR)
        end(MONDAY + 11 * HOUR)
        clock.sweep(now=MONDAY + 11 * HOUR)
        assert deadline(passed) == MONDAY + 16 * HOUR
        assert deadline(ahead) == MONDAY + 2 * DAY + 10 * HOUR
        rows = passed.events.filter(kind="DeadlineMoved")
        assert [(row.cause, row.payload["why"]) for row in rows] == [("moderator", "maintenance")]
        anna = browser(seat_of(passed, "Anna").user)
        page = anna.get(f"{passed.get_absolute_url()}history/").content.decode()
        assert "the site was under maintenance." in page
        assert "The server moves." in page
        tick(MONDAY + 16 * HOUR)
        clock.sweep(now=MONDAY + 16 * HOUR)
        assert [move.cause for move in Move.objects.filter(game=passed)] == ["clock"]
        assert [verify_game(game.pk) for game in (passed, ahead)] == [[], []]

    @pytest.mark.full
    def test_pages_work_at_once_and_show_the_time_that_is_still_given(self, client):
        open_table("Anna", "Boris", "Clara")
        begin(MONDAY)
        end(MONDAY + HOUR)
        text = "All games are being given extra time."
        assert text in client.get("/").content.decode()
        assert client.post("/accounts/signup/", {}).status_code == 200
        tick(MONDAY + HOUR)
        clock.sweep(now=MONDAY + HOUR)
        assert text not in client.get("/").content.decode()

    def test_a_decision_opened_afterwards_gets_nothing_and_the_phase_is_not_shorter(self):
        game = open_table("Anna", "Boris", "Clara")
        begin(MONDAY + HOUR)
        end(MONDAY + 11 * HOUR)
        now = MONDAY + 12 * HOUR
        submit_move(game, seats_to_move(game)[0].user, now)
        opened = deadline(game)
        tick(now)
        clock.sweep(now=now)
        assert deadline(game) == opened
        assert not game.events.filter(kind="DeadlineMoved").exists()

    @pytest.mark.full
    def test_votes_last_longer_and_paused_games_have_what_was_left(self):
        game = open_table("Anna", "Boris", "Clara")
        anna = seat_of(game, "Anna").user
        proposal = votes.Proposal(Vote.Kind.EXTEND, amount=5)
        votes.call_vote(game_id=game.pk, user=anna, proposal=proposal, now=MONDAY)
        request = GameRequest(game.pk, moderator(), "A feast.", seen_now(game), MONDAY + HOUR)
        timing.pause(request, until=MONDAY + 3 * HOUR)
        begin(MONDAY + 2 * HOUR)
        end(MONDAY + 12 * HOUR)
        tick(MONDAY + 12 * HOUR)
        clock.sweep(now=MONDAY + 12 * HOUR)
        assert Vote.objects.get().closes_at == MONDAY + DAY + 10 * HOUR
        assert deadline(game) == MONDAY + 12 * HOUR + 23 * HOUR

    def test_a_worker_that_was_off_all_the_time_takes_it_for_no_outage(self):
        game = open_table("Anna", "Boris", "Clara", move_time=6 * HOUR)
        Tick.objects.create(name=Tick.SWEEP, at=MONDAY + HOUR)
        begin(MONDAY + HOUR)
        end(MONDAY + 11 * HOUR)
        clock.sweep(now=MONDAY + 11 * HOUR)
        assert deadline(game) == MONDAY + 16 * HOUR
        assert game.events.filter(kind="DeadlineMoved").count() == 1

    def test_a_worker_that_comes_back_late_leaves_time_to_move(self):
        game = open_table("Anna", "Boris", "Clara", move_time=8 * HOUR)
        begin(MONDAY + HOUR)
        end(MONDAY + 2 * HOUR)
        clock.sweep(now=MONDAY + 10 * HOUR)
        assert deadline(game) == MONDAY + 18 * HOUR
        assert not Move.objects.exists()

    def test_two_maintenances_one_after_the_other(self):
        game = open_table("Anna", "Boris", "Clara")
        begin(MONDAY + HOUR)
        end(MONDAY + 3 * HOUR)
        begin(MONDAY + 3 * HOUR)
        tick(MONDAY + 4 * HOUR)
        clock.sweep(now=MONDAY + 4 * HOUR)
        assert deadline(game) == MONDAY + DAY
        end(MONDAY + 5 * HOUR)
        clock.sweep(now=MONDAY + 5 * HOUR)
        assert deadline(game) == MONDAY + DAY + 4 * HOUR

    def test_what_does_not_fit_is_refused(self):
        with pytest.raises(Refused, match="No maintenance is in progress"):
            end(MONDAY)
        with pytest.raises(Refused, match="must be in the future"):
            begin(MONDAY, until=MONDAY)
        begin(MONDAY)
        for act, more in (
            (site.begin_maintenance, {}),
            (site.give_hours, {"hours": 5}),
            (site.excuse_downtime, {"since": MONDAY - HOUR, "until": MONDAY}),
        ):
            with pytest.raises(Refused, match=r"Maintenance is (already )?in progress"):
                act(by_nadja(MONDAY + HOUR), **more)
        end(MONDAY + HOUR)
        with pytest.raises(Refused, match="already been excused"):
            site.excuse_downtime(by_nadja(MONDAY + DAY), since=MONDAY, until=MONDAY + 2 * HOUR)


@pytest.mark.counts
@pytest.mark.full
class TestAtOnce:
    @pytest.mark.django_db(transaction=True)
    def test_many_workers_give_each_game_its_time_once(self):
        names = ("Anna", "Boris", "Clara")
        games = [open_table(*(f"{name} {n}" for name in names)) for n in range(12)]
        site.give_hours(by_nadja(MONDAY), hours=5)
        at_once(*[partial(time_grants.work_off, now=MONDAY)] * 6)
        time_grants.work_off(now=MONDAY)
        assert [deadline(game) for game in games] == 12 * [MONDAY + DAY + 5 * HOUR]
        assert [game.events.filter(kind="DeadlineMoved").count() for game in games] == 12 * [1]
        grant = TimeGrant.objects.get()
        assert (grant.games_done, grant.games_moved) == (12, 12)

    @pytest.mark.django_db(transaction=True)
    def test_the_clock_stands_still_while_another_worker_gives_the_time(self):
        game = open_table("Anna", "Boris", "Clara")
        now = MONDAY + 2 * DAY
        tick(now)
        begin(MONDAY + HOUR)
        end(MONDAY + DAY)
        with transaction.atomic():
            TimeGrant.objects.select_for_update().get()
            at_once(sweeping(now))
        assert not Move.objects.exists()
        at_once(sweeping(now))
        assert not Move.objects.exists()
        assert deadline(game) == now + DAY

    @pytest.mark.django_db(transaction=True)
    def test_players_clocks_and_a_maintenance_at_the_same_moment(self):
        nadja()
        rounds = rounds_of("maintenance", "player", "clock", least=4)
        for number, (chance, wins) in enumerate(rounds):
            game = open_table(*(f"{name}{number}" for name in ("Anna", "Boris", "Clara")))
            seat = seats_to_move(game)[0]
            phase, now = game.phase_no, game.deadline_at
            tick(now)
            sides = {
                "maintenance": [doing(begin, now)] * 3,
                # Maintenance stops the clock; a move that is on its way still counts.
                "player": [handing_in(game, seat, phase, now) for _ in range(4 * (number % 2))],
                "clock": [sweeping(now)] * 5,
            }
            assert sum(race(sides, chance)["maintenance"]) == 1
            causes = [move.cause for move in game.moves.filter(phase_no=phase, seat=seat)]
            wins.update(causes or ["maintenance"])
            events = game.events.count()
            clock.sweep(now=now + 9 * DAY)
            assert game.events.count() == events
            sides = {
                "end": [doing(end, now + HOUR)] * 3,
                "clock": [sweeping(now + HOUR)] * 5,
            }
            assert sum(race(sides, chance)["end"]) == 1
            clock.sweep(now=now + HOUR)
            game.refresh_from_db()
            assert Move.objects.filter(game=game, phase_no=phase, seat=seat).count() <= 1
            assert TimeGrant.objects.filter(finished_at=None).count() == 0
            assert game.events.filter(kind="DeadlineMoved").count() <= 1
            assert_whole(game)
            assert verify_game(game.pk) == []


def test_a_stranger_reads_when_it_should_be_over(client):
    now = timezone.now()
    begin(now, until=now + HOUR)
    assert "The maintenance should be over by" in client.get("/").content.decode()
