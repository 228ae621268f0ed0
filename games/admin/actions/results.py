"""What the results of actions say: what happened, and who is told."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.admin.actions.row import Action

RESULTS: Final[Mapping[str, Promise]] = {
    "game.pause": _("The game is paused. Everyone at the table gets an email."),
    "game.resume": _("The game continues. Everyone at the table gets an email."),
    "game.extend": _("More time for {whom}. They get an email."),
    "game.deadline": _("{whom} now has a new deadline. They get an email."),
    "game.default": _("The move was played for {whom}. They get an email."),
    "game.excuse": _("{whom} no longer has any missed deadlines and gets an email."),
    "game.absent": _("The game no longer waits for {whom}. They get an email."),
    "game.present": _("The game waits for {whom} again. They get an email."),
    "game.house-player": _(
        "A computer player has the seat of {whom} now. Everyone at the table gets an email."
    ),
    "game.reopen": _(
        "The seat of {whom} is free for a substitute. Everyone at the table gets an email."
    ),
    "game.give-back": _("{whom} has the seat again. Everyone at the table gets an email."),
    "game.pace": _(
        "The pace changes from the next decision on. Everyone at the table gets an email."
    ),
    "game.referee": _("Your message is in the chat. Everyone at the table gets an email."),
    "game.rename": _("The table is renamed. Everyone at the table gets an email."),
    "game.remove-note": _("The description is removed. Everyone at the table gets an email."),
    "game.send-again": _("The email will be sent again, if it still applies."),
    "game.cancel": _("The game is cancelled. Everyone at the table gets an email."),
    "game.host": _("{whom} is the host now. Everyone at the table gets an email."),
    "game.start": _("The game has started. Everyone at the table gets an email."),
    "person.note": _("The note is saved. Only moderators can read it."),
    "person.answer-objection": _(
        "The appeal is answered, and the decision stands. {whom} gets an email."
    ),
    "person.shorten": _("The sanction now ends in {time}. {whom} gets an email."),
    "person.warn": _("{whom} is warned and gets an email."),
    "person.take-back-warning": _("The warning is withdrawn. {whom} gets an email."),
    "person.rename": _("{whom} is now called “{name}” and gets an email."),
    "person.mute": _("{whom} is muted until {until} and gets an email."),
    "person.unmute": _("{whom} can write again and gets an email."),
    "person.suspend": _("{whom} is suspended until {until} and gets an email."),
    "person.lift-suspension": _("{whom} is no longer suspended and gets an email."),
    "person.ban": _("{whom} is banned and gets an email with a link to appeal."),
    "person.lift-ban": _("{whom} is no longer banned and gets an email."),
    "person.end-sessions": _("{whom} is signed out everywhere and gets an email."),
    "person.second-factor": _("{whom} now has to use two-factor authentication and gets an email."),
    "person.no-second-factor": _(
        "{whom} no longer has to use two-factor authentication and gets an email."
    ),
    "report.take": _("You are handling this report now."),
    "report.uphold": _("Upheld. {done}"),
    "report.reject": _("Dismissed. {told}"),
    "report.give-back": _("The report is back in the queue."),
    "report.take-over": _("You are handling this report now."),
    "report.grant-appeal": _("The appeal is granted and the decision reversed. {told}"),
    "report.deny-appeal": _("The appeal is denied, and the decision stands. {told}"),
    "report.shorten": _("The decision stands, but the sanction now ends in {time}. {told}"),
    "report.take-back": _("The decision is reversed. {told}"),
    "person.clear-address": _("{whom} can be emailed again; a test email goes first."),
    "email.send-again": _("The email will be sent again."),
    "email.send-all": _("The emails that still apply will be sent again."),
    "message.remove": _("The message is removed. {told}"),
    "message.show": _("Everyone at the table can read the message again."),
}
"""By the key of the action, with the `values` of its form."""

_DONE: Final = _("Done: {act}.")
_DONE_TO: Final = _("Done: {act}, {whom}.")


def result_of(action: Action, values: Mapping[str, Any]) -> str:
    """What was done, as a sentence; `values` are those of the form, from before it was done."""
    if action.key in RESULTS:
        return str(RESULTS[action.key]).format(**values).strip()
    text = _DONE_TO if values["whom"] else _DONE
    return str(text).format(act=action.title, whom=values["whom"])
