"""What an administrator reads: how the site stands, what an act would do, how far a grant is."""

from datetime import datetime
from typing import Final, NamedTuple

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import TimeGrant
from games.presentation.words import moment
from games.services import site_state
from games.services.moderation.site_acts import running_games
from games.services.site_state import Site

MOST: Final = 20
"""How many grants are shown, the latest first."""


class Failure(NamedTuple):
    """A game that could not be given its time, and the kind of the error."""

    game_id: int
    error: str


class GrantLine(NamedTuple):
    """Time that was given to all games: what, why, how far it is, and where it failed."""

    what: str
    why: str
    how_far: str
    failures: list[Failure]


def how_it_stands(site: Site, now: datetime, zone: str) -> list[str]:
    """The state of the site in sentences."""
    news = site_state.news(site, now, zone)
    notice = _("The notice on every page: {notice}").format(notice=news.notice)
    if news.notice and site.notice_until is not None:
        told = _("The notice on every page until {moment}: {notice}")
        notice = told.format(moment=moment(site.notice_until, zone), notice=news.notice)
    return [
        *(news.maintenance or [_("There is no maintenance.")]),
        news.no_new_games or _("New games may be opened."),
        notice if news.notice else _("There is no notice."),
    ]


def latest_grants(zone: str) -> list[GrantLine]:
    """The latest grants of time."""
    grants = TimeGrant.objects.order_by("-pk")[:MOST]
    return [
        GrantLine(
            what=_what(grant, zone),
            why=grant.why,
            how_far=_how_far(grant, zone),
            failures=[Failure(game_id, error) for game_id, error in grant.failures],
        )
        for grant in grants
    ]


def _what(grant: TimeGrant, zone: str) -> str:
    since, until = moment(grant.starts_at, zone), moment(grant.ends_at, zone)
    match TimeGrant.Kind(grant.kind):
        case TimeGrant.Kind.HOURS:
            told = ngettext(
                "{count} hour more for all, asked for {moment}",
                "{count} hours more for all, asked for {moment}",
                grant.hours,
            )
            return told.format(count=grant.hours, moment=since)
        case TimeGrant.Kind.DOWNTIME:
            told = _("Downtime excused, from {since} to {until}")
        case TimeGrant.Kind.MAINTENANCE:
            told = _("Maintenance, from {since} to {until}")
    return told.format(since=since, until=until)


def _how_far(grant: TimeGrant, zone: str) -> str:
    if grant.finished_at is None:
        told = _("Under way. Games done: {done} of about {expected}, of these changed: {moved}.")
        return told.format(
            done=grant.games_done, expected=grant.games_expected, moved=grant.games_moved
        )
    told = _("Finished {moment}. Games looked at: {done}, of these changed: {moved}.")
    return told.format(
        moment=moment(grant.finished_at, zone), done=grant.games_done, moved=grant.games_moved
    )


def consequences_of_hours(hours: int) -> list[str]:
    """What more hours for all would do."""
    told = ngettext(
        "Every open deadline moves on by {count} hour.",
        "Every open deadline moves on by {count} hours.",
        hours,
    )
    return [
        told.format(count=hours),
        _games(),
        *_as_always(),
        _("Every table reads the reason in its log."),
    ]


def consequences_of_downtime(since: datetime, until: datetime) -> list[str]:
    """What excusing a period would do."""
    hours = (until - since).total_seconds() / 3600
    return [
        _("The period is {hours} hours long.").format(hours=number_format(hours, 1)),
        _("Questions that were open then have as much more time, at most one answering time."),
        _("What was missed then is forgotten, and who became absent by it is waited for again."),
        _("Moves that the clock has played stay played."),
        _games(),
        *_as_always(),
        _("Every table reads the reason in its log. Only who had missed something is mailed."),
    ]


def consequences_of_maintenance() -> list[str]:
    """What a maintenance would do."""
    return [
        _("From now on pages can only be read, but for signing in and for this page."),
        _("No deadline passes, nobody is reminded, and no vote or table is closed."),
        _("When you end it, every open deadline moves on by as long as it took."),
        _games(),
    ]


def _games() -> str:
    count = running_games()
    told = ngettext("{count} game is running.", "{count} games are running.", count)
    return told.format(count=count)


def _as_always() -> list[str]:
    return [
        _("The clock plays nothing until all games have their time."),
        _("Paused games stay as they are: no time passes there."),
    ]
