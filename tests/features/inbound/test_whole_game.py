"""A whole game of four people, of whom one has nothing but a mail program."""

import json
import re
from random import Random

import pytest
from django.utils import timezone

from games.engine.promises import PlaceIn, Promise
from games.engine.record import adjudicate, record_state
from games.models import Event, Game, InboundTally, Message, Move, OutboxEmail, User
from games.services.game.records import game_record
from tests.features.inbound.replying import Correspondent, confirmed, lmtp_server, plain
from tests.support import promising
from tests.support.client import at_random, browser, move_form
from tests.support.tables import open_table, seats_to_move

pytestmark = pytest.mark.full

NAMES = ("Anna", "Boris", "Clara", "Dora")


class Table:
    """Anna replies to her email; the others use the pages."""

    def __init__(self, game, smtp, server, language):
        self.game = game
        self.chance = Random(f"{game.edition} {language}")
        anna = confirmed(User.objects.get(name="Anna"), language=language)
        self.anna = Correspondent(anna, smtp, server)
        self.browsers = {name: browser(User.objects.get(name=name)) for name in NAMES[1:]}
        self.decisions = 0
        self.has_chatted = False
        self.paid = 0
        self.seat = game.seats.get(user=anna).number

    def play(self):
        while self.game.status == Game.Status.RUNNING:
            [name, *_others] = [seat.user.name for seat in seats_to_move(self.game)]
            if name == "Anna":
                self.move_by_email()
            else:
                self.move_on_the_page(name)
            self.game.refresh_from_db()

    def move_on_the_page(self, name):
        url, client = self.game.get_absolute_url(), self.browsers[name]
        fields = move_form(client.get(url).content.decode())
        for _ in range(200):
            if client.post(f"{url}move/", at_random(fields, self.chance)).status_code == 302:
                return
        raise AssertionError(f"No answer of {name} is accepted: {fields}")

    def move_by_email(self):
        """Ask what can be done, do that, and confirm it."""
        emails = [one for one in self.anna.fetch() if one["Reply-To"]]
        self.decisions += 1
        latest = emails[-1] if emails else self.latest
        [helped] = self.anna.reply(latest, HELP[self.anna.user.language])
        text = helped.get_body(("plain",)).get_content()
        if not self.has_chatted:
            self.chat(helped, text)
        examples = re.findall(r"^(.+) — (?:your move|dein Zug|ваш ход)\r?$", text, re.MULTILINE)
        assert examples, text
        self.confirm(helped, self.paying_more("\n".join(examples)))

    def confirm(self, email, text):
        """Reply this, and confirm what was understood; the response to that."""
        [understood] = self.anna.reply(email, text)
        assert understood["Subject"].startswith(CONFIRM[self.anna.user.language]), plain(understood)
        responses = self.anna.reply(understood, CONFIRMED[self.anna.user.language])
        title = DONE[self.anna.user.language]
        [self.latest] = [one for one in responses if one["Subject"].startswith(title)]
        return self.latest

    def chat(self, email, help_text):
        """Say something, make an offer as the help has it, accept one, and be away for a while."""
        self.has_chatted = True
        self.confirm(email, SAID)
        self.anna.is_away(email)
        [offer] = re.findall(
            r"^(.+) — (?:an offer|ein Angebot|предложение)\r?$", help_text, re.MULTILINE
        )
        self.confirm(email, offer)
        promiser = (self.seat + 1) % self.game.size
        state = promising.state_of(self.game)
        scholar, area = state.unsent[self.seat][0], max(state.table.edition.areas)
        promise = Promise(promiser, self.seat, PlaceIn(scholar, None, area), None)
        promising.offers(self.game, promiser, promise, now=timezone.now())
        [standing] = self.anna.reply(email, "status")
        self.confirm(standing, ACCEPT[self.anna.user.language])

    def paying_more(self, commands):
        """The commands, with the first bribe raised: not the default, which pays the least."""
        word = BRIBE[self.anna.user.language]
        if self.paid or not commands.startswith(word):
            return commands
        least = re.search(r"\d{1,3}(?:[.,\s]\d{3})+", commands)
        self.paid = 2 * int(re.sub(r"\D", "", least[0]))
        return f"{commands[: least.start()]}{self.paid}{commands[least.end() :]}"


HELP = {"en": "help", "de": "Hilfe", "ru": "помощь"}
CONFIRM = {"en": "Please confirm", "de": "Bitte bestätigen", "ru": "Подтвердите"}
CONFIRMED = {"en": "confirm", "de": "bestätigen", "ru": "подтвердить"}
BRIBE = {"en": "bribe", "de": "bestich", "ru": "взятка"}
ACCEPT = {"en": "accept", "de": "annehmen", "ru": "принять"}
SAID = "Bribes? Me?\n\nNever!"
DONE = {"en": "Done", "de": "Erledigt", "ru": "Готово"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.long(after=1)
@pytest.mark.parametrize(
    ("edition", "language", "bribing"),
    [
        ("fx-schmid-1994", "de", "simultaneous"),
        ("russian", "ru", "sequential"),
        ("mayfair-2005", "en", "sequential"),
    ],
)
def test_four_play_and_one_of_them_by_email_alone(smtp, edition, language, bribing):
    options = {"rounds": 3, "bribing": bribing}
    game = open_table(*NAMES, edition=edition, options=options, now=timezone.now(), seed=7)
    with lmtp_server() as server:
        table = Table(game, smtp, server, language)
        table.play()

    anna = table.anna.user
    assert Move.objects.filter(game=game, user=anna, cause="player").count() >= table.decisions > 3
    assert Message.objects.get(author=anna).text == SAID
    assert InboundTally.objects.get(outcome="automatic").count == 1
    bribes = [one.move["bribes"] for one in game.moves.filter(user=anna, move__type="bribe")]
    assert any(table.paid in [amount for _who, amount in paid] for paid in bribes), bribes
    offers = Event.objects.filter(game=game, kind="OfferMade", payload__by=table.seat)
    assert offers.count() == 1
    [accepted] = Event.objects.filter(game=game, kind="OfferReplied")
    assert (accepted.payload["seat"], accepted.payload["reply"]) == (table.seat, "accepted")
    record = json.loads(json.dumps(game_record(game, anna)))
    result, moves = adjudicate(record)
    assert "error" not in result
    assert result["final"] == record_state(game.decoded())
    assert moves == game.moves.count()
    assert not OutboxEmail.objects.filter(person=anna, status="failed").exists()
