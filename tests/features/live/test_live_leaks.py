"""What is private moves nobody else's page; and what each act announces to whom (days 31)."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from games.engine.orders import PayAmount
from games.models import Draft, Game, User, Vote
from games.services import live
from games.services.chat import messages
from games.services.game import notes, orders, seats, votes
from games.services.game.votes import Proposal
from games.services.lobby import invitations, tables
from games.services.operations import clock
from tests.support.client import browser, person
from tests.support.live import LiveProcess, live_process
from tests.support.patience import wait_until
from tests.support.promising import (
    in_order,
    offers,
    place_for,
    rivals_table,
    sitter,
    state_of,
)
from tests.support.tables import open_table, seats_to_move, submit_move, tick
from tests.support.whispering import offers_privately, replies_privately, whisper

pytestmark = pytest.mark.counts


def private_life(game: Game) -> None:
    """All that players can do that is nobody else's business; the second one is left out."""
    now = timezone.now()
    first, second, third = in_order(game)
    user = sitter(game, first)
    message = whisper(game, first, third, text="Psst!", now=now)
    messages.edit(message=message, user=user, text="Psst, you!", now=now)
    made = offers_privately(game, first, place_for(game), now=now)
    replies_privately(game, third, made, now=now)
    notes.keep_notes(game=game, user=user, text="Clara lies.", now=now)
    draft = {"about": Draft.About.MESSAGE, "phase_no": 0, "fields": {"talk-text": "Hm"}}
    notes.keep_draft(game=game, user=user, now=now, **draft)
    leave_order(game, second)


def leave_order(game: Game, seat: int) -> None:
    scholar = next(one for one in state_of(game).contenders if one.owner == seat)
    orders.leave_order(
        game_id=game.pk, user=sitter(game, seat), scholar=scholar, order=PayAmount(3000),
        wait_if_addressed=False, now=timezone.now(),
    )  # fmt: skip


def say(game: Game) -> None:
    user = sitter(game, in_order(game)[0])
    messages.say(game_id=game.pk, user=user, text="Hello", token=uuid4(), now=timezone.now())


def lines_of(
    process: LiveProcess, game: Game, readers: dict[str, User], life: Callable[[Game], None]
) -> dict[str, list[str]]:
    """What the pages of these people hear of what happens, and then of a message to all."""
    process.settle()
    pages = {who: process.open(browser(user), game.token) for who, user in readers.items()}
    life(game)
    process.settle()
    say(game)
    wait_until(lambda: all(game.token in page.received for page in pages.values()))
    process.close()
    return {who: page.lines for who, page in pages.items()}


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_nobody_else_hears_of_what_is_private():
    game = rivals_table(now=timezone.now(), press=Game.Press.PRIVATE)
    seated = zip(("first", "second", "third"), in_order(game), strict=True)
    readers = {who: sitter(game, seat) for who, seat in seated} | {"watching": person("Zoe")}
    with live_process() as process:
        plain = lines_of(process, game, readers, lambda _game: None)
        private = lines_of(process, game, readers, private_life)
    assert plain["second"] == plain["watching"] == plain["first"]
    assert private["second"] == plain["second"]
    assert private["watching"] == plain["watching"]
    assert "data: person" in private["first"]
    assert "data: person" in private["third"]


@pytest.fixture
def received(transactional_db) -> Iterator[list[str]]:
    """The topics that are announced, in order."""
    heard: list[str] = []

    def hear(topics: list[str], **_signal: object) -> None:
        heard.extend(topics)

    live.changed.connect(hear)
    yield heard
    live.changed.disconnect(hear)


def topics_of(received: list[str], act: Callable[[], object]) -> set[str]:
    received.clear()
    act()
    return set(received)


def everybody(game: Game, *more: User) -> set[str]:
    return {live.table_topic(game.pk)} | {live.person_topic(user.pk) for user in more}


@pytest.mark.django_db(transaction=True)
class TestTold:
    @pytest.mark.full
    def test_at_a_table_in_play(self, received):
        now = timezone.now()
        game = rivals_table(now=now, press=Game.Press.PRIVATE)
        first, second, third = in_order(game)
        one, two, three = (sitter(game, seat) for seat in (first, second, third))
        public = everybody(game)
        between = {live.person_topic(user.pk) for user in (one, three)}
        day = now.date() + timedelta(days=9)

        def heard(act: Callable[[], object]) -> set[str]:
            return topics_of(received, act)

        def vote() -> object:
            proposal = Proposal(Vote.Kind.PAUSE, 3)
            return votes.call_vote(game_id=game.pk, user=one, proposal=proposal, now=now)

        assert heard(lambda: whisper(game, first, third, now=now)) == between
        made = offers_privately(game, first, place_for(game), now=now)
        assert heard(lambda: replies_privately(game, third, made, now=now)) == between
        assert heard(lambda: leave_order(game, second)) == set()
        notes_of = {"game": game, "user": one, "text": "Hm.", "now": now}
        assert heard(lambda: notes.keep_notes(**notes_of)) == set()
        assert heard(lambda: say(game)) == public
        message = game.messages.get()
        assert heard(lambda: messages.edit(message=message, user=one, text="Hi", now=now)) == public
        assert heard(lambda: offers(game, first, place_for(game, least=5000), now=now)) == public
        assert heard(vote) == public
        cast = {"game_id": game.pk, "vote_id": game.votes.get().pk, "yes": False, "now": now}
        assert heard(lambda: votes.cast(user=two, **cast)) == public
        off = {"game_id": game.pk, "first_day": day, "last_day": day, "now": now}
        assert heard(lambda: seats.announce_days_off(user=two, **off)) == public
        assert heard(lambda: submit_move(game, seats_to_move(game)[0].user, now)) >= public
        assert heard(lambda: seats.step_aside(game_id=game.pk, user=two, now=now)) == public
        substitute = person("Zoe")
        sits = {"game_id": game.pk, "number": second, "user": substitute, "now": now}
        assert heard(lambda: seats.take_over(**sits)) == everybody(game, two, substitute)

    def test_at_a_table_that_waits(self, received):
        now = timezone.now()
        game = open_table("Anna", size=4, now=now)
        anna, boris, clara = game.host, person("Boris"), person("Clara")

        def heard(act: Callable[..., object], **more: object) -> set[str]:
            return topics_of(received, lambda: act(game_id=game.pk, **more))

        assert heard(tables.join, user=boris, now=now) == everybody(game, boris)
        assert heard(tables.leave, user=boris) == everybody(game, boris)
        assert heard(tables.join, user=clara, now=now) == everybody(game, clara)
        seat = game.seats.get(user=clara).pk
        assert heard(tables.remove, user=anna, seat_id=seat) == everybody(game, clara)
        assert heard(tables.set_listed, user=anna, listed=True, now=now) == everybody(game)
        assert heard(tables.cancel, user=anna, now=now) == everybody(game)

    def test_of_invitations(self, received):
        now = timezone.now()
        game = open_table("Anna", size=4, now=now)
        boris = person("Boris")
        asks = {"game_id": game.pk, "user": game.host, "now": now}
        by_email, to_nobody = ["boris@example.org"], ["stranger@example.org"]
        invite = invitations.invite
        assert topics_of(received, lambda: invite(**asks, addresses=by_email)) == everybody(
            game, boris
        )
        assert topics_of(received, lambda: invite(**asks, addresses=by_email)) == set()
        assert topics_of(received, lambda: invite(**asks, addresses=to_nobody)) == everybody(game)
        one = game.invitations.get(email="boris@example.org")
        declined = topics_of(received, lambda: invitations.decline(invitation_id=one.pk))
        assert declined == everybody(game, boris)

    def test_of_a_conversation_that_all_may_know_of_only_when_it_begins(self, received):
        now = timezone.now()
        game = rivals_table(now=now, press=Game.Press.PRIVATE, threads_shown=True)
        first, _second, third = in_order(game)
        between = {live.person_topic(sitter(game, seat).pk) for seat in (first, third)}
        begun = topics_of(received, lambda: whisper(game, first, third, now=now))
        assert begun == everybody(game) | between
        assert topics_of(received, lambda: whisper(game, third, first, now=now)) == between

    def test_by_the_clock(self, received):
        now = timezone.now()
        game = open_table("Anna", "Boris", "Clara", now=now)
        late = now + timedelta(days=9)
        tick(late)
        assert topics_of(received, lambda: clock.sweep(now=late)) >= everybody(game)
