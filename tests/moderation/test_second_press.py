"""What emails somebody is shown first, with the email, and done by a second press of one button."""

import re
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games.admin.actions import all_actions
from games.admin.actions.on_accounts import ON_ACCOUNTS
from games.admin.actions.on_people import ON_PEOPLE
from games.admin.actions.on_reports import ON_MESSAGES, ON_REPORTS
from games.forms.moderation.base import PreviewedForm
from games.models import AuditLine, Message, OutboxEmail, Report, Sanction, User
from games.services.game import seats
from games.services.operations import clock
from games.services.reports import filing
from tests.support.client import browser, person, text_of
from tests.support.moderators import (
    act_on,
    administrator,
    marta_acts_on,
    moderator,
    person_act_url,
    person_form,
)
from tests.support.reporting import (
    act_on as act_on_message,
)
from tests.support.reporting import (
    decide,
    filled_in,
    hand_in,
    message_act_url,
    named,
    own_page,
    report_act_url,
    reported,
    say,
    table_at_rest,
    upheld,
)
from tests.support.sent_emails import emailed, sent
from tests.support.tables import open_table, seats_to_move

pytestmark = pytest.mark.django_db(transaction=True)

DAY = timedelta(days=1)
NOT_YET = "Nothing has been done yet. Press the button to confirm."
WITHOUT_EMAIL = {
    "person.note", "report.take", "report.take-over", "report.give-back", "message.show",
}  # fmt: skip
"""Nobody is emailed about these, and the opposite action undoes them."""


@pytest.fixture
def game():
    return table_at_rest()


@pytest.fixture
def message(game):
    return say(game, "Boris", "Anna is a thief.")


@pytest.fixture
def marta():
    return moderator()


def text_of_letters(page: str) -> str:
    return page.partition("Email to ")[2]


UNTIL = re.compile(r"until \w+ (\d+ \w+, \d\d:\d\d) \(UTC\)")


def ends(text: str) -> list[datetime]:
    """The instants in it until which something holds."""
    return [
        datetime.strptime(f"2000 {at} +0000", "%Y %d %b, %H:%M %z") for at in UNTIL.findall(text)
    ]


class TestEveryAction:
    def test_on_people_reports_and_messages_is_previewed_if_it_emails_somebody(self):
        once = {
            action.key
            for action in (*ON_PEOPLE, *ON_ACCOUNTS, *ON_REPORTS, *ON_MESSAGES)
            if not issubclass(action.form, PreviewedForm)
        }
        assert once == WITHOUT_EMAIL
        assert once <= set(all_actions())

    @pytest.mark.long(every=3)
    @pytest.mark.full
    @pytest.mark.parametrize(
        ("slug", "before", "filled"),
        [
            ("warn", "", {}),
            ("take-back-warning", "warn", {}),
            ("rename", "", {"name": "Rosalind"}),
            ("mute", "", {"lasts": 3}),
            ("unmute", "mute", {}),
            ("suspend", "", {"lasts": 3}),
            ("lift-suspension", "suspend", {}),
            ("ban", "", {}),
            ("lift-ban", "ban", {}),
            ("end-sessions", "", {}),
            ("second-factor", "", {}),
            ("no-second-factor", "second-factor", {}),
        ],
    )
    def test_on_a_person_shows_the_email_as_it_is_sent(self, marta, smtp, slug, before, filled):
        rosa = person("Rosa")
        if before:
            marta_acts_on(rosa, before, **({"lasts": 3} if before in {"mute", "suspend"} else {}))
            sent(smtp)
        client, url = browser(marta), person_act_url(rosa, slug)
        form = person_form(client, rosa, slug) | {name: str(text) for name, text in filled.items()}
        lines, emails = AuditLine.objects.count(), OutboxEmail.objects.count()
        shown = client.post(url, form)
        assert shown.status_code == 200
        page = text_of(shown)
        assert page.count(NOT_YET) == 1
        assert shown.content.decode().count('value="Confirm: ') == 2
        assert (AuditLine.objects.count(), OutboxEmail.objects.count()) == (lines, emails)
        assert client.post(url, filled_in(shown, {})).status_code == 302
        name = str(filled.get("name", "Rosa"))
        [letter] = [one for to, one in sent(smtp).items() if to == "rosa"]
        said = letter.partition(f"Hello {name}, ")[2].partition("If you think")[0]
        said = said.partition(" Account standing: ")[0]
        assert UNTIL.sub("", said).strip() in UNTIL.sub("", text_of_letters(page))
        # It holds from when it is confirmed, maybe a minute after it was shown.
        shown_until, until = ends(text_of_letters(page)), ends(said)
        assert len(until) == (slug in {"mute", "suspend"})
        later = {end - shown for end, shown in zip(until, shown_until, strict=False)}
        assert later <= {timedelta(0), timedelta(minutes=1)}
        assert "Reason: You were rude." in text_of_letters(page)
        assert "/conduct/by-link/" not in shown.content.decode()

    @pytest.mark.full
    def test_other_words_are_shown_again(self, marta):
        rosa, client = person("Rosa"), browser(marta)
        url = person_act_url(rosa, "warn")
        shown = client.post(url, person_form(client, rosa, "warn"))
        again = client.post(url, filled_in(shown, {"reason": "You were very rude."}))
        assert "Reason: You were very rude." in text_of(again)
        assert NOT_YET in text_of(again)
        assert client.post(url, filled_in(again, {})).status_code == 302
        assert Sanction.objects.get().reason == "You were very rude."

    @pytest.mark.full
    def test_what_isnt_possible_is_refused_before_it_is_shown(self, marta, message):
        rosa, client = person("Rosa"), browser(marta)
        answered = client.post(person_act_url(rosa, "unmute"), {"reason": "So.", "seen": "0"})
        assert answered.status_code == 422
        assert "This person isn't muted." in text_of(answered)
        assert NOT_YET not in text_of(answered)
        report = reported("Anna", message)
        decide(moderator("Nora"), report, "take")
        answered = client.post(report_act_url(report, "reject"), {"reason": "So."})
        assert answered.status_code == 422
        assert NOT_YET not in text_of(answered)


@pytest.mark.full
class TestReports:
    def test_dismissing_shows_what_the_reporter_will_read(self, marta, message, smtp):
        report, client = reported("Anna", message), browser(marta)
        sent(smtp)
        url = report_act_url(report, "reject")
        shown = hand_in(client, url, reason="It was a joke.")
        page = text_of(shown)
        assert NOT_YET in page
        assert "Anna gets an email." in page
        assert "Email to Boris" not in page
        assert "The moderators see it differently." in page
        report.refresh_from_db()
        assert report.state == "open"
        assert client.post(url, filled_in(shown, {})).status_code == 302
        text = sent(smtp)
        assert list(text) == ["anna"]
        assert "see it differently. The moderators wrote: It was a joke." in text["anna"]

    def test_several_at_once_are_shown_too(self, marta, game, message):
        first = reported("Anna", message)
        second = reported("Clara", message)
        client = browser(marta)
        url = "/admin/reports/decide/"
        begun = client.post(url, {"act": "reject", "reports": f"{first.pk} {second.pk}"})
        shown = client.post(url, filled_in(begun, {"reason": "It was a joke."}))
        page = text_of(shown)
        assert NOT_YET in page
        assert "Email to Anna and Clara" in page
        assert {report.state for report in Report.objects.all()} == {"open"}
        assert client.post(url, filled_in(shown, {})).status_code == 302
        assert {report.state for report in Report.objects.all()} == {"rejected"}

    @pytest.mark.long(after=2)
    @pytest.mark.parametrize("ends", ["grant-appeal", "deny-appeal", "shorten", "take-back"])
    def test_the_last_word_is_shown_as_it_is_sent(self, message, smtp, ends):
        report = upheld(moderator("Nora"), reported("Anna", message), consequence="mute:7")
        if ends != "take-back":
            Report.objects.update(state="appealed", appeal="A joke.", appealed_at=timezone.now())
        sent(smtp)
        client, url = browser(moderator()), report_act_url(report, ends)
        filled = {"ends_in": 3} if ends == "shorten" else {}
        shown = hand_in(client, url, reason="So be it.", why="", **filled)
        page = text_of_letters(text_of(shown))
        assert client.post(url, filled_in(shown, {})).status_code == 302
        text = sent(smtp)
        assert sorted(text) == ["anna", "boris"]
        for name in ("Anna", "Boris"):
            letter = text[name.lower()]
            said = letter.partition(f"Hello {name}, ")[2].partition(" My reports: ")[0]
            assert said.strip() in page
        assert ("Decision on an appeal" in page) == (ends != "take-back")

    def test_a_reversal_without_an_appeal_speaks_of_none(self, marta, message, smtp):
        report = upheld(marta, reported("Anna", message))
        form = browser(marta).get(report_act_url(report, "take-back"))
        assert "came to the same conclusion" not in text_of(form)
        sent(smtp)
        decide(marta, report, "take-back", why="It was our mistake.")
        subjects = {mail["Subject"] for mail in smtp.messages}
        assert "Decision on an appeal" not in subjects

    def test_the_form_names_who_it_is_about_and_who_reported(self, marta, message):
        report = reported("Anna", message)
        shown = browser(marta).get(report_act_url(report, "uphold"))
        assert f'/admin/games/user/{report.person.pk}/change/">Boris</a>' in shown.content.decode()
        page = text_of(shown)
        assert "Consequence for Boris" in page
        assert "To the reporter, Anna" in page
        assert "Muted: can keep playing, but can't write anything others read." in page
        assert "Or: Dismiss the report" in page


@pytest.mark.full
class TestReopening:
    def test_a_dismissed_report_is_opened_again_by_a_colleague(self, marta, message, smtp):
        report = reported("Anna", message)
        decide(marta, report, "reject", reason="Too tired.")
        sent(smtp)
        nora = moderator("Nora")
        decide(nora, report, "reopen", why="Decided by mistake.")
        report.refresh_from_db()
        assert (report.state, report.owner, report.outcome) == ("taken", nora, "")
        text = sent(smtp)
        assert list(text) == ["anna"]
        assert "We decided on your report too soon." in text["anna"]
        assert "A moderator is looking into your report." in own_page("Anna")
        decide(nora, report, "uphold", reason="No insults.")
        assert sorted(sent(smtp)) == ["anna", "boris"]
        [line] = AuditLine.objects.filter(action="report.reopen")
        assert (line.before["report_state"], line.after["report_state"]) == ("rejected", "taken")

    def test_so_is_a_decision_that_was_reversed_but_none_that_an_appeal_has_ended(
        self, marta, message, smtp
    ):
        report = reported("Anna", message)
        decide(marta, report, "uphold", reason="No insults.", remove_message="this")
        decide(marta, report, "take-back", reason="I meant a warning.")
        sent(smtp)
        decide(marta, report, "reopen", reason="I meant a warning.")
        assert list(sent(smtp)) == ["anna"]
        report.refresh_from_db()
        assert (report.state, report.last_word, report.closed_by) == ("taken", "", None)
        assert Message.objects.filter(pk=message.pk, redaction=None).exists()
        decide(marta, report, "uphold", reason="No insults.", remove_message="this")
        assert not Message.objects.filter(pk=message.pk, redaction=None).exists()
        assert sorted(sent(smtp)) == ["anna", "boris"]
        filing.appeal(report_id=report.pk, user=named("Boris"), text="Why?", now=timezone.now())
        nora = moderator("Nora")
        decide(nora, report, "grant-appeal", reason="It was a joke.")
        page = browser(nora).get(report_act_url(report, "reopen"))
        assert "That's no longer possible." in text_of(page)

    def test_before_a_decision_is_reversed_one_reads_what_that_gives_back(self, marta, message):
        report = upheld(marta, reported("Anna", message))
        client, address = browser(marta), report_act_url(report, "take-back")
        page = text_of(hand_in(client, address, reason="I meant a warning."))
        what_it_does = page.partition("What this will do")[2].partition("Email to")[0]
        assert "messages and names are restored" in what_it_does

    def test_a_dismissal_that_hasnt_left_is_not_sent_after_it(self, marta, message, smtp):
        report = reported("Anna", message)
        sent(smtp)
        smtp.messages.clear()
        decide(marta, report, "reject", reason="Too tired.")
        decide(marta, report, "reopen", why="Decided by mistake.")
        sent(smtp)
        assert [mail["Subject"] for mail in smtp.messages] == ["Your report is open again"]
        decide(marta, report, "reject", reason="Still tired.")
        decide(marta, report, "reopen", why="Decided by mistake.")
        decide(marta, report, "uphold", reason="No insults.")
        text = sent(smtp)
        assert len(smtp.messages) == 3
        assert sorted(text) == ["anna", "boris"]
        assert "The moderators agree with you." in text["anna"]

    def test_not_what_was_upheld_nor_where_it_was_reported_again(self, marta, message):
        report = reported("Anna", message)
        decide(marta, report, "reject", reason="Too tired.")
        again = reported("Anna", message, why="Really.")
        page = browser(marta).get(report_act_url(report, "reopen"))
        assert "The same person has reported this again." in text_of(page)
        upheld(marta, again)
        page = browser(marta).get(report_act_url(again, "reopen"))
        assert "That's no longer possible." in text_of(page)


@pytest.mark.full
class TestSuspending:
    def test_says_where_the_clock_plays_at_once_and_lifting_what_is_left(self, marta):
        game = open_table("Anna", "Boris", "Clara", now=timezone.now())
        [seat] = seats_to_move(game)
        player, client = seat.user, browser(marta)
        url = person_act_url(player, "suspend")
        form = person_form(client, player, "suspend") | {"lasts": "7"}
        shown = client.post(url, form)
        page = text_of(shown)
        assert f"{player.name} is marked absent right away in: {game}." in page
        assert (
            f"{player.name} is to move, and the clock plays for them right away, in: {game}."
            in page
        )
        assert client.post(url, filled_in(shown, {})).status_code == 302
        move = game.moves.filter(seat=seat).earliest("pk")
        url = person_act_url(player, "lift-suspension")
        shown = client.post(url, person_form(client, player, "lift-suspension"))
        links = (
            f'href="/admin/games/game/{game.pk}/act/present/?seat={seat.number}"',
            f'href="/admin/games/game/{game.pk}/act/our-fault/?move={move.pk}"',
        )
        assert all(link in shown.content.decode() for link in links)
        done = client.post(url, filled_in(shown, {}), follow=True)
        assert f"This doesn't mark {player.name} present" in text_of(done)
        assert all(link in done.content.decode() for link in links)

    def test_the_same_with_a_report(self, marta):
        game = open_table("Anna", "Boris", "Clara", now=timezone.now())
        [seat] = seats_to_move(game)
        player = seat.user
        other = next(name for name in ("Anna", "Boris") if name != player.name)
        report = reported(other, say(game, player.name, "You are a thief."))
        client, url = browser(marta), report_act_url(report, "uphold")
        shown = hand_in(client, url, consequence="suspension:7")
        assert "the clock plays for them right away" in text_of(shown)
        assert client.post(url, filled_in(shown, {})).status_code == 302
        reverse = report_act_url(report, "take-back")
        shown = hand_in(client, reverse, why="It was our mistake.")
        link = f"/act/our-fault/?move={game.moves.filter(seat=seat).earliest('pk').pk}"
        assert link in shown.content.decode()
        done = client.post(reverse, filled_in(shown, {}), follow=True)
        assert link in done.content.decode()

    def test_a_ban_with_a_new_name_doesnt_offer_a_choice_of_names(self, marta, game, smtp):
        hand_in(browser(named("Anna")), f"/people/{named('Boris').pk}/report/", why="A rude name.")
        report = Report.objects.get()
        sent(smtp)
        decide(marta, report, "uphold", consequence="ban", new_name="Bruno")
        [text] = [one for to, one in sent(smtp).items() if to == "boris"]
        assert "you can no longer sign in" in text
        assert "Your public name is now “Bruno”." in text
        assert "You can choose another one" not in text


@pytest.mark.full
class TestWithoutAReport:
    def test_the_author_reads_of_no_report(self, marta, game, message, smtp):
        sent(smtp)
        shown = hand_in(browser(marta), message_act_url(message, "remove"), reason="No insults.")
        assert (
            "A moderator has made a decision about this: Your message at “The Venice table”."
            in text_of(shown)
        )
        act_on_message(marta, message, "remove", reason="No insults.")
        text = sent(smtp)["boris"]
        assert (
            "A moderator has made a decision about this: Your message at “The Venice table”."
            in text
        )
        assert "report that concerns you" not in text
        assert "A moderator decided this." in own_page("Boris")
        assert "upheld the report" not in own_page("Boris")

    def test_it_is_not_listed_among_the_reports(self, marta, game, message):
        act_on_message(marta, message, "remove", reason="No insults.")
        page = browser(moderator("Nora")).get(f"/admin/games/user/{named('Boris').pk}/change/")
        assert "Reports about this person" not in text_of(page)
        own = Report.objects.get()
        assert f"/admin/games/report/{own.pk}/change/" in page.content.decode()
        other = reported("Anna", say(game, "Boris", "And a fool."))
        page = browser(marta).get(f"/admin/games/report/{other.pk}/change/")
        assert "Other reports about the same person" not in text_of(page)


@pytest.mark.full
def test_warning_again_from_the_back_button_is_the_same_warning(marta):
    rosa = person("Rosa")
    old = person_form(browser(marta), rosa, "warn")
    client, url = browser(marta), person_act_url(rosa, "warn")
    for _time in "ab":
        shown = client.post(url, person_form(client, rosa, "warn"))
        assert client.post(url, filled_in(shown, {})).status_code == 302
    assert client.post(url, old).status_code == 302
    assert client.post(url, filled_in(shown, {})).status_code == 302
    assert Sanction.objects.count() == 1
    assert emailed("conduct") == ["Rosa"]
    assert act_on(browser(marta), rosa, "warn", reason="You were rude again.").status_code == 302
    assert Sanction.objects.count() == 2


@pytest.mark.full
def test_my_decisions_lists_each_with_a_link(marta, game, message):
    report = reported("Anna", message)
    decide(marta, report, "reject", reason="Too tired.")
    marta_acts_on(named("Clara"), "warn")
    page = browser(marta).get("/admin/month/")
    words, html = text_of(page), page.content.decode()
    assert "Your decisions" in words
    assert "Dismiss the report. Too tired." in words
    assert "Warn. You were rude." in words
    assert f'href="/admin/games/report/{report.pk}/change/"' in html
    assert f'href="/admin/games/user/{named("Clara").pk}/change/"' in html
    assert "Too tired." not in text_of(browser(administrator()).get("/admin/month/"))


@pytest.mark.full
def test_absence_is_not_told_where_they_are_absent_already(marta):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    clara: User = named("Clara")
    seats.step_aside(game_id=game.pk, user=clara, now=timezone.now())
    clock.sweep(now=timezone.now())
    client = browser(marta)
    shown = client.post(person_act_url(clara, "ban"), person_form(client, clara, "ban"))
    assert "is marked absent right away" not in text_of(shown)
