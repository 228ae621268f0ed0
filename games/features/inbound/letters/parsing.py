"""Reads the bytes of an email. Anybody may send any, so all that costs time has a limit.

The library's structured headers take the square of their length, and its parts that of their depth:
one header of 40 kB took twenty seconds.
"""

import codecs
import re
from contextlib import suppress
from email.feedparser import BytesFeedParser
from email.message import EmailMessage
from email.policy import EmailPolicy
from typing import Any, Final

MOST_HEADERS: Final = 1_000
"""In a whole message, those of its parts included."""

LONGEST_HEADERS: Final = 64_000
"""How many characters all of these have together: Exchange writes some twenty thousand."""

MOST_PARTS: Final = 100
DEEPEST: Final = 10

LONGEST: Final = {
    "authentication-results": 8_000,
    "content-disposition": 1_000,
    "content-transfer-encoding": 100,
    "content-type": 2_000,
    "date": 200,
    "from": 1_000,
    "in-reply-to": 2_000,
    "message-id": 1_000,
    "subject": 2_000,
}
"""How many characters each header has that is read; nothing looks into the others."""

TAKEN_APART: Final = frozenset(
    {"content-disposition", "content-transfer-encoding", "date", "from", "subject"}
)
"""Headers that are read by their parts; all others are only text."""

NO_TEXT: Final = frozenset(
    {"idna", "punycode", "raw_unicode_escape", "undefined", "unicode_escape"}
)
"""Codecs in which nobody writes email. Some take the square of the length."""


class TooMuch(ValueError):
    """An email has more of something than anybody needs."""


class _Seen:
    """What the headers of a message have had so far."""

    def __init__(self) -> None:
        self.headers = 0
        self.characters = 0

    def count(self, name: str, size: int) -> None:
        self.headers += 1
        self.characters += size
        if size > LONGEST.get(name.lower(), LONGEST_HEADERS):
            raise TooMuch(name)
        if self.headers > MOST_HEADERS or self.characters > LONGEST_HEADERS:
            raise TooMuch("headers")


class _Limited(EmailPolicy):
    """Counts the headers of one message, and takes few of them apart."""

    seen = _Seen()
    """Each message has its own; the library asks for one to be there."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        self.seen.count(name, sum(map(len, sourcelines)))
        return name, _as_utf8(value)

    def header_fetch_parse(self, name: str, value: str) -> Any:
        if name.lower() in TAKEN_APART:
            return super().header_fetch_parse(name, value)
        return "".join(value.splitlines())


def _as_utf8(value: str) -> str:
    """A header may be in UTF-8 as it is (RFC 6532); what isn't stays as the library has it."""
    with suppress(UnicodeError):
        return value.encode("ascii", "surrogateescape").decode()
    return value


class _Parser(BytesFeedParser):
    """Stops where a message has too many parts, or parts too deep in each other."""

    _msgstack: list[EmailMessage]
    _parts = 0

    def _new_message(self) -> None:
        self._parts += 1
        if self._parts > MOST_PARTS or len(self._msgstack) >= DEEPEST:
            raise TooMuch("parts")
        super()._new_message()  # type: ignore[misc]


def parsed(raw: bytes) -> EmailMessage:
    """The message of these bytes, which never fails.

    One with too many parts has its headers alone. One whose headers are too many or too long, or
    can't be read, is empty: nobody can say who wrote it.
    """
    head = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0] + b"\r\n\r\n"
    for part in (raw, head):
        with suppress(Exception):  # whatever it is, the library can't read it
            return _read(part)
    return _read(b"")


def _read(raw: bytes) -> EmailMessage:
    parser = _Parser(policy=_Limited(seen=_Seen()))  # type: ignore[call-overload]
    parser.feed(raw)
    message: EmailMessage = parser.close()  # type: ignore[assignment] # by this policy
    for part in message.walk():
        for name in TAKEN_APART:
            part.get_all(name)  # Some fail only when they are read.
        _have_usual_charset(part)
    return message


def _have_usual_charset(part: EmailMessage) -> None:
    """Take a text for ASCII that names a codec in which nobody writes."""
    try:
        is_usual = codecs.lookup(part.get_content_charset("ascii")).name not in NO_TEXT
    except LookupError:
        return  # It is read as well as it can be.
    except ValueError:
        is_usual = False
    if not is_usual:
        part.replace_header("Content-Type", part.get_content_type())
