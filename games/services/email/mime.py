"""The bytes of an email with a text and an HTML body.

Python would parse each header and fold it again, and encode the bodies character by character: that
took longer than anything else about an email. What is plainly safe is written as it is; all else
goes the way of Django and Python, which also refuse what would be a header of its own.
"""

import base64
import binascii
import re
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import Policy, default
from email.utils import format_datetime
from functools import lru_cache
from typing import Final

from django.core.mail import EmailMessage as DjangoMessage

PRINTABLE: Final = re.compile(r"[ -~]+")
PLAIN_ADDRESS: Final = re.compile(r"[A-Za-z0-9_+-]+(\.[A-Za-z0-9_+-]+)*@[a-z0-9-]+(\.[a-z0-9-]+)+")

LONGEST_LINE: Final = 78
LONGEST_WORD: Final = 900  # a mail server takes lines of up to 998 characters
LONGEST_ENCODED_WORD: Final = 75  # RFC 2047

QUIET: Final = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}
"""What keeps programs from answering an email, such as while somebody is away."""

ON_ONE_LINE: Final = frozenset(
    {"Message-ID", "In-Reply-To", "References", "List-Unsubscribe", "Reply-To"}
)
"""Addresses. Python would fold a long one, and write what it can't fold as an encoded word, which
no program reads as an address.
"""


class TwoBodies(DjangoMessage):
    """An email to one recipient that says the same as text and as HTML."""

    def __init__(
        self, *, subject: str, text: str, html: str, recipient: str, headers: dict[str, str]
    ) -> None:
        written = {name: _in_ascii(name, value) for name, value in (QUIET | headers).items()}
        super().__init__(subject, text, to=[recipient], headers=written)
        self.html = html

    @property
    def alternatives(self) -> list[tuple[str, str]]:
        """The HTML, as services that send email ask for it."""
        return [(self.html, "text/html")]

    def message(self, *, policy: Policy | None = None) -> EmailMessage:
        """What a mailer of Django sends or keeps; ValueError if it can't be sent."""
        return _Written("".join(self._lines(policy or default)).encode("ascii"))

    def _lines(self, policy: Policy) -> Iterator[str]:
        end, boundary = policy.linesep, f"=_{secrets.token_hex(12)}"  # in no encoded body
        yield _header("Subject", str(self.subject), policy)
        yield _from(self.from_email, policy)
        yield _to(self.to[0], policy)
        yield f"Date: {format_datetime(datetime.now(UTC))}{end}"
        for name, value in self.extra_headers.items():
            yield _header(name, value, policy)
        yield f"MIME-Version: 1.0{end}"
        yield f'Content-Type: multipart/alternative; boundary="{boundary}"{end}'
        for subtype, body in (("plain", str(self.body)), ("html", self.html)):
            encoding, text = _encoded(body, end)
            yield f'{end}--{boundary}{end}Content-Type: text/{subtype}; charset="utf-8"{end}'
            yield f"Content-Transfer-Encoding: {encoding}{end}{end}{text}"
        yield f"{end}--{boundary}--{end}"


class _Written(EmailMessage):
    """A message that is bytes already: all that mailers ask for."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self._content = content

    def as_bytes(self, unixfrom: bool = False, policy: Policy | None = None) -> bytes:  # noqa: FBT001, FBT002
        return self._content


def _header(name: str, value: str, policy: Policy) -> str:
    """A header; ValueError if there is a line break in it."""
    if PRINTABLE.fullmatch(value):
        line = f"{name}: {value}"
        if len(line) <= LONGEST_LINE or name in ON_ONE_LINE:
            return line + policy.linesep
        words = line.split(" ")
        if all(words) and max(map(len, words)) <= LONGEST_WORD:
            return _folded(words, policy.linesep)
    if value.isascii():
        return policy.fold(*policy.header_store_parse(name, value))
    if "\n" in value or "\r" in value:
        raise ValueError(f"There is a line break in {name}.")
    # All of it in encoded words: between these and others, policies write two spaces for one.
    return policy.linesep.join([*_in_encoded_words(f"{name}:", value), ""])


def _in_encoded_words(line: str, value: str) -> Iterator[str]:
    """The lines of a header, the first of which begins with this; no character is cut in two."""
    rest = value.encode()
    while rest:
        room = min(LONGEST_LINE - len(line) - 1, LONGEST_ENCODED_WORD) - len("=?utf-8?b??=")
        end = room // 4 * 3
        while end < len(rest) and rest[end] & 0b11000000 == 0b10000000:
            end -= 1
        yield f"{line} =?utf-8?b?{base64.b64encode(rest[:end]).decode()}?="
        line, rest = "", rest[end:]


def _folded(words: list[str], end: str) -> str:
    """The words in lines; the first of them, a header's name, isn't alone on its line.

    Python leaves it alone before a text that just fits the next line. Mail programs then show the
    text with a space in front.
    """
    first, second, *others = words
    lines = [f"{first} {second}"]
    for word in others:
        if len(lines[-1]) + 1 + len(word) <= LONGEST_LINE:
            lines[-1] += f" {word}"
        else:
            lines.append(f" {word}")
    return "".join(line + end for line in lines)


def _in_ascii(name: str, value: str) -> str:
    """What a header says in encoded words: services pass on the letters that they get."""
    if value.isascii():
        return value
    folded = default.fold(*default.header_store_parse(name, value))
    return "".join(folded.splitlines()).partition(": ")[2]


@lru_cache(maxsize=8)
def _from(sender: str, policy: Policy) -> str:
    return str(DjangoMessage(from_email=sender).message(policy=policy)["From"].fold(policy=policy))


def _to(recipient: str, policy: Policy) -> str:
    if PLAIN_ADDRESS.fullmatch(recipient) and len(recipient) < LONGEST_LINE - len("To: "):
        return f"To: {recipient}{policy.linesep}"
    return str(DjangoMessage(to=[recipient]).message(policy=policy)["To"].fold(policy=policy))


def _encoded(body: str, end: str) -> tuple[str, str]:
    """The name of the shorter encoding that is only ASCII, and the body in it."""
    content = b"".join(line + end.encode() for line in body.encode().splitlines())
    quoted = binascii.b2a_qp(content)
    if len(quoted) <= 4 / 3 * len(content):
        return "quoted-printable", quoted.decode()
    return "base64", base64.encodebytes(content).decode().replace("\n", end)
