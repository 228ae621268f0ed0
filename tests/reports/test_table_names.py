"""The name and the note of a table: reported by players, changed and removed by moderators."""

import re
from html import unescape

import pytest
from django.utils import timezone

from games.models import AuditLine, Message, OutboxEmail, Report
from games.services.lobby import invitations
from tests.support.client import as_shown, browser, forms_of, person, text_of
from tests.support.moderators import act, act_url, audited_actions, marta_acts, moderator
from tests.support.reporting import decide, hand_in
from tests.support.sent_emails import emailed, sent
from tests.support.tables import open_table, seat_of, seats_to_move, submit_move

pytestmark = pytest.mark.django_db
ADS = {"name": "Buy at evil.test", "description": "Cheap pills."}


def waiting(**more):
    game = open_table("Anna", "Boris", size=4, listed=True, now=timezone.now(), **(ADS | more))
    OutboxEmail.objects.all().delete()
    return game


def report_url(game) -> str:
    return f"{game.get_absolute_url()}report/"


class TestReporting:
    @pytest.mark.full
    def test_from_the_list_the_lobby_and_the_game(self):
        zoe = browser(person("Zoe"))
        game = waiting()
        link = f'href="{report_url(game)}"'
        assert link in zoe.get("/tables/").content.decode()
        assert link in zoe.get(game.get_absolute_url()).content.decode()
        anna = browser(game.host)
        assert link not in anna.get(game.get_absolute_url()).content.decode()
        assert "You're the host of this table, so you can't report it." in text_of(
            anna.get(report_url(game), follow=True)
        )
        running = open_table("Clara", "Dora", "Emil", now=timezone.now())
        page = zoe.get(running.get_absolute_url()).content.decode()
        assert f'href="{report_url(running)}"' in page

    @pytest.mark.full
    def test_moderators_read_what_it_said_then_and_the_host_is_told_what_was_decided(self, smtp):
        marta, game = moderator("Marta"), waiting()
        zoe = person("Zoe")
        assert "Cheap pills." in text_of(browser(zoe).get(report_url(game)))
        answered = hand_in(browser(zoe), report_url(game), why="An advertisement.")
        assert answered["Location"] == "/reports/"
        report = Report.objects.get()
        assert (report.person, report.game, report.message) == (game.host, game, None)
        text = sent(smtp)["marta"]
        assert "The name and description of “Buy at evil.test”" in text
        assert "Reported text: Buy at evil.test Cheap pills." in text
        marta_acts(game, "rename", name="Rialto")
        marta_acts(game, "remove-note")
        page = browser(marta).get(f"/admin/games/report/{report.pk}/change/")
        assert "Table name and description: Buy at evil.test Cheap pills." in text_of(page)
        decide(marta, report, "take")
        decide(marta, report, "uphold", reason="Advertising has no place here.")
        letters = sent(smtp)
        assert "The name and description of your table “Rialto”" in letters["anna"]
        assert "> Buy at evil.test Cheap pills." in letters["anna"]
        assert "The moderators agree with you." in letters["zoe"]
        assert "The name and description of your table" in text_of(
            browser(game.host).get("/reports/")
        )

    def test_once_at_a_time_and_besides_the_host_as_a_person(self):
        moderator("Marta")
        game, zoe = waiting(), browser(person("Zoe"))
        hand_in(zoe, report_url(game), why="An advertisement.")
        again = hand_in(zoe, report_url(game), why="An advertisement!")
        assert again.status_code == 422
        assert "You've already reported this" in text_of(again)
        hand_in(zoe, f"/people/{game.host.pk}/report/?table={game.token}", why="Rude.")
        assert Report.objects.count() == 2

    @pytest.mark.parametrize("why", ["", "x" * 2001])
    def test_what_is_refused_comes_back(self, why):
        game = waiting()
        answer = hand_in(browser(person("Zoe")), report_url(game), why=why)
        assert answer.status_code == 422
        assert why in answer.content.decode()
        assert not Report.objects.exists()


class TestRenaming:
    @pytest.mark.full
    def test_a_waiting_table_gets_another_name_and_everybody_there_is_told_why(self, smtp):
        game = waiting()
        marta_acts(game, "rename", name="  Rialto \r\n  bridge ")
        assert game.name == "Rialto bridge"
        assert emailed("referee", game) == ["Anna", "Boris"]
        text = "The referee has renamed this table. Reason: Clara is in hospital."
        assert text in text_of(browser(game.host).get(game.get_absolute_url()))
        assert text in sent(smtp)["boris"]
        assert audited_actions(game=game) == [("Marta", "game.rename")]
        line = AuditLine.objects.get(game=game)
        assert (line.before, line.after) == ({"name": ADS["name"]}, {"name": "Rialto bridge"})

    @pytest.mark.full
    def test_a_running_game_too_and_its_mail_and_the_same_again_bear_the_new_name(self, smtp):
        game = open_table("Anna", "Boris", "Clara", options={"rounds": 1}, **ADS)
        assert game.status == "finished"
        OutboxEmail.objects.all().delete()
        marta_acts(game, "rename", name="Rialto")
        marta_acts(game, "remove-note")
        again = invitations.again(game_id=game.pk, user=game.host, now=timezone.now())
        assert (again.name, again.description) == ("Rialto", "")
        text = sent(smtp)["boris"]
        assert "evil" not in text
        assert "Rialto" in text

    @pytest.mark.sample(1)
    @pytest.mark.parametrize("name", ["", "   ", "x" * 61, ADS["name"]])
    def test_no_name_a_long_one_or_the_same_is_refused(self, name):
        game, marta = waiting(), browser(moderator())
        assert act(marta, game, "rename", name=name).status_code == 422
        game.refresh_from_db()
        assert game.name == ADS["name"]
        assert not Message.objects.exists()

    def test_not_at_a_table_of_ones_own(self):
        marta = moderator("Marta")
        game = open_table("Anna", "Boris", size=4)
        game.seats.filter(user__name="Boris").update(user=marta)
        assert browser(marta).get(act_url(game, "rename")).status_code == 403


class TestTheNote:
    @pytest.mark.full
    def test_it_is_gone_everywhere_and_everybody_there_is_told_why(self, smtp):
        game = waiting()
        marta_acts(game, "remove-note")
        assert game.description == ""
        page = text_of(browser(seat_of(game, "Boris").user).get(game.get_absolute_url()))
        assert "Cheap pills" not in page
        text = "The referee has removed this table's description. Reason: Clara is in hospital."
        assert text in page
        assert text in sent(smtp)["anna"]
        assert audited_actions(game=game) == [("Marta", "game.remove-note")]
        audit = text_of(browser(moderator("Nora")).get("/admin/games/auditline/"))
        assert "Remove the description" in audit

    def test_without_a_note_there_is_nothing_to_remove(self):
        game, marta = waiting(description=""), browser(moderator())
        page = marta.get(act_url(game, "remove-note"))
        assert "This table has no description." in text_of(page)
        assert "" not in forms_of(page.content.decode())
        offered = marta.get(f"/admin/games/game/{game.pk}/change/").content.decode()
        assert "remove-note" not in offered
        assert "/act/rename/" in offered

    def test_the_words_of_moderators_are_in_the_language_of_who_reads_them(self):
        """Stored is only why; the sentence around it is made when it is read."""
        game = waiting()
        marta_acts(game, "remove-note")
        message = Message.objects.get()
        assert (message.text, message.act) == ("Clara is in hospital.", "note_removed")


@pytest.mark.full
class TestTheAdminsButtons:
    def test_what_cannot_be_undone_looks_so_and_stands_apart(self):
        game, marta = open_table("Anna", "Boris", "Clara"), browser(moderator())
        page = marta.get(f"/admin/games/game/{game.pk}/change/").content.decode()
        for slug in (f"{game.pk}/act/cancel/", f"{game.pk}/glass/"):
            before = page[: page.index(slug)]
            assert "Can't be undone" in unescape(before)
            assert 'class="button quiet danger"' in before[before.rindex("<li") :]
        assert page.split('class="ways for-good"')[0].count("danger") == 0
        form = marta.get(act_url(game, "cancel")).content.decode()
        assert '<input type="submit" value="Cancel the game" class="default danger">' in form
        harmless = marta.get(act_url(game, "pause")).content.decode()
        assert '<input type="submit" value="Pause" class="default">' in harmless
        person_page = marta.get(f"/admin/games/user/{game.host.pk}/change/").content.decode()
        before = person_page[: person_page.index("/act/ban/")]
        assert 'class="button quiet danger"' in before[before.rindex("<li") :]
        assert re.findall(r"danger.*?/act/([a-z-]+)/", person_page) == ["ban", "clear-up"]

    def test_the_second_press_of_a_rewind_says_what_it_does(self):
        game = open_table("Anna", "Boris", "Clara", now=timezone.now())
        for _ in range(3):
            submit_move(game, seats_to_move(game)[0].user, timezone.now())
            game.refresh_from_db()
        marta, url = browser(moderator()), act_url(game, "rewind")
        page = marta.get(url).content.decode()
        assert 'value="Rewind"' in page
        form = as_shown(forms_of(page)[""]) | {"reason": "A mistake."}
        steps = forms_of(page)[""]["to_seq"].options
        shown = marta.post(url, form | {"to_seq": steps[-1]}).content.decode()
        taken = game.moves.count()
        assert f"{taken} moves will be taken back" in shown
        assert f'value="Rewind now and take back {taken} moves"' in shown
