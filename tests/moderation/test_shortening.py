"""An appeal against a sanction without a report, answered by a shorter one."""

import pytest
from django.utils import timezone

from games.models import Sanction, User
from tests.support.client import browser, text_of
from tests.support.moderators import act_on, audited_actions, marta_acts_on, person_act_url
from tests.support.sanctions import decisions, in_days
from tests.support.tables import DAY, open_table

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def anna() -> User:
    open_table("Anna", "Boris", "Clara", now=timezone.now())
    return User.objects.get(name="Anna")


def appealed(anna: User, act: str, **more: object) -> User:
    """Marta has done it, and Anna has appealed."""
    marta_acts_on(anna, act, **more)
    number = Sanction.objects.get().pk
    page = "/accounts/conduct/"
    client = browser(anna)
    assert client.post(page, {"sanction": number, "objection": "Boris began."}).status_code == 302
    return User.objects.get(name="Marta")


def days_left(until) -> int:
    return round((until - timezone.now()) / DAY)


def test_a_mute_ends_sooner_and_the_appeal_is_answered(anna, smtp):
    marta = appealed(anna, "mute", until=in_days(30))
    keeper = browser(marta)
    done = act_on(keeper, anna, "shorten", ends_in=3, reason="Three days are enough.")
    assert done.status_code == 302
    page = text_of(keeper.get(done["Location"]))
    assert "The sanction now ends in 3 days. Anna gets an email." in page
    sanction = Sanction.objects.get()
    anna.refresh_from_db()
    assert sanction.until == anna.muted_until
    assert days_left(anna.muted_until) == 3
    assert sanction.answer == "Three days are enough."
    mail = decisions(smtp, "Anna")[-1]
    assert "Your appeal has been read. The decision stands, but it now ends on" in mail
    assert audited_actions(person=anna)[-1] == ("Marta", "person.shorten")
    assert "appealed on" not in text_of(browser(marta).get("/admin/"))


def test_to_a_later_end_it_is_refused(anna):
    marta = appealed(anna, "mute", until=in_days(2))
    refused = act_on(browser(marta), anna, "shorten", ends_in=3, reason="Longer.")
    assert refused.status_code == 422
    assert "The sanction will be over by then anyway." in text_of(refused)
    assert Sanction.objects.get().answered_at is None


def test_a_warning_has_no_end_that_could_come_sooner(anna):
    marta = appealed(anna, "warn")
    page = browser(marta).get(person_act_url(anna, "shorten"))
    assert "There's no sanction in force that could be shortened." in text_of(page)
