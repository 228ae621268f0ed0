"""Names of people and tables in a page: with a direction of their own, and never translated."""

import re
from collections.abc import Iterable

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.presentation.text.direction import is_leftwards


def named(name: object) -> SafeString:
    """The name as it stands there; nothing where there is none."""
    return format_html('<bdi translate="no">{}</bdi>', name) if name else SafeString("")


def with_names(text: str, names: Iterable[str]) -> SafeString:
    """One of our sentences, in which those of these names are isolated that are leftwards."""
    known = tuple(name for name in dict.fromkeys(names) if is_leftwards(name))
    if not known:
        return format_html("{}", text)
    parts = _pattern(known).split(text)
    return format_html_join(
        "", "{}", ((named(part) if place % 2 else part,) for place, part in enumerate(parts))
    )


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Any of these names, the longest first: "Anna Maria" is not Anna."""
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<!\w)({either})(?!\w)")
