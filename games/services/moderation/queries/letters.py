"""The emails about a decision as they will be read, before it is made."""

from copy import copy
from datetime import timedelta
from typing import NamedTuple

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from games.models import Report, User
from games.services.email.report_emails import decided_for_person, decided_for_reporter
from games.services.email.two_parts import subject_and_text
from games.services.moderation.actions.consequences import (
    Consequences,
    Removal,
    public_messages,
)
from games.services.moderation.queries.everything import public_messages as public_messages_of
from games.services.people.queries.sanctions import IMPOSED_BY
from games.services.reports.consequences import THE_REPORTED_ONE, Consequence


class Preview(NamedTuple):
    """The subject and the text of an email."""

    subject: str
    text: str


def preview_of_decision(report: Report, person: User, wanted: Consequences) -> Preview:
    """What one of both sides will read, in their language, if this report were decided as it says.

    `report` is decided in memory only, by its owner.
    """
    with translation.override(person.language or settings.LANGUAGE_CODE):
        if person.pk == report.person_id:
            followed = _will_follow(report, wanted)
            at = report.decided_at or report.at
            context = decided_for_person(report, person, at, followed, may_appeal=True)
        else:
            context = decided_for_reporter(report)
            if report.said is not None and wanted.removal in {
                Removal.THIS, Removal.ALL, Removal.EVERYWHERE,
            }:  # fmt: skip
                context["done"] = [_("The message was removed.")]
        context |= {"person": _as_called_then(person, report, wanted), "layout": "email/base"}
        return Preview(*subject_and_text("email/report_decided.txt", context))


def _as_called_then(person: User, report: Report, wanted: Consequences) -> User:
    """The reader, in memory by a new name if they get one."""
    reader = copy(person)
    if person.pk == report.person_id and wanted.name:
        reader.name = wanted.name
    return reader


def _will_follow(report: Report, wanted: Consequences) -> list[Consequence]:
    """What will be done, as `of_report` will read it."""
    followed = []
    if wanted.sanction is not None:
        at = report.decided_at or report.at
        until = at + timedelta(days=wanted.days) if wanted.days else None
        followed.append(Consequence(IMPOSED_BY[wanted.sanction], until))
    names = {"person.rename": wanted.name, "game.rename": wanted.table_name}
    followed += [Consequence(action, called=name) for action, name in names.items() if name]
    match wanted.removal:
        case Removal.NOTHING:
            pass
        case Removal.DESCRIPTION:
            followed.append(Consequence("game.remove-note"))
        case Removal.THIS:
            followed.append(Consequence("message.remove", messages=THE_REPORTED_ONE))
        case Removal.ALL:
            count = public_messages(report).count()
            only = count == 1 and report.said is not None
            messages = THE_REPORTED_ONE if only else count
            followed.append(Consequence("message.remove", messages=messages))
        case Removal.EVERYWHERE:
            followed += _removed_everywhere(report)
    return followed


def _removed_everywhere(report: Report) -> list[Consequence]:
    if report.person is None or report.owner is None:
        return []
    games = public_messages_of(report.person, report.owner).values_list("game", flat=True)
    count, here = len(games), [game == report.game_id for game in games]
    if count == 1 and all(here) and report.said is not None:
        return [Consequence("message.remove", messages=THE_REPORTED_ONE)]
    removed = Consequence("message.remove", messages=count, everywhere=not all(here))
    return [removed] if count else []
