"""One game's row is locked from outside while its players post and everybody else plays on."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random

from tests.faults.checker import Figures, spread
from tests.faults.players import Players
from tests.faults.site import Site
from tests.faults.web import ASKED, UNANSWERED, Answer, Browser, Question, fill_in
from tests.support.patience import PATIENCE_SECONDS, wait_until

POSTS = 20
OTHERS = 15


def one_game_is_locked(site: Site, players: Players, posts: int = POSTS) -> Figures:
    """What happened while the lock was held; it is let go once all of it has happened."""
    figures = Figures()
    with site.database.connect() as watching:
        asked = reminder_is_due(site, players)
        forms = [fill_in(asked[number % len(asked)], Random(number)) for number in range(posts)]
        began = time.monotonic()
        since = watching.execute("SELECT clock_timestamp()").fetchone()
        assert since is not None
        game = asked[0].game
        emails = len(site.sink.taken)
        with ThreadPoolExecutor(posts + 2) as threads:
            with site.database.locked(game):
                waiting = [threads.submit(_hand_in, players, form) for form in forms]
                reading = [threads.submit(_read, site, players, asked[0]) for _ in range(2)]
                meanwhile: dict[str, Callable[[], object]] = {
                    "locked: no tick": lambda: _count(watching, "tick", since, "true") >= 3,
                    "locked: no default elsewhere": lambda: _count(
                        watching, "move", since, f"game_id <> {game} AND cause = 'clock'"
                    ),
                    "locked: no mail": lambda: len(site.sink.taken) > emails,
                    "locked: others cannot play": lambda: _played(players, began) >= OTHERS,
                    "locked: no health": lambda: site.status("/health/", 10),
                    "locked: its posts wait": lambda: all(post.done() for post in waiting),
                    "locked: its page waits": lambda: all(page.done() for page in reading),
                }
                figures.wrong |= _all_happen(meanwhile)
                figures.seen["locked for"] = f"{time.monotonic() - began:.1f} s"
                others = [found for found in list(players.requests) if found.began >= began]
            text = [post.result() for post in waiting]
            pages = [page.result() for page in reading]
    figures.wrong["locked: pages not shown"] = sum(page != 200 for page in pages)
    figures.wrong["locked: others unanswered"] = sum(
        found.status == UNANSWERED and found.game != game for found in others
    )
    figures.wrong["locked: its posts lost their way"] = sum(
        status not in {302, 409, 503} for status in text
    )
    answered = [found.seconds for found in others if found.game != game]
    figures.seen |= {f"others while locked {name}": time for name, time in spread(answered).items()}
    figures.seen["posts of the locked table"] = ", ".join(
        f"{text.count(status)} of {status}" for status in sorted(set(text))
    )
    players.answers += forms
    for form in forms:
        players.insist(form)
    players.spared.discard(game)
    return figures


def reminder_is_due(site: Site, players: Players) -> list[Question]:
    """What is asked at a table that is left alone by all others, and whose reminders are due."""
    wait_until(players.questions)
    game = players.questions()[0].game
    players.spared.add(game)
    with site.database.connect() as connection, connection.transaction():
        connection.execute("SELECT id FROM games_game WHERE id = %s FOR UPDATE", [game])
        later = "= now() + interval '1 hour'"
        connection.execute(
            f"UPDATE games_seat SET deadline_at {later}, remind_at = now()"
            " WHERE game_id = %s AND deadline_at IS NOT NULL",
            [game],
        )
        connection.execute(f"UPDATE games_game SET deadline_at {later} WHERE id = %s", [game])
        rows = connection.execute(ASKED.format(more=f"g.id = {game}")).fetchall()
    return [Question(*row) for row in rows]


def _count(watching, log: str, since: tuple, which: str) -> int:
    query = f"SELECT count(*) FROM faults.{log} WHERE at > %s AND {which}"
    return watching.execute(query, since).fetchone()[0]


def _played(players: Players, began: float) -> int:
    return sum(
        found.what == "post" and found.status in {302, 409}
        for found in list(players.requests)
        if found.began >= began
    )


def _hand_in(players: Players, form: Answer) -> int:
    browser = players.browser(form.question)
    browser.seconds = 2 * PATIENCE_SECONDS
    request = browser.post(form)
    form.text.append(request.status)
    return request.status


def _read(site: Site, players: Players, question: Question) -> int:
    cookie = site.people[question.user]
    return Browser(site.web_port, cookie, seconds=2 * PATIENCE_SECONDS).get(question).status


def _all_happen(happened: dict[str, Callable[[], object]]) -> dict[str, int]:
    """1 for each that has not happened in all that time."""
    missing = dict(happened)
    end = time.monotonic() + PATIENCE_SECONDS
    while missing and time.monotonic() < end:
        missing = {name: is_so for name, is_so in missing.items() if not is_so()}
        time.sleep(0.2)
    return {name: int(name in missing) for name in happened}
