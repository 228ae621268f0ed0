"""What stands before and after an act in the audit log, in words."""

import pytest
from django.utils import timezone

from games.models import AuditLine
from games.services import audit
from games.services.moderation.audit.words import after_told, before_told, who_told
from tests.support.sites import nadja_acts

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("act", "value", "told"),
    [
        ("uphold report", "report 5: taken", "report 5: taken by a moderator"),
        ("uphold report", "upheld", "upheld"),
        ("redact", "message 7", "message 7"),
        ("change pace", "1 day, 0:00:00", "24 hours"),
        ("change pace", "12:00:00", "12 hours"),
        ("send again", "your_turn: failed", "your turn: given up"),
        ("break glass", "balances, notes", "balances and sealed bribes, notes and drafts"),
        ("require second factor", "True", "yes"),
        ("rewind", "12", "step 12"),
        ("give time: hours", "5 h", "5 hours"),
        ("notice", "running", "running"),
        ("clear pair", "Boris: sent", "Boris: sent"),
        ("excuse", "3", "3"),
        (
            "give time: downtime",
            "2026-03-02T08:00+00:00 to 2026-03-02T09:30+00:00",
            "from Mon 2 Mar, 09:00 (Europe/Vienna) to Mon 2 Mar, 10:30 (Europe/Vienna)",
        ),
    ],
)
def test_codes_numbers_and_instants_are_told(act, value, told):
    line = audit.note(act, now=timezone.now(), who=audit.HOST, before=value)
    assert before_told(line, "Europe/Vienna") == told


def test_who_acts_without_a_name():
    assert who_told(audit.CLOCK) == "the clock"
    assert who_told("Marta") == "Marta"


@pytest.mark.parametrize(("slug", "act"), [("no-new-games", "stop new games"),
                                           ("maintenance", "begin maintenance")])  # fmt: skip
def test_what_has_no_end_says_so(slug, act):
    nadja_acts(slug)
    assert after_told(AuditLine.objects.get(act=act), "UTC") == "no end set"
