"""A person as moderators see them: how they stand, their notes, games and misses, and the story.

Only what everybody at their tables may know is told of running games. It counts no rows.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.models import AuditLine, FactorReset, Game, Sanction, Seat, Sitting, StaffNote, User
from games.presentation.text.words import moment
from games.services.accounts import factor_resets
from games.services.accounts.on_request import has_second_factor
from games.services.moderation.actions.person_action import keeps_order
from games.services.moderation.audit.queries import lines_for
from games.services.moderation.audit.words import actor_name
from games.services.moderation.queries.appeals import (
    can_be_shortened,
    is_appealed,
    may_answer,
)
from games.services.people.queries.sanctions import is_in_force, lifted_text, sanction_text
from games.services.reports.queries import about_text
from games.services.reports.rights import WITHOUT_REPORT, reports_for

MOST: Final = 50
"""How many lines of each list are shown, the latest."""


class Standing(NamedTuple):
    """How a person stands now, for the actions that are possible.

    `appeals` says whether the reader may answer an appeal of theirs, `own_appeals` whether there
    are only some against the reader's own decisions. `shortens` says whether the oldest that they
    may answer is against something that can be shortened.
    """

    is_active: bool
    muted: bool
    suspended: bool
    warned_at: datetime | None
    """When they were last warned, if that stands."""
    appeals: bool
    own_appeals: bool
    needs_second_factor: bool
    is_staff: bool
    has_second_factor: bool
    reset: FactorReset | None
    """The one that their second factor waits for."""
    is_unreachable: bool
    shortens: bool = False


class Line(NamedTuple):
    """A line about a person: a sentence, what it leads to ("" where nothing), more of it below."""

    text: str
    link: str = ""
    more: tuple[str, ...] = ()


class PersonPage(NamedTuple):
    """All that the page shows besides the actions."""

    facts: list[str]
    notes: list[Line]
    waiting: list[Line]
    games: list[Line]
    sanctions: list[Line]
    reports: list[Line]
    audit: list[Line]


def standing_of(person: User, reader: User, now: datetime) -> tuple[Standing, list[str]]:
    """How somebody stands for the actions of `reader`, from the database.

    And what `reader` has to know to answer an appeal: the decision, its reason, and the appeal.
    """
    sanctions = _sanctions(person, reader)
    oldest = next(iter(_answerable(sanctions, reader, now)), None)
    line = sanction_line(oldest, reader.time_zone, now) if oldest is not None else None
    facts = [line.text, *line.more] if line is not None else []
    return _standing(person, reader, sanctions, now), facts


def _sanctions(person: User, reader: User) -> list[Sanction]:
    """The latest decisions about somebody, those that the reader may know of."""
    return list(sanctions_for(reader, person.sanctions.select_related("by"))[:MOST])


def _answerable(sanctions: Iterable[Sanction], reader: User, now: datetime) -> list[Sanction]:
    """Those with an open appeal that the reader may answer, the oldest appeal first."""
    open_ones = (one for one in sanctions if is_appealed(one) and may_answer(one, reader))
    return sorted(open_ones, key=lambda one: one.appealed_at or now)


def _standing(person: User, reader: User, sanctions: list[Sanction], now: datetime) -> Standing:
    answerable = _answerable(sanctions, reader, now)
    warnings = (
        one.at for one in sanctions if one.kind == Sanction.Kind.WARNING and not one.ended_at
    )
    return Standing(
        is_active=person.is_active,
        muted=person.is_muted(now),
        suspended=person.is_suspended(now),
        warned_at=max(warnings, default=None),
        appeals=bool(answerable),
        own_appeals=not answerable and any(map(is_appealed, sanctions)),
        needs_second_factor=person.needs_second_factor,
        is_staff=person.is_staff,
        has_second_factor=has_second_factor(person),
        reset=factor_resets.pending(person),
        shortens=bool(answerable) and can_be_shortened(answerable[0], now),
        is_unreachable=person.is_unreachable,
    )


def read_person(
    person: User, reader: User, now: datetime, title_of: Callable[[str], str]
) -> tuple[Standing, PersonPage]:
    """What `reader` may see of somebody, in words on the reader's clock.

    `title_of` says what an action is called.

    Nobody reads the notes about themselves.
    """
    zone = reader.time_zone
    sanctions = _sanctions(person, reader)
    notes = person.staff_notes.select_related("author").exclude(person=reader)
    page = PersonPage(
        facts=standing_facts(person, zone, now),
        notes=[_note_line(note, zone) for note in notes[:MOST]],
        waiting=_waiting(person),
        games=_games(person, zone),
        sanctions=[sanction_line(one, zone, now) for one in sanctions],
        reports=_reports(person, reader),
        audit=_audit(person, reader, title_of),
    )
    return _standing(person, reader, sanctions, now), page


def _reports(person: User, reader: User) -> list[Line]:
    """What was reported about the person, as far as the reader may know of it."""
    text = _("{moment}: {about}, {state}")
    rows = reports_for(reader).filter(person=person).exclude(WITHOUT_REPORT)
    rows = rows.select_related("person", "game", "message")
    return [
        Line(
            text.format(
                moment=moment(report.at, reader.time_zone),
                about=about_text(report),
                state=report.get_state_display(),
            ),
            reverse("admin:games_report_change", args=[report.pk]),
        )
        for report in rows.order_by("-pk")[:MOST]
    ]


def standing_facts(person: User, zone: str, now: datetime) -> list[str]:
    """How somebody stands, in sentences."""
    facts = []
    if keeps_order(person):
        administrator = person.has_perm("games.administer_site")
        facts.append(
            _("This person is an administrator.")
            if administrator
            else _("This person is a moderator.")
        )
    facts += _imposed(person, zone, now)
    if person.needs_second_factor:
        facts.append(_("Must use two-factor authentication."))
    if reset := factor_resets.pending(person):
        text = _("Two-factor authentication will be reset by {moment}, at the request of {who}.")
        who = reset.requested_by or _("a deleted account")
        facts.append(text.format(moment=moment(reset.due_at, zone), who=who))
    if person.is_unreachable and person.refused_email_at is not None:
        text = _(
            "Hasn't received email since {moment}: email to {address} is being rejected ({why})."
        )
        since = moment(person.refused_email_at, zone)
        facts.append(text.format(moment=since, address=person.email, why=person.refused_email_why))
    second_factor = (
        _("Has two-factor authentication.")
        if has_second_factor(person)
        else _("Doesn't have two-factor authentication.")
    )
    return [*(facts or [_("No active sanctions.")]), second_factor]


def standing_text(person: User, zone: str, now: datetime) -> str:
    """The same in a list, in short; "" where there is nothing to say."""
    keeper = [_("Moderator.")] if person.is_staff else []
    return " ".join([*keeper, *_imposed(person, zone, now)])


def _imposed(person: User, zone: str, now: datetime) -> list[str]:
    """What was imposed on somebody and holds, the gravest first."""
    facts = [] if person.is_active else [_("Banned.")]
    for text, until in (
        (_("Suspended until {moment}."), person.suspended_until),
        (_("Muted until {moment}."), person.muted_until),
    ):
        if until is not None and until > now:
            facts.append(text.format(moment=moment(until, zone)))
    return facts


def sanction_line(sanction: Sanction, zone: str, now: datetime) -> Line:
    """A decision about a person: by whom, why, until when, and what they have against it."""
    text = _("{what}, by {who}. {reason}").format(
        what=sanction_text(sanction, zone),
        who=sanction.by or _("a deleted account"),
        reason=sanction.reason,
    )
    more = []
    if sanction.until is not None:
        until = moment(sanction.until, zone)
        held = (
            _("Until {moment}.")
            if is_in_force(sanction, now)
            else _("Until {moment} (no longer in force).")
        )
        more.append(held.format(moment=until))
    if sanction.ended_at is not None and sanction.ended_at != sanction.until:
        more.append(lifted_text(sanction, sanction.ended_at, zone))
    if sanction.kind == Sanction.Kind.WARNING and sanction.seen_at is not None:
        more.append(_("Read on {moment}.").format(moment=moment(sanction.seen_at, zone)))
    if sanction.appeal:
        more.append(pgettext("against a sanction", "Appeal: {text}").format(text=sanction.appeal))
    if sanction.answer:
        more.append(_("Answer: {text}").format(text=sanction.answer))
    link = ""
    if sanction.report_id is not None:
        link = reverse("admin:games_report_change", args=[sanction.report_id])
    return Line(text, link, tuple(more))


def sanctions_for(reader: User, rows: QuerySet[Sanction]) -> QuerySet[Sanction]:
    """Those of these sanctions that a moderator may read: not those for reports not for them."""
    return rows.filter(Q(report=None) | Q(report__in=reports_for(reader)))


def _note_line(note: StaffNote, zone: str) -> Line:
    text = _("{moment}, {who}:").format(
        moment=moment(note.at, zone), who=note.author or _("a deleted account")
    )
    return Line(text, "", (note.text,))


def _waiting(person: User) -> list[Line]:
    """The tables that wait for players at which they sit."""
    seats = Seat.objects.filter(user=person, game__status=Game.Status.WAITING)
    return [Line(str(seat.game), _admin_page(seat.game)) for seat in seats.select_related("game")]


def _games(person: User, zone: str) -> list[Line]:
    """The games they played or play, the latest first, with what they missed there."""
    sittings = Sitting.objects.filter(user=person).select_related("seat__game")
    return [
        Line(
            _("{game}: {status}. Joined on {moment}.").format(
                game=sitting.seat.game,
                status=sitting.seat.game.get_status_display(),
                moment=moment(sitting.began_at, zone),
            ),
            _admin_page(sitting.seat.game),
            tuple(_misses(sitting, zone)),
        )
        for sitting in sittings.order_by("-pk")[:MOST]
    ]


def _misses(sitting: Sitting, zone: str) -> Iterable[str]:
    """What they missed and when they were gone, while they sat there; the table sees it too."""
    seat = sitting.seat
    if sitting.ended_at is not None:
        yield _("Left on {moment}.").format(moment=moment(sitting.ended_at, zone))
        return
    if missed := sum(seat.missed):
        text = _("Deadlines missed: {count} of the last {all}.")
        yield text.format(count=missed, all=len(seat.missed))
    if seat.absent_since is not None:
        yield _("Absent since {moment}.").format(moment=moment(seat.absent_since, zone))


def _admin_page(game: Game) -> str:
    return reverse("admin:games_game_change", args=[game.pk])


def _audit(person: User, reader: User, title_of: Callable[[str], str]) -> list[Line]:
    """What was done to them, at tables or as a person, the latest first."""
    rows = lines_for(reader).filter(person=person).select_related("game")
    lines = list(rows[:MOST])
    reports = reports_in(lines, reader)
    return [
        Line(
            _("{moment}: {act}, by {who}. {reason}").format(
                moment=moment(line.at, reader.time_zone),
                act=title_of(line.action),
                who=actor_name(line.who),
                reason=line.reason,
            ),
            _page_of(line, reports),
            (str(line.game),) if line.game is not None else (),
        )
        for line in lines
    ]


def reports_in(lines: list[AuditLine], reader: User) -> set[int]:
    """The reports that the lines are about, and that the reader may know of."""
    numbers = [number for line in lines if (number := report_of(line)) is not None]
    if not numbers:
        return set()
    return set(reports_for(reader).filter(pk__in=numbers).values_list("pk", flat=True))


def report_of(line: AuditLine) -> int | None:
    """The number of the report that a line is about, or came from."""
    number: int | None = line.before.get("report", line.after.get("report"))
    return number


def _page_of(line: AuditLine, reports: set[int]) -> str:
    """Where a line of the audit log leads: to its report, else to its game, else nowhere."""
    if (number := report_of(line)) in reports:
        return reverse("admin:games_report_change", args=[number])
    return "" if line.game is None else _admin_page(line.game)
