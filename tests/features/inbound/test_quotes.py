"""Our own email, quoted in ways that no mail program we know of does, is sent to nobody."""

import pytest

from games.features.inbound.letters.quotes import above_ours
from games.models import OutboxEmail
from games.services.email import delivery
from tests.features.inbound.replying import confirmed, lines, reply
from tests.support import promising
from tests.support.tables import MONDAY

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    game = promising.bribing_table()
    for seat in game.seats.select_related("user"):
        confirmed(seat.user, replies_at_once=True)
    OutboxEmail.objects.all().delete()
    return game


def name_of(game, place):
    return promising.sitter(game, promising.in_order(game)[place]).name


@pytest.fixture
def status(game, smtp):
    """What we have emailed to the first player, with all the money they have."""
    reply(game, name_of(game, 0), "status")
    delivery.drain(now=MONDAY.replace(year=2200))
    text = smtp.messages[-1].get_body(("plain",)).get_content().replace("\r\n", "\n")
    assert "You have 32,000 ducats." in text
    return text


@pytest.mark.full
@pytest.mark.parametrize(
    "introduction",
    [
        "",
        "Fra: Intrigue\nSendt: mandag\nTil: Anna\nEmne: How things stand\n",
        "Intrigue escribió el lunes:\n",
    ],
)
def test_a_quoted_email_of_ours_is_not_sent_on(game, status, introduction):
    reply(game, name_of(game, 0), f"Hello Boris!\n\n{introduction}\n{status}")
    assert game.messages.get().text == "Hello Boris!"


@pytest.mark.full
def test_a_part_of_one_is_refused(game, status):
    part = status.partition("\n\n")[2]
    row = reply(game, name_of(game, 0), f"Hello Boris!\n\n{part}")
    assert "Your email quotes one of ours" in lines(row)
    assert not game.messages.exists()


@pytest.mark.full
def test_a_move_above_such_a_quote_is_played(game, status):
    phase = game.phase_no
    row = reply(game, name_of(game, 0), f"bribe clerk 4000, doctor 1000\n\n{status}")
    assert row.response["title"] == "done", lines(row)
    assert game.phase_no == phase + 1


def test_only_what_greets_its_reader_is_an_email_of_ours():
    assert above_ours("Hello Boris,\nshall we talk?", "Anna") == "Hello Boris,\nshall we talk?"
    assert above_ours("Yes.\n\nHallo Anna!\n", "Anna") == "Yes."
    assert above_ours("Clerk: 4000\n\nHello Anna,", "Anna") == "Clerk: 4000"
