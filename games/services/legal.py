"""What the host of a site owes its visitors by law: imprint, privacy and terms, as text files."""

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils.translation import get_language, gettext_lazy, pgettext_lazy

TITLES: Final = {
    "imprint": gettext_lazy("Legal notice"),
    "privacy": gettext_lazy("Privacy"),
    "terms": pgettext_lazy("legal", "Terms"),
}

ACCEPTED: Final = ("terms", "privacy")
"""The pages that people accept when they sign up, and again when they change."""


def text_of(kind: str) -> str:
    """The text of a page in the reader's language, else in any; "" if there is none."""
    return _texts(kind).get(get_language() or "", "") or next(iter(_texts(kind).values()), "")


def available() -> tuple[str, ...]:
    """The pages that the host has filled in."""
    return tuple(kind for kind in TITLES if _texts(kind))


def to_accept() -> list[str]:
    """Those of the pages to accept that the host has filled in."""
    return [kind for kind in ACCEPTED if kind in available()]


@cache
def version() -> str:
    """A short name for the present text of the pages to accept, in all languages; or ""."""
    if not to_accept():
        return ""
    texts = json.dumps({kind: _texts(kind) for kind in to_accept()}, sort_keys=True)
    return sha256(texts.encode()).hexdigest()[:16]


def missing() -> list[str]:
    """The pages that the host has not filled in."""
    return [kind for kind in TITLES if kind not in available()]


@cache
def _texts(kind: str) -> dict[str, str]:
    """`privacy.txt`, and `privacy.de.txt` in German: the texts by language, "" first."""
    if not settings.LEGAL_DIR:
        return {}
    folder = Path(settings.LEGAL_DIR)
    files = {"": folder / f"{kind}.txt"} | {
        language: folder / f"{kind}.{language}.txt" for language, _name in settings.LANGUAGES
    }
    return {
        language: file.read_text(encoding="utf-8")
        for language, file in files.items()
        if file.is_file()
    }
