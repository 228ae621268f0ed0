"""The host changes the settings of a table that waits; who sits there agrees to them, or leaves.

Until everybody has agreed, the game doesn't start. Who has agreed to the same settings before, is
not asked, and nobody is about what they don't play by: the table's name, its description, and who
finds it.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game, Seat, User
from games.services import live, outbox
from games.services.lobby import tables
from games.services.lobby.differences import differences
from games.services.lobby.settings import (
    TableSettings,
    agreed_settings,
    columns_of,
    refuse_impossible,
    settings_of,
    stored,
    takes_no_more,
)
from games.services.people import joining, sanctions
from games.services.refused import Refused

MOST_CHANGES: Final = 10
"""How often a host may change what those who sit there are asked about: each time is an email."""


def refuse_who_may_not_change(game: Game, user: User) -> None:
    """`Refused` to anybody but the host of a table that waits."""
    tables.refuse_unless_host(game, user, _("Only the host can change the settings."))


def change(*, game_id: int, user: User, settings: TableSettings, now: datetime) -> None:
    """Give a waiting table these settings. Those who sit there are asked, except its host.

    Without a name it keeps its own; who may look, is chosen elsewhere.
    """
    refuse_impossible(settings)
    with transaction.atomic(durable=True):
        sanctions.refuse_who_may_not_write(joining.lock_person(user, now), now)
        game = Game.objects.lock(game_id)
        refuse_who_may_not_change(game, user)
        seats = list(game.seats.select_related("user").order_by("pk"))
        _refuse_too_few_seats(settings, len(seats))
        before = settings_of(game)
        columns = columns_of(
            replace(settings, name=settings.name or game.name, strangers=game.strangers)
        )
        for column, value in columns.items():
            setattr(game, column, value)
        if differences(before, settings):
            _refuse_too_many_changes(game)
            game.settings_version += 1
            _ask(game, seats, before, now)
        game.save(update_fields=[*columns, "settings_version"])
        live.table_changed(game.pk)
        live.people_concerned([seat.user_id for seat in seats])
        tables.start_if_ready(game, now)


def _refuse_too_few_seats(settings: TableSettings, seated: int) -> None:
    if settings.size < seated:
        text = ngettext(
            "{count} player already has a seat: the table needs at least that many seats.",
            "{count} players already have a seat: the table needs at least that many seats.",
            seated,
        )
        raise Refused(text.format(count=seated))


def _refuse_too_many_changes(game: Game) -> None:
    if game.settings_version >= MOST_CHANGES:
        text = _(
            "The settings of a table can only be changed {most} times. You can close this table "
            "and open another one."
        )
        raise Refused(text.format(most=MOST_CHANGES))


def _ask(game: Game, seats: Sequence[Seat], before: TableSettings, now: datetime) -> None:
    """Ask those who have agreed to other settings than those of now, and email them."""
    now_agreed = settings_of(game)
    for seat in seats:
        agreed = seat.agreed_settings or stored(before)
        is_same = not differences(agreed_settings(game, agreed), now_agreed)
        seat.agreed_settings = None if is_same or seat.user_id == game.host_id else agreed
        if seat.agreed_settings is not None:
            about = {"game": game, "person": seat.user, "about": game.settings_version}
            outbox.enqueue("settings_changed", **about, now=now)
    Seat.objects.bulk_update(seats, ["agreed_settings"])


def stay(*, game_id: int, user: User, seen: int, now: datetime) -> None:
    """Agree to the settings of this version, and keep one's seat; a full table starts.

    Having agreed already is no error.
    """
    with transaction.atomic(durable=True):
        joining.lock_person(user, now)
        game = Game.objects.lock(game_id)
        seat = game.seats.filter(user=user).first()
        if seat is None:
            raise Refused(_("You no longer have a seat at this table."))
        if seat.agreed_settings is None:
            return
        if game.status != Game.Status.WAITING:
            raise Refused(takes_no_more(game))
        if seen != game.settings_version:
            raise Refused(_("The host has changed the settings again. Please look at them."))
        seat.agreed_settings = None
        seat.save(update_fields=["agreed_settings"])
        live.table_changed(game.pk)
        live.people_concerned([user.pk])
        tables.start_if_ready(game, now)


def changes_for(seat: Seat, game: Game) -> list[str]:
    """What the player of a seat of this table is asked to agree to, in sentences; else nothing."""
    if seat.agreed_settings is None or game.status != Game.Status.WAITING:
        return []
    return differences(agreed_settings(game, seat.agreed_settings), settings_of(game))
