"""The characters of computer players in words: what they are called, how they are, what came of it.

Names stand as they are in all cases, like those of people: translate them by names that need no
declension, and put a title that does into the manner.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.utils.functional import Promise as LazyText
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine.characters import CHARACTERS, Role
from games.presentation.text.direction import ComputerName


class _Words(NamedTuple):
    """The name of a character, and its manner in a few words."""

    name: LazyText
    manner: LazyText


_WORDS: Final[Mapping[Role, _Words]] = {
    Role.MISER: _Words(gettext_lazy("Baron Grimaldo"), gettext_lazy("counts every coin")),
    Role.DUKE: _Words(gettext_lazy("Duke Alfonso"), gettext_lazy("keeps his word")),
    Role.CARDINAL: _Words(gettext_lazy("Cardinal Orsino"), gettext_lazy("forgets nothing")),
    Role.COUNTESS: _Words(gettext_lazy("Countess Beatrice"), gettext_lazy("promises easily")),
    Role.MERCHANT: _Words(gettext_lazy("Master Tommaso"), gettext_lazy("deals with everyone")),
    Role.ABBOT: _Words(gettext_lazy("Abbot Benedetto"), gettext_lazy("asks for little")),
    Role.CAPTAIN: _Words(gettext_lazy("Captain Rocco"), gettext_lazy("strikes back")),
    Role.MARCHESA: _Words(gettext_lazy("Marchesa Clarice"), gettext_lazy("trusts nobody")),
}

_STRENGTHS: Final[Mapping[str, LazyText]] = {
    "courtier": gettext_lazy("plays well"),
    "teacher": gettext_lazy("goes easy on beginners"),
    "random": gettext_lazy("plays at random"),
    "default": gettext_lazy("only makes default moves"),
}
"""How strong each kind of computer player is."""

CRESTS: Final[Mapping[Role, str]] = {
    Role.MISER: "bordure-sable-or-key",
    Role.DUKE: "quarterly-azure-or-crown",
    Role.CARDINAL: "pale-gules-argent-book",
    Role.COUNTESS: "bend-vert-argent-rose",
    Role.MERCHANT: "fess-or-purpure-goblet",
    Role.ABBOT: "chief-argent-vert-bell",
    Role.CAPTAIN: "chevron-argent-gules-tower",
    Role.MARCHESA: "saltire-purpure-or-crescent",
}
"""The crest of each, as those of people are stored."""

LEAST_VENGEANCE: Final = 2
"""Who has less of it forgets what others broke."""


def character_name(role: Role) -> ComputerName:
    """What a character is called."""
    return ComputerName(_WORDS[role].name)


def introduced(role: Role | None, kind: str) -> str:
    """How a computer player of this kind plays, and its manner if it plays in this role."""
    strength = _STRENGTHS.get(kind, "")
    if role is not None:
        text = _("computer player: {manner}, {strength}")
        return text.format(manner=_WORDS[role].manner, strength=strength)
    if strength:
        return _("computer player: {strength}").format(strength=strength)
    return _("computer player")


class Betrayal(NamedTuple):
    """A promise that somebody broke, in which round and who; `by_reader` says that it was "you"."""

    round: int
    by: str
    by_reader: bool = False


def character_at_the_end(
    name: str, role: Role, *, kept: int, broken: int, betrayed: Betrayal | None
) -> str:
    """How a character was in a game that is over, as a sentence, by what all could see.

    What it promised it has `kept` and `broken` so often, and it was `betrayed` for the first time.
    """
    if betrayed is not None and CHARACTERS[role].vengeance >= LEAST_VENGEANCE:
        text = _("{name} never forgot that {other} broke a promise to them in round {round}.")
        if betrayed.by_reader:
            text = _("{name} never forgot that you broke a promise to them in round {round}.")
        return text.format(name=name, round=betrayed.round, other=betrayed.by)
    if broken:
        text = ngettext(
            "{name} broke {count} promise and kept {kept}.",
            "{name} broke {count} promises and kept {kept}.",
            broken,
        )
        return text.format(name=name, count=broken, kept=kept)
    if betrayed is not None:
        text = _("{name} was betrayed by {other} in round {round} but forgave them.")
        if betrayed.by_reader:
            text = _("{name} forgave you for betraying them in round {round}.")
        return text.format(name=name, round=betrayed.round, other=betrayed.by)
    if kept:
        return _("{name} kept every promise, {kept} in all.").format(name=name, kept=kept)
    return _("{name} made no promises that anyone could hold them to.").format(name=name)
