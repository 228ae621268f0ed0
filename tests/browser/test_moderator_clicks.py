"""In how few clicks moderators do what they do most, from the dashboard to the last confirmation.

A link, a button, a radio or a box is one click, a choice from a drop-down two; typing is none.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect

from games.features.questions import asking
from games.models import Game, Message, OutboxEmail, Report, Sanction, Seat, User
from games.services.game import seats
from games.services.operations import clock, sample_games
from games.services.reports import filing
from games.services.reports.filing import Complaint
from tests.browser.chromium import new_context, sideways, sign_in
from tests.browser.players import PHONE
from tests.support.client import browser, person
from tests.support.moderators import moderator
from tests.support.promising import sitter
from tests.support.reporting import named, say
from tests.support.sites import nadja
from tests.support.tables import DAY, open_table, seats_to_move, table_settings, tick
from tests.support.whispering import whisper

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]

BUG = "/app/games/promise_story.py:71\nKeyError"
LONG_AGO = timedelta(days=9)

Kind = Report.Kind


class Desk:
    """The dashboard of a moderator, where all that is clicked is counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0
        page.goto("/admin/")

    def follow(self, name: str, *, beside: str = "") -> None:
        """Click a link; one of several of this name is beside these words."""
        line = self.page.locator("li", has_text=beside) if beside else self.page
        self._leave(line.get_by_role("link", name=name).first)

    def press(self, name: str) -> None:
        """Click a button that leads to a page."""
        self._leave(self.page.get_by_role("button", name=name, exact=True).first)

    def choose(self, label: str, *, of: str = "") -> None:
        """Click a radio or a box; one of several of this label is in the group `of`."""
        group = self.page.get_by_role("group", name=of) if of else self.page
        box = group.get_by_label(f"{label}:", exact=True)
        group.get_by_label(label, exact=True).or_(box).check()
        self.clicks += 1

    def write(self, label: str, words: str) -> None:
        self.page.get_by_label(label).fill(words)

    def expect(self, words: str) -> None:
        expect(self.page.get_by_text(words).first).to_be_visible()

    def confirm(self, name: str) -> None:
        """Read what will happen, and press the same button once more."""
        self.expect("Nothing has been done yet")
        self.press(f"Confirm: {name}")

    def _leave(self, clicked: Locator) -> None:
        with self.page.expect_navigation():
            clicked.click()
        self.clicks += 1
        assert sideways(self.page) == 0, self.page.url


@pytest.fixture(
    params=[True, pytest.param(False, marks=pytest.mark.long)],
    ids=["with scripts", "without scripts"],
)
def desk_of(request, chromium: Browser, site: str) -> Iterator[Callable[[User], Desk]]:
    """Gives the desk of somebody, on a phone; the clock has ticked."""
    tick(timezone.now())
    context = new_context(chromium, site, viewport=PHONE, java_script_enabled=request.param)

    def desk(user: User) -> Desk:
        sign_in(context, site, browser(user))
        return Desk(context.new_page())

    yield desk
    context.close()


def complaint(reporter: User, kind: Kind) -> Complaint:
    return Complaint(reporter, "Look at that.", uuid4(), timezone.now(), kind)


def tables_of(*names: str, many: int) -> list[Game]:
    """So many running games of these people."""
    people = [User.objects.filter(name=name).first() or person(name) for name in names]
    return [
        sample_games.open_table(
            table_settings(name=f"Table {number}", size=len(people)), *people, now=timezone.now()
        )
        for number in range(many)
    ]


def test_a_private_insult(desk_of):
    """It is removed, and who wrote it is suspended for a week."""
    game = open_table("Anna", "Boris", "Clara", now=timezone.now(), press="private")
    insult = whisper(game, 1, 0, text="I hope you lose, cow.", now=timezone.now())
    filing.report_private(complaint(sitter(game, 0), Kind.INSULT), message_id=insult.pk)
    name = insult.author.name
    desk = desk_of(moderator())
    desk.follow("Decide")
    desk.expect("I hope you lose, cow.")
    desk.choose("suspend for 7 days")
    desk.choose("this message", of="Remove")
    desk.press("Uphold the report")
    desk.expect(f"{name} is suspended for 7 days.")
    desk.expect(f"Email to {name}")
    desk.confirm("Uphold the report")
    desk.expect(f"Upheld. {name} is suspended for 7 days. The message is removed.")
    assert desk.clicks == 5
    insult.refresh_from_db()
    assert insult.text == ""
    assert Report.objects.get().owner == named("Marta")
    [sanction] = Sanction.objects.all()
    assert sanction.reason == "Insults and personal threats have no place here."


def test_a_spammer(desk_of):
    """Banned; eight messages at four tables are removed, and four reports are upheld."""
    games = tables_of("Adolf", "Anna", "Boris", many=4)
    for game in games:
        spam = [say(game, "Adolf", f"Buy {what} at evil.test!") for what in ("gold", "pills")]
        filing.report_message(complaint(named("Anna"), Kind.ADVERTISING), message_id=spam[0].pk)
    desk = desk_of(moderator())
    desk.follow("Decide")
    desk.choose("a ban")
    desk.choose("all public messages of this person at all tables", of="Remove")
    desk.choose("Also uphold 3 other open reports about Adolf")
    desk.press("Uphold the report")
    desk.expect("8 public messages from Adolf at ")
    desk.confirm("Uphold the report")
    desk.expect("Upheld 3 other reports. Whoever made them gets an email.")
    assert desk.clicks == 6
    assert not named("Adolf").is_active
    assert not Message.objects.filter(author__name="Adolf").exclude(text="").exists()
    assert {report.state for report in Report.objects.all()} == {"upheld"}
    told = OutboxEmail.objects.filter(kind="report_decided")
    assert told.filter(person=named("Adolf")).count() == 1
    assert told.filter(person=named("Anna")).count() == 4


def test_a_player_who_vanished_from_twelve_games(desk_of):
    """Computer players get all the seats."""
    games = tables_of("Victor", "Anna", "Boris", many=12)
    for game in games:
        seats.step_aside(game_id=game.pk, user=named("Victor"), now=timezone.now())
    Seat.objects.filter(user=named("Victor")).update(absent_since=timezone.now() - LONG_AGO)
    desk = desk_of(moderator())
    desk.follow("Clear up after this person", beside="Victor has been absent from 12 games")
    desk.choose(
        "Replace with a computer player (courtier: plays to win)", of="Their seats in running games"
    )
    desk.choose("Only where they are absent now")
    desk.choose("This player can't be reached.")
    desk.press("Clear up after this person")
    desk.expect("Victor (")
    desk.confirm("Clear up after this person")
    desk.expect("Computer players have the seats of Victor in 12 games")
    assert desk.clicks == 6
    assert not Seat.objects.filter(user=named("Victor")).exists()


def test_thirty_emails_that_failed_for_one_reason(desk_of):
    tables_of("Anna", "Boris", "Clara", many=10)
    emails = OutboxEmail.objects.filter(kind="game_started")
    emails.update(status="failed", error=BUG)
    assert emails.count() == 30
    desk = desk_of(moderator())
    desk.follow("Resend all that failed for the same reason")
    desk.expect("30 emails will be sent again")
    desk.choose("The problem has been fixed.")
    desk.confirm("Resend all that failed for the same reason")
    desk.expect("The emails that are still relevant will be sent again.")
    assert desk.clicks == 3
    assert not emails.filter(status="failed").exists()


def test_three_hundred_spam_accounts(desk_of):
    kept = person("Anna")
    spammers = [
        User(email=f"s{number}@burner.example", name=f"Spam {number}", name_key=f"spam{number}")
        for number in range(300)
    ]
    User.objects.bulk_create(spammers)
    EmailAddress.objects.bulk_create(
        EmailAddress(user=one, email=one.email, primary=True, verified=False) for one in spammers
    )
    desk = desk_of(nadja())
    desk.follow("The site")
    desk.follow("Remove unconfirmed accounts")
    desk.choose("1 day", of="Signed up within the last")
    desk.choose("Spam accounts.")
    desk.press("Remove unconfirmed accounts")
    desk.expect("300 unconfirmed accounts are deleted for good.")
    desk.expect("<s299@burner.example>")
    desk.confirm("Remove unconfirmed accounts")
    desk.expect("Removed 300 accounts. Nobody gets an email.")
    assert desk.clicks == 6
    assert list(User.objects.filter(is_staff=False)) == [kept]


def test_an_offensive_name_everywhere(desk_of):
    """Of a table, with its description, and of its host."""
    game = open_table("Rude Boy", "Anna", "Boris", now=timezone.now(), name="Death to all",
                      description="You scum.")  # fmt: skip
    filing.report_table(complaint(person("Zoe"), Kind.NAME), game_id=game.pk)
    host = game.host
    desk = desk_of(moderator())
    desk.follow("Decide")
    desk.choose("nothing else")
    desk.write("New name of Rude Boy", "Bruno")
    desk.write("New name of the table", "The Padua table")
    desk.choose("the description of the table", of="Remove")
    desk.press("Uphold the report")
    desk.expect("Rude Boy is renamed to “Bruno”.")
    desk.expect("The table “Death to all” is renamed to “The Padua table”.")
    desk.confirm("Uphold the report")
    desk.expect("Upheld. Rude Boy is renamed to “Bruno”.")
    assert desk.clicks == 5
    game.refresh_from_db()
    host.refresh_from_db()
    assert (game.name, game.description, host.name) == ("The Padua table", "", "Bruno")
    assert OutboxEmail.objects.filter(person=host, kind="report_decided").count() == 1


class TestWhyTheClockPlayed:
    @pytest.fixture
    def seat(self) -> Seat:
        """The clock has played for who has this seat."""
        began = timezone.now() - DAY - timedelta(hours=1)
        [seat] = seats_to_move(open_table("Anna", "Boris", "Clara", now=began))
        clock.sweep(now=began + DAY)
        return seat

    def test_somebody_asks(self, seat, desk_of):
        marta, now = moderator(), timezone.now()
        written = asking.Written(seat.user, "Why 1,000?", uuid4(), now)
        asking.ask(written, kind="clock", game=seat.game)
        desk = desk_of(marta)
        desk.follow(seat.user.name, beside="Why 1,000?")
        desk.follow(f"Why a move was made for {seat.user.name}")
        desk.expect("The deadline passed without a move")
        assert desk.clicks == 2

    def test_of_a_game_by_its_name(self, seat, desk_of):
        desk = desk_of(moderator())
        desk.write("Find a game or person", "Venice")
        desk.press("Search")
        desk.follow("Why the clock played")
        desk.expect("The deadline passed without a move")
        assert desk.clicks == 2
