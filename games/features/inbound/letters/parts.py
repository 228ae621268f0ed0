"""The words of a message: those of all its parts that hold some, in order, in any charset."""

import re
import unicodedata
from collections.abc import Mapping
from email.message import EmailMessage, MIMEPart
from typing import Final, NamedTuple

from lxml import etree

from games.features.inbound.letters.parsing import NO_TEXT
from games.features.inbound.letters.quotes import above_quotes

ENCRYPTED: Final = frozenset(
    {
        "multipart/encrypted",
        "application/pgp-encrypted",
        "application/pkcs7-mime",
        "application/x-pkcs7-mime",
    }
)
ENCRYPTED_TEXT: Final = re.compile(r"^-----BEGIN PGP MESSAGE-----", re.MULTILINE)
SIGNED_TEXT: Final = re.compile(
    r"-----BEGIN PGP SIGNED MESSAGE-----\n(?:[\w-]{1,40}:[^\n]*\n)*\n?(.*?)\n?"
    r"(?:-----BEGIN PGP SIGNATURE-----.*)?\Z",
    re.DOTALL,
)

LONGEST: Final = 6000
"""How many characters of a part, and of all together, are looked at; a message is much shorter."""

WIDER: Final = {
    "iso-8859-1": "cp1252", "latin1": "cp1252", "latin-1": "cp1252", "iso8859-1": "cp1252",
    "windows-1252": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252", "": "cp1252",
    "iso-8859-9": "cp1254", "iso-8859-11": "cp874", "tis-620": "cp874", "gb2312": "gb18030",
    "gbk": "gb18030", "shift_jis": "cp932", "ks_c_5601-1987": "cp949", "euc-kr": "cp949",
}  # fmt: skip
"""What programs mean by the name of a charset, as browsers read it (WHATWG)."""

META_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}?charset=[\"']?([\w-]{1,40})", re.IGNORECASE)
BEGINNING: Final = 2000


LONGEST_HTML: Final = 60_000
"""How much of an email's HTML is looked at: its writer's words come first."""


class Words(NamedTuple):
    """What a part says, and whether it said so in HTML."""

    text: str = ""
    is_html: bool = False


def text_of(message: EmailMessage) -> str:
    """The words of a message, without what is attached."""
    text = _words(message).text[:LONGEST]
    return SIGNED_TEXT.sub(lambda found: re.sub(r"(?m)^- ", "", found[1]), text)


def _storable(text: str) -> str:
    """The text with one kind of line end, one empty line at a time, and what a database stores."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    known = lines.encode("utf-8", "replace").decode()
    kept = (one for one in known if one in "\n\t" or unicodedata.category(one) != "Cc")
    # Patterns go back and forth over thousands of empty lines, for seconds.
    return re.sub(r"\n\s*\n", "\n\n", "".join(kept))


def is_encrypted(message: EmailMessage, text: str) -> bool:
    """Whether its words can be read only with somebody's key."""
    if ENCRYPTED_TEXT.search(text):
        return True
    kinds = [message.get_content_type()]
    if not text.strip() and message.is_multipart():
        kinds += [part.get_content_type() for part in message.iter_parts()]
    return not ENCRYPTED.isdisjoint(kinds)


def _words(part: MIMEPart) -> Words:
    if part.is_attachment() or part.get_filename() is not None:
        return Words()
    main, sub = part.get_content_maintype(), part.get_content_subtype()
    if main == "multipart" and part.is_multipart():
        parts = list(part.iter_parts())
        if sub == "alternative":
            return _fullest([_words(one) for one in parts])
        if sub in {"related", "signed"}:
            return _words(_root(part, parts)) if parts else Words()
        return _together([_words(one) for one in parts])
    if main != "text" or sub not in {"plain", "html"}:
        return Words()
    text = _html(part) if sub == "html" else _plain(part)
    return Words(_storable(text)[:LONGEST], is_html=sub == "html")


def _root(part: MIMEPart, parts: list[MIMEPart]) -> MIMEPart:
    """What a part of several begins with, the others being its pictures or its signature."""
    start = part.get_param("start")
    return next((one for one in parts if start and one.get("Content-ID") == start), parts[0])


def _fullest(alternatives: list[Words]) -> Words:
    """The first alternative, or a later one that says what those before don't.

    Some programs and gateways leave the text empty, or write only a footer into it.
    """
    best = Words()
    for one in alternatives:
        if not best.text.strip() or not _own_words(one.text) <= _own_words(best.text):
            best = one if one.text.strip() else best
    return best


def _together(parts: list[Words]) -> Words:
    """All that was written, as paragraphs; once where HTML repeats a text."""
    kept: list[str] = []
    words: set[str] = set()
    for one in parts:
        own = _own_words(one.text)
        if not one.text.strip() or (one.is_html and own and own <= words):
            continue
        if one.is_html and words and words <= own:
            kept.clear()
        kept.append(one.text.strip("\n"))
        words |= own
        if sum(map(len, kept)) > LONGEST:
            break
    return Words("\n\n".join(kept)[:LONGEST])


def _own_words(text: str) -> set[str]:
    return set(re.findall(r"\w+", above_quotes(text).casefold()))


def _plain(part: MIMEPart) -> str:
    text = _decoded(part).replace("\r\n", "\n")
    if str(part.get_param("format", "")).lower() != "flowed":
        return text
    return _unflowed(text, deletes=str(part.get_param("delsp", "")).lower() == "yes")


def _unflowed(text: str, *, deletes: bool) -> str:
    """The text with the lines put together that its program has broken (RFC 3676)."""
    lines: list[str] = []
    goes_on = False
    for line in text.split("\n"):
        is_quoted = line.startswith(">")
        own = line if is_quoted else line.removeprefix(" ")
        if goes_on and not is_quoted and own != "-- ":
            lines[-1] += own
        else:
            lines.append(own)
        goes_on = own.endswith(" ") and own != "-- " and not is_quoted
        if goes_on and deletes:
            lines[-1] = lines[-1][:-1]
    return "\n".join(lines)


def _html(part: MIMEPart) -> str:
    return _Reader.words_of(_decoded(part)[:LONGEST_HTML])


def _decoded(part: MIMEPart) -> str:
    """The text of a part. A charset that is missing or wrong is guessed."""
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    declared = part.get_content_charset("")
    if not declared and (meta := META_CHARSET.search(payload[:BEGINNING])):
        declared = meta[1].decode("ascii")
    charset = WIDER.get(declared, declared)
    if charset not in {"cp1252", "utf-8", "utf8"} and charset not in NO_TEXT:
        try:
            return payload.decode(charset, "replace")
        except (LookupError, UnicodeError, ValueError):
            pass
    try:
        return payload.decode("utf-8-sig")
    except UnicodeDecodeError:
        return payload.decode("cp1252", "replace")


class _Reader:
    """The words of an HTML email, without what is quoted or not shown; lxml calls it for each tag.

    Python's own parser takes a minute of CPU for 60,000 characters of tags that are never closed.
    """

    LINES: Final = frozenset({"br", "div", "tr", "li", "h1", "h2", "h3"})
    UNSEEN: Final = frozenset({"style", "script", "title", "head", "blockquote"})
    RULE: Final = f"\n{'_' * 20}\n"
    """What programs draw above what they quote."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.unseen = 0
        self.keeps_lines = 0

    @classmethod
    def words_of(cls, html: str) -> str:
        reader = cls()
        parser = etree.HTMLParser(target=reader, encoding="utf-8")
        parser.feed(html.encode("utf-8", "replace"))
        parser.close()
        lines = "".join(reader.parts).split("\n")
        return "\n".join(" ".join(line.split()) for line in lines)

    def start(self, tag: str, attrs: Mapping[str, str]) -> None:
        if tag in self.UNSEEN:
            self.unseen += 1
        elif self.unseen:
            return
        elif tag in self.LINES:
            self.parts.append("\n")
        elif tag == "p":
            # Those of Outlook and Word have no space between them.
            is_line = "msonormal" in attrs.get("class", "").lower()
            self.parts.append("\n" if is_line else "\n\n")
        elif tag == "hr":
            self.parts.append(self.RULE)
        elif tag == "pre":
            self.keeps_lines += 1
            self.parts.append("\n")

    def end(self, tag: str) -> None:
        if tag in self.UNSEEN:
            self.unseen -= 1
        elif tag == "pre" and not self.unseen:
            self.keeps_lines -= 1

    def data(self, text: str) -> None:
        if not self.unseen:
            self.parts.append(text if self.keeps_lines else " ".join(text.splitlines()))

    def close(self) -> None:
        """lxml asks for it."""
