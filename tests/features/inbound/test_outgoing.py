"""Every kind of email, where replies are on: which takes replies, and where they go."""

import re
from email.policy import EmailPolicy

import pytest

from games.features.inbound.addresses import conversation_at
from games.services.email.kinds import KIND_BY_KEY
from tests.support.every_email import arrived
from tests.support.sent_emails import bodies, words_of_html

pytestmark = [pytest.mark.full, pytest.mark.django_db]

CANNOT_BE_ANSWERED = {
    *("invitation", "substitute_wanted", "table_closed", "game_parked"),
    *("report", "report_decided", "report_reopened", "appeal", "appeal_decided", "conduct"),
    "account_changed",
    "seats_taken",
    *("invitation_reminder", "export_ready", "not_read", "not_told", "talk_ends"),
    "address_test",
    *("question", "question_code"),
}
"""Who gets them has no seat there, or they aren't about a table."""

ABOUT_NO_TABLE = {"moderators_wrote"}
"""Those to which a reply goes elsewhere."""


@pytest.mark.long(every=2)
@pytest.mark.parametrize("kind", KIND_BY_KEY)
def test_email_to_people_with_a_seat_can_be_replied_to(kind, smtp):
    game, email = arrived(kind, smtp)
    text, html = bodies(email)
    assert re.findall(r"\w+", text) == words_of_html(html)
    assert ("You can reply to this email" in text) == (kind not in CANNOT_BE_ANSWERED)
    if kind in CANNOT_BE_ANSWERED:
        assert email["Reply-To"] is None
        return
    conversation = conversation_at(email["Reply-To"])
    assert (conversation.matter is not None) == (kind in ABOUT_NO_TABLE)
    assert (conversation.person.email, conversation.game) == (email["To"], game)
    assert (conversation.thread is not None) == (kind == "private_message")
    assert email["Reply-To"] not in text + html


def test_an_address_stays_on_one_line(smtp):
    _game, _mail = arrived("your_turn", smtp)
    as_sent = EmailPolicy(refold_source="none")
    [raw] = [one.as_bytes(policy=as_sent) for one in smtp.messages]
    address = rb"^Reply-To: g-[a-z2-7]+-[a-z2-7]{24}@reply\.example\.org\r?$"
    assert re.search(address, raw, re.MULTILINE)
    assert re.search(rb"^List-Unsubscribe: <http://[^ >]+>\r?$", raw, re.MULTILINE)
