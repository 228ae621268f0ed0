"""Whether a mail that was written as a row is still true when it is to be sent."""

from collections.abc import Callable

from games.models import Game, Invitation, Message, Move, OutboxMail, Report, Seat, Vote
from games.services import subscriptions
from games.services.chat.queries import unread_mentions
from games.services.lobby import email_invitees
from games.services.people import blocks

type Check = Callable[[OutboxMail, Seat | None], bool]


def is_still_true(mail: OutboxMail, seat: Seat | None) -> bool:
    """Whether the mail may go out; `seat` is the seat of its person at its game."""
    closed = mail.person is not None and not mail.person.is_active
    if closed and mail.kind not in subscriptions.ALSO_TO_THE_BANNED:
        return False
    return _STILL_TRUE[OutboxMail.Kind(mail.kind)](mail, seat)


def _still_asked_there(mail: OutboxMail, _seat: Seat | None) -> bool:
    """The table waits, and nobody sits there with whom the person of this address does not play."""
    at_odds = blocks.at_odds_with(blocks.people_at(mail.the_game))
    return (
        mail.the_game.status == Game.Status.WAITING
        and Invitation.objects.filter(pk=mail.about, status=Invitation.Status.OPEN).exists()
        and not at_odds.filter(email=mail.address).exists()
        and email_invitees.may_still_get(mail)
    )


def _game_runs(mail: OutboxMail, seat: Seat | None) -> bool:
    return seat is not None and mail.the_game.status == Game.Status.RUNNING


def _still_asked(mail: OutboxMail, seat: Seat | None) -> bool:
    """The question stands, whatever has become of its deadline meanwhile.

    One who was asked once more in the same phase has a later mail, and that one speaks for it.
    """
    later = OutboxMail.objects.filter(
        game=mail.game,
        phase_no=mail.phase_no,
        kind=mail.kind,
        person=mail.person,
        deadline_version__gt=mail.deadline_version,
    )
    return (
        seat is not None
        and seat.deadline_at is not None
        and seat.asked_phase == mail.phase_no
        and mail.the_game.is_going_on
        and not later.exists()
    )


def _still_awaited(mail: OutboxMail, seat: Seat | None) -> bool:
    """Such a mail speaks of one deadline, and only while the person is awaited for it."""
    return (
        seat is not None
        and seat.deadline_at is not None
        and seat.deadline_version == mail.deadline_version
        and mail.the_game.is_going_on
    )


def _always(_mail: OutboxMail, _seat: Seat | None) -> bool:
    """What was done is true for good, also for who sits there no more."""
    return True


def _still_said(mail: OutboxMail, seat: Seat | None) -> bool:
    """The person sits there, and what the referee wrote was not removed."""
    return seat is not None and Message.objects.filter(pk=mail.about).exclude(text="").exists()


def _default_stands(mail: OutboxMail, seat: Seat | None) -> bool:
    """No rewind has taken back what the clock played."""
    played = Move.objects.filter(game=mail.the_game, phase_no=mail.phase_no, seat=seat)
    return seat is not None and played.filter(abandoned=False).exists()


def _still_absent(mail: OutboxMail, seat: Seat | None) -> bool:
    return _game_runs(mail, seat) and seat is not None and seat.absent_since is not None


def _seat_still_free(mail: OutboxMail, seat: Seat | None) -> bool:
    """The seat that the mail is about is still absent; who sits at the table is not asked.

    Nor is who does not play with somebody there.
    """
    wanted = Seat.objects.filter(pk=mail.about, game=mail.the_game, absent_since__isnull=False)
    open_game = (
        mail.the_game.status == Game.Status.RUNNING and not mail.the_game.closed_to_newcomers
    )
    at_odds = blocks.at_odds_with(blocks.people_at(mail.the_game))
    return seat is None and open_game and wanted.exists() and mail.person not in at_odds


def _not_read_meanwhile(mail: OutboxMail, seat: Seat | None) -> bool:
    return (
        seat is not None and mail.person is not None and unread_mentions(mail.the_game, mail.person)
    )


def _is_over(mail: OutboxMail, _seat: Seat | None) -> bool:
    return mail.the_game.status == Game.Status.FINISHED


def _is_closed(mail: OutboxMail, _seat: Seat | None) -> bool:
    return mail.the_game.status == Game.Status.CANCELLED


def _vote_is_open(mail: OutboxMail, seat: Seat | None) -> bool:
    """The vote that the mail is about is open, and its person has said nothing yet."""
    asked = Vote.objects.filter(pk=mail.about, closed_at=None)
    return seat is not None and asked.exclude(ballots__user=mail.person).exists()


def _rests(mail: OutboxMail, _seat: Seat | None) -> bool:
    return mail.the_game.resting_since is not None


def _is_parked(mail: OutboxMail, _seat: Seat | None) -> bool:
    return mail.the_game.parked_at is not None and mail.person is not None and mail.person.is_staff


def _is_open(mail: OutboxMail, _seat: Seat | None) -> bool:
    """Nobody has taken the report yet."""
    return _report_is(Report.State.OPEN, mail)


def _is_appealed(mail: OutboxMail, _seat: Seat | None) -> bool:
    return _report_is(Report.State.APPEALED, mail)


def _report_is(state: Report.State, mail: OutboxMail) -> bool:
    is_moderator = mail.person is not None and mail.person.is_staff
    return is_moderator and Report.objects.filter(pk=mail.about, state=state).exists()


_STILL_TRUE: dict[OutboxMail.Kind, Check] = {
    OutboxMail.Kind.INVITATION: _still_asked_there,
    OutboxMail.Kind.GAME_STARTED: _game_runs,
    OutboxMail.Kind.YOUR_TURN: _still_asked,
    OutboxMail.Kind.REMINDER: _still_awaited,
    OutboxMail.Kind.LAST_REMINDER: _still_awaited,
    OutboxMail.Kind.DEFAULT_PLAYED: _default_stands,
    OutboxMail.Kind.MARKED_ABSENT: _still_absent,
    OutboxMail.Kind.SUBSTITUTE_WANTED: _seat_still_free,
    OutboxMail.Kind.MENTION: _not_read_meanwhile,
    OutboxMail.Kind.GAME_OVER: _is_over,
    OutboxMail.Kind.TABLE_CLOSED: _is_closed,
    OutboxMail.Kind.TABLE_NEWS: _always,
    OutboxMail.Kind.REFEREE: _still_said,
    OutboxMail.Kind.VOTE: _vote_is_open,
    OutboxMail.Kind.GAME_RESTS: _rests,
    OutboxMail.Kind.GAME_PARKED: _is_parked,
    OutboxMail.Kind.REPORT: _is_open,
    OutboxMail.Kind.APPEAL: _is_appealed,
    OutboxMail.Kind.REPORT_DECIDED: _always,
    OutboxMail.Kind.APPEAL_DECIDED: _always,
    OutboxMail.Kind.CONDUCT: _always,
}
