"""What an action is done to, as its page shows it, and who does it."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.http import HttpRequest

from games.models import User

type Shared = Callable[[HttpRequest], dict[str, Any]]
"""Gives what all pages of the admin need."""


class Subject(NamedTuple):
    """A game, a person, a report, a message, two people, or the site.

    `row` is what the form gets, `state` what `why_not` looks at. The rest is for the page: the
    name and the address, the list it is in, and what to know before acting.
    """

    row: Any
    state: Any
    name: str
    link: str
    list_name: str
    list_link: str
    facts: list[str]


def signed_in_moderator(request: HttpRequest) -> User:
    """The reader of a page of the admin."""
    if not isinstance(request.user, User):
        raise TypeError("This page is for moderators.")
    return request.user
