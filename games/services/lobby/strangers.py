"""Which tables strangers may look at: people without an account, and guests but at their own table.

Every page, picture and list asks here, each time: so what is closed is closed at once.
"""

from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from games.models import Game, Sitting, User
from games.models.game import GameQuerySet
from games.services import live
from games.services.refused import Refused


def may_watch() -> bool:
    """Whether the site lets strangers find games, and watch those that are running."""
    return bool(settings.WATCHING == "anyone")


def may_read_at(token: str) -> bool:
    """Whether a stranger may read the game with this token in its address."""
    return readable_by_strangers(Game.objects.filter(token=token)).exists()


def is_found_waiting(game: Game) -> bool:
    """Whether strangers may find this game, and it waits for players."""
    return waiting_for_strangers(Game.objects.filter(pk=game.pk)).exists()


def readable_by_strangers(games: GameQuerySet) -> GameQuerySet:
    """Those of `games` that are over, unless their host has closed them, or may be watched.

    Both are looked for among `games` alone: of the one at an address, the database reads no other.
    """
    watched = _found_by_strangers(games).filter(status__in=_STARTED).values("pk")
    is_open = Q(status=Game.Status.FINISHED) & ~Q(strangers=Game.Strangers.NOBODY)
    return games.filter(is_open | Q(pk__in=watched))


def listed_for_strangers() -> GameQuerySet:
    """The games that strangers may find and watch, running or finished."""
    return _found_by_strangers(Game.objects.all()).filter(status__in=_STARTED)


def waiting_for_strangers(games: GameQuerySet | None = None) -> GameQuerySet:
    """The tables (those of `games`) that strangers may find and that wait for players."""
    return _found_by_strangers((Game.objects.all() if games is None else games).with_free_seats())


_STARTED: Final = (Game.Status.RUNNING, Game.Status.FINISHED)


def _found_by_strangers(games: GameQuerySet) -> GameQuerySet:
    if not may_watch():
        return Game.objects.none()
    found = games.filter(listed=True, strangers=Game.Strangers.EVERYONE, guided=False)
    of_guests = Sitting.objects.filter(seat__game=OuterRef("pk"), user__is_guest=True)
    return found.without_guests().exclude(Exists(of_guests))


def choose(*, game_id: int, user: User, strangers: str) -> None:
    """The host says when strangers may look, before, during or after the game."""
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        if game.host_id != user.pk:
            raise Refused(_("Only the host can change who may watch."))
        if strangers not in Game.Strangers:
            raise Refused(_("Please choose when people without an account can look at the game."))
        save(game, strangers)


def save(game: Game, strangers: str) -> None:
    """The same for a locked game, whoever wants it so."""
    game.strangers = strangers
    game.save(update_fields=["strangers"])
    live.table_changed(game.pk)
