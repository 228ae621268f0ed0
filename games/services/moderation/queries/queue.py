"""The queue: reports and appeals that wait. All reports about one thing are one row.

Appeals come first, then threats, then the rest; of each those first that have waited longest.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from datetime import datetime
from enum import IntEnum
from typing import Final, NamedTuple

from django.db.models import Case, IntegerField, Q, Value, When
from django.urls import reverse
from django.utils.text import Truncator, capfirst
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.models import Report, Sanction, User
from games.presentation.text.words import moment
from games.services.moderation.queries.appeals import others_keep_order
from games.services.reports.about import AboutPerson, about, reports_about
from games.services.reports.queries import (
    REDACTIONS,
    about_text,
    message_text,
    own_words,
    was_removed,
)
from games.services.reports.rights import reports_for

MOST_READ: Final = 300
"""How many reports that wait are looked at, the most urgent ones."""

LONGEST: Final = 120
"""How many characters of a text the queue shows."""

State = Report.State
Kind = Report.Kind

_READ_WITH: Final = ("person", "game", "owner", *REDACTIONS)
_COLUMNS: Final = (
    "person", "game", "owner", "message", "private_message", "person__name", "game__name",
    "owner__name", "person_name", "table_words", "frozen", "kind", "state", "text", "appeal", "at",
    "appealed_at",
)  # fmt: skip
"""What a row shows and is sorted by: with all columns, reading took half as long again."""


class Urgency(IntEnum):
    APPEAL = 0
    THREAT = 1
    REST = 2


class QueueLine(NamedTuple):
    """One report of a row of several: its number, kind, reason, time, and who has it.

    `free` says that the reader may decide it: nobody else has it.
    """

    number: int
    kind: str
    text: str
    at: str
    owner: str
    free: bool


class QueueRow(NamedTuple):
    """Everything that waits about one message, table or person; or an appeal.

    `words` are what was reported, `why` the latest reason or the appeal, `owners` who has it. The
    `page` is that of the latest report, or of the person who appeals against a sanction. `action`
    is the key of the next step, on the page `step`; "" where it is somebody else's. Several reports
    say `how_many` they are, and have `lines`; the next step is with the latest that is free.
    Decisions have no such action, but a `step_name`.
    """

    about: str
    how_many: str
    kinds: str
    words: str
    why: str
    age: str
    since: str
    owners: str
    page: str
    action: str = ""
    step: str = ""
    step_name: str = ""
    lines: tuple[QueueLine, ...] = ()
    free: tuple[int, ...] = ()
    """The numbers of the reports that the reader may decide together."""

    @property
    def numbers(self) -> str:
        """The numbers of `free`, as a form sends them."""
        return " ".join(map(str, self.free))


class Waiting(NamedTuple):
    """What comes in one row, as it is sorted: reports, or the appeal against a sanction."""

    urgency: Urgency
    since: datetime
    reports: tuple[Report, ...] = ()
    sanction: Sanction | None = None


def read_queue(moderator: User, now: datetime, most: int) -> tuple[list[QueueRow], bool]:
    """The first rows of the queue, and whether there are more."""
    waiting = _sorted([*_groups(moderator), *_against_sanctions(moderator)])
    more = len(waiting) > most or sum(len(one.reports) for one in waiting) >= MOST_READ
    return _rows(waiting[:most], moderator, now), more


def read_reports(moderator: User, now: datetime, most: int) -> list[QueueRow]:
    """The same without the appeals against sanctions."""
    return _rows(_sorted(_groups(moderator))[:most], moderator, now)


def _sorted(waiting: Iterable[Waiting]) -> list[Waiting]:
    return sorted(waiting, key=lambda one: (one.urgency, one.since))


def _groups(moderator: User) -> Iterator[Waiting]:
    """The reports that wait, those about one thing together; each appeal is on its own."""
    order = Case(
        When(state=State.APPEALED, then=Value(0)),
        When(kind=Kind.THREAT, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    waiting = reports_for(moderator).filter(state__in=Report.WAITING)
    waiting = waiting.select_related(*_READ_WITH).only(*_COLUMNS)
    together: dict[Hashable, list[Report]] = {}
    for report in waiting.order_by(order, "at", "pk")[:MOST_READ]:
        together.setdefault(same_thing(report), []).append(report)
    for reports in together.values():
        yield Waiting(
            min(map(_urgency, reports)),
            min(_since(report) for report in reports),
            tuple(sorted(reports, key=lambda one: -one.pk)),
        )


def same_thing(report: Report) -> Hashable:
    """The same for reports that are decided together."""
    what = about(report)
    alone = report.state == State.APPEALED or what == AboutPerson(None)
    return report.pk if alone else (type(what), what)


def waiting_about_the_same(report: Report, moderator: User) -> list[int]:
    """The numbers of all reports that the moderator may decide together with this one.

    Empty where there is no other.
    """
    if same_thing(report) == report.pk or not _is_free(report, moderator):
        return []
    same = reports_for(moderator, reports_about(about(report)))
    waiting = same.filter(state__in=Report.WITHOUT_DECISION)
    free = waiting.filter(Q(owner=None) | Q(owner=moderator)).order_by("pk")
    numbers = list(free.values_list("pk", flat=True)[:MOST_READ])
    return numbers if len(numbers) > 1 else []


def _urgency(report: Report) -> Urgency:
    if report.state == State.APPEALED:
        return Urgency.APPEAL
    return Urgency.THREAT if report.kind == Kind.THREAT else Urgency.REST


def _since(report: Report) -> datetime:
    appealed = report.appealed_at if report.state == State.APPEALED else None
    return appealed or report.at


def _against_sanctions(moderator: User) -> Iterator[Waiting]:
    """The appeals of others against sanctions that nobody has answered."""
    waiting = Sanction.objects.filter(appealed_at__isnull=False, answered_at=None)
    others = waiting.exclude(person=moderator)
    for sanction in others.select_related("person", "by").order_by("appealed_at")[:MOST_READ]:
        at = sanction.appealed_at or sanction.at
        yield Waiting(Urgency.APPEAL, at, sanction=sanction)


def _rows(waiting: list[Waiting], moderator: User, now: datetime) -> list[QueueRow]:
    others = any(one.sanction is not None for one in waiting) and others_keep_order(moderator)
    rows = []
    for one in waiting:
        if one.sanction is not None:
            answers = one.sanction.by_id != moderator.pk or not others
            rows.append(_row_of_sanction(one.sanction, moderator, now, answers=answers))
        else:
            rows.append(_row(one.reports, one.since, moderator, now))
    return rows


def _row(reports: Sequence[Report], since: datetime, moderator: User, now: datetime) -> QueueRow:
    """The row of these reports, the latest of them first."""
    latest, several = reports[0], len(reports) > 1
    free = tuple(report.pk for report in reports if _is_free(report, moderator))
    how_many = ngettext("{count} report", "{count} reports by {count} people", len(reports))
    appealed = latest.state == State.APPEALED
    names = {report.owner.name for report in reports if report.owner is not None}
    return QueueRow(
        about=about_text(latest),
        how_many=how_many.format(count=len(reports)) if several else "",
        kinds=pgettext("kind", "Appeal") if appealed else _kinds(reports),
        words=quoted(_short(_words(latest))),
        why=_short(latest.appeal if appealed else latest.text),
        age=timesince(since, now, depth=1),
        since=moment(since, moderator.time_zone),
        owners=", ".join(sorted(names)),
        page=reverse("admin:games_report_change", args=[latest.pk]),
        **_next_step(reports, free, moderator),
        lines=tuple(_lines(reports, moderator)) if several else (),
        free=free,
    )


def _words(report: Report) -> str:
    """What was reported; also where it has been removed, as long as it is kept."""
    return own_words(report) if was_removed(report) else message_text(report)


def _kinds(reports: Iterable[Report]) -> str:
    """The kinds of these reports, the most serious first."""
    chosen = {report.kind for report in reports}
    return str(capfirst("; ".join(str(kind.label) for kind in Kind if kind in chosen)))


def _lines(reports: Iterable[Report], moderator: User) -> Iterator[QueueLine]:
    for report in reports:
        yield QueueLine(
            number=report.pk,
            kind=capfirst(report.get_kind_display()),
            text=_short(report.text),
            at=moment(report.at, moderator.time_zone),
            owner=report.owner.name if report.owner is not None else "",
            free=_is_free(report, moderator),
        )


def _is_free(report: Report, moderator: User) -> bool:
    """Whether the moderator may decide it now, with others: nobody has it, or they do."""
    return report.state in Report.WITHOUT_DECISION and report.owner_id in {None, moderator.pk}


def _next_step(reports: Sequence[Report], free: Sequence[int], moderator: User) -> dict[str, str]:
    """What a row says of the next step; that of somebody else's report is theirs.

    A report and an appeal can go either way: the page to uphold leads to dismissing, too.
    """
    latest = reports[0]
    if latest.state == State.APPEALED:
        page = reverse("admin:games_report_change", args=[latest.pk])
        own = latest.owner_id == moderator.pk
        return {} if own else {"step": page, "step_name": _("Decide the appeal")}
    if not free:
        return {}
    page = reverse("admin:report_action", args=[free[0], "uphold"])
    return {"step": page, "step_name": _("Decide")}


def _row_of_sanction(
    sanction: Sanction, moderator: User, now: datetime, *, answers: bool
) -> QueueRow:
    at, slug = sanction.appealed_at or sanction.at, "answer-objection"
    return QueueRow(
        about=str(sanction.person),
        how_many="",
        kinds=pgettext("kind", "Appeal"),
        words=quoted(_short(sanction.reason)),
        why=_short(sanction.appeal),
        age=timesince(at, now, depth=1),
        since=moment(at, moderator.time_zone),
        owners="",
        page=reverse("admin:games_user_change", args=[sanction.person_id]),
        action=f"person.{slug}" if answers else "",
        step=reverse("admin:person_action", args=[sanction.person_id, slug]) if answers else "",
    )


def quoted(text: str) -> str:
    """A text in quotation marks; "" where there is none."""
    return _("“{text}”").format(text=text) if text else ""


def _short(text: str) -> str:
    return Truncator(" ".join(text.split())).chars(LONGEST)
