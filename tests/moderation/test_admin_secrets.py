"""Nothing of the admin tells a secret: all of it is crawled, link after link and form after form.

What is secret is planted in running games; pages, lists, searches, filters, acts, their refusals,
previews, errors and files are read for it, and so are the pages that a spectator may open.
"""

from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from html.parser import HTMLParser
from urllib.parse import parse_qs, urljoin, urlsplit
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from games.admin import site
from games.models import Event, Game, Invitation, OutboxEmail, User
from games.services.chat import messages
from games.services.game import failures, records
from games.services.lobby import invitations
from games.services.moderation.queries.rewind import steps
from games.services.operations import clock
from tests.support.client import all_forms, as_shown, browser
from tests.support.moderators import act_url, key_of, moderator
from tests.support.planted_secrets import ORDERED, SEALED, planted_game
from tests.support.tables import DAY, open_table, seat_of, tick

pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.counts, pytest.mark.django_db]

CASH = 918_273_000
MOST_PAGES = 900
MANY = 2
"""So many rows of a list are opened: one is like the other."""


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found.append(dict(attrs).get("href") or "")


def links_of(url: str, html: str) -> list[str]:
    reader = _Links()
    reader.feed(html)
    found = [urlsplit(urljoin(url, link)) for link in reader.found]
    return [part._replace(fragment="").geturl() for part in found if not part.netloc]


@pytest.fixture
def game() -> Game:
    """A running game with one of two sealed bribes in, and everything secret that there can be."""
    now = timezone.now()
    game = planted_game()
    state = dict(game.state)
    state["cash"] = [CASH + 1000 * seat for seat in range(3)]
    Game.objects.filter(pk=game.pk).update(state=state, seed=5_647_382_910)
    boris = seat_of(game, "Boris").user
    messages.say(game_id=game.pk, user=boris, text="Be kind.", token=uuid4(), now=now)
    waiting = open_table("Dora", size=3, now=now)
    invitations.invite(game_id=waiting.pk, user=waiting.host, addresses=["e@example.org"], now=now)
    OutboxEmail.objects.filter(game=game).update(status="failed", error="550 no such user")
    game.refresh_from_db()
    return game


@pytest.fixture
def parked(game: Game) -> Game:
    """A game that the clock has parked: the text of its error holds what somebody has."""
    now = timezone.now()
    opened = now - 3 * DAY
    other = open_table("Emil", "Fritz", "Gerda", name="The parked table", now=opened)
    state = other.state | {"stage": f"no such stage {CASH}", "cash": [CASH] * 3}
    Game.objects.filter(pk=other.pk).update(state=state)
    for wait in (timedelta(), *failures.RETRIES):
        now += wait
        tick(now)
        clock.sweep(now=now)
    other.refresh_from_db()
    assert other.parked_at is not None
    return other


def secrets_of(game: Game, client: Client) -> list[str]:
    """What nobody may read, as it could stand on a page."""
    numbers = [*game.state["cash"], ORDERED, SEALED, game.seed]
    last = Event.objects.filter(game=game, kind="BribesSealed").last()
    assert str(SEALED) in str(last.payload)
    assert str(SEALED) in str(game.moves.last().move)
    return [
        *(str(number) for number in numbers),
        *(f"{number:,}" for number in numbers),
        "my secret plan",
        "half a sentence",
        "nearly an answer",
        *Invitation.objects.values_list("token", flat=True),
        *(password for password in User.objects.values_list("password", flat=True) if password),
        client.session.session_key,
        "md5$",
    ]


def kind_of(url: str) -> str:
    """Pages alike have one kind, by which they are counted."""
    parts = urlsplit(url)
    path = "/".join("N" if part.isdigit() else part for part in parts.path.split("/"))
    return f"{path}?{'&'.join(sorted(parse_qs(parts.query)))}"


def crawl(client: Client, start: str, within: str) -> Iterator[tuple[str, str, int]]:
    """Every page that links lead to, from a first one: address, text and status."""
    waiting, seen, counts = [start], {start}, dict[str, int]()
    while waiting:
        url = waiting.pop(0)
        page = client.get(url, follow=True)
        text = page.content.decode()
        yield url, text, page.status_code
        for link in links_of(url, text) if "html" in page["Content-Type"] else []:
            kind = kind_of(link)
            if link not in seen and link.startswith(within) and counts.get(kind, 0) < MANY:
                seen.add(link)
                counts[kind] = counts.get(kind, 0) + 1
                waiting.append(link)
        assert len(seen) < MOST_PAGES


def refuse_secrets(where: str, text: str, secrets: list[str]) -> None:
    shown = unescape(text)
    found = [secret for secret in secrets if secret in shown]
    assert not found, (where, found)


def test_what_is_planted_would_be_found(game):
    """The glass, once broken, shows it: the crawl could see it."""
    nora = browser(moderator("Nora"))
    asked = {"balances": "on", "orders": "on", "notes": "on", "reason": "To see."}
    page = nora.post(f"/admin/games/game/{game.pk}/glass/", asked).content.decode()
    for secret in (f"{CASH:,}", f"{ORDERED:,}", "my secret plan", "half a sentence"):
        with pytest.raises(AssertionError):
            refuse_secrets("glass", page, [secret])


def test_the_sealed_bribe_would_be_found(game):
    """Whoever handed it in sees it, as a page writes it: the crawls could see it."""
    page = browser(game.moves.last().user).get(game.get_absolute_url()).content.decode()
    with pytest.raises(AssertionError):
        refuse_secrets("own page", page, [f"{SEALED:,}"])


def test_a_record_holds_no_move_that_may_be_sealed(game):
    """Even if a record could be had before the end."""
    moves = records.published_moves(game)
    assert len(moves) == game.moves.count() - 1
    assert str(SEALED) not in str(moves)


def test_no_page_that_a_link_leads_to_and_no_act_refused_or_done_tells_a_secret(game, parked):
    nora = browser(moderator("Nora"))
    secrets = secrets_of(game, nora)
    crawled = []
    lists = [f"/admin/games/{model._meta.model_name}/" for model in site._registry]
    for start in ("/admin/", *lists):
        if any(url.startswith(start) for url in crawled):
            continue
        for url, text, status in crawl(nora, start, start):
            assert status == 200, (url, status)
            refuse_secrets(url, text, secrets)
            crawled.append(url)
    assert act_url(parked, "retry") in crawled
    assert f"/admin/games/game/{game.pk}/glass/" in crawled
    assert any("/act/rewind/" in url for url in crawled)
    for reason in ("", "A mistake was made."):
        for act in (url for url in crawled if "/act/" in url):
            fill_in(nora, act, reason, secrets)
    refuse_secrets("the desk after it", nora.get("/admin/").content.decode(), secrets)


def fill_in(nora: Client, act: str, reason: str, secrets: list[str]) -> None:
    """Hand in each form of the page of an act: with no reason it is refused or looked at first."""
    shown = nora.get(act)
    for _action, fields in all_forms(shown.content.decode()):
        if "csrfmiddlewaretoken" not in fields:
            continue
        filled = as_shown(fields) | ({"reason": reason} if "reason" in fields else {})
        done = nora.post(act, filled, follow=True)
        refuse_secrets(f"POST {act}", done.content.decode(), secrets)


def test_no_search_filter_or_history_tells_a_secret(game, parked):
    nora = browser(moderator("Nora"))
    secrets = secrets_of(game, nora)
    words = ["secret plan", "half", "e@example.org", "Anna", str(game.pk)]
    for model in site._registry:
        listing = f"/admin/games/{model._meta.model_name}/"
        for word in words:
            page = nora.get(listing, {"q": word}, follow=True)
            refuse_secrets(f"{listing} {word}", page.content.decode(), secrets)
        for row in model.objects.order_by("-pk")[:5]:
            page = nora.get(f"{listing}{key_of(row)}/history/", follow=True)
            refuse_secrets(f"{listing}{row.pk}", page.content.decode(), secrets)
    for word in ("secret plan", "half"):
        page = nora.get("/admin/", {"q": word}).content.decode()
        assert "No results found." in page


def test_a_search_for_a_secret_finds_nothing(game):
    """Whether something is found must not depend on what is secret."""
    nora = browser(moderator("Nora"))
    for model in site._registry:
        listing = f"/admin/games/{model._meta.model_name}/"
        none = nora.get(listing, {"q": "zzzzz"}, follow=True).content.decode()
        for word in ("secret", "half", "nearly", str(CASH), str(ORDERED)):
            page = nora.get(listing, {"q": word}, follow=True).content.decode()
            assert page.count(listing) == none.count(listing), (listing, word)


def test_the_preview_of_a_rewind_tells_no_secret(game):
    nora = browser(moderator("Nora"))
    secrets = secrets_of(game, nora)
    url = act_url(game, "rewind")
    form = as_shown(all_forms(nora.get(url).content.decode())[-1][1])
    for step in steps(game):
        page = nora.post(url, form | {"to_seq": step.seq, "reason": "To see."})
        assert "Nothing has been done yet." in page.content.decode()
        refuse_secrets(f"rewind to {step.seq}", page.content.decode(), secrets)


def test_records_and_errors_tell_no_secret(game, parked):
    nora = browser(moderator("Nora"))
    nora.raise_request_exception = False
    secrets = secrets_of(game, nora)
    pages = [
        f"/admin/games/game/{game.pk}/record/",
        f"/admin/games/game/{parked.pk}/record/",
        f"/admin/games/game/{game.pk}/change/?_to_field=seed",
        "/admin/games/game/?state__cash__0=918273000",
        "/admin/games/order/",
        "/admin/games/note/",
        "/admin/games/game/999999/change/",
        f"/admin/games/game/{game.pk}/act/nothing/",
        f"/admin/r/1/{game.pk}/",
        "/admin/autocomplete/?term=a&app_label=games&model_name=seat&field_name=game",
        f"{game.get_absolute_url()}record/",
        parked.get_absolute_url(),
        f"{parked.get_absolute_url()}history/",
    ]
    for url in pages:
        page = nora.get(url, follow=True)
        shown = page.content.decode().replace("state__cash__0=918273000", "")
        refuse_secrets(url, shown, secrets)
    Game.objects.filter(pk=game.pk).update(state={"cash": [CASH]})
    broken = nora.get(act_url(game, "rewind"))
    refuse_secrets("a page that fails", broken.content.decode(), secrets)


def test_the_pages_that_a_spectator_may_open_tell_no_secret(game):
    nora = browser(moderator("Nora"))
    secrets = secrets_of(game, nora)
    start = game.get_absolute_url()
    crawled = []
    for url, text, status in crawl(nora, start, start):
        assert status == 200, (url, status)
        refuse_secrets(url, text, secrets)
        crawled.append(url)
    assert f"{start}history/" in crawled
