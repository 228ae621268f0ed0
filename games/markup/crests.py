"""The crest of a person, beside their name."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.extensions import link


def crest_image(crest: str, size: int = 20) -> SafeString:
    """The picture of a crest, so many pixels wide; nothing for ""."""
    address = link("picture of a crest", crest) if crest else ""
    if not address:
        return SafeString("")
    image = '<img class="crest" src="{}" alt="" width="{}" height="{}">'
    return format_html(image, address, size, size)
