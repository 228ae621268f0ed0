"""Sentences about a player, which that player reads as "you"."""

from typing import Final, NamedTuple

from django.utils.functional import Promise as LazyText
from django.utils.translation import gettext_lazy as _

from games.presentation.text.words import People


class Said(NamedTuple):
    """A sentence about a player, and the same said to that player."""

    of_others: LazyText
    to_reader: LazyText

    def about(self, people: People, seat: int, **values: object) -> str:
        """The sentence about who has this seat; `{name}` is theirs unless the values give one."""
        text = self.to_reader if seat == people.reader else self.of_others
        return str(text).format(**{"name": people.name(seat), **values})


INHERITED: Final = Said(
    _("{name}, bound by {other}'s promise from round {round}"),
    _("you, bound by {other}'s promise from round {round}"),
)
"""Who has a promise that somebody else gave, without a full stop."""

INHERITED_OFFER: Final = Said(
    _("{name}, taking over {other}'s offer from round {round}"),
    _("you, taking over {other}'s offer from round {round}"),
)
"""Who has an open offer that somebody else made."""
