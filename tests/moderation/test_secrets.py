"""Revealing secrets: who may, what is shown once, what is written, and what the table reads."""

import re

import pytest
from django.utils import timezone

from games.models import AuditLine, Game, OutboxEmail, Seat, SecretsRevealed
from games.services.game import seats
from games.services.moderation import secrets as secrets_service
from games.services.moderation.actions.requests import ActionRequest
from games.services.refused import Refused
from tests.support.client import as_shown, browser, forms_of, person, text_of
from tests.support.moderators import marta_acts, moderator
from tests.support.planted_secrets import planted_game
from tests.support.tables import open_table, seat_of

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db(transaction=True)]

WHY = "Anna says that her money is wrong."
EVERYTHING = {"balances": "on", "orders": "on", "notes": "on"}


@pytest.fixture
def game() -> Game:
    return planted_game()


def url(game: Game) -> str:
    return f"/admin/games/game/{game.pk}/glass/"


def look(client, game: Game, **things: str):
    """Fill in the form and hand it in."""
    form = as_shown(forms_of(client.get(url(game)).content.decode())[""])
    return client.post(url(game), form | {"reason": WHY} | things)


def test_everything_is_shown_once_and_never_kept(game):
    nora = browser(moderator("Nora"))
    page = look(nora, game, **EVERYTHING)
    assert page.status_code == 200
    assert "no-store" in page["Cache-Control"]
    text = text_of(page)
    assert re.search(r"Anna has [\d,]+,000\.", text)
    assert re.search(
        r"(Anna|Boris|Clara) has submitted a sealed bribe of 23,000 for the \w+ \w+\.", text
    )
    assert "pay 4,711,000." in text
    assert "my secret plan" in text
    assert "half a sentence" in text
    again = text_of(nora.get(url(game)))
    assert "my secret plan" not in again
    assert "4,711,000" not in again


def test_only_what_was_asked_for_is_shown(game):
    text = text_of(look(browser(moderator("Nora")), game, orders="on"))
    assert "pay 4,711,000." in text
    assert "my secret plan" not in text
    assert not re.search(r"Anna has \d", text)
    row = SecretsRevealed.objects.get()
    assert (row.balances, row.orders, row.notes) == (False, True, False)


def test_each_look_is_a_line_of_the_audit_log_without_the_secret(game):
    nora = browser(moderator("Nora"))
    look(nora, game, notes="on")
    look(nora, game, **EVERYTHING)
    lines = AuditLine.objects.filter(action="secrets.reveal").order_by("pk")
    assert [(one.who, one.game, one.reason, one.after) for one in lines] == [
        ("Nora", game, WHY, {"secrets": ["notes"]}),
        ("Nora", game, WHY, {"secrets": ["balances", "orders", "notes"]}),
    ]
    assert SecretsRevealed.objects.count() == 2


@pytest.mark.parametrize(
    ("filled", "text"),
    [
        ({"reason": "", "notes": "on"}, "Please choose or write a reason."),
        ({}, "Please choose what you need to see."),
    ],
)
def test_without_a_reason_or_a_thing_nothing_is_shown(game, filled, text):
    page = look(browser(moderator("Nora")), game, **filled)
    assert page.status_code == 422
    assert text in text_of(page)
    assert "my secret plan" not in text_of(page)
    assert not SecretsRevealed.objects.exists()
    assert not AuditLine.objects.exists()


def test_who_sits_there_and_who_is_no_moderator_see_nothing(game):
    anna = seat_of(game, "Anna").user
    anna_as_player = browser(anna)
    assert anna_as_player.get(url(game)).status_code == 302
    moderator_at_table = open_table("Emil", "Fritz", "Gerda", now=timezone.now())
    emil = seat_of(moderator_at_table, "Emil").user
    emil.is_staff = True
    emil.save()
    request = ActionRequest(emil, WHY, timezone.now())
    with pytest.raises(Refused, match="Only moderators"):
        secrets_service.reveal_secrets(request, game_id=game.pk, things=["notes"])
    nora = moderator("Nora")
    Seat.objects.filter(game=moderator_at_table, user=emil).update(user=nora)
    client = browser(nora)
    assert client.get(url(moderator_at_table)).status_code == 403
    assert client.post(url(moderator_at_table), {"reason": WHY, **EVERYTHING}).status_code == 403
    request = ActionRequest(nora, WHY, timezone.now())
    with pytest.raises(Refused, match="another moderator"):
        secrets_service.reveal_secrets(request, game_id=moderator_at_table.pk, things=["notes"])
    assert not SecretsRevealed.objects.exists()


def test_a_game_that_waits_or_is_over_has_no_secrets(game):
    waiting = open_table("Emil", size=3, now=timezone.now())
    nora = browser(moderator("Nora"))
    marta_acts(game, "cancel")
    for one in (waiting, game):
        assert "Only a running game has secrets." in text_of(nora.get(url(one)))
        page = nora.post(url(one), {"reason": WHY, **EVERYTHING})
        assert page.status_code == 422
        assert "Only a running game has secrets." in text_of(page)
    assert not SecretsRevealed.objects.exists()


def test_a_parked_game_whose_state_cannot_be_read_says_so(game):
    Game.objects.filter(pk=game.pk).update(
        parked_at=timezone.now(), deadline_at=None, state={**game.state, "stage": "no such stage"}
    )
    text = text_of(look(browser(moderator("Nora")), game, **EVERYTHING))
    assert "The state of this game can't be read" in text
    assert "my secret plan" in text
    assert "4,711,000" not in text


def test_the_table_reads_it_when_the_game_is_over_and_not_before(game):
    look(browser(moderator("Nora")), game, balances="on", notes="on")
    boris = browser(seat_of(game, "Boris").user)
    pages = [game.get_absolute_url(), f"{game.get_absolute_url()}history/"]
    assert all("Moderators saw" not in text_of(boris.get(page)) for page in pages)
    assert OutboxEmail.objects.filter(kind="table_news").count() == 0
    marta_acts(game, "cancel")
    text = re.compile(
        r"a moderator looked at money and sealed bribes and notes and drafts\. Reason: " + WHY
    )
    for page in pages:
        shown = text_of(boris.get(page))
        assert "Moderators saw hidden information in this game" in shown
        assert text.search(shown), shown
        assert "Nora" not in shown


def test_who_has_looked_may_not_take_a_seat_there(game):
    nora = moderator("Nora")
    clara = seat_of(game, "Clara")
    now = timezone.now()
    seats.step_aside(game_id=game.pk, user=clara.user, now=now)
    look(browser(nora), game, notes="on")
    with pytest.raises(Refused, match="You've seen secret information at this table"):
        seats.take_over(game_id=game.pk, number=clara.number, user=nora, now=now)
    seats.take_over(game_id=game.pk, number=clara.number, user=person("Olga"), now=now)
    assert game.seats.get(number=clara.number).user.name == "Olga"
