"""What a profile tells of promises, and whom a kept or broken one counts for (days 27)."""

from datetime import timedelta

import pytest

from games.engine.promises import Promise, SendNobody
from games.models import Game, Sitting
from games.services.accounts.queries.profile import read_person
from games.services.game import seats
from games.services.game.replay import event_rows
from games.services.game.rewind import boundaries
from games.services.operations import clock
from tests.support.client import browser, html_of, person, text_of
from tests.support.promising import (
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
from tests.support.tables import DAY, MONDAY, leave, tick

pytestmark = [pytest.mark.full, pytest.mark.django_db]


def promised(game: Game, area: int = 6000) -> tuple[int, int]:
    """The owner has promised the other's doctor at least the six; both seats."""
    other, owner, _third = in_order(game)
    replies(game, other, offers(game, owner, place_for(game, area)))
    return owner, other


def play_to_the_end(game: Game) -> None:
    game.refresh_from_db()
    while game.status == Game.Status.RUNNING:
        moves(game, None, now=MONDAY + 3 * DAY)


def counts(game: Game, seat: int) -> list[tuple[int, int]]:
    """Kept and broken for each who sat there, the first one first."""
    sittings = Sitting.objects.filter(seat__game=game, seat__number=seat)
    return list(sittings.values_list("promises_kept", "promises_broken"))


def test_a_promise_counts_for_who_kept_it_once_the_game_is_over():
    game = bribing_table()
    owner, other = promised(game)
    moves(game, bribed(game), placed(game, 10000, 1000))
    assert counts(game, owner) == [(0, 0)]
    assert not any("Promises" in fact for fact in facts(game, owner))
    play_to_the_end(game)
    assert counts(game, owner) == [(1, 0)]
    assert counts(game, other) == [(0, 0)]
    assert facts(game, owner)[-1] == "Promises kept: 1. Promises broken: 0."
    assert not any("Promises" in fact for fact in facts(game, other))


def facts(game: Game, seat: int) -> list[str]:
    return read_person(sitter(game, seat), sitter(game, seat), MONDAY).facts


def test_a_promise_counts_for_who_broke_it():
    game = bribing_table()
    owner, _other = promised(game)
    moves(game, bribed(game), placed(game, 1000, 10000))
    play_to_the_end(game)
    assert counts(game, owner) == [(0, 1)]


def test_what_the_clock_plays_counts_for_nobody():
    tick(MONDAY)
    game = bribing_table()
    owner, _other = promised(game, area=10000)
    moves(game, bribed(game))
    tick(MONDAY + 2 * DAY)
    clock.sweep(now=MONDAY + 2 * DAY)
    kept = game.events.get(kind="PromiseJudged")
    assert (kept.payload["verdict"], kept.cause) == ("kept", "clock")
    play_to_the_end(game)
    assert counts(game, owner) == [(0, 0)]


def test_a_promise_that_a_round_settles_counts_for_who_sits_there():
    game = bribing_table()
    _other, owner, third = in_order(game)
    replies(game, third, offers(game, owner, Promise(owner, third, SendNobody(1, 1))))
    play_to_the_end(game)
    assert counts(game, owner) == [(1, 0)]


def test_an_inherited_promise_counts_for_nobody_and_an_own_one_for_the_substitute():
    game = bribing_table()
    owner, other = promised(game)
    later = MONDAY + timedelta(hours=1)
    leave(game, sitter(game, owner).name, now=later)
    seats.take_over(game_id=game.pk, number=owner, user=person("Dora"), now=later)
    own = Promise(owner, other, SendNobody(None, 1))
    replies(game, other, offers(game, owner, own, now=later), now=later)
    moves(game, bribed(game), placed(game, 1000, 10000), now=later)
    play_to_the_end(game)
    assert counts(game, owner)[0] == (0, 0)
    assert sum(counts(game, owner)[1]) == 1


def test_a_verdict_that_a_rewind_undoes_is_not_counted():
    game = bribing_table()
    owner, other = promised(game)
    moves(game, bribed(game), placed(game, 1000, 10000))
    boundary = boundaries(game, event_rows(game))[-1]
    rewound(game, boundary.seq)
    moves(game, placed(game, 10000, 1000))
    play_to_the_end(game)
    assert counts(game, owner) == [(1, 0)]
    page = browser(sitter(game, other)).get(f"{game.get_absolute_url()}promises/")
    assert "✓ kept" in text_of(page)
    assert "#seal-broken" not in html_of(page).partition("<h1>")[2].partition('id="settled"')[2]


def test_a_table_may_keep_its_promises_to_itself():
    game = bribing_table(promises_count=False)
    owner, _other = promised(game)
    moves(game, bribed(game), placed(game, 1000, 10000))
    play_to_the_end(game)
    assert counts(game, owner) == [(0, 0)]
    page = browser(sitter(game, owner)).get(f"{game.get_absolute_url()}promises/")
    assert '<use href="#seal-broken"/></svg> broken' in html_of(page)
    assert "Promises at this table aren't included in players' profiles." in text_of(
        browser(sitter(game, owner)).get(game.get_absolute_url())
    )
