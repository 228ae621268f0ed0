"""The forms of what administrators do to an account at the request of its person."""

from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms.moderation.base import PreviewedForm
from games.forms.moderation.person_actions import PersonActionForm
from games.models import FactorReset, Game
from games.presentation.text.tables import time_text
from games.services import roles
from games.services.accounts.on_request import why_not_address
from games.services.people.addresses import known_spelling
from games.services.people.held_sanctions import holds_something

REQUESTED: Final[tuple[Promise, ...]] = (
    gettext_lazy("You asked us to do this."),
    gettext_lazy("You've lost access to your old mailbox."),
    gettext_lazy("You've lost your phone or your passkey."),
)
ROLE_LABELS: Final[dict[str, Promise]] = {
    roles.MODERATOR: gettext_lazy("moderator: keeps order at tables"),
    roles.ADMINISTRATOR: gettext_lazy("administrator: also runs the site"),
}


class AccountForm(PreviewedForm, PersonActionForm):
    """What is done to an account; its consequences are always shown first."""

    templates = REQUESTED


class AddressForm(AccountForm):
    address = forms.EmailField(label=gettext_lazy("New email address"))

    def clean_address(self) -> str:
        """Refuse what isn't free, with the reason."""
        address = known_spelling(self.cleaned_data["address"])
        if reason := why_not_address(self.person, address):
            raise ValidationError(reason)
        return address

    def consequences(self) -> list[str]:
        new, old = self.cleaned_data["address"], self.person.email
        return [
            _(
                "{name} will sign in with {new}. All emails and sign-in codes go there: anyone "
                "who can read that mailbox can use the account, so check every letter of the "
                "address."
            ).format(name=self.person.name, new=new),
            _("{name} is signed out everywhere.").format(name=self.person.name),
            _("Both addresses, {old} and {new}, get an email about the change.").format(
                old=old, new=new
            ),
        ]

    def values(self) -> dict[str, Any]:
        return super().values() | {"new": self.cleaned_data["address"]}


class ResetFactorForm(AccountForm):
    def consequences(self) -> list[str]:
        wait = time_text(FactorReset.WAIT)
        return [
            _(
                "In {time}, or as soon as another administrator confirms the reset, {name} loses "
                "their authenticator app, passkeys and recovery codes. They are then signed out "
                "everywhere and can sign in again with their password or an emailed code."
            ).format(time=wait, name=self.person.name),
            _(
                "{name} gets an email now, with a link to stop the reset. Using their second "
                "factor also stops it."
            ).format(name=self.person.name),
        ]

    def values(self) -> dict[str, Any]:
        return super().values() | {"time": time_text(FactorReset.WAIT)}


class ForgetFactorForm(AccountForm):
    def consequences(self) -> list[str]:
        return [
            _(
                "{name} now loses their authenticator app, passkeys and recovery codes, is "
                "signed out everywhere and gets an email."
            ).format(name=self.person.name)
        ]


class StopResetForm(AccountForm):
    templates = (
        gettext_lazy("You asked us to do this."),
        gettext_lazy("We're no longer sure that it was you who asked."),
    )

    def consequences(self) -> list[str]:
        text = _("{whom} keeps two-factor authentication and gets an email.")
        return [text.format(whom=self.person.name)]


class ExportForm(AccountForm):
    templates = REQUESTED[:1]
    reason_help = gettext_lazy("Only moderators see this.")

    def consequences(self) -> list[str]:
        return [
            _(
                "A file with all the data stored about {name} is created. They get an email with "
                "a link to it; you won't see its contents. It is deleted after a day."
            ).format(name=self.person.name)
        ]


class DeleteAccountForm(AccountForm):
    """The deletion of somebody, whose name has to be typed."""

    not_passed = AccountForm.not_passed | {"name"}
    templates = REQUESTED[:1]
    name = forms.CharField(
        label=gettext_lazy("Their public name"),
        help_text=gettext_lazy("Type it to make sure that this is the right account."),
    )

    def clean_name(self) -> str:
        """Refuse any other name."""
        name: str = self.cleaned_data["name"].strip()
        if name != self.person.name:
            text = _("Please type {name} to confirm.")
            raise ValidationError(text.format(name=self.person.name))
        return name

    def choice(self) -> str:
        return self.person.name

    def consequences(self) -> list[str]:
        person = self.person
        sentences = [
            _("{name}'s account is deleted for good, along with all settings and notes.").format(
                name=person.name
            )
        ]
        running = Game.objects.in_play().filter(seats__user=person).order_by("pk")
        freed = _("{name} leaves the running game “{table}”.")
        sentences += [freed.format(name=person.name, table=game.name) for game in running]
        waiting = Game.objects.filter(status=Game.Status.WAITING, seats__user=person)
        left = _("{name} leaves “{table}”, which is waiting for players.")
        sentences += [
            left.format(name=person.name, table=game.name) for game in waiting.order_by("pk")
        ]
        if not person.is_active:
            sentences.append(
                _("The ban ends with the account: the address can be used to sign up again.")
            )
        elif holds_something(person, timezone.now()):
            sentences.append(_("The mute or suspension stays with the address until it runs out."))
        return [*sentences, _("A confirmation email goes to {old}.").format(old=person.email)]


class AppointForm(AccountForm):
    templates = (gettext_lazy("Thank you for helping."),)
    role = forms.ChoiceField(label=gettext_lazy("Role"))

    def prepare(self) -> None:
        self.offer("role", [(role, str(label)) for role, label in ROLE_LABELS.items()])

    def consequences(self) -> list[str]:
        if self.cleaned_data["role"] == roles.ADMINISTRATOR:
            text = _(
                "{name} can act on games, people and reports, except at tables where they play "
                "or have played, and on the site itself; appoint and dismiss moderators; and "
                "change addresses. They get an email."
            )
        else:
            text = _(
                "{name} can act on games, people and reports, except at tables where they play "
                "or have played. They get an email."
            )
        needed = _("They must set up two-factor authentication before they can open these pages.")
        return [text.format(name=self.person.name), needed]


class DismissForm(AccountForm):
    templates = (
        gettext_lazy("You asked us to do this."),
        gettext_lazy("Thank you for your help so far."),
    )

    def consequences(self) -> list[str]:
        return [
            _(
                "{name} can no longer open these pages and gets an email. Reports they have "
                "taken stay assigned to them until another moderator takes over."
            ).format(name=self.person.name)
        ]
