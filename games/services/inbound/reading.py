"""What an email says: its text without what it quotes and without a signature."""

import re
import unicodedata
from datetime import UTC, datetime
from email.message import EmailMessage
from html.parser import HTMLParser
from typing import Final, NamedTuple

from mailparser_reply.constants import (  # type: ignore[import-untyped]
    MAIL_LANGUAGES,
    QUOTED_MATCH_INCLUDE,
)
from mailparser_reply.parser import (  # type: ignore[import-untyped]
    EmailMessage as Replies,
)

from games.services.inbound.quotes import above_quotes

LONGEST: Final = 6000
"""How many characters are looked at; a chat message is much shorter."""

LONGEST_HTML: Final = 60_000
"""How much of an email's HTML is looked at: its writer's words come first."""

LONGEST_LINE: Final = 200
"""How long a line is, at most, in which a mail program says something."""

LONGEST_ID: Final = 300

FIRST_MARK: Final = 0xE000
STANDS_FOR: Final = re.compile("[\ue000-\uf8ff]")
"""Characters that mean nothing (Unicode's private use)."""

MAIL_LANGUAGES.setdefault(
    "ru",
    {
        "from_header": rf"((?:(?:^|\n|\n{QUOTED_MATCH_INCLUDE})[* ]*"
        r"(?:От|Отправлено|Кому|Тема|Дата|Копия):[ *]*(?:\s{,2}).*){2,}(?:\n.*){,1})",
        "disclaimers": ["Внимание:"],
        "signatures": ["С уважением", "Всего доброго", "С наилучшими пожеланиями"],
        "sent_from": "Отправлено с|Отправлено из",
    },
)
"""The library knows no Russian."""

LANGUAGES: Final = ["en", "de", "ru"]

FORWARDED: Final = re.compile(
    r"^[^\w\n]*(?:(?:begin )?forwarded message|weitergeleitete nachricht|"
    r"anfang der weitergeleiteten (?:nachricht|e-mail)|"
    r"(?:начало )?пере(?:сылаем|адресован|сланн)\w+ (?:сообщени|письм)\w+)[^\w\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
FORWARDING_SUBJECT: Final = re.compile(r"\s*(?:fwd?|wg|пересл?)\s*:", re.IGNORECASE)
BULK: Final = frozenset({"bulk", "junk", "list", "auto_reply"})


class Letter(NamedTuple):
    """What somebody wrote: `text` without quotes, and the ids of the messages it `answers`."""

    text: str
    is_forwarded: bool
    answers: list[str]


def is_automatic(message: EmailMessage, return_path: str) -> bool:
    """Whether a program wrote it: an out-of-office reply, a bounce, a mailing list."""
    submitted = str(message.get("Auto-Submitted", "no")).partition(";")[0].strip().lower()
    precedence = str(message.get("Precedence", "")).strip().lower()
    told = ("X-Auto-Response-Suppress", "X-Autoreply", "X-Autorespond", "List-Id")
    return (
        return_path in {"", "<>"}
        or submitted != "no"
        or precedence in BULK
        or any(name in message for name in told)
        or message.get_content_type() == "multipart/report"
    )


def message_id(message: EmailMessage) -> str:
    """Its Message-ID, "" if it has none."""
    return re.sub(r"[^!-~]", "", str(message.get("Message-ID", "")))[:LONGEST_ID]


def written_at(message: EmailMessage) -> datetime | None:
    """When it was written, as it says itself; None if it doesn't say so once and clearly."""
    dates = message.get_all("Date", [])
    at = getattr(dates[0], "datetime", None) if len(dates) == 1 else None
    return at.replace(tzinfo=UTC) if at is not None and at.tzinfo is None else at


def letter(message: EmailMessage) -> Letter:
    """What the sender wrote themselves."""
    text = _storable(_text(message))[:LONGEST]
    subject = str(message.get("Subject", ""))
    is_forwarded = bool(FORWARDED.search(text) or FORWARDING_SUBJECT.match(subject))
    answers = re.findall(r"<[!-;=?-~]+>", str(message.get("In-Reply-To", "")))
    return Letter(own_words(text), is_forwarded, answers)


def _storable(text: str) -> str:
    """The text with one kind of line end, one empty line at a time, and what a database stores."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    known = lines.encode("utf-8", "replace").decode()
    kept = (one for one in known if one in "\n\t" or unicodedata.category(one) != "Cc")
    # Patterns go back and forth over thousands of empty lines, for seconds.
    return re.sub(r"\n\s*\n", "\n\n", "".join(kept))


def own_words(text: str) -> str:
    """The text without what it quotes, and without a signature."""
    text, long_lines = _with_short_lines(above_quotes(text))
    replies = Replies(text=text, languages=list(LANGUAGES), keep_hyphen_lists=True).read().replies
    body = str(replies[0].body) if replies and not replies[0].headers else ""
    return STANDS_FOR.sub(lambda mark: long_lines[ord(mark[0]) - FIRST_MARK], body).strip("_ \n")


def _with_short_lines(text: str) -> tuple[str, list[str]]:
    """The text with a character for each long line, and these lines.

    The library's patterns go back and forth in a line: a long one takes them minutes. What they
    look for is short.
    """
    long_lines: list[str] = []
    shown = []
    for line in STANDS_FOR.sub("", text).split("\n"):
        if len(line) > LONGEST_LINE:
            shown.append(chr(FIRST_MARK + len(long_lines)))
            long_lines.append(line)
        else:
            shown.append(line)
    return "\n".join(shown), long_lines


def _text(message: EmailMessage) -> str:
    """The text of a message, or that of its HTML."""
    part = message.get_body(("plain", "html"))
    if part is None:
        return ""
    try:
        content = str(part.get_content())
    except (LookupError, UnicodeError, ValueError):
        payload = part.get_payload(decode=True)
        content = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    return _Words.of(content) if part.get_content_subtype() == "html" else content


class _Words(HTMLParser):
    """The words of an HTML email, without what is quoted or not shown."""

    LINES: Final = frozenset({"br", "p", "div", "tr", "li", "h1", "h2", "h3"})
    UNSEEN: Final = frozenset({"style", "script", "title", "head", "blockquote"})

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.unseen: list[str] = []

    @classmethod
    def of(cls, html: str) -> str:
        reader = cls()
        reader.feed(html[:LONGEST_HTML])
        lines = "".join(reader.parts).split("\n")
        return "\n".join(" ".join(line.split()) for line in lines)

    def handle_starttag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.UNSEEN:
            self.unseen.append(tag)
        elif tag in self.LINES and not self.unseen:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self.unseen:
            del self.unseen[self.unseen.index(tag) :]

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.parts.append(" ".join(data.splitlines()))
