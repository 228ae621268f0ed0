"""The dashboard: what needs a person, the next step, long lists, and no secrets anywhere."""

import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.admin import site
from games.models import AuditLine, FactorReset, Game, OutboxEmail, Seat
from games.services.game import seats
from games.services.moderation.queries.piles import DashboardLine
from games.services.operations import health, sample_games
from games.services.public_ids import number_of
from tests.support.client import browser, person, text_of
from tests.support.moderators import (
    administrator,
    key_of,
    marta_acts,
    moderator,
    person_act_url,
)
from tests.support.tables import DAY, open_table, seat_of, table_settings, tick

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    tick(timezone.now())
    return open_table("Anna", "Boris", "Clara", "Dora", now=timezone.now())


def desk():
    """The first page of the admin: its words, and its links."""
    page = browser(moderator("Nora")).get("/admin/").content.decode()
    before = page.split('id="piles"')[1].split('id="lists-title"')[0]
    words = re.sub(r"<[^>]+>", " ", re.sub(r"</?a\b[^>]*>", "", before))
    return unescape(words), re.findall(r'href="([^"]+)"', before)


@pytest.mark.full
def test_where_all_is_well_nothing_waits(game):
    words, _ = desk()
    assert "Nothing needs attention." in words


@pytest.mark.full
def test_a_parked_game_with_its_error_and_the_next_step(game):
    Game.objects.filter(pk=game.pk).update(
        parked_at=timezone.now(), deadline_at=None, error="writer.py:7\nKeyError"
    )
    words, links = desk()
    assert "Parked games" in words
    assert f"{game}: parked since" in words
    assert "KeyError" in words
    assert "Retry" in words
    assert f"/admin/games/game/{game.pk}/act/retry/" in links


@pytest.mark.full
def test_a_clock_that_stands_still_and_an_overdue_game(game):
    long_ago = timezone.now() - 2 * health.late_after()
    tick(long_ago)
    Game.objects.filter(pk=game.pk).update(deadline_at=long_ago)
    words, links = desk()
    assert "The clock hasn't ticked since" in words
    assert "the deadline was" in words
    assert reverse("status") in links
    assert f"/admin/games/game/{game.pk}/act/extend/" in links


@pytest.mark.full
def test_failed_mail_leads_to_sending_it_again(game):
    anna = seat_of(game, "Anna").user
    OutboxEmail.objects.exclude(person=anna).delete()
    mail = OutboxEmail.objects.filter(person=anna).latest("pk")
    OutboxEmail.objects.exclude(pk=mail.pk).delete()
    OutboxEmail.objects.update(status="failed", error="550 no such user")
    words, links = desk()
    assert "550 no such user" in words
    assert f"/admin/games/outboxemail/{key_of(mail)}/act/send-again/" in links


@pytest.mark.full
def test_a_seat_that_is_absent_for_days(game):
    clara = seat_of(game, "Clara")
    seats.step_aside(game_id=game.pk, user=clara.user, now=timezone.now())
    assert "Clara has been absent" not in desk()[0]
    Seat.objects.filter(pk=clara.pk).update(absent_since=timezone.now() - 4 * DAY)
    page = browser(moderator("Otto")).get("/admin/").content.decode()
    assert "Clara has been absent since" in page
    assert f"/act/house-player/?seat={clara.number}" in page


@pytest.mark.full
def test_all_seats_of_somebody_who_is_gone_are_one_line(game):
    clara, host = seat_of(game, "Clara").user, seat_of(game, "Anna").user
    people = (host, clara, person("Emil"))
    other = sample_games.open_table(table_settings(size=3), *people, now=timezone.now())
    Seat.objects.filter(user=clara).update(absent_since=timezone.now() - 4 * DAY)
    page = browser(moderator("Otto")).get("/admin/").content.decode()
    assert "Clara</a> has been absent from 2 games since" in page
    assert f"{game} and {other}." in unescape(page)
    assert person_act_url(clara, "clear-up") in page
    assert "/act/house-player/" not in page


@pytest.mark.full
def test_a_pause_without_an_end(game):
    marta_acts(game, "pause")
    words, links = desk()
    assert "Paused indefinitely" in words
    assert f"/admin/games/game/{game.pk}/act/resume/" in links


@pytest.mark.full
def test_the_desk_needs_few_queries_and_counts_nothing(game):
    nora = browser(moderator("Nora"))
    nora.get("/admin/")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert nora.get("/admin/").status_code == 200
    assert len(queries) <= 15
    assert not any("COUNT(" in query["sql"] for query in queries)


@pytest.mark.full
@pytest.mark.parametrize("name", ["event", "outboxemail", "auditline", "message"])
def test_long_lists_are_paged_by_key_and_counted_by_nobody(game, name):
    nora = browser(moderator("Nora"))
    now = timezone.now()
    AuditLine.objects.bulk_create(
        AuditLine(at=now, who="the clock", action=f"act {number}") for number in range(120)
    )
    model = {admin.opts.model_name: kind for kind, admin in site._registry.items()}[name]
    url, seen = f"/admin/games/{name}/", []
    while url:
        with CaptureQueriesContext(connection) as queries:
            page = nora.get(url).content.decode()
        assert len(queries) <= 15
        assert not any("COUNT(" in query["sql"] for query in queries)
        keys = re.findall(rf"/admin/games/{name}/([\w-]+)/change/", page)
        seen += [number_of(name, key) for key in keys]
        older = re.search(r'<p class="paginator"><a href="([^"]+)">Older', page)
        url = f"/admin/games/{name}/{unescape(older[1])}" if older else ""
    numbers = list(dict.fromkeys(seen))
    assert numbers == sorted(model.objects.values_list("pk", flat=True), reverse=True)


@pytest.mark.full
def test_the_links_of_a_game_lead_to_its_own_rows(game):
    marta_acts(game, "extend", seat="all", hours=5)
    marta_acts(game, "referee", text="Be kind.")
    other = open_table("Emil", "Fritz", "Gerda", now=timezone.now())
    nora = browser(moderator("Nora"))
    page = nora.get(f"/admin/games/game/{game.pk}/change/").content.decode()
    links = [unescape(link) for link in re.findall(r'href="([^"]+__exact=[^"]+)"', page)]
    assert len(links) == 5
    for link in links:
        listed = nora.get(link)
        assert listed.status_code == 200
        assert game.name in listed.content.decode()
        assert f"(#{other.pk})" not in listed.content.decode()


def found(client, words):
    page = client.get("/admin/", {"q": words}).content.decode()
    part = page.split('id="found-title"')[1].split("</section>")[0]
    return re.findall(r'href="([^"]+)"', part)


@pytest.mark.full
def test_games_and_people_are_found_on_the_desk(game):
    anna, nora = seat_of(game, "Anna").user, browser(moderator("Nora"))
    game_page = f"/admin/games/game/{game.pk}/change/"
    anna_page = f"/admin/games/user/{anna.pk}/change/"
    assert found(nora, f"#{game.pk}") == [game_page]
    assert found(nora, "venice") == [game_page]
    assert found(nora, "anna@example.org") == [game_page, anna_page, game_page]
    assert found(nora, "ann") == [game_page, anna_page, game_page]
    assert found(nora, "nobody of this name") == []
    assert found(nora, "a" * 500 + "\0") == []


@pytest.mark.full
def test_a_pile_says_how_much_it_holds_and_that_there_is_more(game):
    now = timezone.now()
    for number in range(21):
        mail = OutboxEmail.objects.filter(game=game).first()
        mail.pk, mail.about, mail.status = None, 100 + number, "failed"
        mail.error = f"{chr(65 + number)}Error"
        mail.created_at = now
        mail.save()
    words, links = desk()
    assert re.search(r"Failed emails\s+20\+", words)
    assert "8+ more" in words  # folded, so that the page stays short
    assert "Send again" in words
    assert sum("/act/send-again/" in link for link in links) == 20


@pytest.mark.full
def test_it_leads_by_a_table_of_contents_and_lists_only_what_is_used(game):
    marta_acts(game, "pause")
    clara = seat_of(game, "Clara").user
    clara.refused_email, clara.refused_email_at = clara.email, timezone.now()
    clara.save()
    page = browser(moderator("Nora")).get("/admin/").content.decode()
    contents = page.split('class="contents"')[1].split("</nav>")[0]
    assert re.findall(r'href="#([\w-]+)">([^<]+)<', contents) == [
        ("pile-1", "Paused indefinitely"),
        ("pile-2", "Rejected email addresses"),
    ]
    assert all(page.count(f'id="pile-{number}"') == 1 for number in (1, 2))
    lists = page.split('id="lists-title"')[1]
    assert set(re.findall(r"/admin/games/(\w+)/\"", lists)) == {
        "game", "event", "outboxemail", "invitation", "user", "report", "message", "auditline",
    }  # fmt: skip


def test_names_in_lines_lead_to_what_they_name():
    def parts(text: str, name: str) -> tuple[str, str]:
        return DashboardLine(text, "", "/page/", name).parts

    assert parts("Al: late", "Al") == ("", ": late")
    assert parts("Also late: Al.", "Al") == ("Also late: ", ".")
    assert parts("It is late.", "Al") == ("It is late. ", "")


def queries_of(client):
    client.get("/admin/")
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/admin/").status_code == 200
    return len(queries), [query["sql"] for query in queries if "factorreset" in query["sql"]]


@pytest.mark.full
def test_a_lost_second_factor_waits_for_another_administrator_and_for_nobody_else(game):
    anna, now = seat_of(game, "Anna").user, timezone.now()
    marta, nadja, olga = moderator("Marta"), administrator("Nadja"), administrator("Olga")
    FactorReset.objects.create(person=anna, requested_by=nadja, reason="She rang me.", at=now)
    FactorReset.objects.create(person=olga, requested_by=nadja, reason="She too.", at=now)
    step = reverse("admin:person_action", args=[anna.pk, "forget-factor"])
    page = text_of(browser(olga).get("/admin/"))
    assert "Anna : two-factor authentication will be reset on " in page
    assert "or as soon as you confirm it. Nadja requested the reset: She rang me." in page
    assert "She too." not in page
    assert step in browser(olga).get("/admin/").content.decode()
    for other in (nadja, marta):
        assert "authentication will be reset on" not in text_of(browser(other).get("/admin/"))
    count, of_resets = queries_of(browser(marta))
    assert count <= 15
    assert of_resets == []
    count, of_resets = queries_of(browser(olga))
    assert count <= 15
    assert len(of_resets) == 1
