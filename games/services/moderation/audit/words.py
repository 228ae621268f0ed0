"""What an action found and left (`audit.Values`), in the reader's words."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.models import Game, OutboxEmail, Report, Sanction
from games.presentation.text.tables import COMPUTER_PLAYER_NAMES, counted, time_text
from games.presentation.text.words import moment
from games.services import audit, roles
from games.services.email.kinds import EMAIL_KINDS
from games.services.moderation.secrets import THINGS

ACTORS: Final[Mapping[str, Promise]] = {
    audit.CLOCK: gettext_lazy("the clock"),
    audit.TABLE: gettext_lazy("the table"),
    audit.HOST: gettext_lazy("the host"),
    audit.OWNER: gettext_lazy("the owner of the site"),
}
"""Who acts without a name."""


ROLE_NAMES: Final[Mapping[str, Promise]] = {
    roles.MODERATOR: gettext_lazy("moderator"),
    roles.ADMINISTRATOR: gettext_lazy("administrator"),
}


def actor_name(who: str) -> str:
    """Who acted: a name, or what acts by itself."""
    return str(ACTORS.get(who, who))


def actor_meant(words: str) -> str:
    """What lines call who acts, from what the reader calls them."""
    wanted = words.strip().lower()
    return next((who for who, name in ACTORS.items() if str(name).lower() == wanted), wanted)


def in_words(values: Mapping[str, Any], zone: str) -> str:
    """The `before` or `after` of a line, with its instants on the clock of `zone`."""
    words = [_word(kind, value, zone) for kind, value in values.items()]
    return ": ".join(word for word in words if word)


def _word(kind: str, value: Any, zone: str) -> str:
    """One of these values; as it is stored where that is none of ours: other lines are read on."""
    try:
        return _WORDS[kind](value, zone)
    except (KeyError, TypeError, ValueError):
        return str(value)


def _instant(value: str | None, zone: str) -> str:
    return "" if value is None else moment(datetime.fromisoformat(value), zone)


def _until(value: str | None, zone: str) -> str:
    return _("no end date") if value is None else _instant(value, zone)


def _paused_until(value: str | None, zone: str) -> str:
    return _("until resumed") if value is None else _instant(value, zone)


def _period(value: list[str], zone: str) -> str:
    since, until = (_instant(end, zone) for end in value)
    return _("from {since} to {until}").format(since=since, until=until)


def _numbered(sentence: Promise) -> Callable[[int, str], str]:
    return lambda number, _zone: str(sentence).format(number=number)


def _choice(choices: Any) -> Callable[[str, str], str]:
    labels = dict(choices.choices)
    return lambda value, _zone: str(labels.get(value, value))


def _as_written(value: object, _zone: str) -> str:
    return str(value)


def _computer_player(value: str, _zone: str) -> str:
    return str(COMPUTER_PLAYER_NAMES.get(value, value))


def _only_a_reference(_value: object, _zone: str) -> str:
    return ""


_EMAIL_KINDS: Final = {kind.key: kind.label for kind in EMAIL_KINDS}

_WORDS: Final[dict[str, Callable[[Any, str], str]]] = {
    "name": _as_written,
    "text": _as_written,
    "error": _as_written,
    "at": _instant,
    "until": _until,
    "paused_until": _paused_until,
    "period": _period,
    "seconds": lambda value, _zone: time_text(value),
    "hours": lambda value, _zone: counted(value, "hour"),
    "missed": _as_written,
    "required": lambda value, _zone: _("yes") if value else _("no"),
    "step": _numbered(gettext_lazy("step {number}")),
    "vote_on_step": _numbered(gettext_lazy("table vote: step {number}")),
    "computer_player": _computer_player,
    "house_player": _computer_player,  # as lines up to 1.0 call it
    "secrets": lambda value, _zone: ", ".join(str(THINGS[thing]) for thing in value),
    "strangers": _choice(Game.Strangers),
    "game_status": _choice(Game.Status),
    "sanction": _choice(Sanction.Kind),
    "person": _only_a_reference,
    "message": _numbered(gettext_lazy("message {number}")),
    "staff_note": _numbered(gettext_lazy("staff note {number}")),
    "question": _numbered(gettext_lazy("question {number}")),
    "invitations": lambda value, _zone: ngettext(
        "{count} invitation withdrawn", "{count} invitations withdrawn", value
    ).format(count=value),
    "accounts": lambda value, _zone: ngettext(
        "{count} account removed", "{count} accounts removed", value
    ).format(count=value),
    "report": _numbered(gettext_lazy("report {number}")),
    "report_state": _choice(Report.State),
    "email": _only_a_reference,
    "email_kind": lambda value, _zone: str(_EMAIL_KINDS.get(value, value)),
    "email_status": _choice(OutboxEmail.Status),
    "role": lambda value, _zone: str(ROLE_NAMES.get(value, value)),
    "language": _only_a_reference,
}
"""Each kind of value of `audit.Values` in words."""
