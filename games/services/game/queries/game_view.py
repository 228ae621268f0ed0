"""A game as one person may read it. Everything goes through the engine's `view`."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.engine.characters import role_of
from games.models import Game, Seat, User
from games.presentation.board.board import Board, Fresh, board
from games.presentation.board.decision import Decision, decision_of, facts
from games.presentation.board.money_panel import MoneyPanel, money_panel
from games.presentation.board.turn_summary import SeatToMove, seats_to_move
from games.presentation.text.characters import introduced
from games.presentation.text.tables import computer_player_name
from games.presentation.text.words import day_and_hour, moment
from games.services.game.negotiation import role_at
from games.services.game.offers import promised
from games.services.game.position import Position, deadline_of, position_of
from games.services.game.read_seats import Days, read_seats
from games.services.people.acquaintances import acquaintance_texts
from games.services.people.conditions import unmet
from games.services.people.display_names import seat_crest, seat_person_id


class Waiting(NamedTuple):
    """A seat that is to move, and its deadline; until then it may wait `for_reply` of somebody."""

    name: str
    deadline_at: datetime | None
    for_reply: bool


class Sitter(NamedTuple):
    """A seat of a started game, and what everybody may know of it and its player.

    When somebody is away and who can't be reached by email, only those who are signed in learn.
    `away` says of an absent one since when, and who plays; "" for all others. Of a computer player
    `role` is who it is, and `manner` how it plays; "" for all others.
    """

    number: int
    name: str
    person_id: int | None
    crest: str
    colour: str
    own: bool
    absent: bool
    away: str
    to_move: bool
    played_by: str
    may_take_over: bool
    unreachable: bool
    days_off: list[Days]
    role: str
    manner: str


@dataclass(frozen=True)
class GameView(Position):
    """A started game as one person may see it, with the board and what everybody may know.

    `seats_to_move` is what everybody may know of the decisions of all who are to move, in the
    order of `waiting`. `acquaintances` say who knows whom, to those who are signed in.
    """

    decision: Decision | None
    facts: list[str]
    money_panel: MoneyPanel | None
    seats_to_move: list[SeatToMove]
    waiting: list[Waiting]
    sitters: list[Sitter]
    acquaintances: list[str]

    @cached_property
    def board(self) -> Board:
        """The board."""
        return self.board_since()

    def board_since(self, fresh: Fresh | None = None) -> Board:
        """The board with what is new on it."""
        away = {sitter.number: sitter.away for sitter in self.sitters if sitter.absent}
        return board(self.people, self.view, fresh, away, promised(self.known))


def read_game(game: Game, user: User | None) -> GameView:
    """The position of a started game, as `user` (None: nobody who sits there) may see it."""
    read = read_seats(game)
    seats = read.rows
    position = position_of(game, game.decoded(), read, user)
    people, seen = position.people, position.view
    sitters = [_sitter(position, seat, read.days_off[seat.pk], user) for seat in seats]
    return GameView(
        **vars(position),
        decision=decision_of(
            people, seen, position.deadline_move(), orders_fail=position.orders_fail
        ),
        facts=facts(people, seen),
        money_panel=money_panel(people, seen, position.known),
        seats_to_move=seats_to_move(people, seen),
        waiting=[
            Waiting(
                people.name(number),
                deadline_of(seats[number]),
                seats[number].reply_until is not None,
            )
            for number in seen.to_move
        ],
        sitters=sitters,
        acquaintances=[] if user is None else acquaintance_texts(seats, read.known),
    )


def _sitter(position: Position, seat: Seat, days_off: list[Days], user: User | None) -> Sitter:
    game, own = position.game, position.seat
    running = game.status == Game.Status.RUNNING
    return Sitter(
        number=seat.drawn_number,
        name=position.people.name(seat.drawn_number),
        person_id=seat_person_id(seat),
        crest=seat_crest(seat),
        colour=seat.colour,
        own=seat == own,
        absent=running and seat.wants_substitute(),
        away=_away(game, seat, user) if running and seat.wants_substitute() else "",
        to_move=seat.number in position.view.to_move,
        played_by=played_by(game),
        may_take_over=game.is_in_play
        and not game.closed_to_newcomers
        and seat.wants_substitute()
        and own is None
        and user is not None,
        unreachable=running
        and user is not None
        and seat.user is not None
        and seat.user.is_unreachable
        and not seat.wants_substitute(),
        days_off=[] if user is None else days_off,
        role=role_of(game.seed, seat.drawn_number) if seat.computer_player else "",
        manner=introduced(role_at(game, seat), seat.computer_player)
        if seat.computer_player
        else "",
    )


def _away(game: Game, seat: Seat, reader: User | None) -> str:
    """Since when the player of a seat is absent, on the reader's clock, and who plays there."""
    if game.dormant_since is not None:
        return _("Nobody plays this seat while the game is dormant.")
    who = {"who": played_by(game)}
    if seat.user is None or seat.absent_since is None:
        if game.closed_to_newcomers:
            return _("Empty seat, played by {who}.").format(**who)
        return _("Empty seat, played by {who}. A substitute is needed.").format(**who)
    since = seat.absent_since
    who["moment"] = (
        moment(since, "UTC") if reader is None else day_and_hour(since, reader.time_zone)
    )
    if game.closed_to_newcomers:
        return _("Absent since {moment}; {who} is playing instead.").format(**who)
    text = _("Absent since {moment}; {who} is playing instead, and a substitute is needed.")
    return text.format(**who)


def played_by(game: Game) -> str:
    """The computer player, or the clock, that plays for absent seats, in words."""
    if game.absent_player == "default":
        return _("the clock")
    return _("the computer player “{name}”").format(name=computer_player_name(game.absent_player))


def what_keeps_from_a_seat(position: GameView, user: User | None, now: datetime) -> str:
    """Why the reader may not take over a seat that is free for others; "" where there is none."""
    if user is None or not any(sitter.may_take_over for sitter in position.sitters):
        return ""
    return unmet(position.game, user, now)
