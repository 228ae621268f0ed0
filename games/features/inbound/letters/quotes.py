"""Where what somebody wrote ends, and what their mail program quotes begins, in any language."""

import re
from collections.abc import Sequence
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

WROTE: Final = re.compile(
    r"(?:\b(?:пиш[её]т|написала?(?:\(а\))?)|<[^<>\s]+@[^<>\s]+>)\s?:$",
    re.IGNORECASE,
)
"""The end of what introduces a quote: "24 нояб. 2026 г., в 12:00, Anna <anna@…> написал(а):"."""
TIME_OF_DAY: Final = re.compile(r"\b\d{1,2}[:.]\d{2}\b")

QUOTE: Final = re.compile(
    r"^\s*(?:>|_{20,}\s*$|"
    r"-{2,} ?(?:original message|ursprüngliche nachricht|исходное сообщение) ?-{2,})",
    re.IGNORECASE | re.MULTILINE,
)
"""Where what others wrote begins: also the line that Outlook draws."""

HEADER: Final = re.compile(r"[* ]{0,3}[^\W\d_][\w '\u2019-]{0,24}\*?\s?:")
"""A line such as "From: …" or "Envoyé : …"."""

FEWEST_HEADERS: Final = 3
"""From so many lines of this kind on, with an address in one, they are what a program wrote."""

DASHES: Final = "-\u2010\u2011\u2012\u2013\u2014\u2015_"
LONGEST_DASHES: Final = 100
"""How long words between dashes are at most: "-------- Message d'origine --------"."""

FEWEST_BELOW_DASHES: Final = 2
"""From so many lines like "From: …" on, they belong to the dashes directly above them."""

ADDRESS: Final = re.compile(r"[\w.+-]@[\w-]+\.\w")


def above_quotes(text: str) -> str:
    """The text up to what is quoted, and to what says whose words that is."""
    if quote := QUOTE.search(text):
        text = text[: quote.start()]
    lines = [line.strip() for line in text.strip().split("\n")]
    found = (_introduction(lines), _headers(lines))
    ends = [_with_dashes(lines, end) for end in found if end is not None]
    if ends:
        text = "\n".join(lines[: min(ends)])
    return _without_last_introduction(text)


def _introduction(lines: Sequence[str]) -> int | None:
    """The line, or the first of two, that says in a known way when whose words were written."""
    for number, (line, after) in enumerate(zip(lines, [*lines[1:], ""], strict=True)):
        # Mail programs break a long one, between the time and the address.
        whole = line if TIME_OF_DAY.search(after) else f"{line} {after}".strip()
        if TIME_OF_DAY.search(line) and (WROTE.search(line) or WROTE.search(whole)):
            return number
    return None


def _headers(lines: Sequence[str]) -> int | None:
    """The first of several lines in which a program says from whom a message was, and to whom."""
    first = 0
    for number, line in enumerate([*lines, ""]):
        if HEADER.match(line):
            continue
        block = lines[first:number]
        if len(block) >= FEWEST_HEADERS and any(ADDRESS.search(one) for one in block):
            return first
        if len(block) >= FEWEST_BELOW_DASHES and _with_dashes(lines, first) < first:
            return first
        first = number + 1
    return None


def _with_dashes(lines: Sequence[str], first: int) -> int:
    """The line of dashes that a program has drawn directly above this line; or else this one."""
    above = first - 1
    while above > 0 and not lines[above]:
        above -= 1
    return above if above >= 0 and _has_dashes(lines[above]) else first


def _has_dashes(line: str) -> bool:
    """Whether it is a line of dashes, or words between dashes."""
    line = line.strip()
    ends = line[:2] + line[-2:]
    is_short = len(line) <= LONGEST_DASHES or not line.strip(DASHES)
    return is_short and len(line) > 1 and not ends.strip(DASHES)


def _without_last_introduction(text: str) -> str:
    """The text without a last line, or two, that ends like "Op 2 mrt 2026 om 10:00 schreef X:"."""
    lines = text.rstrip().split("\n")
    if not lines[-1].endswith(":"):
        return text
    for count in (1, 2):
        last = lines[-count:]
        if TIME_OF_DAY.search(last[0].removesuffix(":")) and "" not in last:
            return "\n".join(lines[:-count])
    return text


def above_ours(text: str, name: str) -> str:
    """The text up to an email of ours that is quoted without a sign of it.

    Each greets its reader by name, and nobody greets themselves.
    """
    greetings, lines = _greetings(name), text.split("\n")
    for number, line in enumerate(lines):
        if line.strip("* \u00a0") in greetings:
            return _without_headers("\n".join(lines[:number]).rstrip())
    return text


def quotes_ours(text: str) -> bool:
    """Whether a text holds a link of this site, as each of our emails does."""
    return settings.SITE_URL in text


def _greetings(name: str) -> set[str]:
    found = set()
    for language, _name in settings.LANGUAGES:
        with override(language):
            found.add(_("Hello %(name)s,") % {"name": name})
    return found


def _without_headers(text: str) -> str:
    """The text without a last paragraph that says whose words follow."""
    above, _blank, last = text.rpartition("\n\n")
    lines = last.split("\n")
    are_headers = len(lines) > 1 and all(HEADER.match(line) for line in lines)
    return above if are_headers or last.endswith(":") else text
