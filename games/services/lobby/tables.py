"""Tables before the game: opening one, sitting down, leaving, starting, closing.

Who sits down is locked before the table, always in this order, so that nobody gets round the
limit on waiting tables by clicking twice.
"""

import math
import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from games.engine import encode, new_game
from games.engine.computer_players import COMPUTER_PLAYERS
from games.mailboxes import spellings
from games.models import Cause, Game, Invitation, Seat, Sitting, User
from games.presentation.text.cities import city_table
from games.presentation.text.tables import computer_player_name
from games.services import live, outbox, site_state
from games.services.game.one_by_one import change_all
from games.services.game.writer import Writer
from games.services.lobby.settings import (
    CLOSES_AFTER,
    TableSettings,
    columns_of,
    refuse_impossible,
    takes_no_more,
)
from games.services.people import blocks, conditions, joining, sanctions
from games.services.people.display_names import is_mentioned
from games.services.refused import Refused

MOST_WAITING_TABLES: Final = 3

MOST_OPENED_A_DAY: Final = 20
"""How many tables one person opens in 24 hours; first games aside."""

MOST_FIRST_GAMES_A_DAY: Final = 10
DAY: Final = timedelta(days=1)


def open_table(
    *, host: User, settings: TableSettings, now: datetime, token: UUID | None = None
) -> Game:
    """Open a table at which the host sits; `Refused` for rules or times that cannot be.

    The same `token`, made with the form, is one table however often it comes.
    """
    refuse_impossible(settings)
    with transaction.atomic(durable=True):
        sanctions.refuse_who_may_not_write(joining.lock_person(host, now), now)
        opened = Game.objects.filter(opening_token=token).first() if token is not None else None
        if opened is None:
            refuse_one_more(host, now)
            opened = make(settings, host=host, now=now, token=token)
        return opened


def make(
    settings: TableSettings,
    *,
    host: User,
    now: datetime,
    token: UUID | None = None,
    rematch_of: Game | None = None,
    guided: bool = False,
) -> Game:
    """A new table with its host; `Refused` only while the site takes no new games.

    Without a name it is called after a city.
    How many tables a host may have is asked before, by `refuse_one_more`, where the host opens it.
    A guided one is about to start, not to wait.
    """
    site_state.refuse_new_games(now, host.time_zone)
    seed = secrets.randbits(62)
    columns = columns_of(settings)
    game = Game.objects.create(
        **(columns | {"name": settings.name or city_table(seed)}),
        host=host,
        rematch_of=rematch_of,
        guided=guided,
        opening_token=token,
        seed=seed,
        created_at=now,
    )
    Seat.objects.create(game=game, user=host, joined_at=now)
    return game


def refuse_one_more(host: User, now: datetime, *, guided: bool = False, waits: bool = True) -> None:
    """Refuse a host who has or opens too many tables; they are locked, so two can't slip through.

    How many first games somebody opens, other tables don't limit, and the other way round. A guided
    one waits for nobody; nor does one without `waits`, which starts at once.
    """
    opened = Game.objects.filter(host=host, guided=guided, created_at__gt=now - DAY)
    if opened.count() >= (MOST_FIRST_GAMES_A_DAY if guided else MOST_OPENED_A_DAY):
        raise Refused(
            _(
                "You've opened a lot of tables in the last 24 hours. Please wait a while before "
                "you open another."
            )
        )
    if guided:
        return
    joining.refuse_too_many_games(host)
    if waits:
        _refuse_too_many_waiting(host)


def _refuse_too_many_waiting(user: User) -> None:
    waiting = Seat.objects.filter(user=user, game__status=Game.Status.WAITING)
    if waiting.count() >= MOST_WAITING_TABLES:
        text = _(
            "You already have a seat at {most} tables that haven't started yet. Leave one of "
            "them, or wait until one starts."
        )
        raise Refused(text.format(most=MOST_WAITING_TABLES))


def join(*, game_id: int, user: User, now: datetime, seen: int | None = None) -> None:
    """Take a free seat; the game starts when it was the last one. Sitting already is no error.

    `seen` is the version of the settings that the person has seen, and agrees to.
    """
    with transaction.atomic(durable=True):
        joining.lock_person(user, now)
        sit_down(Game.objects.lock(game_id), user, now, seen)


def sit_down(game: Game, user: User, now: datetime, seen: int | None = None) -> None:
    """Take a free seat; person and table are locked. `Refused` where there is none for them.

    Also where the settings aren't those that they have `seen`; None where they were shown none.
    """
    if game.seats.filter(user=user).exists():
        return
    if game.status != Game.Status.WAITING:
        raise Refused(takes_no_more(game))
    if game.seats.count() >= game.size:
        raise Refused(_("There are no free seats left."))
    if seen is not None and seen != game.settings_version:
        raise Refused(
            _("The host has just changed the settings. Please look at them before you take a seat.")
        )
    blocks.refuse_at_odds(game, user)
    conditions.refuse_unless_met(game, user, now)
    joining.refuse_too_many_games(user)
    _refuse_too_many_waiting(user)
    seat(game, [user], now)


def seat(game: Game, people: Sequence[User], now: datetime) -> None:
    """Give free seats of a locked table to people who may take them; a full table starts.

    They agree to its settings.
    """
    Seat.objects.bulk_create(Seat(game=game, user=user, joined_at=now) for user in people)
    addresses = set().union(*(spellings(user.email) for user in people))
    invited = game.invitations.filter(email__in=addresses)
    # Who sits there, everybody sees; whose address it is, nobody.
    invited.filter(by_name=True).update(status=Invitation.Status.ACCEPTED)
    invited.filter(by_name=False).update(status=Invitation.Status.ELSEWHERE)
    live.table_changed(game.pk)
    live.people_concerned([user.pk for user in people])
    start_if_ready(game, now)


def start_if_ready(game: Game, now: datetime) -> None:
    """Start a locked table that is full, and whose players have all agreed to its settings."""
    seats = game.seats
    if seats.count() == game.size and not seats.filter(agreed_settings__isnull=False).exists():
        _start(game, now)


def leave(*, game_id: int, user: User) -> None:
    """Give a seat back before the game starts. The last one to leave closes the table.

    Leaving a table at which one does not sit (any more) is no error.
    """
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        seat = game.seats.filter(user=user).first()
        if seat is None:
            return
        if game.status != Game.Status.WAITING:
            raise Refused(_("You can only leave a table before the game starts."))
        stand_up(game, user)


def stand_up(game: Game, user: User) -> None:
    """Take somebody's seat at a locked, waiting table. The last one to leave closes the table."""
    game.seats.filter(user=user).delete()
    longest = game.seats.select_related("user").order_by("pk").first()
    if longest is None:
        game.status = Game.Status.CANCELLED
        game.save(update_fields=["status"])
    elif game.host_id == user.pk and longest.user is not None:
        hand_over(game, longest.user)
    live.table_changed(game.pk)
    live.people_concerned([user.pk])


def hand_over(game: Game, host: User) -> None:
    """Make somebody who sits there the host of a locked, waiting table."""
    if game.host is not None:
        _take_name_away(game, game.host)
    game.host = host
    game.save(update_fields=["host", "name", "description"])
    live.table_changed(game.pk)


def _take_name_away(game: Game, host: User) -> None:
    """A table named after a host who has left is called after a city, and described by nobody.

    Nothing says later whose name it was, so it couldn't be hidden from strangers.
    """
    if is_mentioned(host, game.name):
        game.name = city_table(game.seed)
    if is_mentioned(host, game.description):
        game.description = ""


def remove(*, game_id: int, user: User, seat_id: int) -> None:
    """The host sends somebody away before the start. Somebody who has left is no error."""
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        refuse_unless_host(game, user, _("Only the host can remove a player from the table."))
        leaving = game.seats.filter(pk=seat_id).exclude(user=user)
        live.people_concerned(leaving.values_list("user_id", flat=True))
        leaving.delete()
        live.table_changed(game_id)


def set_listed(*, game_id: int, user: User, listed: bool, now: datetime) -> None:
    """The host lists a waiting table among the open ones, or takes it off the list again."""
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        refuse_unless_host(game, user, _("Only the host can change whether the table is listed."))
        if listed:
            sanctions.refuse_who_may_not_write(User.objects.get(pk=user.pk), now)
        game.listed = listed
        game.save(update_fields=["listed"])
        live.table_changed(game_id)


def cancel(*, game_id: int, user: User, now: datetime) -> None:
    """The host closes a waiting table; the others get email. Closed already is no error."""
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        if game.status == Game.Status.CANCELLED:
            return
        refuse_unless_host(game, user, _("Only the host can close the table."))
        close(game, now, but=user)


def close_old_tables(now: datetime, until: float = math.inf) -> int:
    """Close tables that have waited for 14 days, and email those who sit there; how many.

    Takes no more after `until` on the monotonic clock. One that is locked, by somebody who sits
    down just now, is left to the next call.
    """
    waiting = Game.objects.filter(status=Game.Status.WAITING).not_set_aside(now)
    old = waiting.filter(created_at__lte=now - CLOSES_AFTER).order_by("pk")
    return change_all(old, lambda game: close(game, now), now, until)


def start_with_computer_players(
    *, game_id: int, user: User, computer_player: str, now: datetime
) -> None:
    """Fill the free seats with computer players of one kind and start. Only the host may."""
    if computer_player not in COMPUTER_PLAYERS:
        text = _("Please choose one of the computer players: {names}.")
        raise Refused(text.format(names=", ".join(map(computer_player_name, COMPUTER_PLAYERS))))
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        if game.status == Game.Status.RUNNING:
            return
        refuse_unless_host(game, user, _("Only the host can start the game."))
        if not game.computer_players_allowed:
            raise Refused(
                _(
                    "This table doesn't use computer players: the game starts when all seats are "
                    "taken."
                )
            )
        if game.seats.filter(agreed_settings__isnull=False).exists():
            raise Refused(
                _("The game can start once everyone at the table has agreed to the new settings.")
            )
        start_against(game, [computer_player] * (game.size - game.seats.count()), now)


def start_against(game: Game, computer_players: Iterable[str], now: datetime) -> None:
    """Give the free seats to these computer players and begin. The game is locked."""
    Seat.objects.bulk_create(
        Seat(game=game, computer_player=name, joined_at=now) for name in computer_players
    )
    _start(game, now)


def refuse_unless_host(game: Game, user: User, text: str) -> None:
    """Only the host decides, and only while the table waits; others are refused with `text`."""
    if game.status == Game.Status.CANCELLED:
        raise Refused(_("This table is closed."))
    if game.status != Game.Status.WAITING:
        raise Refused(_("The game has already started."))
    if game.host_id != user.pk:
        raise Refused(text)


def close(game: Game, now: datetime, but: User | None = None) -> None:
    """Close a locked, waiting table and email those who sit there, except the one who closed it."""
    game.status = Game.Status.CANCELLED
    game.save(update_fields=["status"])
    live.table_changed(game.pk)
    for seat in game.seats.exclude(user=but).select_related("user"):
        outbox.enqueue("table_closed", game=game, person=seat.user, now=now)


def _start(game: Game, now: datetime) -> None:
    """Draw seats and first player by the stored seed, and begin. The game is locked."""
    chance = Random(game.seed)  # noqa: S311 (stored, so that the draw can be checked)
    seats = list(game.seats.select_related("user").order_by("pk"))
    chance.shuffle(seats)
    for number, seat in enumerate(seats):
        seat.number = number
        seat.days_off_left = game.days_off
    Seat.objects.bulk_update(seats, ["number", "days_off_left"])
    people = [seat for seat in seats if seat.user is not None]
    Sitting.objects.bulk_create(Sitting(seat=s, user=s.user, began_at=now) for s in people)
    first = chance.choice(game.colours)
    if game.guided:
        first = game.colours[people[0].drawn_number]  # teachers teach the first player
    began = new_game(game.edition, game.options, game.colours, first)
    game.status = Game.Status.RUNNING
    game.started_at = now
    game.state = encode(began.state)
    for seat in people:
        outbox.enqueue("game_started", game=game, person=seat.user, now=now)
    writer = Writer(game, now)
    writer.record_all(began.events, Cause.RULES)
    writer.go_on()
    writer.commit()
