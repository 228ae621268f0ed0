"""The acts on a game: what each is called, what it does, its form and its service."""

from collections.abc import Callable
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.forms.moderation import game_actions as forms
from games.models import Game
from games.services.game.failures import parked_for_the_same
from games.services.moderation.actions import messages, rewind, seats, timing


class Act(NamedTuple):
    """An act: `explains` says what will happen, `fits` whether a game is in a state for it."""

    slug: str
    title: Promise
    explains: Promise
    form: type[forms.ActForm]
    do: Callable[..., None]
    fits: Callable[[Game], bool]
    danger: bool = False


def _running(game: Game) -> bool:
    return game.is_in_play


def _going_on(game: Game) -> bool:
    return game.is_going_on


def _paused(game: Game) -> bool:
    return game.paused_at is not None


def _parked(game: Game) -> bool:
    return game.parked_at is not None


def _parked_with_others(game: Game) -> bool:
    return _parked(game) and parked_for_the_same(game).exists()


def _unfinished(game: Game) -> bool:
    return not game.is_over


def _open(game: Game) -> bool:
    return _running(game) and not game.closed_to_newcomers


def _closed(game: Game) -> bool:
    return _running(game) and game.closed_to_newcomers


def _has_absent(game: Game) -> bool:
    absent = game.seats.filter(user__isnull=False, absent_since__isnull=False)
    return _running(game) and absent.exists()


def _has_moved(game: Game) -> bool:
    return _running(game) and game.phase_no > 1


def _has_note(game: Game) -> bool:
    return bool(game.note)


def _any(_game: Game) -> bool:
    return True


ALL: Final = (
    Act(
        "retry",
        _("Retry"),
        _(
            "The game was parked because it could not continue. Retries the game and extends "
            "deadlines that have passed in the meantime. If it still can't continue, nothing "
            "changes."
        ),
        forms.ActForm,
        timing.retry,
        _parked,
    ),
    Act(
        "retry-all",
        _("Retry all"),
        _(
            "Retries this game and all others that were parked for the same reason, each on its "
            "own. Games that still can't continue stay parked. Your own tables are left to "
            "another moderator."
        ),
        forms.ActForm,
        timing.retry_all,
        _parked_with_others,
    ),
    Act(
        "pause",
        _("Pause"),
        _(
            "Nobody can move and the clock stops. When the game resumes, players have the time "
            "they had left. Everyone at the table is notified by email."
        ),
        forms.PauseForm,
        timing.pause,
        _going_on,
    ),
    Act(
        "resume",
        _("Resume"),
        _(
            "The clock resumes with the time each player had left. Everyone at the table "
            "is notified by email."
        ),
        forms.ActForm,
        timing.resume,
        _paused,
    ),
    Act(
        "extend",
        _("Give more time"),
        _("Extends the deadline by this many hours. The players affected are notified by email."),
        forms.ExtendForm,
        timing.extend,
        _going_on,
    ),
    Act(
        "deadline",
        _("Set a deadline"),
        _("Sets this deadline. The players affected are notified by email."),
        forms.DeadlineForm,
        timing.set_deadline,
        _going_on,
    ),
    Act(
        "default",
        _("Play the default move now"),
        _(
            "Plays this seat's standing order now, or the default move if there is none. It "
            "doesn't count as a missed deadline. The player is notified by email."
        ),
        forms.AskedSeatForm,
        timing.play_default,
        _going_on,
    ),
    Act(
        "excuse",
        _("Excuse missed deadlines"),
        _("Clears all missed deadlines of this seat. The player is notified by email."),
        forms.PersonsSeatForm,
        seats.excuse,
        _running,
    ),
    Act(
        "absent",
        _("Mark absent"),
        _(
            "The game no longer waits for this seat. Its orders, drafts and notes are discarded, "
            "and the site looks for a substitute. The player is notified by email and may return "
            "until a substitute takes over."
        ),
        forms.PresentSeatForm,
        seats.mark_absent,
        _running,
    ),
    Act(
        "present",
        _("Mark present"),
        _(
            "The game waits for this seat again, with a fresh deadline. The player is "
            "notified by email."
        ),
        forms.AbsentSeatForm,
        seats.mark_present,
        _has_absent,
    ),
    Act(
        "house-player",
        _("Replace with a house player"),
        _(
            "A house player plays this seat to the end, and its player leaves the game. "
            "Everyone at the table is notified by email."
        ),
        forms.HousePlayerForm,
        seats.replace_by_house_player,
        _running,
    ),
    Act(
        "reopen",
        _("Free a seat"),
        _(
            "The player leaves the game, and the site looks for a substitute. Everyone at "
            "the table is notified by email."
        ),
        forms.LeavingForm,
        seats.reopen_seat,
        _running,
    ),
    Act(
        "close",
        _("Close to newcomers"),
        _("Substitutes can no longer take a seat, and the table is unlisted."),
        forms.ActForm,
        seats.close_to_newcomers,
        _open,
    ),
    Act(
        "open",
        _("Open to newcomers"),
        _(
            "Substitutes can take a seat again, and the site looks for one wherever a "
            "player is absent."
        ),
        forms.ActForm,
        seats.open_to_newcomers,
        _closed,
    ),
    Act(
        "rewind",
        _("Rewind"),
        _(
            "The game returns to an earlier point between two moves and continues from there. "
            "You see a preview first."
        ),
        forms.RewindForm,
        rewind.rewind,
        _has_moved,
    ),
    Act(
        "pace",
        _("Change the pace"),
        _(
            "Changes the time per move, starting with the next decision. Everyone at the "
            "table is notified by email."
        ),
        forms.PaceForm,
        timing.change_pace,
        _running,
    ),
    Act(
        "referee",
        _("Write as the referee"),
        _("Posts to the table chat as the referee, without your name."),
        forms.RefereeForm,
        messages.write_as_referee,
        _any,
    ),
    Act(
        "rename",
        _("Rename the table"),
        _(
            "Gives the table a new name, in its chat and emails too. Everyone at the table "
            "is notified by email."
        ),
        forms.RenameForm,
        messages.rename_table,
        _any,
    ),
    Act(
        "remove-note",
        _("Remove the description"),
        _("Deletes the table's description. Everyone at the table is notified by email."),
        forms.ActForm,
        messages.remove_note,
        _has_note,
    ),
    Act(
        "send-again",
        _("Resend an email"),
        _("Resends the email if it still applies."),
        forms.SendAgainForm,
        messages.send_again,
        _any,
    ),
    Act(
        "cancel",
        _("Cancel the game"),
        _(
            "Ends the game permanently, without a winner. Everyone at the table is "
            "notified by email."
        ),
        forms.ActForm,
        timing.cancel,
        _unfinished,
        danger=True,
    ),
)

BY_SLUG: Final = {act.slug: act for act in ALL}


_WHY_NOT: Final[dict[Callable[[Game], bool], Promise]] = {
    _parked: _("This game is not parked."),
    _parked_with_others: _("No other game is parked for the same reason."),
    _paused: _("The game is not paused."),
    _going_on: _("The game is paused. Resume it first."),
    _open: _("The table is already closed to newcomers."),
    _closed: _("The table is already open to newcomers."),
    _has_absent: _("Nobody is absent at this table."),
    _has_moved: _("No moves have been played yet."),
    _has_note: _("This table has no description."),
    _unfinished: _("This game is already over."),
}
"""Why an act does not fit a game that runs, by its `fits`."""


def why_not(act: Act, game: Game) -> str:
    """Why an act does not fit, in a sentence; "" where it does."""
    if act.fits(game):
        return ""
    if act.fits is _has_moved and game.is_over:
        return str(_("The game is over and can no longer be rewound."))
    if act.fits not in {_unfinished, _has_note} and game.status != Game.Status.RUNNING:
        return str(_("This game is not running."))
    at_rest = {_parked, _parked_with_others, _has_note}
    if act.fits not in at_rest and game.parked_at is not None:
        return str(_("This game is parked. Retry it first."))
    if act.fits is _going_on and game.resting_since is not None:
        return str(_("The game is resting because nobody is left at the table."))
    return str(_WHY_NOT[act.fits])


def that_fit(game: Game) -> list[Act]:
    """The acts that are possible in the state the game is in."""
    return [act for act in ALL if act.fits(game)]
