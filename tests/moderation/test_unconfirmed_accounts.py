"""Accounts that nobody has confirmed: moderators find them, and administrators remove them."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from games.models import AuditLine, User
from games.services.moderation.actions import site
from games.services.moderation.actions.requests import ActionRequest
from games.services.refused import Refused
from tests.support.client import as_shown, browser, forms_of, person, text_of, verified
from tests.support.moderators import moderator
from tests.support.sites import by_nadja, nadja, nadja_acts, site_url
from tests.support.tables import DAY, open_table

pytestmark = pytest.mark.django_db


def unconfirmed(name: str, days: int = 0) -> User:
    """Somebody who has signed up so many days ago, and never entered the code."""
    user = person(name, date_joined=timezone.now() - days * DAY)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=False)
    return user


def listed(query: str) -> set[str]:
    page = (
        browser(User.objects.filter(name="Nora").first() or moderator("Nora"))
        .get(f"/admin/games/user/?{query}")
        .content.decode()
    )
    keys = re.findall(r'href="/admin/games/user/(\d+)/change/"', page)
    return set(User.objects.filter(pk__in=keys).values_list("name", flat=True)) - {"Nora"}


def period(days: int) -> dict[str, str]:
    now = timezone.now()
    ends = {"since": now - days * DAY, "until": now + timedelta(hours=1)}
    return {name: at.strftime("%Y-%m-%dT%H:%M") for name, at in ends.items()}


@pytest.mark.full
def test_they_are_filtered_and_so_are_new_ones():
    unconfirmed("Spam", days=5)
    unconfirmed("Spammer")
    verified("Anna")
    assert listed("confirmed=never") == {"Spam", "Spammer"}
    assert listed("confirmed=never&days=1") == {"Spammer"}
    assert listed("days=3") == {"Spammer", "Anna"}
    assert listed("days=x") == {"Spam", "Spammer", "Anna"}


def test_many_are_removed_together_and_nobody_else():
    for number in range(3):
        unconfirmed(f"Spam{number}")
    unconfirmed("Earlier", days=9)
    kept = [verified("Anna"), person("Boris"), open_table("Clara", size=3).host]
    EmailAddress.objects.create(user=kept[2], email=kept[2].email, verified=False)
    nadja_acts("remove-accounts", **period(3))
    names = set(User.objects.filter(is_staff=False).values_list("name", flat=True))
    assert names == {"Earlier", "Anna", "Boris", "Clara"}
    line = AuditLine.objects.get(action="site.remove-accounts")
    assert line.after["accounts"] == 3


def test_only_addresses_that_end_like_this():
    unconfirmed("Spam")
    other = unconfirmed("Other")
    User.objects.filter(pk=other.pk).update(email="other@burner.example")
    now = timezone.now()
    results = site.remove_accounts(
        by_nadja(now), since=now - DAY, until=now + DAY, ending="@burner.example"
    )
    assert results.done == ["Removed 1 account. Nobody gets an email."]
    assert User.objects.filter(name="Spam").exists()


def test_their_names_are_shown_first():
    unconfirmed("Spam")

    client = browser(nadja())
    page = site_url("remove-accounts")
    form = as_shown(forms_of(client.get(page).content.decode())[""]) | period(1)
    shown = text_of(client.post(page, form | {"reason": "Spam."}))
    assert "1 unconfirmed account is deleted for good." in shown
    assert "Spam <spam@example.org>" in shown
    assert User.objects.filter(name="Spam").exists()


def test_moderators_do_not_remove_accounts():
    unconfirmed("Spam")
    now = timezone.now()
    request = ActionRequest(moderator(), "Spam.", now)
    with pytest.raises(Refused, match="Only administrators"):
        site.remove_accounts(request, since=now - DAY, until=now + DAY)
    assert User.objects.filter(name="Spam").exists()
