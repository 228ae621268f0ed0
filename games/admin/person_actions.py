"""The acts on a person: what each is called, what it does, its form and its service."""

from collections.abc import Callable
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.forms.moderation import person_actions as forms
from games.services.moderation.actions import people
from games.services.moderation.queries.person import Standing


class PersonAct(NamedTuple):
    """An act: `explains` says what will happen, `fits` whether it does as the person stands."""

    slug: str
    title: Promise
    explains: Promise
    form: type[forms.PersonActForm]
    do: Callable[..., None]
    fits: Callable[[Standing], bool]
    danger: bool = False


def _any(_person: Standing) -> bool:
    return True


ALL: Final = (
    PersonAct(
        "note",
        _("Write a staff note"),
        _("Moderators see it on this page. The person isn't notified."),
        forms.NoteForm,
        people.write_note,
        _any,
    ),
    PersonAct(
        "answer-objection",
        _("Answer the appeal"),
        _(
            "The decision stands, and the person is told why by email. If there are several "
            "appeals, this answers the oldest. To side with the person, lift the decision "
            "instead."
        ),
        forms.AnswerObjectionForm,
        people.answer_objection,
        lambda person: person.objects,
    ),
    PersonAct(
        "warn",
        _("Warn"),
        _(
            "The person is notified by email, and the warning stays on their home page until "
            "they confirm that they have read it."
        ),
        forms.PersonActForm,
        people.warn,
        lambda person: person.is_active,
    ),
    PersonAct(
        "take-back-warning",
        _("Withdraw the last warning"),
        _("It stays in the list, marked as lifted. The person is notified by email."),
        forms.MendForm,
        people.take_back_warning,
        lambda person: person.warned,
    ),
    PersonAct(
        "rename",
        _("Rename"),
        _(
            "Everyone sees the new name at once, including at tables where the person plays or "
            "played. The person is notified by email and may choose another name, but not the "
            "old one."
        ),
        forms.RenameForm,
        people.rename,
        _any,
    ),
    PersonAct(
        "mute",
        _("Mute"),
        _(
            "The person can keep playing but can't write anything that others read: no chat, no "
            "table of their own, no other name. They are notified by email. Replaces the end "
            "date of any current mute."
        ),
        forms.UntilForm,
        people.mute,
        lambda person: person.is_active,
    ),
    PersonAct(
        "unmute",
        _("Unmute"),
        _("The person can post messages again. They are notified by email."),
        forms.MendForm,
        people.unmute,
        lambda person: person.muted,
    ),
    PersonAct(
        "suspend",
        _("Suspend"),
        _(
            "The person can sign in and read, but nothing else. They are absent in their running "
            "games at once and leave tables that are waiting for players. They are notified by "
            "email. Replaces the end date of any current suspension."
        ),
        forms.SuspendForm,
        people.suspend,
        lambda person: person.is_active,
    ),
    PersonAct(
        "lift-suspension",
        _("Lift the suspension"),
        _(
            "The person can return to their seats unless someone else has taken them. They "
            "are notified by email."
        ),
        forms.MendForm,
        people.lift_suspension,
        lambda person: person.suspended,
    ),
    PersonAct(
        "ban",
        _("Ban"),
        _(
            "Closes the account: the person is signed out and can't sign in, or sign up again "
            "with this address. They are absent in their running games at once and leave tables "
            "that are waiting for players. They get an email with a link to appeal."
        ),
        forms.ExcludingForm,
        people.ban,
        lambda person: person.is_active,
        danger=True,
    ),
    PersonAct(
        "lift-ban",
        _("Lift the ban"),
        _("Reopens the account. The person is notified by email."),
        forms.MendForm,
        people.lift_ban,
        lambda person: not person.is_active,
    ),
    PersonAct(
        "end-sessions",
        _("End all sessions"),
        _("Signs the person out everywhere. They can sign in again. They are notified by email."),
        forms.SafetyForm,
        people.end_sessions,
        lambda person: person.is_active,
    ),
    PersonAct(
        "second-factor",
        _("Require two-factor authentication"),
        _(
            "The person has to set up two-factor authentication before doing anything else, and "
            "can't turn it off. They are notified by email."
        ),
        forms.SafetyForm,
        people.require_second_factor,
        lambda person: not person.needs_second_factor,
    ),
    PersonAct(
        "no-second-factor",
        _("Stop requiring two-factor authentication"),
        _("The person can turn two-factor authentication off. They are notified by email."),
        forms.SafetyForm,
        people.require_no_second_factor,
        lambda person: person.needs_second_factor,
    ),
)

BY_SLUG: Final = {act.slug: act for act in ALL}


_BANNED: Final = _("This person is banned.")
_AS_IT_IS: Final = _("Already done.")
_WHY_NOT: Final[dict[str, Promise]] = {
    "answer-objection": _("There is no open appeal to answer."),
    "warn": _BANNED,
    "mute": _BANNED,
    "suspend": _BANNED,
    "ban": _BANNED,
    "end-sessions": _BANNED,
    "take-back-warning": _("There is no warning to withdraw."),
    "unmute": _("This person is not muted."),
    "lift-suspension": _("This person is not suspended."),
    "lift-ban": _("This person is not banned."),
    "second-factor": _AS_IT_IS,
    "no-second-factor": _AS_IT_IS,
}


def why_not(act: PersonAct, person: Standing) -> str:
    """Why an act is not possible as the person stands, in a sentence; "" where it is."""
    return "" if act.fits(person) else str(_WHY_NOT[act.slug])


def that_fit(person: Standing) -> list[PersonAct]:
    """The acts that are possible as the person stands."""
    return [act for act in ALL if act.fits(person)]
