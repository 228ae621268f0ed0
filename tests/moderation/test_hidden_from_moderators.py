"""Twin worlds that differ only in what a moderator may not know show them the same pages.

The twins are one world, read before and after something hidden was added, with the clock standing
still. The reader is an administrator, who sees all that other moderators see, and more.
"""

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator
from difflib import unified_diff
from typing import NamedTuple
from uuid import uuid4

import pytest
import time_machine
from django.test import Client

from games.admin import site
from games.features.questions import answering
from games.features.questions.models import Question
from games.features.questions.queries import last_letter
from games.models import (
    Draft,
    Game,
    Message,
    Order,
    OutboxEmail,
    Report,
    StaffNote,
    User,
)
from games.services import outbox, roles
from games.services.game.notes import keep_notes
from games.services.moderation import cases
from games.services.moderation import secrets as secrets_service
from games.services.moderation.actions import case_export, consequences, sanctioning, timing
from games.services.moderation.actions import reports as report_actions
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import ActionRequest, GameRequest, write_audit_line
from games.services.public_ids import public_id
from games.services.reports import filing
from games.services.reports.filing import Complaint
from tests.features.questions.asking import asked
from tests.support.client import browser, without_what_differs
from tests.support.moderators import (
    act_url,
    administrator,
    key_of,
    person_act_url,
    person_form,
)
from tests.support.promising import sitter
from tests.support.reporting import named, report_act_url, say
from tests.support.tables import MONDAY, open_table
from tests.support.whispering import whisper

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db]

WORDS = ("Victor", "Boris", "Nora", "Zacharias", "hidden words", "Lido", "example.org")
NEXT_ROWS = 6
"""So many rows after the last are asked for too: those that are added may not be there."""


class World(NamedTuple):
    """What Nora reads: a report that she has, and the tables at which she sits and has sat."""

    nora: User
    report: Report
    game: Game
    own: Game
    past: Game
    at_own: Message
    at_past: Message


@pytest.fixture
def still():
    with time_machine.travel(MONDAY, tick=False):
        yield


@pytest.fixture
def world(still) -> World:
    administrator("Marta")
    game = open_table("Victor", "Anna", "Clara", name="Rialto", press="private")
    own = open_table("Nora", "Boris", "Dora", name="Lido", press="private")
    roles.appoint(named("Nora"), roles.ADMINISTRATOR)
    nora = named("Nora")
    past = _table_with(nora, named("Victor"), named("Dora"))
    at_own, at_past = say(own, "Boris", "You fool."), say(past, "Victor", "You fool.")
    timing.cancel(GameRequest(past.pk, named("Marta"), "Over.", seen_now(past), MONDAY))
    said = say(game, "Victor", "Anna is a thief.")
    report = report_of("Anna", said)
    report_actions.take(by("Nora"), report_id=report.pk)
    asked(named("Anna"), "Why did it play?", game)
    report.refresh_from_db()
    return World(nora, report, game, own, past, at_own, at_past)


def _table_with(*people: User) -> Game:
    game = open_table("Emil", "Fritz", "Gerda", name="Murano")
    for seat, user in zip(game.seats.order_by("number"), people, strict=True):
        seat.sittings.update(user=user)
        seat.user = user
        seat.save()
    return game


def by(name: str) -> ActionRequest:
    return ActionRequest(named(name), "The hidden words.", MONDAY)


def report_of(name: str, said: Message | None = None, about: User | None = None) -> Report:
    complaint = Complaint(named(name), "Some hidden words.", uuid4(), MONDAY, Report.Kind.INSULT)
    if about is not None:
        filing.report_person(complaint, person=about)
    else:
        filing.report_message(complaint, message_id=said.pk)
    return Report.objects.latest("pk")


# What is hidden


def reports_about_themselves(world: World) -> None:
    """One is dismissed, one is upheld with a warning; from a third another name is known."""
    reports = [report_of(name, about=world.nora) for name in ("Anna", "Boris", "Clara")]
    report_actions.take(by("Marta"), report_id=reports[0].pk)
    report_actions.reject(by("Marta"), report_id=reports[0].pk)
    uphold(reports[1])
    Report.objects.filter(pk=reports[2].pk).update(person_name="Zacharias")


def reports_at_their_tables(world: World) -> None:
    """One waits, one has led to a warning of which somebody complains; each with a question."""
    report_of("Dora", world.at_own)
    report = report_of("Dora", world.at_past)
    answering.ask_reporter(
        by("Marta"), report_id=report.pk, text="Which hidden words?", token=uuid4()
    )
    uphold(report)
    Report.objects.filter(pk=report.pk).update(person_name="Zacharias")
    case_export.export_case(by("Marta"), report_id=report.pk, since=None, until=None)
    filing.appeal(report_id=report.pk, user=named("Victor"), text="No!", now=MONDAY)


def questions_of_theirs(world: World) -> None:
    """Their own, and those about their tables; they are taken, answered and closed."""
    questions = [
        asked(world.nora, "Hidden words?"),
        asked(named("Boris"), "Hidden words?", world.own),
        asked(named("Dora"), "Hidden words?", world.past),
    ]
    for question in questions:
        number = question.pk
        answering.take(by("Marta"), question_id=number)
        answering.note(by("Marta"), question_id=number, text="Hidden words.", token=uuid4())
        answering.answer(
            by("Marta"), question_id=number, text="Hidden words.", token=uuid4(),
            seen=last_letter(question),
        )  # fmt: skip
    answering.close(by("Marta"), question_id=number, seen=last_letter(question))


def what_is_kept_about_themselves(world: World) -> None:
    """A note, and that nobody finds two accounts of theirs."""
    StaffNote.objects.create(
        person=world.nora, author=named("Marta"), text="Hidden words.", at=MONDAY
    )
    for person, other in ((world.nora, named("Anna")), (named("Anna"), world.nora)):
        write_audit_line("pair.clear", by("Marta"), person=person, after={"person": other.pk})


def secrets_seen_at_their_table(world: World) -> None:
    secrets_service.reveal_secrets(by("Marta"), game_id=world.own.pk, things=["notes"])


def email_of_their_table(world: World) -> None:
    """Who isn't asked for a move has left a standing order."""
    for name, status in (("Boris", "sent"), ("Dora", "failed")):
        outbox.enqueue("your_turn", person=named(name), game=world.own, now=MONDAY)
        row = OutboxEmail.objects.filter(game=world.own).latest("pk")
        OutboxEmail.objects.filter(pk=row.pk).update(
            status=status, error="550 hidden words", message_id="<hidden@example.org>"
        )


def what_players_keep(world: World) -> None:
    """Private talk, notes, drafts and standing orders, at tables of theirs and of others."""
    for game in (world.game, world.own):
        others = [one for one in (0, 1, 2) if sitter(game, one) != world.nora]
        whisper(game, *others[:2], text="Hidden words")
        for number in others:
            seat = game.seats.select_related("user").get(number=number)
            Order.objects.create(seat=seat, kind=Order.Kind.SENDING, formula={}, made_at=MONDAY)
            keep_notes(game=game, user=seat.user, text="Hidden words", now=MONDAY)
            typed = {"about": Draft.About.MOVE, "fields": {}, "at": MONDAY}
            Draft.objects.create(game=game, user=seat.user, **typed)


def uphold(report: Report) -> None:
    report_actions.take(by("Marta"), report_id=report.pk)
    seen = consequences.latest_on_person(report.person, named("Marta"))
    warned = consequences.Consequences(sanction=sanctioning.Kind.WARNING, seen=seen)
    report_actions.uphold(by("Marta"), report_id=report.pk, wanted=warned)


HIDDEN: tuple[Callable[[World], None], ...] = (
    reports_about_themselves,
    reports_at_their_tables,
    questions_of_theirs,
    what_is_kept_about_themselves,
    secrets_seen_at_their_table,
    email_of_their_table,
    what_players_keep,
)


# What is read


class Rows(NamedTuple):
    """The rows that there are at first, and which will be the next: their pages are read."""

    emails: list[str]
    people: list[User]
    stories: list[str]
    reports: list[int]
    questions: list[int]


def rows_of(world: World) -> Rows:
    emails = list(OutboxEmail.objects.order_by("pk"))
    last = emails[-1].pk
    stories = [
        f"/admin/games/game/{world.game.pk}/decisions/{seat}/{world.game.phase_no}/"
        for seat in range(3)
    ]
    first = Question.objects.latest("pk").pk
    return Rows(
        [
            *(key_of(one) for one in emails[:2]),
            *(public_id("outboxemail", last + more) for more in range(1, 12)),
        ],
        list(User.objects.filter(name__in=["Victor", "Boris", "Nora", "Marta"]).order_by("pk")),
        stories,
        list(range(world.report.pk, world.report.pk + NEXT_ROWS)),
        list(range(first, first + NEXT_ROWS)),
    )


def addresses(world: World, rows: Rows) -> Iterator[str]:
    """The pages of the desk."""
    yield from ("/admin/", "/admin/reports/", "/admin/month/", "/admin/site/")
    yield from (f"/admin/?q={word}" for word in (*WORDS, "<hidden@example.org>"))
    yield from (f"/admin/questions/?state={one}" for one in ("waiting", "answered", "mine", ""))
    yield from (f"/admin/questions/{number}/" for number in rows.questions)
    yield from ("/admin/site/act/remove-accounts/", "/admin/games/user/?confirmed=never&days=1")
    for model in site._registry:
        listed = f"/admin/games/{model._meta.model_name}/"
        yield listed
        yield from (f"{listed}?q={word}" for word in WORDS[:5])
    yield "/admin/games/outboxemail/?q=<hidden@example.org>"
    yield from ("/admin/games/report/?state__exact=upheld", "/admin/games/sanction/")
    yield from (f"/admin/games/auditline/?{one}" for one in ("words=hidden", "person=Victor"))
    for game in (world.game, world.own, world.past):
        yield f"/admin/games/game/{game.pk}/change/"
        yield f"/admin/games/game/{game.pk}/decisions/"
        for name in ("event", "auditline", "outboxemail"):
            yield f"/admin/games/{name}/?game__id__exact={game.pk}"
        yield from (act_url(game, slug) for slug in ("rewind", "our-fault", "reopen"))
    yield from rows.stories
    for number in rows.reports:
        yield f"/admin/games/report/{number}/change/"
        yield from (report_act_url(Report(pk=number), slug) for slug in ("uphold", "export"))
    yield from (f"/admin/games/outboxemail/{key}/change/" for key in rows.emails)
    for user in rows.people:
        yield f"/admin/games/user/{user.pk}/change/"
        yield f"/admin/games/user/{user.pk}/doubles/"
        yield from (
            person_act_url(user, slug) for slug in ("clear-up", "take-back-warning", "export")
        )


def read_all(world: World, reader: User, rows: Rows) -> dict[str, object]:
    """All that a moderator gets to read: status and text of each page, and the export of a case."""
    client = browser(reader)
    found = read_pages(client, addresses(world, rows))
    found["decide"] = _page(client, "/admin/reports/decide/", act="reject", reports=rows.reports)
    form = person_form(client, named("Victor"), "clear-up") | {
        "seats": "free", "where": "all", "messages": "on", "reports": "uphold",
        "invitations": "on", "tables": "close",
    }  # fmt: skip
    found["clear up"] = _page(client, person_act_url(named("Victor"), "clear-up"), **form)
    return found | read_case(world, reader)


def read_pages(client: Client, wanted: Iterable[str]) -> dict[str, object]:
    found = dict[str, object]()
    for address in wanted:
        page = client.get(address)
        found[address] = (page.status_code, without_what_differs(page.content.decode()))
    return found


def read_case(world: World, reader: User) -> dict[str, object]:
    archive = cases.archive(world.report, reader, None, MONDAY)
    with zipfile.ZipFile(io.BytesIO(archive.content)) as packed:
        return {name: packed.read(name).decode() for name in packed.namelist()}


def _page(client: Client, address: str, **form: object) -> tuple[int, str]:
    page = client.post(address, form)
    return page.status_code, without_what_differs(page.content.decode())


def lines(read: object) -> list[str]:
    status, text = read if isinstance(read, tuple) else (200, str(read))
    return [f"Status {status}", *text.splitlines()]


def unlike(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """The addresses at which something else is read."""
    assert before.keys() == after.keys()
    return [address for address, read in before.items() if after[address] != read]


def test_nothing_of_all_of_it_is_on_any_page(world):
    assert_hidden(world, *HIDDEN)


@pytest.mark.long
@pytest.mark.parametrize("hidden", HIDDEN, ids=lambda one: one.__name__)
def test_nothing_of_it_is_on_any_page(world, hidden):
    """One thing by itself: none is hidden only because another is there, too."""
    assert_hidden(world, hidden)


def assert_hidden(world: World, *hidden: Callable[[World], None]) -> None:
    rows = rows_of(world)
    before = read_all(world, world.nora, rows)
    assert {before[key][0] for key in ("decide", "clear up", "/admin/month/")} == {200}
    for one in hidden:
        one(world)
    after = read_all(world, world.nora, rows)
    for address in unlike(before, after):
        told = unified_diff(lines(before[address]), lines(after[address]), address, n=0)
        assert "\n".join(told) == ""


OTHERS_READ = {
    reports_about_themselves: {"/admin/reports/", "/admin/month/", "/admin/?q=Zacharias"},
    reports_at_their_tables: {"/admin/", "/admin/reports/", "sanctions.json", "audit-log.json"},
    questions_of_theirs: {"/admin/questions/?state=", "/admin/games/auditline/"},
    what_is_kept_about_themselves: {"/admin/games/auditline/?q=Nora"},
    secrets_seen_at_their_table: {"/admin/games/auditline/"},
    email_of_their_table: {"/admin/", "/admin/games/outboxemail/?q=<hidden@example.org>"},
}
"""Some of the pages on which another moderator reads of it: the pages would tell."""


@pytest.mark.parametrize("hidden", OTHERS_READ, ids=lambda one: one.__name__)
def test_another_moderator_reads_of_it(world, hidden):
    marta, pages = named("Marta"), [one for one in OTHERS_READ[hidden] if one.startswith("/")]
    assert set(pages) <= set(addresses(world, rows_of(world)))

    def read() -> dict[str, object]:
        return read_pages(browser(marta), pages) | read_case(world, marta)

    before = read()
    hidden(world)
    assert OTHERS_READ[hidden] <= set(unlike(before, read()))
