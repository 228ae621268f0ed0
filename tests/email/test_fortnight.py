"""A busy player, hour by hour: how many emails a day, and none that says what is no longer true.

Anna plays at six tables and moves every evening at seven; everybody else moves within hours. They
mention her and write to her privately now and then, call votes and make her offers. At the end of
the first week the clocks of Vienna change. What she is told by her browser is true, too.
"""

import re
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest

from games.engine.ledger import Status
from games.engine.promises import Promise, SendScholar
from games.features.push import delivery as push_delivery
from games.features.push import keys
from games.models import Game, MutedGame, OutboxEmail, Seat, Vote
from games.presentation.text.words import moment
from games.services.chat import messages
from games.services.chat.promises import make_offer
from games.services.chat.thread_queries import unread_in
from games.services.email import delivery
from games.services.email.kinds import SWITCHES
from games.services.game import votes
from games.services.game.offers import stored_offers
from games.services.operations import clock, sample_games
from games.services.refused import Refused
from tests.support.client import person
from tests.support.push_service import subscribed, trusted_push_service
from tests.support.sent_emails import plain_text
from tests.support.tables import submit_move, table_settings
from tests.support.whispering import whisper

# In one transaction with so many savepoints it would take a third longer.
pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
HOUR = timedelta(hours=1)
VIENNA = "Europe/Vienna"
BEGINS = datetime(2026, 3, 23, 6, tzinfo=UTC)
DAYS, MOST_DAYS = 8, 14
"""That `--full` and `--long` play."""

TABLES = [("Amber", 24), ("Birch", 24), ("Coral", 24), ("Denim", 24), ("Ebony", 48), ("Fern", 12)]
"""Names, and hours for a move."""

EVERYTHING = [switch.key for switch in SWITCHES]
NEWS = ["game_started", "game_over", "default_played", "mention", "reminder"]
NIGHT = {"quiet_from": 22, "quiet_until": 8}


@pytest.fixture
def service(tmp_path, settings, monkeypatch):
    """A push service, and a key for it."""
    settings.PUSH_KEY = keys.new_key()
    keys.own_key.cache_clear()
    with trusted_push_service(tmp_path, settings, monkeypatch) as server:
        yield server
    keys.own_key.cache_clear()


def six_tables(anna):
    for number, (name, hours) in enumerate(TABLES):
        others = [person(f"{name}{place}") for place in (1, 2)]
        settings = table_settings(name=name, size=3, move_time=hours * HOUR, press="private")
        sample_games.open_table(settings, anna, *others, now=BEGINS, seed=number)


def others_move(now, hour):
    """Everybody but Anna makes one move, and once a day somebody speaks to her."""
    for seat in Seat.objects.filter(deadline_at__isnull=False).select_related("user", "game"):
        if seat.user is not None and seat.user.name != "Anna" and seat.game.is_going_on:
            submit_move(seat.game, seat.user, now)
    for number, game in enumerate(Game.objects.filter(status=Game.Status.RUNNING).order_by("pk")):
        if hour % 24 == 4 * number:
            speaker = game.seats.exclude(user__name="Anna").filter(user__isnull=False).first()
            said = {"game_id": game.pk, "user": speaker.user, "text": f"@Anna, hour {hour}"}
            messages.say(**said, token=f"00000000-0000-4000-8000-{hour:012}", now=now)


def others_talk(anna, now, hour):
    """At one table a day somebody writes to her privately, calls a vote, or makes her an offer."""
    games = list(Game.objects.filter(status=Game.Status.RUNNING).order_by("pk"))
    if hour % 24 != 5 or not games:
        return
    game = games[hour // 24 % len(games)]
    mine = game.seats.get(user=anna).drawn_number
    other = game.seats.exclude(user=anna).filter(user__isnull=False).order_by("pk").first()
    speaks = {"game_id": game.pk, "user": other.user, "now": now}
    what = hour // 24 % 3
    with suppress(Refused):  # such as a vote while there is one, or an offer where nothing is sent
        if what == 0:
            whisper(game, other.drawn_number, mine, text=f"Hour {hour}", now=now)
        elif what == 1:
            votes.call_vote(**speaks, proposal=votes.Proposal(Vote.Kind.PAUSE, amount=3))
        else:
            sends = Promise(other.drawn_number, mine, SendScholar(None))
            make_offer(**speaks, promise=sends, text="", token=uuid4())


def anna_moves(anna, now):
    """Wherever she is asked, also if that is because of her last move."""
    for _ in range(3):
        for seat in Seat.objects.filter(user=anna, deadline_at__isnull=False).select_related(
            "game"
        ):
            if seat.game.is_going_on:
                submit_move(seat.game, anna, now)


ASKS = r"(?:It's your turn|It's still your turn) at “(\w+)”"
TELLS = {
    "a vote": r"Your vote is needed at “(\w+)”",
    "an offer": r"You have a new offer at “(\w+)”",
    "talk": r"You have private messages at “(\w+)”",
}


ONE_BY_ONE = re.compile(r"Vote by|\w+ has made you an offer|A message from")
"""How the subjects begin of what `others_talk` leads to, one a day at most."""


def check_truth(mail, anna, now, told):
    """What it asks for is still asked, by the time it names; what it tells is still open."""
    text = plain_text(mail)
    for name in re.findall(ASKS, text):
        seat = Seat.objects.get(user=anna, game__name=name)
        assert seat.deadline_at > now
        assert f"Please move by {moment(seat.deadline_at, anna.time_zone)}" in text
        told["a turn"] += 1
    for what, pattern in TELLS.items():
        for name in re.findall(pattern, text):
            assert is_open(what, Game.objects.get(name=name), anna, now, text)
            told[what] += 1


def is_open(what, game, anna, now, text):
    if what == "a vote":
        [vote] = game.votes.filter(closed_at=None).exclude(ballots__user=anna)
        return vote.closes_at > now and f"by {moment(vote.closes_at, anna.time_zone)}" in text
    if what == "an offer":
        ledger = stored_offers(game, game.decoded().table).ledger
        return any(entry.status is Status.OPEN for entry in ledger)
    return any(unread_in(thread, anna, now).lines for thread in game.threads.all())


def check_notifications(own, service, anna, now, told):
    """Each names a turn only if it still is one."""
    for given in service.given:
        said = own.read(given)
        if said["body"].startswith(("Your turn", "Reminder", "Last reminder")):
            seat = Seat.objects.get(user=anna, game__name=said["title"])
            assert seat.deadline_at > now
            told["a notification"] += 1
    service.given.clear()


def drain(at):
    """Send what is ready; where nothing is, nobody would be told anything."""
    if OutboxEmail.objects.ready(at).exists():
        delivery.drain(now=at)
    if push_delivery.is_any_ready(at):
        push_delivery.drain(now=at)


def played(smtp, service, until, zone=VIENNA, muted=(), **chosen):
    """How many emails Anna got on each day, and which at what hour of her clock."""
    anna, told = person("Anna"), Counter()
    _client, own = subscribed(anna)
    for field, value in {"time_zone": zone, **chosen}.items():
        setattr(anna, field, value)
    anna.save()
    six_tables(anna)
    MutedGame.objects.bulk_create(
        MutedGame(user=anna, game=game) for game in Game.objects.filter(name__in=muted)
    )
    days, hours, seen = Counter(), Counter(), 0
    for hour in range(until * 24):
        now = BEGINS + hour * HOUR
        shown = now.astimezone(ZoneInfo(zone))
        clock.sweep(now=now, call_helper=lambda: None)
        others_move(now, hour)
        others_talk(anna, now, hour)
        if shown.hour == 19:
            anna_moves(anna, now)
        # Five minutes later what may have waited has left.
        OutboxEmail.objects.exclude(person=anna).delete()
        for at in (now, now + timedelta(minutes=5)):
            drain(at)
            check_notifications(own, service, anna, at, told)
            for mail in smtp.messages[seen:]:
                check_truth(mail, anna, at, told)
                if not ONE_BY_ONE.match(mail["Subject"]):
                    days[(shown.date() - BEGINS.date()).days] += 1
                hours[shown.hour] += 1
            seen = len(smtp.messages)
    assert told["a turn"] > 4 * until
    assert told["a notification"] > 4 * until
    assert all(told[what] for what in TELLS), told
    return [days[day] for day in range(until)], hours


CASES = {
    "everything at once": {},
    "quiet hours": NIGHT,
    "everything in the digest": {"digest_emails": EVERYTHING, "digest_hour": 18},
    "in Los Angeles, with news in the digest and three tables muted": {
        "zone": "America/Los_Angeles",
        "digest_emails": NEWS,
        "digest_hour": 18,
        "muted": ["Amber", "Birch", "Coral"],
        **NIGHT,
        "never_wake": True,
    },
}
SIMPLE = dict.fromkeys(
    ("everything at once", "quiet hours", "everything in the digest"), pytest.mark.long
)
"""The cases whose parts the last one has, too."""

EMAILS = {
    "everything at once": [23, 17, 18, 15, 15, 20, 15, 15, 17, 19, 14, 19, 11, 9],
    "quiet hours": [19, 17, 10, 18, 15, 15, 12, 17, 16, 19, 14, 19, 11, 5],
    "everything in the digest": [5, 9, 3, 4, 7, 7, 4, 5, 6, 10, 4, 6, 7, 3],
    "in Los Angeles, with news in the digest and three tables muted": [
        8, 5, 3, 8, 4, 6, 4, 6, 5, 7, 3, 6, 6, 2,
    ],
}  # fmt: skip
"""How many on each day, from Monday at seven in Vienna on, besides those of `others_talk`."""

URGENT_AT_NIGHT = {"quiet hours": {22: 9}}
"""Those in quiet hours, by the hour of her clock: moves that are due soon after these."""


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=SIMPLE[case]) if case in SIMPLE else case for case in CASES]
)
def test_a_fortnight(case, smtp, service, request):
    until = MOST_DAYS if request.config.getoption("long") else DAYS
    days, hours = played(smtp, service, until, **CASES[case])
    assert days == EMAILS[case][:until]
    if "quiet_from" in CASES[case]:
        night = {hour: emails for hour, emails in hours.items() if not 8 <= hour < 22}
        assert night == URGENT_AT_NIGHT.get(case, {})
