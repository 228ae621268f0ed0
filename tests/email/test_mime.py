"""The bytes of an email: what mail programs read in them is what they read in Django's own."""

from email import message_from_bytes, policy
from email.header import decode_header

import pytest
from django.core.mail import EmailMultiAlternatives, mailers
from django.core.mail.backends import smtp as django_smtp

from games.services.email.mime import TwoBodies
from intrigue_site.smtp import EmailBackend

USUAL = {
    "subject": "[Intrigue] The Venice table",
    "text": "Hello Anna,\n\nit's your turn.",
    "html": "<p>Hello Anna,</p>\n<p>it's your turn.</p>\n",
    "recipient": "anna@example.org",
    "headers": {
        "Message-ID": "<0123456789abcdef.game-7@intrigue.example.org>",
        "Auto-Submitted": "auto-generated",
        "List-Id": "The Venice table <game-7.intrigue.example.org>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
}
HEADERS = USUAL["headers"]
BACKENDS = [
    backend(alias="default", host="localhost")
    for backend in (EmailBackend, django_smtp.EmailBackend)
]

UNUSUAL = [
    {"subject": "[Intrigue] Кремль, 1612: «Интрига» " + "ы" * 60},
    {"subject": "[Intrigue] " + "a long name that " * 12},
    {"subject": "[Intrigue] =?utf-8?q?Von_einem_Moderator?="},
    {"subject": "[Intrigue] tab\there, delete \x7f there"},
    {"subject": ""},
    {"headers": {**HEADERS, "List-Id": "Интрига <game-7.intrigue.example.org>"}},
    {"recipient": "anna@müller.example"},
    {"recipient": '"anna smith"@example.org'},
    {"recipient": "a" * 64 + "@" + "b" * 60 + ".example.org"},
    {"text": "Grüße", "html": "<p>Grüße</p>"},
    {"text": "Привет, Анна. " * 200, "html": f"<p>{'Привет, Анна. ' * 200}</p>"},
    {"text": ".\n..\nFrom Anna\n--=_\nspaces   \n=3D=\n\n\nend", "html": "<p>.</p>\n.\n"},
    {"text": "one\r\ntwo\rthree\x0bfour\u2028five"},
]


def ours(case):
    return TwoBodies(**(USUAL | case))


def djangos(case):
    parts = USUAL | case
    headers = {"X-Auto-Response-Suppress": "All", **parts["headers"]}  # all email of ours has it
    mail = EmailMultiAlternatives(
        parts["subject"], parts["text"], to=[parts["recipient"]], headers=headers
    )
    mail.attach_alternative(parts["html"], "text/html")
    return mail


def read(content):
    """What a mail program shows: headers but for the instant and the structure, and both bodies."""
    mail = message_from_bytes(content, policy=policy.default)
    named = {name: mail[name] for name in mail if name not in {"Date", "Content-Type"}}
    # That a header is folded is no part of what it says.
    headers = {name: " ".join(str(value).split()) for name, value in named.items()}
    bodies = [mail.get_body((kind,)).get_content().splitlines() for kind in ("plain", "html")]
    assert mail.get_content_type() == "multipart/alternative"
    assert len(list(mail.iter_parts())) == 2
    return headers, bodies


@pytest.mark.parametrize("rules", [policy.default, policy.SMTP])
@pytest.mark.parametrize("case", [{}, *UNUSUAL])
def test_a_mail_program_reads_what_it_reads_in_an_email_of_django(case, rules):
    content = ours(case).message(policy=rules).as_bytes()
    assert read(content) == read(djangos(case).message(policy=rules).as_bytes())


@pytest.mark.parametrize("case", [{}, *UNUSUAL])
def test_it_is_ascii_in_lines_as_long_as_a_mail_server_takes(case):
    content = ours(case).message(policy=policy.SMTP).as_bytes()
    assert content.isascii()
    lines = content.split(b"\r\n")
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    assert max(map(len, lines)) <= 998


def with_subject(subject):
    """The bytes of an email, and the lines of its subject's header."""
    content = ours({"subject": subject}).message(policy=policy.SMTP).as_bytes()
    return content, content.partition(b"\r\nFrom:")[0].decode().split("\r\n")


def subject_in(content):
    return message_from_bytes(content, policy=policy.default)["Subject"]


def test_a_long_subject_is_folded_between_words_and_begins_on_its_own_line():
    """Python left the first line empty: the subject came with a space in front."""
    words = "Your data words are ready until Wed 25 Nov 2026, 14:50 (Europe/Vienna) " * 4
    wrong = []
    for subject in (words[:length].strip() for length in range(50, 240)):
        _content, lines = with_subject(subject)
        begins = lines[0].startswith("Subject: Your data words are ready")
        is_whole = "".join(lines) == f"Subject: {subject}"
        if not (begins and is_whole and max(map(len, lines)) <= 78):
            wrong.append(lines)
    assert wrong == []


def test_a_long_subject_with_dots_between_its_parts_is_read_as_it_was_written():
    """Python left a space at the end of a line: the subject came with two in the middle."""
    words = "Your move: choose where to send your scholars · The Venice table · " * 4
    subjects = [words[:length].strip() for length in range(50, 240)]
    assert [subject_in(with_subject(subject)[0]) for subject in subjects] == subjects


def test_a_subject_in_other_letters_is_folded_between_them():
    letters = "Ход: взятка · Der Tisch 🏰 · " * 6
    wrong = []
    for subject in (letters[-length:].strip() for length in range(4, 120)):
        content, lines = with_subject(subject)
        words = [line.removeprefix("Subject:").removeprefix(" ") for line in lines]
        is_read = subject_in(content) == subject and max(map(len, lines)) <= 78
        if not (is_read and (subject.isascii() or are_encoded(words, subject))):
            wrong.append((subject, lines))
    assert wrong == []


def are_encoded(words, subject):
    """Whether each word is encoded by itself, without a letter cut apart, and short enough."""
    read = "".join(decode_header(word)[0][0].decode() for word in words)
    return read == subject and max(map(len, words)) <= 75


def test_the_sender_is_written_as_django_writes_it(settings):
    for sender in ("Intrigue <intrigue@example.org>", "Интрига, игра <игра@müller.example>"):
        settings.DEFAULT_FROM_EMAIL = sender
        written, expected = (
            read(mail({}).message(policy=policy.SMTP).as_bytes())[0]["From"]
            for mail in (ours, djangos)
        )
        assert written == expected


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("where", ["subject", "recipient", "headers"])
@pytest.mark.parametrize("name", ["anna", "анна"])
def test_nobody_adds_a_header_by_a_line_break(where, end, name):
    value = f"{name}@example.org{end}Bcc: eve@example.org"
    case = {where: {**HEADERS, "List-Id": value} if where == "headers" else value}
    with pytest.raises(ValueError, match=r"line|Invalid address"):
        ours(case).message(policy=policy.SMTP)


@pytest.mark.parametrize("case", [{}, *UNUSUAL[:5], *UNUSUAL[9:]])
def test_it_comes_over_the_wire_as_it_was_written(case, smtp):
    mailers.default.send_messages([ours(case), djangos(case)])
    came, expected = (read(mail.as_bytes()) for mail in smtp.messages)
    assert came == expected


@pytest.mark.parametrize(
    "address",
    [
        "anna@example.org",
        "anna.smith+games@mail.example.org",
        "Anna <anna@example.org>",
        '"Интрига, игра" <anna@example.org>',
        "anna@müller.example",
        "anna@xn--mller-kva.example",
        '"anna smith"@example.org',
        "root",
    ],
)
def test_the_envelope_has_the_addresses_that_django_would_write(address):
    ours, djangos = BACKENDS
    assert ours.prep_address(address) == djangos.prep_address(address)


@pytest.mark.parametrize(
    "address",
    ["", "anna@", "anna@example.org, eve@example.org", "anna@example.org\r\nRCPT TO:<eve@x.org>"],
)
def test_the_envelope_has_no_address_that_django_would_refuse(address):
    for backend in BACKENDS:
        with pytest.raises(ValueError, match="Invalid address"):
            backend.prep_address(address)
