"""What an email says: its text without what it quotes and without a signature."""

import re
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any, Final, NamedTuple

from mailparser_reply.constants import (  # type: ignore[import-untyped]
    MAIL_LANGUAGES,
    QUOTED_MATCH_INCLUDE,
)
from mailparser_reply.parser import (  # type: ignore[import-untyped]
    EmailMessage as Replies,
)

from games.features.inbound.letters.endings import is_ending
from games.features.inbound.letters.parts import is_encrypted, text_of
from games.features.inbound.letters.quotes import above_quotes

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
PROGRAMS: Final = ("X-Autoreply", "X-Autorespond", "X-Auto-Reply", "X-Vacation")
"""Headers in which programs say that they have replied by themselves."""

AWAY: Final = re.compile(
    r"\W*(?:auto(?:matic|mated)?[- ]?(?:reply|response|answer)|out of (?:the )?office|"
    r"automatische (?:antwort|abwesenheit)|abwesenheits\w+|abwesend:|"
    r"авто(?:матический )?[- ]?ответ|нет на (?:рабочем )?месте|вне офиса|"
    r"réponse automatique|absence du bureau|absent du bureau|"
    r"respuesta autom[aá]tica|fuera de (?:la )?oficina|"
    r"risposta automatica|fuori (?:sede|ufficio)|automatisch(?:e)? antwoord|afwezig(?:heid\w*)?|"
    r"automatyczna odpowiedź|odpowiedź automatyczna|poza biurem|"
    r"автоматична відповідь|автовідповідь|поза офісом|відсутн\w+ на|"
    r"resposta autom[aá]tica|autosvar|automatisk svar|automaattinen vastaus|"
    r"automatická odpověď|otomatik yanıt|自动回复|自動回覆|自動応答|自動返信|"
    r"(?:vacation|holiday|urlaub|absence|absent|ausente|assente|отпуск|відпустка|urlop)\s*[:–—-]|"
    r"undeliver(?:ed|able)|delivery (?:status notification|failure)|"
    r"mail delivery (?:failed|system)|failure notice|returned mail|unzustellbar|"
    r"nicht zustellbar|недоставленное сообщение)",
    re.IGNORECASE,
)
"""How the subject of an email begins that a program has sent while somebody is away, or because an
email can't be delivered.
"""


class Letter(NamedTuple):
    """What somebody wrote: `text` without quotes; `in_reply_to` has the ids of other messages.

    By its subject, it `is_forwarded`, or is from a program while its `author` (a name) `is_away`.
    """

    text: str
    is_forwarded: bool
    in_reply_to: list[str]
    is_encrypted: bool = False
    is_away: bool = False
    author: str = ""


def is_automatic(message: EmailMessage, return_path: str) -> bool:
    """Whether a program wrote it: an out-of-office reply, a bounce.

    Headers that only ask others for no reply say nothing about its writer: also those of people
    have X-Auto-Response-Suppress, Precedence or List-Id.
    """
    submitted = [_keyword(value) for value in message.get_all("Auto-Submitted", [])]
    precedence = str(message.get("Precedence", "")).strip().lower().replace("-", "_")
    return (
        return_path in {"", "<>"}
        or any(one not in {"", "no"} for one in submitted)
        or precedence == "auto_reply"
        or any(_keyword(message.get(name, "no")) not in {"no", "false", "0"} for name in PROGRAMS)
        or message.get_content_type() == "multipart/report"
    )


def _keyword(value: object) -> str:
    """The first word of a header's value, without comments and parameters."""
    return re.split(r"[;(\s]", str(value).strip().lower(), maxsplit=1)[0]


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
    text = text_of(message)
    subject = str(message.get("Subject", ""))
    return Letter(
        own_words(text),
        is_forwarded=bool(FORWARDED.search(text) or FORWARDING_SUBJECT.match(subject)),
        in_reply_to=re.findall(r"<[!-;=?-~]+>", str(message.get("In-Reply-To", ""))),
        is_encrypted=is_encrypted(message, text),
        is_away=bool(AWAY.match(subject)),
        author=str(message.get("From", "")),
    )


def own_words(text: str) -> str:
    """The text without what it quotes, and without a signature."""
    text, long_lines = _with_short_lines(above_quotes(text))
    replies = Replies(text=text, languages=list(LANGUAGES), keep_hyphen_lists=True).read().replies
    body = _without_signature(replies[0]) if replies and not replies[0].headers else ""
    return STANDS_FOR.sub(lambda mark: long_lines[ord(mark[0]) - FIRST_MARK], body).strip("_ \n")


def _without_signature(reply: Any) -> str:
    """The library takes any line that begins with "Thanks," for one."""
    text, signature = str(reply.content), str(reply.signatures)
    if signature.startswith(("--", "__")) or is_ending(signature, ()):
        text = text.removesuffix(signature)
    return text


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
