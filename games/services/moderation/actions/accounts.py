"""What administrators do to an account because its person asked, and to roles.

Each tells the person by email, and where an address changes or goes, the old address too.
"""

from typing import Any

from django.utils.translation import gettext as _

from games import extensions
from games.models import User
from games.services import roles
from games.services.accounts import factor_resets, on_request
from games.services.accounts.on_request import By
from games.services.moderation.actions.person_action import person_action
from games.services.moderation.actions.requests import PersonRequest
from games.services.moderation.actions.site import may_administer
from games.services.refused import Refused

NEED_FACTOR_NOW = frozenset(
    {
        "person.address", "person.reset-factor", "person.forget-factor", "person.export",
        "person.delete", "person.appoint", "person.dismiss", "report.export",
    }
)  # fmt: skip
"""The actions before which an administrator shows their second factor once more."""


def change_address(request: PersonRequest, *, address: str) -> None:
    """Let somebody's email and codes go to another address."""
    _refuse_others(request)
    with person_action("person.address", request) as action:
        on_request.change_address(action.person, address, _by(request))


def reset_factor(request: PersonRequest) -> None:
    """Have somebody's second factor removed after a day, unless they stop it."""
    _refuse_others(request)
    with person_action("person.reset-factor", request) as action:
        factor_resets.ask(action.person, _by(request))


def forget_factor(request: PersonRequest) -> None:
    """Remove it now, as a second administrator agrees."""
    _refuse_others(request)
    with person_action("person.forget-factor", request) as action:
        factor_resets.confirm(action.person, _by(request))


def stop_reset(request: PersonRequest) -> None:
    """Leave somebody their second factor."""
    _refuse_others(request)
    with person_action("person.stop-reset", request) as action:
        if not factor_resets.stop(action.person, _by(request)):
            raise Refused(_("There's no reset to stop."))


def export(request: PersonRequest) -> None:
    """Have a file with all data of a banned person made, which they get by email."""
    _refuse_others(request)
    with person_action("person.export", request) as action:
        if reason := why_no_export(action.person):
            raise Refused(reason)
        extensions.send_own_data(action.person, request.now)
        action.audit()


def why_no_export(person: Any) -> str:
    """Why an administrator has no file made for them; "" if they may."""
    if person.is_active:
        return _(
            "People can download all their data themselves, in their profile, unless they're "
            "banned."
        )
    return (
        ""
        if extensions.can_send_own_data()
        else _("This site doesn't offer downloads of personal data.")
    )


def delete(request: PersonRequest) -> None:
    """Delete somebody who asked for it."""
    _refuse_others(request)
    with person_action("person.delete", request) as action:
        if action.person.is_staff:
            raise Refused(on_request.to_be_dismissed())
    # Outside: leaving each table is a transaction of its own.
    on_request.delete(action.person, _by(request))


def appoint(request: PersonRequest, *, role: str) -> None:
    """Make somebody a moderator or an administrator."""
    _refuse_others(request)
    with person_action("person.appoint", request) as action:
        if reason := why_not_appoint(action.person):
            raise Refused(reason)
        roles.appoint(action.person, role)
        line = on_request.write_line("person.appoint", action.person, _by(request), {"role": role})
        on_request.tell(action.person, line)


def why_not_appoint(person: Any) -> str:
    """Why somebody can't keep order; "" if they can."""
    return "" if person.is_active else _("This person is banned.")


def dismiss(request: PersonRequest) -> None:
    """Make a moderator or an administrator an ordinary player again."""
    _refuse_others(request)
    with person_action("person.dismiss", request) as action:
        if not action.person.is_staff:
            raise Refused(_("This person isn't a moderator."))
        roles.dismiss(action.person)
        line = on_request.write_line("person.dismiss", action.person, _by(request))
        on_request.tell(action.person, line)


def _by(request: PersonRequest) -> By:
    return By(request.moderator, request.reason, request.now)


def _refuse_others(request: PersonRequest) -> None:
    if not may_administer(request.moderator):
        raise Refused(only_administrators())


def only_administrators() -> str:
    return _("Only administrators can do this.")


def why_not_administer(moderator: User) -> str:
    """Why somebody may not do any of this; "" if they may."""
    return "" if may_administer(moderator) else only_administrators()
