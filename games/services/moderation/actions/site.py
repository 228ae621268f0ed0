"""Actions on the whole site: time for all games, what is stopped, an announcement, maintenance.

Only administrators act. What is done is done to all games alike, also to one's own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game, SiteState, TimeGrant, User
from games.services import audit, site_state
from games.services.accounts import unconfirmed
from games.services.clean_text import fitting
from games.services.moderation.actions.requests import (
    ActionRequest,
    Results,
    write_audit_line,
)
from games.services.refused import Refused
from games.services.roles import may_moderate

LONGEST_NOTICE: Final = 1000
MOST_HOURS: Final = 720
MOST_ACCOUNTS: Final = 500
"""How many accounts one request removes; it may be repeated."""

MOST_DOWNTIME: Final = timedelta(days=14)


def may_administer(user: User) -> bool:
    """Whether somebody keeps order on the whole site: this too comes with their group alone."""
    return may_moderate(user) and "games.administer_site" in user.get_group_permissions()


@contextmanager
def _site_action(request: ActionRequest) -> Iterator[SiteState]:
    """Change the site, whose row is locked, and saved at the end of the block."""
    if not may_administer(request.moderator):
        raise Refused(_("Only administrators can do this."))
    with transaction.atomic(durable=True):
        SiteState.objects.get_or_create(pk=1)
        state = SiteState.objects.select_for_update().get(pk=1)
        yield state
        state.save()
    site_state.forget()


def set_notice(request: ActionRequest, *, text: str, until: datetime | None = None) -> None:
    """Show a notice on every page, in place of any other, until an instant or for good."""
    text = fitting(text, LONGEST_NOTICE)
    _refuse_past(until, request.now)
    with _site_action(request) as state:
        before, state.notice, state.notice_until = state.notice, text, until
        write_audit_line("site.notice", request, before={"text": before}, after={"text": text})


def take_notice_away(request: ActionRequest) -> None:
    """Show no notice any more."""
    with _site_action(request) as state:
        if not state.notice:
            raise Refused(_("There's no announcement."))
        before, state.notice, state.notice_until = state.notice, "", None
        write_audit_line("site.no-notice", request, before={"text": before})


def stop_new_games(request: ActionRequest, *, until: datetime | None = None) -> None:
    """Let nobody open a table or begin a first game, until an instant or until it is allowed.

    Tables that wait for players go on: people may sit down, and the game starts.
    """
    _refuse_past(until, request.now)
    with _site_action(request) as state:
        state.no_new_games_since, state.no_new_games_until = request.now, until
        state.no_new_games_why = request.reason
        write_audit_line("site.no-new-games", request, after={"until": until})


def allow_new_games(request: ActionRequest) -> None:
    """Let games be opened again."""
    with _site_action(request) as state:
        since = state.no_new_games_since
        if since is None:
            raise Refused(_("New games are already allowed."))
        state.no_new_games_since = state.no_new_games_until = None
        state.no_new_games_why = ""
        write_audit_line("site.new-games", request, before={"at": since})


def stop_new_accounts(request: ActionRequest, *, until: datetime | None = None) -> None:
    """Let nobody sign up, until an instant or until it is allowed.

    Who has been sent a code may still enter it.
    """
    _refuse_past(until, request.now)
    with _site_action(request) as state:
        state.no_new_accounts_since, state.no_new_accounts_until = request.now, until
        state.no_new_accounts_why = request.reason
        write_audit_line("site.no-new-accounts", request, after={"until": until})


def allow_new_accounts(request: ActionRequest) -> None:
    """Let people sign up again."""
    with _site_action(request) as state:
        since = state.no_new_accounts_since
        if since is None:
            raise Refused(_("Sign-ups are already allowed."))
        state.no_new_accounts_since = state.no_new_accounts_until = None
        state.no_new_accounts_why = ""
        write_audit_line("site.new-accounts", request, before={"at": since})


def stop_invitations(request: ActionRequest, *, until: datetime | None = None) -> None:
    """Let nobody be invited to a table, until an instant or until it is allowed.

    Invitations that were sent can be accepted; a rematch asks those who played.
    """
    _refuse_past(until, request.now)
    with _site_action(request) as state:
        state.no_invitations_since, state.no_invitations_until = request.now, until
        state.no_invitations_why = request.reason
        write_audit_line("site.no-invitations", request, after={"until": until})


def allow_invitations(request: ActionRequest) -> None:
    """Let people be invited again."""
    with _site_action(request) as state:
        since = state.no_invitations_since
        if since is None:
            raise Refused(_("Invitations are already allowed."))
        state.no_invitations_since = state.no_invitations_until = None
        state.no_invitations_why = ""
        write_audit_line("site.invitations", request, before={"at": since})


def remove_accounts(
    request: ActionRequest, *, since: datetime, until: datetime, ending: str = ""
) -> Results:
    """Delete accounts of this time that nobody has ever confirmed; how many.

    Only those whose addresses end like this, if it is given. At most `MOST_ACCOUNTS`.
    """
    if not may_administer(request.moderator):
        raise Refused(_("Only administrators can do this."))
    count = unconfirmed.delete(unconfirmed.signed_up(since, until, ending), MOST_ACCOUNTS)
    results = Results([], [])
    if count:
        after: audit.Values = {"period": (since, until), "accounts": count}
        if ending:
            after["text"] = ending
        write_audit_line("site.remove-accounts", request, after=after)
        text = ngettext(
            "Removed {count} account. Nobody gets an email.",
            "Removed {count} accounts. Nobody gets an email.",
            count,
        )
        results.done.append(text.format(count=count))
    return results


def give_hours(request: ActionRequest, *, hours: int, token: UUID | None = None) -> None:
    """Move every deadline that is open now on by so many hours; once for each `token`."""
    if not 1 <= hours <= MOST_HOURS:
        raise Refused(_("You can add between 1 and {most} hours.").format(most=MOST_HOURS))
    now = request.now
    grant = TimeGrant(kind=TimeGrant.Kind.HOURS, hours=hours, starts_at=now, ends_at=now)
    _grant_time("site.hours", grant, request, token, {"hours": hours})


def excuse_downtime(
    request: ActionRequest, *, since: datetime, until: datetime, token: UUID | None = None
) -> None:
    """Give back the time in which nobody could reach the site, and forget what was missed then.

    `Refused` where the period lies ahead, is longer than 14 days, or was excused already.
    """
    if until > request.now:
        raise Refused(_("Downtime can only be excused once it's over."))
    if not timedelta() < until - since <= MOST_DOWNTIME:
        sentence = _(
            "The end must be after the start, and the period can last at most {days} days."
        )
        raise Refused(sentence.format(days=MOST_DOWNTIME.days))
    grant = TimeGrant(kind=TimeGrant.Kind.DOWNTIME, starts_at=since, ends_at=until)
    _grant_time("site.downtime", grant, request, token, {"period": (since, until)})


def begin_maintenance(
    request: ActionRequest, *, until: datetime | None = None, read_only: bool = False
) -> None:
    """Let pages only be read and stop the clock, until somebody ends it; `until` is only shown.

    Moderators may still act on people and messages, unless all is `read_only`.
    """
    _refuse_past(until, request.now)
    with _site_action(request) as state:
        _refuse_in_maintenance(state, _("Maintenance is already in progress."))
        state.maintenance_since, state.maintenance_until = request.now, until
        state.maintenance_why, state.maintenance_read_only = request.reason, read_only
        write_audit_line("site.maintenance", request, after={"until": until})


def end_maintenance(request: ActionRequest) -> None:
    """Open the pages, and move every deadline that was open on by as long as it took.

    The clock rests until every game has got its time.
    """
    with _site_action(request) as state:
        since = state.maintenance_since
        if since is None:
            raise Refused(_("No maintenance is in progress."))
        ends_at = max(request.now, since)
        grant = TimeGrant(kind=TimeGrant.Kind.MAINTENANCE, starts_at=since, ends_at=ends_at)
        grant.why = state.maintenance_why
        _save(grant, request)
        state.maintenance_since = state.maintenance_until = None
        state.maintenance_why, state.maintenance_read_only = "", False
        write_audit_line("site.maintenance-over", request, before={"at": since})


def _grant_time(
    key: str,
    grant: TimeGrant,
    request: ActionRequest,
    token: UUID | None,
    after: audit.Values,
) -> None:
    """Write a grant, which the worker gives to one game after the other."""
    with _site_action(request) as state:
        if token is not None and TimeGrant.objects.filter(token=token).exists():
            return
        sentence = _(
            "Maintenance is in progress. End it first; all deadlines will then be extended "
            "by the time it took."
        )
        _refuse_in_maintenance(state, sentence)
        if grant.kind == TimeGrant.Kind.DOWNTIME:
            _refuse_excused(grant)
        grant.why, grant.token = request.reason, token
        _save(grant, request)
        write_audit_line(key, request, after=after)


def _save(grant: TimeGrant, request: ActionRequest) -> None:
    grant.requested_by = request.moderator
    grant.games_expected = running_games()
    grant.save()


def running_games() -> int:
    """How many games run and are not parked: those that get the time."""
    return Game.objects.in_play().without_guests().count()


def _refuse_excused(grant: TimeGrant) -> None:
    """No time is given back twice."""
    periods = TimeGrant.objects.exclude(kind=TimeGrant.Kind.HOURS)
    if periods.filter(starts_at__lt=grant.ends_at, ends_at__gt=grant.starts_at).exists():
        raise Refused(
            _("Part of this period has already been excused. Please choose only the rest of it.")
        )


def _refuse_past(until: datetime | None, now: datetime) -> None:
    if until is not None and until <= now:
        raise Refused(_("The end date must be in the future."))


def _refuse_in_maintenance(state: SiteState, sentence: str) -> None:
    if state.maintenance_since is not None:
        raise Refused(sentence)
