"""Email about offers and replies: it speaks to its reader, and gives the terms once."""

import pytest

from games.engine.ledger import Status
from games.engine.promises import Promise, SendNobody
from games.models import OutboxEmail
from games.services.email import delivery
from games.services.outbox import NEWS_WAITS
from tests.support.promising import bribing_table, in_order, offers, place_for, replies, sitter
from tests.support.tables import DAY, MONDAY

pytestmark = [pytest.mark.full, pytest.mark.django_db]


@pytest.fixture
def game(smtp):
    """A table whose first email has been sent."""
    game = bribing_table()
    delivery.drain(now=MONDAY + DAY / 24)
    OutboxEmail.objects.all().delete()
    smtp.messages.clear()
    return game


def mailed(smtp, person) -> str:
    """The text of the one email to this person."""
    delivery.drain(now=MONDAY + NEWS_WAITS)
    [mail] = [one for one in smtp.messages if one["To"] == person.email]
    return mail.get_body(("plain",)).get_content().replace("\r\n", "\n")


def test_an_offer_gives_its_terms_once_and_says_what_happens_without_a_reply(game, smtp):
    owner, other = in_order(game)[1], in_order(game)[0]
    offers(game, owner, place_for(game))
    name = sitter(game, owner).name
    text = mailed(smtp, sitter(game, other))
    offered = (
        f"{name} offers you: {name} hires your doctor at a salary of at least 6,000 if you pay at "
        "least 4,000."
    )
    assert text.count(offered) == 1
    assert text.count("hires your doctor") == 1
    assert "If you don't reply in time, the offer lapses." in text
    assert "offers you can reply to:" not in text.lower()


def test_an_offer_names_the_other_ones_that_wait_for_a_reply(game, smtp):
    owner, other = in_order(game)[1], in_order(game)[0]
    offers(game, owner, Promise(owner, other, SendNobody(None, 2)))
    delivery.drain(now=MONDAY + NEWS_WAITS)
    smtp.messages.clear()
    offers(game, owner, place_for(game))
    name = sitter(game, owner).name
    text = mailed(smtp, sitter(game, other))
    assert (
        "Other offers you can reply to:\n"
        f"- {name} offers you: {name} sends no one to you until the end of round 2.\n"
    ) in text


def test_a_reply_tells_who_offered_with_the_terms(game, smtp):
    owner, other = in_order(game)[1], in_order(game)[0]
    made_at = offers(game, owner, place_for(game))
    OutboxEmail.objects.all().delete()
    replies(game, other, made_at, Status.DECLINED)
    name, colour = sitter(game, other).name, game.colours[other]
    assert (
        f"{name} declines your offer: you hire the {colour} doctor at a salary of at least 6,000 "
        f"if {name} pays you at least 4,000."
    ) in mailed(smtp, sitter(game, owner)).replace("\n", " ")
