"""What is agreed with a table, and which of it cannot be."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import timedelta
from typing import Any, Final, assert_never

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import COLOURS, BadSetup
from games.engine.computer_players import FOR_ABSENT_PLAYERS
from games.engine.editions import EDITIONS, Options
from games.engine.state import FEWEST_PLAYERS, MOST_PLAYERS, TABLE_SIZES, make_table
from games.models import Game, Invitation
from games.presentation.text.tables import computer_player_name
from games.presentation.text.words import money
from games.services.refused import Refused
from games.zones import is_known

LONGEST_NAME: Final = 60
MOST_MOVE_TIME: Final = timedelta(days=7)
LEAST_FOR_FIXED_HOUR: Final = timedelta(hours=12)
MOST_DAYS_OFF: Final = 30
MOST_TALK: Final = timedelta(hours=48)
CLOSES_AFTER: Final = timedelta(days=14)
"""How long a table waits for its players."""
LEAST_IN_TIME: Final = (0, 80, 90, 95)
"""How many per cent of moves made in time a table may ask for; 0 for nothing."""
ALL_WEEKDAYS: Final = frozenset(range(7))
ONE_HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, kw_only=True)
class TableSettings:
    """The settings of a table, as `Game` explains them.

    Impossible settings are refused by `refuse_impossible`, not here.
    """

    name: str
    edition: str
    size: int
    move_time: timedelta
    options: Options = field(default_factory=dict)
    time_zone: str = "UTC"
    no_play_days: Sequence[int] = ()
    fixed_hour: int | None = None
    days_off: int = 7
    listed: bool = False
    computer_players_allowed: bool = True
    absent_player: str = "default"
    description: str = ""
    promises_count: bool = True
    talk_seconds: int = 0
    press: str = Game.Press.PUBLIC
    threads_shown: bool = False
    threads_published: bool = False
    language: str = ""
    least_in_time: int = 0
    newcomers_welcome: bool = True
    strangers: str = Game.Strangers.AFTERWARDS


def refuse_impossible(settings: TableSettings) -> None:
    """Raise `Refused` for rules or times that cannot be, in one sentence."""
    if settings.size not in TABLE_SIZES:
        text = _("Please choose {fewest} to {most} seats.")
        raise Refused(text.format(fewest=FEWEST_PLAYERS, most=MOST_PLAYERS))
    if settings.absent_player not in FOR_ABSENT_PLAYERS:
        text = _("Please choose who plays for absent players: {names}.")
        raise Refused(text.format(names=", ".join(map(computer_player_name, FOR_ABSENT_PLAYERS))))
    if settings.least_in_time not in LEAST_IN_TIME:
        text = _("Please choose one of these shares of moves made in time: {shares}.")
        raise Refused(text.format(shares=", ".join(f"{share}%" for share in LEAST_IN_TIME)))
    _refuse_impossible_times(settings)
    try:
        make_table(settings.edition, settings.options, COLOURS[: settings.size], COLOURS[0])
    except BadSetup as reason:
        raise Refused(_rules_refused(settings.edition, reason.option)) from reason


NUMBERS_TO_CHOOSE: Final = {
    "uncontested_min_bribe": gettext_lazy(
        "The minimum bribe for uncontested applicants must be a multiple of {unit}."
    ),
}
"""Which would be right, of the options of which the form can't say it."""


def _rules_refused(edition: str, option: str) -> str:
    if option not in NUMBERS_TO_CHOOSE:
        return _("These rules aren't valid: please choose the edition and rules from the lists.")
    return str(NUMBERS_TO_CHOOSE[option]).format(unit=money(EDITIONS[edition].unit))


def _refuse_impossible_times(settings: TableSettings) -> None:
    if not timedelta(seconds=1) <= settings.move_time <= MOST_MOVE_TIME:
        text = _("You can allow at most {days} days per move.")
        raise Refused(text.format(days=MOST_MOVE_TIME.days))
    if not set(settings.no_play_days) < ALL_WEEKDAYS:
        raise Refused(_("Please leave at least one day of the week for playing."))
    if settings.fixed_hour is not None and settings.move_time < LEAST_FOR_FIXED_HOUR:
        text = _(
            "A fixed hour requires at least {hours} hours per move: remove the fixed hour, or "
            "allow more time."
        )
        raise Refused(text.format(hours=LEAST_FOR_FIXED_HOUR // ONE_HOUR))
    if settings.fixed_hour is not None and not 0 <= settings.fixed_hour <= 23:
        raise Refused(_("The fixed hour must be an hour of the day, from 0 to 23."))
    if not 0 <= settings.talk_seconds <= MOST_TALK.total_seconds():
        text = _("The negotiation time can be at most {hours} hours.")
        raise Refused(text.format(hours=MOST_TALK // ONE_HOUR))
    if not 0 <= settings.days_off <= MOST_DAYS_OFF:
        text = _("Each player can have 0 to {most} days off.")
        raise Refused(text.format(most=MOST_DAYS_OFF))
    if not is_known(settings.time_zone):
        raise Refused(_("Please choose a time zone from the list."))


def takes_no_more(game: Game) -> str:
    """Why nobody can sit down at a table that waits for nobody any more."""
    status = Game.Status(game.status)
    match status:
        case Game.Status.CANCELLED:
            return _("This table is closed.")
        case Game.Status.FINISHED | Game.Status.ABANDONED:
            return _("The game at this table is over.")
        case Game.Status.RUNNING:
            return _("The game has started: there are no free seats left.")
        case Game.Status.WAITING:
            raise ValueError("This table is waiting for players.")
        case _:
            assert_never(status)


def withdrawn() -> str:
    """That an invitation counts no longer, for whoever got it."""
    return _("This invitation has been withdrawn.")


def why_closed(game: Game, seated: int, invitation: Invitation | None = None) -> str:
    """Why nobody else can sit down at a table where so many sit; "" where somebody can.

    By an `invitation`, also where that was withdrawn.
    """
    if invitation is not None and invitation.status == Invitation.Status.WITHDRAWN:
        return withdrawn()
    if game.status != Game.Status.WAITING:
        return takes_no_more(game)
    return _("There are no free seats left.") if seated >= game.size else ""


def columns_of(settings: TableSettings) -> dict[str, Any]:
    """The columns of `Game` for these settings: a field's column has its name.

    Only the time for a move is stored in seconds.
    """
    columns = asdict(settings)
    move_time = columns.pop("move_time")
    return {**columns, "move_seconds": int(move_time.total_seconds())}


def stored(settings: TableSettings) -> dict[str, Any]:
    """The settings to which somebody agrees, as a seat stores them.

    Without what the host writes.
    """
    columns = columns_of(settings)
    return {name: value for name, value in columns.items() if name not in {"name", "description"}}


def agreed_settings(game: Game, columns: Mapping[str, Any]) -> TableSettings:
    """The settings that were `stored`; what this release doesn't find there is as at the table."""
    known = columns_of(settings_of(game))
    known |= {name: value for name, value in columns.items() if name in known}
    return TableSettings(move_time=timedelta(seconds=known.pop("move_seconds")), **known)


def settings_of(game: Game) -> TableSettings:
    """The settings of a table, from its columns."""
    names = {field.name for field in fields(TableSettings)} - {"move_time"}
    columns = {name: getattr(game, name) for name in names}
    return TableSettings(**columns, move_time=timedelta(seconds=game.move_seconds))
