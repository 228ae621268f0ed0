"""The table of all that moderators may do: each action is one row, in the module of its subject."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from games import extensions
from games.admin.actions.on_accounts import ON_ACCOUNTS
from games.admin.actions.on_emails import ON_EMAILS
from games.admin.actions.on_games import ON_GAMES, ON_SECRETS
from games.admin.actions.on_people import ON_PEOPLE
from games.admin.actions.on_reports import ON_MESSAGES, ON_REPORTS
from games.admin.actions.on_site import ON_SITE
from games.admin.actions.row import Action
from games.models import Game, User, Vote
from games.services.game.unreadable import cannot_be_read

OF_THE_CORE: Final = (
    *ON_GAMES,
    *ON_SECRETS,
    *ON_PEOPLE,
    *ON_ACCOUNTS,
    *ON_REPORTS,
    *ON_MESSAGES,
    *ON_EMAILS,
    *ON_SITE,
)


def all_actions() -> Mapping[str, Action]:
    """Every action by its key, with those of features."""
    of_features = (action for on in extensions.actions() for action in import_string(on.rows))
    return {action.key: action for action in (*OF_THE_CORE, *of_features)}


def titles() -> Mapping[str, Promise]:
    """What the audit log calls each action, also what the host, the clock and votes do."""
    return {
        **{key: action.title for key, action in all_actions().items()},
        "game.record": _("Download the record"),
        "game.extra-time": _("Extra time from the host"),
        "game.abandon": _("End an abandoned game"),
        "game.give-note-back": _("Restore the description"),
        **{f"vote.{kind.value}": kind.label for kind in Vote.Kind},
    }


class ActionLink(NamedTuple):
    """The link to the page of an action, or the button that does it `at_once`.

    Beside the button stands its `explanation`, which otherwise is on the page.
    """

    title: Promise
    address: str
    danger: bool
    at_once: bool = False
    explanation: Promise | str = ""


def title_of(key: str) -> str:
    return str(titles().get(key, key))


def possible_actions(
    actions: Iterable[Action], subject: Any, moderator: User, *ids: int | str
) -> list[ActionLink]:
    """Links to the actions that are possible now, those last that can't be undone.

    `ids` are those in the address of the subject.
    """
    damaged = is_damaged(subject)
    links = [
        ActionLink(
            action.title,
            address_of(action.key, *ids),
            action.danger,
            action.at_once,
            action.explanation,
        )
        for action in actions
        if not action.why_not(subject, moderator) and not (damaged and action.reads_state)
    ]
    return sorted(links, key=lambda link: link.danger)


def is_damaged(subject: object) -> bool:
    """Whether this is a running game whose state can't be read."""
    return isinstance(subject, Game) and cannot_be_read(subject)


def address_of(key: str, *ids: int | str) -> str:
    """The page of an action on one subject."""
    kind, _dot, slug = key.partition(".")
    return reverse(f"admin:{kind}_action", args=[*ids, slug])
