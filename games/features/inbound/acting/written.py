"""What somebody has written in a reply: the text itself, and what stands below a command."""

from collections.abc import Collection
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from games.features.inbound.letters import endings, quotes
from games.features.inbound.letters.reading import Letter
from games.services.refused import Refused

LONGEST_QUOTE: Final = 300
"""How many characters of what wasn't read a response quotes."""


def own_text(letter: Letter, name: str = "") -> str:
    """What somebody wrote above all quotes; `Refused` if that can't be made out.

    Our email greets them by this `name`, or by none.
    """
    if letter.is_encrypted:
        raise Refused(
            _(
                "Your email is encrypted, so we couldn't read it. Please send it again without "
                "encryption."
            )
        )
    if letter.is_forwarded:
        raise Refused(
            _(
                "This looks like a forwarded email, so nothing has changed. Please reply to our "
                "email instead."
            )
        )
    text = quotes.above_ours(letter.text, name) if name else letter.text
    if quotes.quotes_ours(text):
        raise Refused(
            _(
                "Your email quotes one of ours, so nothing has changed. Please send it again "
                "without the quoted text and without links to this site."
            )
        )
    return text


class Rest(NamedTuple):
    """What stands below commands: nothing, or a `text` that may have been meant for somebody."""

    text: str = ""
    is_meant: bool = False

    @classmethod
    def of(cls, text: str, names: Collection[str], *, is_alike: bool = False) -> "Rest":
        """It was meant unless it is the end of an email by somebody with one of these names."""
        signers = [*endings.signers(*names)]
        return cls(text, is_alike or not endings.is_ending(text, signers))

    @property
    def lines(self) -> list[str]:
        """What a response says of it."""
        if not self.text:
            return []
        text = _("This part of your email was not read: “{text}”")
        return [text.format(text=" ".join(self.text.split())[:LONGEST_QUOTE])]
