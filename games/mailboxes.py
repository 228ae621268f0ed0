"""When two spellings of an address are the same mailbox. Pure."""

from contextlib import suppress
from typing import Final

import idna

GMAIL: Final = frozenset({"gmail.com", "googlemail.com"})
"""Two names of one service, which ignores dots and all behind a plus sign."""


def spelled(address: str) -> str:
    """The address as the site writes it: in small letters, its domain in ASCII (IDNA 2008).

    An address without a domain, or with one that is none, only loses its capitals.
    """
    local, at, domain = address.strip().lower().rpartition("@")
    if not at:
        return domain
    return f"{local}@{ascii_domain(domain)}"


def spellings(address: str) -> set[str]:
    """The address in every way in which its domain can be spelled."""
    local, _at, domain = spelled(address).rpartition("@")
    domains = {domain, *(GMAIL if domain in GMAIL else ())}
    if "xn--" in domain:
        with suppress(idna.IDNAError):
            domains.add(idna.decode(domain))
    return {f"{local}@{one}" for one in domains}


def mailbox(address: str) -> str:
    """The same for all spellings that surely lead to one mailbox.

    What stands behind a plus sign counts, except where the service is known to ignore it: with
    others, it may belong to somebody else.
    """
    local, _at, domain = spelled(address).rpartition("@")
    if domain in GMAIL:
        return f"{local.partition('+')[0].replace('.', '')}@gmail.com"
    return f"{local}@{domain}"


def owner(address: str) -> str:
    """The same for all addresses that one person most probably reads, also with plus signs."""
    local, _at, domain = mailbox(address).rpartition("@")
    return f"{local.partition('+')[0] or local}@{domain}"


def ascii_domain(domain: str) -> str:
    """A domain in small letters and in ASCII, as mail servers write it (IDNA 2008)."""
    domain = domain.lower().rstrip(".")
    if domain.isascii():
        return domain
    try:
        return idna.encode(domain, uts46=True).decode("ascii")
    except idna.IDNAError:
        return domain
