"""Email in response to an email: its kinds, and what their templates show."""

from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from games.features.inbound import inbox, unread
from games.features.inbound.unread import Why
from games.models import InboundEmail, OutboxEmail, Seat
from games.presentation.text.tables import time_text_lazy
from games.services.email.kind import EmailKind, always

TITLES: Final[Mapping[str, Promise]] = {
    "confirm": gettext_lazy("Please confirm"),
    "done": gettext_lazy("Done"),
    "status": gettext_lazy("How things stand"),
    "help": gettext_lazy("What you can write in a reply"),
    "refused": gettext_lazy("We couldn't process your email"),
}
"""What the subject says; nothing of what was written."""


def response_shown(email: OutboxEmail, _seat: Seat | None) -> dict[str, Any]:
    """The response to an email, as it is stored with it."""
    row = InboundEmail.objects.get(pk=email.about)
    lines = row.response["lines"]
    return {
        "title": TITLES[row.response["title"]],
        "lines": lines,
        "preheader": lines[0] if lines else "",
    }


REASONS: Final[Mapping[Why, Promise]] = {
    Why.SENDER: gettext_lazy(
        "The email wasn't sent from {address}. Please reply from this address: we don't read "
        "replies from any other."
    ),
    Why.NOT_VOUCHED: gettext_lazy(
        "We couldn't verify that the email was sent from {address}. Please use the table page "
        "instead, and ask your email provider whether it signs your email (DKIM)."
    ),
    Why.DATE: format_lazy(
        gettext_lazy(
            "The email has no date, or its date is more than {past} in the past or more than "
            "{ahead} in the future. Please check your device's clock, then write again."
        ),
        past=time_text_lazy(inbox.KEPT - inbox.MOST_AHEAD),
        ahead=time_text_lazy(inbox.MOST_AHEAD),
    ),
    Why.SEVERAL: gettext_lazy(
        "You replied to an older email about several private conversations, so it isn't clear "
        "which one you meant. Please send your message in the conversation itself:"
    ),
}


def not_read(email: OutboxEmail, _seat: Seat | None) -> dict[str, Any]:
    """The reason why a reply wasn't read, and the conversations that it may have been for."""
    why, person, game = unread.why(email), email.person, email.the_game
    if person is None:
        return {}
    reason = str(REASONS[why]).format(address=person.email)
    threads = unread.private_threads(game, person) if why is Why.SEVERAL else []
    place = f"{settings.SITE_URL}{game.get_absolute_url()}"
    conversations = [(one.names, f"{place}?talk={one.token}#chat") for one in threads]
    return {"reason": reason, "conversations": conversations, "preheader": reason}


def is_kept(email: OutboxEmail, _seat: Seat | None) -> bool:
    """The message is still there, and nobody else's."""
    return InboundEmail.objects.filter(pk=email.about, person=email.person).exists()


# Essential, since they respond to what somebody has just sent.
KINDS: Final = (
    EmailKind(
        key="understood",
        label=gettext_lazy("an answer to an email"),
        by_email_only=True,
        tells_who_talks=True,
        link_text=gettext_lazy("Open the table"),
        context=response_shown,
        is_relevant=is_kept,
    ),
    EmailKind(
        key="not_understood",
        label=gettext_lazy("a reply wasn't understood"),
        by_email_only=True,
        tells_who_talks=True,
        link_text=gettext_lazy("Open the table"),
        context=response_shown,
        is_relevant=is_kept,
    ),
    EmailKind(
        key="not_read",
        label=gettext_lazy("a reply wasn't read"),
        by_email_only=True,
        tells_who_talks=True,
        link_text=gettext_lazy("Open the table"),
        context=not_read,
        is_relevant=always,
    ),
)
