"""Moderators see what colleagues did meanwhile, and what they themselves decided in a month."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Report, Sanction, User
from games.services.lobby import tables
from games.services.public_ids import public_id
from tests.support.client import browser, person, text_of
from tests.support.moderators import (
    act_on,
    administrator,
    marta_acts,
    marta_acts_on,
    moderator,
    person_act_url,
    person_form,
)
from tests.support.reporting import decide, hand_in, named, person_page, reported, say
from tests.support.tables import open_table, table_settings

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game():
    return open_table("Anna", "Boris", "Clara", now=timezone.now())


@pytest.mark.full
def test_a_conflict_says_what_has_changed(game):
    boris, nora = named("Boris"), browser(moderator("Nora"))
    form = person_form(nora, boris, "warn")
    marta_acts_on(boris, "warn", reason="You were rude.")
    refused = nora.post(person_act_url(boris, "warn"), form)
    assert refused.status_code == 422
    words = text_of(refused)
    assert "This person's record has changed since you opened the page." in words
    assert "What has happened in the meantime" in words
    assert "Warn, by Marta. You were rude." in words


@pytest.mark.full
def test_who_has_a_report_sees_what_colleagues_do(game):
    report = reported("Anna", say(game, "Boris", "Anna is a thief."))
    nora = moderator("Nora")
    marta_acts_on(named("Boris"), "warn", reason="Earlier.")
    decide(nora, report, "take")
    page = f"/admin/games/report/{report.pk}/change/"
    assert "What colleagues have done" not in text_of(browser(nora).get(page))
    marta_acts_on(named("Boris"), "mute", lasts=3, reason="You were rude.")
    marta_acts(game, "referee", text="Be kind.")
    assert act_on(browser(nora), named("Boris"), "note", text="Rude.").status_code == 302
    words = text_of(browser(nora).get(page))
    meanwhile = words.split("What colleagues have done since the report was taken")[1].split(
        "Actions"
    )[0]
    assert "Mute, by Marta. You were rude." in meanwhile
    assert "Write as the referee, by Marta." in meanwhile
    assert "by Nora" not in meanwhile
    assert "Earlier." not in meanwhile


@pytest.mark.full
def test_a_report_of_which_they_may_not_know_is_not_told(game):
    """Nor to who has another report about the same person."""
    marta, nora, now = moderator("Marta"), moderator("Nora"), timezone.now()
    other = tables.open_table(host=nora, settings=table_settings(size=3), now=now)
    tables.join(game_id=other.pk, user=named("Boris"), now=now)
    dora = person("Dora")
    tables.join(game_id=other.pk, user=dora, now=now)
    mine = reported("Anna", say(game, "Boris", "Anna is a thief."))
    hand_in(browser(dora), person_page(named("Boris"), other), why="He is a fool.")
    hidden = Report.objects.get(reporter=dora)
    decide(nora, mine, "take")
    decide(marta, hidden, "take")
    decide(marta, hidden, "uphold", reason="Secret words.")
    words = text_of(browser(nora).get(f"/admin/games/report/{mine.pk}/change/"))
    assert "Secret words." not in words


def months(user: User) -> str:
    return text_of(browser(user).get("/admin/month/"))


@pytest.mark.full
def test_moderators_read_their_own_month_and_administrators_all(game):
    marta, nora, nadja = moderator("Marta"), moderator("Nora"), administrator()
    report = reported("Anna", say(game, "Boris", "Anna is a thief."))
    Report.objects.filter(pk=report.pk).update(at=timezone.now() - timedelta(hours=5))
    decide(marta, report, "take")
    decide(marta, report, "uphold", reason="No insults.")
    marta_acts_on(named("Boris"), "mute", lasts=3)
    long_ago = timezone.now() - timedelta(days=31)
    Sanction.objects.create(person=named("Clara"), by=marta, kind="warning", at=long_ago)
    own = months(marta)
    assert (
        "Reports decided 1 Median time to decide 5 hours Appeals against them 0 "
        "Reversed on appeal 0" in own
    )
    assert "Warnings and sanctions 1 Appeals against them 0 Lifted after an appeal 0" in own
    assert "Nora" not in own
    assert "Reports decided 0 Median time to decide -" in months(nora)
    all_of_them = months(nadja)
    assert all(name in all_of_them for name in ("Marta", "Nora", "Nadja"))
    appeal = {"appeal": "It was a joke."}
    browser(named("Boris")).post(f"/reports/{public_id('report', report.pk)}/appeal/", appeal)
    decide(nora, report, "grant-appeal", reason="A joke it was.")
    assert "Appeals against them 1 Reversed on appeal 1" in months(marta)


def test_the_month_is_for_moderators(client, game):
    assert browser(named("Anna")).get("/admin/month/").status_code == 302
    assert client.get("/admin/month/").status_code == 302
