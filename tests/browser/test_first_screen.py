"""What a decision needs is on the first screen of the game page, on a phone and on a desktop."""

from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page

from games.engine import Stage, State, to_move, view
from games.engine.forced import sending_after
from games.models import Game, User
from games.services.chat import messages
from games.services.chat.queries import id_of
from intrigue_site.scenarios import Scenario, lay_out, scenario
from tests.browser.chromium import assert_in_sight, new_context, sign_in
from tests.support.client import browser, person
from tests.support.promising import both_to, in_order, moves, sitter
from tests.support.tables import open_table, seats_to_move

pytestmark = pytest.mark.full

PHONE = {"width": 360, "height": 740}
SMALLEST = {"width": 320, "height": 568}
DESK = {"width": 1280, "height": 800}

EDGES = """(selector) => [...document.querySelectorAll(selector)].map((one) => {
  const box = one.getBoundingClientRect();
  return [Math.round(box.top), Math.round(box.bottom)];
})"""


def sending() -> Game:
    """Four people, of whom the first sends two scholars."""
    return open_table("Anna", "Boris", "Clara", "Dora", now=timezone.now())


def bribing(count: int = 2) -> Game:
    """The first has sent two scholars to the second, and bribes for them."""
    game, now = sending(), timezone.now()
    first, second, third, _fourth = in_order(game)
    send = both_to(game, first, second)
    if count == 1:
        one, other = send.scholars
        send = send._replace(scholars=(one, (other[0], third)))
    moves(game, send, now=now)
    return game


GAMES = {"two sendings": sending, "two bribes": bribing, "a bribe": lambda: bribing(1)}


@pytest.fixture
def opened(site, chromium):
    """Call it for the page of a game as who is to move sees it, when it has just been opened.

    The page that was opened before it in the same kind of browser is closed.
    """
    contexts: dict[tuple[object, ...], BrowserContext] = {}

    def page_of(
        game: Game,
        window: dict[str, int],
        *,
        javascript: bool,
        reader: User | None = None,
        without: str = "",
    ) -> Page:
        kind = (*window.values(), javascript, without)
        if kind not in contexts:
            context = new_context(chromium, site, viewport=window, java_script_enabled=javascript)
            contexts[kind] = context
            if without:
                context.route(without, lambda asked: asked.abort())
        context = contexts[kind]
        for earlier in context.pages:
            earlier.close()
        context.clear_cookies()
        sign_in(context, site, browser(reader or seats_to_move(game)[0].user))
        page = context.new_page()
        page.goto(game.get_absolute_url())
        return page

    yield page_of
    for context in contexts.values():
        context.close()


def assert_within(page: Page, selector: str, top: float, bottom: float) -> None:
    edges = page.evaluate(EDGES, selector)
    assert edges, selector
    assert min(edge for edge, _ in edges) >= top, (selector, edges, top)
    assert max(edge for _, edge in edges) <= bottom, (selector, edges, bottom)


@pytest.mark.long(every=2)
@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
@pytest.mark.parametrize("name", GAMES)
def test_on_a_phone_all_palaces_the_decision_and_its_buttons(opened, name, javascript):
    page = opened(GAMES[name](), PHONE, javascript=javascript)
    [[tabs, _]] = page.evaluate(EDGES, ".tabs")
    [[bar, _]] = page.evaluate(EDGES, ".finish > .actions")
    assert_within(page, ".palace", 0, bar)
    assert_within(page, ".decision h2", 0, bar)
    # Which of two is paid for first matters only to who can't pay for both: it may be below.
    fields = ".move-form :is(input:not([type=hidden]), select:not([name=first]))"
    assert_within(page, fields, 0, bar)
    assert_within(page, ".finish > .actions button", 0, tabs)
    assert_within(page, ".tabs a", 0, PHONE["height"])


def test_on_a_phone_the_buttons_stay_while_one_scrolls_through_the_decision(opened):
    page = opened(sending(), PHONE, javascript=False)
    page.evaluate("scrollTo(0, 60)")
    [[tabs, _]] = page.evaluate(EDGES, ".tabs")
    assert_within(page, ".finish > .actions button", 0, tabs)


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
def test_on_a_phone_the_buttons_are_there_at_once_below_a_long_decision(opened, javascript):
    page = opened(lay_out(scenario("joined"), timezone.now()), PHONE, javascript=javascript)
    [[tabs, _]] = page.evaluate(EDGES, ".tabs")
    [[bar, _]] = page.evaluate(EDGES, ".finish > .actions")
    assert_within(page, ".finish > .actions button", 0, tabs)
    assert_within(page, ".palace", 0, bar)
    first, second, third = page.evaluate(EDGES, "[name$=-area]")
    assert max(first[1], second[1]) <= bar
    assert third[1] <= tabs


def judges_and_sends(state: State) -> bool:
    """Late in a game, when who judges may send scholars with it."""
    if state.stage is not Stage.JUDGEMENT or state.round < 3:
        return False
    return sending_after(view(state, to_move(state)[0])) is not None


JUDGES = Scenario("judges-and-sends", "Who stays, and the sending", judges_and_sends)


@pytest.mark.long(every=2)
@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
@pytest.mark.parametrize("case", [JUDGES, scenario("joined")], ids=["judging", "placing"])
def test_on_a_phone_no_button_comes_before_the_decision_below_a_message(opened, case, javascript):
    page = opened(lay_out(case, timezone.now()), PHONE, javascript=javascript)
    page.evaluate("() => { document.querySelector('[name=phase_no]').value = 0; }")
    with page.expect_navigation():
        page.get_by_role("button", name="Submit now").click()
    assert page.get_by_text("The game has moved on").is_visible()
    assert page.locator(".sending").count()
    [[bar, _]] = page.evaluate(EDGES, ".finish > .actions")
    first = page.evaluate(EDGES, ".move-form .field")[0]
    assert first[1] <= bar


def test_on_the_smallest_phone_the_buttons_never_come_before_the_fields(opened):
    for key in ("joined", "placement", "hiring", "sealed", "may-pass"):
        page = opened(lay_out(scenario(key), timezone.now()), SMALLEST, javascript=True)
        [[bar, _], *_] = page.evaluate(EDGES, ".finish > .actions")
        fields = page.evaluate(EDGES, ".move-form .fields :is(input, select)")
        assert fields, key
        assert min(top for top, _ in fields) >= 0, key
        assert max(bottom for _, bottom in fields) <= bar, key


def test_on_a_phone_the_tab_of_the_board_shows_it_in_full(opened):
    page = opened(sending(), PHONE, javascript=False)
    legend = page.locator(".board .legend")
    assert not legend.is_visible()
    page.locator(".tabs a[href='#board']").click()
    assert legend.is_visible()
    page.locator(".tabs a[href='#now']").click()
    assert not legend.is_visible()


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
def test_on_a_phone_every_page_of_a_decision_keeps_the_small_board(opened, javascript):
    game = bribing()
    page = opened(game, PHONE, javascript=javascript)
    with page.expect_navigation():
        page.get_by_role("button", name="Review").click()
    assert_within(page, ".palace", 0, PHONE["height"] / 2)
    assert_within(page, ".decision button", 0, PHONE["height"])
    for form in ("offers/", "orders/"):
        page.goto(f"{game.get_absolute_url()}{form}")
        assert_within(page, ".palace", 0, PHONE["height"] / 2)
        assert_within(page, ".game-turn > :first-child", 0, PHONE["height"])
        assert not page.locator(".board .legend").is_visible()


def test_on_a_desktop_the_board_stands_beside_what_is_reviewed_and_offered(opened):
    game = bribing()
    page = opened(game, DESK, javascript=False)
    with page.expect_navigation():
        page.get_by_role("button", name="Review").click()
    assert_within(page, ".decision button", 0, DESK["height"])
    for form in ("", "offers/", "orders/"):
        if form:
            page.goto(f"{game.get_absolute_url()}{form}")
        form_ends, board_begins = page.evaluate(
            """() => [document.querySelector(".game-turn").getBoundingClientRect().right,
              document.querySelector(".board").getBoundingClientRect().left]"""
        )
        assert form_ends <= board_begins
        assert_within(page, ".palace:first-child", 0, DESK["height"])


COVERED = """() => {
  const heights = [...document.querySelectorAll(".game-board > .board, .finish > .actions, .tabs")]
    .map((one) => one.getBoundingClientRect())
    .map((box) => Math.max(0, Math.min(innerHeight, box.bottom) - Math.max(0, box.top)));
  return heights.reduce((sum, height) => sum + height);
}"""
"""How many pixels of the window board, buttons and tabs take."""


@pytest.mark.long(every=2)
@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
@pytest.mark.parametrize("key", ["sending", "joined", "sealed"])
def test_on_a_phone_the_tab_of_the_move_shows_who_decides_about_what(opened, key, javascript):
    page = opened(lay_out(scenario(key), timezone.now()), PHONE, javascript=javascript)
    page.locator(".tabs a[href='#now']").click()
    for selector in (".decision h2", ".decision .until"):
        assert_in_sight(page.locator(selector).first)


@pytest.mark.parametrize("key", ["joined", "hiring", "sealed"])
def test_on_a_phone_the_palace_and_the_buttons_stay_while_one_reads_a_long_decision(opened, key):
    page = opened(lay_out(scenario(key), timezone.now()), PHONE, javascript=True)
    page.evaluate("scrollTo(0, 250)")
    page.locator(".game-board.stuck").wait_for()
    [[tabs, _]] = page.evaluate(EDGES, ".tabs")
    assert_within(page, ".palace.active", 0, tabs)
    assert_within(page, ".finish > .actions button", 0, tabs)
    assert page.evaluate(COVERED) <= PHONE["height"] / 3
    page.evaluate("scrollTo(0, 0)")
    page.locator(".game-board:not(.stuck)").wait_for()
    [[bar, _]] = page.evaluate(EDGES, ".finish > .actions")
    assert_within(page, ".palace", 0, bar)


def test_on_a_phone_the_board_leaves_when_the_decision_has_been_passed(opened):
    page = opened(lay_out(scenario("joined"), timezone.now()), PHONE, javascript=True)
    for below in (".standing-orders", ".promises", ".game-side"):
        page.evaluate("(below) => document.querySelector(below).scrollIntoView()", below)
        page.wait_for_timeout(100)
        assert max(bottom for _, bottom in page.evaluate(EDGES, ".game-board")) <= 0, below


def test_on_a_phone_the_end_says_how_one_did(opened):
    game = lay_out(scenario("over"), timezone.now())
    page = opened(game, PHONE, javascript=False, reader=game.host)
    said = page.locator(".victory :is(.kicker, h2)").filter(has_text="You ").first
    assert said.is_visible()


def test_on_a_phone_scholars_are_sent_by_tapping_the_small_board(opened):
    page = opened(sending(), PHONE, javascript=True)
    mine = page.locator(".own .home [data-scholar]").last
    palace = page.locator(".palace.choosable").last
    mine.click()
    palace.locator(".areas").click()
    kind = mine.get_attribute("data-scholar")[:-2]
    assert page.locator("[name=send-scholar-1]").input_value()[:-2] == kind
    goes_to = page.locator("[name=send-palace-1]").input_value()
    assert goes_to == palace.get_attribute("data-palace")


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
def test_on_a_phone_who_submits_at_once_sees_the_sending_first_and_may_leave_it(opened, javascript):
    game = lay_out(scenario("joined"), timezone.now())
    [seat] = seats_to_move(game)
    page = opened(game, PHONE, javascript=javascript)
    with page.expect_navigation():
        page.get_by_role("button", name="Submit now").click()
    assert page.locator("h1").inner_text() == "Review"
    assert page.get_by_text("This also sends your scholars, as suggested.").is_visible()
    sends = page.locator(".decision li").filter(has_text=" goes to ")
    assert_in_sight(sends.first)
    [[submit, _], *_] = page.evaluate(EDGES, ".decision .actions button")
    assert sends.first.bounding_box()["y"] < submit  # nobody submits before they have seen it
    with page.expect_navigation():
        page.get_by_role("button", name="Submit, but send nobody yet").click()
    assert page.locator(".message").inner_text().endswith("You have another decision to make.")
    game.refresh_from_db()
    assert game.decoded().stage is Stage.SENDING
    assert [one.pk for one in seats_to_move(game)] == [seat.pk]


@pytest.mark.parametrize("name", GAMES)
def test_on_a_desktop_the_decision_the_board_and_the_newest_message(opened, name):
    game = GAMES[name]()
    said = messages.say(
        game_id=game.pk,
        user=sitter(game, in_order(game)[2]),
        text="Shall we make a deal?",
        token=uuid4(),
        now=timezone.now(),
    )
    page = opened(game, DESK, javascript=True)
    bottom = DESK["height"]
    assert_within(page, ".palace", 0, bottom)
    assert_within(page, ".finish > .actions button", 0, bottom)
    assert_within(page, f"#message-{id_of(said)}", 0, bottom)


CUT = """() => {
  const turns = document.querySelector("#turns");
  const log = turns.getBoundingClientRect();
  const newest = turns.querySelector("ol > li:last-child").getBoundingClientRect();
  const cut = [...turns.querySelectorAll("h3, li")].map((line) => line.getBoundingClientRect())
    .filter((line) => line.top < log.top - 2 && line.bottom > log.top + 2).length;
  return { scrolled: turns.scrollTop > 0, newest: newest.bottom <= log.bottom + 1, cut };
}"""


@pytest.mark.parametrize("watching", [False, True], ids=["a-player", "a-spectator"])
def test_on_a_desktop_the_log_begins_with_a_whole_line_and_shows_the_newest(opened, watching):
    game = lay_out(scenario("external-bribes"), timezone.now())
    page = opened(game, DESK, javascript=True, reader=person("Zoe") if watching else None)
    page.wait_for_function("document.querySelector('#turns').scrollTop > 0")
    assert page.evaluate(CUT) == {"scrolled": True, "newest": True, "cut": 0}


PLACES = """() => [...document.querySelectorAll(
  ".palace, .island, .decision > *, .move-form [name]:not([type=hidden]), .actions, #chat, #turns"
)].map((one) => [one.name || one.dataset.palace || one.className, one.getBoundingClientRect().top])
  .filter(([_name, top]) => top < innerHeight)"""


SHOWN = ("first-visit", "sending", "joined", "placement", "external-bribes", "sealed", "over")


@pytest.mark.long(after=1)
@pytest.mark.parametrize("window", [PHONE, DESK], ids=["phone", "desktop"])
def test_nothing_moves_when_the_scripts_have_come(opened, window):
    for key in SHOWN:
        game = lay_out(scenario(key), timezone.now())
        reader = next((seat.user for seat in seats_to_move(game)), None) or game.host
        browser(reader).get(game.get_absolute_url())  # the first visit shows what is new
        before = opened(game, window, javascript=True, reader=reader, without="**/*.js")
        assert not before.locator(".choosable").count(), key
        after = opened(game, window, javascript=True, reader=reader)
        assert after.evaluate(PLACES) == before.evaluate(PLACES), key


def test_at_four_hundred_per_cent_the_outline_of_a_field_is_clear_of_the_time_left(opened):
    page = opened(sending(), {"width": 320, "height": 256}, javascript=True)
    field = page.locator(".move-form select").first
    field.focus()
    reach = field.evaluate(
        "(one) => { const style = getComputedStyle(one);"
        " return parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset); }"
    )
    [[_top, end_of_time]] = page.evaluate(EDGES, ".decision .time-left")
    top = field.bounding_box()["y"]
    assert reach > 0
    assert top - reach >= end_of_time
