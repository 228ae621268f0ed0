"""The pages of the admin that are measured."""

from collections.abc import Iterator

from django.test import Client
from django.utils.http import urlencode

from games.admin import site
from games.features.questions.models import Question
from games.models import Event, Game, Move, OutboxEmail, Report, User
from tests.support.client import browser
from tests.support.moderators import key_of, moderator, person_act_url, person_form

FILTERS = {
    "game": ["status__exact=waiting", "status__exact=running", "parked_at__isempty=0",
             "edition__exact=fx-schmid-1994"],
    "outboxemail": ["status__exact=failed", "status__exact=ready", "kind__exact=vote",
                   "kind__exact=invitation"],
    "auditline": ["who=Moderator 4", "who=nobody", "act=secrets.reveal", "words=bribe friend",
                  "words=4711", "words=nothingatall", "person=player4711@example.org", "game=4711",
                  "since=2024-03-01&until=2024-03-07", "until=2024-01-31",
                  "who=moderator 4&act=secrets.reveal&words=late"],
    "user": ["is_staff__exact=1", "stands=suspended", "stands=muted", "stands=banned"],
    "report": ["state__exact=open", "state__exact=upheld", "whose=nobodys", "whose=mine"],
    "sanction": ["kind__exact=ban", "kind__exact=warning"],
    "vote": ["kind__exact=end"],
}  # fmt: skip
DASHBOARD_SEARCHES = ["Player 4711", "player4711@example.org", "<4711@example.org>"]
MAIL_SEARCHES = ["@example.org", "<4711@example.org>"]
SEARCHES = ["Venice", "4711", "Rialto table 4711", "Player 4711", "player4711@example.org",
            "@example.org", "money tomorrow", "nothingatall"]  # fmt: skip


def reader() -> Client:
    client = browser(moderator("Nora"))
    client.get("/admin/")
    return client


def pages() -> Iterator[tuple[str, str]]:
    """Names and addresses of all pages."""
    yield "the dashboard", "/admin/"
    for words in DASHBOARD_SEARCHES:
        yield f"the dashboard: search for {words}", f"/admin/?{urlencode({'q': words})}"
    yield "the queue", "/admin/reports/"
    yield "the month", "/admin/month/"
    for state in ("waiting", "answered", "mine", ""):
        yield f"questions: {state or 'all'}", f"/admin/questions/?state={state}"
    long = _a_long_game()
    yield "a game's page", f"/admin/games/game/{long.pk}/change/"
    yield "an act on a game", f"/admin/games/game/{long.pk}/act/extend/"
    yield "a rewind's page", f"/admin/games/game/{long.pk}/act/rewind/"
    yield "the decisions of a game", f"/admin/games/game/{long.pk}/decisions/"
    move = Move.objects.select_related("seat").latest("pk")
    story = f"{move.seat.number}/{move.phase_no}/"
    yield "the story of a decision", f"/admin/games/game/{move.seat.game_id}/decisions/{story}"
    yield "revealing secrets", f"/admin/games/game/{long.pk}/glass/"
    anna = User.objects.filter(name__startswith="Player").first()
    yield "a person's page", f"/admin/games/user/{anna.pk}/change/"
    yield "clearing up after a person", f"/admin/games/user/{anna.pk}/act/clear-up/"
    yield from _cases()
    yield "unconfirmed accounts", "/admin/games/user/?confirmed=never&days=7"
    for words in MAIL_SEARCHES:
        query = urlencode({"q": words})
        yield f"emails: search for {words}", f"/admin/games/outboxemail/?{query}"
    for link in ("event", "auditline", "outboxemail"):
        yield f"{link}s of a game", f"/admin/games/{link}/?game__id__exact={long.pk}"
    yield (
        "deadlines of a game",
        f"/admin/games/event/?game__id__exact={long.pk}&kind__exact=DeadlineMoved",
    )
    for model in site._registry:
        yield from _list(model._meta.model_name, model)


def _cases() -> Iterator[tuple[str, str]]:
    """The pages of a report, of a question and of an email."""
    report = Report.objects.filter(state="open").first()
    yield "a report's page", f"/admin/games/report/{report.pk}/change/"
    yield "deciding a report", f"/admin/games/report/{report.pk}/act/uphold/"
    thread = Question.objects.filter(state="waiting").first()
    yield "a question's page", f"/admin/questions/{thread.pk}/"
    email = OutboxEmail.objects.filter(status="failed").latest("pk")
    yield "an email's page", f"/admin/games/outboxemail/{key_of(email)}/change/"


def previews(client: Client) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Names and addresses of pages that show what an action would do, with the forms."""
    anna = User.objects.filter(name__startswith="Player").first()
    everything = {
        "seats": "free", "where": "all", "messages": "on", "reports": "uphold",
        "invitations": "on", "tables": "close",
    }  # fmt: skip
    form = person_form(client, anna, "clear-up") | everything
    yield "what clearing up would do", person_act_url(anna, "clear-up"), form


def _list(name: str, model: type) -> Iterator[tuple[str, str]]:
    address = f"/admin/games/{name}/"
    yield f"{name}: the list", address
    keys = model.objects.order_by("pk").values_list("pk", flat=True)
    if middle := keys[1000:1001]:
        yield f"{name}: its end", f"{address}?before={middle[0]}"
    for query in FILTERS.get(name, []):
        yield f"{name}: {query}", f"{address}?{query}"
    if name != "auditline":
        for words in SEARCHES:
            yield f"{name}: search for {words}", f"{address}?q={words}"


def _a_long_game() -> Game:
    """A game that runs with hundreds of events."""
    running = Game.objects.filter(status="running", parked_at=None, size=5).order_by("pk")
    game = running[1]
    assert Event.objects.filter(game=game).count() > 400
    return game
