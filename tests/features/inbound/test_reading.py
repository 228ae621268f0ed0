"""What somebody wrote themselves, without quotes, signatures and what others wrote."""

from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.features.inbound.letters import parsing, parts, reading
from games.features.inbound.letters.authentication import results_of, sender
from games.features.inbound.letters.reading import letter, own_words
from tests.features.inbound.quotations import QUOTATIONS

QUOTES = QUOTATIONS | {
    "Gmail": "On Mon, 2 Mar 2026 at 10:00, Intrigue <i@example.org> wrote:\n\n> Your move\n> help",
    "Gmail, broken": "On Mon, 2 Mar 2026 at 10:00, Intrigue <i@example.org>\nwrote:\n> Your move",
    "Apple": "> On 2 Mar 2026, at 10:00, Intrigue <i@example.org> wrote:\n> \n> Your move",
    "Outlook": "________________________________\nFrom: Intrigue <i@example.org>\n"
    "Sent: Monday, March 2, 2026 10:00\nTo: Anna\nSubject: Your move\n\nbribe clerk 4000",
    "old Outlook": "-----Original Message-----\nFrom: Intrigue\nSent: Monday\n\nbribe clerk 4000",
    "German": "Am Mo., 2. März 2026 um 10:00 Uhr schrieb Intrigue <i@example.org>:\n\n> Dein Zug",
    "German Outlook": "Von: Intrigue <i@example.org>\nGesendet: Montag, 2. März 2026 10:00\n"
    "An: Anna\nBetreff: Dein Zug\n\nbestich Schreiber 4000",
    "French Outlook": "De : Intrigue <i@example.org>\nEnvoyé : lundi 2 mars 2026 10:00\n"
    "À : Anna\nObjet : Your move\n\nYou have 32,000 ducats.",
    "Outlook's line": "________________________________\nVan: Intrigue\nVerzonden: maandag\n\nx",
    "Dutch Apple": "Op 2 mrt 2026 om 10:00 heeft Intrigue <i@example.org> het\n"
    "volgende geschreven:\n\n> Your move",
    "Dutch Thunderbird": "Op 02-03-2026 om 10:00 schreef Intrigue:\n> Your move",
    "French Thunderbird": "Le 02/03/2026 à 10:00, Intrigue a écrit :\n> Your move",
    "Russian Gmail": "пн, 2 мар. 2026 г. в 10:00, Intrigue <i@example.org>:\n\n> Ваш ход",
    "Russian Gmail, broken": "пн, 2 мар. 2026 г. в 10:00, Intrigue\n<i@example.org>:\n> Ваш ход",
    "Russian Apple": "2 мар. 2026 г., в 10:00, Intrigue <i@example.org> написал(а):\n> Ваш ход",
    "Russian Thunderbird": "02.03.2026 10:00, Intrigue пишет:\n> Ваш ход",
    "Mail.ru": "Понедельник, 2 марта 2026, 10:00 +03:00 от Intrigue <i@example.org>:\n>  Ваш ход",
    "Russian Outlook": "От: Intrigue <i@example.org>\nОтправлено: 2 марта 2026 г. 10:00\n"
    "Кому: Anna\nТема: Ваш ход\n\nвзятка писарю 4000",
    "none": "",
}


@pytest.mark.sample(14)
@pytest.mark.parametrize("quote", QUOTES.values(), ids=QUOTES)
@pytest.mark.parametrize("text", ["bribe clerk 4000", "Hello Boris!\n\nShall we meet at 10:00?"])
def test_what_is_quoted_is_left_out(text, quote):
    assert own_words(f"{text}\n\n{quote}\n") == text
    assert own_words(quote) == ""


SIGNATURES = (
    "-- \nAnna\nAcme Ltd.",
    "Best regards,\nAnna",
    "Viele Grüße\nAnna",
    "С уважением,\nАнна",
    "Sent from my iPhone",
    "Отправлено с iPhone",
)


@pytest.mark.parametrize("signature", SIGNATURES)
def test_a_signature_is_left_out(signature):
    assert own_words(f"Hello Boris!\n\n{signature}\n\n{QUOTES['Gmail']}") == "Hello Boris!"


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, but not for the clerk.",
        "Best regards,\nbut I won't bribe you.",
        "Warning: if you hire him, I'll mail you a horse's head.",
    ],
)
def test_words_that_only_begin_like_a_signature_are_kept(text):
    assert own_words(f"Hello Boris!\n\n{text}") == f"Hello Boris!\n\n{text}"


def test_a_list_is_no_signature():
    assert own_words("I'd say:\n- you bribe\n- I hire") == "I'd say:\n- you bribe\n- I hire"


def test_long_lines_are_kept_as_they_are():
    long = "Let me explain at length why. " * 20
    text = f"Hello!\n{long.strip()}\n\nBye\n{'x' * 900}"
    assert own_words(f"{text}\n\n{QUOTES['Gmail']}") == text


def test_lines_that_look_like_headers_are_kept_where_no_program_wrote_them():
    text = "Boris: 4000, @Clara\nClara: 6000\nAnna: nothing"
    assert own_words(text) == text


def message(text="bribe clerk 4000", subtype="plain", **headers):
    email = EmailMessage()
    for name, value in headers.items():
        email[name.replace("_", "-")] = value
    email.set_content(text, subtype=subtype)
    return parsing.parsed(email.as_bytes())


FORWARDS = (
    "FYI\n\n---------- Forwarded message ---------\nFrom: Intrigue\nDate: Mon\n\nbribe clerk 4000",
    "Begin forwarded message:\n\nFrom: Intrigue\nDate: Mon\n\nbribe clerk 4000",
    "-------- Weitergeleitete Nachricht --------\nVon: Intrigue\nDatum: Mo\n\nbribe clerk 4000",
    "-------- Пересылаемое сообщение --------\nОт: Intrigue\nДата: пн\n\nbribe clerk 4000",
    "-------- Пересланное сообщение --------\n\nbribe clerk 4000",
)


@pytest.mark.parametrize("text", FORWARDS)
def test_a_forwarded_email_is_known(text):
    assert letter(message(text)).is_forwarded
    assert not letter(message("We should forward a message.")).is_forwarded


@pytest.mark.parametrize("subject", ["Fwd: Your move", "FW: x", "WG: x", "fwd:x"])
def test_a_forwarded_email_is_known_by_its_subject(subject):
    assert letter(message(Subject=subject)).is_forwarded
    assert not letter(message(Subject=f"Re: {subject}")).is_forwarded


def test_the_text_of_html_is_read_where_there_is_no_other():
    html = (
        "<html><head><style>p { }</style><title>No</title></head><body>"
        "<p>bribe&nbsp;clerk <b>4000</b></p><div>Hello<br>Boris</div>"
        "<blockquote>bribe clerk 9000</blockquote></body></html>"
    )
    assert letter(message(html, "html")).text == "bribe clerk 4000\nHello\nBoris"
    kept = "<p>accept</p><p>Thanks!</p><p class=MsoNormal>A<p class=MsoNormal>B<pre>C\nD</pre>"
    assert letter(message(kept, "html")).text == "accept\n\nThanks!\nA\nB\nC\nD"


def test_what_is_attached_is_not_read():
    email = EmailMessage()
    email.set_content("accept")
    email.add_attachment("bribe clerk 4000", filename="note.txt")
    email.add_attachment(message("decline"))
    assert letter(parsing.parsed(email.as_bytes())).text == "accept"
    only = EmailMessage()
    only.add_attachment(b"x", maintype="image", subtype="png")
    assert letter(parsing.parsed(only.as_bytes())).text == ""


def test_text_in_an_unknown_encoding_is_read_as_well_as_it_can_be():
    raw = b'Content-Type: text/plain; charset="x-nothing"\n\naccept\n'
    assert letter(parsing.parsed(raw)).text == "accept"


def test_the_messages_that_are_replied_to_are_named():
    read = letter(message(In_Reply_To="<1@example.org> <2@example.org>"))
    assert read.in_reply_to == ["<1@example.org>", "<2@example.org>"]


HOSTILE = (
    "Am schrieb " + "schrieb " * 800, "Am x schrieb y\n" * 500, f"Am {'schrieb ' * 22}\n" * 40,
    f"On {'x wrote ' * 22}\n" * 40, f"From: {'x ' * 90}\n" * 40, f"{'Am schrieb ' * 18}:x\n" * 40,
    "On " * 2000, "12:00 " * 1000, "12:00 <a@" * 600, "From: " * 1000, "Am " * 1900, "\n" * 6000,
    " \n" * 3000, "_" * 6000, ">" * 6000, "CAUTION: mail " * 400, "-" * 6000, "<" * 6000,
    "-\n" * 3000,
)  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_is_read_to_its_end(text):
    """Patterns that go back and forth would take hours."""
    assert len(letter(message(text * 2)).text) <= parts.LONGEST


HEADERS = st.sampled_from(
    [
        b"From: anna@example.org", b"From: =?utf-8?q?=ff?= <a@b.c>", b"Subject: =?x?b?!?=", b"To: ",
        b"Content-Type: text/plain; charset=utf-16", b"Content-Type: text/html", b"\xff: \xfe",
        b"Content-Type: multipart/alternative; boundary=x", b"Content-Transfer-Encoding: base64",
        b"Content-Transfer-Encoding: quoted-printable", b"In-Reply-To: <\xff@x> <1@x>",
        b"Message-ID: <\x00>", b"Authentication-Results: mx.example.org; dmarc=pass",
        b"Authentication-Results: \xff", b"Content-Type: message/rfc822", b"Auto-Submitted: \xff",
        b"Content-Type: text/plain; charset=\xff", b"Precedence:",
        b"Content-Disposition: attachment", b"Date: \xff", b"Date: Mon, 2 Mar 2026 10:00:00 -0000",
    ]
)  # fmt: skip


@pytest.mark.full
@given(st.lists(HEADERS, max_size=6), st.binary(max_size=200))
def test_no_bytes_are_too_strange(headers, body):
    raw = b"\r\n".join([*headers, b"", body.replace(b"x", b"\r\n--x\r\n\r\n")])
    message = parsing.parsed(raw)
    reading.is_automatic(message, "a@b.c")
    reading.written_at(message)
    results_of(message)
    sender(message)
    assert reading.message_id(message).isascii()
    read = letter(message)
    assert read.text.encode().decode() == read.text
    assert "\x00" not in read.text
    assert all(one.isascii() for one in read.in_reply_to)
