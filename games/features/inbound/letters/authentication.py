"""The sender of an email, as the mail server that received it has verified them.

It says so in `Authentication-Results` (RFC 8601), which it puts above all that was there before.
Anybody can write such a header: only the topmost one with our server's name counts.
"""

import re
from email.errors import NonASCIILocalPartDefect
from email.message import EmailMessage
from typing import Final

from authres import (  # type: ignore[import-untyped]
    AuthenticationResultsHeader,
    AuthResError,
)

from games.features.inbound import configured
from games.mailboxes import ascii_domain, mailbox
from games.models import User

LIKE_A_DOMAIN: Final = re.compile(r"[\w.-]+")
LONGEST_DOMAIN: Final = 255
ALLOWED: Final = NonASCIILocalPartDefect
"""What the library finds fault with in an address that RFC 6532 allows."""

NAME: Final = re.compile(r"\s*\"?([^\s;\"]+)")


def is_from(message: EmailMessage, address: str) -> bool:
    """Whether the mail server vouches that this comes from the mailbox with this address."""
    domain = sender(message).rpartition("@")[2]
    return may_be_from(message, address) and is_vouched_for(message, domain)


def may_be_from(message: EmailMessage, address: str) -> bool:
    """Whether it says that it comes from this mailbox, however that is spelled."""
    return mailbox(sender(message)) == mailbox(address)


def is_confirmed(person: User) -> bool:
    """Whether a person has confirmed their address."""
    addresses = person.emailaddress_set  # type: ignore[attr-defined]
    return bool(addresses.filter(email__iexact=person.email, verified=True).exists())


def sender(message: EmailMessage) -> str:
    """The address of a message that has exactly one sender, in lowercase; else "".

    Also of one that programs may read differently, such as `boris@… <anna@…>` without quotes.
    """
    found = message.get_all("From", [])
    is_sound = len(found) == 1 and all(isinstance(one, ALLOWED) for one in found[0].defects)
    addresses = list(found[0].addresses) if is_sound else []
    return str(addresses[0].addr_spec).lower() if len(addresses) == 1 else ""


def is_vouched_for(message: EmailMessage, domain: str) -> bool:
    """Whether DMARC passed for this domain; where it says nothing, whether SPF or DKIM did."""
    results, domain = results_of(message), ascii_domain(domain)
    if results is None:
        return False
    dmarc = [one for one in results if one[0] == "dmarc" and one[1] != "none"]
    if dmarc:
        return all(
            result == "pass" and ascii_domain(known.get("header.from", "")) == domain
            for _method, result, known in dmarc
        )
    return any(
        result == "pass" and _is_aligned(domain, _domain_of(method, known))
        for method, result, known in results
    )


type Result = tuple[str, str, dict[str, str]]


def results_of(message: EmailMessage) -> list[Result] | None:
    """What our mail server has verified: methods, results and what they are about.

    None if it says nothing that can be read.
    """
    line = topmost(message)
    return None if line is None else _parsed(line)


def topmost(message: EmailMessage) -> str | None:
    """The topmost `Authentication-Results` with the name of our mail server; None without any."""
    for name, value in message.raw_items():
        if name.lower() != "authentication-results":
            continue
        line = re.sub(r"\r?\n(?=[ \t])", "", str(value))
        by = NAME.match(line)
        if by is not None and by[1].lower() == configured.mail_server():
            return line
    return None


def _parsed(line: str) -> list[Result] | None:
    try:
        header = AuthenticationResultsHeader.parse_value(_in_ascii(line))
    except (AuthResError, ValueError):
        return None
    return [
        (
            one.method,
            one.result,
            {f"{field.type}.{field.name}": field.value or "" for field in one.properties},
        )
        for one in header.results
        if hasattr(one, "method")
    ]


def _in_ascii(line: str) -> str:
    """With domains as DNS knows them: in an email in UTF-8, they stand in their own letters."""
    return LIKE_A_DOMAIN.sub(_word_in_ascii, line).encode("ascii", "replace").decode()


def _word_in_ascii(found: re.Match[str]) -> str:
    word = found[0]
    return word if word.isascii() or len(word) > LONGEST_DOMAIN else ascii_domain(word)


def _domain_of(method: str, known: dict[str, str]) -> str:
    """The domain for which SPF or DKIM passed; "" for other methods."""
    if method == "dkim":
        found = known.get("header.d") or known.get("header.i", "").rpartition("@")[2]
    elif method == "spf":
        found = known.get("smtp.mailfrom", "").rpartition("@")[2]
    else:
        return ""
    return ascii_domain(found)


def _is_aligned(domain: str, passed: str) -> bool:
    """Whether what passed speaks for the domain: it is that domain or one above it."""
    return "." in passed and f".{domain}".endswith(f".{passed}")
