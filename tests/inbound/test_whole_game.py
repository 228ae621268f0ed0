"""A whole game of four people, of whom one has nothing but a mail program."""

import json
import re
from random import Random

import pytest
from django.utils import timezone

from games.engine.record import adjudicate, record_state
from games.models import Game, Message, Move, OutboxMail, User
from games.services.game.records import game_record
from tests.support.client import at_random, browser, move_form
from tests.support.replying import Correspondent, confirmed, lmtp_server, plain
from tests.support.tables import awaited_seats, open_table

NAMES = ("Anna", "Boris", "Clara", "Dora")


class Table:
    """Anna replies to her email; the others use the pages."""

    def __init__(self, game, smtp, server, language):
        self.game = game
        self.chance = Random(f"{game.edition} {language}")
        anna = confirmed(User.objects.get(name="Anna"), language=language)
        self.anna = Correspondent(anna, smtp, server)
        self.browsers = {name: browser(User.objects.get(name=name)) for name in NAMES[1:]}
        self.asked = 0

    def play(self):
        while self.game.status == Game.Status.RUNNING:
            [name, *_others] = [seat.user.name for seat in awaited_seats(self.game)]
            if name == "Anna":
                self.answer_by_email()
            else:
                self.answer_on_the_page(name)
            self.game.refresh_from_db()

    def answer_on_the_page(self, name):
        url, client = self.game.get_absolute_url(), self.browsers[name]
        fields = move_form(client.get(url).content.decode())
        for _ in range(200):
            if client.post(f"{url}move/", at_random(fields, self.chance)).status_code == 302:
                return
        raise AssertionError(f"No answer of {name} is accepted: {fields}")

    def answer_by_email(self):
        """Ask what can be done, do that, and confirm it."""
        mails = [one for one in self.anna.fetch() if one["Reply-To"]]
        self.asked += 1
        latest = mails[-1] if mails else self.latest
        [helped] = self.anna.reply(latest, HELP[self.anna.user.language])
        text = helped.get_body(("plain",)).get_content()
        examples = re.findall(r"^(.+) — (?:your move|dein Zug|ваш ход)\r?$", text, re.MULTILINE)
        assert examples, text
        [understood] = self.anna.reply(helped, "\n".join(examples))
        assert understood["Subject"].startswith(CONFIRM[self.anna.user.language]), plain(understood)
        answers = self.anna.reply(understood, CONFIRMED[self.anna.user.language])
        title = DONE[self.anna.user.language]
        [self.latest] = [one for one in answers if one["Subject"].startswith(title)]


HELP = {"en": "help", "de": "Hilfe", "ru": "помощь"}
CONFIRM = {"en": "Please confirm", "de": "Bitte bestätigen", "ru": "Подтвердите"}
CONFIRMED = {"en": "confirm", "de": "bestätigen", "ru": "подтвердить"}
DONE = {"en": "Done", "de": "Erledigt", "ru": "Готово"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("edition", "language", "bribing"),
    [
        ("mayfair-2005", "en", "sequential"),
        ("fx-schmid-1994", "de", "simultaneous"),
        ("russian", "ru", "sequential"),
    ],
)
def test_four_play_and_one_of_them_by_email_alone(smtp, edition, language, bribing):
    options = {"rounds": 3, "bribing": bribing}
    game = open_table(*NAMES, edition=edition, options=options, now=timezone.now(), seed=7)
    with lmtp_server() as server:
        table = Table(game, smtp, server, language)
        table.play()

    anna = table.anna.user
    assert Move.objects.filter(game=game, user=anna, cause="player").count() >= table.asked > 3
    assert not Message.objects.exists()
    record = json.loads(json.dumps(game_record(game, anna)))
    answer, moves = adjudicate(record)
    assert "error" not in answer
    assert answer["final"] == record_state(game.decoded())
    assert moves == game.moves.count()
    assert not OutboxMail.objects.filter(person=anna, status="failed").exists()
