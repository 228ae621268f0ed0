"""The forms by which moderators decide several reports at once."""

from copy import copy
from typing import Any, ClassVar

from django import forms
from django.utils import timezone
from django.utils.functional import Promise, cached_property
from django.utils.translation import gettext_lazy as _

from games.forms.moderation.base import ActionForm, Letter
from games.forms.moderation.emailing import EmailingForm
from games.forms.moderation.report_actions import NOT_WRONG, WRONG
from games.models import Report, User
from games.presentation.text.words import listed
from games.services.chat.queries import redaction_of
from games.services.moderation.actions.consequences import NONE, Consequences, Removal
from games.services.moderation.actions.reports import upheld_before
from games.services.moderation.queries.letters import Preview, preview_of_decision


class SeveralForm(ActionForm):
    """One reason for all reports, its `subject`; `sent` says that the form itself was sent."""

    not_passed: ClassVar[frozenset[str]] = ActionForm.not_passed | {"act", "sent"}

    act = forms.CharField(widget=forms.HiddenInput)
    reports = forms.CharField(widget=forms.HiddenInput)
    sent = forms.CharField(widget=forms.HiddenInput, initial="1")

    def clean_reports(self) -> list[int]:
        """The numbers of those that the moderator may handle."""
        return [report.pk for report in self.chosen]

    @property
    def chosen(self) -> list[Report]:
        reports: list[Report] = self.subject
        return reports


class TakeSeveralForm(SeveralForm):
    wants_reason = False


class DecideSeveralForm(EmailingForm, SeveralForm):
    """One decision about all of them; who reads which words is shown first."""

    state: ClassVar[Report.State]

    @cached_property
    def pairs(self) -> list[tuple[Report, User]]:
        """Who gets an email about which report."""
        found = []
        for report in self.decided:
            both = [report.reporter, report.person if report in self.tell_person else None]
            found += [(report, person) for person in both if person is not None]
        return found

    @cached_property
    def decided(self) -> list[Report]:
        """The reports as they will be, in memory: not what is decided by now, or another has."""
        reports = [copy(report) for report in self.chosen if self._may_decide(report)]
        for report in reports:
            report.state, report.outcome = self.state, self.full_reason
            report.decided_at = timezone.now()
        return reports

    def _may_decide(self, report: Report) -> bool:
        undecided = report.state in Report.WITHOUT_DECISION
        return undecided and report.owner_id in {None, self.reader.pk}

    @cached_property
    def tell_person(self) -> list[Report]:
        """The reports of which the reported people hear."""
        return []

    def readers(self) -> list[User]:
        return list({person.pk: person for _report, person in self.pairs}.values())

    def letters(self) -> list[Letter]:
        """Each email once, however many get the same: then as the first of them reads it."""
        letters: dict[tuple[str, str], tuple[Preview, list[str]]] = {}
        for report, person in self.pairs:
            letter = preview_of_decision(report, person, self.wanted())
            _greeting, _gap, text = letter.text.partition("\n\n")
            _letter, names = letters.setdefault((letter.subject, text), (letter, []))
            if person.name not in names:
                names.append(person.name)
        return [Letter(listed(names), *letter) for letter, names in letters.values()]

    def wanted(self) -> Consequences:
        return NONE


class UpholdSeveralForm(DecideSeveralForm):
    state = Report.State.UPHELD
    templates = WRONG
    reason_help: ClassVar[Promise] = _(
        "Both sides see this, and so does everyone at the table if the message is removed. Don't "
        "say who reported it."
    )

    remove_message = forms.BooleanField(
        label=_("Remove the reported messages"), required=False,
        help_text=_(
            "Your reason is shown in place of each message, which can be restored after an appeal."
        ),
    )  # fmt: skip

    def prepare(self) -> None:
        said: list[Any] = [report.said for report in self.chosen if report.said is not None]
        if all(redaction_of(message) is not None for message in said):
            del self.fields["remove_message"]

    @cached_property
    def tell_person(self) -> list[Report]:
        """Not those about which they were told before, where nothing else is done now."""
        again = upheld_before(self.decided)
        return [one for one in self.decided if one not in again or self._removes(one)]

    def _removes(self, report: Report) -> bool:
        wanted, said = self.wanted().removal, report.said
        return bool(wanted) and said is not None and redaction_of(said) is None

    def wanted(self) -> Consequences:
        removes = self.cleaned_data.get("remove_message")
        return Consequences(removal=Removal.THIS) if removes else NONE


class RejectSeveralForm(DecideSeveralForm):
    state = Report.State.REJECTED
    templates = NOT_WRONG
    reason_help: ClassVar[Promise] = _("Shown to the people who made the reports.")
