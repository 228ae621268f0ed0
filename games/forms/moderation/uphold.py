"""The form that upholds a report, with what this brings the person and what both sides read."""

from copy import copy
from typing import Any, ClassVar, Final

from django import forms
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.forms.moderation.base import LONGEST_REASON, Letter, PreviewedForm
from games.forms.moderation.lengths import LENGTHS, days_text
from games.forms.moderation.report_actions import WRONG, ReportActionForm, emailed_text
from games.models import Game, Report, Sanction, User
from games.models.people import validate_public_name
from games.names import LONGEST as LONGEST_PUBLIC_NAME
from games.services.chat.queries import redaction_of
from games.services.clean_text import tidy
from games.services.game.dormancy import tables_dormant_without
from games.services.lobby.settings import LONGEST_NAME
from games.services.moderation.actions.consequences import (
    Consequences,
    Removal,
    latest_on_person,
    public_messages,
)
from games.services.moderation.actions.person_action import why_not
from games.services.moderation.actions.reports import was_upheld_before
from games.services.moderation.queries.letters import preview_of_decision
from games.services.people import names
from games.services.people.display_names import reported_name

Kind = Sanction.Kind

NOTHING: Final = "nothing"
THANKS: Final = gettext_lazy("Thank you. We have acted on your report.")


class UpholdForm(PreviewedForm, ReportActionForm):
    """All of it is shown first, with the emails as they will be read."""

    templates = WRONG
    reason_help: ClassVar[Promise] = gettext_lazy(
        "The person reads this, and so does everyone at the table where something is removed or "
        "renamed. Don't say who made the report."
    )

    consequence = forms.ChoiceField(label=gettext_lazy("Consequence for the person"))
    new_name = forms.CharField(
        label=gettext_lazy("New name"), required=False, max_length=LONGEST_NAME,
        help_text=gettext_lazy("Leave this empty to keep the name."),
    )  # fmt: skip
    remove_message = forms.ChoiceField(
        label=gettext_lazy("Remove"), required=False,
        help_text=gettext_lazy(
            "Your reason is shown in place of each message. If an appeal succeeds, everything "
            "removed is restored."
        ),
    )  # fmt: skip
    to_reporter = forms.CharField(
        label=gettext_lazy("To the reporter"), max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("Only the person who made the report reads this."),
    )  # fmt: skip
    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def seen_now(self) -> dict[str, Any]:
        person = self.report.person
        return {
            "seen": latest_on_person(person, self.reader) if person is not None else 0,
            "to_reporter": THANKS,
        }

    def prepare(self) -> None:
        self._fields["consequence"].choices = [("", "-"), (NOTHING, _("nothing else"))]
        if self._may_be_sanctioned():
            self._fields["consequence"].choices += _sanctions()
        if self.report.reporter is None:
            del self.fields["to_reporter"]
        removals = self._removals()
        self._fields["remove_message"].choices = [(one.value, one.label) for one in removals]
        if removals == [Removal.NOTHING]:
            del self.fields["remove_message"]
        self._prepare_name()
        self.order_fields(["consequence", "new_name", "remove_message", "why", "reason"])

    def _may_be_sanctioned(self) -> bool:
        """Whether the moderator may act on the person; else the form says why not."""
        person, moderator = self.report.person, self.report.owner
        if person is None or moderator is None:
            return False
        reason = why_not(moderator, person)
        if reason:
            self._fields["consequence"].help_text = reason
        return not reason

    def _prepare_name(self) -> None:
        """Who or what is reported can be renamed: a table, or a person."""
        field = self._fields["new_name"]
        if self.report.table_words:
            field.label = _("New name of the table")
        elif self.report.said is None and len(self._fields["consequence"].choices) > 2:
            field.label = _("New name of the person")
            field.validators += [validate_public_name]
            field.max_length = LONGEST_PUBLIC_NAME
        else:
            del self.fields["new_name"]

    def _removals(self) -> list[Removal]:
        """What can be removed: of a private conversation only the reported message."""
        report, found = self.report, [Removal.NOTHING]
        if report.said is not None and redaction_of(report.said) is None:
            found.append(Removal.THIS)
        if report.table_words:
            if report.game is not None and report.game.description:
                found.append(Removal.DESCRIPTION)
        elif report.private_message_id is None and public_messages(report).exists():
            found.append(Removal.ALL)
        return found

    def clean_new_name(self) -> str:
        """No name that is refused anyway."""
        name: str = tidy(self.cleaned_data["new_name"])
        if name and not self.report.table_words and (sentence := names.why_not(name)):
            raise forms.ValidationError(sentence)
        return name

    def wanted(self) -> Consequences:
        """What is to happen."""
        kind, _colon, days = self.cleaned_data["consequence"].partition(":")
        return Consequences(
            sanction=None if kind == NOTHING else Kind(kind),
            days=int(days or 0),
            name=self.cleaned_data.get("new_name", ""),
            removal=Removal(self.cleaned_data.get("remove_message", "")),
            seen=self.cleaned_data["seen"],
        )

    def arguments(self) -> dict[str, Any]:
        return {
            "wanted": self.wanted(),
            "to_reporter": tidy(self.cleaned_data.get("to_reporter", "")),
        }

    def choice(self) -> str:
        """All that both sides read and that happens; the texts too are previewed."""
        return f"{super().choice()} {self.full_reason!r}"

    def consequences(self) -> list[str]:
        return [*self.what_happens(), *self._dormant(), self.who_is_emailed()]

    def what_happens(self) -> list[str]:
        """What is done, with names."""
        name, wanted, report = self._name(), self.wanted(), self.report
        sentences = [_sanction_text(wanted, name)]
        if wanted.name and report.game is not None and report.table_words:
            text = _("The table “{old}” is renamed to “{new}”.")
            sentences.append(text.format(old=report.game.name, new=wanted.name))
        elif wanted.name:
            text = _("{name} is renamed to “{new}”.")
            sentences.append(text.format(name=name, new=wanted.name))
        sentences += _removal_text(wanted.removal, report, name)
        return [sentence for sentence in sentences if sentence]

    def who_is_emailed(self) -> str:
        return emailed_text(self._readers())

    def letters(self) -> list[Letter]:
        """Both emails, as they will be read."""
        report = self._decided()
        wanted = self.wanted()
        return [
            Letter(person.name, *preview_of_decision(report, person, wanted))
            for person in self._readers()
        ]

    def _decided(self) -> Report:
        """The report as it will be, in memory."""
        report = copy(self.report)
        report.state, report.outcome = Report.State.UPHELD, self.full_reason
        report.decided_at = timezone.now()
        report.to_reporter = self.arguments()["to_reporter"]
        return report

    def _readers(self) -> list[User]:
        """Who is emailed: not the person again who was, where nothing else is done now."""
        report = self._decided()
        again = was_upheld_before(report) and not self.what_happens()
        both = (None if again else report.person, report.reporter)
        return [person for person in both if person is not None]

    def values(self) -> dict[str, Any]:
        """All that happens, for the result."""
        return {"done": " ".join([*self.what_happens(), self.who_is_emailed()])}

    def _name(self) -> str:
        person = self.report.person
        return person.name if person is not None else reported_name(self.report)

    def _dormant(self) -> list[str]:
        person: User | None = self.report.person
        if person is None or self.wanted().sanction not in {Kind.SUSPENSION, Kind.BAN}:
            return []
        text = _(
            "Nobody else is left at the table {game}, so the game will go dormant. It will "
            "continue when a player returns or a substitute takes a seat; otherwise it will end "
            "after {days} days."
        )
        days = Game.LONGEST_DORMANCY.days
        return [text.format(game=game, days=days) for game in tables_dormant_without(person)]


def _sanctions() -> list[tuple[str, str]]:
    """What may be chosen, mildest first."""
    mute, suspend = _("mute for {time}"), _("suspend for {time}")
    return [
        (Kind.WARNING, _("a warning")),
        *((f"{Kind.MUTE}:{days}", mute.format(time=days_text(days))) for days in LENGTHS),
        *((f"{Kind.SUSPENSION}:{days}", suspend.format(time=days_text(days))) for days in LENGTHS),
        (Kind.BAN, _("a ban")),
    ]


def _sanction_text(wanted: Consequences, name: str) -> str:
    time = days_text(wanted.days)
    match wanted.sanction:
        case None:
            return ""
        case Kind.WARNING:
            return _("{name} is warned.").format(name=name)
        case Kind.MUTE:
            return _("{name} is muted for {time}.").format(name=name, time=time)
        case Kind.SUSPENSION:
            return _("{name} is suspended for {time}.").format(name=name, time=time)
        case Kind.BAN:
            return _("{name} is banned.").format(name=name)


def _removal_text(removal: Removal, report: Report, name: str) -> list[str]:
    match removal:
        case Removal.NOTHING:
            return []
        case Removal.THIS:
            return [_("The message is removed.")]
        case Removal.DESCRIPTION:
            return [_("The description of the table is removed.")]
        case Removal.ALL:
            count = public_messages(report).count()
            text = ngettext(
                "{count} public message from {name} at this table is removed.",
                "{count} public messages from {name} at this table are removed.",
                count,
            )
            return [text.format(count=count, name=name)]
