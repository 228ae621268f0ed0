"""What moderators decided about a person, in sentences for that person."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

DECIDED: Final[dict[str, Promise]] = {
    "person.warn": gettext_lazy("A moderator has warned you."),
    "person.take-back-warning": gettext_lazy("A warning you received has been withdrawn."),
    "person.mute": gettext_lazy(
        "You are muted until {until}. You can play, but you can't write anything that others can "
        "read: no chat messages, no tables of your own, no new public name."
    ),
    "person.unmute": gettext_lazy("You're no longer muted."),
    "person.suspend": gettext_lazy(
        "You are suspended until {until}. You can still sign in, read the site and manage your "
        "account, but you can't take part in games or conversations. Your running games continue "
        "without waiting for you, and you've been removed from the tables whose games hadn't "
        "started. Afterwards you can return to your seats, unless someone has taken them over."
    ),
    "person.lift-suspension": gettext_lazy(
        "You're no longer suspended. You can return to your seats, unless someone has taken them "
        "over."
    ),
    "person.ban": gettext_lazy(
        "Your account is closed: you can no longer sign in, and you're no longer a player in "
        "any game."
    ),
    "person.lift-ban": gettext_lazy(
        "Your account is open again. You can sign in and return to your seats, unless someone "
        "has taken them over."
    ),
    "person.rename": gettext_lazy(
        "Your public name is now “{name}”. You can choose another one in your profile, but not "
        "your previous name."
    ),
    "person.end-sessions": gettext_lazy(
        "You've been signed out everywhere. Sign in again. If you think someone else was using "
        "your account, choose a new password."
    ),
    "person.second-factor": gettext_lazy(
        "Your account now requires two-factor authentication: you'll be asked to set it up on "
        "your next visit."
    ),
    "person.no-second-factor": gettext_lazy(
        "Your account no longer requires two-factor authentication, but you can keep using it if "
        "you like."
    ),
    "person.shorten": gettext_lazy(
        "Your appeal has been read. The decision stands, but it now ends on {until}."
    ),
    "person.answer-objection": gettext_lazy("Your appeal has been read. The decision stands."),
}
"""What the person reads, by the key of the action; `until` is its end, `name` a new name."""

APPEALABLE: Final = frozenset({"person.warn", "person.mute", "person.suspend", "person.ban"})


def decided(action: str, until: str = "", name: str = "", *, can_sign_in: bool = True) -> str:
    """What a moderator's action means for the person; `until` in words on their clock."""
    if action == "person.rename" and not can_sign_in:  # nor choose another name
        return _("Your public name is now “{name}”.").format(name=name)
    return str(DECIDED[action]).format(until=until, name=name)


def suspended_text(until: str) -> str:
    """Why somebody may not do anything now."""
    text = _(
        "You are suspended until {until}: you can still read the site and manage your account, "
        "but you can't take part in games or conversations."
    )
    return text.format(until=until)


def muted_text(until: str) -> str:
    """Why somebody may not write anything now."""
    text = _(
        "You are muted until {until}: you can play, but you can't write anything that others"
        " can read."
    )
    return text.format(until=until)
