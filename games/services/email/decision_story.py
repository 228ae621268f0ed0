"""The story of a decision: when a turn began, what its player was sent, and what was played.

A decision is that of a seat in a phase. Moderators read it as spectators do, with the emails;
players read their own.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import extensions
from games.models import Cause, EmailOutage, Game, Miss, Move, OutboxEmail, Seat, Sitting, User
from games.presentation.text.words import day_and_hour, moment, to_the_minute
from games.services.email.kinds import label_of
from games.services.email.replies import reply_of
from games.services.game.position import Position, read_position
from games.services.game.queries.decisions import (
    BY_HAND,
    DecisionLine,
    absences,
    is_open,
    line_of,
    own_moves,
    was_played_for,
)
from games.services.game.queries.log import Entry, Log, read_event
from games.services.game.replay import EventRow, StoredEvent, event_rows, mover_of
from games.table_events import (
    DeadlineMoved,
    SeatEvent,
    VoteClosed,
    VoteOpened,
    WholeTableEvent,
)

KINDS: Final = (
    "your_turn", "reminder", "last_reminder", "talk_reminder", "default_played", "marked_absent",
    "table_news",
)  # fmt: skip
"""The kinds of email that tell a player of their decision, and of what became of it."""

REMINDERS: Final = ("reminder", "last_reminder")
EMAIL_IS_KEPT: Final = timedelta(days=90)


class StoryLine(NamedTuple):
    """What happened, and when on the reader's clock; `detail` is what became of an email, or why.

    `names` are those in the text.
    """

    at: datetime
    when: str
    text: str
    detail: str = ""
    names: Sequence[str] = ()


class Story(NamedTuple):
    """The story of one decision. `missing` says what there should have been, and wasn't."""

    decision: DecisionLine
    lines: list[StoryLine]
    missing: list[str]


class _Decision(NamedTuple):
    """A decision with all that was read once for its story; `user` reads it, None a moderator."""

    game: Game
    user: User | None
    position: Position
    rows: list[EventRow]
    seat: Seat
    move: Move | None
    decision: DecisionLine
    zone: str


def read_own_story(game: Game, user: User, phase_no: int, zone: str) -> Story | None:
    """What was played for this person in a phase, and why; None where nothing was."""
    position, rows = read_position(game, user), event_rows(game)
    found = own_moves(game, user).filter(phase_no=phase_no).select_related("seat").first()
    if found is None or not was_played_for(found, user):
        return None
    decision = line_of(position, found.seat, found, absences(rows), zone, own=True)
    seat = position.seats[decision.seat]
    return _story(_Decision(game, user, position, rows, seat, found, decision, zone))


def read_story(game: Game, number: int, phase_no: int, zone: str) -> Story | None:
    """The decision of a seat in a phase, as a moderator may read it; None where it had none.

    Of a move that the player made while the game runs there is only what all can see: emails, or
    their absence, would say that it was a standing order.
    """
    position, rows = read_position(game, None), event_rows(game)
    seat = next((one for one in position.seats if one.number == number), None)
    if seat is None:
        return None
    move = game.moves.filter(seat=seat, phase_no=phase_no).first()
    if move is None and not (phase_no == game.phase_no and is_open(game, seat)):
        return None
    decision = line_of(position, seat, move, absences(rows), zone)
    return _story(_Decision(game, None, position, rows, seat, move, decision, zone))


def _story(one: _Decision) -> Story:
    game, move, decision = one.game, one.move, one.decision
    log = Log(game, one.rows, one.position.reader._replace(zone=one.zone))
    phase = [row for row in one.rows if row.phase_no == decision.phase_no]
    lines = [_of_log(log, entry, one.zone) for entry in _entries(log, decision)]
    is_by_hand = move is not None and move.cause in BY_HAND
    if (one.user is None and is_by_hand and game.status == Game.Status.RUNNING) or not phase:
        return Story(decision, lines, [])
    people = _people(one, phase[0].at)
    emails = list(
        OutboxEmail.objects.filter(
            game=game, phase_no=decision.phase_no, kind__in=KINDS, person__in=people
        ).order_by("created_at", "pk")
    )
    began = _turn_began(one, phase, emails)
    lines += [*began, *(_of_email(email, one) for email in emails)]
    lines += _of_outages(phase[0].at, move, one.zone)
    lines.sort(key=lambda line: to_the_minute(line.at))
    missing = list(_missing(move, emails, people)) if began else []
    return Story(decision, lines, [*missing, *_of_miss(one)])


def _entries(log: Log, decision: DecisionLine) -> Iterator[Entry]:
    """The entries of this phase that are about this seat, or about the whole table."""
    for turn in reversed(log.turns):
        for entry in turn.all_lines:
            if entry.row.phase_no != decision.phase_no or entry.thread is not None:
                continue
            event = read_event(entry.row, None)
            if isinstance(event, VoteOpened | VoteClosed):
                continue
            of_seat = isinstance(event, SeatEvent) and event.seat == decision.seat
            if of_seat or isinstance(event, WholeTableEvent) or mover_of(event) == decision.seat:
                yield entry


def _of_log(log: Log, entry: Entry, zone: str) -> StoryLine:
    line = log.line(entry)
    text = f"{line.text} ({line.cause})" if line.cause and not line.is_heading else line.text
    when = day_and_hour(to_the_minute(entry.row.at), zone)
    return StoryLine(entry.row.at, when, text, line.reason, line.names)


def _people(one: _Decision, since: datetime) -> list[User]:
    """Who sat there from then on until the move; of a reader's own decision they alone."""
    if one.user is not None:
        return [one.user]
    until = timezone.now() if one.move is None else one.move.at
    sittings = Sitting.objects.filter(seat=one.seat, began_at__lte=until, user__isnull=False)
    sittings = sittings.filter(Q(ended_at=None) | Q(ended_at__gte=since)).select_related("user")
    return [sitting.user for sitting in sittings if sitting.user is not None]


def _turn_began(
    one: _Decision, phase: Sequence[StoredEvent], emails: Sequence[OutboxEmail]
) -> list[StoryLine]:
    """When the turn of this seat began, and with which deadline, as far as that is known."""
    first = next((email.created_at for email in emails if email.kind == "your_turn"), None)
    decision, zone = one.decision, one.zone
    at_move = one.seat if one.move is None else one.move
    since = at_move.to_move_since or first
    if since is None:
        return []
    moved = [row.payload for row in phase if row.kind == DeadlineMoved.__name__]
    before = [row["before"] for row in moved if row["seat"] == decision.seat]
    deadline = datetime.fromisoformat(before[0]) if before else at_move.deadline_at
    text = _("{name}'s turn began.").format(name=decision.who)
    if one.user is not None:
        text = _("Your turn began.")
    detail = ""
    if deadline is not None:
        detail = _("Deadline: {moment}").format(moment=day_and_hour(deadline, zone))
    return [StoryLine(since, day_and_hour(since, zone), text, detail, [decision.who])]


def _of_email(email: OutboxEmail, one: _Decision) -> StoryLine:
    text = _("Email: {kind}").format(kind=label_of(email))
    when = day_and_hour(email.created_at, one.zone)
    fate = fate_text(email, one.zone, own=one.user is not None)
    return StoryLine(email.created_at, when, text, fate)


def fate_text(email: OutboxEmail, zone: str, *, own: bool = False) -> str:
    """What has become of an email; to its own reader without errors of ours."""
    status, reply = OutboxEmail.Status(email.status), reply_of(email)
    error = reply.text if reply.by_server or not own else _("an error on our side")
    match status:
        case OutboxEmail.Status.SENT if email.sent_at is not None:
            return _("sent on {moment}").format(moment=moment(email.sent_at, zone))
        case OutboxEmail.Status.FAILED:
            return _("failed: {error}").format(error=error)
        case OutboxEmail.Status.READY if email.error:
            return _("not sent yet: {error}").format(error=error)
        case OutboxEmail.Status.DROPPED:
            return _("not sent: turned off, or no longer relevant by then")
        case _:
            return str(status.label)


def _of_outages(since: datetime, move: Move | None, zone: str) -> Iterator[StoryLine]:
    """The times in which no email left for anybody, as far as they are still known."""
    until = timezone.now() if move is None else move.at
    outages: QuerySet[EmailOutage] = EmailOutage.objects.filter(since__lte=until)
    for outage in outages.filter(Q(until=None) | Q(until__gte=since)):
        yield StoryLine(
            outage.since, day_and_hour(outage.since, zone), _("Email was down for everyone.")
        )
        if outage.until is not None:
            when = day_and_hour(outage.until, zone)
            yield StoryLine(outage.until, when, _("Email worked again."))


_NEVER_WRITTEN: Final = {
    "your_turn": gettext_lazy("No “your turn” email was written."),
    "reminder": gettext_lazy("No reminder was written."),
}


def _missing(
    move: Move | None, emails: Sequence[OutboxEmail], people: Sequence[User]
) -> Iterator[str]:
    """What should have been written and wasn't, and what keeps the player from hearing of it."""
    at = timezone.now() if move is None else move.at
    if timezone.now() - at > EMAIL_IS_KEPT:
        text = _("Emails are kept for {days} days, so those about this decision are gone.")
        yield text.format(days=EMAIL_IS_KEPT.days)
        return
    if all(email.kind != "your_turn" for email in emails):
        yield str(_NEVER_WRITTEN["your_turn"])
    by_clock = move is not None and move.cause == Cause.CLOCK
    if by_clock and all(email.kind not in REMINDERS for email in emails):
        yield str(_NEVER_WRITTEN["reminder"])
    for person in people:
        if person.is_unreachable and person.refused_email_at is not None:
            text = _("Email to this address is being rejected: {why}")
            yield text.format(why=person.refused_email_why)
        for channel in extensions.channels():
            if channel.is_on() and channel.reaches(person):
                yield str(channel.in_story)


def _of_miss(one: _Decision) -> Iterator[str]:
    """Whether it counts as a missed deadline."""
    move = one.move
    if move is None or move.cause != Cause.CLOCK or move.deadline_at is None or move.abandoned:
        return
    if Miss.objects.filter(seat=one.seat, phase_no=move.phase_no).exists():
        yield _("This counts as a missed deadline.")
    else:
        yield _("This doesn't count as a missed deadline.")
