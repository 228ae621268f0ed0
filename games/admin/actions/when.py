"""When an action on a game is possible: each condition says why it isn't, "" if it is."""

from collections.abc import Callable

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.actions.row import unless
from games.models import Game, User
from games.services.game.failures import parked_for_the_same
from games.services.game.queries.decisions import made_by_the_clock
from games.services.moderation.actions import timing


def unless_in_play(game: Game, _moderator: User) -> str:
    if game.status != Game.Status.RUNNING:
        return _("This game isn't running.")
    return "" if game.parked_at is None else _("This game is parked. Retry it first.")


def in_play_unless(holds: Callable[[Game], object], reason: Promise) -> Callable[[Game, User], str]:
    """The condition of an action on a game in play of which something `holds`."""
    otherwise = unless(holds, reason)
    return lambda game, moderator: unless_in_play(game, moderator) or otherwise(game, moderator)


def unless_going_on(game: Game, moderator: User) -> str:
    if game.is_going_on:
        return ""
    if game.is_in_play and game.dormant_since is not None:
        return _("The game is dormant because nobody is left at the table.")
    return unless_in_play(game, moderator) or _("The game is paused. Resume it first.")


def unless_failed(game: Game, _moderator: User) -> str:
    return "" if timing.needs_retry(game) else timing.nothing_wrong(game)


def unless_parked_with_others(game: Game, moderator: User) -> str:
    if game.parked_at is not None and parked_for_the_same(game).exists():
        return ""
    if game.status != Game.Status.RUNNING:
        return _("This game isn't running.")
    return _("This is only possible while several games are parked for the same reason.")


unless_waiting = unless(
    lambda game: game.status == Game.Status.WAITING,
    gettext_lazy("This table isn't waiting for players."),
)


def unless_moved(game: Game, moderator: User) -> str:
    if game.is_over:
        return _("The game is over and can no longer be rewound.")
    if reason := unless_in_play(game, moderator):
        return reason
    return "" if game.phase_no > 1 else _("No moves have been played yet.")


def unless_clock_has_played(game: Game, moderator: User) -> str:
    if reason := unless_moved(game, moderator):
        return reason
    if made_by_the_clock(game.moves.all()).exists():
        return ""
    return _("The clock hasn't made any moves in this game.")
