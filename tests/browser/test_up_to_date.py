"""A page that stays open keeps itself up to date, whatever comes in between, and loses nothing."""

import re
from uuid import uuid4

import pytest
from django.utils import timezone

from games.extensions import Case
from games.features.live.hub import MOST_OF_A_PERSON
from games.models import Game, User, Vote
from games.services.accounts import ways_in
from games.services.chat import messages
from games.services.game import votes
from games.services.game.votes import Proposal
from games.services.lobby import invitations
from tests.browser.chromium import new_context, sign_in
from tests.support.client import browser, person
from tests.support.patience import wait_until
from tests.support.tables import open_table, seats_to_move, submit_move

HIDDEN = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""

BADGE = "navigator.setAppBadge = async (count) => { window.badge = count; };"
ASLEEP = """(seconds) => {
  const { now } = Date;
  Date.now = () => now() + 1000 * seconds;
}"""

NEWEST = """() => {
  const turns = document.querySelector(".turns");
  const newest = turns.querySelector("ol > li:last-child").getBoundingClientRect();
  const { top, bottom } = turns.getBoundingClientRect();
  return newest.bottom <= bottom + 1 && newest.bottom > top;
}"""

OLDEST = "document.querySelector('.turns > :last-child').getBoundingClientRect().bottom"

STREAMS = re.compile(r"/live/\?")

pytestmark = [pytest.mark.full, pytest.mark.usefixtures("woken_pages")]


class Window:
    """A page in a browser of somebody's own, and how often it has fetched itself again."""

    def __init__(self, chromium, site, user, path, *, has_own_time=False):
        self.context = new_context(chromium, site)
        self.context.add_init_script(
            "navigator.setAppBadge = async (count) => { window.badge = count; };"
        )
        sign_in(self.context, site, browser(user))
        if has_own_time:
            self.context.clock.install()
        self.page = self.context.new_page()
        self.fetches = 0
        self.page.on("request", self._count)
        self.page.goto(path)
        self.began = self.page.evaluate("performance.timeOrigin")

    def _count(self, request):
        self.fetches += "x-live" in request.headers

    def pass_time(self, seconds):
        """So much time passes for the page, and what it requests meanwhile is answered."""
        for _ in range(0, seconds, 2):
            self.page.clock.run_for(2000)
            self.page.wait_for_timeout(20)

    def hide(self, *, hidden):
        self.page.evaluate(HIDDEN, hidden)

    def shows(self, text):
        return text in self.page.locator("main").inner_text()

    @property
    def is_the_same(self):
        """Whether the page was never loaded anew."""
        return self.page.evaluate("performance.timeOrigin") == self.began


@pytest.fixture
def opened(chromium, site, streams):
    """Opens a page for somebody; it listens when this returns."""
    windows = []

    def open_window(
        user: User, path: str, *, is_one_more: bool = True, has_own_time: bool = False
    ) -> Window:
        before = streams.open
        windows.append(Window(chromium, site, user, path, has_own_time=has_own_time))
        if is_one_more:
            wait_until(lambda: windows[-1].page.evaluate("1") and streams.open > before)
        return windows[-1]

    yield open_window
    for window in windows:
        window.context.close()


@pytest.fixture
def game(site) -> Game:
    return open_table("Anna", "Boris", "Clara", now=timezone.now())


def named(name: str) -> User:
    return User.objects.get(name=name)


def say(game: Game, name: str, text: str) -> None:
    messages.say(game_id=game.pk, user=named(name), text=text, token=uuid4(), now=timezone.now())


def sees(window: Window, text: str) -> None:
    wait_until(lambda: window.shows(text))


def test_a_hidden_page_does_not_listen_and_one_that_is_seen_again_asks_once(opened, game, streams):
    anna = opened(named("Anna"), game.get_absolute_url())
    anna.hide(hidden=True)
    wait_until(lambda: anna.page.evaluate("1") and streams.open == 0)
    say(game, "Boris", "Nobody hears me")
    assert anna.fetches == 0
    anna.hide(hidden=False)
    sees(anna, "Nobody hears me")
    assert anna.fetches == 1
    assert anna.is_the_same


def test_who_comes_next_after_a_move_is_not_said_any_longer_than_it_is_so(opened, game):
    mover = opened(seats_to_move(game)[0].user, game.get_absolute_url())
    with mover.page.expect_navigation():
        mover.page.get_by_role("button", name="Submit now").click()
    sees(mover, "Your move is in: ")
    say(game, "Boris", "Well done")
    sees(mover, "Well done")
    assert mover.shows("Your move is in: ")
    assert submit_move(game, seats_to_move(game)[0].user, timezone.now()).played
    wait_until(lambda: not mover.shows("Your move is in: "))


@pytest.mark.parametrize("asleep", [5, 20])
def test_after_a_sleep_in_which_other_clocks_stood_still_it_asks(opened, game, streams, asleep):
    """Though a live process that was started anew knows of nothing. Seen again soon, it doesn't."""
    anna = opened(named("Anna"), game.get_absolute_url())
    anna.hide(hidden=True)
    wait_until(lambda: anna.page.evaluate("1") and streams.open == 0)
    streams.is_held_back = True
    anna.page.evaluate(
        "(seconds) => { const now = Date.now; Date.now = () => now() + 1000 * seconds; }", asleep
    )
    anna.hide(hidden=False)
    if asleep > 10:
        wait_until(lambda: anna.page.evaluate("1") and anna.fetches == 1)
    else:
        wait_until(lambda: anna.page.evaluate("1") and streams.asked == 2)
        assert anna.fetches == 0


def test_behind_a_proxy_that_passes_nothing_on_it_asks_once(opened, game, streams):
    streams.is_held_back = True
    anna = opened(named("Anna"), game.get_absolute_url())
    say(game, "Boris", "Hello")
    sees(anna, "Hello")
    assert anna.fetches == 1


def test_after_a_dropped_connection_it_catches_up(opened, game, streams):
    anna = opened(named("Anna"), game.get_absolute_url())
    streams.drop()
    wait_until(lambda: anna.page.evaluate("1") and streams.open == 0)
    say(game, "Boris", "Are you there?")
    sees(anna, "Are you there?")
    wait_until(lambda: anna.page.evaluate("1") and streams.asked == 2)
    assert anna.is_the_same


def test_where_a_stream_ends_the_page_looks_though_it_can_listen_no_more(opened, game, streams):
    anna = opened(named("Anna"), game.get_absolute_url())
    anna.page.route(STREAMS, lambda route: route.abort())
    streams.drop()
    wait_until(lambda: anna.page.evaluate("1") and streams.open == 0)
    say(game, "Boris", "Is anybody there?")
    sees(anna, "Is anybody there?")
    assert anna.fetches == 1


def test_a_page_that_has_heard_a_stream_asks_for_another_one_every_few_seconds(
    opened, game, streams
):
    """However long there is none: it is current soon after the return."""
    tries = []

    def refuse(route):
        tries.append(route)
        route.abort()

    anna = opened(named("Anna"), game.get_absolute_url(), has_own_time=True)
    anna.page.route(STREAMS, refuse)
    streams.drop()
    wait_until(lambda: anna.page.evaluate("1") and tries)
    anna.pass_time(120)
    assert len(tries) >= 10
    anna.page.goto(game.get_absolute_url())  # another page knows that there is a live process
    del tries[:]
    anna.pass_time(120)
    assert len(tries) >= 10
    anna.page.unroute(STREAMS)
    say(game, "Boris", "Back again")
    sees(anna, "Back again")


def test_a_page_without_news_looks_now_and_then(opened, game, streams):
    """So that what is lost with a process isn't missed for good."""
    anna = opened(named("Anna"), game.get_absolute_url(), has_own_time=True)
    say(game, "Boris", "Listening?")
    sees(anna, "Listening?")  # so that the stream is known to be heard
    before = anna.fetches
    anna.page.clock.fast_forward(60_000)
    assert anna.fetches == before
    anna.page.clock.fast_forward(600_000)
    wait_until(lambda: anna.page.evaluate("1") and anna.fetches == before + 1)
    assert streams.asked == 1


def test_while_the_site_is_away_it_asks_every_few_seconds(opened, game):
    anna = opened(named("Anna"), game.get_absolute_url(), has_own_time=True)
    anna.page.route("**/tables/*/", lambda route: route.fulfill(status=502))
    say(game, "Boris", "Away?")
    wait_until(lambda: anna.page.evaluate("1") and anna.fetches >= 1)
    anna.pass_time(90)
    assert anna.fetches >= 6
    anna.page.unroute("**/tables/*/")
    sees(anna, "Away?")


def test_while_the_site_is_busy_it_asks_again(opened, game):
    anna = opened(named("Anna"), game.get_absolute_url())
    answers = [{"status": 503}, None, {"status": 429}]

    def busy(route):
        if "x-live" not in route.request.headers or not answers:
            route.continue_()
        elif (status := answers.pop()) is None:
            route.abort()
        else:
            route.fulfill(**status)

    anna.page.route("**/tables/*/", busy)
    say(game, "Boris", "Busy?")
    sees(anna, "Busy?")
    assert anna.fetches == 4
    assert anna.is_the_same


def test_an_old_response_never_replaces_a_newer_one(opened, game):
    anna = opened(named("Anna"), game.get_absolute_url())
    held = []

    def hold(route):
        if "x-live" in route.request.headers and not held:
            held.append((route, route.fetch()))
        else:
            route.continue_()

    anna.page.route("**/tables/*/", hold)
    say(game, "Boris", "First")
    wait_until(lambda: anna.page.evaluate("1") and held)
    say(game, "Clara", "Second")
    anna.page.wait_for_timeout(1500)  # in which it could ask a second time
    [(route, answered)] = held
    route.fulfill(response=answered)
    sees(anna, "First")
    anna.page.wait_for_timeout(500)
    sees(anna, "Second")


def test_a_minute_later_a_message_changes_nothing_but_the_chat(opened, game, chromium, site):
    """What is typed, chosen and open in the decision stays the very same."""
    seat = seats_to_move(game)[0]
    writer = next(name for name in ("Anna", "Boris") if name != seat.user.name)
    context = new_context(chromium, site)
    sign_in(context, site, browser(seat.user))
    page = context.new_page()

    def a_minute_ago(route):
        answered = route.fetch()
        text = re.sub(r'(class="time-left"[^>]*>)[^<]+', r"\g<1>99 days left", answered.text())
        route.fulfill(response=answered, body=text)

    page.route("**/tables/*/", a_minute_ago, times=1)
    page.goto(game.get_absolute_url())
    assert "99 days left" in page.content()
    page.evaluate("""() => {
      window.exchanged = [];
      document.addEventListener("exchanged", ({ target }) => window.exchanged.push(target.id));
    }""")
    say(game, writer, "Hello")
    wait_until(lambda: "Hello" in page.locator("#chat-lines").inner_text())
    assert set(page.evaluate("window.exchanged")) <= {"chat-top", "chat-lines", "tabs"}
    context.close()


@pytest.mark.parametrize("reader", ["Anna", "Zoe"])
def test_the_last_move_brings_the_end_with_its_style(opened, site, reader):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now(), options={"rounds": 2})
    user = User.objects.filter(name=reader).first() or person(reader)
    watching = opened(user, game.get_absolute_url())
    while to_move := seats_to_move(game):
        submit_move(game, to_move[0].user, timezone.now())
    wait_until(lambda: watching.page.locator(".victory").count() == 1)
    watching.page.wait_for_load_state()
    sheets = watching.page.evaluate("[...document.styleSheets].map(({ href }) => href)")
    assert any("/history" in sheet for sheet in sheets)
    assert watching.page.locator(".share button").count() == 1


def test_the_focus_is_on_the_same_answer_to_a_vote(opened, game):
    first, second, third = (named(name) for name in ("Anna", "Boris", "Clara"))
    now = timezone.now()
    votes.call_vote(game_id=game.pk, user=first, proposal=Proposal(Vote.Kind.PAUSE, 3), now=now)
    page = opened(second, game.get_absolute_url()).page
    page.get_by_role("button", name="No", exact=True).focus()
    vote = game.votes.get()
    votes.cast(game_id=game.pk, vote_id=vote.pk, user=third, yes=False, now=now)
    wait_until(lambda: "no: 1" in page.locator("#votes").inner_text())
    assert page.evaluate("document.activeElement.value") == "no"
    votes.cast(game_id=game.pk, vote_id=vote.pk, user=third, yes=True, now=now)
    wait_until(lambda: page.locator("#votes").count() == 0)
    assert page.evaluate("document.activeElement.id") == "more"


def test_the_badge_is_that_of_the_page(opened, game):
    user = seats_to_move(game)[0].user
    window = opened(user, "/")
    assert window.page.evaluate("window.badge") == 1


def test_one_page_too_many_says_that_it_is_left_as_it_is(opened, game):
    path, anna = game.get_absolute_url(), named("Anna")
    oldest, *_others = [opened(anna, path) for _ in range(MOST_OF_A_PERSON)]
    stopped = oldest.page.locator("#live-stopped")
    assert not stopped.is_visible()
    opened(anna, path, is_one_more=False)
    wait_until(stopped.is_visible)
    oldest.hide(hidden=False)  # its reader comes back to it
    wait_until(stopped.is_hidden)


def test_signed_out_elsewhere_the_page_leads_to_signing_in(opened, game):
    anna = opened(named("Anna"), game.get_absolute_url())
    ways_in.end(named("Anna"), Case.SIGNED_OUT)
    anna.page.wait_for_url("**/accounts/login/**")


def test_an_invitation_comes_to_my_games_and_its_answer_to_the_lobby(opened, site):
    game = open_table("Anna", size=3, now=timezone.now())
    boris = person("Boris")
    home, lobby = opened(boris, "/"), opened(game.host, game.get_absolute_url())
    invitations.invite(
        game_id=game.pk, user=game.host, addresses=[], names=["Boris"], now=timezone.now()
    )
    sees(home, "The Venice table")
    sees(lobby, "Boris")
    invitations.decline(invitation_id=game.invitations.get().pk)
    sees(lobby, "declined")
    wait_until(lambda: not home.shows("The Venice table"))


def test_the_log_follows_what_happens_unless_its_reader_looks_elsewhere(opened, game):
    page = opened(named("Clara"), game.get_absolute_url()).page
    page.set_viewport_size({"width": 1280, "height": 800})
    page.evaluate("document.querySelector('.turns').style.maxHeight = '120px'")

    def happens() -> None:
        lines = page.locator("#turns li").count()
        submit_move(game, seats_to_move(game)[0].user, timezone.now())
        wait_until(lambda: page.locator("#turns li").count() > lines)

    page.evaluate("document.querySelector('#turns ol > li:last-child').scrollIntoView(false)")
    while not (game.state and game.decoded().contenders):
        happens()
        assert page.evaluate(NEWEST) is True
    for _ in range(2):  # the turn begins above what came before, and goes on
        happens()
        assert page.evaluate(NEWEST) is True
    page.evaluate("document.querySelector('.turns').scrollTop = 10000")
    elsewhere = page.evaluate(OLDEST)
    happens()
    assert page.evaluate(OLDEST) == pytest.approx(elsewhere, abs=1)
