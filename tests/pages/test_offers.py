"""Pages offer only what is not refused: to who is muted or suspended, and without new games."""

import pytest
from django.utils import timezone

from games.features.guide import first_game
from games.models import Game
from games.services.game import notes as game_notes
from games.services.lobby import invitations, tables
from games.services.moderation.actions import site
from tests.support.client import browser, forms_of, person, text_of
from tests.support.moderators import marta_acts_on
from tests.support.sanctions import in_days
from tests.support.sites import by_nadja
from tests.support.tables import open_table

pytestmark = [pytest.mark.full, pytest.mark.django_db]

NEW_TABLE = 'href="/tables/new/"'
STATES = ("free", "muted", "suspended", "stopped")


@pytest.fixture
def anna():
    return person("Anna")


def bring_about(state, who):
    """Somebody is muted or suspended, or no new games are opened."""
    if state == "stopped":
        site.stop_new_games(by_nadja(timezone.now()))
    elif state != "free":
        marta_acts_on(who, {"muted": "mute", "suspended": "suspend"}[state], until=in_days(3))


def invited(who, *, closed):
    """The page of an invitation to a table that waits, or was closed."""
    game = open_table("Boris", size=4, now=timezone.now())
    invitations.invite(game_id=game.pk, user=game.host, addresses=[who.email], now=timezone.now())
    if closed:
        tables.cancel(game_id=game.pk, user=game.host, now=timezone.now())
    return game.invitations.get().get_absolute_url()


@pytest.mark.parametrize("state", STATES)
def test_a_closed_invitation_leads_to_a_new_table_only_for_those_who_may_open_one(state, anna):
    address = invited(anna, closed=True)
    bring_about(state, anna)
    page = browser(anna).get(address)
    assert (NEW_TABLE in page.content.decode()) == (state == "free")
    assert ("or you can open one yourself" in text_of(page)) == (state == "free")
    assert 'href="/tables/"' in page.content.decode()


@pytest.mark.parametrize("state", STATES)
def test_a_closed_table_leads_to_a_new_one_only_for_those_who_may_open_one(state, anna):
    game = open_table("Boris", size=4, now=timezone.now())
    tables.join(game_id=game.pk, user=anna, now=timezone.now())
    tables.cancel(game_id=game.pk, user=game.host, now=timezone.now())
    bring_about(state, anna)
    page = browser(anna).get(game.get_absolute_url()).content.decode()
    assert "This table is closed." in page
    assert (NEW_TABLE in page) == (state == "free")


@pytest.mark.parametrize("state", STATES)
def test_the_guide_of_a_game_that_is_over_leads_only_where_one_may_go(state, anna):
    game = first_game.begin(user=anna, now=timezone.now())
    Game.objects.filter(pk=game.pk).update(status="finished", deadline_at=None)
    bring_about(state, anna)
    page = browser(anna).get(game.get_absolute_url()).content.decode()
    assert 'id="guide"' in page
    assert (NEW_TABLE in page) == (state == "free")
    assert ("/first-game/" in forms_of(page)) == (state in {"free", "muted"})


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("address", ["/", "/first-game/"])
def test_a_first_game_is_offered_only_where_it_would_begin(state, address, anna):
    bring_about(state, anna)
    page = browser(anna).get(address)
    assert ("/first-game/" in forms_of(page.content.decode())) == (state in {"free", "muted"})
    assert ("You are suspended until" in text_of(page)) == (state == "suspended")
    assert ("No new tables can be opened right now" in text_of(page)) == (state == "stopped")


@pytest.mark.parametrize("state", STATES)
def test_an_invitation_can_be_accepted_by_all_but_the_suspended(state, anna):
    address = invited(anna, closed=False)
    bring_about(state, anna)
    page = browser(anna).get(address)
    forms = {action.removeprefix(address) for action in forms_of(page.content.decode())}
    assert ("accept/" in forms) == (state != "suspended")
    assert ("You are suspended until" in text_of(page)) == (state == "suspended")
    assert "Sign up to accept" not in text_of(page)


def test_a_suspended_player_reads_their_notes_and_is_offered_no_form_for_them():
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    game_notes.keep_notes(
        game=game, user=anna_of(game), text="Boris <b>bluffs</b>.", now=timezone.now()
    )
    Game.objects.filter(pk=game.pk).update(status="finished", deadline_at=None)
    notes = f"{game.get_absolute_url()}notes/"
    page = browser(anna_of(game)).get(game.get_absolute_url()).content.decode()
    assert notes in forms_of(page)
    marta_acts_on(anna_of(game), "suspend", until=in_days(3))
    page = browser(anna_of(game)).get(game.get_absolute_url()).content.decode()
    assert notes not in forms_of(page)
    assert '<p class="said">Boris &lt;b&gt;bluffs&lt;/b&gt;.</p>' in page
    assert 'id="notes"' in page


def test_without_notes_there_is_no_place_for_them_while_suspended():
    game = open_table("Boris", "Clara", "Dora", now=timezone.now())
    boris = game.host
    marta_acts_on(boris, "suspend", until=in_days(3))
    page = browser(boris).get(game.get_absolute_url()).content.decode()
    assert 'id="notes"' not in page


def anna_of(game):
    return game.seats.get(user__name="Anna").user
