"""How long something lasts: a ready number of days, or until an instant."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Game, Sanction
from tests.support.client import browser, person, text_of
from tests.support.moderators import act_on, marta_acts, marta_acts_on, moderator
from tests.support.tables import open_table

Kind = Sanction.Kind

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]


@pytest.mark.long(every=3)
@pytest.mark.parametrize(("slug", "kind"), [("mute", Kind.MUTE), ("suspend", Kind.SUSPENSION)])
@pytest.mark.parametrize("days", [1, 3, 7, 30])
def test_a_ready_number_of_days(slug, kind, days):
    rosa = person("Rosa")
    before = timezone.now() + timedelta(days=days)
    marta_acts_on(rosa, slug, lasts=days)
    until = Sanction.objects.get(person=rosa, kind=kind).until
    assert before <= until <= timezone.now() + timedelta(days=days)


def test_either_days_or_a_date_and_one_of_them():
    rosa, marta = person("Rosa"), browser(moderator())
    neither = act_on(marta, rosa, "mute")
    assert neither.status_code == 422
    assert "Please choose a number of days or a date." in text_of(neither)
    both = act_on(marta, rosa, "mute", lasts=7, until="2026-12-24T20:00")
    assert both.status_code == 422
    assert "Please choose either a number of days or a date." in text_of(both)
    other = act_on(marta, rosa, "mute", lasts=8)
    assert other.status_code == 422
    assert "Please choose a number of days or a date." not in text_of(other)
    assert not Sanction.objects.exists()


def test_a_pause_may_have_no_end():
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    marta_acts(game, "pause", lasts=3)
    game.refresh_from_db()
    assert game.paused_until is not None
    assert abs(game.paused_until - timezone.now() - timedelta(days=3)) < timedelta(minutes=2)
    marta_acts(game, "resume")
    marta_acts(game, "pause")
    assert Game.objects.get(pk=game.pk).paused_until is None
