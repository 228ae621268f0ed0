"""The acts on a person: what each is called, what it does, its form and its service."""

from collections.abc import Callable
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.forms import person_acts as forms
from games.services.moderation import person_acts
from games.services.moderation.person_reading import Standing


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
        _("Write a note"),
        _("Moderators read it on this page. The person is not told."),
        forms.NoteForm,
        person_acts.write_note,
        _any,
    ),
    PersonAct(
        "answer-objection",
        _("Answer the objection"),
        _(
            "The decision stays, and the person is mailed why; the oldest objection first. To "
            "agree with the person, lift the decision instead."
        ),
        forms.AnswerObjectionForm,
        person_acts.answer_objection,
        lambda person: person.objects,
    ),
    PersonAct(
        "warn",
        _("Warn"),
        _(
            "The person is mailed, and the warning stands on their first page until they say that "
            "they have read it."
        ),
        forms.PersonActForm,
        person_acts.warn,
        lambda person: person.is_active,
    ),
    PersonAct(
        "take-back-warning",
        _("Take back the last warning"),
        _("It stands in the list as lifted. The person is mailed."),
        forms.MendForm,
        person_acts.take_back_warning,
        lambda person: person.warned,
    ),
    PersonAct(
        "rename",
        _("Rename"),
        _(
            "Everybody reads the new name at once, also at tables where the person sits or sat. "
            "The person is notified by email, and may choose another name, but not the old one."
        ),
        forms.RenameForm,
        person_acts.rename,
        _any,
    ),
    PersonAct(
        "mute",
        _("Mute"),
        _(
            "The person plays on, but writes nothing that others read: no table talk, no table of "
            "their own, no other name. They are mailed. A mute that holds gets this end."
        ),
        forms.UntilForm,
        person_acts.mute,
        lambda person: person.is_active,
    ),
    PersonAct(
        "unmute",
        _("End the mute"),
        _("The person may write again. They are mailed."),
        forms.MendForm,
        person_acts.unmute,
        lambda person: person.muted,
    ),
    PersonAct(
        "suspend",
        _("Suspend"),
        _(
            "The person may sign in and read, and nothing else. They are absent in their running "
            "games at once and leave the tables that wait. They are mailed. A suspension that "
            "holds gets this end."
        ),
        forms.SuspendForm,
        person_acts.suspend,
        lambda person: person.is_active,
    ),
    PersonAct(
        "lift-suspension",
        _("End the suspension"),
        _("The person may come back to their seats, where nobody else sits. They are mailed."),
        forms.MendForm,
        person_acts.lift_suspension,
        lambda person: person.suspended,
    ),
    PersonAct(
        "ban",
        _("Ban"),
        _(
            "The account is closed: the person is signed out and cannot sign in, nor sign up with "
            "this address. They are absent in their running games at once and leave the tables "
            "that wait. They are mailed, with a link to object."
        ),
        forms.ExcludingForm,
        person_acts.ban,
        lambda person: person.is_active,
        danger=True,
    ),
    PersonAct(
        "lift-ban",
        _("Lift the ban"),
        _("The account is open again. The person is mailed."),
        forms.MendForm,
        person_acts.lift_ban,
        lambda person: not person.is_active,
    ),
    PersonAct(
        "end-sessions",
        _("End all sessions"),
        _("The person is signed out everywhere, and may sign in again. They are mailed."),
        forms.SafetyForm,
        person_acts.end_sessions,
        lambda person: person.is_active,
    ),
    PersonAct(
        "second-factor",
        _("Require a second factor"),
        _(
            "Before anything else the person has to set one up, and cannot give it up. They are "
            "mailed."
        ),
        forms.SafetyForm,
        person_acts.require_second_factor,
        lambda person: not person.needs_second_factor,
    ),
    PersonAct(
        "no-second-factor",
        _("Require no second factor any more"),
        _("The person may give it up. They are mailed."),
        forms.SafetyForm,
        person_acts.require_no_second_factor,
        lambda person: person.needs_second_factor,
    ),
)

BY_SLUG: Final = {act.slug: act for act in ALL}


_BANNED: Final = _("This person is banned.")
_AS_IT_IS: Final = _("That is so already.")
_WHY_NOT: Final[dict[str, Promise]] = {
    "answer-objection": _("No objection waits for an answer."),
    "warn": _BANNED,
    "mute": _BANNED,
    "suspend": _BANNED,
    "ban": _BANNED,
    "end-sessions": _BANNED,
    "take-back-warning": _("There is no warning to take back."),
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
