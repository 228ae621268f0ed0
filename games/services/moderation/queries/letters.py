"""The emails about a decision as they will be read, before it is made."""

from collections.abc import Callable, Mapping
from copy import copy
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from games.models import Report, Sanction, User
from games.presentation.text.sanctions import decided
from games.services.email.kinds import KIND_BY_KEY
from games.services.email.people_emails import decided_about
from games.services.email.report_emails import (
    decided_for_person,
    decided_for_reporter,
    last_word_for_person,
    last_word_for_reporter,
    reopened_for_reporter,
)
from games.services.email.two_parts import subject_and_text
from games.services.moderation.actions.consequences import (
    Consequences,
    Removal,
    public_messages,
)
from games.services.moderation.queries.everything import public_messages as public_messages_of
from games.services.people.queries.sanctions import IMPOSED_BY, LIFTED_BY
from games.services.reports.consequences import (
    THE_REPORTED_ONE,
    Consequence,
    in_words,
    of_sanction,
)

NOT_YET: Final = 0
"""The key of a report, in memory, that is stored with the decision only."""

type Write = Callable[[], Mapping[str, Any]]
"""Gives the context of an email, in the language that is active then."""


class Preview(NamedTuple):
    """The subject and the text of an email."""

    subject: str
    text: str


def preview_of_decision(report: Report, person: User, wanted: Consequences) -> Preview:
    """What one of both sides will read, in their language, if this report were decided as it says.

    `report` is decided in memory only, by its owner.
    """

    def write() -> dict[str, Any]:
        if person.pk == report.person_id:
            followed = _will_follow(report, wanted)
            at = report.decided_at or report.at
            context = decided_for_person(report, person, at, followed, may_appeal=True)
            known = person.is_active and report.pk != NOT_YET
            return context if known else _without_link(context)
        context = decided_for_reporter(report)
        if report.said is not None and wanted.removal in {
            Removal.THIS, Removal.ALL, Removal.EVERYWHERE,
        }:  # fmt: skip
            context["done"] = [_("The message was removed.")]
        return context

    return _letter("report_decided", _as_called_then(person, report, wanted), write)


def preview_of_last_word(report: Report, person: User, days: int = 0) -> Preview:
    """The same if the report were closed as it says, in memory; shortened to so many days."""

    def write() -> Mapping[str, Any]:
        if person.pk != report.person_id:
            return last_word_for_reporter(report)
        return last_word_for_person(report, _will_hold(report, days, person.time_zone))

    return _letter("appeal_decided", person, write)


def preview_of_reopening(report: Report, person: User) -> Preview:
    """What the reporter will read if the report is opened again."""
    return _letter("report_reopened", person, lambda: reopened_for_reporter(report))


def preview_about_person(
    person: User, action: str, reason: str, *, until: datetime | None = None, name: str = ""
) -> Preview:
    """What somebody will read of an action on them."""
    reader = copy(person)
    reader.name = name or person.name

    def write() -> Mapping[str, Any]:
        context = decided_about(person, action, reason, until=until, name=name)
        can_sign_in = action == "person.lift-ban" or (person.is_active and action != "person.ban")
        return context if can_sign_in else _without_link(context)

    return _letter("conduct", reader, write)


def preview_of_test(person: User) -> Preview:
    """What is sent to try an address."""
    link = settings.SITE_URL + reverse("notifications")
    return _letter("address_test", person, lambda: {"link": link})


def _without_link(context: Mapping[str, Any]) -> dict[str, Any]:
    """Without a link that isn't known yet, or is a signed one, which moderators never see."""
    return {**context, "link": ""}


def _letter(kind: str, reader: User, write: Write) -> Preview:
    with translation.override(reader.language or settings.LANGUAGE_CODE):
        context = {
            "link_text": KIND_BY_KEY[kind].link_text,
            **write(),
            "person": reader,
            "layout": "email/base",
        }
        return Preview(*subject_and_text(f"email/{kind}.txt", context))


def _will_hold(report: Report, days: int, zone: str) -> list[str]:
    """What holds, or no longer holds, once a report is closed."""
    now = report.closed_at or report.at
    standing = report.sanctions.in_force(now).exclude(kind=Sanction.Kind.WARNING).order_by("pk")
    match report.state:
        case Report.State.TAKEN_BACK:
            return [decided(LIFTED_BY[Sanction.Kind(one.kind)]) for one in standing]
        case Report.State.SHORTENED:
            return [in_words(_shortened(one, now, days), zone) for one in standing[:1]]
        case _:
            return [in_words(of_sanction(one), zone) for one in standing]


def _shortened(sanction: Sanction, now: datetime, days: int) -> Consequence:
    kind = Sanction.Kind(sanction.kind)
    kept = Sanction.Kind.SUSPENSION if kind == Sanction.Kind.BAN else kind
    return Consequence(IMPOSED_BY[kept], now + timedelta(days=days))


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
