"""The log: what moderators, votes and the clock did to a game, as sentences.

Who did it stands beside the sentence; why, where a moderator said it, below.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from games import table_events
from games.presentation.table_words import time_told
from games.presentation.words import People, moment


def _house_player(people: People, event: table_events.HousePlayerSat) -> str:
    told = _("A house player sits down for {colour}, for good.")
    return told.format(colour=people.colour_told(event.seat))


def _reopened(people: People, event: table_events.SeatReopened) -> str:
    told = _("The seat {colour} is free again: a substitute may sit down.")
    return told.format(colour=people.colour_told(event.seat))


def _default_called(people: People, event: table_events.DefaultCalled) -> str:
    return _("The wait for {name} is ended.").format(name=people.name(event.seat))


def _excused(people: People, event: table_events.MissExcused) -> str:
    return _("The missed answers of {name} are excused.").format(name=people.name(event.seat))


def _paused(_people: People, event: table_events.GamePaused) -> str:
    if event.until is None:
        return _("The game is paused.")
    return _("The game is paused until {moment}.").format(moment=moment(event.until, "UTC"))


def _resumed(_people: People, _event: table_events.GameResumed) -> str:
    return _("The game goes on. Everybody has what was left of their time.")


def _taken_up(_people: People, _event: table_events.GameTakenUp) -> str:
    return _("The game could not go on for a while; now it does.")


def _cancelled(_people: People, _event: table_events.GameCancelled) -> str:
    return _("The game is cancelled. Nobody wins.")


def _closed(_people: People, _event: table_events.NewcomersRefused) -> str:
    return _("The table is closed to newcomers: no substitute may sit down.")


def _opened(_people: People, _event: table_events.NewcomersWelcome) -> str:
    return _("The table is open to substitutes again.")


def _pace(_people: People, event: table_events.PaceChanged) -> str:
    told = _("From the next question on, the time for an answer is {time}.")
    return told.format(time=time_told(event.seconds))


def _rewound(_people: People, _event: table_events.Rewound) -> str:
    return _("The game is rewound: what is struck out above counts no more.")


TELL: Final[Mapping[type, Callable[[People, Any], str]]] = {
    table_events.HousePlayerSat: _house_player,
    table_events.SeatReopened: _reopened,
    table_events.DefaultCalled: _default_called,
    table_events.MissExcused: _excused,
    table_events.GamePaused: _paused,
    table_events.GameResumed: _resumed,
    table_events.GameTakenUp: _taken_up,
    table_events.GameCancelled: _cancelled,
    table_events.NewcomersRefused: _closed,
    table_events.NewcomersWelcome: _opened,
    table_events.PaceChanged: _pace,
    table_events.Rewound: _rewound,
}
