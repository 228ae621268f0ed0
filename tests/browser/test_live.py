"""Four people keep the page of their table open, and see at once what the others do.

Each kind of move is made once on a page with scripts and once on one without; what is left of the
round is played by the services.
"""

import pytest
from django.utils import timezone

from games.engine import Stage, State, default_move
from games.models import Game
from games.services.lobby import tables
from tests.browser.players import Player
from tests.browser.playing import fields_of, hand_in, shown_on_board
from tests.support.client import verified
from tests.support.patience import wait_until
from tests.support.promising import in_order
from tests.support.tables import seats_to_move, submit_move, table_settings

pytestmark = pytest.mark.full

NAMES = ("Anna", "Boris", "Clara", "Dora")
WORDS = "Clara, if you place my clerk"


@pytest.fixture
def game(site):
    host, *others = [verified(name, time_zone="Europe/Vienna") for name in NAMES]
    now = timezone.now()
    game = tables.open_table(host=host, settings=table_settings(), now=now)
    for user in others:
        tables.join(game_id=game.pk, user=user, now=now)
    game.refresh_from_db()
    return game


class Table:
    """A round played by people who keep their pages open; `is_live`: nobody looks again."""

    def __init__(self, game: Game, players: dict[int, Player], *, is_live: bool) -> None:
        self.game = game
        self.players = players
        self.is_live = is_live
        self.moves = 0
        self._done: set[tuple[Stage, bool]] = set()

    def play_a_round(self) -> None:
        while self.state().round == 1:
            self.play_next()

    def state(self) -> State:
        self.game.refresh_from_db()
        return self.game.decoded()

    def play_next(self) -> None:
        """The player to move moves, and all others see it; some load the page, once a kind."""
        state, [asked] = self.state(), seats_to_move(self.game)
        player = self.players[asked.number]
        kind = state.stage, player.javascript
        is_new = kind not in self._done
        if is_new:
            self._done.add(kind)
            self.answer_on_the_page(player, state, asked.number)
        else:
            submit_move(self.game, asked.user, timezone.now())
        self.moves += 1
        after = self.state()
        for seat, other in self.players.items():
            if self.hears(other):
                self.sees(other, after, seat)
            elif is_new:
                other.open(self.game.get_absolute_url())
                self.sees(other, after, seat)

    def hears(self, player: Player) -> bool:
        return self.is_live and player.javascript

    def answer_on_the_page(self, player: Player, state: State, seat: int) -> None:
        """On the one that is open, where it has got the decision."""
        if not self.hears(player):
            player.open(self.game.get_absolute_url())
        wait_until(lambda: player.page.title().startswith("(1) "))
        move = default_move(state, seat)
        fields = fields_of(state, move)
        player.answer({name: one for name, one in fields.items() if player.control(name).count()})
        if player.control("send-later").count():
            player.fill("send-later", "on")
        hand_in(player, state.stage, move)

    def sees(self, player: Player, state: State, seat: int) -> None:
        wanted = shown_on_board(state, seat)

        def shows() -> bool:
            shown = player.board()
            shown["doors"] = {palace: sorted(door) for palace, door in shown["doors"].items()}
            shown["island"] = sorted(shown["island"])
            return shown == wanted

        wait_until(shows)


@pytest.mark.long(after=1)
@pytest.mark.parametrize("has_live", [True, False], ids=["live", "without the live process"])
def test_four_people_play_a_round_and_one_who_types_keeps_their_words(
    game, site, chromium, woken_pages, has_live
):
    first, without_scripts, _third, last = in_order(game)
    players = {}
    for seat in game.seats.select_related("user"):
        scripts = seat.number != without_scripts
        player = Player(chromium, site, seat.user.name, javascript=scripts)
        player.sign_in()
        player.open(game.get_absolute_url())
        players[seat.drawn_number] = player
    playing = Table(game, players, is_live=has_live)
    if has_live:
        typing = players[last]
        typing.control("talk-text").tap()
        typing.page.keyboard.type(WORDS)
        loaded = typing.page.evaluate("performance.timeOrigin")
        while seats_to_move(game)[0].number != last:
            playing.play_next()
            assert typing.page.evaluate("performance.timeOrigin") == loaded  # the same page
            assert typing.control("talk-text").input_value() == WORDS
            assert typing.page.evaluate("document.activeElement.name") == "talk-text"
        assert playing.moves >= len(NAMES) - 1
        # A live region announces the new decision to those who can't see it.
        asked, told = (typing.page.locator(one) for one in ("#now .decision h2", "#live-news"))
        wait_until(lambda: told.text_content() == asked.text_content() != "")
        assert players[first].page.title() == game.name
    playing.play_a_round()
    assert playing.moves > len(NAMES)
    for player in players.values():
        assert player.watch.complaints == [], player.name
        player.context.close()
