"""Four people negotiate and play a whole game in their browsers, one on a phone without scripts.

Everybody makes each kind of move once by the pages; so does somebody with scripts and somebody
without, each kind of offer and of reply. What they do again, they do by the services.
"""

import json
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from django.utils import timezone

from games.engine import Bribe, Move, Stage, State, View
from games.engine.binding import may_play
from games.engine.choices import BribeChoice, legal
from games.engine.computer_players import play_random
from games.engine.ledger import Entry, Ledger, Status
from games.engine.promise_codec import decode_promise
from games.engine.promises import IfBribed, Verdict
from games.engine.record import adjudicate
from games.models import Event, Game
from games.services.game.offers import Offers, stored_offers
from games.services.game.position import read_position
from games.services.game.queries.promises import offers_in, read_promises
from games.services.lobby import tables
from games.services.public_ids import public_id
from games.services.refused import Refused
from games.table_events import OfferMade
from tests.browser.players import Player
from tests.browser.playing import as_forms_send, assert_board, fields_of, hand_in
from tests.support.client import verified
from tests.support.promising import offers, replies, sitter
from tests.support.tables import seats_to_move, submit_move, table_settings

pytestmark = [pytest.mark.full, pytest.mark.slow]

NAMES = ("Anna", "Boris", "Clara", "Dora")
WITHOUT_SCRIPTS = "Boris"
OFFERS_IN = 0.5
"""In what share of the decisions the player to move makes an offer first."""
PAYS_LESS = 0.2
"""In what share of the bribes nobody minds what was wanted in return for a promise."""
REPLIES = {
    "accept": Status.ACCEPTED,
    "decline": Status.DECLINED,
    "withdraw": Status.WITHDRAWN,
}


class Negotiation:
    """A game being played: four browsers, and chance that decides what their people do."""

    def __init__(self, game: Game, players: dict[int, Player], seed: int) -> None:
        self.game = game
        self.players = players
        self.chance = Random(seed)
        self.address = game.get_absolute_url()
        # What only binding promises do: choices left out, moves refused, offers refused.
        self.narrowed = self.refused = self.unacceptable = 0
        self._done: set[tuple[object, ...]] = set()

    def is_new(self, *kind: object) -> bool:
        """Whether nothing of this kind was done before, so that it is done by the pages."""
        is_new = kind not in self._done
        self._done.add(kind)
        return is_new

    def play(self) -> None:
        while self.game.status == Game.Status.RUNNING:
            seat = seats_to_move(self.game)[0].number
            if self.chance.random() < OFFERS_IN:
                self.offer(seat)
            self.move(seat)

    def offers(self) -> Offers:
        self.game.refresh_from_db()
        return stored_offers(self.game, self.game.decoded().table)

    def offer(self, seat: int) -> None:
        """Make one of the likely offers with one tap; the other player replies, or waits."""
        player, now = self.players[seat], timezone.now()
        position = read_position(self.game, sitter(self.game, seat))
        likely = read_promises(position, suggests=True).likely
        if not likely:
            return
        chosen = self.chance.randrange(len(likely))
        terms = json.loads(likely[chosen].terms)
        promise = decode_promise(self.game.decoded().table, seat, terms)
        if self.is_new("offer", player.javascript, type(promise.deed), type(promise.condition)):
            player.open(f"{self.address}offers/")
            taps = player.page.locator("form:has([name=terms]) button")
            assert taps.count() == len(likely)
            player.press(taps.nth(chosen))
            assert player.sees("You have made the offer")
            made = Event.objects.filter(game=self.game, kind=OfferMade.__name__)
            made_at = made.latest("seq").seq
        else:
            made_at = offers(self.game, seat, promise, now=now)
        entry = self.offers().entry(made_at)
        assert entry is not None
        assert entry.promise == promise
        reply = self.chance.choices(["accept", "decline", "withdraw", "wait"], [8, 1, 1, 1])[0]
        if reply != "wait":
            self.reply(entry.by if reply == "withdraw" else entry.other, made_at, reply)

    def reply(self, seat: int, made_at: int, reply: str) -> None:
        """The page shows what is refused, also after another refusal."""
        player = self.players[seat]
        if not self.is_new("reply", player.javascript, reply):
            with suppress(Refused):
                return replies(self.game, seat, made_at, REPLIES[reply], now=timezone.now())
        player.open(self.address)
        form = player.page.locator(f"form[action*='/offers/{public_id(offers_in(''), made_at)}/']")
        player.press(form.get_by_role("button", name=reply.capitalize(), exact=True))
        if not player.sees(f"You have {REPLIES[reply]} the offer."):
            assert player.sees("it would leave no legal move")
            self.unacceptable += 1
        return None

    def move(self, seat: int) -> None:
        """Move; first with what a binding promise forbids, if anything."""
        self.game.refresh_from_db()
        player, state = self.players[seat], self.game.decoded()
        user = sitter(self.game, seat)
        seen, ledger = read_position(self.game, user).view, self.offers().ledger
        is_narrowed = seen.choice != legal(state, seat)
        self.narrowed += is_narrowed
        move = self.drawn(seen, ledger)
        while not may_play(ledger, state, seat, move):
            player.open(self.address)
            self.fill_in(player, state, move)
            player.press(player.button("Submit now"))
            assert player.sees("This would break a binding promise")
            self.refused += 1
            move = self.drawn(seen, ledger)
        if self.is_new("move", seat, state.stage, is_narrowed):
            self.move_by_the_page(player, state, seat, move)
        else:
            assert submit_move(self.game, user, timezone.now(), move).played
        self.game.refresh_from_db()

    def move_by_the_page(self, player: Player, state: State, seat: int, move: Move) -> None:
        """By its form, beside a board that is right."""
        player.open(self.address)
        assert_board(player, state, seat)
        self.fill_in(player, state, move)
        hand_in(player, state.stage, move)

    def drawn(self, seen: View, ledger: Ledger) -> Move:
        """A move by chance; where a promise was bought with a bribe, mostly with that bribe."""
        move = as_forms_send(seen, play_random(seen, self.chance.getrandbits(32)))
        if not isinstance(seen.choice, BribeChoice) or self.chance.random() < PAYS_LESS:
            return move
        owed = [promise for entry in ledger for promise in entry.owed]
        asked = {
            one.condition.scholar: one.condition.least
            for one in owed
            if isinstance(one.condition, IfBribed) and one.to == seen.seat
        }
        bribes, cash = [], seen.choice.cash
        for scholar in seen.choice.scholars:
            least = asked.get(scholar, seen.choice.minimum)
            bribes.append((scholar, min(least, seen.choice.highest(cash))))
            cash -= bribes[-1][1]
        return Bribe(tuple(bribes)) if asked else move

    def fill_in(self, player: Player, state: State, move: Move) -> None:
        """Fill in the form of the decision; a sending that could be joined is left for later."""
        filled = fields_of(state, move)
        if state.stage is not Stage.SENDING and player.control("send-later").count():
            filled["send-later"] = "on"
        player.answer({key: text for key, text in filled.items() if player.control(key).count()})


@pytest.fixture
def begin(site, chromium):
    """Call it for a game of four people that has just begun, and their browsers."""
    begun: list[Negotiation] = []

    def negotiation(seed: int, **options: object) -> Negotiation:
        host, *others = [verified(name, time_zone="Europe/Vienna") for name in NAMES]
        now = timezone.now()
        settings = table_settings(options=options)
        game = tables.open_table(host=host, settings=settings, now=now)
        Game.objects.filter(pk=game.pk).update(seed=seed)
        for user in others:
            tables.join(game_id=game.pk, user=user, now=now)
        game.refresh_from_db()
        players = {}
        for seat in game.seats.select_related("user"):
            name = seat.user.name
            player = Player(chromium, site, name, javascript=name != WITHOUT_SCRIPTS)
            player.sign_in()
            players[seat.number] = player
        begun.append(Negotiation(game, players, seed))
        return begun[-1]

    yield negotiation
    for one in begun:
        for player in one.players.values():
            player.context.close()


def verdicts_of(entry: Entry) -> list[str]:
    """What has become of an offer, and of the promise in return."""
    if entry.status is not Status.ACCEPTED:
        return [entry.status]
    in_return = [] if entry.promise.in_return() is None else [entry.condition]
    return [entry.verdict, *in_return]


def judged(one: dict[str, Any]) -> list[str]:
    """The same of what `adjudicate` says about an offer."""
    in_return = [one["in_return"]["verdict"]] if "in_return" in one else []
    return [one["verdict"], *in_return]


def assert_all_can_say_who_owed_whom_what(played: Negotiation) -> None:
    """Every browser shows the same promises, kept and broken; the record says the same."""
    ledger = played.offers().ledger
    verdicts = Counter(verdict for entry in ledger for verdict in verdicts_of(entry))
    for player in played.players.values():
        player.open(f"{played.address}promises/")
        for verdict in (Verdict.KEPT, Verdict.BROKEN, Verdict.VOID):
            rows = player.page.locator(f".log li.{verdict}")
            assert rows.count() == verdicts[verdict], (player.name, verdict)
        tally = player.page.locator(".tally")
        for mark, verdict in (("✓", Verdict.KEPT), ("✗", Verdict.BROKEN)):
            cells = tally.locator(f".{verdict}").all_inner_texts()
            assert sum(int(cell.removeprefix(mark)) for cell in cells) == verdicts[verdict]
        player.open(played.address)
        assert player.watch.complaints == [], player.name
        with player.page.expect_download() as download:
            player.page.get_by_role("link", name="Download the record").first.click()
        record = json.loads(download.value.path().read_text())
        replayed, _moves = adjudicate(record)
        assert [judged(one) for one in replayed["promises"]] == list(map(verdicts_of, ledger))


def test_a_whole_game_with_promises_that_may_be_broken(begin):
    played = begin(seed=1)
    played.play()
    verdicts = [verdict for entry in played.offers().ledger for verdict in verdicts_of(entry)]
    assert {Verdict.KEPT, Verdict.BROKEN} <= set(verdicts)
    assert {entry.status for entry in played.offers().ledger} == set(Status) - {Status.OPEN}
    assert played.narrowed == played.refused == played.unacceptable == 0
    assert_all_can_say_who_owed_whom_what(played)
    betrayed = played.players[0]
    betrayed.open(f"{played.address}promises/")
    betrayed.press(betrayed.page.locator(".log li.broken a").first)
    assert betrayed.sees("broke")
    assert betrayed.page.locator(".board .palace").count() == len(NAMES)


@pytest.mark.long
def test_a_whole_game_with_binding_promises(begin):
    played = begin(seed=3, promises="binding", rounds=3)
    for player in played.players.values():
        player.watch.expected.add(422)
    played.play()
    assert (played.narrowed, played.refused, played.unacceptable) == (1, 2, 2)
    assert_all_can_say_who_owed_whom_what(played)
