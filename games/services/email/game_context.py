"""What the mails about a table tell: one function a kind, for the templates in templates/mail."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext as _

from games.engine import decode_move
from games.models import Cause, Event, Game, Invitation, Message, Move, OutboxMail, Seat, User, Vote
from games.presentation.board.question import move_told
from games.presentation.board.turn_summary import result_told
from games.presentation.log.table_story import vote_rule, vote_told
from games.presentation.text.tables import house_name
from games.presentation.text.words import colour_told, listed, moment, with_currency
from games.services.chat.queries import text_told, unread, unread_told
from games.services.game.failures import parked_for_the_same
from games.services.game.queries.game_view import GameReading, read_game
from games.services.game.queries.log import read_log
from games.services.game.replay import event_rows
from games.services.lobby import email_invitees
from games.services.lobby.queries import rules_and_pace
from games.services.lobby.settings import CLOSES_AFTER
from games.services.people.display_names import inviter_name, player_name, seat_names
from games.table_events import DeadlineMoved, DefaultCalled

type Context = dict[str, Any]

MOST_LINES: Final = 25
"""How much of what happened, and of what was said, is in a mail."""


def _invitation(mail: OutboxMail, _seat: Seat | None) -> Context:
    """Who asks, to what table, and the link to say yes or no.

    Somebody without an account reads neither the table's name nor its note, nor names like links.
    """
    invitation = Invitation.objects.select_related("invited_by").get(pk=mail.about)
    seats = mail.the_game.seats.select_related("user").order_by("pk")
    host = inviter_name(invitation)
    names = [player_name(seat) for seat in seats]
    to_stranger = email_invitees.gets(mail)
    if to_stranger:
        host = email_invitees.without_links(host)
        names = list(filter(None, map(email_invitees.without_links, names)))
    return {
        "game": None if to_stranger else mail.game,
        "host": host or _("Somebody"),
        "names": listed(names) if names else "",
        "settings": rules_and_pace(mail.the_game),
        "link": settings.SITE_URL + invitation.get_absolute_url(),
    }


def _game_started(mail: OutboxMail, _seat: Seat | None) -> Context:
    """Who sits where, who begins, and the pace."""
    people = read_game(mail.the_game, mail.person).people
    return {
        "seats": [
            _("{name} ({colour})").format(name=name, colour=people.colour_told(seat))
            for seat, name in enumerate(people.names)
        ],
        "first": people.name(people.table.first),
        "settings": rules_and_pace(mail.the_game),
    }


def _your_turn(mail: OutboxMail, seat: Seat | None) -> Context:
    """What happened since the reader's last move, and what is asked."""
    reading = read_game(mail.the_game, mail.person)
    lines = _since_last_move(mail.the_game, reading, seat)
    return {**_asked(mail, seat), "lines": lines[-MOST_LINES:], "more": len(lines[:-MOST_LINES])}


def _asked(mail: OutboxMail, seat: Seat | None) -> Context:
    """What is asked, by when on the reader's clock and in UTC, and what silence plays."""
    deadline_at = seat.deadline_at if seat is not None else None
    return {
        "question": read_game(mail.the_game, mail.person).question,
        "deadline": deadline_at and _in_both_zones(deadline_at, mail.person),
    }


def _in_both_zones(at: datetime, person: User | None) -> str:
    zone = person.time_zone if person is not None else "UTC"
    if zone == "UTC":
        return moment(at, "UTC")
    told = _("{moment}, that is {moment_in_utc}")
    return told.format(moment=moment(at, zone), moment_in_utc=moment(at, "UTC"))


def _since_last_move(game: Game, reading: GameReading, seat: Seat | None) -> list[str]:
    """The log from the reader's last move on, or from the beginning: that move comes first."""
    last = game.moves.filter(seat=seat).order_by("pk").last()
    since = 0
    if last is not None:
        moved = game.events.filter(phase_no=last.phase_no, at__gte=last.at).order_by("seq").first()
        since = moved.seq if moved is not None else 0
    told = []
    for turn in reversed(read_log(game, event_rows(game), reading.reader)):
        lines = [line for line in turn.lines if line.seq >= since]
        if lines and turn.heading:
            told.append(f"{turn.heading}.")
        told += [f"{line.text} ({line.cause})" if line.cause else line.text for line in lines]
    return told


def _default_played(mail: OutboxMail, seat: Seat | None) -> Context:
    """What the clock played in the phase that the mail speaks of."""
    reading = read_game(mail.the_game, mail.person)
    row = Move.objects.get(game=mail.the_game, phase_no=mail.phase_no, seat=seat)
    _seat_number, move = decode_move(reading.view.table, row.move)
    return {"played": move_told(reading.people, move)}


def _marked_absent(mail: OutboxMail, _seat: Seat | None) -> Context:
    """Who plays for the seat now, and whether somebody is looked for who does."""
    house = mail.the_game.absent_player
    return {
        "house_player": "" if house == "default" else house_name(house),
        "rests": mail.the_game.resting_since is not None,
        "wanted": not mail.the_game.closed_to_newcomers,
    }


def _substitute_wanted(mail: OutboxMail, _seat: Seat | None) -> Context:
    """What anybody may know of the seat and the game."""
    wanted = Seat.objects.select_related("user").get(pk=mail.about)
    reading = read_game(mail.the_game, None)
    return {
        "colour": colour_told(wanted.colour),
        "names": listed(seat_names(seat for seat in reading.seats if seat != wanted)),
        "board": reading.board,
        "settings": rules_and_pace(mail.the_game),
    }


def _mention(mail: OutboxMail, _seat: Seat | None) -> Context:
    """Everything said at the table that the reader has not read yet; its link leads to the talk."""
    link = f"{_table_link(mail)}#talk"
    if mail.person is None:
        return {"lines": [], "more": 0, "link": link}
    lines = unread_told(mail.the_game, mail.person, mail.person.time_zone, MOST_LINES)
    more = unread(mail.the_game, mail.person) - len(lines)
    return {"lines": lines, "more": max(more, 0), "link": link}


def _table_link(mail: OutboxMail) -> str:
    return f"{settings.SITE_URL}{mail.the_game.get_absolute_url()}"


def _game_over(mail: OutboxMail, seat: Seat | None) -> Context:
    """Who has won, and the final table, richest first."""
    reading = read_game(mail.the_game, mail.person)
    table = reading.view.table
    standing = sorted(
        zip(reading.view.cash, reading.people.names, strict=True),
        key=lambda line: -(line[0] or 0),
    )
    return {
        "result": result_told(reading.people, reading.view),
        "standing": [(name, with_currency(table, cash or 0)) for cash, name in standing],
        "won": seat is not None and seat.number in reading.view.winners,
    }


def _table_closed(mail: OutboxMail, _seat: Seat | None) -> Context:
    """Whether it had waited too long, or the host closed it."""
    return {
        "waited_days": CLOSES_AFTER.days,
        "waited_too_long": mail.created_at - mail.the_game.created_at >= CLOSES_AFTER,
    }


def _table_news(mail: OutboxMail, seat: Seat | None) -> Context:
    """What was done, why, and what it means for the reader: what is asked, by when."""
    rows = event_rows(mail.the_game)
    log = read_log(mail.the_game, rows, read_game(mail.the_game, mail.person).reader)
    told = _done_together(rows, mail.about)
    lines = [line for turn in log for line in turn.all_lines if line.seq in told]
    return {"lines": lines, "sits_here": seat is not None, **_asked(mail, seat)}


def _done_together(rows: list[Event], about: int) -> set[int]:
    """The numbers of what one act did that is told of by the event `about`.

    With the end of a wait what was played, with a vote for more time the deadlines of all.
    """
    act = next(row for row in rows if row.seq == about)
    if act.kind == DefaultCalled.__name__:
        return {about, about + 1}
    if act.kind != DeadlineMoved.__name__ or act.cause != Cause.TABLE:
        return {about}
    moved = [row for row in rows if row.kind == act.kind and row.cause == act.cause]
    return {row.seq for row in moved if row.at == act.at}


def _referee(mail: OutboxMail, _seat: Seat | None) -> Context:
    """What the referee wrote, or did to the words of the table."""
    return {"text": text_told(Message.objects.get(pk=mail.about))}


def _vote(mail: OutboxMail, _seat: Seat | None) -> Context:
    """What the table is asked, and until when; its link leads to the votes."""
    vote = Vote.objects.get(pk=mail.about)
    people = read_game(mail.the_game, mail.person).people
    return {
        "question": vote_told(people, vote.kind, vote.amount, vote.seat_number),
        "until": _in_both_zones(vote.closes_at, mail.person),
        "rule": vote_rule(needs_all=vote.needs_all, asks_absent=vote.asks_absent),
        "link": f"{_table_link(mail)}#votes",
    }


def _game_rests(mail: OutboxMail, seat: Seat | None) -> Context:
    """How the game can go on, until when, and whether the reader may come back."""
    until = mail.the_game.rests_until
    return {
        "may_return": seat is not None,
        "wanted": not mail.the_game.closed_to_newcomers,
        "until": until and _in_both_zones(until, mail.person),
    }


def _game_parked(mail: OutboxMail, _seat: Seat | None) -> Context:
    """Later games that are parked for the same reason get no mail of their own."""
    others = parked_for_the_same(mail.the_game).count()
    return {"error": mail.the_game.error, "others": others}


CONTEXTS: Final[dict[OutboxMail.Kind, Callable[[OutboxMail, Seat | None], Context]]] = {
    OutboxMail.Kind.INVITATION: _invitation,
    OutboxMail.Kind.GAME_STARTED: _game_started,
    OutboxMail.Kind.YOUR_TURN: _your_turn,
    OutboxMail.Kind.REMINDER: _asked,
    OutboxMail.Kind.LAST_REMINDER: _asked,
    OutboxMail.Kind.DEFAULT_PLAYED: _default_played,
    OutboxMail.Kind.MARKED_ABSENT: _marked_absent,
    OutboxMail.Kind.SUBSTITUTE_WANTED: _substitute_wanted,
    OutboxMail.Kind.MENTION: _mention,
    OutboxMail.Kind.GAME_OVER: _game_over,
    OutboxMail.Kind.TABLE_CLOSED: _table_closed,
    OutboxMail.Kind.TABLE_NEWS: _table_news,
    OutboxMail.Kind.REFEREE: _referee,
    OutboxMail.Kind.VOTE: _vote,
    OutboxMail.Kind.GAME_RESTS: _game_rests,
    OutboxMail.Kind.GAME_PARKED: _game_parked,
}
