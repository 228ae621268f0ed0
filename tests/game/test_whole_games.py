"""Whole games through the pages: four people, one of whom never answers; emails and the record."""

import json
import re
from collections import Counter
from random import Random

import pytest
import time_machine
from django.utils import timezone

from games.engine.record import adjudicate, record_state
from games.models import Cause, Event, Game, Move, OutboxEmail
from games.services.email import delivery
from games.services.operations import clock
from tests.support.client import (
    all_forms,
    as_shown,
    at_random,
    browser,
    forms_of,
    move_form,
    opening_form,
    person,
)
from tests.support.tables import seats_to_move, tick

pytestmark = [pytest.mark.full, pytest.mark.slow]

START = "2026-03-02T09:00:00Z"
IN_FULL = {
    "mayfair-2005": "sequential",
    "fx-schmid-1994": "simultaneous",
    "russian": "simultaneous",
    "reference-manual": "sequential",
}
"""The bribing with which an edition is played with all its rounds; `--long`: with both."""
PEOPLE = ["Anna", "Boris", "Clara", "Dora"]


class Round:
    """Four people around one table, each with a browser of their own."""

    def __init__(self, edition: str, options: dict[str, str], time: time_machine.Traveller) -> None:
        self.time = time
        self.chance = Random(edition)
        self.people = {name: person(name) for name in PEOPLE}
        self.browsers = {name: browser(user) for name, user in self.people.items()}
        form = opening_form(self.browsers["Anna"]) | {"edition": edition, "size": "4"}
        opened = self.browsers["Anna"].post("/tables/new/", form | options)
        self.url = opened["Location"]
        Game.objects.update(seed=2026)  # by which seats are drawn and the house plays
        for name in PEOPLE[1:]:
            self.browsers[name].post(f"{self.url}join/")
        self.game = Game.objects.get()

    def play(self) -> None:
        """Dora never answers until Emil takes her seat; Anna leaves orders where she may."""
        while self.going_on():
            self.find_a_substitute()
            to_move = [seat.user.name for seat in seats_to_move(self.game)]
            willing = [name for name in to_move if name != "Dora"]
            if self.chance.random() < 0.2:
                self.leave_orders("Anna")
            elif willing:
                self.answer(willing[0])
            else:
                self.wait_for_the_clock()

    def find_a_substitute(self) -> None:
        """Once the seat is absent, Emil takes it over by the button on the page."""
        if "Emil" in self.people or not self.game.seats.filter(absent_since__isnull=False):
            return
        self.people["Emil"] = person("Emil")
        self.browsers["Emil"] = browser(self.people["Emil"])
        page = self.browsers["Emil"].get(self.url).content.decode()
        [button] = [action for action in forms_of(page) if "/take-over/" in action]
        self.browsers["Emil"].post(button)

    def leave_orders(self, name: str) -> None:
        """Leave one order as its form is filled in, if there is any to leave."""
        url = f"{self.url}orders/"
        page = self.browsers[name].get(url).content.decode()
        forms = [fields for _, fields in all_forms(page) if "about" in fields]
        if forms:
            left = self.browsers[name].post(url, as_shown(self.chance.choice(forms)))
            assert left.status_code in {302, 422}

    def going_on(self) -> bool:
        self.game.refresh_from_db()
        return self.game.status == Game.Status.RUNNING

    def answer(self, name: str) -> None:
        """Answer with the page's form; random answers may be refused, and are then tried anew."""
        browser = self.browsers[name]
        fields = move_form(browser.get(self.url).content.decode())
        for _ in range(200):
            filled = at_random(fields, self.chance)
            looked_over = browser.post(f"{self.url}review/", filled)
            if looked_over.status_code == 200:
                handed_in = browser.post(f"{self.url}move/", filled | {"reviewed": "yes"})
                assert handed_in.status_code == 302
                return
            assert looked_over.status_code == 422
        raise AssertionError(f"No answer of {name} is accepted: {fields}")

    def wait_for_the_clock(self) -> None:
        """The clock ticks on to the next reminder or deadline."""
        seats = seats_to_move(self.game)
        times = [at for seat in seats for at in (seat.remind_at, seat.deadline_at) if at]
        self.time.move_to(min(times))
        tick(timezone.now())
        clock.sweep(now=timezone.now())
        delivery.drain(now=timezone.now())


@pytest.mark.long(after=2)
@pytest.mark.parametrize(
    ("edition", "bribing"),
    [
        *IN_FULL.items(),
        *(
            (edition, bribing)
            for edition, usual in IN_FULL.items()
            for bribing in {"sequential", "simultaneous"} - {usual}
        ),
    ],
)
@pytest.mark.django_db
def test_a_whole_game_with_orders_absence_and_a_substitute_and_its_record(edition, bribing, smtp):
    options = {"bribing": bribing}
    with time_machine.travel(START, tick=False) as time:
        table = Round(edition, options, time)
        table.play()
        delivery.drain(now=timezone.now())
        record = table.browsers["Boris"].get(f"{table.url}record/")
    game = table.game

    answer, moves = adjudicate(json.loads(record.content))
    assert "error" not in answer
    assert answer["final"] == record_state(game.decoded())
    assert moves == game.moves.count()
    numbers = list(Event.objects.filter(game=game).values_list("seq", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))

    dora = table.people["Dora"]
    assert not Move.objects.filter(user=dora).exists()
    assert Move.objects.filter(user=table.people["Emil"], cause=Cause.SUBSTITUTE).exists()
    text = emails(smtp, dora)
    missed = text["default"]
    assert missed >= 2
    assert text == {
        "started": 1,
        "turn": missed,
        "reminder": 2 * missed,
        "last": missed,
        "default": missed,
        "absent": 1,
        "over": 0,
    }
    for name in ("Anna", "Boris", "Clara", "Emil"):
        assert emails(smtp, table.people[name])["over"] == 1
    assert set(OutboxEmail.objects.values_list("status", flat=True)) == {"sent", "dropped"}
    sent = OutboxEmail.objects.filter(status="sent").values_list("message_id", flat=True)
    assert Counter(mail["Message-ID"] for mail in smtp.messages) == Counter(set(sent))


def emails(smtp, person):
    """How many emails of each kind somebody got, told by their words; each once."""
    kinds = {
        "started": "has started",
        "turn": "It's your turn",
        "reminder": "It's still your turn",
        "last": "This is the last reminder",
        "default": "the default move was played for you",
        "absent": "been marked absent",
        "over": "is over",
    }
    bodies = [
        re.sub(r"\s+", " ", message.get_body(("plain",)).get_content())
        for message in smtp.messages
        if message["To"] == person.email
    ]
    return {kind: sum(words in body for body in bodies) for kind, words in kinds.items()}
