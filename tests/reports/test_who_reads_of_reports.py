"""Who reads in the admin that there was a report, and what came of it."""

import pytest
from django.utils import timezone

from games.models import AuditLine, Game, Redaction, Report, StaffNote
from games.services import audit
from games.services.lobby import tables
from games.services.public_ids import public_id
from tests.support.client import browser, person, text_of
from tests.support.moderators import marta_acts, moderator
from tests.support.promising import sitter
from tests.support.reporting import (
    act_on,
    decide,
    hand_in,
    named,
    person_page,
    reported,
    say,
    table_at_rest,
    upheld,
)
from tests.support.tables import open_table, table_settings
from tests.support.whispering import whisper

pytestmark = [pytest.mark.full, pytest.mark.django_db]
WHY = "We looked at the table: Otto did nothing there."


def reads(reader, *addresses):
    """What somebody reads on these pages of the admin."""
    client = browser(reader)
    return " ".join(text_of(client.get(f"/admin/{address}")) for address in addresses)


def reads_of(reader, whom):
    """What a moderator reads about somebody in lists, in searches and on their page."""
    return reads(
        reader,
        "games/auditline/",
        f"games/auditline/?person__id__exact={whom.pk}",
        "games/auditline/?words=table",
        f"games/auditline/?person={whom.name}",
        f"games/user/{whom.pk}/change/",
        "games/redaction/",
    )


def private_report(game: Game) -> Report:
    """Anna reports what Boris has said to her alone."""
    message = whisper(game, 1, 0, text="I hope you lose, cow.", now=timezone.now())
    where = f"{game.get_absolute_url()}private/{message.thread.token}/{message.number}/report/"
    assert hand_in(browser(sitter(game, 0)), where, why="He insults me.").status_code == 302
    return Report.objects.get(private_message=message)


class TestPrivateMessages:
    def test_a_reported_one_is_removed_by_the_form(self, marta):
        game = open_table("Anna", "Boris", "Clara", now=timezone.now(), press="private")
        report = private_report(game)
        thread = f"{game.get_absolute_url()}?talk={report.private_message.thread.token}"
        anna, why = browser(sitter(game, 0)), "Insults and personal threats have no place here."
        assert "I hope you lose, cow." in text_of(anna.get(thread))
        upheld(marta, report)  # removes "this message", which has to be there
        words = text_of(anna.get(thread))
        assert f"The referee has removed this message. Reason: {why}" in words
        assert "cow" not in words
        assert AuditLine.objects.get(action="message.remove").after["report"] == report.pk
        removed = Redaction.objects.get()
        assert "cow" in reads(marta, f"games/redaction/{removed.pk}/change/")

    def test_the_form_has_its_words(self, marta):
        game = open_table("Anna", "Boris", "Clara", now=timezone.now(), press="private")
        report = private_report(game)
        decide(marta, report, "take")
        page = reads(marta, f"games/report/{report.pk}/act/uphold/")
        assert "The message: I hope you lose, cow." in page
        assert "this message" in page
        assert "all public messages" not in page

    def test_a_moderator_who_plays_there_reads_none_that_was_removed(self, marta):
        game = open_table("Anna", "Boris", size=3, now=timezone.now(), press="private")
        otto = moderator("Otto")
        tables.join(game_id=game.pk, user=otto, now=timezone.now())
        game.refresh_from_db()
        for seats in ((0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)):
            if otto not in (sitter(game, seats[0]), sitter(game, seats[1])):
                message = whisper(game, *seats, text="You cow.", now=timezone.now())
                break
        reader = sitter(game, seats[1])
        where = f"{game.get_absolute_url()}private/{message.thread.token}/{message.number}/report/"
        hand_in(browser(reader), where, why="Insult.")
        upheld(marta, Report.objects.get())
        removed = Redaction.objects.get()
        assert "You cow." in reads(marta, f"games/redaction/{removed.pk}/change/")
        assert browser(otto).get(f"/admin/games/redaction/{removed.pk}/change/").status_code == 302
        assert "Insults and personal threats" not in reads_of(otto, message.author)


class TestTheAuditLog:
    def test_a_reported_moderator_reads_nothing_of_the_report(self, marta):
        otto, alice = moderator("Otto"), person("Alice")
        hand_in(browser(alice), person_page(otto), why="He cheats.")
        report = Report.objects.get()
        decide(marta, report, "take")
        decide(marta, report, "reject", reason=WHY)
        assert WHY in reads_of(marta, otto)
        assert WHY not in reads_of(otto, otto)
        assert f"report {report.pk}" not in reads_of(otto, otto)
        for line in AuditLine.objects.all():
            page = f"/admin/games/auditline/{public_id('auditline', line.pk)}/change/"
            assert browser(marta).get(page).status_code == 200
            refused = browser(otto).get(page, follow=True)
            assert refused.redirect_chain == [("/admin/", 302)]
            assert "That page doesn't exist, or you're not allowed to see it." in text_of(refused)

    @pytest.mark.parametrize("as_before", [False, True])
    def test_nor_of_reports_at_a_table_of_theirs(self, marta, as_before):
        game = open_table("Anna", "Boris", size=3, now=timezone.now())
        otto = moderator("Otto")
        tables.join(game_id=game.pk, user=otto, now=timezone.now())
        reported_one, other = say(game, "Boris", "Anna is a cow."), say(game, "Boris", "A cow!")
        report = upheld(marta, reported("Anna", reported_one))
        act_on(marta, other, "remove", reason="Insults and personal threats have no place here.")
        if as_before:  # when lines about messages didn't name their report
            audit.write(
                "message.remove", now=timezone.now(), who=marta, game=game, person=named("Boris"),
                reason="Quite another reason", after={"message": reported_one.pk},
            )  # fmt: skip
        decide(marta, report, "take-back", reason="We were wrong.")
        assert "Insults and personal threats" in reads_of(marta, named("Boris"))
        seen = reads_of(otto, named("Boris"))
        for words in (
            "Insults and personal threats",
            "We were wrong",
            "Quite another reason",
            f"report {report.pk}",
        ):
            assert words not in seen

    def test_who_reported_reads_only_what_everybody_is_told(self, marta):
        game = table_at_rest()
        otto = moderator("Otto")
        message = say(game, "Boris", "Anna is a cow.")
        report = upheld(marta, reported("Otto", message))
        assert report.reporter == otto
        assert "Insults and personal threats" not in reads_of(otto, named("Boris"))

    def test_nobody_reads_that_there_are_staff_notes_about_them(self, marta):
        otto, nora = moderator("Otto"), moderator("Nora")
        note = StaffNote.objects.create(person=otto, author=marta, text="Hm.", at=timezone.now())
        audit.write(
            "person.note", now=timezone.now(), who=marta, person=otto,
            after={"staff_note": note.pk},
        )  # fmt: skip
        for one, other in ((otto, nora), (nora, otto)):
            audit.write(
                "pair.clear", now=timezone.now(), who=marta, person=one, reason="Siblings at table",
                after={"person": other.pk, "name": other.name},
            )  # fmt: skip
        seen = reads_of(marta, otto)
        assert "staff note" in seen
        assert "Siblings" in seen
        for somebody in (otto, nora):
            assert "Siblings" not in reads_of(somebody, somebody)
        assert "staff note 1" not in reads_of(otto, otto).replace(f"note {note.pk}", "note 1")

    def test_players_learn_only_after_the_game_that_its_secrets_were_seen(self, marta):
        otto = moderator("Otto")
        game = tables.open_table(host=otto, settings=table_settings(), now=timezone.now())
        tables.start_with_computer_players(
            game_id=game.pk, user=otto, computer_player="default", now=timezone.now()
        )
        audit.write("secrets.reveal", now=timezone.now(), who=marta, game=game, reason="A puzzle")
        listed = f"games/auditline/?game__id__exact={game.pk}"
        assert "A puzzle" in reads(marta, listed)
        assert "A puzzle" not in reads(otto, listed)
        marta_acts(game, "cancel")
        assert "A puzzle" in reads(otto, listed)
