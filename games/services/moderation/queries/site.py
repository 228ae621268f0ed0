"""What an administrator reads: how the site stands, what an act would do, how far a grant is."""

from datetime import datetime
from typing import Final, NamedTuple

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import TimeGrant
from games.presentation.text.words import moment
from games.services import site_state
from games.services.accounts import unconfirmed
from games.services.moderation.actions.site import MOST_ACCOUNTS, running_games
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
    notice = _("Announcement on every page: {notice}").format(notice=news.notice)
    if news.notice and site.notice_until is not None:
        text = _("Announcement on every page until {moment}: {notice}")
        notice = text.format(moment=moment(site.notice_until, zone), notice=news.notice)
    return [
        *(news.maintenance or [_("No maintenance is in progress.")]),
        news.no_new_games or _("New tables can be opened."),
        news.no_new_accounts or _("People can sign up."),
        news.no_invitations or _("People can be invited."),
        notice if news.notice else _("There's no announcement."),
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
            text = ngettext(
                "{count} extra hour for all games, requested on {moment}",
                "{count} extra hours for all games, requested on {moment}",
                grant.hours,
            )
            return text.format(count=grant.hours, moment=since)
        case TimeGrant.Kind.DOWNTIME:
            text = _("Downtime excused, from {since} to {until}")
        case TimeGrant.Kind.MAINTENANCE:
            text = _("Maintenance, from {since} to {until}")
    return text.format(since=since, until=until)


def _how_far(grant: TimeGrant, zone: str) -> str:
    if grant.finished_at is None:
        text = _("In progress. Games checked: {done} of about {expected}; changed: {moved}.")
        return text.format(
            done=grant.games_done, expected=grant.games_expected, moved=grant.games_moved
        )
    text = _("Finished on {moment}. Games checked: {done}; changed: {moved}.")
    return text.format(
        moment=moment(grant.finished_at, zone), done=grant.games_done, moved=grant.games_moved
    )


def consequences_of_hours(hours: int) -> list[str]:
    """What more hours for all would do."""
    text = ngettext(
        "Extends every open deadline by {count} hour.",
        "Extends every open deadline by {count} hours.",
        hours,
    )
    return [
        text.format(count=hours),
        _games(),
        *_as_always(),
        _("The reason appears in the game log of every table affected."),
    ]


def consequences_of_downtime(since: datetime, until: datetime) -> list[str]:
    """What excusing a period would do."""
    hours = (until - since).total_seconds() / 3600
    return [
        _("The period is {hours} hours long.").format(hours=number_format(hours, 1)),
        _(
            "Players who were to move in that period get back the time they lost, up to the full "
            "time for one move."
        ),
        _(
            "Deadlines missed in that period no longer count, and players who were marked absent "
            "because of them are marked present again."
        ),
        _("Moves that the clock has already played still stand."),
        _games(),
        *_as_always(),
        _(
            "The reason appears in the game log of every table affected. Only players who missed "
            "a deadline get an email."
        ),
    ]


def consequences_of_maintenance(*, read_only: bool) -> list[str]:
    """What a maintenance would do."""
    moderators = _(
        "Moderators can still handle reports, remove messages and table descriptions, rename "
        "tables, and warn, mute, suspend or ban people."
    )
    if read_only:
        moderators = _("Moderators can't act until you end maintenance.")
    return [
        _("The site becomes read-only immediately, except for signing in and this page."),
        moderators,
        _("All deadlines are on hold, no reminders are sent, and no votes or tables are closed."),
        _("When you end maintenance, every open deadline is extended by the time it took."),
        _games(),
    ]


def consequences_of_removal(since: datetime, until: datetime, ending: str = "") -> list[str]:
    """Which unconfirmed accounts would be deleted, the latest by name and address."""
    found = unconfirmed.signed_up(since, until, ending)
    count = found.count()
    if not count:
        return [_("There are no such accounts.")]
    text = ngettext(
        "{count} unconfirmed account is deleted for good.",
        "{count} unconfirmed accounts are deleted for good.",
        count,
    )
    latest = [f"{one.name} <{one.email}>" for one in found[:MOST]]
    more = [_("… and others.")] if count > len(latest) else []
    many = _(
        "At most {most} accounts are removed at once; you can repeat the action to remove more."
    ).format(most=MOST_ACCOUNTS)
    return [
        text.format(count=count),
        *latest,
        *more,
        *([many] if count > MOST_ACCOUNTS else []),
        _("Anyone who is confirming their address right now keeps their account."),
    ]


def _games() -> str:
    count = running_games()
    text = ngettext("{count} game is running.", "{count} games are running.", count)
    return text.format(count=count)


def _as_always() -> list[str]:
    return [
        _("No default moves are played until all games have been given their extra time."),
        _("Paused games aren't affected: their deadlines are on hold anyway."),
    ]
