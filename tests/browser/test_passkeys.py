"""From signing up to a move, with a passkey: a real browser, with an authenticator of its own."""

import re
from random import Random

import pytest
from django.utils import timezone
from playwright.sync_api import CDPSession

from games.engine import view
from games.engine.computer_players import COMPUTER_PLAYERS
from games.models import Game, Move, User
from games.services.email import delivery
from games.services.lobby import tables
from tests.browser.players import Player
from tests.browser.playing import fields_of, hand_in
from tests.support.client import verified
from tests.support.patience import wait_until
from tests.support.sent_emails import code_in, plain_text
from tests.support.servers import Inbox
from tests.support.tables import table_settings

pytestmark = pytest.mark.full

PASSWORD = "a red scholar in Venice"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def named_site(site, smtp, settings):
    """The site by a name, since passkeys belong to one; its email goes to a mail server."""
    settings.SITE_URL = site.replace("127.0.0.1", "localhost")
    return settings.SITE_URL


def with_authenticator(player: Player) -> tuple[CDPSession, str]:
    """Give the browser a device with a fingerprint reader; how to speak to it."""
    protocol = player.context.new_cdp_session(player.page)
    protocol.send("WebAuthn.enable", {"enableUI": False})
    made = protocol.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    return protocol, made["authenticatorId"]


def started_game(user: User) -> Game:
    """A game against computer players in which they are to move at once."""
    settings = table_settings(size=3)
    game = tables.open_table(host=user, settings=settings, now=timezone.now())
    Game.objects.filter(pk=game.pk).update(seed=1)
    tables.start_with_computer_players(
        game_id=game.pk, user=user, computer_player="random", now=timezone.now()
    )
    return Game.objects.get(pk=game.pk)


def sign_up(flora: Player, smtp: Inbox) -> None:
    flora.open("/accounts/signup/")
    flora.answer({"email": "flora@example.org", "password1": PASSWORD, "name": "Flora"})
    flora.press(flora.page.locator("main form button", has_text="Sign up"))
    flora.fill("code", code_in(smtp.messages[-1]))
    flora.press(flora.page.locator("main form button").first)


def add_passkey(flora: Player) -> None:
    flora.open("/accounts/profile/")
    flora.page.get_by_role("link", name="Passkeys and two-factor authentication").click()
    flora.page.get_by_role("link", name="Add a passkey").click()
    flora.answer({"password": PASSWORD})
    flora.press(flora.page.locator("main form button").first)
    flora.fill("name", "My phone")
    flora.press(flora.button("Add a passkey"))
    assert len(flora.page.locator("textarea").input_value().split()) == 10
    flora.open("/accounts/2fa/")
    assert flora.sees("My phone, since")


def play(flora: Player, game: Game) -> None:
    """Move on the page that is open."""
    state = game.decoded()
    seat = game.seats.get(user__name="Flora").number
    move = COMPUTER_PLAYERS["random"](view(state, seat), Random(1).getrandbits(32))
    filled = fields_of(state, move)
    flora.answer({name: value for name, value in filled.items() if flora.control(name).count()})
    hand_in(flora, state.stage, move)


def test_flora_signs_up_adds_a_passkey_signs_in_with_it_and_plays_from_an_email(
    chromium, named_site, smtp
):
    flora = Player(chromium, named_site, "Flora", javascript=True)
    with_authenticator(flora)
    sign_up(flora, smtp)
    add_passkey(flora)
    flora.press(flora.page.get_by_role("button", name="Sign out"))
    flora.open("/accounts/login/")
    flora.press(flora.button("Sign in with a passkey"))
    assert flora.page.get_by_role("button", name="Sign out").is_visible()
    game = started_game(User.objects.get(name="Flora"))
    delivery.drain(now=timezone.now())
    flora.open(re.search(rf"{named_site}/tables/\S+", plain_text(smtp.messages[-1]))[0])
    play(flora, game)
    assert Move.objects.filter(game=game, user__name="Flora").exists()
    assert flora.watch.complaints == []
    flora.context.close()


def test_a_cancelled_passkey_says_so_and_the_password_works(chromium, named_site):
    verified("Rosa")
    rosa = Player(chromium, named_site, "Rosa", javascript=True)
    protocol, authenticator = with_authenticator(rosa)
    wrong = {"authenticatorId": authenticator, "isUserVerified": False}
    protocol.send("WebAuthn.setUserVerified", wrong)
    rosa.open("/accounts/login/")
    rosa.button("Sign in with a passkey").tap()
    told = rosa.page.locator("[data-passkey] [role=status]")
    wait_until(lambda: "No passkey was used." in told.inner_text())
    rosa.sign_in()
    assert rosa.page.get_by_role("button", name="Sign out").is_visible()
    rosa.context.close()


def test_without_javascript_the_sign_in_page_says_so(chromium, named_site):
    verified("Rosa")
    rosa = Player(chromium, named_site, "Rosa", javascript=False)
    rosa.open("/accounts/login/")
    assert rosa.sees("A script on this page isn't running: JavaScript is off, or something")
    assert not rosa.button("Sign in with a passkey").is_visible()
    rosa.sign_in()
    assert rosa.page.get_by_role("button", name="Sign out").is_visible()
    rosa.context.close()
