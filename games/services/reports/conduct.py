"""How a person stands with the moderators, as their own page shows it, and their appeal."""

from datetime import datetime
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from games.models import Sanction, User
from games.services.people import sanctions as own_sanctions
from games.services.people.queries.sanctions import (
    how_long,
    is_in_force,
    sanction_text,
    why_lifted,
)
from games.services.public_ids import public_id
from games.services.reports import filing
from games.services.reports.queries import (
    REDACTIONS,
    STATES_FOR_PERSON,
    about_you_text,
    may_appeal,
)

MOST: Final = 50

_REDACTIONS_OF_REPORT: Final = [f"report__{path}" for path in REDACTIONS]


class ConductLine(NamedTuple):
    """A warning, mute, suspension or ban: what, since when, whether it holds, and why.

    `lifted_because` is why a moderator ended it before its time, "" where none did. `appeal` and
    `answer` are "" where there is none yet; of one that came with the decision on a report, which
    is `about` something of the person, they are those of the report.
    """

    id: str
    what: str
    holds: str
    in_force: bool
    reason: str
    lifted_because: str
    appeal: str
    answer: str
    may_appeal: bool
    about: str = ""


def read_conduct(person: User, now: datetime) -> list[ConductLine]:
    """What moderators have decided about somebody, the latest first."""
    rows = person.sanctions.select_related("report__game", *_REDACTIONS_OF_REPORT)
    sanctions = list(rows.prefetch_related("report__sanctions")[:MOST])
    lifted = why_lifted(person) if any(one.ended_at for one in sanctions) else None
    return [
        _line(one, person.time_zone, now)._replace(lifted_because=lifted(one) if lifted else "")
        for one in sanctions
    ]


def _line(sanction: Sanction, zone: str, now: datetime) -> ConductLine:
    in_force, report = is_in_force(sanction, now), sanction.report
    line = ConductLine(
        id=public_id("sanction", sanction.pk),
        what=sanction_text(sanction, zone),
        holds=how_long(sanction, zone, now),
        in_force=in_force,
        reason=sanction.reason,
        lifted_because="",
        appeal=sanction.appeal,
        answer=_appeal_answer(sanction),
        may_appeal=in_force and sanction.appealed_at is None,
    )
    if report is None:
        return line
    answer = f"{STATES_FOR_PERSON[report.state]} {report.last_word}".strip()
    return line._replace(
        about=about_you_text(report),
        appeal=report.appeal,
        answer=answer if report.appeal else "",
        may_appeal=may_appeal(report, now),
    )


def _appeal_answer(sanction: Sanction) -> str:
    if sanction.appealed_at is None:
        return ""
    if sanction.answered_at is None:
        return _("A moderator will review your appeal.")
    if not sanction.answer:
        return _("A moderator has lifted this sanction.")
    text = _("Your appeal was reviewed, and the decision stands: {reason}")
    return text.format(reason=sanction.answer)


def appeal(*, person: User, sanction_id: int, text: str, now: datetime) -> None:
    """Appeal a sanction of one's own; with the decision on a report, if it came with that."""
    report = person.sanctions.filter(pk=sanction_id).values_list("report", flat=True).first()
    if report is None:
        own_sanctions.appeal(person=person, sanction_id=sanction_id, text=text, now=now)
    else:
        filing.appeal(report_id=report, user=person, text=text, now=now)
