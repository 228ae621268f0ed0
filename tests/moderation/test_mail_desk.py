"""The mail desk: emails are found, say what became of them, and are sent again while true."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import EmailOutage, Game, MailServer, OutboxEmail, User
from games.services import outbox, roles
from games.services.email import reachability
from games.services.lobby import invitations
from tests.support.client import as_shown, browser, forms_of, text_of
from tests.support.moderators import act_on, audited_actions, confirmed, key_of, moderator
from tests.support.tables import MONDAY, finished, open_table, seat_of, seats_to_move, tick

pytestmark = pytest.mark.django_db

BUG = "/app/games/promise_story.py:71\nKeyError"


@pytest.fixture
def game() -> Game:
    return open_table("Anna", "Boris", "Clara", now=timezone.now())


@pytest.fixture
def nora():
    return browser(moderator("Nora"))


def turn_of(game: Game) -> OutboxEmail:
    """The email to whoever is to move."""
    [seat] = seats_to_move(game)
    return OutboxEmail.objects.get(kind="your_turn", person=seat.user)


def page_of(email: OutboxEmail) -> str:
    return f"/admin/games/outboxemail/{key_of(email)}/change/"


def acting(email: OutboxEmail, slug: str) -> str:
    return f"/admin/games/outboxemail/{key_of(email)}/act/{slug}/"


def sends(client, email: OutboxEmail, slug: str = "send-again"):
    """Fill in the form and hand it in, also where it is previewed first."""
    page = acting(email, slug)
    form = as_shown(forms_of(client.get(page).content.decode())[""])
    return confirmed(client, page, form | {"reason": "The bug is fixed."})


def found(client, words: str) -> set[str]:
    """The keys of the emails that the list finds."""
    page = client.get("/admin/games/outboxemail/", {"q": words})
    assert page.status_code == 200
    rows = {key_of(email) for email in OutboxEmail.objects.all()}
    return {key for key in rows if f"/{key}/change/" in page.content.decode()}


@pytest.mark.full
class TestFinding:
    def test_by_its_message_id_in_the_list_and_on_the_dashboard(self, game, nora):
        email = turn_of(game)
        OutboxEmail.objects.filter(pk=email.pk).update(message_id="<a1.game-x@example.org>")
        assert found(nora, "<a1.game-x@example.org>") == {key_of(email)}
        assert found(nora, "a1.game-x@example.org") == {key_of(email)}
        assert found(nora, "a1.game-x@example") == set()
        desk = nora.get("/admin/", {"q": "<a1.game-x@example.org>"}).content.decode()
        assert page_of(email) in desk

    def test_by_an_address_with_and_without_an_account_and_by_its_domain(self, nora):
        waiting = open_table("Dora", size=3)
        addresses = ["victim@burner.example"]
        invitations.invite(game_id=waiting.pk, user=waiting.host, addresses=addresses, now=MONDAY)
        User.objects.filter(name="Dora").update(email="dora@burner.example")
        outbox.enqueue("game_started", game=waiting, person=waiting.host, now=MONDAY)
        strangers = {key_of(one) for one in OutboxEmail.objects.filter(person=None)}
        own = {key_of(one) for one in OutboxEmail.objects.filter(person=waiting.host)}
        assert found(nora, "victim@burner.example") == strangers
        assert found(nora, "dora@burner.example") == own
        assert found(nora, "@burner.example") == strangers | own
        assert found(nora, "burner.example") == strangers | own
        assert found(nora, "victim") == strangers
        assert found(nora, "other.example") == set()

    def test_not_what_a_moderator_may_not_know_of(self, game, nora):
        email = turn_of(game)
        OutboxEmail.objects.filter(pk=email.pk).update(
            kind="private_message", message_id="<b2@example.org>"
        )
        assert found(nora, "<b2@example.org>") == set()
        assert page_of(email) not in nora.get("/admin/", {"q": "<b2@example.org>"}).content.decode()
        assert nora.get(acting(email, "send-again")).status_code == 404
        assert nora.get(page_of(email)).status_code == 302


class TestPage:
    def test_it_says_what_became_of_it(self, game, nora):
        email = turn_of(game)
        OutboxEmail.objects.filter(pk=email.pk).update(status="failed", error="550 5.7.1 No.")
        page = text_of(nora.get(page_of(email)))
        assert "Failed: 550 5.7.1 No." in page
        assert "The content of emails of this kind isn't shown because it may be private." in page

    @pytest.mark.full
    def test_a_preview_is_what_a_spectator_reads(self, nora):
        game = finished()
        email = OutboxEmail.objects.filter(kind="game_over").first()
        page = text_of(nora.get(page_of(email)))
        assert "Generated just now." in page
        assert game.name in page
        assert "unsubscribe" not in nora.get(page_of(email)).content.decode()

    def test_it_takes_few_queries(self, game, nora):
        email = turn_of(game)
        nora.get(page_of(email))
        with CaptureQueriesContext(connection) as queries:
            nora.get(page_of(email))
        assert len(queries) <= 15

    def test_nothing_is_done_at_ones_own_table(self, game):
        email = turn_of(game)
        OutboxEmail.objects.filter(pk=email.pk).update(status="failed")
        roles.appoint(seat_of(game, "Anna").user, roles.MODERATOR)
        anna = browser(seat_of(game, "Anna").user)
        assert anna.get(acting(email, "send-again")).status_code == 404
        assert key_of(email) not in anna.get("/admin/games/outboxemail/").content.decode()
        Game.objects.update(status="cancelled", deadline_at=None)
        page = text_of(anna.get(acting(email, "send-again")))
        assert "You have or had a seat at this table" in page


class TestSendingAgain:
    def test_it_is_sent_while_it_is_true(self, game, nora):
        email = turn_of(game)
        OutboxEmail.objects.filter(pk=email.pk).update(status="failed", error=BUG)
        assert sends(nora, email).status_code == 302
        email.refresh_from_db()
        assert (email.status, email.error, email.attempts) == ("ready", "", 0)
        assert ("Nora", "email.send-again") in audited_actions(game=game)

    def test_it_isnt_offered_once_it_is_no_longer_true(self, game, nora):
        email = turn_of(game)
        OutboxEmail.objects.filter(pk=email.pk).update(status="failed", phase_no=99)
        assert acting(email, "send-again") not in nora.get(page_of(email)).content.decode()
        page = text_of(nora.get(acting(email, "send-again")))
        assert "This email is no longer relevant" in page

    def test_an_email_without_a_game_is_sent_again_too(self, nora):
        anna = seat_of(open_table("Anna", "Boris", "Clara"), "Anna").user
        outbox.enqueue("address_test", person=anna, now=MONDAY)
        email = OutboxEmail.objects.get(kind="address_test")
        OutboxEmail.objects.filter(pk=email.pk).update(status="sent", sent_at=MONDAY)
        assert sends(nora, email).status_code == 302
        email.refresh_from_db()
        assert email.status == "ready"

    @pytest.mark.full
    def test_all_that_failed_for_one_reason_are_one_line_with_one_button(self, game, nora):
        emails = OutboxEmail.objects.filter(kind="game_started")
        emails.update(status="failed", error=BUG)
        count = emails.count()
        assert count == 3
        desk = nora.get("/admin/").content.decode()
        assert f"{count - 1} more emails failed for the same reason." in desk
        first = emails.latest("created_at", "pk")
        [step] = [key for key in emails if acting(key, "send-all") in desk]
        page = acting(step, "send-all")
        shown = text_of(nora.get(page))
        assert "3 emails will be sent again: the game has started (3)." in shown
        assert sends(nora, step, "send-all").status_code == 302
        assert not emails.filter(status="failed").exists()
        assert first.pk

    @pytest.mark.full
    def test_replies_that_name_their_recipients_are_one_reason(self, game, nora):
        for number, email in enumerate(OutboxEmail.objects.filter(kind="game_started")):
            error = f"550 5.7.1 <a{number}@example.org>: no"
            OutboxEmail.objects.filter(pk=email.pk).update(status="failed", error=error)
        assert "2 more emails failed for the same reason." in nora.get("/admin/").content.decode()

    @pytest.mark.full
    def test_of_two_moderators_one_sends_it_and_the_other_reads_so(self, game, nora):
        email = turn_of(game)
        OutboxEmail.objects.filter(pk=email.pk).update(status="failed", error=BUG)
        page = acting(email, "send-again")
        otto = browser(moderator("Otto"))
        form = as_shown(forms_of(otto.get(page).content.decode())[""]) | {"reason": "Fixed."}
        assert sends(nora, email).status_code == 302
        late = otto.post(page, form)
        assert late.status_code == 422
        assert "This email is already waiting to be sent." in text_of(late)


@pytest.mark.full
class TestRejectedAddresses:
    def test_it_is_cleared_with_a_test_that_may_be_rejected_again(self, game, nora):
        anna = seat_of(game, "Anna").user
        reachability.record_refused(anna, "550 No such user", timezone.now())
        desk = nora.get("/admin/").content.decode()
        assert f"/admin/games/user/{anna.pk}/act/clear-address/" in desk
        assert act_on(nora, anna, "clear-address").status_code == 302
        anna.refresh_from_db()
        assert not anna.is_unreachable
        assert OutboxEmail.objects.get(kind="address_test").person == anna
        page = nora.get(f"/admin/games/user/{anna.pk}/act/clear-address/")
        assert "Email to this person isn't being rejected." in text_of(page)

    def test_many_have_one_line_that_leads_to_them(self, game, nora):
        others = open_table("Dora", "Emil", "Fanny")
        for seat in (*game.seats.all(), *others.seats.all()):
            reachability.record_refused(seat.user, "550 No such user", timezone.now())
        desk = text_of(nora.get("/admin/"))
        assert "6 people get no email, because their addresses are rejected:" in desk
        listed = text_of(nora.get("/admin/games/user/?stands=rejected"))
        assert "Anna" in listed
        assert "Nora" not in listed.split("Account status")[1]


@pytest.mark.full
def test_that_email_is_down_stands_on_top_of_the_dashboard(game, nora):
    since = timezone.now()
    tick(since)
    EmailOutage.objects.create(since=since)
    MailServer.objects.create(unavailable_since=since, error="Connection refused")
    desk = nora.get("/admin/").content.decode()
    first = desk.split('id="piles"')[1].split("</section>")[0]
    assert "Email is down" in first
    assert "No email has been sent since" in first
    assert "The mail server says: Connection refused" in first
    assert f"{OutboxEmail.objects.waiting().count()} emails are waiting." in first
    assert "Deadlines are put off until email works again" in first
    EmailOutage.objects.update(until=since)
    assert "Email is down" not in nora.get("/admin/").content.decode()
