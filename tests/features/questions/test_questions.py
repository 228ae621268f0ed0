"""Asking the moderators: a thread back and forth, on the site and by email."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from games.features.questions import answering, asking
from games.features.questions.models import Letter, Question
from games.features.questions.queries import exported, last_letter
from games.models import OutboxEmail, Sitting, User
from games.services import roles
from games.services.accounts.account import delete_account
from games.services.lobby import tables
from games.services.operations import trim
from games.services.public_ids import public_id
from games.services.refused import Refused
from tests.features.questions.asking import ASK, act, act_url, answer, ask, asked, request_of
from tests.support.client import browser, person, text_of
from tests.support.moderators import audited_actions, moderator
from tests.support.races import doing, race, rounds_of
from tests.support.reporting import hand_in, own_page
from tests.support.sent_emails import sent
from tests.support.tables import seat_of, table_settings

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def page_of(question: Question) -> str:
    return f"/questions/{public_id('question', question.pk)}/"


def admin_page(question: Question) -> str:
    return f"/admin/questions/{question.pk}/"


def appointed(user: User) -> User:
    roles.appoint(user, roles.MODERATOR)
    return User.objects.get(pk=user.pk)


class TestAThread:
    @pytest.mark.full
    def test_there_and_back_and_there_again(self, anna, marta, smtp):
        question = ask(anna, "Why did it play 1,000?")
        assert "Waiting for the moderators." in own_page("Anna")
        text = sent(smtp)
        assert list(text) == ["marta"]
        assert "Anna has written to the moderators." in text["marta"]
        assert "Why did it play 1,000?" in text["marta"]
        assert admin_page(question) in text["marta"]

        assert act(marta, question, "answer", words="Your deadline had passed.").status_code == 302
        question.refresh_from_db()
        assert (question.state, question.owner) == ("answered", marta)
        assert "The moderators have written to you." in own_page("Anna")
        text = sent(smtp)
        assert list(text) == ["anna"]
        assert "Your deadline had passed." in text["anna"]
        assert "You had written: Why did it play 1,000?" in text["anna"]
        assert page_of(question) in text["anna"]
        thread = text_of(browser(anna).get(page_of(question)))
        assert "Why did it play 1,000?" in thread
        assert "Your deadline had passed." in thread
        assert "Marta" not in thread + text["anna"]

        assert hand_in(browser(anna), page_of(question), text="I see.").status_code == 302
        question.refresh_from_db()
        assert (question.state, question.owner) == ("waiting", marta)
        assert list(sent(smtp)) == ["marta"]

    @pytest.mark.full
    def test_who_has_it_alone_hears_of_a_reply_until_they_may_no_longer(self, anna, marta, smtp):
        moderator("Otto")
        question = asked(anna)
        answer(marta, question)
        sent(smtp)
        hand_in(browser(anna), page_of(question), text="And then?")
        assert list(sent(smtp)) == ["marta"]
        marta.is_staff = False
        marta.save()
        hand_in(browser(anna), page_of(question), text="And now?")
        assert list(sent(smtp)) == ["otto"]

    def test_a_form_that_comes_twice_counts_once(self, anna, marta):
        written = asking.Written(anna, "Why?", uuid4(), timezone.now())
        first = asking.ask(written, kind="other")
        assert asking.ask(written, kind="other") == first
        more = written._replace(token=uuid4())
        for _ in range(2):
            asking.write_more(more, question_id=first.pk)
        token, seen = uuid4(), last_letter(first)
        for _ in range(2):
            answering.answer(
                request_of(marta), question_id=first.pk, text="So.", token=token, seen=seen
            )
        assert [one.by for one in first.letters.order_by("pk")] == ["person", "person", "moderator"]
        assert OutboxEmail.objects.filter(kind="moderators_wrote").count() == 1

    def test_nothing_is_chosen_and_what_is_refused_keeps_what_was_typed(self, anna, marta):
        client = browser(anna)
        for filled in ({"kind": "", "text": "Why?"}, {"kind": "clock", "text": " "}):
            response = hand_in(client, ASK, **filled)
            assert response.status_code == 422
            assert filled["text"] in response.content.decode()
        assert hand_in(client, ASK, kind="report", text="Why?").status_code == 422
        assert not Question.objects.exists()

    @pytest.mark.full
    def test_ten_messages_a_day(self, anna, marta):
        question = asked(anna)
        for number in range(asking.MOST_A_DAY - 1):
            hand_in(browser(anna), page_of(question), text=f"And {number}?")
        refused = "You can write to the moderators 10 times in 24 hours."
        for page, more in ((page_of(question), {}), (ASK, {"kind": "other"})):
            response = hand_in(browser(anna), page, text="And?", **more)
            assert (response.status_code, refused in text_of(response)) == (422, True)
        Letter.objects.update(at=timezone.now() - DAY)
        assert hand_in(browser(anna), page_of(question), text="And?").status_code == 302

    def test_a_thread_is_its_persons_alone(self, anna, marta):
        question = asked(anna)
        assert browser(person("Boris")).get(page_of(question)).status_code == 404
        assert browser(anna).get(f"/questions/{question.pk}/").status_code == 404
        assert Client().get(page_of(question)).status_code == 302
        written = asking.Written(person("Clara"), "Mine?", uuid4(), timezone.now())
        with pytest.raises(Question.DoesNotExist):
            asking.write_more(written, question_id=question.pk)


class TestWhereFrom:
    @pytest.mark.full
    def test_the_foot_of_a_table_leads_there_with_the_table(self, game, anna, marta):
        page = browser(anna).get(game.get_absolute_url()).content.decode()
        there = f"{ASK}?table={game.token}"
        assert f'href="{there}"' in page
        response = hand_in(browser(anna), there, kind="game", text="Is it over?")
        assert response.status_code == 302
        assert Question.objects.get().game == game
        assert f'href="{ASK}"' in browser(anna).get("/").content.decode()

    def test_without_a_moderator_who_may_read_it_nothing_is_stored(self, game):
        boris = appointed(seat_of(game, "Boris").user)
        written = asking.Written(
            seat_of(game, "Anna").user, "Is it over?", uuid4(), game.created_at
        )
        with pytest.raises(Refused, match="All moderators have or had a seat at this table"):
            asking.ask(written, kind="game", game=game)
        assert not Question.objects.exists()
        asking.ask(written, kind="game")
        assert OutboxEmail.objects.get(kind="question").person == boris


class TestModerators:
    @pytest.mark.full
    def test_the_dashboard_leads_to_the_answer(self, anna, marta):
        question = asked(anna, "Where is my email?")
        page = browser(marta).get("/admin/").content.decode()
        assert "Questions to the moderators" in page
        assert act_url(question, "answer") in page
        answer(marta, question)
        assert act_url(question, "answer") not in browser(marta).get("/admin/").content.decode()

    @pytest.mark.full
    def test_a_ready_answer_is_sent_in_the_language_of_who_asked(self, anna, marta, smtp):
        anna.language = "de"
        anna.save()
        question = asked(anna)
        response = act(marta, question, "answer", ready="looking", words="Marta meint: bald.")
        assert response.status_code == 302
        text = Letter.objects.get(by="moderator").text
        assert "Thank you" not in text
        assert text.endswith("\n\nMarta meint: bald.")
        assert Letter.objects.get(by="moderator").text.split()[0] == "Danke"

    @pytest.mark.full
    def test_nobody_answers_what_they_have_not_read(self, anna, marta):
        question = asked(anna)
        seen = last_letter(question)
        asking.write_more(
            asking.Written(anna, "Solved!", uuid4(), timezone.now()), question_id=question.pk
        )
        form = {"words": "Well …", "token": str(uuid4()), "seen": str(seen), "ready": ""}
        client = browser(marta)
        response = client.post(act_url(question, "answer"), form)
        assert response.status_code == 422
        assert "Something has been written here since you opened the page." in text_of(response)
        assert "Solved!" in text_of(response)
        assert not Letter.objects.filter(by="moderator").exists()
        form["seen"] = str(last_letter(question))
        assert f'value="{form["seen"]}"' in response.content.decode()
        assert client.post(act_url(question, "answer"), form).status_code == 302

    @pytest.mark.full
    def test_notes_are_read_by_moderators_alone(self, anna, marta, smtp):
        question = asked(anna)
        sent(smtp)
        act(marta, question, "note", text="She was on holiday.")
        assert sent(smtp) == {}
        assert "She was on holiday." in text_of(
            browser(moderator("Otto")).get(admin_page(question))
        )
        assert "holiday" not in text_of(browser(anna).get(page_of(question)))
        assert "holiday" not in str(exported(anna))

    @pytest.mark.full
    def test_take_give_back_and_take_over(self, anna, marta):
        otto, question = moderator("Otto"), asked(anna)
        assert act(marta, question, "take").status_code == 302
        page = browser(otto).get(act_url(question, "answer"))
        assert "Marta is handling this question." in text_of(page)
        with pytest.raises(Refused, match="Marta is handling this question"):
            answer(otto, question)
        assert act(otto, question, "take-over", reason="She is away.").status_code == 302
        question.refresh_from_db()
        assert question.owner == otto
        assert act(otto, question, "give-back").status_code == 302
        question.refresh_from_db()
        assert question.owner is None
        keys = ["question.take", "question.take-over", "question.give-back"]
        assert [action for _who, action in audited_actions()] == keys

    @pytest.mark.full
    def test_closed_and_open_again(self, anna, marta, smtp):
        question = asked(anna)
        sent(smtp)
        assert act(marta, question, "close").status_code == 302
        assert sent(smtp) == {}
        assert "You can still reply." in own_page("Anna")
        assert "This question is closed." in text_of(browser(marta).get(act_url(question, "close")))
        hand_in(browser(anna), page_of(question), text="Please look again.")
        question.refresh_from_db()
        assert question.state == "waiting"

    @pytest.mark.full
    def test_their_own_and_those_of_their_tables_are_nowhere(self, game, anna, marta):
        boris = appointed(seat_of(game, "Boris").user)
        about_table, own = asked(anna, "Is it over?", game), asked(boris, "Am I good?")
        client = browser(boris)
        for question in (about_table, own):
            assert client.get(admin_page(question)).status_code == 404
            for slug in ("answer", "take", "note", "close"):
                assert client.get(act_url(question, slug)).status_code == 404
        for page in ("/admin/", "/admin/questions/", "/admin/questions/?state="):
            shown = text_of(client.get(page))
            assert "Is it over?" not in shown
            assert "Am I good?" not in shown
            assert "Is it over?" in text_of(browser(marta).get(page))
        with pytest.raises(Refused, match="another moderator has to handle it"):
            answer(boris, about_table)
        emailed = OutboxEmail.objects.filter(kind="question").values_list("person__name", flat=True)
        assert list(emailed) == ["Marta", "Marta"]

    @pytest.mark.full
    def test_the_lists(self, anna, marta):
        question = asked(anna, "Where is my email?")
        client = browser(marta)
        for state, there in (("waiting", 1), ("answered", 0), ("mine", 0), ("", 1)):
            page = client.get(f"/admin/questions/?state={state}").content.decode()
            assert (admin_page(question) in page) is bool(there)
        answer(marta, question)
        for state, there in (("waiting", 0), ("answered", 1), ("mine", 1), ("", 1)):
            page = client.get(f"/admin/questions/?state={state}").content.decode()
            assert (admin_page(question) in page) is bool(there)
        assert client.get("/admin/questions/?state=chess").status_code == 404
        assert browser(anna).get("/admin/questions/").status_code == 302

    def test_emails_about_it_are_in_no_list_of_moderators(self, anna, marta):
        asked(anna)
        page = text_of(browser(moderator("Otto")).get("/admin/games/outboxemail/"))
        assert "question" not in page.lower().replace("questions", "")


class TestWhatStays:
    def test_a_thread_goes_with_the_account(self, anna, marta):
        question = asked(anna)
        answer(marta, question)
        delete_account(anna, timezone.now())
        assert not Question.objects.exists()
        assert not Letter.objects.exists()

    def test_a_thread_stays_when_its_moderator_or_its_table_goes(self, anna, marta):
        game = tables.open_table(host=anna, settings=table_settings(size=3), now=timezone.now())
        question = asked(anna, game=game)
        answer(marta, question)
        delete_account(marta, timezone.now())
        OutboxEmail.objects.all().delete()
        Sitting.objects.filter(seat__game=game).delete()
        game.seats.all().delete()
        game.delete()
        question.refresh_from_db()
        assert (question.owner, question.game) == (None, None)
        assert [one.author for one in question.letters.order_by("pk")] == [anna, None]

    def test_it_is_deleted_90_days_after_the_answer_but_not_before_there_is_one(self, anna, marta):
        waits, settled = asked(anna), asked(anna)
        answer(marta, settled)
        trim.trim(now=timezone.now() + 89 * DAY)
        assert Question.objects.count() == 2
        trim.trim(now=timezone.now() + 91 * DAY)
        assert Question.objects.get() == waits

    def test_it_is_in_the_file_with_their_data(self, anna, marta):
        answer(marta, asked(anna, "Why?"), "So.")
        [entry] = exported(anna)["questions"]
        assert [(one["from_me"], one["text"]) for one in entry["messages"]] == [
            (True, "Why?"),
            (False, "So."),
        ]


@pytest.mark.full
@pytest.mark.counts
@pytest.mark.django_db(transaction=True)
def test_of_two_moderators_at_once_one_answers():
    anna, both = person("Anna"), [moderator("Marta"), moderator("Otto")]
    for chance, wins in rounds_of("Marta", "Otto", least=4):
        question = asked(anna)
        Letter.objects.update(at=timezone.now() - DAY)
        gave = race({one.name: [doing(answer, one, question)] for one in both}, chance)
        [won] = [name for name, done in gave.items() if done == [True]]
        assert question.letters.get(by="moderator").author.name == won
        wins[won] += 1
