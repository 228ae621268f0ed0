"""The form that upholds a report, with what this brings the person and what both sides read."""

from copy import copy
from typing import Any, ClassVar, Final

from django import forms
from django.utils import timezone
from django.utils.functional import Promise, cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.forms.moderation.base import LONGEST_REASON, Letter, PreviewedForm
from games.forms.moderation.emailing import emailed_text
from games.forms.moderation.lengths import LENGTHS, days_text
from games.forms.moderation.report_actions import (
    WRONG,
    WRONG_BY_KIND,
    ReportActionForm,
)
from games.models import Report, Sanction, User
from games.models.people import validate_public_name
from games.names import LONGEST as LONGEST_PUBLIC_NAME
from games.services.chat.queries import redaction_of
from games.services.clean_text import tidy
from games.services.lobby.settings import LONGEST_NAME
from games.services.moderation.actions.consequences import (
    Consequences,
    Removal,
    latest_on_person,
    public_messages,
)
from games.services.moderation.actions.person_action import why_not
from games.services.moderation.actions.reports import was_upheld_before
from games.services.moderation.actions.sanctioning import EXCLUDING
from games.services.moderation.queries import everything
from games.services.moderation.queries.absence import what_follows
from games.services.moderation.queries.letters import preview_of_decision
from games.services.people import names
from games.services.people.display_names import reported_name
from games.services.reports.queries import about_text

Kind = Sanction.Kind

NOTHING: Final = "nothing"
KEEP: Final = gettext_lazy("Leave this empty to keep the name.")
THANKS: Final = gettext_lazy("Thank you. We have acted on your report.")


class UpholdForm(PreviewedForm, ReportActionForm):
    """All of it is shown first, with the emails as they will be read."""

    templates = WRONG
    reason_help: ClassVar[Promise] = gettext_lazy(
        "The person reads this, and so does everyone at the table where something is removed or "
        "renamed. Don't say who made the report."
    )

    consequence = forms.ChoiceField(
        label=gettext_lazy("Consequence for the person"), widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Muted: can keep playing, but can't write anything others read. Suspended: can only "
            "read, and is marked absent in all games right away. Banned: can't sign in at all."
        ),
    )  # fmt: skip
    new_name = forms.CharField(
        label=gettext_lazy("New name of the person"), required=False,
        max_length=LONGEST_PUBLIC_NAME, validators=[validate_public_name], help_text=KEEP,
    )  # fmt: skip
    new_table_name = forms.CharField(
        label=gettext_lazy("New name of the table"), required=False, max_length=LONGEST_NAME,
        help_text=KEEP,
    )  # fmt: skip
    remove_message = forms.ChoiceField(
        label=gettext_lazy("Remove"), required=False, widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Your reason is shown in place of each message. If an appeal succeeds, everything "
            "removed is restored."
        ),
    )  # fmt: skip
    others = forms.BooleanField(
        label=gettext_lazy("Other reports about the same person"), required=False,
        help_text=gettext_lazy(
            "Everyone who made one of them gets the same message as this reporter. The person gets "
            "no further emails."
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
            "why": str(WRONG_BY_KIND.get(self.report.kind, "")),
        }

    def prepare(self) -> None:
        name = self._name()
        self._fields["consequence"].label = _("Consequence for {name}").format(name=name)
        self._fields["new_name"].label = _("New name of {name}").format(name=name)
        if self.report.reporter is not None:
            text = _("To the reporter, {name}")
            self._fields["to_reporter"].label = text.format(name=self.report.reporter.name)
        may_be_sanctioned = self._may_be_sanctioned()
        nothing = [(NOTHING, _("nothing else"))]
        sanctions = _sanctions() if may_be_sanctioned else []
        self._fields["consequence"].choices = nothing + sanctions
        if not may_be_sanctioned or self.report.said is not None:
            del self.fields["new_name"]
        if not self.report.table_words:
            del self.fields["new_table_name"]
        if self.report.reporter is None:
            del self.fields["to_reporter"]
        removals = self._removals(everywhere=may_be_sanctioned)
        self._fields["remove_message"].choices = [(one.value, one.label) for one in removals]
        if removals == [Removal.NOTHING]:
            del self.fields["remove_message"]
        self._prepare_others()
        first = ["consequence", "new_name", "new_table_name", "remove_message", "others"]
        self.order_fields([*first, "why", "reason"])

    def _prepare_others(self) -> None:
        count = len(self._others)
        text = ngettext(
            "Also uphold {count} other open report about {name}",
            "Also uphold {count} other open reports about {name}",
            count,
        )
        self._fields["others"].label = text.format(count=count, name=self._name())
        if not count:
            del self.fields["others"]

    @cached_property
    def _others(self) -> list[Report]:
        """The other reports about the person that the moderator may decide now."""
        person = self.report.person
        if person is None or self.moderator is None:
            return []
        return list(everything.open_reports(person, self.moderator).exclude(pk=self.report.pk))

    def _may_be_sanctioned(self) -> bool:
        """Whether the moderator may act on the person; else the form says why not."""
        person, moderator = self.report.person, self.moderator
        if person is None or moderator is None:
            return False
        reason = why_not(moderator, person)
        if reason:
            self._fields["consequence"].help_text = reason
        return not reason

    def _removals(self, *, everywhere: bool) -> list[Removal]:
        """What can be removed: of a private conversation only the reported message."""
        report, found = self.report, [Removal.NOTHING]
        if report.said is not None and redaction_of(report.said) is None:
            found.append(Removal.THIS)
        places = self._written_at() if report.private_message_id is None else set()
        if report.table_words:
            if report.game is not None and report.game.description:
                found.append(Removal.DESCRIPTION)
        elif report.game_id in places:
            found.append(Removal.ALL)
        if everywhere and places - {report.game_id}:
            found.append(Removal.EVERYWHERE)
        return found

    def _written_at(self) -> set[int | None]:
        """The games at which the person has public messages that can be removed."""
        person, moderator = self.report.person, self.moderator
        if person is None or moderator is None:
            return set()
        said = everything.public_messages(person, moderator).exclude(text="").order_by()
        return set(said.values_list("game", flat=True).distinct())

    def clean_new_name(self) -> str:
        """No name that is refused anyway."""
        name: str = tidy(self.cleaned_data["new_name"])
        if name and (sentence := names.why_not(name)):
            raise forms.ValidationError(sentence)
        return name

    def clean_new_table_name(self) -> str:
        return " ".join(tidy(self.cleaned_data["new_table_name"]).split())

    def wanted(self) -> Consequences:
        """What is to happen."""
        kind, _colon, days = self.cleaned_data["consequence"].partition(":")
        return Consequences(
            sanction=None if kind == NOTHING else Kind(kind),
            days=int(days or 0),
            name=self.cleaned_data.get("new_name", ""),
            table_name=self.cleaned_data.get("new_table_name", ""),
            removal=Removal(self.cleaned_data.get("remove_message", "")),
            seen=self.cleaned_data["seen"],
        )

    def arguments(self) -> dict[str, Any]:
        return {
            "wanted": self.wanted(),
            "to_reporter": tidy(self.cleaned_data.get("to_reporter", "")),
            "others": [one.pk for one in self._others] if self._decides_others else [],
        }

    @property
    def _decides_others(self) -> bool:
        return bool(self.cleaned_data.get("others"))

    def consequences(self) -> list[str]:
        others = self._others if self._decides_others else []
        upheld = _("Upheld: {report}.")
        return [
            *self.what_happens(),
            *self._at_their_games(),
            self.who_is_emailed(),
            *(upheld.format(report=about_text(other)) for other in others),
        ]

    def what_happens(self) -> list[str]:
        """What is done, with names."""
        name, wanted, report = self._name(), self.wanted(), self.report
        sentences = [_sanction_text(wanted, name)]
        if wanted.name:
            text = _("{name} is renamed to “{new}”.")
            sentences.append(text.format(name=name, new=wanted.name))
        if wanted.table_name and report.game is not None:
            text = _("The table “{old}” is renamed to “{new}”.")
            sentences.append(text.format(old=report.game.name, new=wanted.table_name))
        sentences += self._what_is_removed(wanted.removal)
        return [sentence for sentence in sentences if sentence]

    def _what_is_removed(self, removal: Removal) -> list[str]:
        person, moderator = self.report.person, self.moderator
        if removal == Removal.EVERYWHERE and person is not None and moderator is not None:
            return everything.which_messages(person, moderator)
        return _removal_text(removal, self.report, self._name())

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
        report.owner, report.decided_at = self.moderator, timezone.now()
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

    def _at_their_games(self) -> list[str]:
        person: User | None = self.report.person
        excluded = self.wanted().sanction in EXCLUDING
        return what_follows(person) if person is not None and excluded else []


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
        case Removal.NOTHING | Removal.EVERYWHERE:
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
