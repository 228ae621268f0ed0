"""The board shows for each absent seat since when, and who plays there."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client

from games.models import Game
from games.services.accounts.account import delete_account
from games.services.game import seats
from tests.support.client import browser, person
from tests.support.tables import MONDAY, open_table, seat_of, seats_to_move, submit_move

pytestmark = pytest.mark.django_db

LATER = MONDAY + timedelta(hours=3)
SINCE = "Absent since Mon 2 Mar, 12:00"
WANTED = "and a substitute is needed."


def game_without_clara(**more):
    """Clara has stepped aside three hours after the beginning."""
    game = open_table("Anna", "Boris", "Clara", **more)
    seats.step_aside(game_id=game.pk, user=seat_of(game, "Clara").user, now=LATER)
    game.refresh_from_db()
    return game


def board_of(game, reader=None):
    """The drawn board and the one in a table, as this person reads them: text by palace."""
    client = browser(reader) if reader is not None else Client()
    drawn = client.get(game.get_absolute_url()).content.decode()
    table = client.get(f"{game.get_absolute_url()}board/").content.decode()
    palaces = re.findall(r'<article class="palace.*?</article>', drawn, re.DOTALL)
    parts = table.partition("</table>")[0].split("<tbody>")
    return [text(palace) for palace in palaces], [text(part) for part in parts[1:]]


def text(html):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


@pytest.mark.full
def test_drawn_and_in_the_table_it_stands_at_the_absent_seat_alone():
    game = game_without_clara()
    absent = seat_of(game, "Clara").number
    for reader in ("Anna", "Boris", "Clara"):
        drawn, table = board_of(game, seat_of(game, reader).user)
        text = f"{SINCE}; the clock is playing instead, {WANTED}"
        assert [text in palace for palace in drawn] == [seat == absent for seat in range(3)]
        assert [text in part for part in table] == [*(seat == absent for seat in range(3)), False]


@pytest.mark.full
def test_it_is_shown_on_the_readers_clock():
    game = game_without_clara()
    zoe = person("Zoe", time_zone="Asia/Tokyo")
    drawn, _ = board_of(game, zoe)
    assert any("Absent since Mon 2 Mar, 21:00; the clock" in palace for palace in drawn)


def test_the_computer_player_of_the_table_is_named():
    game = game_without_clara(absent_player="courtier")
    drawn, _ = board_of(game, seat_of(game, "Anna").user)
    assert any(
        f"{SINCE}; the computer player “courtier” is playing instead, {WANTED}" in one
        for one in drawn
    )


@pytest.mark.full
def test_where_nobody_new_may_come_no_substitute_is_promised():
    game = game_without_clara()
    Game.objects.filter(pk=game.pk).update(closed_to_newcomers=True)
    drawn, table = board_of(game, seat_of(game, "Anna").user)
    assert any(f"{SINCE}; the clock is playing instead." in palace for palace in drawn)
    assert WANTED not in " ".join([*drawn, *table])


@pytest.mark.full
def test_a_seat_whose_person_has_no_account_any_more_shows_it():
    game = open_table("Anna", "Boris", "Clara")
    delete_account(seat_of(game, "Clara").user, LATER)
    drawn, table = board_of(game, seat_of(game, "Anna").user)
    text = "Empty seat, played by the clock. A substitute is needed."
    assert sum(text in palace for palace in drawn) == sum(text in part for part in table) == 1


@pytest.mark.full
def test_it_stands_also_beside_what_is_new_and_goes_when_they_are_back():
    game = game_without_clara()
    anna, clara = seat_of(game, "Anna").user, seat_of(game, "Clara").user
    board_of(game, anna)
    asked = seats_to_move(game)[0].user
    submit_move(game, asked, LATER)
    drawn, _ = board_of(game, anna)
    assert any(SINCE in palace for palace in drawn)
    seats.come_back(game_id=game.pk, user=clara, now=LATER)
    drawn, table = board_of(game, anna)
    assert "Absent since" not in " ".join([*drawn, *table])


def test_when_the_game_is_over_nobody_is_absent():
    game = game_without_clara()
    Game.objects.filter(pk=game.pk).update(status="finished", deadline_at=None)
    drawn, table = board_of(game, seat_of(game, "Anna").user)
    assert "Absent since" not in " ".join([*drawn, *table])
