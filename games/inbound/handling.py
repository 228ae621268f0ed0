"""Does what an email asks for, and answers it."""

import logging
from datetime import datetime
from typing import Any, Final, NamedTuple

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import OperationalError
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from games.engine.editions import edition_named
from games.inbound import filling, negotiating, telling
from games.inbound.changes import Change, Wanted, already_in
from games.models import Game, InboundMail, User, database_now
from games.presentation.commands import Command, Said, Unclear, meaning
from games.presentation.text.command_words import shown, vocabulary
from games.services import site_state
from games.services.accounts import terms
from games.services.game import moves
from games.services.game.position import Position, read_position
from games.services.inbound import inbox, parsing, quotes, reading
from games.services.people.display_names import seat_names
from games.services.refused import Refused

logger = logging.getLogger(__name__)

MOST_AT_ONCE: Final = 50
"""How many emails one call reads; the next call goes on."""


class Answer(NamedTuple):
    """What is answered: a key of `TITLES` (`services.email.answer_emails`), and lines.

    `asked` is what a "confirm" would do, in a form that can be stored; `confirmed` is the message
    that asked for what was done.
    """

    title: str
    lines: list[str]
    asked: dict[str, Any] | None = None
    confirmed: InboundMail | None = None


class Mail(NamedTuple):
    """A message, who wrote it, and what they said."""

    row: InboundMail
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
    if site_state.read().maintenance_since is not None:
        return False
    for number, row in enumerate(inbox.claimed(now), 1):
        _handle(row, now)
        if number == MOST_AT_ONCE:
            return True
    return False


def _handle(row: InboundMail, now: datetime) -> None:
    person, game = row.person, row.game
    if person is None or game is None:
        return
    if not person.is_active:
        inbox.discard(row)  # Banned since it came in.
        return
    with translation.override(person.language or settings.LANGUAGE_CODE):
        try:
            answer = _answered(row, person, game, now)
        except Refused as reason:
            answer = Answer(inbox.REFUSED, [str(reason)])
        except OperationalError as trouble:
            logger.warning("Email #%s can't be read now: %s", row.pk, trouble)
            inbox.release(row)
            return
        except Exception as trouble:
            logger.exception("Email #%s can't be read", row.pk)
            if row.attempts >= inbox.MOST_ATTEMPTS:
                _settle(row, Answer(inbox.REFUSED, [_went_wrong()]), now)
            if isinstance(trouble, SoftTimeLimitExceeded):
                raise
            return
    _settle(row, answer, now)


def _settle(row: InboundMail, answer: Answer, now: datetime) -> None:
    stored = {"title": answer.title, "lines": answer.lines}
    inbox.settle(row, stored, now, asked=answer.asked, confirmed=answer.confirmed)


def _went_wrong() -> str:
    return _("Something went wrong, so nothing was done. Please use the table page instead.")


def _answered(row: InboundMail, person: User, game: Game, now: datetime) -> Answer:
    if inbox.is_one_too_many(row):
        text = _(
            "That's a lot at once: you can send up to {most} emails in an hour. Nothing was done, "
            "and anything you send in the next few minutes won't be read."
        )
        raise Refused(text.format(most=inbox.MOST_AN_HOUR))
    if terms.are_owed_by(person):
        text = _(
            "Nothing was done: the terms or the privacy notice of this site have changed. Please "
            "accept them, then write again: {link}"
        )
        raise Refused(text.format(link=f"{settings.SITE_URL}{reverse('accept_terms')}"))
    if row.attempts > 1 and moves.already_played(game_id=game.pk, user=person, token=row.token):
        return Answer("done", [already_in()])
    if row.asked is not None:
        change = Change(person, game, row.thread, now)
        return Answer("done", change.done(row.asked, row.token, row.phase_no))
    message = parsing.parsed(bytes(row.raw))
    letter = reading.letter(message)
    position = None if game.state is None else read_position(game, person)
    mail = Mail(row, person, game, letter, position, now)
    try:
        return _done(mail)
    except Refused as reason:
        return Answer(inbox.REFUSED, [str(reason), *_possible(mail)])


def _possible(mail: Mail) -> list[str]:
    lines = telling.help_lines(mail.position, mail.game, mail.person, mail.row.thread)
    return [_("You can reply with:"), *lines]


def _done(mail: Mail) -> Answer:
    if mail.letter.is_forwarded:
        raise Refused(
            _("This looks like a forwarded email, so nothing was done. Please write a reply.")
        )
    text = quotes.above_ours(mail.letter.text, mail.person.name)
    if quotes.quotes_ours(text):
        raise Refused(
            _(
                "Your email quotes one of ours, so nothing was done. Please send it again without "
                "what it quotes, and without links to this site."
            )
        )
    meant = meaning(text, vocabulary(_occupations(mail)), _names(mail))
    if isinstance(meant, Unclear):
        raise Refused(_unclear(meant))
    if isinstance(meant, Said):
        return _changed(mail, {"kind": "say", "text": meant.text})
    return _commanded(mail, meant)


def _occupations(mail: Mail) -> tuple[str, ...]:
    return edition_named(mail.game.edition).occupations


def _names(mail: Mail) -> list[tuple[str, str]]:
    """The players with their colours, where seats are drawn."""
    if mail.position is None:
        return []
    return list(zip(seat_names(mail.position.seats), mail.position.view.table.players, strict=True))


def _unclear(meant: Unclear) -> str:
    if not meant.line:
        return _("There was nothing to read above the quoted text, so nothing was done.")
    text = _(
        "“{line}” wasn't understood, so nothing was done. An email can contain either commands or "
        "a message, but not both. To send a message that begins with a command word, put “{say}:” "
        "before it."
    )
    return text.format(line=meant.line[:200], say=shown("say"))


def _commanded(mail: Mail, commands: list[Command]) -> Answer:
    word = commands[0].word
    if len(commands) > 1 and not {one.word for one in commands} <= filling.MOVES - {"default"}:
        raise Refused(_("Please send one thing at a time. Nothing was done."))
    if word == "help":
        return Answer("help", _possible(mail)[1:])
    if mail.position is None:
        raise Refused(_("This game hasn't started."))
    if word == "status":
        return Answer("status", telling.status_lines(mail.position, mail.person))
    if word == "confirm":
        return _confirmed(mail)
    return _changed(mail, _wanted(mail, mail.position, commands))


def _wanted(mail: Mail, position: Position, commands: list[Command]) -> Wanted:
    word, thread = commands[0].word, mail.row.thread
    if word in filling.MOVES:
        return {"kind": "move", "data": filling.filled(position, commands)}
    if word == "offer":
        return {"kind": "offer", **negotiating.offered(position, commands[0], thread)}
    offer = negotiating.chosen_offer(position, commands[0], thread)
    return {"kind": word, "made_at": offer.made_at, "among": offer.thread}


def _changed(mail: Mail, wanted: Wanted) -> Answer:
    """Do it, or say what would be done and ask for a confirmation.

    What is to be done at once is done in the phase in which it came in, or not at all. Only what is
    said to others has no phase.
    """
    row = mail.row
    change = Change(mail.person, mail.game, row.thread, mail.now)
    lines = change.described(wanted)
    if mail.person.replies_at_once and not _is_behind(mail, wanted):
        inbox.plan(row, wanted, mail.game.phase_no if wanted["kind"] == "say" else row.phase_no)
        return Answer("done", change.done(wanted, row.token, row.phase_no))
    return Answer("confirm", [*lines, _how_to_confirm()], wanted)


def _is_behind(mail: Mail, wanted: Wanted) -> bool:
    """Whether it answers what was asked in an earlier phase. A message to others may do so."""
    if wanted["kind"] == "say":
        return False
    return inbox.answers_earlier_phase(mail.row, mail.letter.answers)


def _how_to_confirm() -> str:
    text = _(
        "Reply “{confirm}” to go ahead. Nothing is done until then, and no deadline waits for it. "
        "Once the game moves on, it's too late to confirm."
    )
    return text.format(confirm=shown("confirm"))


def _confirmed(mail: Mail) -> Answer:
    """Do what waits for this confirmation."""
    asked = inbox.waiting_for_confirmation(mail.row).order_by("-pk").first()
    if asked is None:
        raise Refused(_("There's nothing to confirm."))
    answered = inbox.answered_with(mail.person, mail.letter.answers)
    if answered is not None and answered != asked.pk:
        raise Refused(_("You've written something else since. Please confirm the latest email."))
    change = Change(mail.person, mail.game, mail.row.thread, mail.now)
    lines = change.done(asked.asked, asked.token, asked.phase_no)
    return Answer("done", lines, confirmed=asked)
