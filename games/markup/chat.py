"""What people write to each other."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from django.template.defaultfilters import linebreaksbr, urlize
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

STEP: Final = re.compile(r"(?<![\w/&#])#([1-9]\d{0,4})\b")


def with_links(text: str, history: str = "", mentions: Mapping[str, str] | None = None) -> str:
    """The text with its lines and links; "#17" leads to that step below `history`, if given.

    `mentions` are those that are marked, such as "@Anna", each with the colour of the seat or "".
    """
    parts = _with_mentions(text, history, mentions) if mentions else [_with_steps(text, history)]
    return format_html_join("", "{}", ((part,) for part in parts))


def _with_mentions(text: str, history: str, mentions: Mapping[str, str]) -> Iterator[SafeString]:
    colours = {name.casefold(): colour for name, colour in mentions.items()}
    for place, part in enumerate(_pattern(tuple(mentions)).split(text)):
        if place % 2:
            colour = colours.get(part.casefold(), "")
            yield format_html('<bdi translate="no" class="mention {}">{}</bdi>', colour, part)
        else:
            yield _with_steps(part, history)


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Any of these mentions, the longest first: "@Anna Maria" does not mention Anna."""
    longest_first = sorted(names, key=len, reverse=True)
    either = "|".join(map(re.escape, longest_first))
    return re.compile(rf"(?<![\w/])({either})(?!\w)", re.IGNORECASE)


def _with_steps(text: str, history: str) -> SafeString:
    if not history:
        return _plain(text)
    parts = STEP.split(text)
    pairs = zip(parts[::2], ["", *parts[1::2]], strict=True)
    return format_html_join(
        "", "{}{}", ((_step(history, seq), _plain(part)) for part, seq in pairs)
    )


def _step(history: str, seq: str) -> str:
    return format_html('<a href="{}{}/">#{}</a>', history, seq, seq) if seq else ""


def _plain(text: str) -> SafeString:
    return linebreaksbr(urlize(text, autoescape=True), autoescape=False)
