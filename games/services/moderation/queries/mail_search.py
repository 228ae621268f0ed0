"""How moderators find email: by Message-ID, address, domain, or by its person or table."""

import re
from typing import Any, Final

from django.db.models import Q, QuerySet

from games.mailboxes import spelled, spellings
from games.models import OutboxEmail, User
from games.services.moderation import search

DOMAIN: Final = re.compile(r"@?([\w-]+(?:\.[\w-]+)+)")
"""What may be the domain of addresses: "@example.org", or without the @."""

MESSAGE_ID: Final = re.compile(r"<?([^<>\s@]+@[^<>\s@]+)>?")


def found_emails(rows: QuerySet[Any], words: str, reader: User, most: int) -> QuerySet[Any]:
    """The newest of these emails that are meant, at most so many in each way."""
    # What has an @ is no name of a table.
    tables = () if "@" in words else ("game",)
    keys = search.keys_found_in(
        rows, words, reader, game_paths=tables, person_paths=("person",), most=most
    )
    if (text := MESSAGE_ID.fullmatch(words.strip())) is not None:
        keys |= _newest(rows, Q(message_id=f"<{text[1]}>"), most)
        keys |= _newest(rows, Q(person=None, address__in=spellings(text[1])), most)
        keys |= _newest(rows, Q(person__email__in=spellings(text[1])), most)
    elif (domain := domain_in(words)) is not None:
        people = search.newest_of_many(people_of_domain(domain), search.MOST_FOUND)
        keys |= _newest(rows, Q(person=None, address__endswith=f"@{domain}"), most)
        keys |= _newest(rows, Q(person__in=people), most)
    else:
        keys |= _newest(rows, Q(person=None, address__startswith=words.strip().lower()), most)
    return rows.filter(pk__in=keys)


def domain_in(words: str) -> str | None:
    """The domain that is meant by "@example.org" or "example.org", as the site writes it."""
    text = DOMAIN.fullmatch(words.strip().lower())
    return None if text is None else spelled(f"x@{text[1]}").partition("@")[2]


def people_of_domain(domain: str) -> QuerySet[User]:
    """The people whose addresses are of this domain."""
    return User.objects.filter(is_guest=False, email__endswith=f"@{domain}")


def email_with_id(words: str, rows: QuerySet[OutboxEmail]) -> OutboxEmail | None:
    """The first of the emails that left with this Message-ID."""
    text = MESSAGE_ID.fullmatch(words.strip())
    return None if text is None else rows.filter(message_id=f"<{text[1]}>").order_by("pk").first()


def _newest(rows: QuerySet[Any], which: Q, most: int) -> set[int]:
    return set(search.newest_keys(rows.filter(which), most))
