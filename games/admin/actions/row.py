"""One row of the table of actions."""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any, NamedTuple

from django.utils.functional import Promise

from games.forms.moderation.base import ActionForm
from games.models import User


def always(_subject: object, _moderator: User) -> str:
    """The condition of an action that is always possible."""
    return ""


def unless(holds: Callable[[Any], object], reason: Promise) -> Callable[[Any, User], str]:
    """The condition of an action that is possible for subjects of which something `holds`."""
    return lambda subject, _moderator: "" if holds(subject) else str(reason)


class Group(Enum):
    """Among which actions on a game one stands; those on a seat stand beside the seat."""

    TIME = auto()
    SEAT = auto()
    TABLE = auto()
    REPAIR = auto()


class Action(NamedTuple):
    """What a moderator may do to a game, a person, a report, a message or the site.

    The audit log stores its `key`: the kind of subject, and the slug of its page. `explanation`
    says what will happen, `result` afterwards what has happened, to whom, and who gets an email,
    with the `values` of the form; None where `do` returns what is said or shown. The form calls
    `do`. `why_not` says why it isn't possible now, "" if it
    is; it gets the subject (of a person their `Standing`) and the moderator. What is done
    `at_once`, from a button on the page of the subject, is harmless and needs no form. What
    `reads_state` of a game isn't possible where that is damaged. What `removes` its subject leads
    back to the list. `see_also` is the key of what one may want to do beside it, `instead`
    of what in its place. Only actions on games have groups.
    """

    key: str
    title: Promise
    explanation: Promise
    result: Promise | str | None
    form: type[ActionForm]
    do: Callable[..., Any]
    why_not: Callable[[Any, User], str] = always
    danger: bool = False
    at_once: bool = False
    reads_state: bool = False
    removes: bool = False
    see_also: str = ""
    instead: str = ""
    group: Group = Group.TABLE

    @property
    def slug(self) -> str:
        return self.key.partition(".")[2]

    def result_of(self, values: Mapping[str, Any]) -> str:
        """What was done, as a sentence; `values` are those of the form, from before it was done."""
        return "" if self.result is None else str(self.result).format(**values).strip()
