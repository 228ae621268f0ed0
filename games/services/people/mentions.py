"""Whom a text speaks to."""

import re
from collections.abc import Iterable
from typing import Final

from django.db.models import QuerySet

from games.models import Message, User

MOST_SEARCHED: Final = 100
"""In how many messages it is looked whether they speak to somebody, the latest first."""


def mentioned(text: str, people: Iterable[User]) -> set[User]:
    """Those of the people who are spoken to: "@Anna" or "@Anna Maria", in any letter case.

    The longest name counts: "@Anna Maria" does not speak to Anna.
    """
    longest_first = sorted(people, key=lambda person: -len(person.name))
    if not longest_first:
        return set()
    names = "|".join(f"({re.escape(person.name)})" for person in longest_first)
    found = re.finditer(rf"(?<!\w)@(?:{names})(?!\w)", text, re.IGNORECASE)
    return {longest_first[match.lastindex - 1] for match in found if match.lastindex}


def speak_to(said: QuerySet[Message], user: User, people: Iterable[User]) -> bool:
    """Whether one of these messages speaks to somebody by name; `people` sit at the table."""
    named = said.filter(text__icontains=f"@{user.name}").order_by("-pk")
    texts = list(named.values_list("text", flat=True)[:MOST_SEARCHED])
    here = list(people) if texts else []
    return any(user in mentioned(text, here) for text in texts)
