"""What scripts add to the page of a table: second thoughts, swapped scholars, moving shields."""

import json
import re
from uuid import uuid4

import pytest
from django.utils import timezone

from games.engine import default_move
from games.models import Visit
from games.services.chat import messages
from intrigue_site.scenarios import lay_out, scenario
from tests.browser.chromium import new_context, sign_in
from tests.support.client import browser
from tests.support.patience import wait_until
from tests.support.tables import open_table, seats_to_move, submit_move

pytestmark = pytest.mark.full

ANIMATED = """
window.animated = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  const what = this.closest("[data-scholar]")?.dataset.scholar ?? this.textContent;
  const motion = animate.call(this, frames, options);
  window.animated.push([what, () => motion.playState]);
  return motion;
};
"""


TAP_AT_ONCE = """
window.taps = 0;
const first = document.querySelector(".move-form");
document.addEventListener("exchanged", () => setTimeout(() => {
  const form = document.querySelector(".move-form");
  if (form === null || form === first || window.taps) return;
  window.taps += 1;
  form.requestSubmit();
}));
"""


@pytest.fixture
def opened(chromium, site):
    """Opens a table for somebody in a browser of their own."""
    contexts = []

    def open_page(game, user, *, motion="reduce"):
        contexts.append(context := new_context(chromium, site))
        sign_in(context, site, browser(user))
        page = context.new_page()
        page.emulate_media(reduced_motion=motion)
        page.add_init_script(ANIMATED)
        page.goto(game.get_absolute_url())
        return page

    yield open_page
    for context in contexts:
        context.close()


def laid_out(case):
    game = lay_out(scenario(case), timezone.now())
    return game, game.seats.exclude(deadline_at=None).first().user


@pytest.mark.parametrize(("share", "asks_again"), [(0.4, False), (0.6, True)])
def test_more_than_half_of_ones_money_is_reviewed_first(opened, share, asks_again):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    while not game.decoded().contenders:
        submit_move(game, seats_to_move(game)[0].user, timezone.now())
        game.refresh_from_db()
    seat = seats_to_move(game)[0]
    page = opened(game, seat.user)
    amount = int(game.decoded().cash[seat.number] * share) // 1000 * 1000
    page.locator('.move-form input[type="number"]').first.fill(str(amount))
    before = game.moves.count()
    with page.expect_navigation():
        page.get_by_role("button", name="Submit now").click()
    assert page.get_by_text("That's more than half of your money.").count() == asks_again
    game.refresh_from_db()
    assert (game.moves.count() > before) != asks_again
    if asks_again:
        page.get_by_role("button", name="Submit").click()
        page.get_by_text("Your move is in").first.wait_for()
        assert game.moves.count() > before


def test_the_second_scholar_is_never_the_first(opened):
    page = opened(*laid_out("sending"))
    first, second = (page.locator(f'[name="send-scholar-{place}"]') for place in (1, 2))
    before = first.input_value()
    chosen = second.get_attribute("data-alone").split()[0]
    second.select_option(chosen)
    first.select_option(chosen)
    assert second.input_value() == before
    shut = second.locator(f"option[value={json.dumps(chosen)}]")
    assert shut.evaluate("one => one.disabled")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_what_happens_moves_on_the_board_where_motion_is_welcome(opened, woken_pages, motion):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    seat = seats_to_move(game)[0]
    watcher = next(one.user for one in game.seats.select_related("user") if one.pk != seat.pk)
    page = opened(game, watcher, motion=motion)
    sent = default_move(game.decoded(), seat.number).scholars
    names = {game.decoded().table.names[scholar] for scholar, _palace in sent}
    submit_move(game, seat.user, timezone.now())
    wait_until(lambda: page.locator(".door [data-scholar]").count() == len(sent))
    moved = page.evaluate("window.animated.map(([what]) => what)")
    assert set(moved) == (names if motion == "no-preference" else set())
    page.keyboard.press("Escape")
    states = page.evaluate("window.animated.map(([, state]) => state())")
    assert set(states) <= {"finished"}


@pytest.mark.long(after=1)
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_on_a_phone_nothing_moves_before_half_of_the_board_is_in_view(opened, woken_pages, motion):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    seat = seats_to_move(game)[0]
    watcher = next(one.user for one in game.seats.select_related("user") if one.pk != seat.pk)
    page = opened(game, watcher, motion=motion)
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate("document.querySelector('.game').style.paddingTop = '900px'")
    sent = default_move(game.decoded(), seat.number).scholars
    submit_move(game, seat.user, timezone.now())
    wait_until(lambda: page.locator(".door [data-scholar]").count() == len(sent))
    top = page.locator(".board").bounding_box()["y"]
    page.evaluate("(top) => scrollBy(0, top - innerHeight + 40)", top)  # a tip of it is in view
    page.wait_for_timeout(300)
    moved = "window.animated.map(([what]) => what)"
    assert page.evaluate(moved) == []
    page.evaluate("document.querySelector('.board').scrollIntoView({block: 'center'})")
    names = {game.decoded().table.names[scholar] for scholar, _palace in sent}
    if motion == "reduce":
        page.wait_for_timeout(300)
        assert page.evaluate(moved) == []
    else:
        wait_until(lambda: set(page.evaluate(moved)) == names)


@pytest.mark.long(after=1)
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_salaries_arrive_when_the_page_is_opened_and_leave_no_coin_behind(opened, motion):
    """Bruno looked before Ada's turn, in which the bank paid her."""
    game, now = lay_out(scenario("external-bribes"), timezone.now()), timezone.now()
    view = game.decoded()
    reader = game.seats.exclude(number=view.active).exclude(user=None).first()
    begun = game.events.filter(kind="TurnBegan").order_by("-seq").first()
    seen = {"last_event": begun.seq, "at": now}
    Visit.objects.update_or_create(game=game, user=reader.user, defaults=seen)
    page = opened(game, reader.user, motion=motion)
    earned = page.locator("[data-earned]").get_attribute("data-palace")
    assert earned == view.table.players[view.active]
    salaries = page.locator(f'.areas [data-scholar^="{earned}-"] b').all_inner_texts()
    assert salaries
    moved = page.evaluate("window.animated.map(([what]) => what)")
    paid = [one for one in moved if one in salaries]
    assert sorted(paid) == (sorted(salaries) if motion == "no-preference" else [])
    page.keyboard.press("Escape")
    assert page.locator(".coin").count() == 0


def test_a_decision_that_is_gone_shows_what_was_typed_for_it(opened, woken_pages):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    while not game.decoded().contenders:
        submit_move(game, seats_to_move(game)[0].user, timezone.now())
        game.refresh_from_db()
    seat = seats_to_move(game)[0]
    page = opened(game, seat.user)
    page.locator('.move-form input[type="number"]').first.fill("7000")
    submit_move(game, seat.user, timezone.now())
    notice = page.locator("#now .notice", has_text="The game has moved on.")
    notice.wait_for()
    assert re.search(r"You had entered: Bribe for your .*: 7000$", notice.inner_text())


def test_a_question_that_comes_by_itself_is_not_answered_by_a_tap_meant_for_another(
    opened, woken_pages
):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    seat = seats_to_move(game)[0]
    page = opened(game, seat.user)
    page.evaluate(TAP_AT_ONCE)
    submit_move(game, seat.user, timezone.now())
    while seat.user not in [one.user for one in seats_to_move(game)]:
        submit_move(game, seats_to_move(game)[0].user, timezone.now())
    wait_until(lambda: page.evaluate("window.taps"))
    page.wait_for_timeout(1500)
    assert page.url.endswith(game.get_absolute_url())
    page.get_by_role("button", name="Review").click()
    page.wait_for_url("**/review/")


def test_without_a_connection_nothing_is_sent_and_nothing_typed_is_lost(opened):
    game, user = laid_out("external-bribes")
    page = opened(game, user)
    amount = page.locator('.move-form input[type="number"]').first
    amount.fill("7000")
    page.context.set_offline(True)
    page.get_by_role("button", name="Review").click()
    page.get_by_text("Not sent: no connection right now.").wait_for()
    assert amount.input_value() == "7000"
    page.context.set_offline(False)
    page.get_by_role("button", name="Review").click()
    page.wait_for_url("**/review/")


def test_a_message_arrives_without_touching_what_is_being_chosen(opened, woken_pages):
    game, user = laid_out("sending")
    page = opened(game, user)
    palace = page.locator('[name="send-palace-1"]')
    other = palace.locator("option").nth(1).get_attribute("value")
    palace.select_option(other)
    palace.focus()
    speaker = game.seats.exclude(user=user).exclude(user=None).first()
    who = speaker.user if speaker is not None else user
    now = timezone.now()
    messages.say(game_id=game.pk, user=who, text="Look here", token=uuid4(), now=now)
    page.locator("#chat-lines", has_text="Look here").wait_for()
    assert palace.input_value() == other
    assert page.evaluate("document.activeElement.name") == "send-palace-1"


@pytest.mark.parametrize("has_live", [False])
def test_without_the_live_process_a_page_that_was_just_loaded_asks_no_more(opened, has_live):
    game, user = laid_out("sending")
    page = opened(game, user)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_response(lambda response: "/live/?" in response.url) as refused:
        page.reload()
    assert refused.value.status == 404
    page.wait_for_timeout(2000)
    assert sum(url.endswith(game.get_absolute_url()) for url in asked) == 1


def test_while_the_site_is_busy_what_is_shown_stays(opened, woken_pages):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    seat = seats_to_move(game)[0]
    page = opened(game, seat.user)
    loaded = page.evaluate("performance.timeOrigin")
    page.route(f"**{game.get_absolute_url()}", lambda route: route.fulfill(status=503, body="Busy"))
    with page.expect_response(lambda response: response.status == 503):
        messages.say(
            game_id=game.pk, user=seat.user, text="Hello", token=uuid4(), now=timezone.now()
        )
    page.wait_for_timeout(500)
    assert page.evaluate("performance.timeOrigin") == loaded
    assert page.locator("#board").count() == 1
