"""Who has accepted the terms and the privacy notice of the site, in which version, and when."""

from datetime import datetime

from games.models import User
from games.services import legal


def are_owed_by(user: User) -> bool:
    """Whether somebody still has to accept them as they are now. Guests don't have an account."""
    return not user.is_guest and legal.version() not in {"", user.accepted_terms}


def accept(user: User, now: datetime) -> None:
    """Note that somebody accepts them as they are now."""
    set_accepted(user, now)
    user.save(update_fields=["accepted_terms", "accepted_terms_at"])


def set_accepted(user: User, now: datetime) -> None:
    """The same for somebody who is about to be saved."""
    user.accepted_terms = legal.version()
    user.accepted_terms_at = now if user.accepted_terms else None
