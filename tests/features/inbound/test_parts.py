"""Which parts of a message are read, and in which charset."""

import pytest

from games.features.inbound.letters import parsing, reading

FOOTER = "This email is confidential. Acme Ltd."


def part(content, kind="text/plain", headers=""):
    return f"Content-Type: {kind}; charset=utf-8\n{headers}\n{content}"


def multipart(subtype, *parts, parameters=""):
    inner = "".join(f"\n--{subtype}\n{one}" for one in parts)
    kind = f'Content-Type: multipart/{subtype}; boundary="{subtype}"{parameters}'
    return f"{kind}\n{inner}\n--{subtype}--\n"


def words(raw):
    content = raw if isinstance(raw, bytes) else raw.encode()
    return reading.letter(parsing.parsed(content)).text


IMAGE = "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\nAAAA"
MOVE = part("<p>bribe clerk 4000</p>", "text/html")

READ = {
    "an empty text": (multipart("alternative", part(""), MOVE), "bribe clerk 4000"),
    "a text of empty lines": (multipart("alternative", part(" \n\n"), MOVE), "bribe clerk 4000"),
    "only a footer as text": (multipart("alternative", part(FOOTER), MOVE), "bribe clerk 4000"),
    "a footer in both": (
        multipart(
            "alternative",
            part(FOOTER),
            part(f"<p>bribe clerk 4000</p><p>{FOOTER}</p>", "text/html"),
        ),
        f"bribe clerk 4000\n\n{FOOTER}",
    ),
    "the same in both": (
        multipart("alternative", part("Hello\n\nBoris"), part("<b>Hello</b> Boris", "text/html")),
        "Hello\n\nBoris",
    ),
    "pictures": (
        multipart("related", multipart("alternative", part(""), MOVE), IMAGE), "bribe clerk 4000"
    ),
    "pictures named": (
        multipart(
            "related", IMAGE, part("<p>accept</p>", "text/html", "Content-ID: <a@b>\n"),
            parameters='; start="<a@b>"',
        ),
        "accept",
    ),
    "several texts": (
        multipart("mixed", part("bribe clerk 4000"), IMAGE, part("I think.")),
        "bribe clerk 4000\n\nI think.",
    ),
    "a text, then HTML": (multipart("mixed", part("Hello"), MOVE), "Hello\n\nbribe clerk 4000"),
    "a text that HTML repeats": (
        multipart("mixed", part("bribe clerk 4000"), MOVE), "bribe clerk 4000"
    ),
    "a gateway's footer": (
        multipart("mixed", multipart("alternative", part(""), MOVE), part(FOOTER)),
        f"bribe clerk 4000\n\n{FOOTER}",
    ),
    "an attached text": (
        multipart(
            "mixed", part("accept"), part("decline", headers="Content-Disposition: attachment\n"),
            part("decline", headers='Content-Disposition: inline; filename="a.txt"\n'),
        ),
        "accept",
    ),
    "a forwarded message": (
        multipart("mixed", part("accept"), "Content-Type: message/rfc822\n\nSubject: x\n\ndecline"),
        "accept",
    ),
    "a signature": (
        multipart("signed", part("accept"), "Content-Type: application/pgp-signature\n\nXYZ"),
        "accept",
    ),
    "a signature as text": (
        part(
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- accept\n"
            "-----BEGIN PGP SIGNATURE-----\n\nXYZ\n-----END PGP SIGNATURE-----"
        ),
        "accept",
    ),
    "lines that a program has broken": (
        part("Let us talk \nabout it.\nNow.\n-- \nAnna", "text/plain; format=flowed"),
        "Let us talk about it.\nNow.",
    ),
    "lines and words that a program has broken": (
        part("bribe cle \nrk 4000", "text/plain; format=flowed; delsp=yes"), "bribe clerk 4000"
    ),
    "a line above what HTML quotes": (
        part("<p>accept</p><hr><p>From: Intrigue</p><p>decline</p>", "text/html"), "accept"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "text"), READ.values(), ids=READ)
def test_all_parts_with_words_are_read_in_order(raw, text):
    assert words(raw) == text


CHARSETS = {
    "undeclared": (b"Content-Type: text/plain\n\n" + "Schöne Grüße".encode(), "Schöne Grüße"),
    "no type at all": (b"Subject: x\n\n" + "Привет".encode(), "Привет"),
    "ASCII, it says": (b"Content-Type: text/plain; charset=us-ascii\n\nSch\xf6n", "Schön"),
    "Latin 1, it says": (b"Content-Type: text/plain; charset=iso-8859-1\n\n\x80\x93x\x94", "€“x”"),
    "Latin 1, but UTF-8": (
        b"Content-Type: text/plain; charset=ISO-8859-1\n\n" + "Zoë".encode(), "Zoë"
    ),
    "UTF-8, but Latin 1": (b"Content-Type: text/plain; charset=utf-8\n\nZo\xeb", "Zoë"),
    "with a mark of its order": (b"Content-Type: text/plain\n\n\xef\xbb\xbfaccept", "accept"),
    "HTML says so itself": (
        b'Content-Type: text/html\n\n<meta charset="windows-1251"><p>' + "да".encode("cp1251"), "да"
    ),
    "Cyrillic": (b"Content-Type: text/plain; charset=koi8-r\n\n" + "да".encode("koi8-r"), "да"),
    "more than it says": (
        b"Content-Type: text/plain; charset=gb2312\n\n" + "李镕".encode("gb18030"), "李镕"
    ),
    "no charset": (b"Content-Type: text/plain; charset=punycode\n\naccept", "accept"),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "text"), CHARSETS.values(), ids=CHARSETS)
def test_a_charset_that_is_missing_or_wrong_is_guessed(raw, text):
    assert words(raw) == text


ENCRYPTED = {
    "PGP": multipart("encrypted", "Content-Type: application/pgp-encrypted\n\nVersion: 1"),
    "PGP as text": part("-----BEGIN PGP MESSAGE-----\n\nXYZ\n-----END PGP MESSAGE-----"),
    "S/MIME": "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nXYZ",
}


@pytest.mark.parametrize("raw", ENCRYPTED.values(), ids=ENCRYPTED)
def test_what_is_encrypted_is_known(raw):
    assert reading.letter(parsing.parsed(raw.encode())).is_encrypted
    assert not reading.letter(parsing.parsed(part("My key is secret").encode())).is_encrypted
