"""Lists of the admin: paged by key, counted by nobody, searched by indexes, never an oracle."""

import re
from datetime import timedelta
from html import unescape
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.admin import site
from games.models import AuditLine, Game, Invitation, Message, User
from games.services import audit
from games.services.chat import messages
from games.services.lobby import invitations
from games.services.public_ids import number_of, public_id
from tests.support.client import browser, text_of
from tests.support.moderators import moderator
from tests.support.tables import DAY, MONDAY, open_table, seat_of

pytestmark = pytest.mark.django_db

GROWING = [model._meta.model_name for model in site._registry]


@pytest.fixture
def nora():
    return browser(moderator("Nora"))


def shown(page, name: str) -> list[int]:
    """The keys of the rows of a list, in the order of the page."""
    keys = re.findall(rf"/admin/games/{name}/([\w-]+)/change/", page.content.decode())
    return list(dict.fromkeys(number_of(name, key) for key in keys))


def found(client, name: str, query: str) -> list[int]:
    page = client.get(f"/admin/games/{name}/?{query}")
    assert page.status_code == 200, page.status_code
    return shown(page, name)


@pytest.mark.long(every=3)
@pytest.mark.full
@pytest.mark.parametrize("name", GROWING)
def test_no_list_counts_and_none_reads_the_states_of_games(nora, name):
    open_table("Anna", "Boris", "Clara")
    for query in ("", "q=Anna", "q=Venice", "q=1", "o=1&all=&p=2"):
        with CaptureQueriesContext(connection) as queries:
            assert nora.get(f"/admin/games/{name}/?{query}").status_code == 200, query
        assert len(queries) <= 15, query
        text = [one["sql"] for one in queries]
        assert not any("COUNT(" in sql for sql in text), query
        assert not any('"games_game"."state"' in sql for sql in text), query


@pytest.mark.full
def test_a_search_that_finds_more_than_a_page_goes_on_by_key(nora):
    game = open_table("Anna", "Boris", "Clara")
    Message.objects.bulk_create(
        Message(game=game, text=f"word {number}", token=uuid4(), at=MONDAY) for number in range(120)
    )
    url, seen = "/admin/games/message/?q=wor", []
    while url:
        page = nora.get(url)
        seen += shown(page, "message")
        older = re.search(r'<p class="paginator"><a href="([^"]+)">Older', page.content.decode())
        url = f"/admin/games/message/{unescape(older[1])}" if older else ""
    assert seen == sorted(Message.objects.values_list("pk", flat=True), reverse=True)
    assert len(seen) == 120


@pytest.mark.full
def test_games_are_found_by_number_link_and_words_of_their_name(nora):
    venice = open_table("Anna", "Boris", "Clara")
    rialto = open_table("Dora", "Emil", "Fanny", name="A bridge: Rialto's table")
    assert found(nora, "game", f"q={venice.pk}") == [venice.pk]
    assert found(nora, "game", f"q=%23{rialto.pk}") == [rialto.pk]
    assert found(nora, "game", f"q=https://example.org/tables/{venice.token}/") == [venice.pk]
    assert found(nora, "game", "q=tabl+ven") == [venice.pk]
    assert found(nora, "game", "q=RIALTO'S") == [rialto.pk]
    assert found(nora, "game", "q=table") == [rialto.pk, venice.pk]
    assert found(nora, "game", "q=ialto") == []
    for strange in ("q='", "q=%26+|+!", "q=\\", "q=:*", "q=((", "q=" + "9" * 40):
        assert found(nora, "game", strange) == [], strange


@pytest.mark.full
def test_people_are_found_by_name_and_by_address(nora):
    game = open_table("Anna", "Boris", "Clara")
    anna = seat_of(game, "Anna").user
    assert found(nora, "user", "q=ann") == [anna.pk]
    assert found(nora, "user", "q=ANNA@exam") == [anna.pk]
    assert found(nora, "user", "q=nna") == []
    assert found(nora, "seat", "q=anna") == [seat_of(game, "Anna").pk]
    assert len(found(nora, "seat", f"q={game.pk}")) == 3
    assert len(found(nora, "sitting", "q=venice")) == 3


@pytest.mark.full
def test_invitations_messages_and_emails_are_found(nora):
    waiting = open_table("Dora", size=3)
    emil = ["emil@example.org"]
    invitations.invite(game_id=waiting.pk, user=waiting.host, addresses=emil, now=MONDAY)
    messages.say(
        game_id=waiting.pk, user=waiting.host, text="Who is late?", token=uuid4(), now=MONDAY
    )
    key = Invitation.objects.get().pk
    assert found(nora, "invitation", "q=emil") == [key]
    assert found(nora, "invitation", "q=emil@example.org") == [key]
    assert found(nora, "invitation", "q=Dora") == [key]
    assert found(nora, "message", "q=late+who") == [Message.objects.get().pk]
    assert found(nora, "message", "q=dora") == [Message.objects.get().pk]
    assert found(nora, "message", "q=nobody") == []
    assert len(found(nora, "outboxemail", "q=venice")) == 2  # the reminder waits for its day
    assert len(found(nora, "outboxemail", "kind__exact=invitation")) == 1
    assert found(nora, "outboxemail", "kind__exact=your_turn") == []
    assert "An invitation" in text_of(nora.get("/admin/games/outboxemail/"))


ORACLES = [
    ("game", "state__cash__0=4000"),
    ("game", "state__cash__0__gte=4000"),
    ("game", "state__contains=4"),
    ("game", "seed__gte=5"),
    ("game", "seed=5"),
    ("game", "opening_token__isnull=1"),
    ("game", "seats__orders__formula__contains=4711"),
    ("game", "notes__text__startswith=my"),
    ("game", "drafts__fields__contains=x"),
    ("game", "moves__move__icontains=bribe"),
    ("game", "events__payload__icontains=bribes"),
    ("game", "invitations__token__startswith=a"),
    ("seat", "orders__amount__gte=1"),
    ("seat", "orders__isnull=0"),
    ("seat", "game__state__cash__0__gte=1"),
    ("seat", "game__seed__gte=1"),
    ("event", "payload__bribes__icontains=4"),
    ("event", "payload__contains=4"),
    ("event", "kind__exact=BribesSealed"),
    ("outboxemail", "game__state__cash__0=1"),
    ("outboxemail", "message_id__startswith=a"),
    ("user", "password__startswith=md5"),
    ("user", "notes__text__icontains=plan"),
    ("user", "authenticator__data__icontains=a"),
    ("invitation", "token__startswith=a"),
    ("vote", "ballots__yes=1"),
    ("message", "token__isnull=0"),
    ("auditline", "game__state__cash__0=1"),
    ("sitting", "seat__orders__isnull=0"),
    ("daysoff", "seat__orders__isnull=0"),
]


@pytest.mark.long(every=3)
@pytest.mark.full
@pytest.mark.parametrize(("name", "query"), ORACLES)
def test_no_list_is_filtered_by_what_is_secret(nora, name, query):
    open_table("Anna", "Boris", "Clara")
    assert nora.get(f"/admin/games/{name}/?{query}").status_code == 400


@pytest.mark.parametrize("query", ["_to_field=token", "_to_field=seed&_popup=1"])
def test_rows_are_called_by_their_keys_alone(nora, query):
    game = open_table("Anna", "Boris", "Clara")
    assert nora.get(f"/admin/games/game/{game.pk}/change/?{query}").status_code == 400


@pytest.mark.full
def test_the_filters_that_are_offered_work(nora):
    game = open_table("Anna", "Boris", "Clara")
    waiting = open_table("Dora", size=3)
    assert found(nora, "game", "status__exact=waiting") == [waiting.pk]
    assert found(nora, "game", "parked_at__isempty=1") == [waiting.pk, game.pk]
    assert found(nora, "game", "parked_at__isempty=0") == []
    assert len(found(nora, "event", f"game__id__exact={game.pk}&kind__exact=GameStarted")) == 1
    assert found(nora, "user", "is_staff__exact=1") == [User.objects.get(name="Nora").pk]


def test_the_search_comes_first_and_the_filters_are_folded(nora):
    page = nora.get("/admin/games/game/").content.decode()
    assert page.index('id="changelist-search"') < page.index('<details id="changelist-filter">')
    assert ">yes</a>" in page
    page = nora.get("/admin/games/game/?parked_at__isempty=0").content.decode()
    assert "No results found." in page
    assert "Parked: <strong>yes</strong>" in page
    assert '<a href="?">Show all</a>' in page
    assert '<details id="changelist-filter">' in page
    page = nora.get("/admin/games/auditline/?who=Nora&act=game.excuse").content.decode()
    assert "<strong>Who (full name): Nora</strong>" in page
    assert "<strong>Action: Forgive all missed deadlines</strong>" in page


@pytest.fixture
def log() -> dict[str, AuditLine]:
    """Lines by what they are about."""
    game = open_table("Anna", "Boris", "Clara")
    other = open_table("Dora", "Emil", "Fanny", name="Rialto")
    anna, otto = seat_of(game, "Anna").user, moderator("Otto")
    audit.write("game.pause", now=MONDAY, who=otto, game=game, reason="A feast in town.")
    audit.write(
        "game.excuse", now=MONDAY + DAY, who=otto, game=other, person=anna, reason="She was ill."
    )
    audit.write("game.resume", now=MONDAY + 2 * DAY, who=audit.CLOCK, game=game)
    return {line.action: line for line in AuditLine.objects.all()}


@pytest.mark.full
@pytest.mark.parametrize(
    ("query", "acts"),
    [
        ("", ["game.resume", "game.excuse", "game.pause"]),
        ("who=otto", ["game.excuse", "game.pause"]),
        ("who=the+clock", ["game.resume"]),
        ("act=game.excuse", ["game.excuse"]),
        ("game=venice", ["game.resume", "game.pause"]),
        ("game=rialto&who=Otto", ["game.excuse"]),
        ("person=anna@example.org", ["game.excuse"]),
        ("words=feast", ["game.pause"]),
        ("words=feast&act=game.excuse", []),
        ("since=2026-03-03", ["game.resume", "game.excuse"]),
        ("until=2026-03-03", ["game.excuse", "game.pause"]),
        ("since=2026-03-03&until=2026-03-03", ["game.excuse"]),
        ("since=nonsense", ["game.resume", "game.excuse", "game.pause"]),
    ],
)
def test_the_audit_log_is_searched_by_each_of_its_parts(nora, log, query, acts):
    keys = [log[act].pk for act in acts]
    assert found(nora, "auditline", query) == keys


@pytest.mark.full
def test_the_audit_log_goes_on_with_what_was_looked_for(nora, log):
    AuditLine.objects.bulk_create(
        AuditLine(at=MONDAY + timedelta(minutes=n), who="the clock", action="game.resume")
        for n in range(60)
    )
    page = nora.get("/admin/games/auditline/?who=the+clock&act=game.resume").content.decode()
    older = unescape(re.search(r'<p class="paginator"><a href="([^"]+)">Older', page)[1])
    assert older.startswith("?who=the+clock&act=game.resume&before=")
    assert len(found(nora, "auditline", older[1:])) == 11
    assert 'value="the clock"' in page


@pytest.mark.full
def test_the_audit_log_names_actions_in_words(nora, log):
    page = nora.get("/admin/games/auditline/").content.decode()
    assert "Forgive all missed deadlines" in page
    line = nora.get(
        f"/admin/games/auditline/{public_id('auditline', log['game.excuse'].pk)}/change/"
    ).content.decode()
    assert "Forgive all missed deadlines" in line
    assert "She was ill." in line


@pytest.mark.full
def test_nothing_of_the_product_changes_the_audit_log(nora, log):
    line = log["game.excuse"]
    address = f"/admin/games/auditline/{public_id('auditline', line.pk)}"
    before = list(AuditLine.objects.order_by("pk").values())
    action = {"action": "delete_selected", "_selected_action": line.pk, "post": "yes"}
    assert nora.post(f"{address}/change/", {"reason": "Other."}).status_code == 403
    assert nora.post(f"{address}/delete/", {"post": "yes"}).status_code == 403
    assert nora.post("/admin/games/auditline/add/", {"act": "pause"}).status_code == 403
    nora.post("/admin/games/auditline/", action)
    assert list(AuditLine.objects.order_by("pk").values()) == before
    assert Game.objects.count() == 2


def test_a_list_that_a_link_leads_to_says_of_whom_it_is(nora):
    game = open_table("Anna", "Boris", "Clara")
    anna = seat_of(game, "Anna").user
    text = f'Game: <a href="/admin/games/game/{game.pk}/change/">{game}</a>'
    assert text in nora.get(f"/admin/games/event/?game__id__exact={game.pk}").content.decode()
    text = f'Person: <a href="/admin/games/user/{anna.pk}/change/">Anna</a>'
    assert text in nora.get(f"/admin/games/sitting/?user__id__exact={anna.pk}").content.decode()
