"""Twin games that differ only in what is hidden from a person give them the same export.

The same story is told twice from the same start, with the same numbers of all rows, once with what
others keep to themselves and once without; the exports must not differ by a byte.
"""

import json
from datetime import timedelta

import pytest
import time_machine

from games.engine import Bribe
from games.engine.orders import HighestBribes
from games.features.export.contents import contents_of
from games.models import Draft, Game, User
from games.services.chat import messages
from games.services.game import notes, orders, seats
from games.services.people import acquaintances, blocks
from tests.chat.test_private_leaks import positions, undone
from tests.support.client import person
from tests.support.promising import in_order, moves, place_for, rivals_table, sitter, state_of
from tests.support.tables import MONDAY, tick
from tests.support.whispering import offers_privately, replies_privately, whisper

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db]

NOW = MONDAY + timedelta(hours=1)


def keep_to_themselves(game: Game, one: int, other: int, *, with_orders: bool) -> None:
    """All that two players can do that is nobody else's business."""
    user = sitter(game, one)
    message = whisper(game, one, other, text="Psst!", now=NOW)
    messages.edit(message=message, user=user, text="Psst, you!", now=NOW)
    made = offers_privately(game, one, place_for(game), text="Well?", now=NOW)
    replies_privately(game, other, made, now=NOW)
    notes.keep_notes(game=game, user=user, text="They lie.", now=NOW)
    draft = {"about": Draft.About.MESSAGE, "phase_no": 0, "fields": {"talk-text": "Hm"}}
    notes.keep_draft(game=game, user=user, now=NOW, **draft)
    for seat in (one, other) if with_orders else ():
        orders.leave_order(
            game_id=game.pk, user=sitter(game, seat), scholar=None, order=HighestBribes(),
            wait_if_addressed=False, now=NOW,
        )  # fmt: skip


def feel(person: User, about: User) -> None:
    """What somebody thinks of another, who doesn't learn it."""
    blocks.block(user=person, other_id=about.pk, now=NOW)
    blocks.ignore(user=person, other_id=about.pk, now=NOW)


def exports(*, hidden: bool, then: str) -> tuple[dict[str, str], str]:
    """The exports of those who may know nothing of it, and of one who does it.

    `then` either all is over, or one hands in sealed bribes, or another player leaves. That orders
    played is told when the game is over.
    """
    tick(NOW)
    options = {"bribing": "simultaneous"}
    game = rivals_table(press=Game.Press.PRIVATE, seed=7, options=options)
    first, second, third = in_order(game)
    leaver, substitute, knowing = sitter(game, second), person("Zoe"), sitter(game, first)
    if hidden:
        keep_to_themselves(game, first, third, with_orders=then != "over")
        feel(knowing, sitter(game, second))
        acquaintances.declare(user=knowing, other_id=sitter(game, third).pk, now=NOW)
    if then == "over":
        while game.status == Game.Status.RUNNING:
            moves(game, None, now=NOW)
    if then == "sealed":
        one, two = (one for one in state_of(game).contenders if one.owner == first)
        bribe = Bribe(((one, 5000 if hidden else 1000), (two, 7000 if hidden else 1000)))
        moves(game, bribe, now=NOW)
    seen = {"player": exported(leaver)}
    if then == "left":
        seats.step_aside(game_id=game.pk, user=leaver, now=NOW)
        seats.take_over(game_id=game.pk, number=second, user=substitute, now=NOW)
        seen |= {"leaver": exported(leaver), "substitute": exported(substitute)}
    return seen, exported(knowing)


def exported(user: User) -> str:
    user = User.objects.get(pk=user.pk)
    return json.dumps(contents_of(user, NOW), indent=1)


@time_machine.travel(NOW, tick=False)
@pytest.mark.parametrize("then", ["sealed", "left", "over"])
def test_twins_give_the_same_export_to_all_who_may_not_know(then):
    start = positions()
    (without, plain), (with_it, seen) = (
        undone(exports, start, hidden=hidden, then=then) for hidden in (False, True)
    )
    assert without.keys() == with_it.keys()
    for who, text in without.items():
        assert text == with_it[who], who
    assert plain != seen  # the comparison can fail
    assert "Psst, you!" in seen


@time_machine.travel(NOW, tick=False)
def test_the_leaver_reads_what_a_spectator_reads():
    tick(NOW)
    game = rivals_table(press=Game.Press.PRIVATE, seed=7)
    first, second, third = in_order(game)
    leaver, stranger = sitter(game, first), person("Zoe")
    whisper(game, first, third, text="Psst!", now=NOW)
    seats.step_aside(game_id=game.pk, user=leaver, now=NOW)
    seats.take_over(game_id=game.pk, number=first, user=stranger, now=NOW)
    whisper(game, second, third, text="She has gone.", now=NOW)
    whisper(game, first, third, text="I am new here.", now=NOW)
    [own] = contents_of(leaver, NOW)["games"]
    assert own["position"]["cash"] == {}
    assert own["position"]["sealed"] == {}
    assert [len(one["messages"]) for one in own["conversations"]] == [0]
    [new] = contents_of(stranger, NOW)["games"]
    words = [message["text"] for one in new["conversations"] for message in one["messages"]]
    assert words == ["I am new here."]
