"""Every kind of page and POST that is measured, at tables of 3 and of 300 events.

A page is read again and again. Each POST goes to another table, a copy of the same one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import repeat
from typing import Any, NamedTuple
from uuid import uuid4

import psycopg
from django.utils import timezone

from games.engine import EDITIONS, decode
from games.models import Game
from tests.benchmarks.speed import world as worlds
from tests.benchmarks.speed.fields import fields
from tests.benchmarks.speed.in_process import Request, send, site
from tests.benchmarks.speed.world import World
from tests.support.client import as_shown, forms_of

NOT_TIMED = 4
"""How many of a kind's requests are not timed: bytes are counted first, then queries."""

NOBODY = worlds.cookie("")


@dataclass(frozen=True)
class Table:
    """A copy of a game, with the cookies of one who is to move and of one who is not."""

    path: str
    state: Any
    phase_no: int
    number: int
    mover: str
    other: str

    @property
    def move(self) -> dict[str, str]:
        return fields(self.state, self.number, self.phase_no)


TABLES = """
SELECT game.token, game.state, game.phase_no, mover.number, mover.user_id, other.user_id
FROM games_game game
JOIN LATERAL (SELECT number, user_id FROM games_seat WHERE game_id = game.id
    AND deadline_at IS NOT NULL ORDER BY number LIMIT 1) mover ON true
JOIN LATERAL (SELECT user_id FROM games_seat WHERE game_id = game.id
    AND deadline_at IS NULL ORDER BY number LIMIT 1) other ON true
WHERE game.id = ANY(%s) ORDER BY game.id
"""


def tables_of(db: psycopg.Connection, games: range) -> list[Table]:
    """These copies, their people signed in."""
    rows = db.execute(TABLES, (list(games),)).fetchall()
    cookies = worlds.sign_in(db, sorted({person for row in rows for person in row[4:]}))
    return [
        Table(f"/tables/{row[0]}/", decode(row[1]), *row[2:4], cookies[row[4]], cookies[row[5]])
        for row in rows
    ]


class Given(NamedTuple):
    """What all kinds are made from: `more_people` adds people; `runs` are those of a page."""

    db: psycopg.Connection
    world: World
    more_people: Callable[[int], range]
    runs: int
    tables: int


Kind = tuple[str, Iterator[Request], int]
"""A name, requests, and how many runs they are enough for."""


def all_kinds(given: Given) -> Iterator[Kind]:
    """Every kind; each has to be measured before the next one is taken."""
    few = given.tables - NOT_TIMED
    for events, source in (("3", given.world.new), ("300", given.world.long)):
        people = given.more_people(given.tables * source.size)
        copies = worlds.copy_games(given.db, source, given.tables, people)
        tables = tables_of(given.db, copies)
        for name, request in _pages_of_a_game(tables[0]):
            yield f"{name}.{events}", repeat(request), given.runs
        for name, requests in _posts_at(tables):
            yield f"{name}.{events}", requests, few
    for name, request in _other_pages(given.db, given.world):
        yield name, repeat(request), given.runs
    for name, requests in _other_posts(given):
        yield name, requests, few


def _pages_of_a_game(table: Table) -> Iterator[tuple[str, Request]]:
    yield "game", Request(table.path, table.mover)
    yield "game_not_to_move", Request(table.path, table.other)
    pages = "board", "deadlines", "orders", "rules", "step-aside"
    for rest in ("history", "history/2", *pages):
        name = f"game_{rest.replace('-', '_').replace('/2', '_step')}"
        yield name, Request(f"{table.path}{rest}/", table.other)
    yield "home", Request("/", table.mover)


def _posts_at(tables: list[Table]) -> Iterator[tuple[str, Iterator[Request]]]:
    """Posts to each of the tables, in an order in which all of them are accepted."""
    first_day = timezone.now().date() + timedelta(days=3)
    days = {"first_day": f"{first_day}", "last_day": f"{first_day + timedelta(days=1)}"}
    typed = {"talk-token": "", "talk-text": "I pay you back tomorrow."}
    no_choice = {"token": f"{uuid4()}"}
    forms: dict[str, tuple[str, Callable[[Table], dict[str, str]], str, int]] = {
        "notes": ("notes/", lambda _: {"notes-text": "Green owes me 3000."}, "mover", 302),
        "draft": ("draft/", lambda one: one.move | {"about": "answer"}, "mover", 302),
        "message": ("talk/", lambda _: typed | {"talk-token": f"{uuid4()}"}, "mover", 302),
        "order": ("orders/", _order, "other", 302),
        "days_off": ("days-off/", lambda _: days, "other", 302),
        "vote": ("votes/", lambda _: {"kind": "extend", "hours": "24"}, "other", 302),
        "review": ("review/", lambda one: one.move, "mover", 200),
        "move_refused": (
            "move/", lambda one: no_choice | {"phase_no": f"{one.phase_no}"}, "mover", 422
        ),
        "move_too_late": ("move/", lambda one: one.move | {"phase_no": "0"}, "mover", 409),
        "move": ("move/", lambda one: one.move, "mover", 302),
        "step_aside": ("step-aside/", lambda _: {"sure": "yes"}, "mover", 302),
        "come_back": ("come-back/", lambda _: {}, "mover", 302),
    }  # fmt: skip
    for name, (rest, form, who, status) in forms.items():
        yield (
            f"post_{name}",
            (Request(f"{one.path}{rest}", getattr(one, who), form(one), status) for one in tables),
        )


def _order(table: Table) -> dict[str, str]:
    """The last form of the page of orders as it is shown, but for who is paid what."""
    page = send(site(), Request(f"{table.path}orders/", table.other), gzip=False).decode()
    form = as_shown(forms_of(page)[""])
    return {name: value for name, value in form.items() if name != "csrfmiddlewaretoken"}


def _other_pages(db: psycopg.Connection, world: World) -> Iterator[tuple[str, Request]]:
    over, waiting = world.over.get_absolute_url(), world.waiting.get_absolute_url()
    anna = world.over.seats.select_related("user").first().user
    cookies = worlds.sign_in(db, [anna.pk, world.waiting.host_id])
    mine, host = cookies[anna.pk], cookies[world.waiting.host_id]
    for name, path in {
        "welcome": "/", "sign_in": "/accounts/login/", "sign_up": "/accounts/signup/",
        "rules": "/rules/", "rules_of_edition": f"/rules/{next(iter(EDITIONS))}/",
        "status": "/status/", "finished_game": over, "finished_game_step": f"{over}history/60/",
    }.items():  # fmt: skip
        yield name, Request(path, NOBODY)
    yield "not_found", Request("/nothing/here/", NOBODY, status=404)
    for name, path in {
        "home_of_no_game": "/", "open_tables": "/tables/", "open_table": "/tables/new/",
        "first_game": "/first-game/", "profile": "/accounts/profile/", "people": "/people/",
        "person": f"/people/{world.waiting.host_id}/", "reports": "/reports/",
        "report_table": f"{waiting}report/", "finished_game_signed_in": over,
        "finished_game_charts": f"{over}charts/", "finished_game_record": f"{over}record/",
    }.items():  # fmt: skip
        yield name, Request(path, mine)
    yield "waiting_table_of_host", Request(waiting, host)
    yield "waiting_table", Request(waiting, mine)


def _other_posts(given: Given) -> Iterator[tuple[str, Iterator[Request]]]:
    count, size = given.tables, given.world.waiting.size
    waiting = worlds.copy_games(
        given.db, given.world.waiting, count, given.more_people(count * size)
    )
    games = Game.objects.filter(pk__in=waiting).order_by("pk")
    guests = list(worlds.sign_in(given.db, given.more_people(count)).values())
    page = send(site(), Request("/tables/new/", guests[0]), gzip=False).decode()
    form = as_shown(forms_of(page)[""]) | {"name": "The Lido table"}
    del form["csrfmiddlewaretoken"]
    yield (
        "post_join",
        (
            Request(f"{game.get_absolute_url()}join/", cookie, {}, 302)
            for game, cookie in zip(games, guests, strict=True)
        ),
    )
    yield (
        "post_open_table",
        (
            Request("/tables/new/", cookie, form | {"opening_token": f"{uuid4()}"}, 302)
            for cookie in guests
        ),
    )
    german = {"language": "de", "next": "/rules/"}
    yield "post_language", repeat(Request("/language/", NOBODY, german, 302))
