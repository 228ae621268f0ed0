"""Names are completed while somebody types whom to invite."""

import pytest
from django.core.cache import cache
from django.test import Client

from games.models import Acquaintance, Block, User
from tests.support.client import browser, person
from tests.support.tables import MONDAY, open_table

pytestmark = pytest.mark.django_db


def completed(client, text):
    return client.get("/people/names/", {"q": text}).json()["names"]


@pytest.fixture
def anna():
    game = open_table("Anna", "Maria Zett", "Mark", listed=True)
    for name in ("Marek", "marabel", "Boris", "Omar"):
        person(name)
    return game.host


def test_people_one_has_played_with_or_knows_stand_first(anna):
    Acquaintance.objects.create(
        person=anna, other=person("Marzia"), declared_at=MONDAY, confirmed_at=MONDAY
    )
    Acquaintance.objects.create(person=anna, other=person("Maro"), declared_at=MONDAY)
    names = completed(browser(anna), "MAR")
    assert names == ["Mark", "Maria Zett", "Marzia", "marabel", "Marek", "Maro"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("text", ["", "m", " m ", "\0", "%", "__"])
def test_fewer_than_two_letters_complete_nothing(anna, text):
    assert completed(browser(anna), text) == []


def test_there_are_at_most_eight(anna):
    for letter in "abcdefghknou":
        person(f"Xy{letter}")
    assert len(completed(browser(anna), "xy")) == 8


def test_a_letter_that_looks_like_two_is_found_before_the_second(anna):
    person("Bernd")
    for text in ("be", "ber", "bern", "bernd"):
        assert completed(browser(anna), text) == ["Bernd"]


def test_nobody_whom_one_has_blocked_and_no_guest_no_banned_person_and_not_oneself(anna):
    blocked, blocker, banned = person("Quin"), person("Quentin"), person("Quasi")
    Block.objects.create(blocker=anna, blocked=blocked, at=MONDAY)
    Block.objects.create(blocker=blocker, blocked=anna, at=MONDAY)
    User.objects.filter(pk=banned.pk).update(is_active=False)
    User.objects.create(email="x@guest.invalid", name="Quest", name_key="quest", is_guest=True)
    User.objects.create(email="y@example.org", name="Quorum", name_key=None)
    client = browser(anna)
    # Whoever has blocked Anna is there as for anybody else: she doesn't learn of it.
    assert completed(client, "qu") == ["Quentin"]
    assert completed(client, "ann") == []


def test_strangers_and_guests_learn_no_names(anna):
    asked = {"q": "mar"}
    assert Client().get("/people/names/", asked)["Location"].startswith("/accounts/login/")
    guest = Client()
    guest.post("/first-game/")
    assert guest.get("/people/names/", asked)["Location"] == "/keep/"


def test_each_person_has_a_limit(anna, settings):
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"complete_names": "3/m/key"}
    client = browser(anna)
    codes = [client.get("/people/names/", {"q": "mar"}).status_code for _ in range(4)]
    assert codes == [200, 200, 200, 429]
    assert completed(browser(User.objects.get(name="Mark")), "maria") == ["Maria Zett"]
