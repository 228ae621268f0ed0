"""What moderators decided about a person, in sentences for that person."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

DECIDED: Final[dict[str, Promise]] = {
    "warn": gettext_lazy("A moderator has warned you."),
    "take back warning": gettext_lazy("A warning that you got has been taken back."),
    "mute": gettext_lazy(
        "You are muted until {until}. You can play, but you cannot write what others read: no "
        "table talk, no table of your own, no other name."
    ),
    "unmute": gettext_lazy("You are not muted any more."),
    "suspend": gettext_lazy(
        "You are suspended until {until}. You can sign in and read, and do nothing else. Nobody "
        "waits for you in your running games, and you have left the tables that had not started. "
        "Afterwards you can come back to your seats, unless somebody has taken them over."
    ),
    "lift suspension": gettext_lazy(
        "You are not suspended any more. You can come back to your seats, unless somebody has "
        "taken them over."
    ),
    "ban": gettext_lazy(
        "Your account is closed: you cannot sign in any more, and you play in no game."
    ),
    "lift ban": gettext_lazy(
        "Your account is open again. You can sign in, and come back to your seats, unless somebody "
        "has taken them over."
    ),
    "rename": gettext_lazy(
        "Your public name is “{name}” now. You may choose another one in your profile, but not the "
        "one you had."
    ),
    "end sessions": gettext_lazy(
        "You were signed out everywhere. Sign in again; if you think that somebody else was using "
        "your account, choose a new password."
    ),
    "require second factor": gettext_lazy(
        "From now on your account needs a second factor: you are asked to set one up when you come "
        "here next."
    ),
    "no second factor": gettext_lazy(
        "Your account does not need a second factor any more. You may keep it."
    ),
    "answer objection": gettext_lazy("Your objection was read. The decision stays."),
}
"""What is told, by the name of the act in the audit log; `until` is its end, `name` a new name."""

MAY_BE_OBJECTED_TO: Final = frozenset({"warn", "mute", "suspend", "ban"})


def decided(act: str, until: str = "", name: str = "") -> str:
    """What a moderator's act means for the person; `until` in words on their clock."""
    return str(DECIDED[act]).format(until=until, name=name)


def told_suspended(until: str) -> str:
    """Why somebody may not do anything now."""
    told = _("You are suspended until {until}: you may read here, and do nothing else.")
    return told.format(until=until)


def told_muted(until: str) -> str:
    """Why somebody may not write anything now."""
    told = _("You are muted until {until}: you may play, but not write what others read.")
    return told.format(until=until)
