"""Whom a text speaks to."""

import re
from collections.abc import Iterable

from games.models import User


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
