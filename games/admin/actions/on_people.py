"""The actions on a person, and when each is possible."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.actions.row import Action, unless
from games.forms.moderation import person_actions as forms
from games.forms.moderation.everything import EverythingForm
from games.models import User
from games.services.moderation.actions import everything, mail, people, sanctioning
from games.services.moderation.queries.appeals import own_decision
from games.services.moderation.queries.person import Standing

unless_active = unless(lambda person: person.is_active, gettext_lazy("This person is banned."))


def unless_appealed(person: Standing, _moderator: User) -> str:
    if person.own_appeals:
        return own_decision()
    return "" if person.appeals else _("There's no open appeal to answer.")


def unless_shortens(person: Standing, moderator: User) -> str:
    return unless_appealed(person, moderator) or (
        "" if person.shortens else sanctioning.nothing_to_shorten()
    )


ON_PEOPLE: Final = (
    Action(
        "person.note",
        gettext_lazy("Write a staff note"),
        gettext_lazy("Moderators see the note on this page. The person isn't notified."),
        gettext_lazy("The note is saved. Only moderators can read it."),
        forms.NoteForm,
        people.write_note,
    ),
    Action(
        "person.answer-objection",
        gettext_lazy("Answer the appeal"),
        gettext_lazy(
            "The decision stands, and an email tells the person why. If there are several "
            "appeals, this answers the oldest. To side with the person, lift the sanction "
            "instead."
        ),
        gettext_lazy("The appeal is answered, and the decision stands. {whom} gets an email."),
        forms.AnswerAppealForm,
        people.answer_appeal,
        unless_appealed,
        instead="person.shorten",
    ),
    Action(
        "person.shorten",
        gettext_lazy("Answer the appeal by shortening the sanction"),
        gettext_lazy(
            "The mute or suspension ends sooner, and an email tells the person why. A ban becomes "
            "a suspension. If there are several appeals, this answers the oldest."
        ),
        gettext_lazy("The sanction now ends in {time}. {whom} gets an email."),
        forms.ShortenForm,
        people.shorten,
        unless_shortens,
    ),
    Action(
        "person.warn",
        gettext_lazy("Warn"),
        gettext_lazy(
            "The person is notified by email, and the warning stays on their home page until "
            "they confirm that they have read it."
        ),
        gettext_lazy("{whom} has been warned and gets an email."),
        forms.DecidedForm,
        people.warn,
        unless_active,
    ),
    Action(
        "person.take-back-warning",
        gettext_lazy("Withdraw the last warning"),
        gettext_lazy(
            "The warning stays on record, marked as withdrawn. The person is notified by email."
        ),
        gettext_lazy("The warning has been withdrawn. {whom} gets an email."),
        forms.MendForm,
        people.take_back_warning,
        unless(lambda person: person.warned_at, gettext_lazy("There's no warning to withdraw.")),
    ),
    Action(
        "person.rename",
        gettext_lazy("Rename"),
        gettext_lazy(
            "Everyone sees the new name right away, including at tables where the person plays or"
            " has played. The person is notified by email and may choose another name, but not "
            "the old one."
        ),
        gettext_lazy("{whom} is now called “{name}” and gets an email."),
        forms.RenameForm,
        people.rename,
    ),
    Action(
        "person.mute",
        gettext_lazy("Mute"),
        gettext_lazy(
            "The person can keep playing but can't write anything that others can read: they "
            "can't chat, open a table or change their name. They are notified by email. If "
            "they're already muted, the new end date replaces the current one."
        ),
        gettext_lazy("{whom} is muted until {until} and gets an email."),
        forms.UntilForm,
        people.mute,
        unless_active,
    ),
    Action(
        "person.unmute",
        gettext_lazy("Unmute"),
        gettext_lazy("The person can post messages again. They are notified by email."),
        gettext_lazy("{whom} can write again and gets an email."),
        forms.MendForm,
        people.unmute,
        unless(lambda person: person.muted, gettext_lazy("This person isn't muted.")),
    ),
    Action(
        "person.suspend",
        gettext_lazy("Suspend"),
        gettext_lazy(
            "The person can only sign in and read. They are marked absent in their running games "
            "right away and leave tables that are waiting for players. They are notified by "
            "email. If they're already suspended, the new end date replaces the current one."
        ),
        gettext_lazy("{whom} is suspended until {until} and gets an email."),
        forms.SuspendForm,
        people.suspend,
        unless_active,
        see_also="person.clear-up",
    ),
    Action(
        "person.lift-suspension",
        gettext_lazy("Lift the suspension"),
        gettext_lazy(
            "The person can return to their seats unless someone else has taken them. They "
            "are notified by email."
        ),
        gettext_lazy("{whom} is no longer suspended and gets an email."),
        forms.LiftForm,
        people.lift_suspension,
        unless(lambda person: person.suspended, gettext_lazy("This person isn't suspended.")),
    ),
    Action(
        "person.ban",
        gettext_lazy("Ban"),
        gettext_lazy(
            "Closes the account: the person is signed out and can't sign in or sign up again "
            "with the same address. They are marked absent in their running games right away and "
            "leave tables that are waiting for players. They get an email with a link to appeal."
        ),
        gettext_lazy("{whom} is banned and gets an email with a link to appeal."),
        forms.ExcludingForm,
        people.ban,
        unless_active,
        danger=True,
        see_also="person.clear-up",
    ),
    Action(
        "person.clear-up",
        gettext_lazy("Clear up after this person"),
        gettext_lazy(
            "For someone who has vanished, been banned or flooded the site: their seats, their "
            "public messages, the reports about them, the invitations they sent and the tables "
            "they host, all at once. You choose what to clear up and see a preview first. The "
            "account itself stays as it is."
        ),
        None,
        EverythingForm,
        everything.clear_up,
        danger=True,
    ),
    Action(
        "person.lift-ban",
        gettext_lazy("Lift the ban"),
        gettext_lazy("Reopens the account. The person is notified by email."),
        gettext_lazy("{whom} is no longer banned and gets an email."),
        forms.LiftForm,
        people.lift_ban,
        unless(lambda person: not person.is_active, gettext_lazy("This person isn't banned.")),
    ),
    Action(
        "person.clear-address",
        gettext_lazy("Clear and send a test"),
        gettext_lazy(
            "The person's email address was rejected, so no email is sent there. This clears the "
            "rejection and sends a test. If the test is rejected too, the address is marked as "
            "rejected again. Otherwise, everything that couldn't be sent and is still relevant "
            "follows."
        ),
        gettext_lazy("{whom} can be emailed again. A test email is sent first."),
        forms.ClearAddressForm,
        mail.clear_address,
        unless(
            lambda person: person.is_unreachable,
            gettext_lazy("Email to this person isn't being rejected."),
        ),
    ),
    Action(
        "person.end-sessions",
        gettext_lazy("End all sessions"),
        gettext_lazy(
            "Signs the person out everywhere. They can sign in again. They are notified by email."
        ),
        gettext_lazy("{whom} is signed out everywhere and gets an email."),
        forms.SafetyForm,
        people.end_sessions,
        unless_active,
    ),
    Action(
        "person.second-factor",
        gettext_lazy("Require two-factor authentication"),
        gettext_lazy(
            "The person has to set up two-factor authentication before doing anything else, and "
            "can't turn it off. They are notified by email."
        ),
        gettext_lazy("{whom} now has to use two-factor authentication and gets an email."),
        forms.SafetyForm,
        people.require_second_factor,
        unless(lambda person: not person.needs_second_factor, gettext_lazy("Already done.")),
    ),
    Action(
        "person.no-second-factor",
        gettext_lazy("Stop requiring two-factor authentication"),
        gettext_lazy(
            "The person can turn two-factor authentication off. They are notified by email."
        ),
        gettext_lazy("{whom} no longer has to use two-factor authentication and gets an email."),
        forms.SafetyForm,
        people.require_no_second_factor,
        unless(lambda person: person.needs_second_factor, gettext_lazy("Already done.")),
    ),
)
