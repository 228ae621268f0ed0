"""Messages that the referee removes: the place stays, and the words are nowhere any more."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from games.models import AuditLine, Draft, Message, OutboxEmail, Redaction, Report, Visit
from games.services.accounts.account import delete_account
from games.services.chat.messages import EDITED_WITHIN
from games.services.chat.queries import id_of
from games.services.game import notes
from games.services.lobby import tables
from games.services.moderation.actions import redaction
from games.services.moderation.actions.messages import write_as_referee
from games.services.moderation.actions.requests import ActionRequest
from games.services.operations import trim
from games.services.public_ids import public_id
from games.services.refused import Refused
from games.services.reports import filing
from tests.support.client import browser, person, text_of
from tests.support.moderators import moderator, request_of_nora
from tests.support.reporting import (
    act_on,
    decide,
    filled_in,
    hand_in,
    message_act_url,
    named,
    race,
    reported,
    say,
    upheld,
)
from tests.support.sent_emails import sent
from tests.support.tables import open_table

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
WHY = "Insults and personal threats have no place here."
INSULT = "@Anna is a <b>thief</b>."


@pytest.fixture
def message(game) -> Message:
    return say(game, "Boris", INSULT)


@pytest.mark.full
def test_the_place_stays_with_the_reason_and_without_the_moderators_name(game, message, marta):
    act_on(marta, message, "remove", reason=WHY)
    for client in (browser(named("Anna")), browser(named("Boris")), browser(person("Emil"))):
        page = client.get(game.get_absolute_url())
        words = text_of(page)
        assert f"The referee has removed this message. Reason: {WHY}" in words
        assert "thief" not in words
        assert "Marta" not in words
        assert f'id="message-{id_of(message)}"' in page.content.decode()
    row = Redaction.objects.get()
    assert (row.moderator, row.who, row.reason, row.text) == (marta, "Marta", WHY, INSULT)
    line = AuditLine.objects.get()
    assert (line.who, line.action, line.game, line.person) == (
        "Marta",
        "message.remove",
        game,
        named("Boris"),
    )
    assert (line.reason, line.after) == (
        WHY,
        {"message": message.pk, "report": Report.objects.get().pk},
    )


@pytest.mark.full
def test_the_words_are_nowhere_but_in_what_was_removed(game, message, marta):
    report = reported("Anna", message, why="He insults me.")
    upheld(marta, report, reason=WHY, remove_message="this")
    nora = browser(moderator("Nora"))
    anna = browser(named("Anna"))
    for client, page in (
        (nora, f"/admin/games/message/{message.pk}/change/"),
        (nora, "/admin/games/message/"),
        (nora, "/admin/games/auditline/"),
        (nora, f"/admin/games/game/{game.pk}/change/"),
        (anna, "/reports/"),
        (anna, f"{game.get_absolute_url()}history/"),
    ):
        answered = client.get(page)
        assert answered.status_code == 200
        assert "thief" not in answered.content.decode(), page
    found = nora.get("/admin/games/message/?q=thief").content.decode()
    assert f"/message/{message.pk}/change/" not in found
    row = Redaction.objects.get()
    assert "thief" in nora.get(f"/admin/games/redaction/{row.pk}/change/").content.decode()
    words = text_of(nora.get(f"/admin/games/message/{message.pk}/change/"))
    assert f"Removed by Marta: {WHY}" in words


@pytest.mark.full
def test_who_wrote_it_reads_their_own_words_and_finds_the_appeal(game, message, marta, smtp):
    report = upheld(marta, reported("Anna", message), reason=WHY, remove_message="this")
    text = sent(smtp)
    assert (
        "The moderators agree with you. The message was removed. The moderators wrote: Thank you. "
        "We have acted on your report." in text["anna"]
    )
    assert "thief" not in text["anna"]
    boris, anna = browser(named("Boris")), browser(named("Anna"))
    appeal = f"/reports/{public_id('report', report.pk)}/appeal/"
    for page in ("/reports/", appeal):
        words = text_of(boris.get(page))
        assert INSULT in words
        assert f"The message was removed. The moderators wrote: {WHY}" in words
    assert appeal in boris.get(game.get_absolute_url()).content.decode()
    assert appeal not in anna.get(game.get_absolute_url()).content.decode()
    hand_in(boris, appeal, appeal="It was a joke.")
    assert appeal not in boris.get(game.get_absolute_url()).content.decode()


@pytest.mark.full
def test_who_wrote_it_is_emailed_and_may_appeal_also_without_a_report(game, message, marta, smtp):
    sent(smtp)
    act_on(marta, message, "remove", reason=WHY)
    text = sent(smtp)
    assert list(text) == ["boris"]
    assert f"> {INSULT} The message was removed. The moderators wrote: {WHY}" in text["boris"]
    report = Report.objects.get()
    assert (report.reporter, report.person, report.state) == (None, named("Boris"), "upheld")
    nora = moderator("Nora")
    hand_in(browser(named("Boris")), f"/reports/{report.pk}/appeal/", appeal="A joke.")
    decide(nora, report, "grant-appeal", reason="A joke it was.")
    assert "thief" in text_of(browser(named("Anna")).get(game.get_absolute_url()))
    assert not Redaction.objects.exists()
    message.refresh_from_db()
    assert message.text == INSULT


@pytest.mark.full
def test_a_mention_that_waits_does_not_carry_the_words(game, message, marta, smtp):
    act_on(marta, message, "remove", reason=WHY)
    assert sorted(sent(smtp, later=EDITED_WITHIN)) == ["boris"]
    assert OutboxEmail.objects.get(kind="mention").status == "dropped"
    say(game, "Clara", "@Anna, never mind.")
    text = sent(smtp, later=EDITED_WITHIN)["anna"]
    assert "never mind" in text
    assert f"The referee has removed this message. Reason: {WHY}" in text
    assert "thief" not in text


@pytest.mark.full
def test_what_the_referee_wrote_is_removed_too_and_its_emails_with_it(game, marta, smtp):
    write_as_referee(request_of_nora(game), text="Anna wins.", token=uuid4())
    referees = Message.objects.get(by_referee=True)
    act_on(marta, referees, "remove", reason="A mistake of ours.")
    assert sent(smtp) == {}
    assert not Report.objects.exists()
    page = browser(named("Anna")).get(game.get_absolute_url())
    assert "The referee has removed this message. Reason: A mistake of ours." in text_of(page)
    act_on(marta, referees, "show", reason="It was right.")
    page = browser(named("Anna")).get(game.get_absolute_url())
    assert "Anna wins." in text_of(page)
    assert [line.action for line in AuditLine.objects.order_by("pk")] == [
        "game.referee",
        "message.remove",
        "message.show",
    ]


@pytest.mark.full
def test_a_message_of_somebody_who_has_gone_is_removed_and_shown_again(game, message, marta):
    delete_account(named("Boris"), timezone.now())
    act_on(marta, message, "remove", reason=WHY)
    assert not Report.objects.exists()
    act_on(marta, message, "show", reason="No harm.")
    assert "thief" in text_of(browser(named("Anna")).get(game.get_absolute_url()))


def test_what_was_decided_is_not_shown_again_behind_the_decision(game, message, marta):
    act_on(marta, message, "remove", reason=WHY)
    answered = browser(marta).post(message_act_url(message, "show"), {"reason": "So."})
    assert answered.status_code == 422
    assert "removed because of a report" in text_of(answered)


@pytest.mark.full
def test_twice_is_once(game, message, marta):
    page = message_act_url(message, "remove")
    form = filled_in(hand_in(browser(marta), page, reason=WHY), {})
    codes = [browser(marta).post(page, form).status_code for _ in "ab"]
    assert codes == [302, 422]
    assert AuditLine.objects.count() == Redaction.objects.count() == Report.objects.count() == 1


@pytest.mark.full
def test_a_message_that_was_reported_is_decided_there(game, message, marta):
    report = reported("Anna", message)
    answered = browser(marta).post(message_act_url(message, "remove"), {"reason": WHY})
    assert answered.status_code == 422
    assert "There's an open report about this message" in text_of(answered)
    page = browser(marta).get(f"/admin/games/message/{message.pk}/change/").content.decode()
    assert f"/admin/games/report/{report.pk}/change/" in page
    assert message_act_url(message, "remove") not in page


@pytest.mark.full
def test_two_reports_of_one_message_and_one_removal(game, message, marta):
    first, second = reported("Anna", message), reported("Clara", message)
    upheld(marta, first, remove_message="this")
    upheld(marta, second, reason="The same.")
    assert Redaction.objects.get().report == first


@pytest.mark.parametrize("who", ["Anna", "Emil", ""])
def test_players_and_strangers_may_not(game, message, who):
    person("Emil")
    client = browser(named(who)) if who else Client()
    for slug in ("remove", "show"):
        page = message_act_url(message, slug)
        for answered in (client.get(page), client.post(page, {"reason": WHY})):
            assert answered.status_code == 302
            assert "login/" in answered["Location"]
    assert not Redaction.objects.exists()


@pytest.mark.full
def test_a_moderator_may_not_at_their_own_table(marta):
    game = open_table("Anna", "Boris", size=4, now=timezone.now())
    tables.join(game_id=game.pk, user=marta, now=timezone.now())
    message = say(game, "Boris", INSULT)
    page = message_act_url(message, "remove")
    assert browser(marta).get(page).status_code == 403
    assert browser(marta).post(page, {"reason": WHY}).status_code == 403
    with pytest.raises(Refused, match="another moderator"):
        redaction.redact(ActionRequest(marta, WHY, timezone.now()), message_id=message.pk)
    act_on(moderator("Nora"), message, "remove", reason=WHY)
    row = Redaction.objects.get()
    assert browser(marta).get(f"/admin/games/redaction/{row.pk}/change/").status_code == 302
    words = text_of(browser(marta).get(f"/admin/games/message/{message.pk}/change/"))
    assert "another moderator has to do this" in words


@pytest.mark.full
def test_drafts_notes_and_how_far_one_has_read_stay(game, message, marta):
    anna = named("Anna")
    browser(anna).get(game.get_absolute_url())
    notes.keep_notes(game=game, user=anna, text="Boris!", now=timezone.now())
    Draft.objects.create(
        game=game, user=anna, about="talk", fields={"talk-text": "Hm"}, at=timezone.now()
    )
    act_on(marta, message, "remove", reason=WHY)
    assert Draft.objects.get().fields == {"talk-text": "Hm"}
    assert Visit.objects.get(user=anna).last_message == message.pk


@pytest.mark.full
def test_the_words_are_kept_for_ninety_days_and_longer_for_an_appeal(game, message, marta):
    now = timezone.now()
    appealed = say(game, "Boris", "And a liar.")
    for one in (message, appealed):
        act_on(marta, one, "remove", reason=WHY)
    report = Report.objects.get(message=appealed)
    filing.appeal(report_id=report.pk, user=named("Boris"), text="A joke.", now=now)
    assert trim.trim(now=now + 90 * DAY - timedelta(hours=1)).removed_texts == 0
    assert trim.trim(now=now + 91 * DAY).removed_texts == 1
    assert trim.trim(now=now + 91 * DAY).removed_texts == 0
    assert Redaction.objects.get(message=message).text == ""
    decide(moderator("Nora"), report, "grant-appeal", reason="A joke it was.")
    words = text_of(browser(named("Anna")).get(game.get_absolute_url()))
    assert "And a liar." in words
    assert f"The referee has removed this message. Reason: {WHY}" in words
    page = "/admin/games/report/{}/act/take-back/"
    page = page.format(Report.objects.get(message=message).pk)
    shown = hand_in(browser(marta), page, reason="Wrong.")
    answered = browser(marta).post(page, filled_in(shown, {}))
    assert "is no longer stored" in text_of(answered)


@pytest.mark.full
@pytest.mark.counts
@pytest.mark.django_db(transaction=True)
def test_two_moderators_remove_one_message_at_once():
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    moderators = [moderator(name) for name in ("Marta", "Nora", "Otto")]
    for number in range(4):
        said = say(game, "Boris", f"Thief {number}!")
        requests = [ActionRequest(keeper, WHY, timezone.now()) for keeper in moderators]
        text = race(partial(redaction.redact, one, message_id=said.pk) for one in requests)
        assert sorted(text) == ["", *["This message has already been removed."] * 2]
        assert Redaction.objects.get(message=said).text == f"Thief {number}!"
        assert AuditLine.objects.count() == Report.objects.count() == number + 1
