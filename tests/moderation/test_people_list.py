"""The list of people in the admin: who is suspended, muted or banned now."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Game, User
from tests.support.client import browser, person
from tests.support.moderators import marta_acts_on, moderator
from tests.support.sanctions import in_days

pytestmark = [pytest.mark.full, pytest.mark.django_db]


@pytest.fixture
def people() -> dict[str, User]:
    names = ("Anna", "Boris", "Clara", "Dora")
    found = {name: person(name) for name in names}
    marta_acts_on(found["Anna"], "suspend", until=in_days(3))
    marta_acts_on(found["Boris"], "mute", until=in_days(3))
    marta_acts_on(found["Clara"], "ban")
    long_ago = timezone.now() - timedelta(days=9)
    User.objects.filter(name="Dora").update(suspended_until=long_ago, muted_until=long_ago)
    return found


@pytest.mark.long(after=1)
@pytest.mark.parametrize(
    ("how", "name", "text"),
    [
        ("suspended", "Anna", "Suspended until"),
        ("muted", "Boris", "Muted until"),
        ("banned", "Clara", "Banned."),
    ],
)
def test_people_are_filtered_by_what_is_imposed_on_them_now(people, how, name, text):
    page = browser(moderator("Nora")).get(f"/admin/games/user/?stands={how}").content.decode()
    keys = re.findall(r'href="/admin/games/user/(\d+)/change/"', page)
    assert keys == [str(people[name].pk)]
    assert text in page


def test_what_has_run_out_is_not_told(people):
    page = browser(moderator("Nora")).get("/admin/games/user/?q=Dora").content.decode()
    assert "Dora" in page
    assert "until" not in page.split("<tbody")[1].split("</tbody>")[0]


def test_guests_and_their_games_are_in_no_list_but_can_be_looked_at():
    Client().post("/first-game/")
    guest, game = User.objects.get(is_guest=True), Game.objects.get()
    nora = browser(moderator("Nora"))
    for kind, one in (("user", guest), ("game", game)):
        for search in ("", f"?q={one.name.split()[0]}"):
            page = nora.get(f"/admin/games/{kind}/{search}").content.decode()
            assert f"/admin/games/{kind}/{one.pk}/change/" not in page
        assert nora.get(f"/admin/games/{kind}/{one.pk}/change/").status_code == 200
