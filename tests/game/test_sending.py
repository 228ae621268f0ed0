"""Sending scholars: the form offers kinds of scholars, and the game sends scholars."""

import pytest

from games.engine import view
from games.models import Move
from intrigue_site.scenarios import lay_out, scenario
from tests.support.client import as_shown, browser, move_form
from tests.support.tables import MONDAY, seats_to_move

pytestmark = [pytest.mark.full, pytest.mark.django_db]


class Sending:
    """A player who sends scholars, and the form for it."""

    def __init__(self):
        self.game = lay_out(scenario("sending"), MONDAY)
        [self.seat] = seats_to_move(self.game)
        self.state = self.game.decoded()
        self.player = browser(self.seat.user)
        page = self.player.get(self.game.get_absolute_url()).content.decode()
        self.page, self.form = page, move_form(page)

    def kinds(self):
        """The names of the scholars at home, by kind."""
        found = {}
        for scholar in view(self.state, self.seat.number).choice.scholars:
            found.setdefault(scholar.occupation, []).append(self.state.table.names[scholar])
        return list(found.values())

    def submit(self, *scholars):
        chosen = {f"send-scholar-{place}": name for place, name in enumerate(scholars, 1)}
        form = as_shown(self.form) | chosen
        return self.player.post(f"{self.game.get_absolute_url()}move/", form)

    def sent(self):
        [move] = self.moves()
        return [scholar for scholar, _palace in move.move["scholars"]]

    def moves(self):
        return Move.objects.filter(game=self.game, phase_no=self.game.phase_no)


def test_each_kind_is_offered_once_and_says_if_there_are_two():
    sending = Sending()
    assert {len(names) for names in sending.kinds()} == {1, 2}
    for place in (1, 2):
        offered = sending.form[f"send-scholar-{place}"].options
        assert offered == [names[0] for names in sending.kinds()]
    two = [names[0] for names in sending.kinds() if len(names) == 2]
    for name in two:
        assert f'<option value="{name}"' in sending.page
    assert sending.page.count(" (2)</option>") == 2 * len(two)


def test_who_sends_a_kind_twice_sends_both():
    sending = Sending()
    [*_, pair] = [names for names in sending.kinds() if len(names) == 2]
    assert sending.submit(pair[0], pair[0]).status_code == 302
    assert sending.sent() == pair


def test_the_name_of_a_twin_means_the_kind():
    sending = Sending()
    [*_, pair] = [names for names in sending.kinds() if len(names) == 2]
    assert sending.submit(pair[1], pair[0]).status_code == 302
    assert sending.sent() == pair


def test_nobody_is_sent_twice():
    sending = Sending()
    [alone, *_] = [names for names in sending.kinds() if len(names) == 1]
    assert sending.submit(alone[0], alone[0]).status_code == 422
    assert not sending.moves().exists()
