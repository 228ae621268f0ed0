"""Which tables strangers may look at: people without an account, and guests but at their own table.

Every page, picture and list asks here, each time: so what is closed is closed at once.
"""

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


def may_read(game: Game) -> bool:
    """Whether a stranger with the link may read this game."""
    return readable_by_strangers().filter(pk=game.pk).exists()


def may_read_at(token: str) -> bool:
    """The same by the token in an address."""
    return readable_by_strangers().filter(token=token).exists()


def readable_by_strangers() -> GameQuerySet:
    """Finished games, unless their host has closed them; running ones that may be watched."""
    watched = listed_for_strangers().values("pk")
    is_open = Q(status=Game.Status.FINISHED) & ~Q(strangers=Game.Strangers.NOBODY)
    return Game.objects.filter(is_open | Q(pk__in=watched))


def listed_for_strangers() -> GameQuerySet:
    """The games that strangers may find and watch, running or finished."""
    return _found_by_strangers().filter(status__in=(Game.Status.RUNNING, Game.Status.FINISHED))


def waiting_for_strangers() -> GameQuerySet:
    """The tables that strangers may find and that wait for players."""
    return _found_by_strangers().filter(status=Game.Status.WAITING)


def _found_by_strangers() -> GameQuerySet:
    if not may_watch():
        return Game.objects.none()
    found = Game.objects.filter(listed=True, strangers=Game.Strangers.EVERYONE, guided=False)
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
