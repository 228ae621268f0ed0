"""The kinds of pages of the admin, for axe and the pictures: each template that there is, once."""

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

from django.test import Client
from playwright.sync_api import Page

from games.models import Game, OutboxEmail, Reason, Report, Seat, User
from games.services.accounts import sign_ins
from games.services.chat import messages
from games.services.game import seats
from games.services.moderation.actions import timing
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from games.services.people import acquaintances
from games.services.reports import filing
from games.services.reports.filing import Complaint
from tests.browser.world import World
from tests.support.moderators import moderator
from tests.support.tables import tick

LONG_AGO = timedelta(days=9)


def referee(world: World) -> User:
    found = User.objects.filter(name="Nora").first()
    return found or moderator("Nora")


def nora(world: World) -> Client:
    return world.of(referee(world))


def busy(world: World) -> Client:
    """A moderator with something of everything on the desk and in the lists."""
    game, other, client = world.running, world.finished, nora(world)
    now = world.now
    tick(now - LONG_AGO)
    Game.objects.filter(pk=world.waiting.pk).update(name="The table with" + 3 * " a long name")
    if not Reason.objects.filter(game=game).exists():
        request = GameRequest(
            game.pk, referee(world), "A player requested this.", seen_now(game), now
        )
        timing.extend(request, seat=None, time=timedelta(hours=5))
        absent = game.seats.filter(deadline_at=None, computer_player="").last()
        seats.step_aside(game_id=game.pk, user=absent.user, now=now)
        Seat.objects.filter(pk=absent.pk).update(absent_since=now - LONG_AGO)
        messages.say(game_id=game.pk, user=world.asked, text="Be kind.", token=uuid4(), now=now)
        OutboxEmail.objects.filter(person=world.asked).update(status="failed", error="550 unknown")
        assert other.emails.exists()
    return client


def with_reports(world: World) -> Client:
    """A moderator with several reports about one message, and a threat."""
    client, now = nora(world), world.now
    if not Report.objects.filter(kind=Report.Kind.THREAT).exists():
        said = messages.say(
            game_id=world.running.pk, user=world.asked, text="Rotten cow!", token=uuid4(), now=now
        )
        for reporter in (world.rosa, world.ursula, world.petra):
            if reporter != world.asked:
                complaint = Complaint(reporter, "Rude.", uuid4(), now, Report.Kind.INSULT)
                filing.report_message(complaint, message_id=said.pk)
        threat = Complaint(world.asked, "I know where you live.", uuid4(), now, Report.Kind.THREAT)
        filing.report_person(threat, person=world.ursula)
    return client


def uphold(world: World) -> str:
    """The form that decides about a person and a reported message."""
    with_reports(world)
    report = Report.objects.filter(kind=Report.Kind.INSULT, message__isnull=False).latest("pk")
    return f"/admin/games/report/{report.pk}/act/uphold/"


def read_the_emails(page: Page) -> None:
    """Decide what a report brings, and read what both sides will."""
    page.locator("[name=consequence][value='suspension:7']").check()
    press(page)


def choose_to_uphold(page: Page) -> None:
    page.locator("td.pick input").first.check()
    page.locator("button[value=uphold]").click()


def game(rest: str) -> Callable[[World], str]:
    return lambda world: f"/admin/games/game/{world.running.pk}/{rest}"


def open_decision(world: World) -> str:
    """The decision of the player who is to move."""
    seat = world.running.seats.get(user=world.asked)
    return game(f"decisions/{seat.number}/{seat.to_move_phase}/")(world)


def suspended(rest: str = "change/") -> Callable[[World], str]:
    return lambda world: f"/admin/games/user/{world.ursula.pk}/{rest}"


def press(page: Page) -> None:
    """Hand the form in as it is."""
    page.locator(".submit-row input[type=submit]").first.click()


def look_behind(page: Page) -> None:
    for thing in ("balances", "orders", "notes"):
        page.locator(f"[name={thing}]").check()
    page.locator("[name=reason]").fill("The money is wrong.")
    press(page)


def say_nothing_long(page: Page) -> None:
    """Hand it in without a reason."""
    page.locator("[name=reason]").fill("")
    press(page)


def lists() -> tuple[tuple[str, str], ...]:
    return (
        ("games", "game/"),
        ("games-none", "game/?q=nothing"),
        ("seats", "seat/"),
        ("events", "event/"),
        ("emails", "outboxemail/?q=a"),
        ("audit-log", "auditline/?act=extend"),
    )


def address_of_list(rest: str) -> str:
    return f"/admin/games/{rest}"


def user_page(world: World) -> str:
    return f"/admin/games/user/{world.asked.pk}/change/"


def with_doubles(world: World) -> Client:
    """A moderator where two who play together were signed in with one browser."""
    for user in (world.asked, world.other):
        sign_ins.record(
            user,
            device=22 * "a",
            address="203.0.113.7",
            agent="Firefox",
            now=world.now,
            just_now=True,
        )
    acquaintances.declare(user=world.other, other_id=world.asked.pk, now=world.now)
    return nora(world)


def doubles(world: World) -> str:
    return f"/admin/games/user/{world.asked.pk}/doubles/"


def clear_pair(world: World) -> str:
    return f"{doubles(world)}{world.other.pk}/clear/"


def with_question(world: World) -> Client:
    """A moderator where somebody has asked something, been answered, and asked again."""
    assert world.question
    return nora(world)


def question(rest: str) -> Callable[[World], str]:
    return lambda world: f"/admin/questions/{world.question.pk}/{rest}"
