"""Addresses that a mail server has refused for good, or whose owner has complained: no more email
is sent there.
"""

from datetime import datetime
from typing import Final

from games import extensions
from games.mailboxes import spellings
from games.models import OutboxEmail, User
from games.services.email.switches import EmailChoice, email_choice
from games.services.lobby import email_invitees
from games.services.people.addresses import with_address

TURN_SWITCH: Final = "your_turn"
"""The key of the switch for email about the reader's turn."""


def record_refused(person: User, why: str, now: datetime) -> None:
    """Send no more email to the address that the person has now."""
    User.objects.filter(pk=person.pk, email=person.email).update(
        refused_email=person.email,
        refused_email_at=now,
        refused_email_why=in_one_line(why),
    )


def in_one_line(why: str) -> str:
    """The reply of a mail server as it is stored with a person."""
    return " ".join(why.split())[:200]


def record_bounce(address: str, why: str, now: datetime) -> bool:
    """Do the same for the person with this address, or an invitation there without an account.

    Returns whether there is any.
    """
    person = with_address(address)
    if person is not None:
        record_refused(person, why, now)
        return True
    is_invited = OutboxEmail.objects.filter(address__in=spellings(address)).exists()
    if is_invited:
        email_invitees.stop(address, now)
    return is_invited


def gets_email(person: User, *switches: str) -> bool:
    """Whether email of all these switches comes to this person, now or in the digest."""
    choices = {email_choice(person, key) for key in switches}
    return EmailChoice.NEVER not in choices and not person.is_unreachable


def gets_nothing_about_turns(person: User) -> bool:
    """Whether neither email nor a channel notifies this person that it is their turn."""
    if gets_email(person, TURN_SWITCH):
        return False
    return not any(
        TURN_SWITCH not in channel.unwanted(person) and channel.reaches(person)
        for channel in extensions.channels()
    )
