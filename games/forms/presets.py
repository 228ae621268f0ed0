"""The paces that a new table can begin with."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext_lazy

from games.models import Game


class Preset(NamedTuple):
    """Settings that go together: the form starts with them, and all can be changed."""

    name: Any
    summary: Any
    initial: Mapping[str, Any]


PRESETS: Final = {
    "evening": Preset(
        gettext_lazy("One evening"),
        gettext_lazy(
            "Everyone is online. Five minutes per move and sealed bribes: a game takes about two "
            "hours."
        ),
        {
            "answer_number": 5,
            "answer_unit": "minutes",
            "bribing": "simultaneous",
            "days_off": 0,
            "press": Game.Press.PUBLIC,
        },
    ),
    "day": Preset(
        gettext_lazy("A day per move"),
        gettext_lazy("Check in once a day. A game takes about three weeks."),
        {},
    ),
    "relaxed": Preset(
        gettext_lazy("A relaxed month"),
        gettext_lazy(
            "A day per move, and half a day to talk before each turn's bribes. A game takes about "
            "a month."
        ),
        {"talk_seconds": 43200, "days_off": 14},
    ),
}
"""By the figures of docs/simulate.md. Those without a press have the usual one of the form."""

USUAL: Final = "day"
"""The preset that says what the form starts with where nobody has chosen one."""
