"""The actions on a report and on a message, and when each is possible."""

from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.actions.row import Action
from games.forms.moderation import report_actions as forms
from games.forms.moderation.case_export import ExportCaseForm
from games.forms.moderation.uphold import UpholdForm
from games.models import Message, Report, Sanction, User
from games.services.chat.queries import redaction_of
from games.services.moderation.actions import redaction, reports, sanctioning
from games.services.moderation.actions.accounts import why_not_administer
from games.services.moderation.actions.case_export import export_case

State = Report.State


def unless_untaken(report: Report, _moderator: User) -> str:
    untaken = report.state in Report.WITHOUT_DECISION and report.owner_id is None
    return "" if untaken else reports.no_longer_possible(report)


def unless_own(report: Report, moderator: User) -> str:
    own = report.state == State.TAKEN and report.owner_id == moderator.pk
    return "" if own else reports.no_longer_possible(report)


def unless_decidable(report: Report, moderator: User) -> str:
    """Only while it isn't decided, and no other moderator has it."""
    free = report.state in Report.WITHOUT_DECISION and report.owner_id in {None, moderator.pk}
    return "" if free else reports.no_longer_possible(report)


def unless_of_another(report: Report, moderator: User) -> str:
    of_another = report.state == State.TAKEN and report.owner_id not in {None, moderator.pk}
    return "" if of_another else reports.no_longer_possible(report)


def unless_appealed(report: Report, moderator: User) -> str:
    return reports.why_not_decide_appeal(report, moderator)


def unless_administrator(_report: Report, moderator: User) -> str:
    return why_not_administer(moderator)


def unless_long(report: Report, moderator: User) -> str:
    """Only where another sanction than a warning is in force."""
    if reason := unless_appealed(report, moderator):
        return reason
    holding = report.sanctions.in_force(timezone.now()).exclude(kind=Sanction.Kind.WARNING)
    return "" if holding.exists() else sanctioning.nothing_to_shorten()


def unless_reopenable(report: Report, _moderator: User) -> str:
    return reports.why_not_reopen(report)


def unless_upheld(report: Report, _moderator: User) -> str:
    return "" if report.state == State.UPHELD else reports.no_longer_possible(report)


def unless_shown(message: Message, _moderator: User) -> str:
    removed = redaction_of(message)
    if removed is None and message.reports.filter(state__in=Report.WAITING).exists():
        return _("There's an open report about this message. Handle the report instead.")
    return "" if removed is None else _why_removed(message)


def unless_removed(message: Message, _moderator: User) -> str:
    removed = redaction_of(message)
    if removed is None:
        return _("This message hasn't been removed.")
    return "" if removed.report_id is None and removed.text else _why_removed(message)


def _why_removed(message: Message) -> str:
    """Why nothing can be done to a message that was removed."""
    removed = redaction_of(message)
    if removed is not None and removed.report_id is not None:
        return _(
            "This message was removed because of a report. Reverse the decision on the report "
            "instead."
        )
    return _("This message has already been removed.")


ON_REPORTS: Final = (
    Action(
        "report.take",
        gettext_lazy("Take the report"),
        gettext_lazy(
            "Assigns the report to you. The other moderators can see that you're handling it."
        ),
        gettext_lazy("You are handling this report now."),
        forms.TakeForm,
        reports.take,
        unless_untaken,
        at_once=True,
    ),
    Action(
        "report.uphold",
        gettext_lazy("Uphold the report"),
        gettext_lazy(
            "Decide here which sanction the person gets and what is removed or renamed. Each "
            "side gets one email, which you can read before it is sent. The person may appeal "
            "once, to another moderator, and the appeal covers all of it."
        ),
        gettext_lazy("Upheld. {done}"),
        UpholdForm,
        reports.uphold_with_others,
        unless_decidable,
        instead="report.reject",
    ),
    Action(
        "report.reject",
        gettext_lazy("Dismiss the report"),
        gettext_lazy("No action is taken. What you write is emailed to the reporter."),
        gettext_lazy("Dismissed. {told}"),
        forms.RejectForm,
        reports.reject,
        unless_decidable,
        instead="report.uphold",
    ),
    Action(
        "report.reopen",
        gettext_lazy("Reopen the report"),
        gettext_lazy(
            "For our own mistakes. The report becomes yours and can be decided again. The reporter "
            "is notified by email that it was decided too soon."
        ),
        gettext_lazy("The report is open again, and you are handling it. {told}"),
        forms.ReopenForm,
        reports.reopen,
        unless_reopenable,
    ),
    Action(
        "report.give-back",
        gettext_lazy("Put the report back in the queue"),
        gettext_lazy("Any moderator can take the report again."),
        gettext_lazy("The report is back in the queue."),
        forms.ReportActionForm,
        reports.give_back,
        unless_own,
    ),
    Action(
        "report.take-over",
        gettext_lazy("Take over the report"),
        gettext_lazy("Assigns the report to you instead of the moderator who has it now."),
        gettext_lazy("You are handling this report now."),
        forms.TakeOverForm,
        reports.take_over,
        unless_of_another,
    ),
    Action(
        "report.grant-appeal",
        gettext_lazy("Grant the appeal"),
        gettext_lazy(
            "Reverses the decision: the sanctions that came with it are lifted, and messages and "
            "names are restored. Both sides are notified by email."
        ),
        gettext_lazy("The appeal is granted and the decision reversed. {told}"),
        forms.LastWordForm,
        reports.grant_appeal,
        unless_appealed,
    ),
    Action(
        "report.deny-appeal",
        gettext_lazy("Deny the appeal"),
        gettext_lazy("Makes the decision final. Both sides are notified by email."),
        gettext_lazy("The appeal is denied, and the decision stands. {told}"),
        forms.DenyForm,
        reports.deny_appeal,
        unless_appealed,
    ),
    Action(
        "report.shorten",
        gettext_lazy("Shorten the sanction"),
        gettext_lazy(
            "Answers the appeal: the decision stands, but the mute or suspension ends sooner. A "
            "ban becomes a suspension. Both sides are notified by email."
        ),
        gettext_lazy("The decision stands, but the sanction now ends in {time}. {told}"),
        forms.ShortenForm,
        reports.shorten,
        unless_long,
    ),
    Action(
        "report.take-back",
        gettext_lazy("Reverse the decision"),
        gettext_lazy(
            "For our own mistakes. The sanctions that came with the decision are lifted, and "
            "messages and names are restored. Both sides are notified by email."
        ),
        gettext_lazy("The decision is reversed. {told}"),
        forms.LastWordForm,
        reports.take_back,
        unless_upheld,
    ),
    Action(
        "report.export",
        gettext_lazy("Export the case"),
        gettext_lazy(
            "An archive for a court or a lawyer, with everything about this case that moderators "
            "may read. It contains personal data: keep it safe, and delete it when it's no "
            "longer needed."
        ),
        None,
        ExportCaseForm,
        export_case,
        unless_administrator,
    ),
)

ON_MESSAGES: Final = (
    Action(
        "message.remove",
        gettext_lazy("Remove the message"),
        gettext_lazy(
            "Replaces the message with a placeholder that shows your reason. The author is "
            "notified by email and may appeal once, to another moderator."
        ),
        gettext_lazy("The message has been removed. {told}"),
        forms.RemoveForm,
        redaction.redact,
        unless_shown,
        danger=True,
    ),
    Action(
        "message.show",
        gettext_lazy("Restore the message"),
        gettext_lazy("Everyone at the table can read the message again."),
        gettext_lazy("Everyone at the table can read the message again."),
        forms.MessageActionForm,
        redaction.restore,
        unless_removed,
    ),
)
