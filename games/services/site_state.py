"""How the site stands: remembered for a moment by what shows it, read anew by what refuses by it.

A page may be a few seconds late with a notice; what somebody sends never gets past a maintenance.
"""

from datetime import datetime
from functools import cache
from typing import Any, Final, NamedTuple

from django.core.cache import caches
from django.db.models import Exists
from django.utils.translation import gettext as _

from games.models import SiteState, TimeGrant
from games.presentation.text.words import moment
from games.services.refused import Refused
from games.services.sql import select

MEMORY: Final = "process"
"""The cache of each process by itself: it forgets after a few seconds."""

KEY: Final = "site"


class Site(NamedTuple):
    """How the site stands, as `SiteState` explains it; `time_is_given` while a grant goes on."""

    notice: str = ""
    notice_until: datetime | None = None
    no_new_games_since: datetime | None = None
    no_new_games_until: datetime | None = None
    no_new_games_why: str = ""
    no_new_accounts_since: datetime | None = None
    no_new_accounts_until: datetime | None = None
    no_new_accounts_why: str = ""
    no_invitations_since: datetime | None = None
    no_invitations_until: datetime | None = None
    no_invitations_why: str = ""
    maintenance_since: datetime | None = None
    maintenance_until: datetime | None = None
    maintenance_why: str = ""
    maintenance_read_only: bool = False
    migrated_by: str = ""
    migrated_commit: str = ""
    migrated_at: datetime | None = None
    works_with: str = ""
    time_is_given: bool = False

    @property
    def clock_is_stopped(self) -> bool:
        """Whether the clock plays nothing and reminds nobody."""
        return self.maintenance_since is not None or self.time_is_given

    def takes_new_games(self, now: datetime) -> bool:
        """Whether new games may be opened."""
        return _is_over(self.no_new_games_since, self.no_new_games_until, now)

    def takes_new_accounts(self, now: datetime) -> bool:
        """Whether people may sign up."""
        return _is_over(self.no_new_accounts_since, self.no_new_accounts_until, now)

    def takes_invitations(self, now: datetime) -> bool:
        """Whether people may be invited."""
        return _is_over(self.no_invitations_since, self.no_invitations_until, now)


def _is_over(since: datetime | None, until: datetime | None, now: datetime) -> bool:
    """Whether nothing is stopped, or no longer."""
    return since is None or (until is not None and until <= now)


class SiteNews(NamedTuple):
    """What everybody reads about the site: on every page, and where something is stopped."""

    notice: str
    maintenance: list[str]
    no_new_games: str
    no_new_accounts: str
    no_invitations: str


def read() -> Site:
    """How the site stands now. One query."""
    rows = select(*_statement())
    return Site(*rows[0]) if rows else Site()


@cache
def _statement() -> tuple[str, tuple[Any, ...]]:
    """The query, which every post and every deadline asks: building it takes 1 ms of either."""
    grants = TimeGrant.objects.filter(finished_at=None)
    sites = SiteState.objects.annotate(time_is_given=Exists(grants)).order_by("pk")
    query: tuple[str, tuple[Any, ...]] = sites.values_list(*Site._fields)[
        :1
    ].query.sql_with_params()
    return query


def remembered() -> Site:
    """How the site stood a few seconds ago at most; seldom a query."""
    site: Site | None = caches[MEMORY].get(KEY)
    if site is None:
        site = read()
        caches[MEMORY].set(KEY, site)
    return site


def forget() -> None:
    """The site has changed: read it anew, at least in this process."""
    caches[MEMORY].delete(KEY)


def clock_is_stopped() -> bool:
    """Whether the clock plays nothing and reminds nobody now. One query."""
    return read().clock_is_stopped


def refuse_new_games(now: datetime, zone: str) -> None:
    """`Refused` while no new games are taken; says why, and until when on the reader's clock."""
    site = read()
    if not site.takes_new_games(now):
        raise Refused(_no_new_games(site, zone))


def refuse_new_accounts(now: datetime, zone: str) -> None:
    """`Refused` while nobody may sign up; says why, and until when."""
    site = read()
    if not site.takes_new_accounts(now):
        raise Refused(_no_new_accounts(site, zone))


def refuse_invitations(now: datetime, zone: str) -> None:
    """`Refused` while nobody may be invited; says why, and until when."""
    site = read()
    if not site.takes_invitations(now):
        raise Refused(_no_invitations(site, zone))


def news(site: Site, now: datetime, zone: str) -> SiteNews:
    """The notices of now, with instants in the reader's zone."""
    shown = site.notice_until is None or site.notice_until > now
    return SiteNews(
        notice=site.notice if shown else "",
        maintenance=_maintenance(site, now, zone),
        no_new_games="" if site.takes_new_games(now) else _no_new_games(site, zone),
        no_new_accounts="" if site.takes_new_accounts(now) else _no_new_accounts(site, zone),
        no_invitations="" if site.takes_invitations(now) else _no_invitations(site, zone),
    )


def _no_new_games(site: Site, zone: str) -> str:
    if site.no_new_games_until is None:
        return _("No new tables can be opened right now: {why}").format(why=site.no_new_games_why)
    text = _("No new tables can be opened until {moment}: {why}")
    return text.format(moment=moment(site.no_new_games_until, zone), why=site.no_new_games_why)


def _no_new_accounts(site: Site, zone: str) -> str:
    if site.no_new_accounts_until is None:
        text = _("Nobody can sign up right now: {why}")
        return text.format(why=site.no_new_accounts_why)
    text = _("Nobody can sign up until {moment}: {why}")
    until = moment(site.no_new_accounts_until, zone)
    return text.format(moment=until, why=site.no_new_accounts_why)


def _no_invitations(site: Site, zone: str) -> str:
    if site.no_invitations_until is None:
        text = _("Nobody can be invited right now: {why}")
        return text.format(why=site.no_invitations_why)
    text = _("Nobody can be invited until {moment}: {why}")
    until = moment(site.no_invitations_until, zone)
    return text.format(moment=until, why=site.no_invitations_why)


def _maintenance(site: Site, now: datetime, zone: str) -> list[str]:
    """What a maintenance means, while there is one or the time for it is being given."""
    if site.maintenance_since is None:
        if not site.time_is_given:
            return []
        return [_("All games are being given extra time. No deadline will pass until that's done.")]
    since = _("This site has been read-only since {moment}: {why}")
    text = [
        since.format(moment=moment(site.maintenance_since, zone), why=site.maintenance_why),
        _(
            "All deadlines are on hold in the meantime. Afterwards, they'll be extended by the "
            "length of the maintenance."
        ),
    ]
    if site.maintenance_until is not None and site.maintenance_until > now:
        until = _("The maintenance should be over by {moment}.")
        text.append(until.format(moment=moment(site.maintenance_until, zone)))
    return text
