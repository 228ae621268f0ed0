"""What people write stays where it is, whatever signs it is made of."""

from uuid import uuid4

import pytest
from django.utils import timezone

from games.models import Message
from games.services.chat import messages
from games.services.chat.queries import id_of
from tests.browser.chromium import new_context, sign_in
from tests.support.client import browser
from tests.support.tables import open_table

pytestmark = pytest.mark.full

TOWER = "\N{COMBINING ACUTE ACCENT}\N{COMBINING CEDILLA}" * 40


def test_accents_stacked_on_a_letter_cover_nothing_around_it(chromium, site):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    said = [
        messages.say(game_id=game.pk, user=game.host, text=text, token=uuid4(), now=timezone.now())
        for text in ("Before", "a", "After")
    ]
    context = new_context(chromium, site)
    sign_in(context, site, browser(game.host))
    page = context.new_page()

    def around() -> list[bytes]:
        page.goto(f"{game.get_absolute_url()}talk/")
        lines = [page.locator(f"#message-{id_of(one)}") for one in (said[0], said[2])]
        own = page.locator(f"#message-{id_of(said[1])} .stamp")
        return [one.screenshot(animations="disabled") for one in (*lines, own)]

    before = around()
    assert around() == before
    Message.objects.filter(pk=said[1].pk).update(text=f"a{TOWER}")
    assert around() == before
    context.close()
