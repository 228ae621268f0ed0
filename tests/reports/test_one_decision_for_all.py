"""One decision on a report about all messages of a person, and about the other reports too."""

import pytest
from django.utils import timezone

from games.models import Game, Message, OutboxEmail, Report, User
from games.services.moderation.actions import reports as reports_actions
from games.services.moderation.actions import timing
from games.services.moderation.actions.requests import ActionRequest
from games.services.operations import sample_games
from games.services.refused import Refused
from games.services.reports import filing
from games.services.reports.rights import reports_for
from tests.support.client import browser, forms_of, person, text_of
from tests.support.moderators import moderator, request_of_nora
from tests.support.reporting import (
    decide,
    filled_in,
    hand_in,
    named,
    own_page,
    report_act_url,
    reported,
    say,
)
from tests.support.sent_emails import emailed, sent
from tests.support.tables import table_settings

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]

WORDS = "Advertising has no place here."


def table_of(*names: str, name: str) -> Game:
    people = [User.objects.filter(name=one).first() or person(one) for one in names]
    settings = table_settings(name=name, size=len(people))
    return sample_games.open_table(settings, *people, now=timezone.now())


@pytest.fixture
def marta() -> User:
    return moderator()


@pytest.fixture
def games(marta) -> list[Game]:
    """Two tables of Victor's, and one that is over, where Marta sat."""
    own = table_of("Victor", "Marta", "Boris", name="Own")
    say(own, "Victor", "Buy gold!")
    timing.cancel(request_of_nora(own))
    return [own, *(table_of("Victor", "Anna", "Boris", name=name) for name in ("Uno", "Due"))]


def left(games: list[Game]) -> list[int]:
    """How many messages of Victor's can be read at each table."""
    said = Message.objects.filter(author=named("Victor")).exclude(text="")
    return [said.filter(game=game).count() for game in games]


def may_read(reader: User, report: Report) -> bool:
    return reports_for(reader).filter(pk=report.pk).exists()


class TestAllMessages:
    def test_are_removed_at_all_tables_but_ones_own_and_given_back_together(
        self, marta, games, smtp
    ):
        for game in games[1:]:
            spam = [say(game, "Victor", "Buy gold!") for _ in range(2)]
        report = reported("Anna", spam[0])
        otto = moderator("Otto")
        sent(smtp)
        page = browser(marta).get(report_act_url(report, "uphold"))
        form = forms_of(page.content.decode())[""]
        assert form["remove_message"].options == ["", "this", "all", "everywhere"]
        decide(marta, report, "uphold", remove_message="everywhere", reason=WORDS)
        assert left(games) == [1, 0, 0]
        letter = sent(smtp)["victor"]
        assert "4 of your messages were removed." in letter
        filing.appeal(report_id=report.pk, user=named("Victor"), text="Why?", now=timezone.now())
        decide(otto, report, "grant-appeal", reason="Sorry.")
        assert left(games) == [1, 2, 2]

    def test_who_sat_at_one_of_the_tables_learns_nothing(self, marta, games):
        otto = moderator("Otto")
        his = table_of("Victor", "Otto", "Boris", name="His")
        say(his, "Victor", "Buy gold!")
        report = reported("Anna", say(games[1], "Victor", "Buy gold!"))
        assert may_read(otto, report)
        decide(marta, report, "uphold", remove_message="everywhere", reason=WORDS)
        assert not may_read(otto, report)
        assert may_read(moderator("Paul"), report)
        with pytest.raises(Refused, match="one of your tables"):
            reports_actions.take_back(
                ActionRequest(otto, "No.", timezone.now()), report_id=report.pk
            )


class TestOtherReports:
    def test_are_upheld_too_and_the_person_is_emailed_once(self, marta, games, smtp):
        first, second, taken = (
            reported(name, say(games[1], "Victor", "Buy gold!"))
            for name in ("Anna", "Boris", "Anna")
        )
        client, page = browser(marta), report_act_url(first, "uphold")
        shown = hand_in(client, page, consequence="mute:7", others="on", reason=WORDS)
        assert text_of(shown).count("Upheld: A message from Victor at “Uno”.") == 2
        otto = ActionRequest(moderator("Otto"), "", timezone.now())
        reports_actions.take(otto, report_id=taken.pk)
        again = client.post(page, filled_in(shown, {}))
        assert text_of(again).count("Upheld: A message from Victor at “Uno”.") == 1
        OutboxEmail.objects.all().delete()
        done = text_of(client.post(page, filled_in(again, {}), follow=True))
        assert "Upheld. Victor is muted for 7 days. Victor and Anna get an email." in done
        assert "Upheld 1 other report. Whoever made it gets an email." in done
        assert sorted(emailed("report_decided")) == ["Anna", "Boris", "Victor"]
        states = {report.pk: report.state for report in Report.objects.all()}
        assert states == {first.pk: "upheld", second.pk: "upheld", taken.pk: "taken"}
        thanks = "Thank you. We have acted on your report."
        assert thanks in own_page("Boris")

    def test_one_that_another_moderator_takes_at_that_moment_stops_nothing(self, marta, games):
        first, second = (
            reported(name, say(games[1], "Victor", "Buy gold!")) for name in ("Anna", "Boris")
        )
        now = timezone.now()
        reports_actions.take(ActionRequest(moderator("Otto"), "", now), report_id=second.pk)
        results = reports_actions.uphold_with_others(
            ActionRequest(marta, WORDS, now),
            report_id=first.pk,
            to_reporter="Thanks.",
            wanted=reports_actions.consequences.NONE,
            others=[second.pk],
        )
        assert results.done == []
        assert results.refused == [f"Report {second.pk}: Otto is handling this report."]


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("insult", "Insults and personal threats have no place here."),
        ("name", "Offensive names have no place here."),
        ("other", ""),
    ],
)
def test_at_first_only_the_reason_is_chosen_that_fits_the_kind(marta, games, kind, reason):
    report = reported("Anna", say(games[1], "Victor", "Buy gold!"))
    Report.objects.filter(pk=report.pk).update(kind=kind)
    page = browser(marta).get(report_act_url(report, "uphold")).content.decode()
    form = forms_of(page)[""]
    chosen = {name: form[name].value for name in ("why", "consequence", "remove_message")}
    assert chosen == {"why": reason, "consequence": "", "remove_message": ""}
    assert "Buy gold!" in page
