"""One action on everything of a person: their seats, messages, reports, invitations and tables.

What follows from the decision is done table by table and report by report, by the actions there are
for one of them, each in a transaction of its own: one that is refused stops no other.
"""

import logging
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game, Seat, User
from games.presentation.text.words import listed
from games.services import outbox
from games.services.game import failures
from games.services.lobby import invitations
from games.services.moderation.actions import redaction, seats, several, timing, waiting
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.person_action import person_action
from games.services.moderation.actions.requests import (
    ActionRequest,
    GameRequest,
    PersonRequest,
    Results,
)
from games.services.moderation.queries.everything import (
    hosted_tables,
    open_invitations,
    open_reports,
    seats_of,
)
from games.services.refused import Refused
from games.services.reports.queries import about_text

logger = logging.getLogger(__name__)

FREE: Final = "free"
"""A seat is freed for a substitute."""

ABSENT, ALL = "absent", "all"
UPHOLD, DISMISS = "uphold", "reject"
CLOSE, HAND_OVER = "close", "hand-over"


class Wanted(NamedTuple):
    """What is to be done with what somebody has; nothing with what is empty.

    `seats` is `FREE`, or the computer player that gets them; `where` is `ABSENT` or `ALL`. `tables`
    are those that wait and of which they are the host: `CLOSE`, `HAND_OVER`, or the computer player
    with which they start.
    """

    seats: str = ""
    where: str = ""
    messages: bool = False
    reports: str = ""
    invitations: bool = False
    tables: str = ""


def clear_up(request: PersonRequest, **wanted: Any) -> Results:
    """Do what is `Wanted` with everything of a person; what was done, and what was refused why."""
    what, withdrawn = Wanted(**wanted), 0
    with person_action("person.clear-up", request) as action:
        person = action.person
        if what.invitations:
            withdrawn = invitations.withdraw_all(open_invitations(person, request.moderator))
        line = action.audit(after={"invitations": withdrawn} if withdrawn else {})
    by = ActionRequest(request.moderator, request.reason, request.now)
    results = Results([], [])
    if what.reports:
        _decide_all(by, person, what.reports, results, remove=what.messages)
    if what.messages:
        _remove_messages(by, person, results)
    if what.seats and _leave_seats(by, person, what, results):
        with transaction.atomic():
            outbox.enqueue("seats_taken", person=person, now=request.now, about=line.pk)
    if withdrawn:
        _say_withdrawn(withdrawn, results)
    if what.tables:
        _settle_tables(by, person, what.tables, results)
    return results


def _say_withdrawn(count: int, results: Results) -> None:
    text = ngettext(
        "Withdrew {count} open invitation. No reminder is sent.",
        "Withdrew {count} open invitations. No reminders are sent.",
        count,
    )
    results.done.append(text.format(count=count))


def _settle_tables(request: ActionRequest, person: User, what: str, results: Results) -> None:
    """Close the waiting tables of somebody, or give them to others, or start them without them."""

    def settle(game: Game) -> None:
        on_game = GameRequest.of(request, game.pk, seen_now(game))
        if what == CLOSE:
            timing.cancel(on_game)
        elif what == HAND_OVER:
            waiting.give_to_another_host(on_game, leaves=True)
        else:
            waiting.start_with_computer_players(on_game, computer_player=what, leaves=True)

    settled = each(hosted_tables(person, request.moderator), settle, results)
    if not settled:
        return
    if what == CLOSE:
        text = ngettext(
            "Closed {count} table: {games}.", "Closed {count} tables: {games}.", len(settled)
        )
    elif what == HAND_OVER:
        text = ngettext(
            "{count} table has a new host: {games}. Everyone at the table gets an email.",
            "{count} tables have new hosts: {games}. Everyone at these tables gets an email.",
            len(settled),
        )
    else:
        text = ngettext(
            "{count} game has started with computer players: {games}.",
            "{count} games have started with computer players: {games}.",
            len(settled),
        )
    results.done.append(text.format(count=len(settled), games=listed(map(str, settled))))


def _decide_all(
    request: ActionRequest, person: User, decision: str, results: Results, *, remove: bool
) -> None:
    """Decide all reports about somebody that this moderator may decide."""
    done = 0
    for report in list(open_reports(person, request.moderator)):
        if decision == UPHOLD:
            removed = remove and report.said is not None
            outcome = several.uphold_several(request, reports=[report.pk], remove_message=removed)
        else:
            outcome = several.reject_several(request, reports=[report.pk])
        results.refused.extend(f"{about_text(report)}: {why}" for _pk, why in outcome.refused)
        done += len(outcome.done)
    if not done:
        return
    if decision == UPHOLD:
        text = ngettext(
            "Upheld {count} report. {name} and the reporter get an email.",
            "Upheld {count} reports. {name} and the reporters get an email.",
            done,
        )
    else:
        text = ngettext(
            "Dismissed {count} report about {name}. The reporter gets an email.",
            "Dismissed {count} reports about {name}. The reporters get an email.",
            done,
        )
    results.done.append(text.format(count=done, name=person.name))


def _remove_messages(request: ActionRequest, person: User, results: Results) -> None:
    count = redaction.remove_all(request, person)
    if count:
        text = ngettext(
            "Removed {count} public message. {name} gets an email and may appeal.",
            "Removed {count} public messages. {name} gets one email and may appeal once.",
            count,
        )
        results.done.append(text.format(count=count, name=person.name))


def _leave_seats(request: ActionRequest, person: User, what: Wanted, results: Results) -> bool:
    """Free the seats of somebody, or give them to a computer player; whether there was any."""

    def leave(game: Game) -> None:
        on_game = GameRequest.of(request, game.pk, seen_now(game))
        number = _seat_of(game, person).drawn_number
        if what.seats == FREE:
            seats.reopen_seat(on_game, seat=number, only_absent=only_absent, among_many=True)
        else:
            seats.replace_by_computer_player(
                on_game,
                seat=number,
                computer_player=what.seats,
                only_absent=only_absent,
                among_many=True,
            )

    only_absent = what.where == ABSENT
    games = [seat.game for seat in seats_of(person, only_absent=only_absent)]
    left = each(games, leave, results)
    if not left:
        return False
    text = (
        ngettext(
            "Freed the seat of {name} in {count} game: {games}. Everyone at the table gets "
            "an email.",
            "Freed the seats of {name} in {count} games: {games}. Everyone at these tables "
            "gets an email.",
            len(left),
        )
        if what.seats == FREE
        else ngettext(
            "A computer player has the seat of {name} in {count} game: {games}. Everyone at the "
            "table gets an email.",
            "Computer players have the seats of {name} in {count} games: {games}. Everyone at "
            "these tables gets an email.",
            len(left),
        )
    )
    names = listed(map(str, left))
    results.done.append(text.format(name=person.name, count=len(left), games=names))
    return True


def _seat_of(game: Game, person: User) -> Seat:
    """Their seat as it is now; `seen_now` has been read before, so nobody else is hit."""
    seat = game.seats.filter(user=person).first()
    if seat is None:
        raise Refused(_("{name} no longer has a seat there.").format(name=person.name))
    return seat


def each(games: Iterable[Game], change: Callable[[Game], object], results: Results) -> list[Game]:
    """Change these games one by one; those that were changed. Takes no more after some seconds."""
    until = time.monotonic() + timing.MOST_SECONDS
    done = []
    for game in games:
        if time.monotonic() > until:
            text = _("There wasn't enough time for this one. Please repeat the action.")
            results.refused.append(f"{game}: {text}")
            continue
        try:
            change(game)
        except Refused as reason:
            results.refused.append(f"{game}: {reason}")
        except Exception as failure:
            failures.raise_unless_local(failure)
            logger.exception("Game %s cannot be changed with the others", game.pk)
            why = _("This game couldn't be changed: {error}.").format(error=type(failure).__name__)
            results.refused.append(f"{game}: {why}")
        else:
            done.append(game)
    return done
