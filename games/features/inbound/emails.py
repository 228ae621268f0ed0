"""Email in response to an email: its kinds, and what their templates show."""

from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.features.inbound import inbox, unread
from games.features.inbound.matters import Matter, matter_of_row
from games.features.inbound.unread import Why
from games.mailboxes import mailbox
from games.models import InboundEmail, OutboxEmail, Seat
from games.presentation.text.tables import time_text_lazy
from games.services.email.kind import EmailKind

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
        **_about(matter_of_row(row)),
    }


def _about(matter: Matter | None) -> dict[str, Any]:
    """What templates get that show something about no game; nothing for anything else."""
    if matter is None:
        return {}
    account = matter.topic.person
    why = _("You're getting this email because you've written to us from this address.")
    return {
        "about": matter.topic.name,
        "link": f"{settings.SITE_URL}{matter.topic.page}",
        "link_text": _("Open the conversation"),
        "why": why if account is None else "",
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


NOT_VOUCHED_ON_PAGE: Final = gettext_lazy(
    "We couldn't verify that the email was sent from {address}. Please use the "
    "conversation's page instead, and ask your email provider whether it signs your email (DKIM)."
)


def not_read(email: OutboxEmail, _seat: Seat | None) -> dict[str, Any]:
    """The reason why a reply wasn't read, and the conversations that it may have been for."""
    if email.game_id is None:
        return _not_read_about(email)
    return _not_read_at_table(email)


def _not_read_about(email: OutboxEmail) -> dict[str, Any]:
    row = _row_of(email)
    why, matter = unread.why(email), None if row is None else matter_of_row(row)
    address = "" if matter is None else matter.topic.address
    reasons = {**REASONS, Why.NOT_VOUCHED: NOT_VOUCHED_ON_PAGE}
    reason = str(reasons[why]).format(address=address)
    return {"reason": reason, "preheader": reason, **_about(matter)}


def _not_read_at_table(email: OutboxEmail) -> dict[str, Any]:
    why, person, game = unread.why(email), email.person, email.the_game
    if person is None:
        return {}
    reason = str(REASONS[why]).format(address=person.email)
    threads = unread.private_threads(game, person) if why is Why.SEVERAL else []
    place = f"{settings.SITE_URL}{game.get_absolute_url()}"
    conversations = [(one.names, f"{place}?talk={one.token}#chat") for one in threads]
    return {"reason": reason, "conversations": conversations, "preheader": reason}


def _row_of(email: OutboxEmail) -> InboundEmail | None:
    return InboundEmail.objects.select_related("person").filter(pk=email.about).first()


def is_kept(email: OutboxEmail, _seat: Seat | None) -> bool:
    """The message is still there, and nobody else's, and so is what it was about."""
    row = _row_of(email)
    if row is None:
        return False
    if not row.topic:
        return row.person == email.person and not _is_banned(email)
    return matter_of_row(row) is not None and _goes_to_writer(email, row)


def _goes_to_writer(email: OutboxEmail, row: InboundEmail) -> bool:
    """Whether it goes to who wrote; one to an address, to who has an account there by now."""
    if row.person_id is not None:
        return row.person_id == email.person_id
    address = email.address if email.person is None else email.person.email
    return mailbox(address) == mailbox(row.address)


def _is_banned(email: OutboxEmail) -> bool:
    return email.person is not None and not email.person.is_active


def still_applies(email: OutboxEmail, seat: Seat | None) -> bool:
    """It was somebody's reply at a table, or what it was about is still there."""
    return not _is_banned(email) if email.game_id is not None else is_kept(email, seat)


def language_of(email: OutboxEmail) -> str:
    """The language in which somebody without an account writes."""
    row = _row_of(email) if email.game_id is None else None
    matter = None if row is None else matter_of_row(row)
    return "" if matter is None else matter.topic.language


# Essential, since they respond to what somebody has just sent. Banned people get them only at an
# address from which they write without their account.
KINDS: Final = (
    EmailKind(
        key="understood",
        label=gettext_lazy("an answer to an email"),
        by_email_only=True,
        to_banned_people=True,
        tells_who_talks=True,
        link_text=gettext_lazy("Open the table"),
        context=response_shown,
        is_relevant=is_kept,
        language=language_of,
    ),
    EmailKind(
        key="not_understood",
        label=gettext_lazy("a reply wasn't understood"),
        by_email_only=True,
        to_banned_people=True,
        tells_who_talks=True,
        link_text=gettext_lazy("Open the table"),
        context=response_shown,
        is_relevant=is_kept,
        language=language_of,
    ),
    EmailKind(
        key="not_read",
        label=gettext_lazy("a reply wasn't read"),
        by_email_only=True,
        to_banned_people=True,
        tells_who_talks=True,
        link_text=gettext_lazy("Open the table"),
        context=not_read,
        is_relevant=still_applies,
        language=language_of,
    ),
)
