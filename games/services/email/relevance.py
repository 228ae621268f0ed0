"""Whether an email still applies when it is about to be sent: one check for one or more kinds.

Each gets the row of the outbox, and its person's seat at its game.
"""

from games.models import Game, Invitation, Message, Move, OutboxMail, Report, Seat, Vote
from games.services.chat.queries import unread_mentions
from games.services.lobby import email_invitees
from games.services.people import blocks


def always(_email: OutboxMail, _seat: Seat | None) -> bool:
    """What it is about can't be undone, and people who have left the table should know too."""
    return True


def invitation_is_open(email: OutboxMail, _seat: Seat | None) -> bool:
    """Not answered, the table is waiting, and the invited person and nobody there block another."""
    blocked = blocks.at_odds_with(blocks.people_at(email.the_game))
    return (
        email.the_game.status == Game.Status.WAITING
        and Invitation.objects.filter(pk=email.about, status=Invitation.Status.OPEN).exists()
        and not blocked.filter(email=email.address).exists()
        and email_invitees.may_still_get(email)
    )


def game_is_running(email: OutboxMail, seat: Seat | None) -> bool:
    return seat is not None and email.the_game.status == Game.Status.RUNNING


def is_to_move(email: OutboxMail, seat: Seat | None) -> bool:
    """The player is still to move in this phase, whatever has become of the deadline.

    If the same phase made it their turn again, only the later email is sent.
    """
    later = OutboxMail.objects.filter(
        game=email.game,
        phase_no=email.phase_no,
        kind=email.kind,
        person=email.person,
        deadline_version__gt=email.deadline_version,
    )
    return (
        seat is not None
        and seat.deadline_at is not None
        and seat.asked_phase == email.phase_no
        and email.the_game.is_going_on
        and not later.exists()
    )


def deadline_stands(email: OutboxMail, seat: Seat | None) -> bool:
    """The player is still to move, and the deadline hasn't changed."""
    return (
        seat is not None
        and seat.deadline_at is not None
        and seat.deadline_version == email.deadline_version
        and email.the_game.is_going_on
    )


def default_move_stands(email: OutboxMail, seat: Seat | None) -> bool:
    """No rewind has undone what the clock played."""
    played = Move.objects.filter(game=email.the_game, phase_no=email.phase_no, seat=seat)
    return seat is not None and played.filter(abandoned=False).exists()


def is_absent(email: OutboxMail, seat: Seat | None) -> bool:
    return game_is_running(email, seat) and seat is not None and seat.absent_since is not None


def seat_is_free(email: OutboxMail, seat: Seat | None) -> bool:
    """The seat still wants a substitute, and the reader may be one.

    That is nobody who sits at the table, or who blocks or is blocked by someone there.
    """
    wanted = Seat.objects.filter(pk=email.about, game=email.the_game, absent_since__isnull=False)
    open_game = (
        email.the_game.status == Game.Status.RUNNING and not email.the_game.closed_to_newcomers
    )
    blocked = blocks.at_odds_with(blocks.people_at(email.the_game))
    return seat is None and open_game and wanted.exists() and email.person not in blocked


def mention_is_unread(email: OutboxMail, seat: Seat | None) -> bool:
    return (
        seat is not None
        and email.person is not None
        and unread_mentions(email.the_game, email.person)
    )


def message_stands(email: OutboxMail, seat: Seat | None) -> bool:
    """The message hasn't been removed, and the reader sits at the table."""
    return seat is not None and Message.objects.filter(pk=email.about).exclude(text="").exists()


def vote_is_open(email: OutboxMail, seat: Seat | None) -> bool:
    """The reader, who sits at the table, can still vote and hasn't yet."""
    is_open = Vote.objects.filter(pk=email.about, closed_at=None)
    return seat is not None and is_open.exclude(ballots__user=email.person).exists()


def game_is_over(email: OutboxMail, _seat: Seat | None) -> bool:
    return email.the_game.status == Game.Status.FINISHED


def table_is_closed(email: OutboxMail, _seat: Seat | None) -> bool:
    return email.the_game.status == Game.Status.CANCELLED


def game_rests(email: OutboxMail, _seat: Seat | None) -> bool:
    return email.the_game.resting_since is not None


def game_is_parked(email: OutboxMail, _seat: Seat | None) -> bool:
    """The game is parked, and the reader is still a moderator."""
    is_parked = email.the_game.parked_at is not None
    return is_parked and email.person is not None and email.person.is_staff


def report_is_open(email: OutboxMail, _seat: Seat | None) -> bool:
    """No moderator has taken the report yet, and the reader is still one."""
    return _report_is(Report.State.OPEN, email)


def report_is_appealed(email: OutboxMail, _seat: Seat | None) -> bool:
    return _report_is(Report.State.APPEALED, email)


def _report_is(state: Report.State, email: OutboxMail) -> bool:
    is_moderator = email.person is not None and email.person.is_staff
    return is_moderator and Report.objects.filter(pk=email.about, state=state).exists()
