"""A moderator's acts on reports and on messages: what each is called, and its page."""

from collections.abc import Callable
from typing import Final, NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.action_pages import Shared, Subject, acting_moderator, perform
from games.forms.moderation import report_actions as forms
from games.forms.moderation.reasons import ReasonForm
from games.models import Message, Report, User
from games.presentation.text.words import moment
from games.services.chat.queries import redaction_of
from games.services.moderation.actions import redaction, reports
from games.services.moderation.queries.reports import text_for_moderators
from games.services.people.display_names import speaker
from games.services.reports.queries import about_told
from games.services.reports.rights import reports_for
from games.services.roles import has_own_part

State = Report.State


class ReportAct(NamedTuple):
    """An act on a report: `fits` says whether it is open to a moderator as the report stands."""

    slug: str
    title: Promise
    explains: Promise
    form: type[forms.ReportActForm]
    do: Callable[..., None]
    fits: Callable[[Report, User], bool]


def _nobodys(report: Report, _moderator: User) -> bool:
    return report.state in Report.WITHOUT_DECISION and report.owner_id is None


def _own(report: Report, moderator: User) -> bool:
    return report.state == State.TAKEN and report.owner_id == moderator.pk


def _of_another(report: Report, moderator: User) -> bool:
    return report.state == State.TAKEN and report.owner_id not in {None, moderator.pk}


def _appealed(report: Report, moderator: User) -> bool:
    return report.state == State.APPEALED and reports.may_decide_appeal(report, moderator)


def _upheld(report: Report, _moderator: User) -> bool:
    return report.state == State.UPHELD


ON_REPORTS: Final = (
    ReportAct(
        "take",
        gettext_lazy("Take the report"),
        gettext_lazy("You'll handle it, and the other moderators see that."),
        forms.TakeForm,
        reports.take,
        _nobodys,
    ),
    ReportAct(
        "uphold",
        gettext_lazy("Uphold the report"),
        gettext_lazy(
            "The reporter and the reported person get your text by email. The reported person "
            "may appeal once, to another moderator."
        ),
        forms.UpholdForm,
        reports.uphold,
        _own,
    ),
    ReportAct(
        "reject",
        gettext_lazy("Dismiss the report"),
        gettext_lazy("No action is taken. The reporter gets your text by email."),
        forms.RejectForm,
        reports.reject,
        _own,
    ),
    ReportAct(
        "give-back",
        gettext_lazy("Return the report"),
        gettext_lazy("Returns the report to the queue."),
        forms.ReportActForm,
        reports.give_back,
        _own,
    ),
    ReportAct(
        "take-over",
        gettext_lazy("Take over the report"),
        gettext_lazy("You'll handle it instead of the moderator who has it now."),
        forms.TakeOverForm,
        reports.take_over,
        _of_another,
    ),
    ReportAct(
        "grant-appeal",
        gettext_lazy("Grant the appeal"),
        gettext_lazy(
            "Reverses the decision and restores any message that was removed because of it. Both "
            "sides are notified by email."
        ),
        forms.LastWordForm,
        reports.grant_appeal,
        _appealed,
    ),
    ReportAct(
        "deny-appeal",
        gettext_lazy("Deny the appeal"),
        gettext_lazy("Makes the decision final. Both sides are notified by email."),
        forms.LastWordForm,
        reports.deny_appeal,
        _appealed,
    ),
    ReportAct(
        "take-back",
        gettext_lazy("Reverse the decision"),
        gettext_lazy(
            "For mistakes of ours. Restores a removed message. Both sides are notified by email."
        ),
        forms.LastWordForm,
        reports.take_back,
        _upheld,
    ),
)


class MessageAct(NamedTuple):
    """An act on a message: `fits` says whether it is possible as the message stands."""

    slug: str
    title: Promise
    explains: Promise
    form: type[ReasonForm]
    do: Callable[..., None]
    fits: Callable[[Message], bool]
    danger: bool = False


def _may_be_removed(message: Message) -> bool:
    return redaction_of(message) is None and waiting_report(message) is None


def _may_be_shown(message: Message) -> bool:
    removed = redaction_of(message)
    return removed is not None and removed.report_id is None and bool(removed.text)


ON_MESSAGES: Final = (
    MessageAct(
        "remove",
        gettext_lazy("Remove the message"),
        gettext_lazy(
            "A placeholder with your reason takes its place. The author is notified by email and "
            "may appeal once, to another moderator."
        ),
        forms.RemoveForm,
        redaction.redact,
        _may_be_removed,
        danger=True,
    ),
    MessageAct(
        "show",
        gettext_lazy("Restore the message"),
        gettext_lazy("The table can read it again."),
        forms.ShowAgainForm,
        redaction.restore,
        _may_be_shown,
    ),
)


def waiting_report(message: Message) -> Report | None:
    """The report about a message that has to be decided first."""
    return message.reports.filter(state__in=Report.WAITING).first()


def acts_on_report(report: Report, moderator: User) -> list[ReportAct]:
    """What the moderator may do about the report now."""
    return [act for act in ON_REPORTS if act.fits(report, moderator)]


def acts_on_message(message: Message) -> list[MessageAct]:
    """What can be done about the message now."""
    return [act for act in ON_MESSAGES if act.fits(message)]


def report_page(request: HttpRequest, report_id: int, slug: str, shared: Shared) -> HttpResponse:
    """One act on one report; not there for whom it concerns."""
    act = next((one for one in ON_REPORTS if one.slug == slug), None)
    if act is None:
        raise Http404
    moderator = acting_moderator(request)
    rows = reports_for(moderator).select_related("message__redaction", "person", "game", "owner")
    report = get_object_or_404(rows, pk=report_id)
    return perform(
        request,
        shared=shared,
        subject=_of_report(report),
        act=act,
        make_form=lambda posted, given: act.form(posted, report=report, given=given),
        do=lambda form, decision: act.do(decision, report_id=report.pk, **form.arguments()),
        why_not="" if act.fits(report, moderator) else reports.stands_told(report),
    )


def report_name(report: Report) -> str:
    """What a report is called on its pages."""
    return _("Report {number}").format(number=report.pk)


def report_facts(report: Report) -> list[str]:
    """How a report stands: about whom, who has it, why it is reported, and what came of it."""
    facts = [about_told(report), str(report.get_state_display())]
    if report.state == State.TAKEN and report.owner is not None:
        facts[1] = _("{name} has taken this report.").format(name=report.owner.name)
    if report.table_words:
        words = _("Table name and description: {text}")
        facts.append(words.format(text=report.table_words))
    if report.text:
        facts.append(_("Reason for the report: {text}").format(text=report.text))
    if report.outcome:
        facts.append(_("Decision: {text}").format(text=report.outcome))
    if report.appeal:
        facts.append(_("Appeal: {text}").format(text=report.appeal))
    return facts


def _of_report(report: Report) -> Subject:
    facts = report_facts(report)
    if report.message is not None:
        said = text_for_moderators(report.message)
        if redaction_of(report.message) is None:
            said = _("The message: {text}").format(text=said)
        facts.append(said)
    return Subject(
        name=report_name(report),
        link=reverse("admin:games_report_change", args=[report.pk]),
        list_name=_("Reports"),
        list_link=reverse("admin:games_report_changelist"),
        facts=facts,
    )


def message_page(request: HttpRequest, message_id: int, slug: str, shared: Shared) -> HttpResponse:
    """One act on one message; refused at a table of one's own."""
    act = next((one for one in ON_MESSAGES if one.slug == slug), None)
    if act is None:
        raise Http404
    moderator = acting_moderator(request)
    rows = Message.objects.select_related("game", "author", "redaction")
    message = get_object_or_404(rows, pk=message_id)
    if has_own_part(moderator, message.game):
        raise PermissionDenied(
            _("You have or had a seat at this table, so another moderator has to do this.")
        )
    return perform(
        request,
        shared=shared,
        subject=_of_message(message, moderator.time_zone),
        act=act,
        make_form=lambda posted, given: act.form(posted, given=given),
        do=lambda form, decision: act.do(decision, message_id=message.pk, **form.arguments()),
        why_not="" if act.fits(message) else _why_not(message),
    )


def _why_not(message: Message) -> str:
    """Why an act on a message is not possible."""
    removed = redaction_of(message)
    if removed is None and waiting_report(message) is not None:
        return _("There is an open report about this message. Decide it there.")
    if removed is None:
        return _("This message has not been removed.")
    if removed.report_id is not None:
        return _("This message was removed by a decision. Reverse the decision instead.")
    return _("This message has already been removed.")


def _of_message(message: Message, zone: str) -> Subject:
    told = _("{name} at “{table}”, {moment}")
    return Subject(
        name=_("Message {number}").format(number=message.pk),
        link=reverse("admin:games_message_change", args=[message.pk]),
        list_name=_("Messages"),
        list_link=reverse("admin:games_message_changelist"),
        facts=[
            told.format(
                name=speaker(message), table=message.game.name, moment=moment(message.at, zone)
            ),
            text_for_moderators(message),
        ],
    )
