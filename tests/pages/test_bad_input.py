"""Bad input to every form: never an error page, and what is refused (4xx) changes no game."""

import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.features.push.keys import new_key, own_key
from games.models import Event, Game, Move, Seat
from tests.support.site_forms import Form, World, demanded, whole_world

pytestmark = [pytest.mark.full, pytest.mark.django_db]

REQUESTS = 300
REQUESTS_IF_LONG = 20_000
FORM = "application/x-www-form-urlencoded"
JUNK = [
    "", " ", "0", "-1", "1", "1000", "1500", "-1000", "1e9", "1.5", "٣", "9" * 40, "-" + "9" * 40,
    "9" * 5000, "9223372036854775808", "NaN", "inf", "None", "true", "[]", "{}", "\x00", "a\x00b",
    "\u202e", "😀" * 50, "Å" * 5000, "' OR 1=1 --", "<script>", "../../etc",
    "9999-12-31", "0001-01-01", "2026-02-30", "default", "red", "red-clerk-1", "UTC",
    "Europe/Vienna", "a@example.org", b"\xff\xfe", "a@" + "b" * 300, "@Boris " * 300,
    "\r\nBcc: a@example.org", "[" * 100_000, "//[", "https://\u2100/", "http://testserver:x/",
]  # fmt: skip
WORDS = st.one_of(
    st.sampled_from(JUNK),
    st.integers().map(str),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=60),
)
NUMBER_OR_TOKEN = re.compile(r"(?<=/)(\d+|[\w:.-]{16,})(?=/)")


@pytest.fixture
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    request.getfixturevalue("settings").PUSH_KEY = new_key()
    own_key.cache_clear()
    yield whole_world()
    own_key.cache_clear()


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
            response = world.browser(reader).post(address, body, content_type=kind)
            answers[response.status_code] += 1
            assert response.status_code < 500
            if response.status_code >= 400:
                assert games_now() == before
        finally:
            transaction.savepoint_rollback(unchanged)
            # Released too: thousands of open ones would use up the database's memory for locks.
            transaction.savepoint_commit(unchanged)

    post()
    # The requests are neither all sound nor all refused at the door.
    assert {200, 302, 404, 409, 422} <= answers.keys()
