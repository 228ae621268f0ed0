"""Private talk of games long over: announced, then deleted; the game itself stays as it was."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.management import call_command

from games.engine.record import adjudicate
from games.models import Game, OutboxEmail, PrivateMessage, Report, Thread, User
from games.services.chat import messages, retention
from games.services.email import delivery
from games.services.game.queries.promise_ledger import read_ledger
from games.services.game.records import game_record
from games.services.moderation.actions import reports as reports_actions
from games.services.moderation.actions.requests import ActionRequest
from games.services.operations import trim
from games.services.reports import filing
from games.services.reports.filing import Complaint
from tests.support.client import browser, person, text_of
from tests.support.moderators import moderator
from tests.support.promising import bribing_table, in_order, moves, place_for, sitter
from tests.support.tables import DAY, MONDAY
from tests.support.whispering import (
    offers_privately,
    page_of,
    replies_privately,
    thread_of,
    whisper,
)

pytestmark = [pytest.mark.full, pytest.mark.django_db]

YEAR = timedelta(days=365)


@pytest.fixture
def game():
    """Two talk privately and make a deal, one of their messages is reported, and the game ends."""
    game = bribing_table(press="private")
    other, owner, _third = in_order(game)
    first = whisper(game, other, owner, text="Psst!")
    messages.edit(message=first, user=sitter(game, other), text="Psst, you!", now=MONDAY)
    whisper(game, owner, other, text="Fool!")
    made = offers_privately(game, owner, place_for(game), text="For you alone.")
    replies_privately(game, other, made)
    report = Complaint(sitter(game, other), "He insults me.", uuid4(), MONDAY)
    filing.report_private(report, message_id=PrivateMessage.objects.get(text="Fool!").pk)
    finish(game)
    OutboxEmail.objects.all().delete()
    return game


def finish(game, at=MONDAY):
    while game.status == Game.Status.RUNNING:
        moves(game, None, now=at)


def decide(at=MONDAY):
    request = ActionRequest(moderator("Nora"), "Please be kind.", at)
    reports_actions.take(request, report_id=Report.objects.get().pk)
    reports_actions.reject(request, report_id=Report.objects.get().pk)
    OutboxEmail.objects.all().delete()


def announced():
    return sorted(
        OutboxEmail.objects.filter(kind="talk_ends").values_list("person__name", flat=True)
    )


def words():
    return sorted(PrivateMessage.objects.exclude(text="").values_list("text", flat=True))


def test_it_is_announced_a_month_ahead_once_to_those_who_were_in_it(game, smtp):
    other, owner, third = in_order(game)
    thread_of(bribing_two(), 0, 1)  # of which nothing is to be deleted
    OutboxEmail.objects.all().delete()
    at = MONDAY + YEAR - retention.NOTICE - retention.EVERY
    trim.trim(now=at - timedelta(seconds=1))
    assert announced() == []
    late = at + retention.EVERY
    trim.trim(now=late)
    two = sorted(sitter(game, seat).name for seat in (other, owner))
    assert announced() == two
    for later in range(1, 30):
        trim.trim(now=late + later * DAY)
    assert announced() == two
    assert Thread.objects.get(game=game).kept_until == MONDAY + YEAR
    assert delivery.drain(now=late) == 2
    mail = smtp.messages[0]
    assert mail["Subject"].startswith(
        "Your private messages at “The Venice table” will be deleted on Tue 2 Mar 2027"
    )
    text = mail.get_body(("plain",)).get_content()
    assert "- The Venice table: Tue 2 Mar 2027, 09:00" in text
    assert "http://localhost:8000/accounts/export/" in text.split()
    assert sitter(game, third).name not in two


def bribing_two():
    """Another game, with other people, which has not ended."""
    for name in ("Anna", "Boris", "Clara"):
        User.objects.filter(name=name).update(
            name=f"{name} I", name_key=name, email=f"{name.lower()}@example.com"
        )
    return bribing_table(press="private")


def test_one_email_tells_of_all_tables(game, smtp):
    [thread] = Thread.objects.all()
    again = Game.objects.get(pk=game.pk)
    Game.objects.filter(pk=game.pk).update(name="The Murano table")
    again.pk, again.token = None, "another"
    again.save()
    members = list(thread.members.all())
    thread.pk, thread.token, thread.game = None, "another", again
    thread.save()
    for member in members:
        member.pk, member.thread = None, thread
        member.save()
    at = MONDAY + YEAR - retention.NOTICE
    trim.trim(now=at)
    assert len(announced()) == 2
    delivery.drain(now=at)
    mail = smtp.messages[0]
    assert "Your private messages at 2 tables will be deleted, the first on " in mail["Subject"]
    text = mail.get_body(("plain",)).get_content()
    assert "- The Murano table: " in text
    assert "- The Venice table: " in text


def test_a_game_that_ended_long_before_anybody_counted_is_announced_too(game):
    at = MONDAY + 5 * YEAR
    trim.trim(now=at)
    assert len(announced()) == 2
    assert Thread.objects.get().kept_until == at + retention.NOTICE
    decide()
    assert trim.trim(now=at + retention.NOTICE - timedelta(seconds=1)).conversations == 0
    assert trim.trim(now=at + retention.NOTICE).conversations == 1


def test_an_email_about_what_is_deleted_already_is_not_sent(game, smtp):
    trim.trim(now=MONDAY + YEAR - retention.NOTICE)
    Thread.objects.update(emptied_at=MONDAY + YEAR)
    assert delivery.drain(now=MONDAY + YEAR) == 0
    assert set(OutboxEmail.objects.values_list("status", flat=True)) == {"dropped"}


def test_it_is_deleted_when_its_time_has_come_and_the_game_stays_as_it_was(game, capsys):
    decide()
    other, owner, _third = in_order(game)
    one, two = sitter(game, other), sitter(game, owner)
    page = page_of(Thread.objects.get())
    records = [game_record(game, user) for user in (one, two, None)]
    ledgers = [repr(read_ledger(game, user)) for user in (one, two, None)]
    before = browser(one).get(page)
    assert "Private messages are kept until Tue 2 Mar 2027, 09:00" in text_of(before)
    assert words() == ["Fool!", "For you alone.", "Psst, you!"]

    trim.trim(now=MONDAY + YEAR - retention.NOTICE)
    assert trim.trim(now=MONDAY + YEAR - timedelta(seconds=1)).conversations == 0
    assert trim.trim(now=MONDAY + YEAR).conversations == 1
    assert trim.trim(now=MONDAY + YEAR).conversations == 0

    assert words() == []
    assert "Psst" not in json.dumps(list(PrivateMessage.objects.values_list("earlier", flat=True)))
    after = text_of(browser(one).get(page))
    assert "The private messages were deleted on Tue 2 Mar 2027, 09:00" in after
    assert f"{two.name} offers you: " in after
    assert "kept until" not in after
    assert [game_record(game, user) for user in (one, two, None)] == records
    assert [repr(read_ledger(game, user)) for user in (one, two, None)] == ledgers
    for record in records:
        answer, _moves = adjudicate(record)
        assert "error" not in answer
    call_command("verify_games")
    assert "with faults: 0." in capsys.readouterr().out


def test_it_waits_for_the_decision_on_a_report_and_what_that_froze_stays(game):
    trim.trim(now=MONDAY + YEAR - retention.NOTICE)
    assert trim.trim(now=MONDAY + YEAR).conversations == 0
    assert len(words()) == 3
    frozen = Report.objects.get().frozen
    decide(MONDAY + YEAR)
    assert trim.trim(now=MONDAY + YEAR).conversations == 1
    assert Report.objects.get().frozen == frozen != []
    assert words() == []
    keeper = browser(User.objects.get(name="Nora"))
    assert keeper.get(f"/admin/games/report/{Report.objects.get().pk}/change/").status_code == 200
    assert browser(Report.objects.get().reporter).get("/reports/").status_code == 200


def test_a_game_that_goes_on_says_nothing_of_it():
    game = bribing_table(press="private")
    other, owner, _third = in_order(game)
    whisper(game, other, owner)
    trim.trim(now=MONDAY + 3 * YEAR)
    assert announced() == []
    page = text_of(browser(sitter(game, other)).get(page_of(Thread.objects.get())))
    assert "A year after the end of the game, the private messages are deleted." in page
    assert "kept until" not in page


def test_nobody_else_is_told_and_moderators_see_no_such_email(game):
    trim.trim(now=MONDAY + YEAR - retention.NOTICE)
    page = browser(moderator("Nora")).get("/admin/games/outboxemail/")
    assert "private messages will be deleted" not in text_of(page)
    assert person("Zoe").emails.count() == 0
