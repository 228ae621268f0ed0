"""Who may have which public name: nobody that of another, or one by which the site itself speaks.

The name of a sign-up is settled when its owner first comes in: until then it is anybody's.
"""

from functools import cache
from typing import Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.characters import Role
from games.models import AuditLine, Report, User
from games.names import key_of, words_of
from games.presentation.text.characters import character_name
from games.presentation.text.nouns import COLOURS
from games.presentation.text.tables import COMPUTER_PLAYER_NAMES
from games.presentation.text.words import empty_seat

TAKEN: Final = gettext_lazy("This name, or one that looks like it, is already taken.")

_OFFICES: Final = (
    "Intrigue", "admin", "administrator", "moderator", "referee", "staff", "system",
    "Schiedsrichter", "Schiedsrichterin", "Arbiter", "арбитр", "ведущий",
)  # fmt: skip
"""The last are what others call a referee, in the languages of the site."""


def why_not(name: str, person: User | None = None) -> str:
    """Why somebody cannot have this name, `person` or somebody new; "" where they can."""
    key = key_of(name)
    if person is not None and person.name_key == key:
        return ""
    if _is_own(key):
        return _("This name is reserved for the site itself. Please choose another one.")
    if User.objects.filter(name_key=key).exists():
        return str(TAKEN)
    if person is not None and key in _taken_away(person):
        return _("A moderator has removed this name from your account. Please choose another one.")
    return ""


def claim(person: User) -> bool:
    """Settle the name of somebody who has none of their own yet; whether it was still free."""
    if person.name_key is None and not why_not(person.name, person):
        try:
            with transaction.atomic():
                person.name_key = key_of(person.name)
                person.save(update_fields=["name_key"])
        except IntegrityError:
            person.name_key = None
    return person.name_key is not None


def _taken_away(person: User) -> set[str]:
    """The names that moderators have taken from somebody and not given back."""
    lines = AuditLine.objects.filter(person=person, action="person.rename")
    reversed_ones = {
        *Report.objects.filter(person=person, state=Report.State.TAKEN_BACK).values_list(
            "pk", flat=True
        )
    }
    return {
        key_of(line.before["name"])
        for line in lines
        if line.after.get("report") not in reversed_ones
    }


def _is_own(key: str) -> bool:
    """Whether the site speaks so, or somebody with an office at it: "Moderator Anna"."""
    words = words_of(key)
    return bool({*words, "".join(words)} & _offices()) or "".join(words) in _own_names()


@cache
def _offices() -> frozenset[str]:
    """The words for those who keep order, in all languages: no name has one of them."""
    offices = {*_OFFICES}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            offices |= {_("moderator"), _("referee"), _("The referee").split()[-1]}
    return frozenset(key_of(office) for office in offices)


@cache
def _own_names() -> frozenset[str]:
    """All else that the site calls those who act, in all languages."""
    names: set[str] = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            names |= {_("Nobody"), _("Someone"), _("Someone who has left")}
            names |= {_("Computer"), _("computer player")}
            names |= {_("the clock"), _("the table"), _("the host")}
            names |= {str(name) for name in COMPUTER_PLAYER_NAMES.values()}
            names |= {character_name(role) for role in Role}
            names |= {empty_seat(colour) for colour in COLOURS}
    return frozenset("".join(words_of(key_of(name))) for name in names)
