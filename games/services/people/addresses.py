"""To whom an email address belongs."""

from games.mailboxes import spelled, spellings
from games.models import User


def with_address(address: str) -> User | None:
    """The person with this email address, however its domain is spelled."""
    return User.objects.filter(email__in=spellings(address)).first()


def known_spelling(address: str) -> str:
    """The address as the account has it to which it belongs, or as a new one would.

    Dots and plus signs make another address, also where they lead to the same mailbox: people have
    two accounts on purpose, such as for a child, and nowhere do they sign in to another one so.
    """
    person = with_address(address)
    return person.email if person is not None else spelled(address)
