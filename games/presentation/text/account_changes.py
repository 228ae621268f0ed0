"""What an administrator has done to an account, in sentences for its person."""

from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy


class AccountChange(NamedTuple):
    """A change to an account: the subject of its email, and what it means for the person.

    `advice` is what they should do.
    """

    subject: Promise
    sentence: Promise
    advice: Promise = gettext_lazy(
        "If you didn't ask for this, contact this site's administrators right away."
    )


RESET_REQUESTED: Final = "person.reset-factor"
APPOINTED: Final = "person.appoint"

_BEFORE_IT_OPENS: Final = gettext_lazy(
    "Before you can open it, you have to set up two-factor authentication. Thank you for helping!"
)

CHANGES: Final[dict[str, AccountChange]] = {
    "person.address": AccountChange(
        gettext_lazy("Your email address has been changed"),
        gettext_lazy(
            "An administrator of this site has changed the email address of your account. You've "
            "been signed out everywhere; sign in with the new address. All our emails will go "
            "there from now on."
        ),
    ),
    RESET_REQUESTED: AccountChange(
        gettext_lazy("Your two-factor authentication is going to be reset"),
        gettext_lazy(
            "An administrator of this site has been asked to reset your two-factor "
            "authentication. By {until}, your authenticator app, passkeys and recovery codes will "
            "be removed, and you'll be signed out everywhere."
        ),
        gettext_lazy(
            "If you've found your second factor, please stop this. If you didn't ask for it, "
            "stop it now: someone else may be trying to get into your account."
        ),
    ),
    "person.stop-reset": AccountChange(
        gettext_lazy("Your two-factor authentication stays as it is"),
        gettext_lazy(
            "The reset of your two-factor authentication has been stopped: your authenticator "
            "app, passkeys and recovery codes still work."
        ),
    ),
    "person.forget-factor": AccountChange(
        gettext_lazy("Your two-factor authentication has been reset"),
        gettext_lazy(
            "An administrator of this site has reset your two-factor authentication: your "
            "authenticator app, passkeys and recovery codes no longer work. You've been signed "
            "out everywhere. Sign in again with your password or an emailed code, then set up "
            "two-factor authentication again in your profile."
        ),
    ),
    "person.export": AccountChange(
        gettext_lazy("A file with all your data is ready"),
        gettext_lazy(
            "The owner of this site has made a file of all the data stored about you, so that "
            "you can have a copy."
        ),
    ),
    "person.delete": AccountChange(
        gettext_lazy("Your account has been deleted"),
        gettext_lazy(
            "An administrator of this site has deleted your account, as you asked. In games you "
            "played, your name is no longer shown."
        ),
    ),
    "person.dismiss": AccountChange(
        gettext_lazy("You're no longer a moderator"),
        gettext_lazy(
            "You're no longer a moderator of this site. Your account and your games stay as they "
            "are."
        ),
        gettext_lazy("If you have any questions, ask this site's administrators."),
    ),
}
"""What the person reads, by the key of the action; `until` is when a reset is done."""

APPOINTMENTS: Final[dict[str, AccountChange]] = {
    "moderator": AccountChange(
        gettext_lazy("You're a moderator now"),
        gettext_lazy(
            "You're now a moderator of this site: at tables where you don't play, you can help "
            "people and handle reports. You'll find the reports on the moderator dashboard."
        ),
        _BEFORE_IT_OPENS,
    ),
    "administrator": AccountChange(
        gettext_lazy("You're an administrator now"),
        gettext_lazy(
            "You're now an administrator of this site: besides what moderators do, you can act on "
            "the whole site and on accounts. The moderator dashboard is where you start."
        ),
        _BEFORE_IT_OPENS,
    ),
}
"""The same for who was appointed, by the role."""


def change_by(action: str, role: str = "") -> AccountChange:
    """What an action means for the person."""
    return APPOINTMENTS[role] if action == APPOINTED else CHANGES[action]
