"""Twin games that differ only in what was said and promised privately are the same for all others.

The same story is played twice from the same start, with the same numbers of all rows, once with
private talk and once without; what others then read must not differ by a byte.
"""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.db import connection, transaction
from django.test import Client

from games.engine import Bribe, Place
from games.engine.promises import IfBribed, PlaceIn, Promise
from games.models import Game, OutboxEmail, PrivateMessage, Report
from games.services.chat import messages
from games.services.chat.queries import id_of
from games.services.email import delivery
from games.services.email.compose import compose
from games.services.email.kinds import kind_of
from games.services.public_ids import public_id
from games.services.reports import filing
from games.services.reports.filing import Complaint
from tests.support.client import browser, person
from tests.support.moderators import moderator
from tests.support.promising import bribing_table, in_order, moves, sitter, state_of
from tests.support.tables import MONDAY, seats_to_move, tick
from tests.support.whispering import offers_privately, replies_privately, whisper

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db]

SECRET = "Between you and me: Clara must lose."
NOW = MONDAY + timedelta(hours=1)
RANDOM = (
    (re.compile(r'(name="csrfmiddlewaretoken" value=)"\w+"'), r'\1""'),
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}"), "UUID"),
    (re.compile(r"(unsubscribe|conduct)/[^\s\"<]+"), r"\1/"),
    (re.compile(r"<[\w.]+@[\w.-]+>"), "<message-id>"),
)


def positions() -> dict[str, int]:
    """How far each table has counted its rows."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT sequencename, coalesce(last_value, 0) FROM pg_sequences")
        return dict(cursor.fetchall())


def count_again(from_here: dict[str, int]) -> None:
    with connection.cursor() as cursor:
        for name, value in from_here.items():
            cursor.execute(f'ALTER SEQUENCE "{name}" RESTART WITH {value + 1}')


def undone(
    told: Callable[..., tuple[dict[str, str], str]], start: dict[str, int], **how: bool
) -> tuple[dict[str, str], str]:
    """What is told; then all rows are as they were, and are counted from the same numbers again."""
    before = transaction.savepoint_create()
    found = told(**how)
    transaction.savepoint_rollback(before)
    count_again(start)
    return found


def the_same(text: str, game: Game) -> str:
    """The text without what is random in it."""
    text = text.replace(game.token, "TABLE")
    for pattern, plain in RANDOM:
        text = pattern.sub(plain, text)
    return text


def read_all(game: Game, client: Client, paths: list[str]) -> dict[str, str]:
    found = {}
    for path in paths:
        answer = client.get(path)
        content = b"".join(answer) if answer.streaming else answer.content
        found[path.replace(game.token, "TABLE")] = (
            f"{answer.status_code} {the_same(content.decode(errors='backslashreplace'), game)}"
        )
    return found


def table_pages(game: Game) -> list[str]:
    table = game.get_absolute_url()
    people = [public_id("person", seat.user_id) for seat in game.seats.all()]
    talk = [f"?talk={key}" for key in ("new", *people)]
    places = (
        "",
        *talk,
        "private/",
        "history/",
        "deadlines/",
        "promises/",
        "rules/",
        "record/",
        "picture.png",
    )
    pages = [f"/people/{seat.user_id}/" for seat in game.seats.all()]
    steps = [f"{table}history/{event.seq}/" for event in game.events.order_by("seq")]
    return [
        "/",
        "/tables/",
        "/people/",
        "/status/",
        *pages,
        *steps,
        *(table + one for one in places),
    ]


def admin_pages(game: Game) -> list[str]:
    lists = ("game", "outboxemail", "message", "event", "user", "report", "auditline", "redaction")
    words = SECRET.split(":", maxsplit=1)[0].replace(" ", "+")
    people = [f"/admin/games/user/{seat.user_id}/change/" for seat in game.seats.all()]
    return [
        "/admin/",
        f"/admin/games/game/{game.pk}/change/",
        *people,
        *(f"/admin/games/{one}/" for one in lists),
        *(f"/admin/games/{one}/?q={words}" for one in ("game", "message", "outboxemail", "event")),
        f"/admin/games/outboxemail/?game__id__exact={game.pk}",
    ]


def written(game: Game, number: int, emails: list[OutboxEmail]) -> Iterator[str]:
    """The emails to the player of this seat that are still true, as they would be sent now."""
    seat = game.seats.get(number=number)
    for email in emails:
        if kind_of(email).is_relevant(email, seat):
            found = compose([(email, seat)])
            yield from (
                found.subject,
                found.body,
                *(str(one.content) for one in found.alternatives),
            )


def story(*, private: bool, over: bool, shown: bool = False) -> tuple[dict[str, str], str]:
    """What others read of a game, and what one of the two who talk privately does."""
    tick(NOW)
    game = bribing_table(press="private", threads_shown=shown, seed=7, options={"rounds": 2})
    other, owner, third = in_order(game)
    if private:
        whisper(game, owner, other, text=SECRET)
        scholar = state_of(game).contenders[0]
        deed, condition = PlaceIn(scholar, None, 6000), IfBribed(scholar, 4000)
        made = offers_privately(game, owner, Promise(owner, other, deed, condition), text=SECRET)
        replies_privately(game, other, made)
        said = PrivateMessage.objects.filter(author=sitter(game, other)).first()
        assert said is not None
    messages.say(
        game_id=game.pk, user=sitter(game, third), text="Good luck!", token=uuid4(), now=MONDAY
    )
    browser(sitter(game, third)).get(game.get_absolute_url())  # so that there is news afterwards
    one, two = state_of(game).contenders
    moves(game, Bribe(((one, 4000), (two, 1000))), Place(((one, 3000), (two, 10000))))
    while third not in {seat.number for seat in seats_to_move(game)}:
        moves(game, None)
    if over:
        while game.status == Game.Status.RUNNING:
            moves(game, None)
    sent = list(OutboxEmail.objects.filter(person=sitter(game, third)).order_by("pk"))
    found = {
        "rows of email": "\n".join(f"{row.kind} {row.status}" for row in sent),
        "email": the_same("\n".join(written(game, third, sent)), game),
    }
    stranger, keeper = person("Zoe"), moderator("Marta")
    found |= {
        f"third {k}": v
        for k, v in read_all(game, browser(sitter(game, third)), table_pages(game)).items()
    }
    found |= {
        f"stranger {k}": v for k, v in read_all(game, browser(stranger), table_pages(game)).items()
    }
    found |= {
        f"moderator {k}": v for k, v in read_all(game, browser(keeper), admin_pages(game)).items()
    }
    found |= {f"nobody {k}": v for k, v in read_all(game, Client(), table_pages(game)).items()}
    return found, browser(sitter(game, owner)).get(game.get_absolute_url()).content.decode()


@pytest.mark.long(after=1)
@time_machine.travel(NOW, tick=False)
@pytest.mark.parametrize("over", [False, True])
def test_twins_are_the_same_for_everybody_else(over):
    start = positions()
    told = [undone(story, start, private=private, over=over) for private in (False, True)]
    (without, plain), (with_it, seen) = told
    assert without.keys() == with_it.keys()
    assert over or "Since your last move" in without["email"]
    for page, text in without.items():
        assert text == with_it[page], page
    assert "private: " in seen or "?talk=" in seen
    assert plain != seen


@time_machine.travel(NOW, tick=False)
def test_the_twins_differ_where_who_talks_is_shown():
    """That the comparison above can fail at all."""
    start = positions()
    without, with_it = (
        undone(story, start, private=private, over=False, shown=True)[0]
        for private in (False, True)
    )
    different = [page for page in without if without[page] != with_it[page]]
    assert {re.sub(r"=[\w-]+$", "=", page) for page in different} == {
        f"{who} /tables/TABLE/{where}" for who in ("third", "stranger") for where in ("", "?talk=")
    }


def test_email_of_others_and_the_log_hold_nothing_of_it(smtp, caplog):
    game = bribing_table(press="private")
    other, owner, third = in_order(game)
    whisper(game, owner, other, text=SECRET)
    moves(game, None, None)
    delivery.drain(now=MONDAY + timedelta(hours=1))
    holding = {
        mail["To"]
        for mail in smtp.messages
        if SECRET in str(mail.get_body(("plain",)).get_content())
    }
    assert len(holding) == 1
    assert sitter(game, other).email in holding.pop()
    assert sitter(game, third).email not in holding
    assert SECRET not in caplog.text


def test_a_report_freezes_ten_messages_before_and_after_and_nothing_else_is_shown():
    game = bribing_table(press="private")
    other, owner, _third = in_order(game)
    at = MONDAY
    rows = []
    for number in range(30):
        at += timedelta(minutes=1)
        rows.append(whisper(game, owner, other, text=f"Word {number:02}.", now=at))
    reported = rows[15]
    keeper = browser(moderator("Marta"))
    thread = reported.thread.token
    place = f"{game.get_absolute_url()}private/{thread}/{id_of(reported)}/report/"
    client = browser(sitter(game, other))
    asked = client.get(place).content.decode()
    assert "up to 10 messages before and after it" in asked
    assert browser(sitter(game, owner)).get(place).status_code == 302  # one's own
    complaint = Complaint(sitter(game, other), "That hurts.", uuid4(), at)
    filing.report_private(complaint, message_id=reported.pk)
    messages.edit(message=rows[29], user=sitter(game, owner), text="Quite another thing", now=at)
    page = keeper.get(f"/admin/games/report/{Report.objects.get().pk}/change/").content.decode()
    shown = [number for number in range(30) if f"Word {number:02}." in page]
    assert shown == list(range(5, 26))
    assert "Quite another thing" not in page
    assert "That hurts." in page
