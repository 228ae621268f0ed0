"""The one statement that reads claimed email reads what the models hold."""

import pytest

from games.models import MutedGame, OutboxEmail, Seat, User
from games.services import outbox
from games.services.email.claimed import read_claimed
from tests.support.client import person
from tests.support.tables import DAY, MONDAY, open_table

pytestmark = [pytest.mark.counts, pytest.mark.django_db]


def columns(row):
    return row and {field.attname: getattr(row, field.attname) for field in row._meta.fields}


def assert_as_the_models_say(ids):
    """Compare all that was read with what the ORM finds, and return it."""
    claims = read_claimed(ids)
    rows = OutboxEmail.objects.filter(pk__in=ids).order_by("not_before", "pk")
    assert [columns(claim.email) for claim in claims] == [columns(row) for row in rows]
    for claim, row in zip(claims, rows, strict=True):
        assert columns(claim.email.person) == columns(row.person)
        assert columns(claim.email.game) == columns(row.game)
        seats = Seat.objects.filter(game=row.game, user=row.person).exclude(user=None)
        assert columns(claim.seat) == columns(seats.first())
        assert claim.is_muted == MutedGame.objects.filter(user=row.person, game=row.game).exists()
    return claims


def test_email_to_players_to_somebody_else_to_an_address_and_about_no_game():
    game = open_table("Anna", "Boris", "Clara")
    other = open_table("Dora", "Emil", "Fanny", size=4)
    OutboxEmail.objects.all().delete()
    dora, emil = (User.objects.get(name=name) for name in ("Dora", "Emil"))
    MutedGame.objects.create(user=dora, game=other)
    outbox.enqueue("conduct", person=dora, about=1, now=MONDAY + DAY)
    for user in (emil, dora):
        outbox.enqueue("table_closed", game=other, person=user, now=MONDAY)
    outbox.enqueue("game_over", game=game, person=game.host, now=MONDAY)
    outbox.enqueue("game_over", game=game, person=person("Gustav"), now=MONDAY)
    outbox.enqueue("invitation", game=other, address="hanna@example.org", now=MONDAY)
    ids = list(OutboxEmail.objects.order_by("pk").values_list("pk", flat=True))
    claims = assert_as_the_models_say(ids)
    # The first one that was written is sent last.
    assert [claim.is_muted for claim in claims] == [False, True, False, False, False, False]
    seats = [claim.seat and claim.email.person.name for claim in claims]
    assert seats == ["Emil", "Dora", "Anna", None, None, None]
    assert assert_as_the_models_say(ids[1:2])[0].email.person == emil
    assert read_claimed([]) == []
