"""What is sent to a form costs as much as it is long, not its square, whichever form it is."""

import time
from collections.abc import Iterator
from itertools import batched

import pytest
from django.db import transaction
from django.test import Client

from games.features.push.keys import new_key, own_key
from tests.support.site_forms import Form, World, whole_world

pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.django_db]

MOST = 480_000
"""Bytes of what is typed: the site takes little more."""

AT_ONCE = 4
"""So many fields of a form share them."""

NO_MORE_THAN = 3
"""How much more CPU it may take at twice the size."""

LEAST = 0.15
"""Seconds of CPU that cost nobody anything: below them, chance decides what takes longer."""

ACCENTS = "\N{COMBINING ACUTE ACCENT}", "\N{COMBINING CEDILLA}"
"""Two bytes each; in normalized text they stand the other way round."""

TYPED = {
    "accents": lambda size: "a" + "".join(accent * (size // 4) for accent in ACCENTS),
    "address": lambda size: "//a" + "".join(accent * (size // 4) for accent in ACCENTS),
    "domain": lambda size: f"a@{'ä' * (size // 2)}.org",
    "digits": lambda size: "9" * size,
    "amounts": lambda size: "1.000'" * (size // 6),
    "nested": lambda size: "[" * size,
    "signs": lambda size: "<&@#:" * (size // 5),
    "names": lambda size: "Anna, " * (size // 6),
    "blank": lambda size: " \n" * (size // 2) + "x",
}


@pytest.fixture
def world(settings) -> Iterator[World]:
    settings.PUSH_KEY = new_key()
    settings.ACCOUNT_RATE_LIMITS = settings.MFA_RATE_LIMITS = False
    own_key.cache_clear()
    yield whole_world()
    own_key.cache_clear()


def cpu(client: Client, form: Form, fields: tuple[str, ...], typed: str, size: int) -> float:
    """Seconds that it takes to post the form with so much in these fields."""
    sent = form.fields | dict.fromkeys(fields, TYPED[typed](size // len(fields)))
    unchanged = transaction.savepoint_create()
    begun = time.process_time()
    try:
        assert client.post(form.address, sent).status_code < 500, (form.address, fields, typed)
        return time.process_time() - begun
    finally:
        transaction.savepoint_rollback(unchanged)
        transaction.savepoint_commit(unchanged)


@pytest.mark.long
def test_at_twice_the_size_a_form_costs_no_square(world):
    dear, looked_at = {}, set()
    for kind, [form, *_] in world.forms.items():
        client = world.browser(form.reader)
        for fields in batched(sorted(form.fields | {"next": ""}), AT_ONCE, strict=False):
            if fields in looked_at:
                continue  # forms with the same fields have them from one class
            looked_at.add(fields)
            for typed in TYPED:
                if cpu(client, form, fields, typed, MOST) <= NO_MORE_THAN * LEAST:
                    continue
                # At best: other processes can only lengthen it.
                once, twice = (
                    min(cpu(client, form, fields, typed, size) for _ in range(2))
                    for size in (MOST // 2, MOST)
                )
                if twice > NO_MORE_THAN * max(once, LEAST):
                    dear[kind, fields, typed] = (once, twice)
    assert dear == {}


def test_many_choices_cost_no_more_than_many_words():
    """On the page that shows a form again which came without its token."""

    def cpu(name: str) -> float:
        stranger = Client(enforce_csrf_checks=True)
        begun = time.process_time()
        assert stranger.post("/theme/", {name: [str(one) for one in range(900)]}).status_code == 403
        return time.process_time() - begun

    words, zones = (min(cpu(name) for _ in range(3)) for name in ("text", "time_zone"))
    assert zones <= NO_MORE_THAN * max(words, LEAST), (words, zones)
