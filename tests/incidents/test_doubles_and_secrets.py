"""More incidents of other servers: a double POST that acts twice, a secret that leaks somewhere."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from games.engine import Bribe, legal
from games.models import DaysOff, Event, Order
from games.services.game import moves
from tests.support.client import browser, person
from tests.support.tables import MONDAY, open_table, seat_of, seats_to_move, submit_move

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db]


def test_every_act_about_a_seat_sent_twice_happens_once():
    game = open_table("Anna", "Boris", "Clara")
    url = game.get_absolute_url()
    clara, dora = browser(seat_of(game, "Clara").user), browser(person("Dora"))
    number = seat_of(game, "Clara").number
    next_week = timezone.now().date() + timedelta(days=7)
    days = {"first_day": next_week, "last_day": next_week + timedelta(days=1)}
    for player, act, data, announced in (
        (clara, "days-off", days, 1),
        (clara, "step-aside", {}, 1),
        (clara, "come-back", {}, 1),
        (clara, "step-aside", {}, 1),
        (dora, f"take-over/{number}", {}, 0),  # days off go with who announced them
    ):
        for _ in range(2):
            assert player.post(f"{url}{act}/", data).status_code == 302
            assert DaysOff.objects.count() == announced
    text = Event.objects.filter(kind__in=["SeatAbsent", "SeatReturned", "SubstituteSat"])
    assert list(text.order_by("seq").values_list("kind", flat=True)) == [
        "SeatAbsent",
        "SeatReturned",
        "SeatAbsent",
        "SubstituteSat",
    ]
    assert game.seats.get(number=number).sittings.count() == 2


def test_what_is_sealed_ordered_or_held_leaks_on_no_page_of_anybody_else():
    game = open_table("Anna", "Boris", "Clara", "Dora", options={"bribing": "simultaneous"})
    while len(seats_to_move(game)) < 2:
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    sealing, ordering = seats_to_move(game)[:2]
    seal(game, sealing, 13000)
    scholar = next(one for one in game.decoded().contenders if one.owner == ordering.number)
    names = game.decoded().table.names
    Order.objects.create(
        seat=ordering,
        kind="bribe",
        scholar=names[scholar],
        formula={"kind": "amount", "amount": 23000},
        wait_if_addressed=True,
        made_at=MONDAY,
    )
    readers = [seat.user for seat in game.seats.all() if seat not in (sealing, ordering)]
    for reader in [*readers, person("Zoe")]:
        client = browser(reader)
        for path in (*(f"{game.get_absolute_url()}{end}" for end in PATHS), *SITE_PATHS):
            page = client.get(path, follow=True).content.decode()
            for secret in ("13,000", "13000", "23,000", "23000"):
                assert secret not in page, f"{reader} reads {secret} at {path}"
    own = browser(ordering.user).get(f"{game.get_absolute_url()}orders/").content.decode()
    assert "23,000" in own
    assert "13,000" in browser(sealing.user).get(game.get_absolute_url()).content.decode()


PATHS = ("", "orders/", "talk/", "record/")
SITE_PATHS = ("/", "/tables/", "/status/", "/health/", "/accounts/profile/")


def seal(game, seat, amount):
    """Hand in sealed bribes: this amount for each of the seat's scholars."""
    game.refresh_from_db()
    choice = legal(game.decoded(), seat.number)
    move = Bribe(tuple((scholar, amount) for scholar in choice.scholars))
    outcome = moves.submit_moves(
        game_id=game.pk,
        user=seat.user,
        phase_no=game.phase_no,
        token=uuid4(),
        moves=[move],
        now=MONDAY,
    )
    assert outcome.played
    game.refresh_from_db()
    assert game.decoded().sealed
