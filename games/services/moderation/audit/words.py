"""What stands before and after an act in the audit log, in the reader's words.

Lines are never changed: they keep codes, numbers and instants, which are told here.
"""

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import AuditLine, Game, OutboxMail, Report, Sanction
from games.presentation.text.tables import HOUSE_NAMES, counted, time_told
from games.presentation.text.words import moment
from games.services import audit
from games.services.email.kinds import EMAIL_KINDS
from games.services.moderation.secrets import THINGS

ACTORS: Final[Mapping[str, Promise]] = {
    audit.CLOCK: gettext_lazy("the clock"),
    audit.TABLE: gettext_lazy("the table"),
    audit.HOST: gettext_lazy("the host"),
}
"""Who acts without a name."""

AS_WRITTEN: Final = frozenset(
    {"notice", "clear pair", "rename", "rename table", "remove note", "retry"}
)
"""Acts whose lines keep what somebody wrote, a name, or an error."""

WITHOUT_END: Final[Mapping[str, Promise]] = {
    "stop new games": gettext_lazy("no end set"),
    "begin maintenance": gettext_lazy("no end set"),
    "pause": gettext_lazy("until it is resumed"),
}
"""What is said of acts that last until an instant, where that was left open."""

CODES: Final[Mapping[str, str | Promise]] = {
    **{state.value: state.label for state in Game.Status},
    **{state.value: state.label for state in OutboxMail.Status},
    **{kind.key: kind.label for kind in EMAIL_KINDS},
    **{state.value: state.label for state in Report.State},
    **{kind.value: kind.label for kind in Sanction.Kind},
    **HOUSE_NAMES,
    **THINGS,
    "until it is resumed": gettext_lazy("until it is resumed"),
    "True": gettext_lazy("yes"),
    "False": gettext_lazy("no"),
}

INSTANT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?[+-]\d\d:\d\d")
"""An instant as lines keep it (`audit.note`)."""


def who_told(who: str) -> str:
    """Who acted: a name, or what acts by itself."""
    return str(ACTORS.get(who, who))


def actor_meant(words: str) -> str:
    """What lines call who acts, from what the reader calls them."""
    wanted = words.strip().lower()
    return next((who for who, told in ACTORS.items() if str(told).lower() == wanted), wanted)


def before_told(line: AuditLine, zone: str) -> str:
    """What was before, with its instants on the clock of `zone`."""
    return _value_told(line.act, line.before, zone)


def after_told(line: AuditLine, zone: str) -> str:
    """What is after it; where an end could be set, that there is none."""
    if not line.after and line.act in WITHOUT_END:
        return str(WITHOUT_END[line.act])
    return _value_told(line.act, line.after, zone)


def _value_told(act: str, value: str, zone: str) -> str:
    if act in AS_WRITTEN:
        return value
    if act == "rewind" and value.isdigit():
        return _("step {number}").format(number=value)
    for pattern, told in _SHAPES.items():
        if found := re.fullmatch(pattern, value):
            return told(found)
    if len(ends := INSTANT.findall(value)) == 2:
        since, until = (moment(datetime.fromisoformat(end), zone) for end in ends)
        return _("from {since} to {until}").format(since=since, until=until)
    value = INSTANT.sub(lambda found: moment(datetime.fromisoformat(found[0]), zone), value)
    return ", ".join(_code_told(part) for part in value.split(", "))


def _code_told(code: str) -> str:
    return str(CODES.get(code, code))


def _time(found: re.Match[str]) -> str:
    days, hours, minutes = (int(part or 0) for part in found.groups())
    return time_told(int(timedelta(days=days, hours=hours, minutes=minutes).total_seconds()))


def _report(found: re.Match[str]) -> str:
    told = _("report {number}: {state}")
    return told.format(number=found[1], state=_code_told(found[2]))


def _mail(found: re.Match[str]) -> str:
    return f"{_code_told(found[1])}: {_code_told(found[2])}"


_SHAPES: Final[Mapping[str, Callable[[re.Match[str]], str]]] = {
    r"message (\d+)": lambda found: _("message {number}").format(number=found[1]),
    r"note (\d+)": lambda found: _("staff note {number}").format(number=found[1]),
    r"report (\d+): (\w+)": _report,
    r"asked for (\d+)": lambda found: _("table vote: step {number}").format(number=found[1]),
    r"(\d+) h": lambda found: counted(int(found[1]), "hour"),
    r"(?:(\d+) days?, )?(\d+):(\d\d):\d\d": _time,
    r"(\w+): (\w+)": _mail,
}
"""What lines keep of a form of its own, and how each is told."""
