"""Replies by email to what the moderators have written: one more message, as from the page."""

import re

import pytest

from games.features.inbound.acting import handling
from games.features.inbound.inbox import Outcome
from games.features.questions.models import Letter, Question
from games.features.questions.queries import exported
from games.models import InboundEmail, User
from games.services.public_ids import public_id
from tests.features.inbound.replying import confirmed, plain, turn_on
from tests.features.questions.asking import act, answer, asked
from tests.features.questions.replying_to_answers import (
    VERA,
    answer_to,
    answered,
    fetch,
    from_vera,
    quoted,
    reply,
    responded,
    said,
)
from tests.support.client import browser, person, text_of
from tests.support.legal import texts_in, write
from tests.support.moderators import act_on, moderator
from tests.support.reporting import hand_in, named, reported, say
from tests.support.sent_emails import bodies, words_of_html

pytestmark = pytest.mark.django_db

ON_PAGE = "You can reply on this conversation's page."
BY_EMAIL = "You can reply to this email. Only replies from {} are read."


@pytest.fixture(autouse=True)
def takes_replies(settings):
    turn_on(settings)


@pytest.fixture
def anna(anna) -> User:
    return confirmed(anna)


@pytest.fixture
def at_once(anna) -> User:
    """Anna, who needs not confirm what she sends."""
    return confirmed(anna, replies_at_once=True)


@pytest.mark.full
class TestAThread:
    def test_there_and_back_and_there_again(self, anna, marta, smtp, settings):
        email = answer_to(smtp, marta, anna)
        assert BY_EMAIL.format(anna.email) in plain(email)
        assert ON_PAGE not in plain(email)
        assert reply(email, f"I see.\nThank you!{quoted(email)}") is Outcome.STORED
        assert said() == []

        [asks] = fetch(smtp)
        assert asks["Subject"] == "Please confirm · Question to the moderators"
        assert (asks["To"], asks["Auto-Submitted"]) == (anna.email, "auto-replied")
        assert asks["Reply-To"] == email["Reply-To"]
        text = "Your message to the moderators: I see. Thank you! Reply “confirm” to send it."
        assert text in plain(asks)
        assert BY_EMAIL.format(anna.email) in plain(asks)
        page = f"/questions/{public_id('question', Question.objects.get().pk)}/"
        assert f"Open the conversation: {settings.SITE_URL}{page}" in plain(asks)
        for one in (email, asks):
            in_text, html = bodies(one)
            assert re.findall(r"\w+", in_text) == words_of_html(html)
            assert one["Reply-To"] not in in_text + html

        assert reply(asks, f"Confirm.{quoted(asks)}") is Outcome.STORED
        assert said() == ["I see.\nThank you!"]
        question = Question.objects.get()
        assert (question.state, question.owner) == ("waiting", marta)
        to_moderator, done = sorted(fetch(smtp), key=lambda one: one["To"] == anna.email)
        assert to_moderator["To"] == marta.email
        assert to_moderator["Reply-To"] is None
        assert "I see. Thank you!" in plain(to_moderator)
        assert "Your message is with the moderators." in plain(done)
        assert "I see." in text_of(browser(anna).get(page))

        again = answered(smtp, marta, question)
        assert again["Reply-To"] == email["Reply-To"]

    def test_what_is_sent_at_once_by_who_has_chosen_that(self, at_once, marta, smtp):
        assert reply(answer_to(smtp, marta, at_once), "I see.") is Outcome.STORED
        assert said() == ["I see."]
        assert responded() == ("done", "Your message is with the moderators.")

    def test_a_closed_thread_is_open_again(self, at_once, marta, smtp):
        email = answer_to(smtp, marta, at_once)
        question = Question.objects.get()
        assert act(marta, question, "close").status_code == 302
        reply(email, "Please look again.")
        question.refresh_from_db()
        assert (question.state, said()) == ("waiting", ["Please look again."])

    def test_each_thread_has_its_own(self, at_once, marta, smtp):
        first, second = answer_to(smtp, marta, at_once), answer_to(smtp, marta, at_once)
        assert first["Reply-To"] != second["Reply-To"]
        reply(first, "To the first.", Message_ID="<1@example.org>")
        reply(second, "To the second.", Message_ID="<1@example.org>")
        written = Letter.objects.filter(text__startswith="To the").order_by("pk")
        questions = Question.objects.order_by("pk")
        assert [one.question for one in written] == list(questions)

    def test_the_same_email_again_is_one_message(self, at_once, marta, smtp):
        email = answer_to(smtp, marta, at_once)
        outcomes = [reply(email, "I see.", Message_ID="<1@example.org>") for _ in range(6)]
        assert outcomes == [Outcome.STORED] + [Outcome.REPEATED] * 5
        assert said() == ["I see."]
        done = [one for one in fetch(smtp) if one["To"] == at_once.email]
        assert len(done) == 4  # the first, and three more

    def test_who_made_a_report_answers_about_it(self, game, marta, smtp):
        report = reported("Anna", say(game, "Boris", "Anna is a thief."))
        confirmed(named("Anna"), replies_at_once=True)
        fetch(smtp)
        ask = f"/admin/games/report/{report.pk}/reporter/ask/"
        assert hand_in(browser(marta), ask, text="Which one?").status_code == 302
        [email] = fetch(smtp)
        reply(email, "The last one.")
        assert said() == ["The last one."]
        to = {one["To"]: one for one in fetch(smtp)}
        assert set(to) == {"marta@example.org", "anna@example.org"}
        assert "Boris" not in to["anna@example.org"]["Subject"]

    def test_it_is_in_the_file_with_their_data(self, at_once, marta, smtp):
        reply(answer_to(smtp, marta, at_once), "I see.")
        [entry] = exported(at_once)["questions"]
        assert [one["text"] for one in entry["messages"]][-1] == "I see."


@pytest.mark.full
class TestWithoutAnAccount:
    def test_there_and_back(self, marta, smtp):
        people = User.objects.count()
        email = answered(smtp, marta, from_vera())
        assert BY_EMAIL.format(VERA) in plain(email)
        reply(email, f"I see.{quoted(email)}")
        assert said() == []
        [asks] = fetch(smtp)
        assert (asks["To"], asks["Reply-To"]) == (VERA, email["Reply-To"])
        assert "/questions/by-email/" in plain(asks)
        assert "because you've written to us from this address" in plain(asks)
        reply(asks, "ok")
        assert said() == ["I see."]
        assert {one["To"] for one in fetch(smtp)} == {VERA, marta.email}
        assert User.objects.count() == people

    @pytest.mark.parametrize("language", ["de", "ru"])
    def test_in_their_language(self, language, marta, smtp):
        email = answered(smtp, marta, from_vera(language))
        reply(email, "Danke!")
        [asks] = fetch(smtp)
        assert "Reply" not in plain(asks)
        word = {"de": "bestätigen", "ru": "подтвердить"}[language]
        assert word in plain(asks)
        reply(asks, word)
        assert said() == ["Danke!"]

    def test_with_an_account_of_which_they_are_banned(self, marta, smtp):
        anna = confirmed(person("Anna"))
        User.objects.filter(pk=anna.pk).update(email=VERA)
        question = from_vera()
        act_on(browser(marta), anna, "ban")
        fetch(smtp)
        email = answered(smtp, marta, question)
        reply(email, "Until when?")
        [asks] = fetch(smtp)
        assert asks["To"] == VERA
        reply(asks, "ok")
        assert said() == ["Until when?"]
        assert question.letters.get(text="Until when?").author is None


class TestWhatIsPromised:
    def test_nothing_where_replies_are_off(self, settings, anna, marta, smtp):
        settings.MAIL_REPLIES_DOMAIN = ""
        email = answer_to(smtp, marta, anna)
        assert ON_PAGE in plain(email)
        assert "reply to this email" not in plain(email)
        assert email["Reply-To"] is None

    @pytest.mark.full
    def test_nothing_to_moderators_and_with_codes(self, anna, marta, smtp):
        asked(anna)
        from_vera()
        emails = fetch(smtp)
        assert len(emails) >= 2
        for email in emails:
            assert email["Reply-To"] is None
            assert "reply to this email" not in plain(email)

    @pytest.mark.full
    def test_nothing_to_who_was_banned_meanwhile(self, anna, marta, smtp):
        question = asked(anna)
        act_on(browser(marta), anna, "ban")
        fetch(smtp)
        email = answered(smtp, marta, question)
        assert ON_PAGE in plain(email)
        assert email["Reply-To"] is None


@pytest.mark.full
class TestWhoMay:
    def test_a_suspended_person_as_on_the_page(self, at_once, marta, smtp):
        email = answer_to(smtp, marta, at_once)
        act_on(browser(marta), at_once, "suspend", days="7")
        at_once.refresh_from_db()
        reply(email, "Why?")
        assert said() == ["Why?"]

    def test_who_owes_the_terms_as_on_the_page(self, at_once, marta, smtp, settings, tmp_path):
        email = answer_to(smtp, marta, at_once)
        with texts_in(settings, tmp_path) as folder:
            write(folder, terms="Be kind.")
            reply(email, "Which terms?")
        assert said() == ["Which terms?"]

    def test_a_second_factor_cannot_be_shown_in_an_email(self, at_once, marta, smtp, settings):
        email = answer_to(smtp, marta, at_once)
        User.objects.filter(pk=at_once.pk).update(needs_second_factor=True)
        reply(email, "I've lost it.")
        title, lines = responded()
        assert title == "refused"
        assert lines.endswith(f": {settings.SITE_URL}/")
        assert said() == []

    def test_a_moderator_who_asks_is_a_person_who_asks(self, marta, smtp):
        otto = confirmed(moderator("Otto"), replies_at_once=True)
        question = asked(otto)
        answer(marta, question)
        email = next(one for one in fetch(smtp) if one["Reply-To"])
        assert email["To"] == otto.email
        reply(email, "I see.")
        assert question.letters.latest("pk").by == "person"


class TestWords:
    """Nothing is a command but the confirmation."""

    @pytest.mark.full
    @pytest.mark.parametrize(
        "text",
        [
            "Send me the email again, please.",
            "Offer stands?",
            "Help",
            "status",
            "Default moves are unfair.\nPlace 3 was mine.",
            "bribe clerk 4000",
            "ok",
            "Yes",
        ],
    )
    def test_what_would_be_one_at_a_table_is_a_message(self, text, at_once, marta, smtp):
        reply(answer_to(smtp, marta, at_once), text)
        assert said() == [text]

    @pytest.mark.full
    def test_a_yes_is_sent_with_its_prefix_while_something_waits(self, anna, marta, smtp):
        email = answer_to(smtp, marta, anna)
        reply(email, "I see.")
        reply(email, "ok")
        title, lines = responded()
        assert title == "refused"
        assert "write “say: ok”" in lines
        reply(email, "say: ok")
        assert responded()[1].startswith("Your message to the moderators:\nok\n")

    @pytest.mark.full
    def test_a_confirmation_with_more_does_nothing_but_with_thanks_does(self, anna, marta, smtp):
        email = answer_to(smtp, marta, anna)
        reply(email, "I see.")
        asks = fetch(smtp)[0]
        reply(asks, "confirm\n\nAnd tell Boris to stop.")
        assert "more than just the confirmation" in responded()[1]
        assert said() == []
        reply(asks, "confirm\n\nThanks, Anna")
        assert said() == ["I see."]
        reply(asks, "confirm")
        assert "There's nothing to confirm." in responded()[1]
        assert said() == ["I see."]

    @pytest.mark.full
    def test_of_two_that_wait_the_one_replied_to_is_sent(self, anna, marta, smtp):
        email = answer_to(smtp, marta, anna)
        for text in ("One.", "Two."):
            reply(email, text)
        asks = next(one for one in fetch(smtp) if "One." in plain(one))
        reply(email, "confirm")
        assert "More than one thing is waiting" in responded()[1]
        reply(asks, "ok")
        assert said() == ["One."]

    @pytest.mark.full
    def test_what_waits_in_one_thread_is_not_confirmed_in_another(self, anna, marta, smtp):
        first, second = answer_to(smtp, marta, anna), answer_to(smtp, marta, anna)
        reply(first, "I see.")
        reply(second, "confirm")
        assert "There's nothing to confirm." in responded()[1]
        assert said() == []

    @pytest.mark.full
    def test_a_footer_is_left_out(self, at_once, marta, smtp):
        reply(answer_to(smtp, marta, at_once), "I see.\n\nSent from my iPhone")
        assert said() == ["I see."]

    def test_a_thread_without_its_feature_is_left_alone(self, anna):
        row = InboundEmail.objects.create(
            person=anna, topic="gone 1", message_id="<1@example.org>", received_at=anna.date_joined
        )
        handling.drain(anna.date_joined)
        row.refresh_from_db()
        assert (row.state, row.response) == ("done", {})
