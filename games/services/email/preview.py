"""An email written anew, as somebody without a seat would read it: for moderators.

Its text is never stored. Nothing that only its reader may know is in it, and no link that is a way
in: kinds that hold such a thing aren't shown (`EmailKind.as_spectators_read`).
"""

import copy
import logging
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.models import OutboxEmail
from games.services.email.compose import context_of
from games.services.email.kinds import KIND_BY_KEY
from games.services.email.two_parts import subject_and_text
from games.services.game.failures import NO_FAULT_OF_A_GAME

logger = logging.getLogger(__name__)


class Preview(NamedTuple):
    """Subject and text; or `why_not`, a sentence."""

    subject: str
    text: str
    why_not: str = ""


def preview_of(email: OutboxEmail) -> Preview:
    """What the email would say now to somebody without a seat, in the language of the page."""
    kind = KIND_BY_KEY.get(email.kind)
    if kind is None or not kind.as_spectators_read:
        return Preview(
            "", "", _("The content of emails of this kind isn't shown because it may be private.")
        )
    as_spectator = copy.copy(email)
    as_spectator.person, as_spectator.address = None, ""
    try:
        context = {**context_of(as_spectator, None), "layout": "email/part"}
        return Preview(*subject_and_text(f"email/{email.kind}.txt", context))
    except NO_FAULT_OF_A_GAME:
        raise
    except Exception as mistake:
        logger.exception("Email %s cannot be previewed", email.pk)
        error = type(mistake).__name__
        return Preview("", "", _("This email couldn't be generated: {error}").format(error=error))
