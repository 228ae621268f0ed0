"""What couldn't be sent to a rejected address goes out once the address works again."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from games.models import OutboxEmail, User
from games.services import roles
from games.services.email import delivery
from games.services.email.queries import visible_to
from tests.features.questions.asking import act_url, asked
from tests.support.client import browser, text_of
from tests.support.mail_servers import choosy_server
from tests.support.moderators import act_on, administrator, moderator
from tests.support.reporting import hand_in, report_act_url, reported, say
from tests.support.sent_emails import code_in, plain_text
from tests.support.tables import open_table, seats_to_move, submit_move

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
SAID = "550 5.1.1 No such mailbox"


@pytest.fixture
def inbox(settings):
    with choosy_server(settings) as inbox:
        yield inbox


@pytest.fixture
def quentin(inbox) -> User:
    """It's his turn, and his address was rejected when he should have been told so."""
    now = timezone.now()
    game = open_table("Anna", "Boris", "Clara", now=now)
    [seat] = seats_to_move(game)
    person = seat.user
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    inbox.to_recipient[person.email] = SAID
    delivery.drain(now=now)
    person.refresh_from_db()
    assert person.is_unreachable
    inbox.to_recipient.clear()
    inbox.messages.clear()
    return person


def arrived(inbox, person: User, later: timedelta = timedelta(0)) -> list[str]:
    """The subjects of what was sent to somebody now."""
    inbox.messages.clear()
    delivery.drain(now=timezone.now() + later)
    return [one["Subject"] for one in inbox.messages if person.email in one["To"]]


@pytest.mark.full
def test_after_clear_and_test_their_turn_follows_the_test(quentin, inbox):
    assert arrived(inbox, quentin) == []
    assert act_on(browser(moderator("Nora")), quentin, "clear-address").status_code == 302
    assert arrived(inbox, quentin) == ["Your email address works again"]
    assert "such as that it's your turn, comes right after" in plain_text(inbox.messages[-1])
    [turn] = arrived(inbox, quentin, MINUTE)
    assert turn.startswith("Your move by")
    assert arrived(inbox, quentin, 2 * MINUTE) == []


@pytest.mark.full
def test_if_the_test_is_rejected_it_waits_again(quentin, inbox):
    act_on(browser(moderator("Nora")), quentin, "clear-address")
    inbox.to_recipient[quentin.email] = SAID
    arrived(inbox, quentin)
    inbox.to_recipient.clear()
    assert arrived(inbox, quentin, MINUTE) == []
    assert quentin.emails.get(kind="your_turn").status == "suspended"
    quentin.refresh_from_db()
    browser(quentin).post("/accounts/email/again/")
    assert arrived(inbox, quentin)[0].startswith("Your move by")


@pytest.mark.full
def test_what_is_no_longer_true_is_dropped(quentin, inbox):
    submit_move(quentin.seats.get().game, quentin, timezone.now())
    browser(quentin).post("/accounts/email/again/")
    arrived(inbox, quentin)
    assert quentin.emails.filter(kind="your_turn").earliest("pk").status == "dropped"


@pytest.mark.full
def test_a_turn_that_bounced_after_it_was_sent_is_told_again(quentin, inbox):
    now = timezone.now()
    quentin.emails.update(status="sent", sent_at=now - timedelta(hours=3), error="")
    browser(quentin).post("/accounts/email/again/")
    [turn] = arrived(inbox, quentin)
    assert turn.startswith("Your move by")
    assert quentin.emails.get(kind="game_started").sent_at == now - timedelta(hours=3)


def test_old_news_is_left_out_but_not_a_decision_of_the_moderators(quentin, inbox):
    old = timezone.now() - timedelta(days=8)
    for kind in ("table_news", "conduct"):
        OutboxEmail.objects.create(
            kind=kind, person=quentin, status="suspended", not_before=old, created_at=old
        )
    browser(quentin).post("/accounts/email/again/")
    assert quentin.emails.get(kind="table_news").status == "suspended"
    assert quentin.emails.get(kind="conduct").status == "ready"


def test_a_reminder_is_left_out_where_they_are_told_of_the_turn(quentin, inbox):
    turn = quentin.emails.get(kind="your_turn")
    OutboxEmail.objects.create(
        kind="reminder", person=quentin, game=turn.game, phase_no=turn.phase_no,
        status="suspended", not_before=turn.not_before, created_at=turn.created_at,
    )  # fmt: skip
    browser(quentin).post("/accounts/email/again/")
    assert quentin.emails.get(kind="your_turn").status == "ready"
    assert quentin.emails.get(kind="reminder").status == "suspended"


@pytest.mark.full
def test_it_goes_to_a_changed_address(quentin, inbox):
    page = browser(quentin)
    page.post("/accounts/reauthenticate/", {"password": "not so secret"})
    page.post("/accounts/email/", {"email": "quentin@example.net", "action_add": "1"})
    page.post("/accounts/confirm-email/", {"code": code_in(inbox.messages[-1])})
    quentin.refresh_from_db()
    assert arrived(inbox, quentin)[0].startswith("Your move by")


@pytest.mark.full
def test_and_to_one_that_an_administrator_has_changed(quentin, inbox):
    nadja = browser(administrator())
    OutboxEmail.objects.filter(person__name="Nadja").delete()
    assert act_on(nadja, quentin, "address", address="q@example.net").status_code == 302
    quentin.refresh_from_db()
    assert any(subject.startswith("Your move by") for subject in arrived(inbox, quentin))


@pytest.mark.full
def test_a_second_change_of_address_tells_nothing_twice(quentin, inbox):
    nadja = browser(administrator())
    act_on(nadja, quentin, "address", address="q@example.net")
    quentin.refresh_from_db()
    assert any(subject.startswith("Your move by") for subject in arrived(inbox, quentin))
    act_on(nadja, quentin, "address", address="quentin@example.org")
    quentin.refresh_from_db()
    assert not any(subject.startswith("Your move by") for subject in arrived(inbox, quentin))


@pytest.fixture
def marta() -> User:
    return moderator("Marta")


@pytest.mark.full
def test_an_answer_to_a_rejected_address_is_kept_shown_and_sent_later(quentin, marta, inbox):
    question = asked(quentin)
    text = f"Email to {quentin.name} is being rejected right now, so this email can't be sent yet."
    assert text in text_of(browser(marta).get(act_url(question, "answer")))
    client = browser(marta)
    said = hand_in(client, act_url(question, "answer"), words="Your deadline had passed.")
    assert text in text_of(client.get(said.url))
    assert arrived(inbox, quentin) == []
    assert "The moderators have written to you." in text_of(browser(quentin).get("/reports/"))
    shown = text_of(client.get("/admin/games/outboxemail/"))
    assert "An answer from the moderators" in shown
    assert "not sent: address rejected" in shown
    browser(quentin).post("/accounts/email/again/")
    assert "The moderators have answered you" in arrived(inbox, quentin)


@pytest.mark.full
def test_emails_of_answers_are_seen_only_by_those_who_may_read_them(quentin, marta):
    game = quentin.seats.get().game
    question = asked(quentin, game=game)
    hand_in(browser(marta), act_url(question, "answer"), words="Your deadline had passed.")
    email = OutboxEmail.objects.get(kind="moderators_wrote")
    player = game.seats.exclude(user=quentin).first().user
    roles.appoint(player, roles.MODERATOR)
    assert email in visible_to(marta, OutboxEmail.objects.all())
    assert email not in visible_to(player, OutboxEmail.objects.all())
    assert email not in visible_to(quentin, OutboxEmail.objects.all())


@pytest.mark.full
def test_a_warning_and_a_decision_say_before_that_no_email_will_reach_them(quentin, marta):
    page = text_of(browser(marta).get(f"/admin/games/user/{quentin.pk}/act/warn/"))
    assert f"email to {quentin.email} is being rejected" in page
    game = quentin.seats.get().game
    other = game.seats.exclude(user=quentin).first().user
    report = reported(other.name, say(game, quentin.name, "You are a thief."))
    for slug, said in (("uphold", True), ("reject", False), ("take", False)):
        shown = text_of(browser(marta).get(report_act_url(report, slug)))
        assert (f"Email to {quentin.name} is being rejected right now" in shown) == said
