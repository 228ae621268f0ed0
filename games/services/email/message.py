"""An email with a text and an HTML body, and headers that every mail program reads as they are."""

import re
import secrets
from email.header import Header
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.policy import EmailPolicy, Policy, default
from typing import Any, Final

from django.core.mail import EmailMultiAlternatives

QUIET: Final = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}
"""What keeps programs from answering an email, such as while somebody is away."""

ON_ONE_LINE: Final = re.compile(r"[ -~]{1,900}")  # a mail server takes lines of up to 998 bytes

LONGEST_WORD: Final = 75  # RFC 2047, of encoded ones


class TwoBodies(EmailMultiAlternatives):
    """An email to one recipient that says the same as text and as HTML."""

    def __init__(
        self, *, subject: str, text: str, html: str, recipient: str, headers: dict[str, str]
    ) -> None:
        super().__init__(
            subject,
            text,
            to=[recipient],
            headers={name: _in_ascii(name, value) for name, value in (QUIET | headers).items()},
            alternatives=[(html, "text/html")],
        )

    @property
    def html(self) -> str:
        """The HTML body."""
        return str(self.alternatives[0][0])

    def message(self, *, policy: Policy | None = None) -> EmailMessage:
        """What a mailer of Django sends or keeps; ValueError if it can't be sent."""
        # In seven bits, which no server on the way has to change.
        linesep = (policy or default).linesep
        unfolded = _Unfolded(linesep=linesep, cte_type="7bit", header_factory=HEADERS)
        message: EmailMessage = super().message(policy=unfolded)
        message.set_boundary(secrets.token_hex(16))  # Python would search both bodies for one
        return message


class _Headers(HeaderRegistry):
    """Makes the class of each header once: Python's does for each email, a tenth of its cost."""

    def __init__(self) -> None:
        super().__init__()
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = super().__getitem__(name)
        return made


HEADERS: Final = _Headers()


class _Unfolded(EmailPolicy):
    """Writes a header in ASCII on one line.

    Python folds a long subject so that it is read with a space in front or with two in the middle,
    and writes addresses too long for a line as encoded words, which nothing reads as addresses.
    """

    def fold(self, name: str, value: Any) -> str:
        """The lines of a header."""
        if ON_ONE_LINE.fullmatch(value):
            return f"{name}: {value}{self.linesep}"
        if name == "Subject" and value.splitlines() == [value]:
            # All in encoded words: between these and others, Python writes two spaces for one.
            words = Header(value, "utf-8", LONGEST_WORD, name).encode(linesep=self.linesep)
            return f"{name}: {words}{self.linesep}"
        return str(super().fold(name, value))

    def fold_binary(self, name: str, value: Any) -> bytes:
        """The same, for a message as bytes."""
        return self.fold(name, value).encode("ascii")


def _in_ascii(name: str, value: str) -> str:
    """What a header says in encoded words: services pass on the letters that they get."""
    if value.isascii():
        return value
    folded = default.fold(*default.header_store_parse(name, value))
    return "".join(folded.splitlines()).partition(": ")[2]
