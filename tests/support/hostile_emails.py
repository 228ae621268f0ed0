"""Emails that cost their reader as much as possible: of each shape one of about `n` bytes."""

from collections.abc import Callable
from email.utils import format_datetime

from django.utils import timezone

MULTIPART = "Content-Type: multipart/mixed; boundary=b\r\n\r\n"


def folded(header: str) -> str:
    """In lines as long as a mail server takes them; words stay whole where it can be."""
    lines = [header[at : at + 900] for at in range(0, len(header), 900)]
    return "\r\n ".join(lines) + "\r\n"


def lined(body: str) -> str:
    return "\r\n".join(body[at : at + 900] for at in range(0, len(body), 900))


def header(name: str, unit: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """A header in which something comes again and again."""
    return lambda n: folded(f"{name}: {before}{unit * (n // len(unit))}{after}") + "\r\nhello\r\n"


def numbered(name: str, pattern: str, before: str = "") -> Callable[[int], str]:
    def made(n: int) -> str:
        values = "".join(pattern.format(number) for number in range(n // (len(pattern) + 3)))
        return folded(f"{name}: {before}{values}") + "\r\nhello\r\n"

    return made


def nested(n: int) -> str:
    parts = [
        f"--b{number - 1}\r\nContent-Type: multipart/mixed; boundary=b{number}\r\n\r\n"
        for number in range(1, n // 70)
    ]
    return "Content-Type: multipart/mixed; boundary=b0\r\n\r\n" + "".join(parts)


def nested_and_long(depth: int) -> Callable[[int], str]:
    return lambda n: nested(70 * depth) + "x\r\n" * (n // 3)


def body(kind: str, unit: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """A text in which something comes again and again."""
    return lambda n: (
        f"Content-Type: {kind}\r\n\r\n" + lined(before + unit * (n // len(unit)) + after)
    )


def report(inner: Callable[[int], str]) -> Callable[[int], str]:
    """A bounce whose machine-readable part is this."""
    return lambda n: (
        "Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n"
        f"Content-Type: message/delivery-status\r\n\r\n{inner(n)}\r\n--b--\r\n"
    )


HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"

SHAPES: dict[str, Callable[[int], str]] = {
    "from: quotes": header("From", '"'),
    "from: dots": header("From", "."),
    "from: words": header("From", "a "),
    "from: commas": header("From", "a@b.c,"),
    "from: open comments": header("From", "("),
    "from: nested comments": lambda n: (
        folded(f"From: {'(' * (n // 2)}{')' * (n // 2)}") + "\r\nhello\r\n"
    ),
    "from: angles": header("From", "<"),
    "from: ats": header("From", "a@"),
    "from: groups": header("From", "a:"),
    "from: ends of groups": header("From", "a:;,"),
    "from: encoded words": header("From", "=?utf-8?q?a?= "),
    "from: backslashes": header("From", "\\", '"'),
    "from: many": lambda n: "From: anna@example.org\r\n" * (n // 24) + "\r\nhello\r\n",
    "message-id: open": header("Message-ID", "<"),
    "message-id: dots": header("Message-ID", "a.", "<"),
    "message-id: quoted": header("Message-ID", '"a"', "<", "@b>"),
    "message-id: comments": header("Message-ID", "(", "<"),
    "content-type: semicolons": header("Content-Type", ";", "text/plain"),
    "content-type: comments": header("Content-Type", "(", "text/plain "),
    "content-type: parameters": numbered("Content-Type", "; a{}=b", "text/plain"),
    "content-type: pieces": numbered("Content-Type", "; a*{}=b", "text/plain"),
    "content-type: percent": header("Content-Type", "%41", "text/plain; a*0*=utf-8''"),
    "content-type: quotes": header("Content-Type", '"', "text/plain; a="),
    "content-type: report": header("Content-Type", ";", "multipart/report"),
    "content-disposition: pieces": numbered(
        "Content-Disposition", "; filename*{}=b", "attachment"
    ),
    "content-transfer-encoding: comments": header("Content-Transfer-Encoding", "(", "base64"),
    "date: words": header("Date", "1 "),
    "date: comments": header("Date", "("),
    "subject: encoded words": header("Subject", "=?utf-8?q?a?= "),
    "subject: openings": header("Subject", "=?"),
    "subject: words": header("Subject", "a "),
    "subject: punycode": header("Subject", "a", "=?punycode?q?", "?="),
    "to: commas": header("To", "a@b.c,"),
    "in-reply-to: openings": header("In-Reply-To", "<"),
    "references: ids": header("References", "<a@b> "),
    "mime-version: comments": header("MIME-Version", "("),
    "auto-submitted: comments": header("Auto-Submitted", "("),
    "list-id: quotes": header("List-Id", '"'),
    "results: comments": header("Authentication-Results", "(", "mx.example.org; "),
    "results: methods": header("Authentication-Results", "; a=b c.d=e", "mx.example.org"),
    "results: quotes": header("Authentication-Results", '"', "mx.example.org; dmarc=pass reason="),
    "results: backslashes": header("Authentication-Results", "\\", "mx.example.org; (\\"),
    "results: many": lambda n: (
        "Authentication-Results: mx.example.net; a=b\r\n" * (n // 42) + "\r\n"
    ),
    "headers: many": lambda n: "".join(f"X-A{i}: b\r\n" for i in range(n // 11)) + "\r\nhello\r\n",
    "headers: folds": lambda n: f"X-A: {'\r\n a' * (n // 4)}\r\n\r\nhello\r\n",
    "headers: no colon": lambda n: "a\r\n" * (n // 3),
    "headers: nothing else": lambda n: folded("X-A: " + "a" * n),
    "parts: nested": nested,
    "parts: 50 deep, long": nested_and_long(50),
    "parts: 900 deep, long": nested_and_long(900),
    "parts: messages in messages": lambda n: "Content-Type: message/rfc822\r\n\r\n" * (n // 32),
    "parts: wide": lambda n: MULTIPART + "--b\r\n\r\n" * (n // 7),
    "parts: wide, with types": lambda n: (
        MULTIPART + "--b\r\nContent-Type: text/plain;;;;\r\n\r\n" * (n // 36)
    ),
    "parts: no end": lambda n: MULTIPART + "--b" * (n // 3),
    "parts: a long boundary": lambda n: (
        f"Content-Type: multipart/mixed; boundary={'b' * 700}\r\n\r\n"
        + f"--{'b' * 699}\r\n" * (n // 703)
    ),
    "parts: related": lambda n: (
        "Content-Type: multipart/related; boundary=b; start=a\r\n\r\n"
        + "--b\r\nContent-ID: c\r\n\r\n" * (n // 20)
    ),
    "charset: punycode": body("text/plain; charset=punycode", "a", "a-"),
    "charset: punycode, all": body("text/plain; charset=punycode", "b"),
    "charset: idna": body("text/plain; charset=idna", "xn--a."),
    "charset: utf-7": body("text/plain; charset=utf-7", "+AGE-"),
    "charset: zlib": body("text/plain; charset=zlib", "a"),
    "charset: hex": body("text/plain; charset=hex", "ff"),
    "charset: unicode_escape": body("text/plain; charset=unicode_escape", "\\x41"),
    "charset: undefined": body("text/plain; charset=undefined", "a"),
    "charset: pieces": body("text/plain; charset*0=utf-8; charset*1=x", "a"),
    "charset: with a language": body("text/plain; charset*=us-ascii'en'utf%00-8", "a"),
    "encoding: base64": lambda n: (
        "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + lined("YQ=" * (n // 3))
    ),
    "encoding: quoted-printable": lambda n: (
        "Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
        + lined("=\t" * (n // 2))
    ),
    "encoding: uuencode": lambda n: (
        "Content-Type: text/plain\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\nbegin 666 a\r\n"
         "M" + lined("`" * n)
    ),
    "html: tags": body(HTML, "<a "),
    "html: ends": body(HTML, "</"),
    "html: comments": body(HTML, "<!-- "),
    "html: cdata": body(HTML, "<![CDATA["),
    "html: declarations": body(HTML, "<!a"),
    "html: instructions": body(HTML, "<?"),
    "html: quotes": body(HTML, "<a '"),
    "html: quoted ends": body(HTML, "<a b='>' "),
    "html: all but closed": body(HTML, "<a <b ", after=">"),
    "html: reopened": lambda n: body(HTML, "<p>x", "<p>" + "<b a=1><i a=2><u a=3>" * (n // 60))(n),
    "html: closed by others": body(HTML, "<b>", after="</i>" * 5000),
    "html: attributes": body(HTML, "b=c ", "<a "),
    "html: names": body(HTML, "a ", "<a "),
    "html: script": body(HTML, "</script ", "<script>"),
    "html: style": body(HTML, '</style x="', "<style>"),
    "html: entities": body(HTML, "&#"),
    "html: blockquotes": body(HTML, "<blockquote>"),
    "html: heads and titles": lambda n: body(HTML, "<head>")(n // 2) + "</title>" * (n // 16),
    "text: empty lines": body(TEXT, "\r\n"),
    "text: spaces": body(TEXT, " \r\n"),
    "text: from": body(TEXT, "From: a\r\n"),
    "text: wrote": body(TEXT, "On Mon, 2 Mar 2026 at 10:00, a <a@b> wrote\r\n"),
    "text: angles": body(TEXT, "> > > "),
    "text: signatures": body(TEXT, "-- \r\n"),
    "text: unassigned": body(TEXT, "\ue000"),
    "text: commands": body(TEXT, "bribe doctor 1000\r\n"),
    "text: an offer": body(TEXT, "if ", "offer green: "),
    "text: NUL": body(TEXT, "\0"),
    "report: recipients": report(lambda n: "Final-Recipient: a\r\n\r\n" * (n // 22)),
    "report: recipients, nameless": report(lambda n: "Action: failed\r\n\r\n" * (n // 18)),
    "report: comments": report(header("Final-Recipient", "(", "rfc822; ")),
    "report: a diagnosis": report(
        lambda n: (
            "Final-Recipient: rfc822; a\x00@b\r\nAction: failed\r\n"
            + folded("Diagnostic-Code: smtp; 550 " + "a " * (n // 2))
        )
    ),
    "report: ids": lambda n: (
        "Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n"
        "Content-Type: text/rfc822-headers\r\n\r\n"
        + lined("message-id: <" * (n // 13)) + "\r\n--b--\r\n"
    ),
    "report: spaces": lambda n: (
        "Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n"
        "Content-Type: text/rfc822-headers\r\n\r\nmessage-id:" + "\r\n" * (n // 2) + "--b--\r\n"
    ),
    "report: a dotted id": lambda n: (
        "Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n"
        "Content-Type: message/rfc822\r\n\r\n"
        + folded("Message-ID: <" + "a." * (n // 2)) + "\r\n--b--\r\n"
    ),
}  # fmt: skip


def hostile(shape: str, n: int, above: str = "") -> bytes:
    """An email of this shape. `above` stands before all else, as what our mail server adds."""
    made = SHAPES[shape](n)
    own = [] if made.lower().startswith("from:") else ["From: anna@example.org\r\n"]
    common = f"To: x@example.org\r\nDate: {format_datetime(timezone.now())}\r\n"
    return "".join([above, *own, common, made]).encode()[:n]
