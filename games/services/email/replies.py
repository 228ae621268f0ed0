"""What was the matter with an email, as moderators read it: the server's reply, or our error."""

import re
from typing import Final, NamedTuple

from games.models import OutboxEmail

CODE: Final = re.compile(r"\d{3}(?:[ -]+\d\.\d+\.\d+)?")
"""The codes of a reply; what follows often names the recipient."""

BY_SERVER: Final = re.compile(r"[245]\d\d\b")
"""The beginning of an error that a mail server has replied (`answers.error_text`)."""


class Reply(NamedTuple):
    """The last error of an email, on one line, and whether a mail server said it."""

    text: str
    by_server: bool


def reply_of(email: OutboxEmail) -> Reply:
    """What was the matter last; an empty text where nothing was."""
    text = " ".join(email.error.splitlines()[-1:])
    return Reply(text, bool(BY_SERVER.match(email.error)))


def cause_of(email: OutboxEmail) -> str:
    """What emails that failed for one reason have in common: the codes of the reply, or our error.

    Our error is the kind and the place where it was raised.
    """
    code = CODE.match(email.error)
    return code[0] if code is not None else reply_of(email).text
