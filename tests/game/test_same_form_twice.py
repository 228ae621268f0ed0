"""The same form sent twice is one answer, and both requests are told so, however they meet."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Thread

import pytest
from django.contrib.messages import get_messages
from django.db import connection

from games.models import Game, Move
from tests.support.client import as_shown, browser, move_form
from tests.support.patience import PATIENCE_SECONDS
from tests.support.races import assert_whole, at_once
from tests.support.tables import open_table, seats_to_move

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db(transaction=True)]

STANDS = "Your move had already been submitted, and it counts."
IN = "Your move is in"


def asked_and_filled_in(game: Game):
    """Who is asked, and the form of the question as their page shows it."""
    user = seats_to_move(game)[0].user
    form = as_shown(move_form(browser(user).get(game.get_absolute_url()).content.decode()))
    return user, form | {"reviewed": "yes"}


def post(game, user, form, act="move"):
    """Send the form by a browser of its own; the status, and what the person is told."""
    answered = browser(user).post(f"{game.get_absolute_url()}{act}/", form)
    return answered.status_code, [str(said) for said in get_messages(answered.wsgi_request)]


def elsewhere(act: Callable[[], object]) -> None:
    """Do it in another thread, with a connection of its own, and wait until it is committed."""

    def run() -> None:
        try:
            act()
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    thread.join(PATIENCE_SECONDS)
    assert not thread.is_alive()


@contextmanager
def just_before_query(number: int, act: Callable[[], object]) -> Iterator[list[str]]:
    """Do something just before this query of what runs inside; all its queries so far.

    Nothing is done once the game is locked: from then on everybody else waits.
    """
    asked: list[str] = []

    def wrapper(execute, sql, params, many, context):
        if not any("FOR UPDATE" in one or "FOR NO KEY UPDATE" in one for one in asked):
            asked.append(sql)
            if len(asked) == number:
                elsewhere(act)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(wrapper):
        yield asked


@pytest.mark.parametrize("act", ["move", "review"])
def test_the_second_is_told_that_its_answer_stands_wherever_the_first_commits(act):
    """The first request commits before each single query of the second one in turn."""
    game = open_table("Anna", "Boris", "Clara")
    text, number = [], 0
    while True:
        number += 1
        user, form = asked_and_filled_in(game)
        client = browser(user)
        with just_before_query(number, partial(post, game, user, form)) as queries:
            second = client.post(f"{game.get_absolute_url()}{act}/", form)
        if len(queries) < number:
            break  # the second request has no such query any more: all were tried
        said = [str(one) for one in get_messages(second.wsgi_request)]
        text.append((second.status_code, said, queries[number - 1]))
        assert Move.objects.filter(token=form["token"]).count() == 1
    wrong = [one for one in text if not _is_right(act, *one[:2])]
    assert wrong == []
    assert any(STANDS in said for _status, said, _query in text)
    assert len(text) >= {"move": 4, "review": 7}[act]
    assert_whole(game)


def _is_right(act, status, said):
    """Told that the answer stands or is in; or, looked over before it was in, shown as it was."""
    if act == "review" and status == 200:
        return said == []
    return status == 302 and any(one.startswith((STANDS, IN)) for one in said)


def test_of_many_forms_sent_twice_at_once_every_one_is_in_and_nobody_is_told_otherwise():
    game = open_table("Anna", "Boris", "Clara")
    answered = []
    for _ in range(15):
        user, form = asked_and_filled_in(game)
        answered += at_once(*[partial(post, game, user, form)] * 2)
        assert Move.objects.filter(token=form["token"]).count() == 1
    assert len(answered) == 30
    assert {status for status, _said in answered} == {302}
    assert all(any(one.startswith((STANDS, IN)) for one in said) for _status, said in answered)
    assert_whole(game)
