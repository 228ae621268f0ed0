"""Acts on the whole site: no new games, a notice, who may, and the page of it all."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.admin.actions.on_site import ON_SITE
from games.features.guide import first_game
from games.models import AuditLine, Game, Invitation, OutboxEmail, SiteState, User
from games.services import site_state
from games.services.lobby import invitations, tables
from games.services.moderation.actions import site
from games.services.moderation.actions.requests import ActionRequest
from games.services.operations import time_grants
from games.services.refused import Refused
from tests.support.client import (
    as_shown,
    browser,
    forms_of,
    opening_form,
    person,
    text_of,
    verified,
)
from tests.support.moderators import moderator
from tests.support.sites import audited, by_nadja, nadja, nadja_acts, site_url
from tests.support.tables import DAY, MONDAY, open_table, seat_of, seats_to_move, table_settings

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
SLUGS = [act.slug for act in ON_SITE]


class TestNoNewGames:
    @pytest.mark.full
    def test_nobody_opens_a_table_and_what_was_typed_is_kept(self):
        anna = browser(person("Anna"))
        form = opening_form(anna) | {"name": "The Rialto table"}
        nadja_acts("no-new-games")
        answered = anna.post("/tables/new/", form)
        page = answered.content.decode()
        assert answered.status_code == 422
        assert page.count("No new tables can be opened right now: The server moves.") == 1
        assert "The Rialto table" in page
        assert not Game.objects.exists()
        nadja_acts("new-games")
        assert anna.post("/tables/new/", form).status_code == 302
        assert [line[1] for line in audited()] == ["site.no-new-games", "site.new-games"]

    @pytest.mark.full
    def test_no_page_offers_a_new_table(self):
        anna = browser(person("Anna"))
        nadja_acts("no-new-games")
        for address in ("/", "/tables/", "/tables/new/"):
            page = anna.get(address).content.decode()
            assert page.count("No new tables can be opened right now: The server moves.") == 1
            assert 'href="/tables/new/"' not in page
            assert "<button>Open the table</button>" not in page

    @pytest.mark.full
    def test_neither_a_first_game_nor_the_same_again(self):
        anna = person("Anna")
        old = open_table("Boris", "Clara", "Dora")
        Game.objects.filter(pk=old.pk).update(status="finished", deadline_at=None)
        site.stop_new_games(by_nadja(timezone.now()))
        page = browser(anna).post("/first-game/")
        assert page.status_code == 422
        assert "No new tables can be opened right now" in page.content.decode()
        again = browser(old.host).post(f"{old.get_absolute_url()}again/", follow=True)
        assert "No new tables can be opened right now" in again.content.decode()
        assert Game.objects.count() == 1

    def test_what_was_opened_goes_on(self):
        anna, boris = person("Anna"), person("Boris")
        waiting = tables.open_table(host=anna, settings=table_settings(size=3), now=MONDAY)
        guided = first_game.begin(user=boris, now=MONDAY)
        site.stop_new_games(by_nadja(MONDAY))
        assert first_game.begin(user=boris, now=MONDAY) == guided
        for user in (boris, person("Clara")):
            tables.join(game_id=waiting.pk, user=user, now=MONDAY)
        waiting.refresh_from_db()
        assert waiting.status == "running"

    def test_the_same_again_that_is_open_already_may_be_joined(self):
        old = open_table("Boris", "Clara", "Dora")
        Game.objects.filter(pk=old.pk).update(status="finished", deadline_at=None)
        newer = invitations.again(game_id=old.pk, user=old.host, now=MONDAY)
        site.stop_new_games(by_nadja(MONDAY))
        clara = seat_of(old, "Clara").user
        assert invitations.again(game_id=old.pk, user=clara, now=MONDAY) == newer
        assert newer.seats.filter(user=clara).exists()

    @pytest.mark.full
    def test_it_ends_by_itself_and_says_when(self):
        anna, now = person("Anna", time_zone="Europe/Vienna"), timezone.now()
        site.stop_new_games(by_nadja(MONDAY), until=MONDAY + DAY)
        with pytest.raises(Refused, match=r"until Tue 3 Mar, 10:00 \(Europe/Vienna\): The server"):
            tables.open_table(host=anna, settings=table_settings(), now=MONDAY)
        tables.open_table(host=anna, settings=table_settings(), now=MONDAY + DAY)
        assert "No new games" not in browser(anna).get("/").content.decode()
        site.stop_new_games(by_nadja(now), until=now + DAY)
        for page in ("/", "/tables/", "/tables/new/", "/first-game/"):
            assert "No new tables can be opened until" in browser(anna).get(page).content.decode()
        assert "No new games" not in browser(anna).get("/rules/").content.decode()


class TestNotice:
    @pytest.mark.full
    def test_it_stands_on_every_page_as_it_is_written(self):
        game = open_table("Anna", "Boris", "Clara", now=timezone.now())
        nadja_acts("notice", text="Party <b>tonight</b>\nhttps://example.org/party")
        anna = browser(seat_of(game, "Anna").user)
        own = ("/", "/accounts/profile/", game.get_absolute_url(), "/tables/new/", "/nothing/")
        strangers = ("/", "/accounts/login/", "/rules/", "/status/", "/nothing/")
        shown = (
            "Party &lt;b&gt;tonight&lt;/b&gt;<br>"
            '<a href="https://example.org/party" rel="nofollow">https://example.org/party</a>'
        )
        for client, pages in ((anna, own), (Client(), strangers)):
            for page in pages:
                assert shown in client.get(page).content.decode(), page
        csrf = Client(enforce_csrf_checks=True).post("/accounts/login/", {})
        assert csrf.status_code == 403
        assert shown in csrf.content.decode()
        nadja_acts("no-notice")
        assert "tonight" not in anna.get("/").content.decode()
        assert [line[1] for line in audited()] == ["site.notice", "site.no-notice"]

    def test_it_goes_when_its_time_is_over(self, client):
        now = timezone.now()
        ended = by_nadja(now - 2 * HOUR)
        site.set_notice(ended, text="Party tonight", until=now - HOUR)
        assert "Party" not in client.get("/").content.decode()
        site.set_notice(by_nadja(now), text="Party tomorrow", until=now + HOUR)
        assert "Party tomorrow" in client.get("/").content.decode()

    def test_a_page_needs_no_query_for_it_again_and_again(self, client):
        site.set_notice(by_nadja(timezone.now()), text="Party tonight")
        assert "Party" in client.get("/rules/").content.decode()
        with CaptureQueriesContext(connection) as captured:
            assert "Party" in client.get("/rules/").content.decode()
        assert len(captured) == 0

    @pytest.mark.parametrize(("text", "until"), [(" ", None), ("x" * 1001, None), ("x", MONDAY)])
    def test_what_cannot_be_is_refused(self, text, until):
        with pytest.raises(Refused):
            site.set_notice(by_nadja(MONDAY), text=text, until=until)


class TestWhoMay:
    @pytest.mark.full
    @pytest.mark.parametrize("slug", SLUGS)
    def test_moderators_see_the_page_and_act_not(self, slug):
        marta = browser(moderator())
        page = marta.get("/admin/site/").content.decode()
        assert "Only administrators can take site-wide actions." in page
        assert "/admin/site/act/" not in page
        assert marta.get(site_url(slug)).status_code == 403
        assert marta.post(site_url(slug), {"reason": "Why not."}).status_code == 403
        assert not SiteState.objects.exists()

    @pytest.mark.full
    @pytest.mark.parametrize("page", ["/admin/site/", *(site_url(slug) for slug in SLUGS)])
    def test_others_see_nothing(self, page, client):
        assert client.get(page).status_code == 302
        anna = browser(person("Anna"))
        assert anna.get(page).status_code == 302
        assert anna.post(page, {"reason": "Why not."}).status_code == 302
        assert not AuditLine.objects.exists()

    @pytest.mark.parametrize(
        ("act", "more"),
        [
            (site.give_hours, {"hours": 5}),
            (site.excuse_downtime, {"since": MONDAY - DAY, "until": MONDAY}),
            (site.set_notice, {"text": "Hello"}),
            (site.take_notice_away, {}),
            (site.stop_new_games, {}),
            (site.allow_new_games, {}),
            (site.begin_maintenance, {}),
            (site.end_maintenance, {}),
        ],
    )
    def test_the_services_refuse_moderators(self, act, more):
        with pytest.raises(Refused, match="Only administrators"):
            act(ActionRequest(moderator(), "Why not.", MONDAY), **more)

    def test_an_unknown_act_is_not_found(self):
        assert browser(nadja()).get(site_url("destroy")).status_code == 404

    @pytest.mark.parametrize("slug", ["hours", "no-new-games", "maintenance"])
    def test_an_act_needs_a_reason(self, slug):
        client = browser(nadja())
        form = as_shown(forms_of(client.get(site_url(slug)).content.decode())[""])
        refused = client.post(site_url(slug), form)
        assert refused.status_code == 422
        assert "Please choose or write a reason." in refused.content.decode()


@pytest.mark.full
def test_the_page_of_the_site_tells_how_it_stands_in_few_queries():
    game = open_table("Anna", "Boris", "Clara")
    site.give_hours(by_nadja(MONDAY), hours=5)
    client = browser(nadja())
    client.get("/admin/site/")
    with CaptureQueriesContext(connection) as captured:
        page = client.get("/admin/site/").content.decode()
    assert len(captured) <= 15
    assert "In progress. Games checked: 0 of about 1; changed: 0." in page
    assert 'href="/admin/site/"' in client.get("/admin/").content.decode()
    time_grants.work_off(now=MONDAY)
    page = client.get("/admin/site/").content.decode()
    assert "Finished on Mon 2 Mar, 09:00 (UTC). Games checked: 1; changed: 1." in page
    assert seats_to_move(game)[0].deadline_at == MONDAY + DAY + 5 * HOUR


@pytest.mark.full
def test_the_desk_tells_of_games_without_their_time_and_of_nothing_overdue_in_maintenance():
    now = timezone.now()
    game = open_table("Anna", "Boris", "Clara", now=now)
    Game.objects.filter(pk=game.pk).update(state={"a secret": 1})
    overdue = open_table("Dora", "Emil", "Fritz", now=now - 3 * DAY)
    Game.objects.filter(pk=game.pk).update(deadline_at=now + DAY)
    client = browser(nadja())
    step = f'href="/admin/games/game/{overdue.pk}/act/extend/"'
    assert step in client.get("/admin/").content.decode()
    site.begin_maintenance(by_nadja(now))
    page = client.get("/admin/").content.decode()
    assert "This site has been read-only since" in page
    assert step not in page
    site.end_maintenance(by_nadja(now + HOUR))
    time_grants.work_off(now=now + HOUR)
    answered = client.get("/admin/")
    assert "the deadlines couldn't be extended: TypeError" in text_of(answered)
    page = answered.content.decode()
    assert f'href="/admin/games/game/{game.pk}/act/extend/"' in page
    assert step not in page


def test_there_is_one_row():
    SiteState.objects.create()
    with pytest.raises(IntegrityError), transaction.atomic():
        SiteState.objects.create(pk=2)


class TestStoppedAccounts:
    SENTENCE = "Nobody can sign up right now: The server moves."

    @pytest.mark.full
    def test_nobody_signs_up_and_all_read_why(self):
        nadja_acts("no-new-accounts")
        stranger = Client()
        page = stranger.get("/accounts/signup/")
        assert text_of(page).count(self.SENTENCE) == 1
        form = {
            "email": "zoe@example.org", "name": "Zoe", "time_zone": "UTC", "accepts": "on",
            "password1": "not so secret", "password2": "not so secret",
        }  # fmt: skip
        answered = stranger.post("/accounts/signup/", form)
        assert text_of(answered).count(self.SENTENCE) == 1
        assert not User.objects.filter(email="zoe@example.org").exists()
        nadja_acts("new-accounts")
        assert self.SENTENCE not in text_of(stranger.get("/accounts/signup/"))
        stranger.post("/accounts/signup/", form)
        assert User.objects.filter(email="zoe@example.org").exists()
        keys = [line[1] for line in audited()]
        assert keys == ["site.no-new-accounts", "site.new-accounts"]

    @pytest.mark.full
    def test_nobody_takes_a_seat_without_an_account(self):
        game = open_table("Anna", size=3, now=timezone.now())
        nadja_acts("no-new-accounts")
        stranger = Client()
        page = stranger.get(game.get_absolute_url())
        assert text_of(page).count(self.SENTENCE) == 1
        form = {"email": "zoe@example.org", "name": "Zoe", "time_zone": "UTC", "accepts": "on"}
        answered = stranger.post(f"{game.get_absolute_url()}seat/", form)
        assert self.SENTENCE in text_of(answered)
        assert not OutboxEmail.objects.filter(address="zoe@example.org").exists()

    def test_whoever_has_an_account_signs_in(self):
        anna = verified("Anna")
        nadja_acts("no-new-accounts")
        client = Client()
        form = {"login": anna.email, "password": "not so secret"}
        assert client.post("/accounts/login/", form).status_code == 302

    def test_it_ends_by_itself(self):
        site.stop_new_accounts(by_nadja(MONDAY), until=MONDAY + DAY)
        state = site_state.read()
        assert not state.takes_new_accounts(MONDAY)
        assert state.takes_new_accounts(MONDAY + DAY)


class TestStoppedInvitations:
    SENTENCE = "Nobody can be invited right now: The server moves."

    @pytest.mark.full
    def test_nobody_is_invited_and_the_host_reads_why(self):
        game = open_table("Anna", size=3, now=timezone.now())
        nadja_acts("no-invitations")
        anna = browser(game.host)
        page = anna.get(game.get_absolute_url())
        assert text_of(page).count(self.SENTENCE) == 1
        assert f"{game.get_absolute_url()}invite/" not in page.content.decode()
        asked = {"addresses": "zoe@example.org"}
        answered = anna.post(f"{game.get_absolute_url()}invite/", asked, follow=True)
        assert self.SENTENCE in text_of(answered)
        assert not Invitation.objects.exists()
        nadja_acts("invitations")
        anna.post(f"{game.get_absolute_url()}invite/", asked)
        assert Invitation.objects.count() == 1

    def test_who_was_invited_may_accept(self):
        game, dora = open_table("Anna", size=3, now=timezone.now()), person("Dora")
        invitations.invite(
            game_id=game.pk, user=game.host, addresses=[dora.email], now=timezone.now()
        )
        nadja_acts("no-invitations")
        found = Invitation.objects.get()
        invitations.accept(invitation_id=found.pk, user=dora, now=timezone.now())
        assert game.seats.filter(user=dora).exists()

    def test_it_ends_by_itself(self):
        site.stop_invitations(by_nadja(MONDAY), until=MONDAY + DAY)
        state = site_state.read()
        assert not state.takes_invitations(MONDAY)
        assert state.takes_invitations(MONDAY + DAY)
