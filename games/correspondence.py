"""What people write about by email that isn't a table, as features offer it and read it.

The feature whose topics they are knows nothing of the one that reads replies, nor the other way
round: `games.extensions.correspondences` leads from one to the other.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from django.utils.functional import Promise


class Topic(NamedTuple):
    """What one person may write about by email, other than a table: a thread with somebody."""

    number: int
    """That of its row."""

    seal: str
    """What no other topic has, nor had: its reply address is good for no other one."""

    person: Any
    """Who may write; None for somebody without an account."""

    address: str
    """Where they get email, which they have confirmed: what comes from elsewhere isn't read."""

    language: str

    name: Promise
    """What subjects call it; anybody may read that over a shoulder."""

    page: str
    """The address of the page where the same can be done."""


class Correspondence(Protocol):
    """What people write back and forth about topics of a feature, on pages and by email.

    The feature that reads replies proves who wrote one, cuts off what it quotes and has it
    confirmed. Who may write, how often and how much, is said by the service of the page.
    """

    key: str
    """How its topics are told from those of others: a word."""

    open_to: Collection[str]
    """The hindrances (`games/services/accounts/gate.py`) with which people may write anyway."""

    def topic_of(self, email: Any) -> Topic | None:
        """What an email is about, if its reader may reply to it."""

    def topic(self, number: int) -> Topic | None:
        """The topic with this number, as long as somebody may write about it."""

    def described(self, topic: Topic, text: str, now: datetime) -> list[str]:
        """What a text would do, in lines; `Refused` with the reason why it wouldn't."""

    def done(self, topic: Topic, text: str, token: UUID, now: datetime) -> list[str]:
        """Take a text, once for each token; what was done, in lines. `Refused` as on the page."""
