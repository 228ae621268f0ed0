"""The acts on a game: what each is called, what it does, its form and its service."""

from collections.abc import Callable
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.forms import game_acts as forms
from games.models import Game
from games.services.failures import parked_for_the_same
from games.services.moderation import rewind_acts, seat_acts, time_acts, word_acts


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
        _("Try again"),
        _(
            "The game was parked because it could not go on. It is tried again; deadlines that "
            "passed meanwhile move on. Where it still cannot go on, nothing changes."
        ),
        forms.ActForm,
        time_acts.retry,
        _parked,
    ),
    Act(
        "retry-all",
        _("Try all again"),
        _(
            "This game and all others that were parked for the same reason are tried again, as "
            "each would be by itself. Those that still cannot go on stay parked. Your own tables "
            "are left to another moderator."
        ),
        forms.ActForm,
        time_acts.retry_all,
        _parked_with_others,
    ),
    Act(
        "pause",
        _("Pause"),
        _(
            "Nobody can move and no time passes. Afterwards everybody has what was left of their "
            "time. The whole table is mailed."
        ),
        forms.PauseForm,
        time_acts.pause,
        _going_on,
    ),
    Act(
        "resume",
        _("Resume"),
        _("Time passes again, each deadline with what was left of it. The whole table is mailed."),
        forms.ActForm,
        time_acts.resume,
        _paused,
    ),
    Act(
        "extend",
        _("Give more time"),
        _("The deadline moves on by so many hours. Who is asked is mailed."),
        forms.ExtendForm,
        time_acts.extend,
        _going_on,
    ),
    Act(
        "deadline",
        _("Set a deadline"),
        _("The deadline becomes this one. Who is asked is mailed."),
        forms.DeadlineForm,
        time_acts.set_deadline,
        _going_on,
    ),
    Act(
        "default",
        _("Play the default now"),
        _(
            "The wait for this seat ends: what its player ordered is played, or else the default. "
            "It counts as no miss. The player is mailed."
        ),
        forms.AskedSeatForm,
        time_acts.play_default,
        _going_on,
    ),
    Act(
        "excuse",
        _("Excuse missed turns"),
        _("All misses of this seat are forgotten. The player is mailed."),
        forms.PersonsSeatForm,
        seat_acts.excuse,
        _running,
    ),
    Act(
        "absent",
        _("Mark absent"),
        _(
            "Nobody waits for this seat any more; its orders, drafts and notes are void, and a "
            "substitute is looked for. The player is mailed and may come back until one sits."
        ),
        forms.PresentSeatForm,
        seat_acts.mark_absent,
        _running,
    ),
    Act(
        "present",
        _("Mark present"),
        _("This seat is waited for again, with a fresh deadline. The player is mailed."),
        forms.AbsentSeatForm,
        seat_acts.mark_present,
        _has_absent,
    ),
    Act(
        "house-player",
        _("Replace by a house player"),
        _("A house player plays this seat to the end; its player leaves. The table is mailed."),
        forms.HousePlayerForm,
        seat_acts.replace_by_house_player,
        _running,
    ),
    Act(
        "reopen",
        _("Free a seat"),
        _("Its player leaves, and a substitute is looked for. The table is mailed."),
        forms.LeavingForm,
        seat_acts.reopen_seat,
        _running,
    ),
    Act(
        "close",
        _("Close to newcomers"),
        _("No substitute may sit down any more, and the table is listed nowhere."),
        forms.ActForm,
        seat_acts.close_to_newcomers,
        _open,
    ),
    Act(
        "open",
        _("Open to newcomers"),
        _("Substitutes may sit down again, and are looked for where somebody is absent."),
        forms.ActForm,
        seat_acts.open_to_newcomers,
        _closed,
    ),
    Act(
        "rewind",
        _("Rewind"),
        _(
            "The game goes back to a step between two moves, and on from there. You read first "
            "what that would do."
        ),
        forms.RewindForm,
        rewind_acts.rewind,
        _has_moved,
    ),
    Act(
        "pace",
        _("Change the pace"),
        _("The time for an answer, from the next question on. The whole table is mailed."),
        forms.PaceForm,
        time_acts.change_pace,
        _running,
    ),
    Act(
        "referee",
        _("Write as the referee"),
        _("A message in the talk of the table, without your name."),
        forms.RefereeForm,
        word_acts.write_as_referee,
        _any,
    ),
    Act(
        "rename",
        _("Rename the table"),
        _("The table gets another name, in its talk and its email too. The table is mailed."),
        forms.RenameForm,
        word_acts.rename_table,
        _any,
    ),
    Act(
        "remove-note",
        _("Remove the note"),
        _("The note of the table is deleted. The table is mailed."),
        forms.ActForm,
        word_acts.remove_note,
        _has_note,
    ),
    Act(
        "send-again",
        _("Send a mail again"),
        _("The mail goes out once more, if it is still true."),
        forms.SendAgainForm,
        word_acts.send_again,
        _any,
    ),
    Act(
        "cancel",
        _("Cancel the game"),
        _("The game ends without a winner, for good. Everybody at the table is mailed."),
        forms.ActForm,
        time_acts.cancel,
        _unfinished,
        danger=True,
    ),
)

BY_SLUG: Final = {act.slug: act for act in ALL}


_WHY_NOT: Final[dict[Callable[[Game], bool], Promise]] = {
    _parked: _("This game is not parked."),
    _parked_with_others: _("No other game is parked for the same reason."),
    _paused: _("The game is not paused."),
    _going_on: _("The game is paused: resume it first."),
    _open: _("The table is closed to newcomers already."),
    _closed: _("The table is open to newcomers already."),
    _has_absent: _("Nobody is absent at this table."),
    _has_moved: _("Nothing was played yet."),
    _has_note: _("This table has no note."),
    _unfinished: _("This game is over already."),
}
"""Why an act does not fit a game that runs, by its `fits`."""


def why_not(act: Act, game: Game) -> str:
    """Why an act does not fit, in a sentence; "" where it does."""
    if act.fits(game):
        return ""
    if act.fits is _has_moved and game.is_over:
        return str(_("The game is over: it cannot be rewound any more."))
    if act.fits not in {_unfinished, _has_note} and game.status != Game.Status.RUNNING:
        return str(_("This game is not running."))
    at_rest = {_parked, _parked_with_others, _has_note}
    if act.fits not in at_rest and game.parked_at is not None:
        return str(_("This game is parked: let it be tried again first."))
    if act.fits is _going_on and game.resting_since is not None:
        return str(_("The game rests: nobody is left at the table."))
    return str(_WHY_NOT[act.fits])


def that_fit(game: Game) -> list[Act]:
    """The acts that are possible in the state the game is in."""
    return [act for act in ALL if act.fits(game)]
