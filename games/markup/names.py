"""Names of people and tables in a page: with a direction of their own, and never translated."""

import re
from collections.abc import Iterable
from functools import lru_cache

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from markupsafe import escape

from games.presentation.text.direction import StandIn
from games.presentation.text.words import NameList


def named(name: object) -> SafeString:
    """The name as it stands there, or each of a list of names; nothing where there is none.

    What only stands in for a name is our own word.
    """
    if isinstance(name, NameList):
        return with_names(name, name.each)
    if not name or isinstance(name, StandIn):
        return conditional_escape(str(name or ""))
    return format_html('<bdi translate="no">{}</bdi>', name)


def with_names(text: object, names: Iterable[str]) -> SafeString:
    """One of our sentences, in which each of these names is isolated, wherever it stands."""
    text = str(text)
    known = frozenset(name for name in names if name and not isinstance(name, StandIn))
    if not known or isinstance(text, SafeString):
        return SafeString(escape(text))
    pattern, isolated = _isolated(known)
    return SafeString(
        "".join(
            isolated[part] if place % 2 else escape(part)
            for place, part in enumerate(pattern.split(text))
        )
    )


@lru_cache(maxsize=1000)  # saves 1 ms of a game's page, 3 ms of its history
def _isolated(names: frozenset[str]) -> tuple[re.Pattern[str], dict[str, SafeString]]:
    """What finds any of these names, and their HTML. The longest first: "Anna Maria" isn't Anna."""
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<!\w)({either})(?!\w)"), {name: named(name) for name in names}
