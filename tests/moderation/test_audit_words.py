"""What an action found and left, in the words of the audit log."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from games.models import AuditLine
from games.services import audit
from games.services.moderation.audit.words import actor_name, in_words
from tests.support.sites import nadja_acts

pytestmark = pytest.mark.django_db
EIGHT, HALF_PAST_NINE = datetime(2026, 3, 2, 8, tzinfo=UTC), datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"name": "sent"}, "sent"),
        ({"text": "Party tonight"}, "Party tonight"),
        ({"error": "KeyError"}, "KeyError"),
        ({"at": EIGHT}, "Mon 2 Mar, 09:00 (Europe/Vienna)"),
        ({"at": None}, ""),
        ({"until": EIGHT}, "Mon 2 Mar, 09:00 (Europe/Vienna)"),
        ({"until": None}, "no end date"),
        ({"paused_until": EIGHT}, "Mon 2 Mar, 09:00 (Europe/Vienna)"),
        ({"paused_until": None}, "until resumed"),
        (
            {"period": (EIGHT, HALF_PAST_NINE)},
            "from Mon 2 Mar, 09:00 (Europe/Vienna) to Mon 2 Mar, 10:30 (Europe/Vienna)",
        ),
        ({"seconds": 43200}, "12 hours"),
        ({"hours": 5}, "5 hours"),
        ({"missed": 3}, "3"),
        ({"required": True}, "yes"),
        ({"required": False}, "no"),
        ({"step": 12}, "step 12"),
        ({"vote_on_step": 12}, "table vote: step 12"),
        ({"computer_player": "courtier"}, "courtier"),
        ({"house_player": "courtier"}, "courtier"),
        ({"secrets": ["balances", "notes"]}, "money and sealed bribes, notes and drafts"),
        ({"game_status": "cancelled"}, "cancelled"),
        ({"sanction": "mute"}, "muted"),
        ({"person": 7, "name": "Boris"}, "Boris"),
        ({"message": 7}, "message 7"),
        ({"staff_note": 7}, "staff note 7"),
        ({"report": 5, "report_state": "taken"}, "report 5: in review"),
        ({"email": 9, "email_kind": "your_turn", "email_status": "failed"}, "your turn: failed"),
        ({}, ""),
    ],
)
def test_every_kind_of_value_has_words(values, words):
    audit.write("game.pause", now=timezone.now(), who=audit.HOST, after=values)
    line = AuditLine.objects.get()  # as it was stored
    assert in_words(line.after, "Europe/Vienna") == words


def test_who_acts_without_a_name():
    assert actor_name(audit.CLOCK) == "the clock"
    assert actor_name("Marta") == "Marta"


@pytest.mark.parametrize("slug", ["no-new-games", "maintenance"])
def test_what_has_no_end_says_so(slug):
    nadja_acts(slug)
    assert in_words(AuditLine.objects.get(action=f"site.{slug}").after, "UTC") == "no end date"
