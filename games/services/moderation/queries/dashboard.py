"""The dashboard: what needs a person now, each with the next step. It counts no rows."""

from collections.abc import Callable, Hashable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Final, NamedTuple

from django.db.models import Exists, QuerySet
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import extensions
from games.models import (
    FactorReset,
    Game,
    Sanction,
    Seat,
    Stop,
    Tick,
    TimeGrant,
    User,
)
from games.presentation.text.words import listed, moment
from games.services import site_state
from games.services.game.failures import cause_of, kind_of
from games.services.moderation.actions.site import may_administer
from games.services.moderation.queries import mail_piles
from games.services.moderation.queries.appeals import others_keep_order
from games.services.moderation.queries.failed_emails import FAILED_WITHIN, recently_failed
from games.services.moderation.queries.mail_piles import FEW
from games.services.moderation.queries.piles import MOST, Area, DashboardLine, Pile, pile_of
from games.services.moderation.queries.queue import read_reports
from games.services.operations.health import late_after
from games.services.people.display_names import player_name
from games.services.site_state import Site

MOST_PARKED: Final = 1000
"""How many parked games are looked at: those with one reason are one line."""

ABSENT_FOR: Final = timedelta(days=3)
MOST_ABSENT: Final = 300
"""How many seats of absent players are looked at: those of one person are one line."""


def read_dashboard(now: datetime, moderator: User, title_of: Callable[[str], str]) -> list[Pile]:
    """What waits for a moderator, the most urgent first; piles without anything are left out.

    `title_of` says what an action is called.
    """
    zone, site = moderator.time_zone, site_state.read()
    sweep = _last_sweep(now)
    standing, failed = _standing(now), recently_failed(now, moderator)
    overdue = [] if site.clock_is_stopped else standing.overdue
    piles = [
        pile_of(Area.SITE, _("Email is down"), mail_piles.email_down(sweep.down_since, now, zone)),
        pile_of(Area.SITE, _("The site"), _site(site, now, moderator)),
        pile_of(Area.SITE, _("The clock"), _clock(sweep.at, now, zone)),
        pile_of(Area.PEOPLE, _("Reports"), _reports(now, moderator)),
        pile_of(Area.PEOPLE, _("Appeals against sanctions"), _appeals(moderator)),
        pile_of(Area.PEOPLE, _("Pending resets of two-factor authentication"), _resets(moderator)),
        *(pile_of(Area.PEOPLE, title, lines) for title, lines in extensions.piles(moderator)),
        pile_of(Area.GAMES, _("Parked games"), _parked(standing.parked, zone)),
        pile_of(Area.GAMES, _("Games with errors"), _failing_games(standing.failing, zone)),
        pile_of(Area.GAMES, _("Overdue games"), _overdue(overdue, zone)),
        pile_of(
            Area.GAMES,
            _("Games whose deadlines couldn't be extended"),
            _without_their_time(now) if sweep.some_without_time else (),
        ),
        pile_of(
            Area.GAMES,
            _("Absent for days, with no substitute"),
            _absent(now, zone),
        ),
        pile_of(Area.GAMES, _("Paused indefinitely"), _paused(standing.paused, zone)),
        pile_of(Area.EMAIL, _("Failed emails"), mail_piles.failed(failed)),
        pile_of(Area.EMAIL, _("Rejected email addresses"), mail_piles.rejected(zone)),
    ]
    return [
        pile._replace(lines=[_with_title(line, title_of) for line in pile.lines])
        for pile in piles
        if pile.lines
    ]


def _with_title(line: DashboardLine, title_of: Callable[[str], str]) -> DashboardLine:
    return line._replace(step_name=title_of(line.action)) if line.action else line


def _site(site: Site, now: datetime, moderator: User) -> Iterator[DashboardLine]:
    """What is stopped now, for those who can end it; everybody else reads it on every page."""
    news = site_state.news(site, now, moderator.time_zone)
    stopped = (news.no_new_games, news.no_new_accounts, news.no_invitations)
    text = [*news.maintenance, *filter(None, stopped)]
    if text and may_administer(moderator):
        page = reverse("admin:the_site")
        yield DashboardLine(" ".join(text), page, page, "", _("Actions for the whole site"))


class Sweep(NamedTuple):
    """When the clock last ticked, since when email is down, and whether a game got no time.

    A clock that has never ticked has never found that email is down.
    """

    at: datetime | None = None
    down_since: datetime | None = None
    some_without_time: bool = True


def _last_sweep(now: datetime) -> Sweep:
    """All of it with one query."""
    ticks = Tick.objects.filter(name=Tick.SWEEP).annotate(
        down=mail_piles.DOWN_SINCE, some=Exists(_failed_grants(now))
    )
    found = ticks.values_list("at", "down", "some").first()
    return Sweep() if found is None else Sweep(*found)


def _failed_grants(now: datetime) -> QuerySet[TimeGrant]:
    """The times that were given to all games this week and failed at some."""
    return TimeGrant.objects.filter(finished_at__gt=now - FAILED_WITHIN).exclude(failures=[])


def _clock(at: datetime | None, now: datetime, zone: str) -> Iterator[DashboardLine]:
    if at is None:
        yield _of_clock(_("The clock has never ticked: start a worker with --clock."))
    elif at < now - late_after():
        text = _("The clock hasn't ticked since {moment}: check the worker with --clock.")
        yield _of_clock(text.format(moment=moment(at, zone)))


def _of_clock(text: str) -> DashboardLine:
    page = reverse("status")
    return DashboardLine(text, page, page, "", _("Is everything running?"))


class Standing(NamedTuple):
    """Games that stand still, each kind the longest first."""

    parked: list[Game]
    failing: list[Game]
    overdue: list[Game]
    paused: list[Game]


def _standing(now: datetime) -> Standing:
    """All of them with one query, each kind by its own index."""
    games = Game.objects.filter(status=Game.Status.RUNNING).without_guests().defer("state")
    late = now - late_after()
    overdue = games.filter(deadline_at__lt=late).order_by("deadline_at", "pk")
    paused = games.paused_without_end()
    found = games.parked()[:MOST_PARKED].union(overdue[: MOST + 1], paused[: MOST + 1])
    by_time = sorted(
        found, key=lambda game: game.parked_at or game.paused_at or game.deadline_at or now
    )
    return Standing(
        parked=[game for game in by_time if game.parked_at],
        failing=[game for game in by_time if game.error and not game.parked_at],
        overdue=[game for game in by_time if game.deadline_at and not game.error],
        paused=[game for game in by_time if game.clock.stop is Stop.PAUSED and not game.error],
    )


def _parked(games: list[Game], zone: str) -> Iterator[DashboardLine]:
    """One line for all games that were parked for one reason: the one that is parked longest."""
    by_cause: dict[str, list[Game]] = {}
    for game in games:
        by_cause.setdefault(cause_of(game), []).append(game)
    for first, *others in by_cause.values():
        if first.parked_at is None:
            continue
        text = _("{game}: parked since {moment}. {error}").format(
            game=first,
            moment=moment(first.parked_at, zone),
            error=kind_of(first),
        )
        if not others:
            yield DashboardLine.of_game(text, first, "retry")
            continue
        more = ngettext(
            "{count} more game is parked for the same reason.",
            "{count} more games are parked for the same reason.",
            len(others),
        )
        yield DashboardLine.of_game(f"{text}. {more.format(count=len(others))}", first, "retry-all")


def _failing_games(games: list[Game], zone: str) -> Iterator[DashboardLine]:
    """Games that couldn't go on, and are tried again before they are parked."""
    for game in games:
        text = _("{game} couldn't continue: {error}.").format(game=game, error=kind_of(game))
        if game.retry_at is not None:
            again = _("The next attempt will be on {moment}.")
            text = f"{text} {again.format(moment=moment(game.retry_at, zone))}"
        yield DashboardLine.of_game(text, game, "retry")


def _overdue(games: list[Game], zone: str) -> Iterator[DashboardLine]:
    for game in games:
        if game.deadline_at is not None:
            text = _("{game}: the deadline was {moment}, but no default move was played.")
            at = moment(game.deadline_at, zone)
            yield DashboardLine.of_game(text.format(game=game, moment=at), game, "extend")


def _without_their_time(now: datetime) -> Iterator[DashboardLine]:
    """The games at which time that was given to all failed this week."""
    failures = [
        failure
        for of_grant in _failed_grants(now).order_by("-pk").values_list("failures", flat=True)
        for failure in of_grant
    ]
    numbers = [number for number, _error in failures]
    games = Game.objects.filter(status=Game.Status.RUNNING).defer("state").in_bulk(numbers)
    message = _("{game}: the deadlines couldn't be extended: {error}")
    for number, error in failures:
        if (game := games.get(number)) is not None:
            text = message.format(game=game, error=error)
            yield DashboardLine.of_game(text, game, "retry" if game.error else "extend")


def _reports(now: datetime, moderator: User) -> Iterator[DashboardLine]:
    """The first rows of the queue."""
    for row in read_reports(moderator, now, MOST + 1):
        parts = (row.about, row.kinds, row.words or row.why, row.age, row.how_many, row.owners)
        text = " · ".join(part for part in parts if part)
        line = DashboardLine(text, row.step, row.page, row.about, row.step_name, row.action)
        yield line


def _appeals(moderator: User) -> Iterator[DashboardLine]:
    waiting = Sanction.objects.filter(appealed_at__isnull=False, answered_at=None)
    found = list(waiting.select_related("person").order_by("appealed_at")[: MOST + 1])
    to_others = any(one.by_id == moderator.pk for one in found) and others_keep_order(moderator)
    for sanction in found:
        text = _("{name} appealed on {moment}: {text}").format(
            name=sanction.person,
            moment=moment(sanction.appealed_at or sanction.at, moderator.time_zone),
            text=Truncator(sanction.appeal).chars(120),
        )
        line = DashboardLine.of_person(text, sanction.person)
        if not to_others or sanction.by_id != moderator.pk:
            step = reverse("admin:person_action", args=[sanction.person_id, "answer-objection"])
            line = line._replace(next_step=step, action="person.answer-objection")
        yield line


def _resets(moderator: User) -> Iterator[DashboardLine]:
    """The second factors that another administrator wants removed; to be confirmed or stopped."""
    if not may_administer(moderator):
        return
    others = FactorReset.objects.exclude(requested_by=moderator).exclude(person=moderator)
    for reset in others.select_related("person", "requested_by").order_by("at")[: MOST + 1]:
        text = _(
            "{name}: two-factor authentication will be reset on {moment}, or as soon as you "
            "confirm it."
        )
        text = text.format(name=reset.person.name, moment=moment(reset.due_at, moderator.time_zone))
        if reset.requested_by is not None:
            because = _("{who} requested the reset: {reason}")
            text = f"{text} {because.format(who=reset.requested_by.name, reason=reset.reason)}"
        yield DashboardLine.of_person(text, reset.person, "forget-factor")


def _absent(now: datetime, zone: str) -> Iterator[DashboardLine]:
    """Seats whose players are gone; all of one person are one line."""
    seats = Seat.objects.filter(
        absent_since__lt=now - ABSENT_FOR,
        game__status=Game.Status.RUNNING,
        game__dormant_since=None,  # it waits for its players, and ends without them
        computer_player="",
    )
    rows = seats.select_related("game", "user").defer("game__state")
    of_people: dict[Hashable, list[Seat]] = {}
    for seat in rows.order_by("absent_since", "pk")[:MOST_ABSENT]:
        of_people.setdefault(seat.user or seat.pk, []).append(seat)
    for theirs in islice(of_people.values(), MOST + 1):
        first, *others = theirs
        if first.absent_since is None:
            continue
        name, since = player_name(first), moment(first.absent_since, zone)
        if first.user is None or not others:
            text = _("{game}: {name} has been absent since {moment}.")
            text = text.format(game=first.game, name=name, moment=since)
            yield DashboardLine.of_game(text, first.game, "house-player", f"seat={first.number}")
            continue
        text = ngettext(
            "{name} has been absent from {count} game since {moment}: {games}.",
            "{name} has been absent from {count} games since {moment}: {games}.",
            len(theirs),
        )
        games = [str(seat.game) for seat in theirs[:FEW]]
        games += [_("other tables")] if len(theirs) > FEW else []
        text = text.format(name=name, count=len(theirs), moment=since, games=listed(games))
        yield DashboardLine.of_person(text, first.user, "clear-up")


def _paused(games: list[Game], zone: str) -> Iterator[DashboardLine]:
    for game in games:
        if game.paused_at is not None:
            message = _("{game}: paused since {moment}.")
            text = message.format(game=game, moment=moment(game.paused_at, zone))
            yield DashboardLine.of_game(text, game, "resume")
