"""Upholding a report with what it brings the person: one decision, one email each, one appeal."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from games.models import AuditLine, OutboxEmail, Report, Sanction, User
from games.services import roles
from games.services.lobby import tables as lobby_tables
from games.services.moderation.actions import people
from games.services.moderation.actions.person_action import latest_action
from games.services.moderation.actions.requests import PersonRequest
from games.services.public_ids import public_id
from games.services.reports import filing
from games.services.reports.filing import Complaint
from tests.support.client import browser, forms_of, text_of
from tests.support.moderators import audited_actions, moderator
from tests.support.reporting import (
    decide,
    filled_in,
    hand_in,
    named,
    own_page,
    report_act_url,
    reported,
    say,
    upheld,
)
from tests.support.sanctions import absent
from tests.support.sent_emails import emailed, sent
from tests.support.tables import open_table, table_settings

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]

DAY = timedelta(days=1)
WORDS = "Insults have no place here."
THANKS = "Thank you. We have acted on your report."


def days_left(until) -> int:
    return round((until - timezone.now()) / DAY)


def taken(marta: User, message, **more) -> Report:
    report = reported("Anna", message, **more)
    decide(marta, report, "take")
    return report


def report_of(reporter: str, **about) -> Report:
    """Somebody reports a person or a table."""
    complaint = Complaint(named(reporter), "Rude.", uuid4(), timezone.now())
    if "person" in about:
        filing.report_person(complaint, **about)
    else:
        filing.report_table(complaint, **about)
    return Report.objects.latest("pk")


def shown_first(marta: User, report: Report, **filled: str):
    """The preview, and what the second press of the button leads to."""
    client, page = browser(marta), report_act_url(report, "uphold")
    first = hand_in(
        client, page, **({"reason": WORDS, "why": "", "consequence": "nothing"} | filled)
    )
    assert first.status_code == 200, first.content.decode()
    report.refresh_from_db()
    assert report.state == "taken"
    again = filled_in(first, {})
    return text_of(first), lambda: client.post(page, again, follow=True)


class TestOneDecision:
    def test_a_mute_is_shown_first_with_both_emails_and_then_done(self, message, marta, smtp):
        report = taken(marta, message)
        sent(smtp)
        shown, confirm = shown_first(marta, report, consequence="mute:7", remove_message="this")
        assert (
            "Boris is muted for 7 days. The message is removed. Boris and Anna get an email."
            in (shown)
        )
        assert "Email to Boris" in shown
        assert "You are muted until" in shown
        assert "you can appeal by" in shown
        assert f"The moderators wrote: {WORDS}" in shown
        assert "Email to Anna" in shown
        assert f"The moderators agree with you. The message was removed. The moderators wrote: {THANKS}" in shown  # fmt: skip  # noqa: E501
        assert not Sanction.objects.exists()
        done = text_of(confirm())
        assert "Upheld. Boris is muted for 7 days. The message is removed." in done
        assert "Boris and Anna get an email." in done
        sanction = Sanction.objects.get()
        assert (sanction.kind, sanction.report, sanction.by) == ("mute", report, marta)
        assert (sanction.reason, days_left(sanction.until)) == (WORDS, 7)
        assert days_left(named("Boris").muted_until) == 7
        message.refresh_from_db()
        assert message.text == ""
        assert audited_actions()[1:] == [
            ("Marta", "person.mute"),
            ("Marta", "message.remove"),
            ("Marta", "report.uphold"),
        ]
        assert AuditLine.objects.get(action="person.mute").after["report"] == report.pk

    def test_each_side_gets_one_email_with_words_of_its_own(self, message, marta, smtp):
        report = taken(marta, message)
        sent(smtp)
        decide(marta, report, "uphold", reason=WORDS, consequence="mute:3")
        assert emailed("conduct") == []
        assert emailed("report_decided") == ["Anna", "Boris"]
        text = sent(smtp)
        assert f"The moderators agree with you. The moderators wrote: {THANKS}" in text["anna"]
        assert WORDS not in text["anna"]
        assert "muted" not in text["anna"]
        assert "You are muted until" in text["boris"]
        assert f"The moderators wrote: {WORDS}" in text["boris"]
        assert THANKS not in text["boris"] + own_page("Boris")
        assert THANKS in own_page("Anna")
        assert WORDS not in own_page("Anna")
        assert "muted. In force until" in own_page("Boris")

    def test_nothing_is_chosen_at_first_and_nothing_follows_unless_it_is(self, message, marta):
        report = taken(marta, message)
        answered = hand_in(browser(marta), report_act_url(report, "uphold"), reason=WORDS)
        assert answered.status_code == 422
        shown, confirm = shown_first(marta, report)
        assert "the appeal covers all of it. Boris and Anna get an email. Email to Boris" in shown
        confirm()
        assert not Sanction.objects.exists()
        message.refresh_from_db()
        assert message.text == "Anna is a thief."

    def test_changed_words_are_shown_again(self, message, marta):
        report = taken(marta, message)
        client, page = browser(marta), report_act_url(report, "uphold")
        first = hand_in(client, page, reason=WORDS, consequence="warning")
        again = filled_in(first, {"to_reporter": "Thanks, Anna."})
        second = client.post(page, again)
        assert second.status_code == 200
        assert "The moderators wrote: Thanks, Anna." in text_of(second)

    def test_the_suspended_leave_at_once_and_the_banned_appeal_by_a_link(self, game, marta, smtp):
        report = taken(marta, say(game, "Boris", "Thief!"))
        decide(marta, report, "uphold", reason=WORDS, consequence="suspension:30")
        assert days_left(named("Boris").suspended_until) == 30
        assert absent(game) == ["Boris"]
        other = reported("Anna", say(game, "Clara", "Thief!"))
        sent(smtp)
        upheld(marta, other, remove_message="", consequence="ban")
        assert not named("Clara").is_active
        text = sent(smtp)["clara"]
        assert "Your account is closed" in text
        path = re.search(r"http://[^/]+(/conduct/\S+/)", text)[1]
        page = Client().get(path)
        assert "Decided on the basis of a report: Your message at “The Venice table”." in text_of(
            page
        )
        number = public_id("sanction", Sanction.objects.get(kind="ban").pk)
        answered = Client().post(path, {"sanction": number, "objection": "It was a joke."})
        assert answered.status_code == 302
        other.refresh_from_db()
        assert (other.state, other.appeal) == ("appealed", "It was a joke.")

    def test_a_name_of_a_person_is_changed_and_everyone_but_they_may_have_it(self, marta, smtp):
        open_table("Anna", "Boris", "Clara", now=timezone.now())
        report = report_of("Anna", person=named("Boris"))
        decide(marta, report, "take")
        refused = hand_in(
            browser(marta), report_act_url(report, "uphold"),
            reason=WORDS, consequence="nothing", new_name="Clara",
        )  # fmt: skip
        assert refused.status_code == 422
        assert "is already taken" in text_of(refused)
        sent(smtp)
        shown, confirm = shown_first(marta, report, new_name="Bruno")
        assert "Boris is renamed to “Bruno”." in shown
        confirm()
        assert not User.objects.filter(name="Boris").exists()
        assert "Your public name is now “Bruno”." in sent(smtp)["boris"]
        assert emailed("conduct") == []

    def test_a_table_is_renamed_and_its_host_gets_one_email(self, marta, smtp):
        game = open_table("Anna", "Boris", now=timezone.now(), size=4, name="Buy at evil.test",
                          description="Cheap pills.")  # fmt: skip
        report = report_of("Boris", game_id=game.pk)
        decide(marta, report, "take")
        OutboxEmail.objects.all().delete()
        filled = {"new_table_name": "The Padua table", "remove_message": "description"}
        shown, confirm = shown_first(marta, report, **filled)
        assert "The table “Buy at evil.test” is renamed to “The Padua table”." in shown
        confirm()
        assert sorted(emailed("referee")) == ["Boris", "Boris"]
        text = sent(smtp)["anna"]
        assert "The table is now called “The Padua table”." in text
        assert "The description of the table was removed." in text
        decide(marta, report, "take-back", reason="Our mistake.")
        game.refresh_from_db()
        assert (game.name, game.description) == ("Buy at evil.test", "Cheap pills.")


class TestRemoval:
    def test_all_public_messages_of_this_person_at_this_table(self, game, message, marta, smtp):
        say(game, "Boris", "Thief, thief!")
        kept = say(game, "Clara", "Calm down.")
        report = taken(marta, message)
        sent(smtp)
        shown, confirm = shown_first(marta, report, remove_message="all")
        assert "2 public messages from Boris at this table are removed." in shown
        confirm()
        assert list(game.messages.exclude(text="")) == [kept]
        assert "2 of your messages at this table were removed." in sent(smtp)["boris"]
        decide(marta, report, "take-back", reason="Our mistake.")
        assert game.messages.exclude(text="").count() == 3


class TestOneAppeal:
    @pytest.fixture
    def nora(self):
        return moderator("Nora")

    def appealed(self, message, marta, **filled) -> Report:
        report = upheld(marta, reported("Anna", message), **filled)
        hand_in(browser(named("Boris")), f"/reports/{report.pk}/appeal/", appeal="A joke.")
        OutboxEmail.objects.all().delete()
        report.refresh_from_db()
        assert report.state == "appealed"
        return report

    def test_granted_it_lifts_the_sanction_and_restores_the_message(
        self, message, marta, nora, smtp
    ):
        report = self.appealed(message, marta, consequence="mute:7")
        decide(nora, report, "grant-appeal", reason="A joke it was.")
        assert named("Boris").muted_until is None
        sanction = Sanction.objects.get()
        report.refresh_from_db()
        assert sanction.ended_at == report.closed_at
        message.refresh_from_db()
        assert message.text == "Anna is a thief."
        text = sent(smtp)
        assert "You're no longer muted." in text["boris"]
        assert "muted" not in text["anna"]
        line = AuditLine.objects.get(action="person.unmute")
        assert line.after["report"] == report.pk
        page = text_of(browser(named("Boris")).get("/accounts/conduct/"))
        assert "Reason: A joke it was." in page

    def test_denied_the_sanction_stays(self, message, marta, nora, smtp):
        report = self.appealed(message, marta, consequence="suspension:7")
        decide(nora, report, "deny-appeal", reason="No joke.")
        assert days_left(named("Boris").suspended_until) == 7
        assert "The decision stands and is final. You are suspended until" in sent(smtp)["boris"]

    @pytest.mark.long(after=1)
    @pytest.mark.parametrize(("consequence", "kind"), [("mute:30", "mute"), ("ban", "suspension")])
    def test_shortened(self, message, marta, nora, smtp, consequence, kind):
        report = upheld(marta, reported("Anna", message), consequence=consequence)
        filing.appeal(report_id=report.pk, user=named("Boris"), text="Joke.", now=timezone.now())
        OutboxEmail.objects.all().delete()
        assert "Shorten the sanction" in text_of(
            browser(nora).get(f"/admin/games/report/{report.pk}/change/")
        )
        decide(nora, report, "shorten", ends_in=3, reason="Three days are enough.")
        report.refresh_from_db()
        assert (report.state, report.closed_by) == ("shortened", nora)
        boris, holding = named("Boris"), Sanction.objects.get(ended_at=None)
        assert boris.is_active
        until = boris.muted_until if kind == "mute" else boris.suspended_until
        assert (holding.kind, holding.until, days_left(until)) == (kind, until, 3)
        text = sent(smtp)
        assert "The decision stands, but its consequences are now milder." in text["anna"]
        assert {"mute": "You are muted until", "suspension": "You are suspended until"}[kind] in (
            text["boris"]
        )
        assert "Your appeal was reviewed. The decision stands, but" in own_page("Boris")
        assert "they have made its consequences milder" in own_page("Anna")

    def test_to_a_longer_time_it_is_refused(self, message, marta, nora):
        report = self.appealed(message, marta, consequence="mute:3")
        page = report_act_url(report, "shorten")
        shown = hand_in(browser(nora), page, ends_in=7, reason="Longer.")
        answered = browser(nora).post(page, filled_in(shown, {}))
        assert answered.status_code == 422
        assert "The sanction will be over by then anyway." in text_of(answered)
        assert days_left(named("Boris").muted_until) == 3

    def test_the_sanction_is_not_appealed_by_itself(self, message, marta, nora):
        report = upheld(marta, reported("Anna", message), consequence="mute:7")
        client, number = browser(named("Boris")), public_id("sanction", Sanction.objects.get().pk)
        assert "An appeal covers the whole decision." in text_of(client.get("/accounts/conduct/"))
        filled = {"sanction": number, "objection": "A joke."}
        assert client.post("/accounts/conduct/", filled).status_code == 302
        report.refresh_from_db()
        assert (report.state, report.appeal) == ("appealed", "A joke.")
        assert Sanction.objects.get().appealed_at is None
        assert "appealed on" not in text_of(browser(nora).get("/admin/"))
        other = client.post(f"/reports/{report.pk}/appeal/", {"appeal": "Again."})
        assert "You've already appealed." in text_of(other)
        page = text_of(client.get("/accounts/conduct/"))
        assert "You appealed: A joke. Your appeal is waiting for another moderator." in page


class TestTwoAtOnce:
    def test_another_moderator_has_acted_meanwhile_and_nothing_is_done(self, message, marta):
        report = taken(marta, message)
        _shown, confirm = shown_first(marta, report, consequence="mute:7", remove_message="this")
        boris, now = named("Boris"), timezone.now()
        nora = moderator("Nora")
        people.warn(PersonRequest(boris.pk, nora, "Rude.", latest_action(boris, nora), now))
        answered = confirm()
        assert "Another moderator has acted on this person" in text_of(answered)
        report.refresh_from_db()
        message.refresh_from_db()
        assert (report.state, message.text) == ("taken", "Anna is a thief.")
        assert [one.kind for one in Sanction.objects.all()] == ["warning"]

    def test_who_plays_with_the_person_only_decides(self, message, marta):
        other = lobby_tables.open_table(
            host=named("Boris"), settings=table_settings(size=3), now=timezone.now()
        )
        for one in (marta, named("Clara")):
            lobby_tables.join(game_id=other.pk, user=one, now=timezone.now())
        report = taken(marta, message)
        page = browser(marta).get(report_act_url(report, "uphold"))
        assert "You play, or have played, in a running game with this person" in text_of(page)
        choices = forms_of(page.content.decode())[""]["consequence"].options
        assert choices == ["nothing"]


class TestWhoReadsIt:
    def test_linked_in_both_directions_and_hidden_with_the_report(self, game, message, marta):
        report = upheld(marta, reported("Anna", message), consequence="mute:7")
        boris = named("Boris")
        report_page, person_page = (
            f"/admin/games/report/{report.pk}/change/",
            f"/admin/games/user/{boris.pk}/change/",
        )
        page = browser(marta).get(report_page).content.decode()
        assert re.search(rf'<a href="{person_page}">[^<]*: muted\.', page)
        page = browser(marta).get(person_page).content.decode()
        assert re.search(rf'<a href="{report_page}">[^<]*: muted, by Marta', page)
        # Clara sits at that table and becomes a moderator.
        roles.appoint(named("Clara"), roles.MODERATOR)
        clara = browser(named("Clara"))
        sanction = Sanction.objects.get()
        for address in (
            person_page, "/admin/games/sanction/", "/admin/games/auditline/",
            f"/admin/games/sanction/{sanction.pk}/change/",
        ):  # fmt: skip
            assert "Insults and personal threats" not in text_of(clara.get(address, follow=True))

    def test_decisions_of_before_read_as_they_did(self, message, marta):
        report = upheld(marta, reported("Anna", message))
        Report.objects.filter(pk=report.pk).update(to_reporter="")
        assert "Insults and personal threats have no place here." in own_page("Anna")
