"""What a rewind has undone isn't emailed any more (days 16)."""

from datetime import timedelta

import pytest

from games.engine.promises import Promise, SendNobody
from games.models import Game, OutboxEmail
from games.services import outbox
from games.services.email import delivery
from games.services.game.replay import event_rows
from games.services.game.rewind import boundaries
from tests.support.promising import (
    TEN,
    bribed,
    bribing_table,
    in_order,
    moves,
    offers,
    place_for,
    placed,
    replies,
    rewound,
    sitter,
)
from tests.support.tables import MONDAY
from tests.support.whispering import offers_privately, replies_privately, whisper

pytestmark = [pytest.mark.full, pytest.mark.django_db]

SOON = MONDAY + timedelta(seconds=5)
FIXED = MONDAY + outbox.NEWS_WAITS + timedelta(minutes=3)


def last_boundary(game: Game) -> int:
    return boundaries(game, event_rows(game))[-1].seq


def texts(smtp) -> list[tuple[str, str]]:
    return [(one["To"], one.get_body(("plain",)).get_content()) for one in smtp.messages]


@pytest.mark.parametrize("in_the_digest", [False, True])
def test_a_reply_isnt_emailed_when_another_offer_has_its_number(smtp, in_the_digest):
    game = bribing_table()
    other, owner, third = in_order(game)
    if in_the_digest:
        for seat in game.seats.select_related("user"):
            seat.user.digest_emails = ["offer_reply"]
            seat.user.save()
    made = offers(game, owner, Promise(owner, other, SendNobody(None, 2)))
    replies(game, other, made)
    rewound(game, last_boundary(game))
    again = offers(game, third, Promise(third, other, SendNobody(None, 3)))
    replies(game, other, again)
    OutboxEmail.objects.exclude(kind="offer_reply").delete()
    delivery.drain(now=MONDAY + timedelta(days=2) if in_the_digest else FIXED)
    assert [to for to, _text in texts(smtp)] == [sitter(game, third).email]


def test_a_broken_promise_isnt_emailed_when_another_offer_has_its_number(smtp):
    game = bribing_table()
    other, owner, _third = in_order(game)
    for salary in (TEN, 1000):
        made = offers(game, owner, place_for(game))
        replies(game, other, made)
        moves(game, bribed(game), placed(game, 3000, salary))
        if salary == TEN:
            rewound(game, boundaries(game, event_rows(game))[1].seq)
    OutboxEmail.objects.exclude(kind="promise_broken").delete()
    delivery.drain(now=FIXED)
    assert sorted(OutboxEmail.objects.values_list("status", flat=True)) == ["dropped", "sent"]


def test_private_news_of_the_undone_branch_isnt_emailed_and_words_are_marked(smtp):
    game = bribing_table(press="private")
    other, owner, third = in_order(game)
    made = offers_privately(game, owner, place_for(game))
    replies_privately(game, other, made)
    moves(game, bribed(game))
    boundary = last_boundary(game)
    OutboxEmail.objects.all().delete()
    offers_privately(game, third, Promise(third, other, SendNobody(None, 3)), text="Or me?")
    offers_privately(game, third, Promise(third, owner, SendNobody(None, 3)))
    moves(game, placed(game, 3000, TEN), now=SOON)
    whisper(game, owner, other, text="So sorry", now=SOON)
    rewound(game, boundary)
    OutboxEmail.objects.exclude(kind="private_message").delete()
    delivery.drain(now=FIXED)
    assert {to for to, _text in texts(smtp)} == {sitter(game, other).email}
    asked, sorry = [text for _to, text in texts(smtp)]
    assert "Or me?" in asked
    assert "promise" not in asked
    assert "So sorry" in sorry
    assert "promise" not in sorry.split("So sorry")[0]
    assert [text.count("before the rewind") for text in (asked, sorry)] == [1, 1]


def test_moves_of_the_undone_branch_are_marked_in_your_turn(smtp):
    game = bribing_table()
    moves(game, bribed(game))
    boundary = last_boundary(game)
    moves(game, placed(game, 3000, TEN), now=SOON)
    rewound(game, boundary)
    OutboxEmail.objects.exclude(kind="your_turn").delete()
    delivery.drain(now=FIXED)
    told = [text for _to, text in texts(smtp) if "(discarded)" in text]
    assert told
