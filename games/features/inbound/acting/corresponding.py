"""Does what a reply asks for that isn't about a table: to pass on what somebody has written.

Nothing in it is a command but the confirmation, as anybody may begin a sentence with "send".
"""

from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from games.features.inbound import inbox
from games.features.inbound.acting import confirming
from games.features.inbound.acting.hindered import refuse_hindered
from games.features.inbound.acting.response import Response
from games.features.inbound.acting.written import Rest, own_text
from games.features.inbound.commands.meaning import assents, confirms, first_line, said
from games.features.inbound.commands.words import shown, vocabulary
from games.features.inbound.letters import endings, parsing, reading
from games.features.inbound.letters.reading import Letter
from games.features.inbound.matters import Matter
from games.models import InboundEmail
from games.services.refused import Refused


def response_to(row: InboundEmail, matter: Matter, now: datetime) -> Response | None:
    """Pass on the message, or ask for a confirmation; None if a program sent it."""
    if row.person is not None:
        refuse_hindered(row.person, now, matter.by.open_to)
    if row.understood is not None:
        return _passed_on(matter, row.understood["text"], row.token, now)
    letter = reading.letter(parsing.parsed(bytes(row.raw)))
    if letter.is_away:
        return None
    text = own_text(letter, "" if row.person is None else row.person.name)
    return _confirmed(row, matter, letter, text, now) or _written(row, matter, text, now)


def _passed_on(matter: Matter, text: str, token: UUID, now: datetime) -> Response:
    return Response("done", matter.by.done(matter.topic, text, token, now))


def _confirmed(
    row: InboundEmail, matter: Matter, letter: Letter, text: str, now: datetime
) -> Response | None:
    """Pass on what waits, if that is what the text says; None if it is a message itself."""
    words, (line, below) = vocabulary(()), first_line(text)
    if not confirms(line, words):
        if not assents(line, words):
            return None
        if confirming.awaiting_confirmation(row, letter.in_reply_to) is None:
            confirming.refuse_assent_to_something_else(row, line)
            return None
    waiting = confirming.meant_to_be_confirmed(row, letter.in_reply_to)
    name = "" if row.person is None else row.person.name
    rest = Rest.of(below, (name, letter.author, matter.topic.address)) if below else Rest()
    confirming.refuse_more_than_a_confirmation(rest, _how_to_confirm())
    understood = waiting.understood or {}
    done = _passed_on(matter, understood["text"], waiting.token, now)
    return done._replace(lines=[*done.lines, *rest.lines], confirmed=waiting)


def _written(row: InboundEmail, matter: Matter, text: str, now: datetime) -> Response:
    """Pass on a message at once, or say what it is and ask for a confirmation."""
    message = said(text, vocabulary(()))
    message = endings.without_footer(text) if message is None else message
    if not message.strip():
        raise Refused(_("Your email had no text above the quoted part, so nothing has changed."))
    lines = matter.by.described(matter.topic, message, now)
    understood = {"kind": "write", "text": message}
    if row.person is not None and row.person.replies_at_once:
        inbox.plan(row, understood)
        return _passed_on(matter, message, row.token, now)
    return Response("confirm", [*lines, _how_to_confirm()], understood)


def _how_to_confirm() -> str:
    text = _("Reply “{confirm}” to send it. Nobody can see it until then.")
    return text.format(confirm=shown("confirm"))
