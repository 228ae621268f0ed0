"""The bytes of an email: mail programs read in them what was to be said."""

from email import message_from_bytes, policy
from email.header import decode_header

import pytest
from django.core.mail import mailers

from games.services.email.message import TwoBodies
from tests.support.mail_servers import choosy_server

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

UNUSUAL = [
    {"subject": "[Intrigue] Кремль, 1612: «Интрига» " + "ы" * 60},
    {"subject": ("[Intrigue] " + "a long name that " * 12).strip()},
    {"subject": "[Intrigue] tab\there, delete \x7f there"},
    {"subject": ""},
    {"headers": {**HEADERS, "List-Id": "Интрига <game-7.intrigue.example.org>"}},
    {"headers": {**HEADERS, "List-Id": f"{'Интрига и ' * 6}<game-7.intrigue.example.org>"}},
    {"recipient": '"anna smith"@example.org'},
    {"recipient": "a" * 64 + "@" + "b" * 60 + ".example.org"},
    {"text": "Grüße", "html": "<p>Grüße</p>"},
    {"text": "Привет, Анна. " * 200, "html": f"<p>{'Привет, Анна. ' * 200}</p>"},
    {"text": ".\n..\nFrom Anna\n--=_\nspaces   \n=3D=\n\n\nend", "html": "<p>.</p>\n.\n"},
    {"text": "one\r\ntwo\rthree"},
    {"text": "three\x0bfour\u2028five"},
]


def email(case):
    return TwoBodies(**(USUAL | case))


def content_of(mail):
    return mail.message(policy=policy.SMTP).as_bytes()


def parsed(content):
    return message_from_bytes(content, policy=policy.default)


def lines_of(text):
    return text.encode().splitlines()


@pytest.mark.sample(1)
@pytest.mark.parametrize("case", [{}, *UNUSUAL])
def test_it_comes_over_the_wire_as_it_was_written(case, smtp):
    given = USUAL | case
    mailers.default.send_messages([email(case)])
    [sent] = smtp.messages
    came = parsed(sent.as_bytes())
    assert came.get_content_type() == "multipart/alternative"
    assert len(list(came.iter_parts())) == 2
    assert (came["Subject"], came["To"]) == (given["subject"], given["recipient"])
    assert came["X-Auto-Response-Suppress"] == "All"
    assert {name: came[name] for name in given["headers"]} == given["headers"]
    for kind, part in (("plain", "text"), ("html", "html")):
        assert lines_of(came.get_body((kind,)).get_content()) == lines_of(given[part])


@pytest.mark.parametrize("case", [{}, *UNUSUAL])
def test_it_is_ascii_in_lines_as_long_as_a_mail_server_takes(case):
    content = content_of(email(case))
    assert content.isascii()
    lines = content.split(b"\r\n")
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    assert max(map(len, lines)) <= 998


def with_subject(subject):
    """The bytes of an email, and its subject's header."""
    content = content_of(email({"subject": subject}))
    return content, content.partition(b"\r\nSubject: ")[2].partition(b"\r\nFrom:")[0].decode()


@pytest.mark.long(after=2)
@pytest.mark.full
@pytest.mark.parametrize(
    "words",
    [
        "Your data words are ready until Wed 25 Nov 2026, 14:50 (Europe/Vienna) ",
        "Your move: choose where to send your scholars · The Venice table · ",
        "Dein Zug: wähle, wohin deine Gelehrten gehen · Tisch \u2068Zürich\u2069 · ",
        "Ход: взятка · Der Tisch 🏰 · ",
    ],
)
def test_a_subject_of_any_length_is_read_as_it_was_written(words):
    """Python began it with a space, or put two spaces between its words."""
    subjects = [(words * 6)[:length].strip() for length in range(60, 200)]
    assert [parsed(with_subject(subject)[0])["Subject"] for subject in subjects] == subjects


@pytest.mark.full
def test_a_subject_in_other_letters_is_folded_between_them():
    letters = "Ход: взятка · Der Tisch 🏰 · " * 6
    wrong = []
    for subject in (letters[-length:].strip() for length in range(4, 120)):
        words = with_subject(subject)[1].split("\r\n ")
        read = "".join(decode_header(word)[0][0].decode() for word in words)
        if not subject.isascii() and not (read == subject and max(map(len, words)) <= 75):
            wrong.append((subject, words))
    assert wrong == []


@pytest.mark.parametrize("name", ["Message-ID", "In-Reply-To", "References", "List-Unsubscribe"])
def test_an_address_longer_than_a_line_is_written_as_an_address(name):
    """Python encoded it in words, which no mail program reads as an address."""
    address = f"<{'a' * 120}@intrigue.example.org>"
    content = content_of(email({"headers": HEADERS | {name: address}}))
    assert f"\r\n{name}: {address}\r\n".encode() in content


def test_the_address_for_replies_is_on_one_line_however_long():
    address = f"reply+{'a' * 90}@reply.example.org"
    content = content_of(email({"headers": HEADERS | {"Reply-To": address}}))
    assert f"\r\nReply-To: {address}\r\n".encode() in content


@pytest.mark.parametrize(
    ("address", "on_the_way"),
    [
        ("anna.smith+games@mail.example.org", "anna.smith+games@mail.example.org"),
        ("anna@müller.example", "anna@xn--mller-kva.example"),
        ('"anna smith"@example.org', '"anna smith"@example.org'),
    ],
)
def test_recipient_and_sender_may_have_any_domain(address, on_the_way, settings):
    settings.DEFAULT_FROM_EMAIL = '"Интрига, игра" <intrigue@müller.example>'
    with choosy_server(settings) as inbox:
        mailers.default.send_messages([email({"recipient": address})])
    assert inbox.senders == ["intrigue@xn--mller-kva.example"]
    assert inbox.asked_for == [on_the_way]
    came = parsed(inbox.messages[0].as_bytes())
    assert came["To"] == on_the_way
    [sender] = came["From"].addresses
    assert sender.display_name == "Интрига, игра"
    assert sender.addr_spec == "intrigue@xn--mller-kva.example"


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("where", ["subject", "recipient", "headers"])
@pytest.mark.parametrize("name", ["anna", "анна", "=?utf-8?q?anna=0ABcc=3A_eve?="])
def test_nobody_adds_a_header_by_a_line_break(where, end, name):
    value = f"{name}@example.org{end}Bcc: eve@example.org"
    case = {where: {**HEADERS, "List-Id": value} if where == "headers" else value}
    with pytest.raises(ValueError, match=r"line|Invalid address"):
        email(case).message(policy=policy.SMTP)


@pytest.mark.parametrize("where", ["subject", "headers"])
@pytest.mark.parametrize("encoded", ["=0D=0ABcc=3A_eve@example.org", "=0A", "=0D=0A=0D=0A"])
def test_nobody_adds_a_header_or_ends_them_by_an_encoded_line_break(where, encoded):
    value = f"=?utf-8?q?anna{encoded}?="
    case = {where: {**HEADERS, "List-Id": value} if where == "headers" else value}
    mail = parsed(content_of(email(case)))
    assert "Bcc" not in mail
    assert mail["From"] is not None
    assert mail["Auto-Submitted"] == "auto-generated"


@pytest.mark.parametrize(
    "address",
    ["anna@", "anna@example.org, eve@example.org", "anna@example.org\r\nRCPT TO:<eve@x.org>"],
)
def test_an_address_that_is_none_or_two_gets_no_email(address, smtp):
    with pytest.raises(ValueError, match="Invalid address"):
        mailers.default.send_messages([email({"recipient": address})])
    assert smtp.messages == []
