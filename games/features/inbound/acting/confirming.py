"""Which message a "confirm" is about, or a yes in other words."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.features.inbound import inbox, replied_to
from games.features.inbound.acting.written import LONGEST_QUOTE, Rest
from games.features.inbound.commands.words import shown
from games.models import InboundEmail
from games.services.refused import Refused


def meant_to_be_confirmed(
    row: InboundEmail, in_reply_to: Sequence[str], phase_no: int = 0
) -> InboundEmail:
    """What waits, and is meant: by the email that asked for it, or because nothing else waits."""
    waiting: list[InboundEmail] = list(inbox.waiting_for_confirmation(row).order_by("pk"))
    understood = awaiting_confirmation(row, in_reply_to)
    if understood is not None and understood not in waiting and waiting:
        raise Refused(
            _(
                "You've written something else since that email. If you want to confirm the "
                "newer message, please reply to our latest email."
            )
        )
    if understood is not None:
        waiting = [one for one in waiting if one == understood]
    still_valid = [one for one in waiting if one.phase_no == phase_no]
    if len(still_valid) > 1:
        raise Refused(
            _(
                "More than one thing is waiting for your confirmation, so we haven't done "
                "anything yet. Please reply to the email about the one you mean."
            )
        )
    if not waiting:
        raise Refused(_("There's nothing to confirm."))
    return (still_valid or waiting)[-1]


def awaiting_confirmation(row: InboundEmail, in_reply_to: Sequence[str]) -> InboundEmail | None:
    """The earlier email by the same person to which the "Please confirm" replied to responded."""
    responded_to = replied_to.message_responded_to(row, in_reply_to)
    if responded_to is None:
        return None
    found = InboundEmail.objects.filter(pk=responded_to).first()
    return found if found is not None and found.response.get("title") == "confirm" else None


def refuse_assent_to_something_else(row: InboundEmail, line: str) -> None:
    """Refuse a yes that confirms nothing while something waits; else it is a message."""
    if not inbox.waiting_for_confirmation(row).exists():
        return
    text = _(
        "We haven't done anything yet. “{line}” wasn't sent to anyone, because something is "
        "still waiting for your confirmation. Reply “{confirm}” to go ahead with that. To send "
        "“{line}” as a message, write “{say}: {line}”."
    )
    raise Refused(
        text.format(line=line[:LONGEST_QUOTE], confirm=shown("confirm"), say=shown("say"))
    )


def refuse_more_than_a_confirmation(rest: Rest, how: str) -> None:
    """Refuse a "confirm" below which something else was meant; `how` says how to confirm."""
    if not rest.is_meant:
        return
    text = _(
        "We haven't done anything yet: your email contains more than just the confirmation. {how}"
    )
    raise Refused(" ".join([text.format(how=how), *rest.lines]))
