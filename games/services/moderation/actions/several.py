"""What moderators do to several reports at once: to each as to one, in its own transaction."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from games.services.moderation.actions import reports as one_report
from games.services.moderation.actions.consequences import NONE, Consequences, Removal
from games.services.moderation.actions.requests import ActionRequest
from games.services.refused import Refused

MOST_AT_ONCE: Final = 50

type Act = Callable[[ActionRequest, int], None]
"""Does something to the report with this number; `Refused` where that isn't possible."""


class Outcome(NamedTuple):
    """The numbers of the reports to which it was done, and of the others with why not."""

    done: list[int]
    refused: list[tuple[int, str]]


def take_several(request: ActionRequest, *, reports: Iterable[int]) -> Outcome:
    """Become the owner of each of these reports that nobody has taken."""
    return _each(request, reports, lambda one, number: one_report.take(one, report_id=number))


def uphold_several(
    request: ActionRequest, *, reports: Iterable[int], remove_message: bool = False
) -> Outcome:
    """Decide of each of these reports that nobody else has taken that it is right."""
    return _each(request, reports, partial(_uphold, remove_message=remove_message))


def reject_several(request: ActionRequest, *, reports: Iterable[int]) -> Outcome:
    """Decide of each of these reports that nobody else has taken that nothing is to be done."""
    return _each(request, reports, lambda one, number: one_report.reject(one, report_id=number))


def _uphold(request: ActionRequest, number: int, *, remove_message: bool) -> None:
    wanted = Consequences(removal=Removal.THIS) if remove_message else NONE
    one_report.uphold(request, report_id=number, wanted=wanted)


def _each(request: ActionRequest, reports: Iterable[int], act: Act) -> Outcome:
    outcome = Outcome([], [])
    for number in reports:
        try:
            act(request, number)
        except Refused as reason:
            outcome.refused.append((number, str(reason)))
        else:
            outcome.done.append(number)
    return outcome


def refuse_too_many(reports: list[int]) -> None:
    if not reports:
        raise Refused(_("Please choose at least one report."))
    if len(reports) > MOST_AT_ONCE:
        text = _("Please choose at most {most} reports at once.")
        raise Refused(text.format(most=MOST_AT_ONCE))
