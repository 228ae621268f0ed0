"""Actions that email somebody: who gets it, and how it will read, is shown first."""

from collections.abc import Iterable

from django.utils.translation import gettext, ngettext

from games.forms.moderation.base import PreviewedForm
from games.models import User
from games.presentation.text.words import listed


def emailed_text(people: Iterable[User | None]) -> str:
    """Which of these people get an email, in a sentence."""
    names = [person.name for person in people if person is not None]
    if not names:
        return gettext("Nobody is emailed.")
    text = ngettext("{names} gets an email.", "{names} get an email.", len(names))
    return text.format(names=listed(names))


class EmailingForm(PreviewedForm):
    """An action with an email, which nobody can take back once it has left."""

    def choice(self) -> str:
        """Nothing else: how long something lasts is reckoned anew each time."""
        return ""

    def readers(self) -> list[User]:
        """Who gets an email."""
        return [person for person in self.notified() if person is not None]

    def what_happens(self) -> list[str]:
        """What is done besides, in sentences."""
        return []

    def consequences(self) -> list[str]:
        return [*self.what_happens(), emailed_text(self.readers())]
