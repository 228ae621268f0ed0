"""What an email says: its text without what it quotes and without a signature."""

import re
import unicodedata
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from html.parser import HTMLParser
from typing import Final, NamedTuple

from mailparser_reply.constants import (  # type: ignore[import-untyped]
    MAIL_LANGUAGES,
    QUOTED_MATCH_INCLUDE,
)
from mailparser_reply.parser import (  # type: ignore[import-untyped]
    EmailMessage as Replies,
)

LONGEST: Final = 6000
"""How many characters are looked at; a chat message is much shorter."""

LONGEST_ID: Final = 300

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

WROTE: Final = re.compile(
    r"(?:\b(?:пиш[её]т|написала?(?:\(а\))?)|<[^<>\s]+@[^<>\s]+>)\s?:$", re.IGNORECASE
)
"""The end of what introduces a quote: "24 нояб. 2026 г., в 12:00, Anna <anna@…> написал(а):"."""
TIME_OF_DAY: Final = re.compile(r"\b\d{1,2}[:.]\d{2}\b")

FORWARDED: Final = re.compile(
    r"^\W*(?:(?:begin )?forwarded message|weitergeleitete nachricht|"
    r"anfang der weitergeleiteten (?:nachricht|e-mail)|"
    r"(?:начало )?пере(?:сылаем|адресован|сланн)\w+ (?:сообщени|письм)\w+)\W*$",
    re.IGNORECASE | re.MULTILINE,
)
FORWARDING_SUBJECT: Final = re.compile(r"\s*(?:fwd?|wg|пересл?)\s*:", re.IGNORECASE)
QUOTE: Final = re.compile(
    r"^\s*(?:>|-{2,} ?(?:original message|ursprüngliche nachricht|исходное сообщение) ?-{2,})",
    re.IGNORECASE | re.MULTILINE,
)
"""Where what others wrote begins."""

BULK: Final = frozenset({"bulk", "junk", "list", "auto_reply"})


def parsed(raw: bytes) -> EmailMessage:
    """The message of these bytes."""
    message: EmailMessage = message_from_bytes(raw, policy=default)
    return message


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


def letter(message: EmailMessage) -> Letter:
    """What the sender wrote themselves."""
    text = _storable(_text(message))[:LONGEST]
    subject = str(message.get("Subject", ""))
    is_forwarded = bool(FORWARDED.search(text) or FORWARDING_SUBJECT.match(subject))
    answers = re.findall(r"<[!-;=?-~]+>", str(message.get("In-Reply-To", "")))
    return Letter(own_words(text), is_forwarded, answers)


def _storable(text: str) -> str:
    """The text with one kind of line end, and without what no database stores."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    known = lines.encode("utf-8", "replace").decode()
    return "".join(one for one in known if one in "\n\t" or unicodedata.category(one) != "Cc")


def own_words(text: str) -> str:
    """The text without what it quotes, and without a signature."""
    if quote := QUOTE.search(text):
        text = text[: quote.start()]
    text = _before_introduction(re.sub(r"\n\s*\n", "\n\n", text))
    replies = Replies(text=text, languages=list(LANGUAGES), keep_hyphen_lists=True).read().replies
    body = str(replies[0].body) if replies and not replies[0].headers else ""
    return body.strip("_ \n")  # Outlook draws a line above what it quotes.


def _before_introduction(text: str) -> str:
    """The text up to a line, or two, that says in any language when whose words were written."""
    lines = [line.strip() for line in text.strip().split("\n")]
    for number, (line, after) in enumerate(zip(lines, [*lines[1:], ""], strict=True)):
        # Mail programs break a long one, between the time and the address.
        whole = line if TIME_OF_DAY.search(after) else f"{line} {after}".strip()
        if TIME_OF_DAY.search(line) and (WROTE.search(line) or WROTE.search(whole)):
            return "\n".join(lines[:number])
    return text


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
        reader.feed(html)
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
