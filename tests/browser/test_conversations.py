"""Talking beside the board: conversations as tabs of the chat, and menus at the palaces."""

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page

from games.models import Game, PrivateMessage
from games.services.chat import messages
from tests.browser.chromium import assert_in_sight, new_context, sideways, sign_in
from tests.support.client import browser
from tests.support.patience import wait_until
from tests.support.promising import both_to, in_order, moves, place_for, sitter
from tests.support.tables import open_table, seats_to_move
from tests.support.whispering import entry_of, offers_privately, page_of, whisper

pytestmark = pytest.mark.full

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 800}
WINDOWS = pytest.mark.parametrize(
    ("window", "javascript"),
    [(PHONE, False), (PHONE, True), (DESK, True)],
    ids=["phone-without-javascript", "phone", "desktop"],
)


@pytest.fixture
def game(site) -> Game:
    return open_table("Anna", "Boris", "Clara", "Dora", now=timezone.now(), press="private")


@pytest.fixture
def opened(site, chromium):
    contexts = []

    def page_of_seat(game: Game, seat: int, window=PHONE, *, javascript=True) -> Page:
        context = new_context(chromium, site, viewport=window, java_script_enabled=javascript)
        contexts.append(context)
        sign_in(context, site, browser(sitter(game, seat)))
        page = context.new_page()
        page.goto(game.get_absolute_url())
        return page

    yield page_of_seat
    for context in contexts:
        context.close()


@pytest.mark.long(after=2)
@WINDOWS
def test_the_newest_words_and_the_field_are_seen_together(opened, game, window, javascript):
    first, second, _third, _fourth = in_order(game)
    for number in range(messages.MOST_AT_ONCE):
        said = whisper(game, second, first, text=f"Word {number}.", now=timezone.now())
    page = opened(game, first, window, javascript=javascript)
    page.locator(".conversations a", has_text=sitter(game, second).name).first.click()
    page.wait_for_url(f"**{page_of(said.thread)}#say")
    assert_in_sight(page.locator(".chat .said").last)
    assert f"Word {number}." in page.locator(".chat .said").last.inner_text()
    assert_in_sight(page.locator(".chat textarea").last)
    assert_in_sight(page.locator(".chat form button").last)
    assert sideways(page) == 0


AROUND_THE_NAME = r"""(link) => {
  const [word, name] = link.childNodes;
  const range = document.createRange();
  range.setStart(word, word.data.search(/\S/));
  range.setEnd(word, word.data.trimEnd().length);
  const [before, after] = [range.getBoundingClientRect(), name.getBoundingClientRect()];
  const menu = link.closest("ul").getBoundingClientRect();
  const isBeside = Math.abs(after.bottom - before.bottom) < 4;
  return [isBeside ? after.left - before.right : 5, before.left - menu.left];
}"""
"""How far the name in a link is from the words before it, and these from the edge of the menu."""


def assert_spaced(links: Locator) -> None:
    """Each name has a space before it, unless it begins a line, and nothing sticks to the edge."""
    for link in links.all():
        between, edge = link.evaluate(AROUND_THE_NAME)
        assert between > 2
        assert edge > 4


@pytest.mark.long(after=2)
@WINDOWS
def test_who_comes_to_write_has_the_cursor_in_the_field(opened, window, javascript):
    """From a palace, from a tab and from the card; it is seen, with what was said above it."""
    now, names = timezone.now(), ("Anna", "Boris", "Clara", "Dora")
    game = open_table(*names, now=now, press="private", talk_seconds=43200)
    first, second, _third, _fourth = in_order(game)
    moves(game, both_to(game, first, second), now=timezone.now())
    for number in range(messages.MOST_AT_ONCE):
        whisper(game, second, first, text=f"Word {number}.", now=timezone.now())
    page = opened(game, first, window, javascript=javascript)
    name, palace = (
        sitter(game, second).name,
        page.locator(f'[data-palace="{game.colours[second]}"]'),
    )

    def from_the_palace() -> None:
        palace.locator("summary").click()
        palace.get_by_role("link", name="Talk to").click()

    ways = (
        from_the_palace,
        page.locator(".conversations a", has_text=name).first.click,
        page.locator(".talk-to a", has_text=name).click,
    )
    for go in ways:
        page.goto(game.get_absolute_url())
        go()
        page.locator('.conversations [aria-current="true"]', has_text=name).wait_for()
        page.keyboard.type("Psst")
        wait_until(lambda: page.locator(".chat textarea").input_value().endswith("Psst"))
        assert_in_sight(page.locator(".chat textarea"))
        assert_in_sight(page.locator(".chat .said").last)
        assert_in_sight(page.locator(".chat form button").last)
        assert sideways(page) == 0


@pytest.mark.long(after=2)
@WINDOWS
def test_a_private_word_is_one_tap_and_the_text(opened, game, window, javascript):
    first, second, _third, _fourth = in_order(game)
    page = opened(game, first, window, javascript=javascript)
    page.locator(".conversations a", has_text=sitter(game, second).name).click()
    page.locator(".chat textarea").fill("Between us")
    page.locator(".chat form button", has_text="Send").click()
    page.locator(".chat .said", has_text="Between us").wait_for()
    assert PrivateMessage.objects.get().thread.seats == sorted((first, second))
    assert_in_sight(page.locator(".chat .said").last)


@pytest.mark.long(after=2)
@WINDOWS
def test_the_name_on_a_palace_opens_a_menu(opened, game, window, javascript):
    """Also while palaces can be chosen for a sending, where it chooses none."""
    mover = seats_to_move(game)[0].number
    other = next(seat for seat in in_order(game) if seat != mover)
    page = opened(game, mover, window, javascript=javascript)
    palace = page.locator(f'[data-palace="{game.colours[other]}"]')
    chosen = page.locator("[name=send-palace-1]").input_value()
    place = palace.bounding_box()
    palace.locator("summary").click()
    assert palace.bounding_box() == place
    assert page.locator("[name=send-palace-1]").input_value() == chosen
    name = sitter(game, other).name
    words = (f"Talk to {name}", f"Make {name} a private offer", f"Make {name} a public offer")
    links = palace.locator(".owner a")
    assert tuple(links.all_inner_texts()) == words
    assert_spaced(links)
    for number in (1, 2, 3):
        selector = f'[data-palace="{game.colours[other]}"] .owner li:nth-child({number}) a'
        assert_in_sight(page.locator(selector).last)
    assert sideways(page) == 0
    palace.get_by_role("link", name="Talk to").click()
    page.locator('.conversations [aria-current="true"]', has_text=name).wait_for()


def test_an_offer_is_accepted_where_it_was_made(opened, game):
    first, second, _third, _fourth = in_order(game)
    moves(game, both_to(game, first, second), now=timezone.now())
    made = offers_privately(game, second, place_for(game), now=timezone.now())
    page = opened(game, first, javascript=False)
    page.locator(".conversations a", has_text=sitter(game, second).name).click()
    page.locator("#chat-lines").get_by_role("button", name="Accept").click()
    page.wait_for_url(f"**{page_of(made.thread)}#chat")
    assert entry_of(made).status.value == "accepted"
    assert not page.locator("#chat-lines button").count()


def test_what_was_typed_stays_in_its_conversation(opened, game):
    first, second, third, _fourth = in_order(game)
    page = opened(game, first)

    def typed(seat: int | None) -> str:
        name = "Table" if seat is None else sitter(game, seat).name
        page.locator(".conversations a", has_text=name).first.click()
        page.locator('.conversations [aria-current="true"]', has_text=name).wait_for()
        return page.locator(".chat textarea").input_value()

    for seat, text in ((None, "To all"), (second, "To one")):
        assert typed(seat) == ""
        page.locator(".chat textarea").fill(text)
        page.locator(".chat .draft-status", has_text="Draft saved").wait_for()
    assert typed(third) == ""
    assert typed(None) == "To all"
    assert typed(second) == "To one"
    page.locator(".chat form button", has_text="Send").click()
    page.locator(".chat .said", has_text="To one").wait_for()
    assert typed(second) == ""
    assert typed(None) == "To all"


def test_an_open_page_marks_and_shows_what_is_said_privately(opened, game, woken_pages):
    first, second, third, _fourth = in_order(game)
    page = opened(game, first)
    page.locator(".conversations a", has_text=sitter(game, second).name).click()
    page.locator(".chat textarea").fill("I am typing")
    whisper(game, third, first, text="Elsewhere", now=timezone.now())
    whisper(game, second, first, text="Right here", now=timezone.now())
    page.locator(".chat .said", has_text="Right here").wait_for()
    tab = page.locator(".conversations a", has_text=sitter(game, third).name)
    wait_until(lambda: "(1" in tab.inner_text())
    assert page.locator(".chat textarea").input_value() == "I am typing"
    assert_in_sight(page.locator(".chat .said").last)
