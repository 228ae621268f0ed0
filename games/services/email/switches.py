"""The switches with which people turn kinds of email off, or have them in the digest."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from games.models import User


@dataclass(frozen=True, kw_only=True)
class AllGamesLink:
    """A link that turns a switch off, offered in each of its emails."""

    name: str
    """Its name in signed links, also those in old email: it never changes."""

    label: Promise
    subscribed: Promise
    """The text of its page while the switch is on."""

    unsubscribed: Promise
    """The text of its page once the switch is off."""


@dataclass(frozen=True, kw_only=True)
class Switch:
    """A checkbox in the profile, for one kind of email or several."""

    key: str
    """Its key in `User.unwanted_emails` while it is off."""

    when: Promise
    """Completes "Notify me when…"."""

    all_games_link: AllGamesLink | None = None
    this_game_link: bool = True
    """Whether its emails also offer to stop all email about their game."""


class EmailChoice(StrEnum):
    """When somebody gets the email of a switch."""

    NOW = "now"
    DIGEST = "digest"
    NEVER = "never"


def email_choice(person: User, key: str) -> EmailChoice:
    """When the person gets the email of the switch with this key."""
    if key in person.unwanted_emails:
        return EmailChoice.NEVER
    return EmailChoice.DIGEST if key in person.digest_emails else EmailChoice.NOW


REMINDERS: Final = Switch(
    key="reminder",
    when=gettext_lazy("my time to move is running out"),
    all_games_link=AllGamesLink(
        name="reminders",
        label=gettext_lazy("Stop reminders for all games"),
        subscribed=gettext_lazy("You get email reminders for all your games."),
        unsubscribed=gettext_lazy("You won't get email reminders for any of your games."),
    ),
)

INVITATIONS: Final = Switch(
    key="invitation",
    when=gettext_lazy("someone invites me to a table"),
    all_games_link=AllGamesLink(
        name="invitations",
        label=gettext_lazy("Stop emails about invitations"),
        subscribed=gettext_lazy("You get emails when someone invites you to a table."),
        unsubscribed=gettext_lazy("You won't get any more emails about invitations."),
    ),
    this_game_link=False,
)

SUBSTITUTES: Final = Switch(
    key="substitute_wanted",
    when=gettext_lazy("a seat needs a substitute"),
    all_games_link=AllGamesLink(
        name="substitutes",
        label=gettext_lazy("Stop emails about seats that need a substitute"),
        subscribed=gettext_lazy("You get emails about seats that need a substitute."),
        unsubscribed=gettext_lazy(
            "You won't get any more emails about seats that need a substitute."
        ),
    ),
    this_game_link=False,
)

TABLE_NEWS: Final = Switch(
    key="table_news",
    when=gettext_lazy("something changes at a table, such as a deadline"),
)
