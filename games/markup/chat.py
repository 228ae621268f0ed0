"""What people write to each other."""

import re
from typing import Final

from django.template.defaultfilters import linebreaksbr, urlize
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

STEP: Final = re.compile(r"(?<![\w/&#])#([1-9]\d{0,4})\b")


def with_links(text: str, history: str = "") -> SafeString:
    """The text with its lines and links; "#17" leads to that step below `history`, if given."""
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
