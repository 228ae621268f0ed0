"""What an action found and left, in the words of the audit log."""

from datetime import UTC, datetime
from importlib import import_module

import pytest
from django.utils import timezone

from games.models import AuditLine
from games.services import audit
from games.services.moderation.audit.words import actor_name, in_words
from tests.support.sites import nadja_acts

pytestmark = pytest.mark.django_db
EIGHT, HALF_PAST_NINE = datetime(2026, 3, 2, 8, tzinfo=UTC), datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
migration = import_module("games.migrations.0040_actions")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"name": "sent"}, "sent"),
        ({"text": "Party tonight"}, "Party tonight"),
        ({"error": "KeyError"}, "KeyError"),
        ({"at": EIGHT}, "Mon 2 Mar, 09:00 (Europe/Vienna)"),
        ({"at": None}, ""),
        ({"until": EIGHT}, "Mon 2 Mar, 09:00 (Europe/Vienna)"),
        ({"until": None}, "no end set"),
        ({"paused_until": EIGHT}, "Mon 2 Mar, 09:00 (Europe/Vienna)"),
        ({"paused_until": None}, "until it is resumed"),
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
        ({"house_player": "courtier"}, "courtier"),
        ({"secrets": ["balances", "notes"]}, "money and sealed bribes, notes and drafts"),
        ({"game_status": "cancelled"}, "cancelled"),
        ({"sanction": "mute"}, "muted"),
        ({"person": 7, "name": "Boris"}, "Boris"),
        ({"message": 7}, "message 7"),
        ({"staff_note": 7}, "staff note 7"),
        ({"report": 5, "report_state": "taken"}, "report 5: taken by a moderator"),
        ({"email": 9, "email_kind": "your_turn", "email_status": "failed"}, "your turn: failed"),
        ({}, ""),
    ],
)
def test_every_kind_of_value_has_words(values, words):
    audit.write("game.pause", now=timezone.now(), who=audit.HOST, after=values)
    line = AuditLine.objects.get()  # as it was stored
    assert in_words(line.after, "Europe/Vienna") == words


@pytest.mark.parametrize(
    ("act", "old", "key", "words"),
    [
        ("uphold report", "report 5: taken", "report.uphold", "report 5: taken by a moderator"),
        ("uphold report", "upheld", "report.uphold", "upheld"),
        ("redact", "message 7", "message.remove", "message 7"),
        ("note", "note 7", "person.note", "staff note 7"),
        ("change pace", "1 day, 0:00:00", "game.pace", "24 hours"),
        ("change pace", "12:00:00", "game.pace", "12 hours"),
        ("send again", "your_turn: failed", "game.send-again", "your turn: failed"),
        ("break glass", "balances, notes", "secrets.reveal",
         "money and sealed bribes, notes and drafts"),
        ("require second factor", "True", "person.second-factor", "yes"),
        ("rewind", "12", "game.rewind", "step 12"),
        ("rewind", "asked for 12", "game.rewind", "table vote: step 12"),
        ("give time: hours", "5 h", "site.hours", "5 hours"),
        ("notice", "running", "site.notice", "running"),
        ("rename table", "5 h", "game.rename", "5 h"),
        ("clear pair", "Boris: sent", "pair.clear", "Boris: sent"),
        ("excuse", "3", "game.excuse", "3"),
        ("house player", "courtier", "game.house-player", "courtier"),
        ("answer objection", "mute", "person.answer-objection", "muted"),
        ("cancel", "running", "game.cancel", "running"),
        ("retry", "KeyError", "game.retry", "KeyError"),
        ("mute", "2026-03-02T08:00:00+00:00", "person.mute", "Mon 2 Mar, 09:00 (Europe/Vienna)"),
        ("extend", "2026-03-02T08:00:00+00:00", "game.extend", "Mon 2 Mar, 09:00 (Europe/Vienna)"),
        ("pause", "", "game.pause", "until it is resumed"),
        ("stop new games", "", "site.no-new-games", "no end set"),
        ("vote: pause", "", "vote.pause", ""),
        ("excuse", "what nobody knows", "game.excuse", "what nobody knows"),
        (
            "give time: downtime",
            "2026-03-02T08:00+00:00 to 2026-03-02T09:30+00:00",
            "site.downtime",
            "from Mon 2 Mar, 09:00 (Europe/Vienna) to Mon 2 Mar, 10:30 (Europe/Vienna)",
        ),
    ],
)  # fmt: skip
def test_lines_from_before_actions_had_keys_say_the_same(act, old, key, words):
    assert migration.new_key(act, old) == key
    values = migration.new_values(key, old, is_after=True)
    assert in_words(values, "Europe/Vienna") == words


def test_an_announcement_that_was_removed_gets_its_own_key():
    assert migration.new_key("notice", "") == "site.no-notice"
    values = migration.new_values("person.mute", "2026-03-02T08:00:00+00:00", is_after=False)
    assert values == {"at": "2026-03-02T08:00:00+00:00"}


def test_who_acts_without_a_name():
    assert actor_name(audit.CLOCK) == "the clock"
    assert actor_name("Marta") == "Marta"


@pytest.mark.parametrize("slug", ["no-new-games", "maintenance"])
def test_what_has_no_end_says_so(slug):
    nadja_acts(slug)
    assert in_words(AuditLine.objects.get(action=f"site.{slug}").after, "UTC") == "no end set"
