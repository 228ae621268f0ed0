"""Messages for translators: found in the code, kept in locale/, compiled for Django.

For those who work on the site; `bin/messages` runs it. Babel does what Django leaves to the tools
of GNU gettext, so that nobody needs them.
"""

import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from babel.messages import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize
from jinja2.ext import babel_extract

ROOT: Final = Path(__file__).resolve().parent.parent
LANGUAGES: Final = ("de", "ru")

KEYWORDS: Final = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
}
SOURCES: Final = ("games/**/*.py", "intrigue_site/**/*.py", "locale/*.py")
PAGES: Final = (
    "templates/pages/**/*.html", "templates/pages/**/*.txt", "games/features/*/jinja2/**/*.html",
    "games/features/*/jinja2/**/*.txt",
)  # fmt: skip
TEMPLATES: Final = (
    "templates/**/*.html", "templates/**/*.txt", "games/features/*/templates/**/*.html",
    "games/features/*/templates/**/*.txt",
)  # fmt: skip

NO_DATE: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""In the files, so that they change only where a message does."""

_OF_NO_USE: Final = re.compile(
    rb'^"(?!Language:|Plural-Forms|MIME|Content)[A-Z][A-Za-z-]+: .*\\n"\n',
    re.MULTILINE,
)


def main() -> None:
    """Bring the catalogues up to date with the code, and compile them."""
    found = messages_of_the_code()
    mo_file("en").write_bytes(as_mo(english_of_libraries()))
    for language in LANGUAGES:
        catalog = updated(language, found)
        po_file(language).write_bytes(as_po(catalog))
        mo_file(language).write_bytes(as_mo(catalog))
        missing = sum(not is_translated(message.string) for message in catalog if message.id)
        print(f"{language}: {len(catalog)} messages, {missing} to translate")  # noqa: T201


def english_of_libraries() -> Catalog:
    """The messages of libraries in English, in our words."""
    catalog = read_po(io.BytesIO(po_file("en").read_bytes()), locale="en")
    catalog.creation_date = catalog.revision_date = NO_DATE
    return catalog


def messages_of_the_code() -> Catalog:
    """Every message of the code and of the templates, without translations."""
    catalog = Catalog()
    for file, method, code in _code():
        found = extract(method, io.BytesIO(code.encode()), KEYWORDS, comment_tags=["Translators:"])
        for _line, message, comments, context in found:
            catalog.add(message, None, [(file, 1)], auto_comments=comments, context=context)
    return catalog


def _code() -> Iterator[tuple[str, Any, str]]:
    """Each file with messages, how Babel reads it, and its code.

    Of one of Django's templates, that is the calls that it stands for.
    """
    for pattern in SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            yield path.relative_to(ROOT).as_posix(), "python", path.read_text()
    pages = sorted(page for pattern in PAGES for page in ROOT.glob(pattern))
    for path in pages:
        yield path.relative_to(ROOT).as_posix(), babel_extract, path.read_text()
    for pattern in TEMPLATES:
        for path in sorted({*ROOT.glob(pattern)} - {*pages}):
            calls = templatize(path.read_text(), origin=str(path))
            # The rest of the page stands around them as XXX, whose indentation means nothing.
            lines = (line.strip() for line in calls.splitlines())
            yield path.relative_to(ROOT).as_posix(), "python", "\n".join(lines)


def updated(language: str, found: Catalog) -> Catalog:
    """The messages of the code with the translations that there are; others are dropped."""
    path = po_file(language)
    known = read_po(io.BytesIO(path.read_bytes() if path.exists() else b""), locale=language)
    catalog = Catalog(
        locale=language,
        header_comment="",
        fuzzy=False,
        creation_date=NO_DATE,
        revision_date=NO_DATE,
    )
    for message in found:
        if not message.id:
            continue
        singular = message.id if isinstance(message.id, str) else message.id[0]
        translated = known.get(singular, message.context)
        if translated is not None and translated.pluralizable != message.pluralizable:
            translated = None
        catalog.add(
            message.id,
            translated.string if translated is not None else None,
            message.locations,
            flags=translated.flags if translated is not None else (),
            auto_comments=message.auto_comments,
            user_comments=translated.user_comments if translated is not None else (),
            context=message.context,
        )
    return catalog


def as_po(catalog: Catalog) -> bytes:
    """The catalogue as it stands in locale/: sorted by file, without lines and dates."""
    written = io.BytesIO()
    write_po(written, catalog, width=0, sort_by_file=True, include_lineno=False)
    return _OF_NO_USE.sub(b"", written.getvalue())


def as_mo(catalog: Catalog) -> bytes:
    """The catalogue as Django reads it."""
    written = io.BytesIO()
    write_mo(written, catalog)
    return written.getvalue()


def is_translated(string: str | tuple[str, ...] | list[str] | None) -> bool:
    """Whether there is a translation, of a message with plurals in every form."""
    return bool(string) and (isinstance(string, str) or all(string or ()))


def po_file(language: str) -> Path:
    """The catalogue that translators edit."""
    return ROOT / "locale" / language / "LC_MESSAGES" / "django.po"


def mo_file(language: str) -> Path:
    """The same, compiled."""
    return po_file(language).with_suffix(".mo")


if __name__ == "__main__":
    main()
