"""Reports, decisions and appeals at the same moment."""

from functools import partial
from uuid import uuid4

import pytest
from django.utils import timezone

from games.models import AuditLine, Report, Sanction, User
from games.services.moderation.actions import reports as reports_actions
from games.services.moderation.actions.consequences import (
    Consequences,
    Removal,
    latest_on_person,
)
from games.services.moderation.actions.requests import ActionRequest
from games.services.reports import filing
from games.services.reports.filing import Complaint
from tests.support.client import person
from tests.support.moderators import moderator
from tests.support.reporting import named, race, reported, say, upheld
from tests.support.sent_emails import emailed
from tests.support.tables import open_table

pytestmark = [pytest.mark.full, pytest.mark.counts]

WORDS = "Insults and personal threats have no place here."
REMOVED = Consequences(removal=Removal.THIS)


@pytest.mark.django_db(transaction=True)
class TestRaces:
    @pytest.fixture
    def game(self):
        return open_table("Anna", "Boris", "Clara", now=timezone.now())

    def test_two_moderators_take_at_once_and_one_is_told_who_was_first(self, game):
        moderators = [moderator(name) for name in ("Marta", "Nora", "Otto")]
        for number in range(4):
            report = reported("Anna", say(game, "Boris", f"Thief {number}!"))
            requests = [ActionRequest(keeper, "", timezone.now()) for keeper in moderators]
            text = race(partial(reports_actions.take, one, report_id=report.pk) for one in requests)
            report.refresh_from_db()
            assert text.index("") == moderators.index(report.owner)
            others = f"{report.owner.name} is handling this report."
            assert sorted(text) == ["", others, others]
            assert AuditLine.objects.count() == number + 1

    def test_a_decision_its_double_and_its_opposite_at_once(self, game):
        request = ActionRequest(moderator("Marta"), WORDS, timezone.now())
        for number in range(4):
            report = reported("Anna", say(game, "Boris", f"Thief {number}!"))
            reports_actions.take(request, report_id=report.pk)
            upholding = partial(reports_actions.uphold, wanted=REMOVED)
            acts = [upholding, upholding, reports_actions.reject, reports_actions.give_back]
            text = race(partial(act, request, report_id=report.pk) for act in acts)
            assert text[:3].count("") == 1  # perhaps after it was given back

    def test_two_moderators_decide_at_once_what_nobody_has(self, game):
        moderators = [moderator("Marta"), moderator("Nora")]
        for number in range(4):
            report = reported("Anna", say(game, "Boris", f"Thief {number}!"))
            acts = [partial(reports_actions.uphold, wanted=REMOVED), reports_actions.reject]
            requests = [ActionRequest(keeper, WORDS, timezone.now()) for keeper in moderators]
            text = race(
                partial(act, one, report_id=report.pk)
                for act, one in zip(acts, requests, strict=True)
            )
            report.refresh_from_db()
            assert text.index("") == moderators.index(report.owner)
            decided = f"{report.owner.name} has already decided on this report."
            assert max(map(str, text)).startswith(decided)

    def test_two_reports_about_one_person_at_once_bring_one_sanction(self, game):
        """The other moderator is told that somebody was faster, and nothing of theirs is done."""
        moderators, now = [moderator("Marta"), moderator("Nora")], timezone.now()
        said = [say(game, "Boris", f"Thief {number}!") for number in range(8)]
        for number in range(4):
            acts = []
            for keeper, reporter in zip(moderators, ("Anna", "Clara"), strict=True):
                report = reported(reporter, said.pop())
                request = ActionRequest(keeper, WORDS, now)
                reports_actions.take(request, report_id=report.pk)
                acts.append(partial(reports_actions.uphold, request, report_id=report.pk))
            seen = latest_on_person(named("Boris"), moderators[0])
            muted = Consequences(Sanction.Kind.MUTE, 7, removal=Removal.THIS, seen=seen)
            text = race(partial(act, wanted=muted) for act in acts)
            assert sorted(map(bool, text)) == [False, True]
            assert "Another moderator has acted on this person" in "".join(map(str, text))
            assert Sanction.objects.count() == number + 1
            assert game.messages.filter(text="").count() == number + 1
            Report.objects.filter(state="taken").update(state="open", owner=None)

    def test_an_appeal_is_answered_once(self, game):
        nora, now = moderator("Nora"), timezone.now()
        marta = moderator("Marta")
        for said in [say(game, "Boris", f"Thief {number}!") for number in range(4)]:
            report = upheld(marta, reported("Anna", said), consequence="mute:30")
            filing.appeal(report_id=report.pk, user=named("Boris"), text="A joke.", now=now)
            request = ActionRequest(nora, WORDS, timezone.now())
            acts = [
                reports_actions.grant_appeal,
                reports_actions.deny_appeal,
                partial(reports_actions.shorten, days=3),
            ]
            text = race(partial(act, request, report_id=report.pk) for act in acts)
            assert text.count("") == 1
            report.refresh_from_db()
            assert report.state in {"taken_back", "confirmed", "shortened"}
            muted = named("Boris").is_muted(timezone.now())
            assert muted == (report.state != "taken_back")
            User.objects.filter(name="Boris").update(muted_until=None)
            Sanction.objects.all().delete()

    def test_the_same_report_and_the_same_appeal_at_once_are_one(self, game):
        marta, now = moderator("Marta"), timezone.now()
        said = say(game, "Boris", "Thief!")
        complaint = Complaint(named("Anna"), "He insults me.", uuid4(), now)
        text = race([partial(filing.report_message, complaint, message_id=said.pk)] * 5)
        assert text == [""] * 5
        report = upheld(marta, Report.objects.get())
        appeal = partial(
            filing.appeal, report_id=report.pk, user=named("Boris"), text="A joke.", now=now
        )
        assert race([appeal] * 5) == [""] * 5
        assert emailed("appeal") == ["Marta"]

    def test_two_people_report_each_other_at_once(self):
        anna, boris, now = person("Anna"), person("Boris"), timezone.now()
        for _ in range(5):
            text = race(
                partial(filing.report_person, Complaint(one, "Rude.", uuid4(), now), person=other)
                for one, other in ((anna, boris), (boris, anna))
            )
            assert text == ["", ""]
            assert Report.objects.count() == 2
            Report.objects.all().delete()
