"""Does what a reply asks for, and responds to it."""

import logging
from datetime import datetime
from typing import Any, Final, NamedTuple

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import OperationalError
from django.utils import translation
from django.utils.translation import gettext as _

from games.changes import Change, Wanted, already_in
from games.engine.editions import edition_named
from games.features.inbound import inbox, replied_to
from games.features.inbound.acting import (
    confirming,
    corresponding,
    filling,
    negotiating,
    response_lines,
)
from games.features.inbound.acting.hindered import refuse_hindered
from games.features.inbound.acting.response import Response
from games.features.inbound.acting.written import Rest, own_text
from games.features.inbound.commands.lines import Command
from games.features.inbound.commands.meaning import (
    Followed,
    Unclear,
    assents,
    first_line,
    meaning,
)
from games.features.inbound.commands.words import shown, vocabulary
from games.features.inbound.letters import endings, parsing, reading
from games.features.inbound.matters import Matter, matter_of_row
from games.models import Game, InboundEmail, User, database_now
from games.services.accounts import gate
from games.services.accounts.gate import Hindrance
from games.services.chat import messages
from games.services.game import moves
from games.services.game.position import Position, read_position
from games.services.people.display_names import seat_names
from games.services.refused import Refused

logger = logging.getLogger(__name__)

MOST_AT_ONCE: Final = 50
"""How many emails one call reads; the next call goes on."""


class Reply(NamedTuple):
    """An email that came in, the person who wrote it, and what they wrote."""

    row: InboundEmail
    person: User
    game: Game
    letter: reading.Letter
    position: Position | None
    now: datetime


def work() -> bool:
    """Read what has come in, by the clock of the database; whether there may be more."""
    return drain(database_now())


def drain(now: datetime) -> bool:
    """Read what has come in; whether there may be more. Nothing while the site is read-only."""
    if gate.maintenance() is not None:
        return False
    for number, row in enumerate(inbox.claimed(now), 1):
        _handle(row, now)
        if number == MOST_AT_ONCE:
            return True
    return False


def _handle(row: InboundEmail, now: datetime) -> None:
    person, matter = row.person, matter_of_row(row) if row.topic else None
    if matter is None and row.game is None:
        inbox.discard(row)  # what it was about is gone
        return
    if person is not None and Hindrance.BANNED in gate.hindrances(person, now):
        inbox.discard(row)  # since it came in
        return
    language = matter.topic.language if matter is not None else person and person.language
    with translation.override(language or settings.LANGUAGE_CODE):
        try:
            response = _response_to(row, matter, now)
        except Refused as reason:
            response = Response(inbox.REFUSED, [str(reason)])
        except OperationalError as trouble:
            logger.warning("Email #%s can't be read now: %s", row.pk, trouble)
            inbox.release(row)
            return
        except Exception as trouble:
            logger.exception("Email #%s can't be read", row.pk)
            if row.attempts >= inbox.MOST_ATTEMPTS:
                _settle(row, Response(inbox.REFUSED, [_went_wrong(row)]), now)
            if isinstance(trouble, SoftTimeLimitExceeded):
                raise
            return
    _settle(row, response, now)


def _settle(row: InboundEmail, response: Response | None, now: datetime) -> None:
    if response is None:
        inbox.count(inbox.Outcome.AUTOMATIC, now)
        inbox.discard(row)
        return
    stored: dict[str, Any] = {"title": response.title, "lines": response.lines}
    if response.offers is not None:
        stored["offers"] = response.offers
    inbox.settle(row, stored, now, understood=response.understood, confirmed=response.confirmed)


def _went_wrong(row: InboundEmail) -> str:
    if row.topic:
        return _("Something went wrong, so nothing has changed. Please use the page instead.")
    return _("Something went wrong, so nothing has changed. Please use the table page instead.")


def _response_to(row: InboundEmail, matter: Matter | None, now: datetime) -> Response | None:
    """Do what the message asks for; None if a program sent it while somebody is away."""
    if inbox.is_one_too_many(row):
        text = _(
            "You've sent too many emails: the limit is {most} an hour. This one had no effect, "
            "and anything you send within the next hour may not be read."
        )
        raise Refused(text.format(most=inbox.MOST_AN_HOUR))
    if matter is not None:
        return corresponding.response_to(row, matter, now)
    if row.person is None or row.game is None:
        return None
    return _about_game(row, row.person, row.game, now)


def _about_game(row: InboundEmail, person: User, game: Game, now: datetime) -> Response | None:
    refuse_hindered(person, now)
    if row.attempts > 1 and moves.already_played(game_id=game.pk, user=person, token=row.token):
        return Response("done", [already_in()])
    if row.understood is not None:
        change = Change(person, game, row.thread, now)
        return Response("done", change.done(row.understood, row.token, row.phase_no))
    message = parsing.parsed(bytes(row.raw))
    letter = reading.letter(message)
    position = None if game.state is None else read_position(game, person)
    reply = Reply(row, person, game, letter, position, now)
    try:
        response = _done(reply)
    except Refused as reason:
        response = Response(inbox.REFUSED, [str(reason), *_possible(reply)])
    return None if response is None else response._replace(offers=_shown_offers(reply))


def _shown_offers(reply: Reply) -> list[int]:
    """The offers as a response numbers them: a reply to it may mean one by its number."""
    if reply.position is None:
        return []
    shown = negotiating.offers_to_reply_to(reply.position, reply.row.thread)
    return [one.made_at for one in shown]


def _possible(reply: Reply) -> list[str]:
    lines = response_lines.help_lines(reply.position, reply.game, reply.person, reply.row.thread)
    return [_("You can reply with:"), *lines]


def _done(reply: Reply) -> Response | None:
    try:
        text = own_text(reply.letter, reply.person.name)
    except Refused:
        if reply.letter.is_away:
            return None
        raise
    words = vocabulary(_occupations(reply))
    meant = meaning(text, words, _names(reply))
    if isinstance(meant, Followed):
        return _commanded(reply, meant.commands, _rest(reply, meant))
    if isinstance(meant, list):
        return _commanded(reply, meant, Rest())
    if reply.letter.is_away:
        return None
    line, below = first_line(text)
    if assents(line, words) and (response := _assented(reply, line, below)) is not None:
        return response
    if isinstance(meant, Unclear):
        raise Refused(_unclear(meant))
    return _changed(reply, {"kind": "say", "text": endings.without_footer(meant.text)})


def _rest(reply: Reply, meant: Followed) -> Rest:
    names = (reply.person.name, reply.letter.author, reply.person.email)
    return Rest.of(meant.rest, names, is_alike=meant.is_alike)


def _occupations(reply: Reply) -> tuple[str, ...]:
    return edition_named(reply.game.edition).occupations


def _names(reply: Reply) -> list[tuple[str, str]]:
    """The players with their colours, where seats are drawn."""
    if reply.position is None:
        return []
    return list(
        zip(seat_names(reply.position.seats), reply.position.view.table.players, strict=True)
    )


def _unclear(meant: Unclear) -> str:
    if not meant.line:
        return _("Your email had no text above the quoted part, so nothing has changed.")
    text = _(
        "“{line}” wasn't understood, so nothing has changed. An email can contain either commands "
        "or a message, but not both. To send a message that begins with a command word, put "
        "“{say}:” before it."
    )
    return text.format(line=meant.line[:200], say=shown("say"))


def _commanded(reply: Reply, commands: list[Command], rest: Rest) -> Response:
    word = commands[0].word
    if len(commands) > 1 and not {one.word for one in commands} <= filling.MOVES - {"default"}:
        raise Refused(_("Please send one thing at a time. Nothing has changed."))
    if word == "help":
        return Response("help", [*_possible(reply)[1:], *rest.lines])
    if reply.position is None:
        raise Refused(_("This game hasn't started."))
    if word == "status":
        lines = response_lines.status_lines(reply.position, reply.person, reply.row.thread)
        return Response("status", [*lines, *rest.lines])
    if word == "confirm":
        return _confirmed(reply, rest)
    wanted, is_sure = _wanted(reply, reply.position, commands)
    response = _changed(
        reply, wanted, is_sure=is_sure and not rest.is_meant and not _is_behind(reply)
    )
    return response._replace(lines=[*response.lines, *rest.lines])


def _wanted(reply: Reply, position: Position, commands: list[Command]) -> tuple[Wanted, bool]:
    """What the commands ask for, and whether it is sure that this was meant."""
    word, thread = commands[0].word, reply.row.thread
    if word in filling.MOVES:
        return {"kind": "move", "data": filling.filled(position, commands)}, True
    if word == "offer":
        return {"kind": "offer", **negotiating.offered(position, commands[0], thread)}, True
    seat, in_reply_to = position.view.seat, reply.letter.in_reply_to
    listing = None if seat is None else replied_to.listed_offers(reply.row, in_reply_to, seat)
    offer, is_listed = negotiating.chosen_offer(position, commands[0], thread, listing)
    return {"kind": word, "made_at": offer.made_at, "among": offer.thread}, is_listed


def _is_behind(reply: Reply) -> bool:
    """Whether it replies to email about an earlier phase."""
    return replied_to.is_about_earlier_phase(reply.row, reply.letter.in_reply_to)


def _changed(reply: Reply, wanted: Wanted, *, is_sure: bool = True) -> Response:
    """Do it, or say what would be done and ask for a confirmation, as always if it isn't sure.

    What is to be done at once is done in the phase in which it came in, or not at all. Only a
    message belongs to no phase.
    """
    row = reply.row
    change = Change(reply.person, reply.game, row.thread, reply.now)
    lines = change.described(wanted)
    if reply.person.replies_at_once and is_sure:
        inbox.plan(row, wanted)
        return Response("done", change.done(wanted, row.token, row.phase_no))
    return Response("confirm", [*lines, _how_to_confirm()], wanted)


def _how_to_confirm() -> str:
    text = _(
        "Reply “{confirm}” to go ahead. Nothing changes until you do, and deadlines keep "
        "running. Once the game moves on, it's too late to confirm."
    )
    return text.format(confirm=shown("confirm"))


def _confirmed(reply: Reply, rest: Rest) -> Response:
    """Do what waits for this confirmation, if nothing else is written."""
    in_reply_to, phase_no = reply.letter.in_reply_to, reply.game.phase_no
    row = confirming.meant_to_be_confirmed(reply.row, in_reply_to, phase_no)
    understood: Wanted = row.understood or {}
    confirming.refuse_more_than_a_confirmation(rest, _how_to_confirm())
    change = Change(reply.person, reply.game, reply.row.thread, reply.now)
    if understood["kind"] == "say" and not messages.is_sent(row.token):
        change.refuse_late(row.phase_no)
    lines = change.done(understood, row.token, row.phase_no)
    return Response("done", [*lines, *rest.lines], confirmed=row)


def _assented(reply: Reply, line: str, below: str) -> Response | None:
    """Confirm by a yes in other words; None if nothing waits for it, so that it is a message.

    It confirms only what the very email they reply to asked for.
    """
    if confirming.awaiting_confirmation(reply.row, reply.letter.in_reply_to) is not None:
        return _confirmed(reply, _rest(reply, Followed([], below, is_alike=False)))
    confirming.refuse_assent_to_something_else(reply.row, line)
    return None
