"""What administrators may do to an account because its person asked, and to roles."""

from collections.abc import Callable
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.actions.row import Action
from games.forms.moderation import account_actions as forms
from games.models import User
from games.services.accounts import on_request
from games.services.accounts.factor_resets import why_not_confirm
from games.services.moderation.actions import accounts
from games.services.moderation.queries.person import Standing


def for_administrators(
    why_not: Callable[[Standing, User], str] = lambda _person, _moderator: "",
) -> Callable[[Standing, User], str]:
    """The condition of an action that only administrators see, and that is possible for them."""
    return lambda person, moderator: (
        accounts.why_not_administer(moderator) or why_not(person, moderator)
    )


def unless_resettable(person: Standing, _moderator: User) -> str:
    if not person.has_second_factor:
        return on_request.without_second_factor()
    return (
        ""
        if person.reset is None
        else _("A reset of two-factor authentication is already pending.")
    )


def unless_confirmable(person: Standing, moderator: User) -> str:
    return why_not_confirm(person.reset, moderator)


def unless_pending(person: Standing, _moderator: User) -> str:
    return "" if person.reset is not None else _("There's no reset to stop.")


def unless_exportable(person: Standing, _moderator: User) -> str:
    return accounts.why_no_export(person)


def unless_moderator(person: Standing, _moderator: User) -> str:
    return on_request.to_be_dismissed() if person.is_staff else ""


def unless_appointable(person: Standing, _moderator: User) -> str:
    return accounts.why_not_appoint(person)


def unless_dismissible(person: Standing, _moderator: User) -> str:
    return "" if person.is_staff else _("This person isn't a moderator.")


ON_ACCOUNTS: Final = (
    Action(
        "person.address",
        gettext_lazy("Change the email address"),
        gettext_lazy(
            "For someone who can no longer read email sent to their old address. First make sure "
            "that the request really comes from them: whoever owns the new mailbox gets the "
            "account."
        ),
        gettext_lazy("{whom} signs in with {new} from now on. Both addresses get an email."),
        forms.AddressForm,
        accounts.change_address,
        for_administrators(),
    ),
    Action(
        "person.reset-factor",
        gettext_lazy("Reset two-factor authentication"),
        gettext_lazy(
            "For someone who has lost their phone or passkey as well as their recovery codes. "
            "The reset takes effect in 24 hours, or as soon as another administrator confirms "
            "it. Until then, the person can stop it."
        ),
        gettext_lazy(
            "The second factor of {whom} will be reset in {time} unless they stop it. They get "
            "an email."
        ),
        forms.ResetFactorForm,
        accounts.reset_factor,
        for_administrators(unless_resettable),
    ),
    Action(
        "person.forget-factor",
        gettext_lazy("Confirm the reset of two-factor authentication"),
        gettext_lazy(
            "Another administrator has requested this reset. Ask the person yourself, in a "
            "different way than your colleague did, whether they really want it."
        ),
        gettext_lazy("The second factor of {whom} has been reset. They get an email."),
        forms.ForgetFactorForm,
        accounts.forget_factor,
        for_administrators(unless_confirmable),
    ),
    Action(
        "person.stop-reset",
        gettext_lazy("Stop the reset of two-factor authentication"),
        gettext_lazy("The person keeps their second factor and gets an email."),
        gettext_lazy("{whom} keeps two-factor authentication and gets an email."),
        forms.StopResetForm,
        accounts.stop_reset,
        for_administrators(unless_pending),
    ),
    Action(
        "person.export",
        gettext_lazy("Send the person all their data"),
        gettext_lazy(
            "For banned people, who can't sign in to download their data. Only they can see "
            "the file."
        ),
        gettext_lazy("The file is being created. {whom} gets an email with a link to it."),
        forms.ExportForm,
        accounts.export,
        for_administrators(unless_exportable),
    ),
    Action(
        "person.appoint",
        gettext_lazy("Appoint"),
        gettext_lazy("Makes the person a moderator or an administrator of this site."),
        gettext_lazy("{whom} has been appointed and gets an email."),
        forms.AppointForm,
        accounts.appoint,
        for_administrators(unless_appointable),
    ),
    Action(
        "person.dismiss",
        gettext_lazy("Dismiss"),
        gettext_lazy("Makes a moderator or an administrator an ordinary player again."),
        gettext_lazy("{whom} is an ordinary player again and gets an email."),
        forms.DismissForm,
        accounts.dismiss,
        for_administrators(unless_dismissible),
    ),
    Action(
        "person.delete",
        gettext_lazy("Delete the account"),
        gettext_lazy(
            "For someone who has asked for it and can't do it themselves. Deletes the account, "
            "just as the person could in their own profile. This can't be undone."
        ),
        gettext_lazy(
            "The account of {whom} has been deleted. An email about this is sent to the "
            "address it had."
        ),
        forms.DeleteAccountForm,
        accounts.delete,
        for_administrators(unless_moderator),
        danger=True,
        removes=True,
    ),
)
