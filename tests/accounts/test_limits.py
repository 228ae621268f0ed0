"""Limits on guessing: what counts is never dropped, whatever else is counted beside it."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.services.operations import trim
from tests.accounts.test_second_factor import set_up, shown_by_app, sign_in
from tests.support.client import person, text_of, verified
from tests.support.sent_emails import code_in

pytestmark = pytest.mark.django_db(transaction=True)

LIMITED = "Too many failed login attempts. Try again later."


@pytest.fixture(autouse=True)
def the_limits_of_production(settings):
    settings.ACCOUNT_RATE_LIMITS = {"guess_code": "3/h/key"}
    cache.clear()
    yield
    cache.clear()


def fill(rows: int, *, name: str = "other", hours: int = 1) -> None:
    """Count so many other things, under keys before and after all others."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO cache (cache_key, value, expires) SELECT"
            " CASE WHEN n %% 2 = 0 THEN ':1:a' ELSE ':1:z' END || %s || n, 'gARLAS4=', %s"
            " FROM generate_series(1, %s) n",
            [name, timezone.now() + timedelta(hours=hours), rows],
        )


def fill_the_store() -> None:
    """Count more than the store is for; what is asked for next would make room."""
    fill(settings_of_production()["MAX_ENTRIES"] + 1)
    for number in range(20):
        address = f"nobody{number}@example.org"
        Client().post("/accounts/password/reset/", {"email": address}, REMOTE_ADDR=ip(number))


def settings_of_production() -> dict[str, int]:
    from intrigue_site import settings as production

    return production.CACHES["default"]["OPTIONS"]


def ip(number: int) -> str:
    return f"198.51.100.{number}"


def sign_in_with(password: str, number: int) -> str:
    form = {"login": "gustav@example.org", "password": password}
    return text_of(Client().post("/accounts/login/", form, REMOTE_ADDR=ip(number)))


@pytest.mark.full
def test_guessing_passwords_stays_limited_however_much_else_is_counted(smtp):
    person("Gustav")
    text = [LIMITED in sign_in_with("a guess", number) for number in range(6)]
    assert text == [False] * 5 + [True]
    fill_the_store()
    assert LIMITED in sign_in_with("another guess", 6)
    assert LIMITED in sign_in_with("not so secret", 7)


@pytest.mark.full
def test_guesses_and_used_codes_of_the_second_factor_stay_known(smtp):
    verified("Rosa")
    client, _ = sign_in("Rosa")
    secret, _codes = set_up(client)
    now = shown_by_app(secret, steps=1)
    client, location = sign_in("Rosa")
    assert client.post(location, {"code": now})["Location"] == "/"
    fill_the_store()
    client, location = sign_in("Rosa")
    assert "Incorrect code." in text_of(client.post(location, {"code": now}))
    for _guess in range(5):
        client.post(location, {"code": "000000"})
    fill(300, name="more")
    answer = client.post(location, {"code": "000001"})
    assert LIMITED in text_of(answer)
    assert "_auth_user_id" not in client.session


@pytest.mark.full
@pytest.mark.parametrize("host", ["TESTSERVER", "testserver:81", "testserver."])
def test_another_spelling_of_the_host_is_counted_with_the_others(host, settings):
    settings.ALLOWED_HOSTS = ["testserver"]
    person("Gustav")
    for number in range(5):
        sign_in_with("a guess", number)
    form = {"login": "gustav@example.org", "password": "not so secret"}
    answer = Client().post("/accounts/login/", form, REMOTE_ADDR=ip(6), headers={"Host": host})
    assert LIMITED in text_of(answer)


def test_what_has_run_out_makes_room_and_is_trimmed():
    fill(150_000, hours=-1)
    fill(3, name="live")
    cache.set("new", 1)
    assert rows() == 4
    fill(5, name="late", hours=-1)
    assert trim.trim(now=timezone.now()).limits == 5
    assert rows() == 4


def rows() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM cache")
        return cursor.fetchone()[0]


@pytest.mark.full
@pytest.mark.parametrize(
    ("ask", "confirm"),
    [
        ("/accounts/login/code/", "/accounts/login/code/confirm/"),
        ("/accounts/password/reset/", "/accounts/password/reset/confirm/"),
        ("/accounts/signup/", "/accounts/confirm-email/"),
    ],
)
def test_three_guesses_of_a_emailed_code_also_where_all_come_at_once(ask, confirm, smtp):
    """Of many requests at once, each reads the session before any of them writes."""
    if ask != "/accounts/signup/":
        verified("Rosa")
    client = Client()
    form = {"password1": "a red scholar in Venice", "name": "Rosa", "time_zone": "UTC"}
    client.post(ask, form | {"email": "rosa@example.org"})
    read = dict(client.session)
    text = []
    for _guess in range(5):
        text.append("Incorrect code." in text_of(client.post(confirm, {"code": "WRONG1"})))
        session = client.session
        session.update(read)
        session.save()
    assert text == [True, True, True, False, False]
    client.post(confirm, {"code": code_in(smtp.messages[-1])})
    assert "_auth_user_id" not in client.session
    assert client.get("/accounts/password/reset/complete/").status_code == 302


@pytest.mark.full
class TestStrangersShutNoDoor:
    """Who has been signed in from this browser or network gets in, whatever others ask for."""

    @pytest.fixture(autouse=True)
    def the_limits_of_production(self, settings):
        from intrigue_site import settings as production

        settings.ACCOUNT_RATE_LIMITS = production.ACCOUNT_RATE_LIMITS
        cache.clear()
        yield
        cache.clear()

    @pytest.fixture
    def vicky(self, smtp):
        """She has been signed in at home, and signs out."""
        verified("Vicky")
        at_home = Client(REMOTE_ADDR="2001:db8:1:1::7")
        at_home.post("/accounts/login/", signing_in("not so secret"))
        at_home.post("/accounts/logout/")
        assert "_auth_user_id" not in at_home.session
        return at_home

    @pytest.mark.parametrize("page", ["/accounts/login/code/", "/accounts/password/reset/"])
    def test_a_code(self, vicky, smtp, page):
        for number in range(30):
            asked = {"email": "VICKY@example.org"}
            Client(REMOTE_ADDR=ip(number)).post("/accounts/login/code/", asked)
            Client(REMOTE_ADDR=ip(number)).post("/accounts/password/reset/", asked)
        sent = len(smtp.messages)
        assert sent <= 20
        Client(REMOTE_ADDR=ip(99)).post(page, {"email": "vicky@example.org"})
        assert len(smtp.messages) == sent
        elsewhere = Client(REMOTE_ADDR=ip(98))
        elsewhere.cookies["device"] = vicky.cookies["device"].value
        neighbour = Client(REMOTE_ADDR="2001:db8:1:1::8")
        for client in (elsewhere, neighbour):
            assert client.post(page, {"email": "vicky@example.org"}).status_code == 302
            assert code_in(smtp.messages[-1])
        assert len(smtp.messages) == sent + 2

    def test_one_mailbox_has_one_limit_however_it_is_spelled(self, smtp):
        spellings = (
            "flo.ra@gmail.com",
            "flora+x@gmail.com",
            "flora@googlemail.com",
            "f.lora@gmail.com",
        )
        for number, address in enumerate(spellings * 2):
            asked = {"email": address}
            Client(REMOTE_ADDR=ip(number)).post("/accounts/login/code/", asked)
        assert len(smtp.messages) == 3  # in a minute

    def test_a_device_is_known_to_its_own_account_alone(self, vicky, smtp):
        verified("Gustav")
        for number in range(30):
            vicky.post(
                "/accounts/login/code/", {"email": "gustav@example.org"}, REMOTE_ADDR=ip(number)
            )
        assert len(smtp.messages) <= 20

    def test_a_known_browser_has_a_limit_too(self, vicky, smtp):
        for number in range(60):
            vicky.post(
                "/accounts/login/code/", {"email": "vicky@example.org"}, REMOTE_ADDR=ip(number)
            )
        assert len(smtp.messages) <= 5 + 20

    def test_a_password(self, vicky, smtp):
        for number in range(6):
            form = signing_in("a guess")
            text = text_of(Client(REMOTE_ADDR=ip(number)).post("/accounts/login/", form))
        assert LIMITED in text
        assert vicky.post("/accounts/login/", signing_in("not so secret")).status_code == 302
        vicky.post("/accounts/logout/")
        for _ in range(6):
            text = text_of(vicky.post("/accounts/login/", signing_in("a guess")))
        assert LIMITED in text


def signing_in(password):
    return {"login": "vicky@example.org", "password": password}
