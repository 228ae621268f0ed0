"""The crest of a person, beside their name."""

from django.utils.html import format_html
from django.utils.safestring import SafeString


def crest_image(crest: str, size: int = 20) -> SafeString:
    """The picture of a crest, so many pixels wide; nothing for ""."""
    if not crest:
        return SafeString("")
    return format_html(
        '<img class="crest" src="/crests/{}.svg" alt="" width="{}" height="{}">', crest, size, size
    )
