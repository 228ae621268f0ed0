"""What lets somebody in, or read without signing in, and what of it each change ends.

The table says for each case and each way in whether it stays, and why. A new way in gets a line in
`World.ways_in`, and a reason in `STAYS` for each case in which it doesn't end.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount
from django.contrib.sessions.models import Session
from django.test import Client

import intrigue_site
from games import extensions
from games.extensions import Case
from games.features.calendar import feed as calendar
from games.features.inbound import addresses
from games.features.live import readers
from games.models import PushSubscription, User
from games.services.accounts.sessions import signed_in
from games.services.email import subscriptions
from games.services.people import sanctions
from tests.accounts.test_second_factor import set_up, shown_by_app, sign_in
from tests.support.client import browser
from tests.support.moderators import marta_acts_on
from tests.support.sent_emails import code_in
from tests.support.tables import MONDAY, open_table

pytestmark = pytest.mark.django_db(transaction=True)

OLD, NEW = "not so secret", "the priest is bribed"
TWICE_NEW = {"password1": NEW, "password2": NEW}
GAMES = Path(extensions.__file__).parent
SITE = Path(intrigue_site.__file__).parent


class World:
    """Rosa's browser, and all else by which she, or somebody else, is let in."""

    def __init__(self, smtp: object, *, confirmed: bool) -> None:
        self.smtp = smtp
        game = open_table("Rosa", "Boris", "Clara")
        self.rosa = User.objects.get(name="Rosa")
        EmailAddress.objects.create(
            user=self.rosa, email=self.rosa.email, primary=True, verified=confirmed
        )
        self.here, self.elsewhere = browser(self.rosa), browser(self.rosa)
        self.here.post("/accounts/reauthenticate/", {"password": OLD})
        self.elsewhere.get("/accounts/profile/")
        calendar.turn_on(self.rosa)
        self.rosa.refresh_from_db()
        self.calendar = calendar.address_of(self.rosa).removeprefix("http://localhost:8000")
        self.reply = addresses.address_of(self.rosa, game.pk)
        self.choices = f"/choices/{subscriptions.token_for(self.rosa, subscriptions.CHOICES)}/"
        self.stop = f"/unsubscribe/{subscriptions.token_for(self.rosa, 'reminders')}/"
        self.decisions = f"/conduct/{sanctions.token_for(self.rosa)}/"
        self.session_key = self.elsewhere.session.session_key
        PushSubscription.objects.create(
            user=self.rosa, endpoint="https://push.example/1", p256dh="p256", auth="auth",
            session_key=self.session_key, browser="Firefox", created_at=MONDAY,
        )  # fmt: skip
        SocialAccount.objects.create(user=self.rosa, provider="guild", uid="7")
        self.waiting = Client()
        self.code = self.ask_for_code(self.waiting)

    def ask_for_code(self, client: Client) -> str:
        """The code for signing in that is emailed to Rosa's address."""
        client.post("/accounts/login/code/", {"email": "rosa@example.org"})
        return code_in(self.smtp.messages[-1])

    def enter(self, client: Client, code: str) -> bool:
        """Whether the code lets this browser in, or as far as the next step."""
        form = {"action": "verify", "code": code}
        led = client.post("/accounts/login/code/confirm/", form).headers.get("Location", "")
        next_steps = {"/accounts/2fa/authenticate/", "/accounts/confirm-email/"}
        return "_auth_user_id" in client.session or led in next_steps

    def now(self) -> User | None:
        """Rosa as the database knows her, if she may sign in at all."""
        return User.objects.filter(pk=self.rosa.pk, is_active=True).first()

    def ways_in(self) -> Mapping[str, Callable[[], bool]]:
        """Each way in, and whether it still leads anywhere."""
        page = readers.OpenPage(self.session_key, "")
        return {
            "another session": lambda: self.elsewhere.get("/accounts/profile/").status_code == 200,
            "an open page": lambda: readers.read([page]) != [None],
            "notifications": lambda: signed_in([self.session_key]) != {},
            "the calendar": lambda: Client().get(self.calendar).status_code == 200,
            "a reply address": lambda: addresses.conversation_at(self.reply) is not None,
            "the link to one's choices": lambda: Client().get(self.choices).status_code == 200,
            "choices by a link that stops email": lambda: (
                "/choices/" in Client().get(self.stop).content.decode()
            ),
            "a link that stops email": lambda: Client().post(self.stop).status_code == 200,
            "the link to decisions": lambda: Client().get(self.decisions).status_code == 200,
            "the password": lambda: bool(self.now() and self.now().check_password(OLD)),
            "a connected account": lambda: SocialAccount.objects.filter(
                user__is_active=True
            ).exists(),
            "a code on its way": lambda: self.enter(self.waiting, self.code),
        }


def changes_password(world: World) -> None:
    form = {"oldpassword": OLD} | TWICE_NEW
    assert world.here.post("/accounts/password/change/", form).status_code == 302


def resets_password(world: World) -> None:
    client, page = Client(), "/accounts/password/reset/"
    client.post(page, {"email": world.rosa.email})
    client.post(f"{page}confirm/", {"code": code_in(world.smtp.messages[-1])})
    assert client.post(f"{page}complete/", TWICE_NEW).status_code == 302


def changes_address(world: World) -> None:
    world.here.post("/accounts/email/", {"email": "rosa@example.net", "action_add": "1"})
    world.here.post("/accounts/confirm-email/", {"code": code_in(world.smtp.messages[-1])})
    assert world.now().email == "rosa@example.net"


def sets_up_second_factor(world: World) -> None:
    set_up(world.here)


def signs_out_elsewhere(world: World) -> None:
    assert world.here.post("/accounts/sessions/", {"others": "1"}).status_code == 302


def is_signed_out(world: World) -> None:
    marta_acts_on(world.rosa, "end-sessions")


def is_banned(world: World) -> None:
    marta_acts_on(world.rosa, "ban")


def shows_that_the_address_is_hers(world: World) -> None:
    client = Client()
    assert world.enter(client, world.ask_for_code(client))


def deletes_account(world: World) -> None:
    assert world.here.post("/accounts/delete/", {"name": "Rosa"}).status_code == 302
    assert not User.objects.filter(name="Rosa").exists()


CASES: Final = {
    changes_password: Case.PASSWORD,
    resets_password: Case.PASSWORD,
    changes_address: Case.ADDRESS,
    sets_up_second_factor: Case.SECOND_FACTOR,
    signs_out_elsewhere: Case.SIGNED_OUT,
    is_signed_out: Case.SIGNED_OUT,
    is_banned: Case.BANNED,
    shows_that_the_address_is_hers: Case.TAKEN_BACK,
    deletes_account: Case.DELETED,
}

OWN = "it was she who did that, and nobody else is suspected"
MAILBOX = "only who reads her email knows it, and could have another at any time"
NO_PASSWORD = "it's not what she signs in with"
STOPS = "it stops email and opens nothing; people who click want that, whenever they click"
GONE = {Case.DELETED}
ALL = set(Case)

STAYS: Final[Mapping[str, Mapping[Case, str]]] = {
    "another session": {Case.ADDRESS: OWN},
    "an open page": {Case.ADDRESS: OWN},
    "notifications": {Case.ADDRESS: OWN},
    "the calendar": {Case.ADDRESS: OWN, Case.SECOND_FACTOR: OWN},
    "a reply address": {
        Case.PASSWORD: MAILBOX, Case.SECOND_FACTOR: MAILBOX, Case.SIGNED_OUT: MAILBOX,
    },
    "the link to one's choices": {},
    "choices by a link that stops email": {},
    "a link that stops email": dict.fromkeys(ALL - GONE, STOPS),
    "the link to decisions": {Case.BANNED: "it's how people appeal who can't sign in"},
    "the password": dict.fromkeys(
        (Case.ADDRESS, Case.SECOND_FACTOR, Case.SIGNED_OUT), "she signs in with it again"
    ),
    "a connected account": dict.fromkeys(
        (Case.PASSWORD, Case.ADDRESS, Case.SECOND_FACTOR, Case.SIGNED_OUT), NO_PASSWORD
    ),
    "a code on its way": dict.fromkeys(
        (Case.PASSWORD, Case.SECOND_FACTOR, Case.SIGNED_OUT, Case.TAKEN_BACK), MAILBOX
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def takes_replies(settings):
    settings.MAIL_REPLIES_DOMAIN = "reply.example.org"


@pytest.mark.full
@pytest.mark.parametrize("happens", CASES, ids=lambda one: one.__name__)
def test_what_ends_and_what_stays(happens, smtp):
    case = CASES[happens]
    world = World(smtp, confirmed=case is not Case.TAKEN_BACK)
    assert {
        name for name, leads_in in world.ways_in().items() if name in BEFORE and leads_in()
    } == BEFORE
    happens(world)
    stays = {name for name, leads_in in world.ways_in().items() if leads_in()}
    assert stays == {name for name, cases in STAYS.items() if case in cases}


BEFORE: Final = set(STAYS) - {
    "the link to decisions",
    "a code on its way",
    "a link that stops email",
}
"""What leads in before anything happens, and can be tried without using it up."""


def test_every_case_is_in_the_table():
    assert set(CASES.values()) == set(Case)


def test_every_signed_address_is_in_the_table():
    """Whatever else is signed so that somebody who knows it is believed gets a line above."""
    salts = {
        "calendar": "the calendar",
        "reply addresses": "a reply address",
        "subscriptions": "the link to one's choices",
        "choices": "the link to one's choices",
        "conduct": "the link to decisions",
        "demo sign-in": "the demo only",
        "games.models.User.sessions_ended": "another session",
        "code of a question": "it confirms an address, and lets nobody in",
        "factor reset": "it stops a reset, and lets nobody in",
        "export": "for a day, and only while the person is banned",
    }
    kept = {"games.models.NoMoreInvitations", "public ids", "games.services.people.held_sanctions"}
    signed = re.compile(r"""(?:Signer\(salt=|salted_hmac\(|salt = )"([^"]+)\"""")
    files = [*GAMES.rglob("*.py"), *SITE.rglob("*.py")]
    found = {salt for file in files for salt in signed.findall(file.read_text())}
    assert found - kept == set(salts)


@pytest.mark.full
def test_the_session_in_which_it_happens_goes_on(smtp):
    for happens in (changes_password, changes_address, sets_up_second_factor, signs_out_elsewhere):
        world = World(smtp, confirmed=True)
        happens(world)
        assert world.here.get("/accounts/profile/").status_code == 200, happens.__name__
        User.objects.all().delete()


@pytest.mark.full
def test_a_second_factor_of_a_stranger_ends(smtp):
    world = World(smtp, confirmed=False)
    TOTP.activate(world.rosa, generate_totp_secret())
    shows_that_the_address_is_hers(world)
    assert not Authenticator.objects.exists()


@pytest.mark.full
@pytest.mark.parametrize("happens", [changes_password, signs_out_elsewhere, is_signed_out])
def test_a_sign_in_that_waits_for_the_second_factor_ends_with_the_sessions(happens, smtp):
    world = World(smtp, confirmed=True)
    secret = generate_totp_secret()
    TOTP.activate(world.rosa, secret)
    thief, page = sign_in("Rosa")
    assert page == "/accounts/2fa/authenticate/"
    happens(world)
    refused = thief.post(page, {"code": shown_by_app(secret)}, follow=True)
    assert "_auth_user_id" not in thief.session
    assert "Please sign in again." in refused.content.decode()


@pytest.mark.full
def test_nothing_of_the_sessions_of_a_deleted_account_is_stored(smtp):
    world = World(smtp, confirmed=True)
    deletes_account(world)
    assert not Session.objects.filter(session_key=world.session_key).exists()


def test_a_way_in_of_a_feature_is_ended_by_its_line(monkeypatch):
    """As tokens of an API would join: one line in `apps.py`."""
    line = extensions.WayIn(f"{__name__}.end_token", stays=frozenset({Case.ADDRESS}))
    feature = next(one for one in extensions.features() if one.name.endswith("crests"))
    monkeypatch.setattr(type(feature), "ways_in", (line,))
    rosa = User.objects.create_user("rosa@example.org", "Rosa")
    for case in Case:
        extensions.end_ways_in(rosa, case)
    assert len(ended) == len(Case) - 1


ended: Final[list[User]] = []


def end_token(person: User) -> None:
    """What the feature of the test above ends."""
    ended.append(person)
