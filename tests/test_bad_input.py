"""Bad input to every form: never an error page, and what is refused (4xx) changes no game."""

import re
from collections import Counter
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from random import Random
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLResolver, get_resolver, resolve
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.admin import acts as game_acts
from games.admin import person_acts, report_pages, site_pages
from games.engine import Stage, decode, view
from games.engine.orders import HighestBribes
from games.models import Event, Game, Move, Report, Seat, User, Vote
from games.services import (
    acquaintances,
    invitations,
    lobby,
    orders,
    reports,
    seats,
    subscriptions,
    talk,
    votes,
)
from games.services.reports import Complaint
from tests.engine.playouts import wild_move
from tests.moderators import administrator, moderator
from tests.tables import answer, awaited_seats, table_settings
from tests.web import all_forms, as_shown, browser, verified

pytestmark = pytest.mark.django_db

REQUESTS = 500
REQUESTS_IF_LONG = 20_000
PEOPLE = ["Anna", "Boris", "Clara", "Stranger"]
KEEPERS = {"Marta": moderator, "Nadja": administrator}
STAGES = [stage for stage in Stage if stage is not Stage.OVER]
FORM = "application/x-www-form-urlencoded"
JUNK = [
    "", " ", "0", "-1", "1", "1000", "1500", "-1000", "1e9", "1.5", "٣", "9" * 40, "-" + "9" * 40,
    "9223372036854775808", "NaN", "inf", "None", "true", "[]", "{}", "\x00", "a\x00b", "\u202e",
    "😀" * 50, "Å" * 5000, "' OR 1=1 --", "<script>", "../../etc", "9999-12-31", "0001-01-01",
    "2026-02-30", "default", "red", "red-clerk-1", "UTC", "Europe/Vienna", "a@example.org",
    b"\xff\xfe", "a@" + "b" * 300, "@Boris " * 300, "\r\nBcc: a@example.org",
]  # fmt: skip
WORDS = st.one_of(
    st.sampled_from(JUNK),
    st.integers().map(str),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=60),
)
NUMBER_OR_TOKEN = re.compile(r"(?<=/)(\d+|[\w:.-]{16,})(?=/)")

Fields = dict[str, str]


@dataclass(frozen=True)
class Form:
    """A form as a page shows it to somebody ("" is a visitor): where it goes and what it sends."""

    address: str
    reader: str
    fields: Fields


@dataclass
class World:
    """Tables in every stage, waiting and over, the people there, and all the forms they see."""

    people: dict[str, User] = field(default_factory=dict)
    cookies: dict[str, SimpleCookie] = field(default_factory=dict)
    forms: dict[str, list[Form]] = field(default_factory=dict)

    def browser(self, name: str) -> Client:
        client = Client()
        client.cookies = SimpleCookie(self.cookies[name].output(header="", sep=";"))
        return client

    def table(self, *names: str, size: int = 3, **more: object) -> Game:
        host, *others = (self.people[name] for name in names)
        now = timezone.now()
        game = lobby.open_table(host=host, settings=table_settings(size=size, **more), now=now)
        for other in others:
            lobby.join(game_id=game.pk, user=other, now=now)
        game.refresh_from_db()
        return game

    def table_in(self, stage: Stage, chance: Random) -> Game:
        """A game of Anna, Boris and Clara that waits in this stage."""
        game = self.table("Anna", "Boris", "Clara")
        while game.decoded().stage is not stage:
            if game.decoded().stage is Stage.OVER:
                game = self.table("Anna", "Boris", "Clara")
            play_on(game, chance)
        return game

    def read(self, name: str, address: str, stage: str = "") -> None:
        """Take the forms of a page as this person sees it."""
        page = self.browser(name).get(address)
        assert page.status_code == 200, address
        for action, controls in all_forms(page.content.decode()):
            self.add(name, action or address, as_shown(controls), stage)

    def add(self, name: str, address: str, fields: Fields, stage: str = "") -> None:
        found = resolve(address.partition("?")[0])
        kind = found.url_name
        if "slug" in found.kwargs:
            kind += f" {found.kwargs['slug']}"
        elif kind in {"review", "move"}:
            kind += f" {stage}"
        elif kind == "orders":
            kind += f" {fields['about'] if fields['about'] in ORDERS else 'bribe'}"
        self.forms.setdefault(kind, []).append(Form(address, name, fields))


def play_on(game: Game, chance: Random) -> None:
    """Somebody who is awaited answers with any legal move."""
    seat = awaited_seats(game)[0]
    choice = view(decode(game.state), seat.number).choice
    assert choice is not None
    answer(game, seat.user, timezone.now(), wild_move(choice, chance))
    game.refresh_from_db()


@pytest.fixture
def world() -> World:
    world, chance = World(), Random(3)
    for name in PEOPLE:
        world.people[name] = verified(name)
        world.cookies[name] = browser(world.people[name]).cookies
    for name, appointed in KEEPERS.items():
        world.people[name] = appointed(name)
        world.cookies[name] = browser(world.people[name]).cookies
    world.cookies[""] = SimpleCookie()
    read_accounts(world)
    read_waiting_tables(world)
    for stage in STAGES:
        read_running_table(world, world.table_in(stage, chance), stage)
    read_finished_table(world, chance)
    read_what_people_do(world, chance)
    read_desk(world, chance)
    return world


def read_accounts(world: World) -> None:
    for page in ("signup", "login", "login/code", "password/reset"):
        world.read("", f"/accounts/{page}/")
    client = Client()
    newcomer = {
        "email": "nora@example.org",
        "password1": "not so secret",
        "name": "Nora",
        "time_zone": "UTC",
    }
    client.post("/accounts/signup/", newcomer)
    world.cookies["Nora"] = client.cookies
    world.read("Nora", "/accounts/confirm-email/")
    for page in ("profile", "delete", "email", "password/change", "reauthenticate"):
        world.read("Anna", f"/accounts/{page}/")


def read_waiting_tables(world: World) -> None:
    world.read("Anna", "/tables/new/")
    waiting = world.table("Anna", "Boris", size=4)
    asked = ["stranger@example.org", "nobody@example.org"]
    anna, now = world.people["Anna"], timezone.now()
    invitations.invite(game_id=waiting.pk, user=anna, addresses=asked, now=now)
    for name in ("Anna", "Boris", "Stranger"):
        world.read(name, waiting.get_absolute_url())
    for invitation in waiting.invitations.all():
        world.read("Stranger", invitation.get_absolute_url())
    world.read("Boris", f"{waiting.get_absolute_url()}talk/")


def read_running_table(world: World, game: Game, stage: Stage) -> None:
    """Forms of everybody at the table: the question, its review, orders, talk, days off."""
    address = game.get_absolute_url()
    [awaited] = [seat.user.name for seat in awaited_seats(game)]
    idle, absent = (name for name in ("Anna", "Boris", "Clara") if name != awaited)
    announce_and_order(game, world.people[idle], world.people[absent])
    for name in PEOPLE:
        world.read(name, address, stage)
    for name in (awaited, idle):
        world.read(name, f"{address}orders/")
        world.read(name, f"{address}step-aside/")
        token = subscriptions.token_for(world.people[name], game)
        world.read("", f"/unsubscribe/{token}/")
        world.add("", f"/unsubscribe/{token}/undo/", {})
    asked = world.forms[f"review {stage}"][-1]
    world.add(asked.reader, f"{address}move/", asked.fields, stage)


def announce_and_order(game: Game, idle: User, absent: User) -> None:
    now = timezone.now()
    today = now.date()
    seats.announce_days_off(game_id=game.pk, user=idle, first_day=today, last_day=today, now=now)
    if game.decoded().round < game.decoded().table.edition.rounds:
        orders.leave_order(
            game_id=game.pk,
            user=idle,
            scholar=None,
            order=HighestBribes(),
            wait_if_addressed=False,
            now=now,
        )
    seats.step_aside(game_id=game.pk, user=absent, now=now)


def read_finished_table(world: World, chance: Random) -> None:
    game = world.table("Anna", "Boris", "Clara", options={"rounds": 1})
    while game.status == Game.Status.RUNNING:
        play_on(game, chance)
    world.read("Boris", game.get_absolute_url())


def read_what_people_do(world: World, chance: Random) -> None:
    """Votes, talk, reports and appeals, acquaintances and blocks, and what is kept for oneself."""
    now, boris, stranger = timezone.now(), world.people["Boris"], world.people["Stranger"]
    game = world.table_in(Stage.SENDING, chance)
    address = game.get_absolute_url()
    votes.call_vote(game_id=game.pk, user=boris, proposal=votes.Proposal(Vote.Kind.END), now=now)
    said = talk.say(game_id=game.pk, user=boris, text="Fool!", token=uuid4(), now=now)
    acquaintances.declare(user=boris, other_id=stranger.pk, now=now)
    for name in ("Anna", "Clara"):
        world.read(name, address)
        world.read(name, f"{address}talk/")
    world.read("Anna", f"{address}talk/{said.pk}/report/")
    world.read("Anna", f"{address}report/")
    for person in (boris, stranger):
        for page in ("", "report/"):
            world.read("Anna", f"/people/{person.pk}/{page}")
    world.read("Stranger", f"/people/{boris.pk}/")
    world.read("Stranger", "/people/")
    about = Complaint(world.people["Anna"], "He insults me.", uuid4(), now)
    reports.report_message(about, message=said)


def read_desk(world: World, chance: Random) -> None:
    """Every act of moderators and administrators, as its page shows it."""
    game = world.table_in(Stage.SENDING, chance)
    boris = world.people["Boris"]
    for act in game_acts.ALL:
        world.read("Marta", f"/admin/games/game/{game.pk}/act/{act.slug}/")
    world.read("Marta", f"/admin/games/game/{game.pk}/glass/")
    for act in person_acts.ALL:
        world.read("Marta", f"/admin/games/user/{boris.pk}/act/{act.slug}/")
    for act in site_pages.ALL:
        world.read("Nadja", f"/admin/site/act/{act.slug}/")
    report = Report.objects.get()
    for act in report_pages.ON_REPORTS:
        world.read("Marta", f"/admin/games/report/{report.pk}/act/{act.slug}/")
    for act in report_pages.ON_MESSAGES:
        world.read("Marta", f"/admin/games/message/{report.message_id}/act/{act.slug}/")


ORDERS = ("decision", "sending")
ACTS = {
    "act": game_acts.ALL,
    "person_act": person_acts.ALL,
    "site_act": site_pages.ALL,
    "report_act": report_pages.ON_REPORTS,
    "message_act": report_pages.ON_MESSAGES,
}
SEVERAL = {
    **{name: [act.slug for act in acts] for name, acts in ACTS.items()},
    "review": STAGES,
    "move": STAGES,
    "orders": ["bribe", *ORDERS],
}
"""Addresses that stand for several forms."""

NO_FORM: dict[str, str] = {}


def demanded() -> set[str]:
    """The names of all forms there have to be: of every address, but where none leads."""
    return {
        f"{name} {one}" if one else name
        for name in names_of_addresses(get_resolver()) - set(NO_FORM)
        for one in SEVERAL.get(name, [""])
    }


def names_of_addresses(resolver: URLResolver) -> set[str]:
    """All but those of the lists that Django makes of our tables: nothing can be changed there."""
    found: set[str] = set()
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            found |= names_of_addresses(pattern)
        elif pattern.name and not pattern.name.startswith("games_"):
            found.add(pattern.name)
    return found


def games_now() -> list[object]:
    """All that makes up the games: what a refused request must leave alone."""
    kept = (
        Game.objects.values_list("pk", "status", "state", "phase_no", "deadline_at", "host"),
        Seat.objects.values_list("pk", "game", "user", "number", "deadline_at", "absent_since"),
        Move.objects.values_list("pk"),
        Event.objects.values_list("pk"),
    )
    return [list(rows.order_by("pk")) for rows in kept]


@st.composite
def requests(draw: st.DrawFn, world: World) -> tuple[str, str, str, bytes]:
    """Who posts where, and what: a form as it was shown, with up to four things wrong."""
    every = world.forms
    form = draw(st.sampled_from(every[draw(st.sampled_from(sorted(every)))]))
    other = draw(st.sampled_from(every[draw(st.sampled_from(sorted(every)))]))
    pairs: list[tuple[str, str | bytes]] = list(form.fields.items())
    for _ in range(draw(st.integers(0, 4))):
        pairs = draw(wrong(pairs, other))
    reader = draw(st.sampled_from([form.reader] * 4 + sorted(world.cookies)))
    address = form.address
    if draw(st.integers(0, 9)) == 0:
        stranger = NUMBER_OR_TOKEN.findall(other.address)
        swapped = draw(st.sampled_from([*stranger, "0", "9" * 25, "no-such-token-at-all"]))
        address = NUMBER_OR_TOKEN.sub(swapped, address)
    usual = (FORM, urlencode(pairs, encoding="utf-8").encode())
    broken = [
        ("application/json", b'{"phase_no": 1}'),
        ("multipart/form-data; boundary=x", b"--x\r\nno such part"),
        (FORM, b"%zz=%ff&&==&phase_no=%00"),
    ]
    kind, body = draw(st.sampled_from([usual] * 12 + broken))
    return reader, address, kind, body


@st.composite
def wrong(
    draw: st.DrawFn, pairs: list[tuple[str, str | bytes]], other: Form
) -> list[tuple[str, str | bytes]]:
    """The fields with one thing wrong: missing, doubled, foreign, or with another value."""
    foreign = draw(st.sampled_from([*other.fields.items(), ("change", "1"), ("next", "//evil")]))
    what = draw(st.sampled_from(["value", "value", "value", "missing", "doubled", "foreign"]))
    if not pairs or what == "foreign":
        return [*pairs, foreign]
    at = draw(st.integers(0, len(pairs) - 1))
    name = pairs[at][0]
    if what == "missing":
        return pairs[:at] + pairs[at + 1 :]
    value = other.fields.get(name) if draw(st.booleans()) else None
    worse = (name, draw(WORDS) if value is None else value)
    return [*pairs, worse] if what == "doubled" else [*pairs[:at], worse, *pairs[at + 1 :]]


def test_bad_input_is_never_an_error_page_and_what_is_refused_changes_no_game(world, pytestconfig):
    assert demanded() - world.forms.keys() == set()
    before = games_now()
    answers: Counter[int] = Counter()

    @settings(
        max_examples=REQUESTS_IF_LONG if pytestconfig.getoption("--long") else REQUESTS,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(requests(world))
    def post(request: tuple[str, str, str, bytes]) -> None:
        reader, address, kind, body = request
        unchanged = transaction.savepoint_create()
        try:
            answer = world.browser(reader).post(address, body, content_type=kind)
            answers[answer.status_code] += 1
            assert answer.status_code < 500
            if answer.status_code >= 400:
                assert games_now() == before
        finally:
            transaction.savepoint_rollback(unchanged)
            # Released too: thousands of open ones would use up the database's memory for locks.
            transaction.savepoint_commit(unchanged)

    post()
    # The requests are neither all sound nor all refused at the door.
    assert {200, 302, 404, 409, 422} <= answers.keys()
