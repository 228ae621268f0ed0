"""Acts on the whole site: time for all games, no new games, a notice, maintenance.

Only administrators act. What is done is done to all games alike, also to one's own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Game, SiteState, TimeGrant, User
from games.services import audit, site_state
from games.services.clean_text import tidy
from games.services.moderation.actions.on_games import Decision
from games.services.refused import Refused
from games.services.roles import may_moderate

LONGEST_NOTICE: Final = 1000
MOST_HOURS: Final = 720
MOST_DOWNTIME: Final = timedelta(days=14)


def may_administer(user: User) -> bool:
    """Whether somebody keeps order on the whole site."""
    return may_moderate(user) and user.has_perm("games.administer_site")


@contextmanager
def _acting(decision: Decision) -> Iterator[SiteState]:
    """An act on the site, whose row is locked and is saved at the end of the block."""
    if not may_administer(decision.moderator):
        raise Refused(_("Only administrators can do this."))
    with transaction.atomic(durable=True):
        SiteState.objects.get_or_create(pk=1)
        state = SiteState.objects.select_for_update().get(pk=1)
        yield state
        state.save()
    site_state.forget()


def _note(decision: Decision, act: str, *, before: object = "", after: object = "") -> None:
    audit.note(
        act, now=decision.now, who=decision.moderator, reason=decision.reason,
        before=before, after=after,
    )  # fmt: skip


def set_notice(decision: Decision, *, text: str, until: datetime | None = None) -> None:
    """Show a notice on every page, in place of any other, until an instant or for good."""
    text = tidy(text)
    if not 0 < len(text) <= LONGEST_NOTICE:
        raise Refused(
            _("An announcement must have 1 to {most} characters.").format(most=LONGEST_NOTICE)
        )
    _refuse_past(until, decision.now)
    with _acting(decision) as state:
        before, state.notice, state.notice_until = state.notice, text, until
        _note(decision, "notice", before=before, after=text)


def take_notice_away(decision: Decision) -> None:
    """Show no notice any more."""
    with _acting(decision) as state:
        if not state.notice:
            raise Refused(_("There is no announcement."))
        before, state.notice, state.notice_until = state.notice, "", None
        _note(decision, "notice", before=before)


def stop_new_games(decision: Decision, *, until: datetime | None = None) -> None:
    """Let nobody open a table or begin a first game, until an instant or until it is allowed.

    Tables that wait for players go on: people may sit down, and the game starts.
    """
    _refuse_past(until, decision.now)
    with _acting(decision) as state:
        state.no_new_games_since, state.no_new_games_until = decision.now, until
        state.no_new_games_why = decision.reason
        _note(decision, "stop new games", after=until)


def allow_new_games(decision: Decision) -> None:
    """Let games be opened again."""
    with _acting(decision) as state:
        since = state.no_new_games_since
        if since is None:
            raise Refused(_("New games are already allowed."))
        state.no_new_games_since = state.no_new_games_until = None
        state.no_new_games_why = ""
        _note(decision, "allow new games", before=since)


def give_hours(decision: Decision, *, hours: int, token: UUID | None = None) -> None:
    """Move every deadline that is open now on by so many hours; once for each `token`."""
    if not 1 <= hours <= MOST_HOURS:
        raise Refused(_("You can add from 1 to {most} hours.").format(most=MOST_HOURS))
    now = decision.now
    grant = TimeGrant(kind=TimeGrant.Kind.HOURS, hours=hours, starts_at=now, ends_at=now)
    _ask_for(grant, decision, token)


def excuse_downtime(
    decision: Decision, *, since: datetime, until: datetime, token: UUID | None = None
) -> None:
    """Give back the time in which nobody could reach the site, and forget what was missed then.

    `Refused` where the period lies ahead, is longer than 14 days, or was excused already.
    """
    if until > decision.now:
        raise Refused(_("Downtime can only be excused once it's over."))
    if not timedelta() < until - since <= MOST_DOWNTIME:
        told = _("The period must end after it starts and last at most {days} days.")
        raise Refused(told.format(days=MOST_DOWNTIME.days))
    grant = TimeGrant(kind=TimeGrant.Kind.DOWNTIME, starts_at=since, ends_at=until)
    _ask_for(grant, decision, token)


def begin_maintenance(decision: Decision, *, until: datetime | None = None) -> None:
    """Let pages only be read and the clock rest, until somebody ends it; `until` is only told."""
    _refuse_past(until, decision.now)
    with _acting(decision) as state:
        _refuse_in_maintenance(state, _("Maintenance is already in progress."))
        state.maintenance_since, state.maintenance_until = decision.now, until
        state.maintenance_why = decision.reason
        _note(decision, "begin maintenance", after=until)


def end_maintenance(decision: Decision) -> None:
    """Open the pages, and move every deadline that was open on by as long as it took.

    The clock rests until every game has got its time.
    """
    with _acting(decision) as state:
        since = state.maintenance_since
        if since is None:
            raise Refused(_("No maintenance is in progress."))
        ends_at = max(decision.now, since)
        grant = TimeGrant(kind=TimeGrant.Kind.MAINTENANCE, starts_at=since, ends_at=ends_at)
        grant.why = state.maintenance_why
        _save(grant, decision)
        state.maintenance_since = state.maintenance_until = None
        state.maintenance_why = ""
        _note(decision, "end maintenance", before=since)


def _ask_for(grant: TimeGrant, decision: Decision, token: UUID | None) -> None:
    """Write a grant, which the worker gives to one game after the other."""
    with _acting(decision) as state:
        if token is not None and TimeGrant.objects.filter(token=token).exists():
            return
        told = _(
            "Maintenance is in progress. End it first; deadlines are then extended by its length."
        )
        _refuse_in_maintenance(state, told)
        if grant.kind == TimeGrant.Kind.DOWNTIME:
            _refuse_excused(grant)
        grant.why, grant.token = decision.reason, token
        _save(grant, decision)
        after = f"{grant.hours} h" if grant.hours else _period(grant)
        _note(decision, f"give time: {grant.kind}", after=after)


def _period(grant: TimeGrant) -> str:
    ends = (grant.starts_at, grant.ends_at)
    return " to ".join(at.isoformat(timespec="minutes") for at in ends)


def _save(grant: TimeGrant, decision: Decision) -> None:
    grant.asked_by = decision.moderator
    grant.games_expected = running_games()
    grant.save()


def running_games() -> int:
    """How many games run and are not parked: those that get the time."""
    return Game.objects.in_play().count()


def _refuse_excused(grant: TimeGrant) -> None:
    """No time is given back twice."""
    periods = TimeGrant.objects.exclude(kind=TimeGrant.Kind.HOURS)
    if periods.filter(starts_at__lt=grant.ends_at, ends_at__gt=grant.starts_at).exists():
        raise Refused(_("Part of this period has already been given back: choose only the rest."))


def _refuse_past(until: datetime | None, now: datetime) -> None:
    if until is not None and until <= now:
        raise Refused(_("The end must be in the future."))


def _refuse_in_maintenance(state: SiteState, told: str) -> None:
    if state.maintenance_since is not None:
        raise Refused(told)
