"""Acts on a seat: misses, absence, whoever plays there, and who may come."""

from django.utils.translation import gettext as _

from games.engine.houses import HOUSE_PLAYERS
from games.models import Cause, Game
from games.services.game import absence, interventions, notes
from games.services.moderation.actions.on_games import Ask, acting
from games.services.refused import Refused
from games.table_events import MissExcused, NewcomersRefused, NewcomersWelcome


def excuse(ask: Ask, *, seat: int) -> None:
    """Forget what a player has missed. An absent seat stays so: mark it present."""
    with acting("excuse", ask) as act:
        one = act.seat(seat)
        misses = sum(one.missed)
        if not misses or one.user is None:
            raise Refused(_("This seat has no missed deadlines."))
        one.missed, one.last_miss_at = [], None
        one.misses.filter(user=one.user).delete()
        number = act.note(MissExcused(seat))
        act.explain(number)
        act.mail([one.user], number)
        act.audit(person=one.user, before=misses, after=0)


def mark_absent(ask: Ask, *, seat: int) -> None:
    """Wait for a player no more, and look for a substitute. The player is told."""
    with acting("mark absent", ask) as act:
        one = act.seat(seat)
        if one.is_played_for():
            raise Refused(_("This seat is already being played automatically."))
        number = act.writer.mark_absent(one, Cause.MODERATOR)
        if one.user is not None:
            notes.void(act.writer.game, one.user)
        act.explain(number)
        act.mail([one.user], number)
        act.audit(person=one.user)


def mark_present(ask: Ask, *, seat: int) -> None:
    """Wait for a player again. The player is told."""
    with acting("mark present", ask) as act:
        one = act.seat(seat)
        number = interventions.return_seat(act.writer, one, Cause.MODERATOR)
        act.explain(number)
        act.mail([one.user], number)
        act.audit(person=one.user)


def replace_by_house_player(ask: Ask, *, seat: int, house_player: str) -> None:
    """Let a house player play the seat for good. Who sat there and the table are told."""
    with acting("house player", ask) as act:
        if house_player not in HOUSE_PLAYERS:
            raise Refused(_("There is no such house player."))
        one = act.seat(seat)
        left = one.user
        number = interventions.seat_house_player(act.writer, one, house_player, Cause.MODERATOR)
        act.explain(number)
        act.mail([left], number)
        act.mail_table(number)
        act.audit(person=left, after=house_player)


def reopen_seat(ask: Ask, *, seat: int) -> None:
    """Let whoever sits there go for good, and look for a substitute. They are told."""
    with acting("reopen seat", ask) as act:
        one = act.seat(seat)
        left = one.user
        number = interventions.reopen_seat(act.writer, one, Cause.MODERATOR)
        act.explain(number)
        act.mail([left], number)
        act.mail_table(number)
        act.audit(person=left)


def close_to_newcomers(ask: Ask) -> None:
    """Let nobody new sit down at a game, and list it no more."""
    with acting("close to newcomers", ask) as act:
        game = act.writer.game
        if game.closed_to_newcomers:
            raise Refused(_("The table is already closed to newcomers."))
        game.closed_to_newcomers, game.listed = True, False
        act.explain(act.note(NewcomersRefused()))
        act.audit()


def open_to_newcomers(ask: Ask) -> None:
    """Let substitutes sit down again; they are looked for where a seat is absent."""
    with acting("open to newcomers", ask) as act:
        game: Game = act.writer.game
        if not game.closed_to_newcomers:
            raise Refused(_("The table is already open to newcomers."))
        game.closed_to_newcomers = False
        act.explain(act.note(NewcomersWelcome()))
        for seat in act.writer.seats.values():
            if seat.wants_substitute():
                absence.ask_for_substitutes(act.writer.game, seat, act.writer.now)
        act.audit()
