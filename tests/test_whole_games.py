"""Whole games through the pages: four people, one of whom never answers; mails and the record."""

import json
import re
from datetime import timedelta
from random import Random

import pytest
import time_machine
from django.utils import timezone

from games.engine import decode
from games.engine.record import adjudicate, record_state
from games.models import Cause, Event, Game, Move, OutboxMail
from games.services import clock, outbox
from tests.tables import awaited_seats
from tests.web import at_random, browser, move_form, opening_form, person

START = "2026-03-02T09:00:00Z"
EDITIONS = ["mayfair-2005", "fx-schmid-1994", "russian", "reference-manual"]
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
        for name in PEOPLE[1:]:
            self.browsers[name].post(f"{self.url}join/")
        self.game = Game.objects.get()

    def play(self) -> None:
        while self.going_on():
            awaited = [seat.user.name for seat in awaited_seats(self.game)]
            willing = [name for name in awaited if name != "Dora"]
            if willing:
                self.answer(willing[0])
            else:
                self.wait_for_the_clock()

    def going_on(self) -> bool:
        self.game.refresh_from_db()
        return self.game.status == Game.Status.RUNNING

    def answer(self, name: str) -> None:
        """Answer with the page's form; random answers may be refused, and are then tried anew."""
        fields = move_form(self.browsers[name].get(self.url).content.decode())
        for _ in range(200):
            handed_in = self.browsers[name].post(f"{self.url}move/", at_random(fields, self.chance))
            if handed_in.status_code == 302:
                return
            assert handed_in.status_code == 422
        raise AssertionError(f"No answer of {name} is accepted: {fields}")

    def wait_for_the_clock(self) -> None:
        assert self.game.deadline_at is not None
        self.time.move_to(self.game.deadline_at - timedelta(minutes=1))
        clock.sweep(now=timezone.now())
        outbox.drain(now=timezone.now())
        self.time.move_to(self.game.deadline_at)
        assert clock.sweep(now=timezone.now()) >= 1
        outbox.drain(now=timezone.now())


@pytest.mark.parametrize("bribing", ["sequential", "simultaneous"])
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.django_db
def test_four_people_play_a_whole_game_and_its_record_adjudicates(edition, bribing, smtp):
    with time_machine.travel(START, tick=False) as time:
        table = Round(edition, {"bribing": bribing}, time)
        table.play()
        outbox.drain(now=timezone.now())
        record = table.browsers["Boris"].get(f"{table.url}record/")
    game = table.game

    answer, moves = adjudicate(json.loads(record.content))
    assert "error" not in answer
    assert answer["final"] == record_state(decode(game.state))
    assert moves == game.moves.count()

    by_the_clock = Move.objects.filter(game=game, cause=Cause.CLOCK)
    assert {move.seat.user.name for move in by_the_clock} == {"Dora"}
    assert not Move.objects.filter(seat__user__name="Dora", cause=Cause.PLAYER).exists()
    numbers = list(Event.objects.filter(game=game).values_list("seq", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))

    told = mails_by_kind(smtp.messages, to="dora@example.org")
    defaults = by_the_clock.count()
    assert told == {"turn": defaults, "reminder": defaults, "default": defaults, "over": 1}
    for name in PEOPLE[:3]:
        assert mails_by_kind(smtp.messages, to=f"{name.lower()}@example.org")["over"] == 1
    assert not OutboxMail.objects.exclude(status__in=["sent", "dropped"]).exists()


def mails_by_kind(messages, to):
    """How many mails of each kind somebody got, told by their first sentence."""
    kinds = {
        "turn": "It is your turn",
        "reminder": "still waits for you",
        "default": "the clock played for you",
        "over": "is over",
    }
    bodies = [
        re.sub(r"\s+", " ", message.get_body(("plain",)).get_content())
        for message in messages
        if message["To"] == to
    ]
    return {kind: sum(words in body for body in bodies) for kind, words in kinds.items()}
