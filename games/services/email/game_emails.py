"""Email about a table: the contexts of the templates, and whether it still applies.

Each function gets the row of the outbox, and its person's seat at its game.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine import decode_move
from games.models import Cause, Game, Move, OutboxEmail, Seat, User, Vote
from games.presentation.board.decision import Decision, bribes_so_far, decision_of, move_text
from games.presentation.board.small_board import small_board
from games.presentation.board.turn_summary import decision_in_short, result_in_short, result_text
from games.presentation.log.table_story import vote_text
from games.presentation.text.time_left import hour_or_day, time_left
from games.presentation.text.words import (
    capital,
    moment,
    with_currency,
)
from games.services.game import absence
from games.services.game.failures import parked_for_the_same
from games.services.game.interventions import left_seats
from games.services.game.position import Position, read_position
from games.services.game.private_offers import private_verdicts
from games.services.game.queries.ending import read_ending
from games.services.game.queries.log import Log, LogLine
from games.services.game.queries.promises import read_promises
from games.services.game.queries.recap import STAGE_DIRECTIONS, without_own
from games.services.game.replay import StoredEvent, event_rows_since_move, latest_event_rows
from games.services.game.votes import rule_text
from games.services.lobby.queries import rules_and_pace
from games.services.lobby.settings import CLOSES_AFTER
from games.table_events import DeadlineMoved, DefaultCalled, HousePlayerSat, SeatReopened

type Context = dict[str, Any]


class NoLonger(Exception):
    """The decision that an email is about was made while it was written."""


MOST_LINES: Final = 25
"""How many lines of the log, or of the chat, an email quotes."""


def game_started(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The seats and their players, the first player, and the pace."""
    position = read_position(email.the_game, email.person)
    people = position.people
    first = people.table.first
    who_begins = _("{name} goes first. We'll let you know when it's your turn.")
    if first == position.view.seat:
        who_begins = _("You go first.")
    who_begins = who_begins.format(name=people.name(first))
    return {
        "preheader": who_begins,
        "seats": [
            _("{name} ({colour})").format(name=name, colour=people.colour_text(seat))
            for seat, name in enumerate(people.names)
        ],
        "who_begins": who_begins,
        "names": people.names,
        "board": small_board(people, position.view),
        "settings": rules_and_pace(email.the_game),
    }


def game_is_running(email: OutboxEmail, seat: Seat | None) -> bool:
    return seat is not None and email.the_game.status == Game.Status.RUNNING


def your_turn(email: OutboxEmail, seat: Seat | None) -> Context:
    """The decision, and what happened since the reader's last move."""
    position = read_position(email.the_game, email.person)
    lines, more = _since_last_move(position)
    return {**_own_decision(position, email), "lines": lines, "more": more}


def decision(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The reader's decision, the deadline in their time zone, and the time left."""
    position = read_position(email.the_game, email.person)
    context = _own_decision(position, email)
    ends = position.seat and position.seat.deadline_at
    return context | {"left": ends and time_left(ends - sent_at(email))}


def _own_decision(position: Position, email: OutboxEmail) -> Context:
    """The reader's decision; `NoLonger` if there is none any more, or already another one."""
    context, seat = _decision(position, email), position.seat
    if seat is None or seat.to_move_phase != position.game.phase_no:
        raise NoLonger
    if context["by"] is None or context["decision"] is None:
        raise NoLonger
    return context


def _decision(position: Position, email: OutboxEmail) -> Context:
    deadline_at = position.seat.deadline_at if position.seat is not None else None
    people, view = position.people, position.view
    decision = decision_of(people, view, position.deadline_move(), orders_fail=position.orders_fail)
    return {
        "decision": decision,
        "names": people.names,
        "decision_in_short": decision_in_short(people, view),
        "by": deadline_at and in_short(deadline_at, email),
        "deadline": deadline_at and on_own_clock(deadline_at, email.person),
        "preheader": _ahead(decision, bribes_so_far(people, view)) if decision else "",
        "board": small_board(people, view),
        "promises": read_promises(position).in_conversation(None),
    }


def _ahead(decision: Decision, bribes: Sequence[str]) -> str:
    """What a mail program shows of a decision, maybe on a locked screen: nothing secret."""
    text = _("If you do nothing: {default}.").format(default=decision.if_nothing_is_done)
    return " ".join([text, *bribes])


def negotiation_time(email: OutboxEmail, _seat: Seat | None) -> Context:
    """Until when, and the open offers."""
    position, until = read_position(email.the_game, email.person), email.the_game.talk_until
    return {
        "by": until and in_short(until, email),
        "until": until and on_own_clock(until, email.person),
        "promises": read_promises(position).in_conversation(None),
        "board": small_board(position.people, position.view),
        "preheader": _("Bribing begins earlier if everyone involved is ready."),
    }


def is_negotiation_time(email: OutboxEmail, seat: Seat | None) -> bool:
    """It still is, and the player is there and hasn't said that they are ready."""
    same = email.the_game.phase_no == email.phase_no and email.the_game.talk_until is not None
    return same and seat is not None and seat.is_present() and seat.ready_phase != email.phase_no


def is_to_move(email: OutboxEmail, seat: Seat | None) -> bool:
    """The player is still to move in this phase, whatever has become of the deadline.

    If the same phase made it their turn again, only the later email is sent.
    """
    return (
        seat is not None
        and seat.deadline_at is not None
        and seat.to_move_phase == email.phase_no
        and email.the_game.is_going_on
        and not _has_a_later_one(email, seat)
    )


def _has_a_later_one(email: OutboxEmail, seat: Seat) -> bool:
    """Whether a later deadline of the same phase has an email of this kind."""
    if seat.deadline_version == email.deadline_version:
        return False  # there is no later deadline: spare the query
    same = OutboxEmail.objects.filter(
        game=email.game, phase_no=email.phase_no, kind=email.kind, person=email.person
    )
    return same.filter(deadline_version__gt=email.deadline_version).exists()


def deadline_stands(email: OutboxEmail, seat: Seat | None) -> bool:
    """The player is still to move, and the deadline hasn't changed."""
    return (
        seat is not None
        and seat.deadline_at is not None
        and seat.deadline_version == email.deadline_version
        and email.the_game.is_going_on
    )


def in_short(at: datetime, email: OutboxEmail) -> str:
    """For a subject, which a phone cuts: "Thu 20:00", or "Thu 26 Nov, 20:00" if it isn't near."""
    return hour_or_day(at, _zone(email.person), sent_at(email))


def on_own_clock(at: datetime, person: User | None) -> str:
    """An instant as its reader's clock shows it, zone named."""
    return moment(at, _zone(person))


def _zone(person: User | None) -> str:
    return person.time_zone if person is not None else "UTC"


def _since_last_move(position: Position) -> tuple[list[str], int]:
    """What others have done since the reader's last move, or from the beginning.

    Not what computer players said among themselves.

    The last `MOST_LINES` of it, and how many there are before them.
    """
    since = event_rows_since_move(position.game, position.seat)
    private = private_verdicts(position.private, since.rows)
    log = Log(position.game, since.rows, position.reader, private=private)
    news = [
        entry
        for turn in reversed(log.turns)
        for entry in turn.all_lines
        if entry.row.seq >= since.first
        and not entry.aside
        and entry.row.kind not in STAGE_DIRECTIONS
    ]
    entries = without_own(news, position.game, position.seat, {since.phase_of_order})
    shown = [log.line(entry, refers=False) for entry in entries[-MOST_LINES:]]
    return [_log_text(line) for line in shown], len(entries) - len(shown)


def _log_text(line: LogLine) -> str:
    more = [line.cause] if line.cause and not line.is_heading else []
    more += [_("discarded")] if line.abandoned else []
    more += [pgettext("promise", "private")] if line.is_private else []
    text = f"{line.text} ({', '.join(more)})" if more else line.text
    return f"{text}." if line.is_heading else text


def default_played(email: OutboxEmail, seat: Seat | None) -> Context:
    """The default move of the phase that the email is about."""
    position = read_position(email.the_game, email.person)
    row = Move.objects.get(game=email.the_game, phase_no=email.phase_no, seat=seat)
    _seat_number, move = decode_move(position.view.table, row.move)
    people = position.people._replace(names=position.holders.at(row.at), reader=position.view.seat)
    played = move_text(people, move)
    board = small_board(position.people, position.view)
    return {
        "played": played,
        "names": people.names,
        "preheader": capital(played),
        "board": board,
        "story": f"{table_link(email)}decisions/{email.phase_no}/",
        **absence.RULE._asdict(),
    }


def default_move_stands(email: OutboxEmail, seat: Seat | None) -> bool:
    """No rewind has undone what the clock played."""
    played = Move.objects.filter(game=email.the_game, phase_no=email.phase_no, seat=seat)
    return seat is not None and played.filter(abandoned=False).exists()


def sent_at(email: OutboxEmail) -> datetime:
    """When it is written to be sent, or its notification is."""
    return email.claimed_at or timezone.now()


def table_link(email: OutboxEmail) -> str:
    """The address of the table's page."""
    return f"{settings.SITE_URL}{email.the_game.get_absolute_url()}"


def game_over(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The winners, the final standings, richest first, and the awards."""
    position = read_position(email.the_game, email.person)
    table = position.view.table
    ending = read_ending(position, email.the_game.events.latest("seq").seq)
    standing = sorted(
        zip(position.view.cash, position.people.names, strict=True),
        key=lambda line: -(line[0] or 0),
    )
    result = result_text(position.people, position.view)
    return {
        "preheader": result,
        "result": result,
        "names": position.people.names,
        "result_in_short": result_in_short(position.view),
        "board": small_board(position.people, position.view),
        "standing": [(name, with_currency(table, cash or 0)) for cash, name in standing],
        "awards": [] if ending is None else ending.awards,
    }


def game_is_over(email: OutboxEmail, _seat: Seat | None) -> bool:
    return email.the_game.status == Game.Status.FINISHED


def table_closed(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The reason: the table waited too long, or its host closed it."""
    return {
        "waited_days": CLOSES_AFTER.days,
        "waited_too_long": email.created_at - email.the_game.created_at >= CLOSES_AFTER,
        "preheader": _("You can open another table whenever you like."),
    }


def table_is_closed(email: OutboxEmail, _seat: Seat | None) -> bool:
    return email.the_game.status == Game.Status.CANCELLED


def table_news(email: OutboxEmail, seat: Seat | None) -> Context:
    """An intervention with its reason, and the reader's decision with its deadline."""
    position = read_position(email.the_game, email.person)
    log = Log(email.the_game, latest_event_rows(email.the_game, email.about - 1), position.reader)
    together = _done_together(log.rows, email.about)
    entries = [entry for turn in log.turns for entry in turn.all_lines]
    lines = [log.line(entry) for entry in entries if entry.row.seq in together]
    decision = _decision(position, email)
    return {
        **decision,
        "lines": lines,
        "change": lines[0].text.removesuffix(".") if lines else "",
        "sits_here": seat is not None,
        "may_come_back": seat is None and _had_a_free_seat(email),
        "asks": seat is not None and bool(decision["decision"] and decision["by"]),
        "preheader": " ".join(line.text for line in lines),
    }


def _had_a_free_seat(email: OutboxEmail) -> bool:
    """Whether the reader could be given back a seat that a moderator took."""
    act = email.the_game.events.filter(seq=email.about, cause=Cause.MODERATOR).first()
    if act is None or act.kind not in {SeatReopened.__name__, HousePlayerSat.__name__}:
        return False
    left = left_seats(email.the_game.pk).get(act.payload["seat"])
    person = email.person
    return left is not None and left.user == person is not None and person.may_play(timezone.now())


def _done_together(rows: Sequence[StoredEvent], about: int) -> set[int]:
    """The numbers of the events that one action caused; `about` is the first of them.

    A moderator who plays for a seat at once also causes the move that is played; a vote for more
    time moves several deadlines.
    """
    act = next(row for row in rows if row.seq == about)
    if act.kind == DefaultCalled.__name__:
        return {about, about + 1}
    if act.kind != DeadlineMoved.__name__ or act.cause != Cause.TABLE:
        return {about}
    moved = [row for row in rows if row.kind == act.kind and row.cause == act.cause]
    return {row.seq for row in moved if row.at == act.at}


def vote(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The subject of the vote and its end; the link leads to the votes."""
    row = Vote.objects.get(pk=email.about)
    position = read_position(email.the_game, email.person)
    people = position.people
    subject = vote_text(people, row.kind, row.amount, row.seat_number)
    return {
        "subject_of_vote": subject,
        "preheader": subject,
        "board": small_board(people, position.view),
        "by": in_short(row.closes_at, email),
        "until": on_own_clock(row.closes_at, email.person),
        "rule": rule_text(row),
        "link": f"{table_link(email)}#votes",
    }


def vote_is_open(email: OutboxEmail, seat: Seat | None) -> bool:
    """The reader, who sits at the table, can still vote and hasn't yet."""
    is_open = Vote.objects.filter(pk=email.about, closed_at=None)
    return seat is not None and is_open.exclude(ballots__user=email.person).exists()


def game_rests(email: OutboxEmail, seat: Seat | None) -> Context:
    """The ways in which the game can resume, until when, and whether the reader may return."""
    until = email.the_game.given_up_at
    preheader = _("You no longer have a seat at this table.")
    if seat is not None and until is not None:
        preheader = _("The game ends without a winner unless it resumes in time.")
    elif seat is not None:
        preheader = _("You can return with one click on the table page.")
    return {
        "link_text": _("Return to the table") if seat is not None else _("View the table"),
        "may_return": seat is not None,
        "wanted": not email.the_game.closed_to_newcomers,
        "by": until and in_short(until, email),
        "until": until and on_own_clock(until, email.person),
        "preheader": preheader,
    }


def is_dormant(email: OutboxEmail, _seat: Seat | None) -> bool:
    return email.the_game.dormant_since is not None


def game_parked(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The error; games parked later for the same reason get no email of their own."""
    error, others = email.the_game.error, parked_for_the_same(email.the_game).count()
    place = error.partition("\n")[0]
    preheader = _("An error stopped the game: %(error)s") % {"error": place}
    return {"error": error, "others": others, "preheader": preheader}


def game_is_parked(email: OutboxEmail, _seat: Seat | None) -> bool:
    """The game is parked, and the reader is still a moderator."""
    is_parked = email.the_game.parked_at is not None
    return is_parked and email.person is not None and email.person.is_staff
