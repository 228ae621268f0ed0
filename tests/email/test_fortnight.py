"""A busy player, hour by hour: how many emails a day, and none that says what is no longer true.

Anna plays at six tables and moves every evening at seven; everybody else moves within hours and
mentions her now and then. In the second week the clocks change.
"""

import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from games.models import Game, MutedGame, OutboxMail, Seat
from games.services.chat import messages
from games.services.email import delivery
from games.services.email.kinds import SWITCHES
from games.services.operations import clock, scenarios
from tests.support.client import person
from tests.support.sent_emails import plain_text
from tests.support.tables import answer, table_settings

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
VIENNA = "Europe/Vienna"
BEGINS = datetime(2026, 3, 23, 6, tzinfo=UTC)
HOURS = 14 * 24
TABLES = [("Amber", 24), ("Birch", 24), ("Coral", 24), ("Denim", 24), ("Ebony", 48), ("Fern", 12)]
"""Names, and hours for a move."""

EVERYTHING = [switch.key for switch in SWITCHES]
NEWS = ["game_started", "game_over", "default_played", "mention", "reminder"]
NIGHT = {"quiet_from": 22, "quiet_until": 8}


def six_tables(anna):
    for number, (name, hours) in enumerate(TABLES):
        others = [person(f"{name}{place}") for place in (1, 2)]
        settings = table_settings(name=name, size=3, answer_time=hours * HOUR)
        scenarios.open_table(settings, anna, *others, now=BEGINS, seed=number)


def others_move(now, hour):
    """Everybody but Anna makes one move, and once a day somebody speaks to her."""
    for seat in Seat.objects.filter(deadline_at__isnull=False).select_related("user", "game"):
        if seat.user is not None and seat.user.name != "Anna" and seat.game.is_going_on:
            answer(seat.game, seat.user, now)
    for number, game in enumerate(Game.objects.filter(status=Game.Status.RUNNING).order_by("pk")):
        if hour % 24 == 4 * number:
            speaker = game.seats.exclude(user__name="Anna").filter(user__isnull=False).first()
            said = {"game_id": game.pk, "user": speaker.user, "text": f"@Anna, hour {hour}"}
            messages.say(**said, token=f"00000000-0000-4000-8000-{hour:012}", now=now)


def anna_moves(anna, now):
    """Wherever she is asked, also if that is because of her last move."""
    for _ in range(3):
        for seat in Seat.objects.filter(user=anna, deadline_at__isnull=False).select_related(
            "game"
        ):
            if seat.game.is_going_on:
                answer(seat.game, anna, now)


def check_truth(mail, anna, now):
    """What it asks for is still asked, by the time it names."""
    asks = r"(?:It's your turn|It's still your turn|Your time to move) at “(\w+)”"
    asking = re.findall(asks, plain_text(mail))
    for name in asking:
        seat = Seat.objects.get(user=anna, game__name=name)
        assert seat.deadline_at is not None
        assert seat.deadline_at > now
    return len(asking)


def fortnight(smtp, zone=VIENNA, muted=(), **chosen):
    """How many emails Anna got on each day, and which at what hour of her clock."""
    anna = person("Anna")
    for field, value in {"time_zone": zone, **chosen}.items():
        setattr(anna, field, value)
    anna.save()
    six_tables(anna)
    MutedGame.objects.bulk_create(
        MutedGame(user=anna, game=game) for game in Game.objects.filter(name__in=muted)
    )
    days, hours, seen, asked = Counter(), Counter(), 0, 0
    for hour in range(HOURS):
        now = BEGINS + hour * HOUR
        shown = now.astimezone(ZoneInfo(zone))
        clock.sweep(now=now, call_helper=lambda: None)
        others_move(now, hour)
        if shown.hour == 19:
            anna_moves(anna, now)
        # Five minutes later what may have waited has left.
        OutboxMail.objects.exclude(person=anna).delete()
        for at in (now, now + timedelta(minutes=5)):
            delivery.drain(now=at)
            for mail in smtp.messages[seen:]:
                asked += check_truth(mail, anna, at)
                days[(shown.date() - BEGINS.date()).days] += 1
                hours[shown.hour] += 1
            seen = len(smtp.messages)
    assert asked > 50
    return [days[day] for day in range(15)], hours


CASES = {
    "everything at once": {},
    "quiet hours": NIGHT,
    "everything in the digest": {"digest_mails": EVERYTHING, "digest_hour": 18},
    "in Los Angeles, with news in the digest and three tables muted": {
        "zone": "America/Los_Angeles",
        "digest_mails": NEWS,
        "digest_hour": 18,
        "muted": ["Amber", "Birch", "Coral"],
        **NIGHT,
        "never_wake": True,
    },
}
EMAILS = {
    "everything at once": [23, 17, 18, 15, 15, 20, 15, 15, 17, 19, 14, 19, 11, 9],
    "quiet hours": [19, 17, 10, 18, 15, 15, 12, 17, 16, 19, 14, 19, 11, 5],
    "everything in the digest": [5, 9, 3, 4, 7, 7, 4, 5, 6, 10, 4, 6, 7, 3],
    "in Los Angeles, with news in the digest and three tables muted": [
        8, 5, 3, 8, 4, 6, 4, 6, 5, 7, 3, 6, 6, 2,
    ],
}  # fmt: skip
"""How many on each day, from Monday at seven in Vienna on."""

URGENT_AT_NIGHT = {"quiet hours": {22: 9}}
"""Those in quiet hours, by the hour of her clock: moves that are due soon after these."""


@pytest.mark.parametrize("case", CASES)
def test_a_fortnight(case, smtp):
    days, hours = fortnight(smtp, **CASES[case])
    assert days[:14] == EMAILS[case]
    if "quiet_from" in CASES[case]:
        night = {hour: emails for hour, emails in hours.items() if not 8 <= hour < 22}
        assert night == URGENT_AT_NIGHT.get(case, {})
