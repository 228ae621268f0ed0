"""Tables and the games played at them: facts and constraints, no verbs."""

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import Count, F, JSONField, Q, Value
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.engine import COLOURS, EDITIONS, State, decode
from games.engine.state import FEWEST_PLAYERS, MOST_PLAYERS
from games.models import game_clock
from games.models.game_clock import Clock
from games.models.stored_json import DictField, ListField

if TYPE_CHECKING:
    from datetime import datetime


def new_token() -> str:
    """The part of a table's address that only those know who were given the link."""
    return secrets.token_urlsafe(12)


class GameQuerySet(models.QuerySet["Game"]):
    def lock(self, game_id: int) -> "Game":
        """The game, its row locked until the end of the transaction.

        What only speaks of the game, such as a visit, can be written meanwhile.
        """
        return self.locked().get(pk=game_id)

    def locked(self) -> "GameQuerySet":
        """These games, each locked as it is read."""
        return self.select_for_update(no_key=True)

    def without_guests(self) -> "GameQuerySet":
        """All but the games of guests, which are in no list and no count."""
        return self.exclude(host__is_guest=True)

    def with_free_seats(self) -> "GameQuerySet":
        """Those that wait for players, not only for somebody who is to agree to the settings."""
        waiting = self.filter(status=Game.Status.WAITING)
        changed = waiting.filter(settings_version__gt=0).annotate(taken=Count("seats"))
        return waiting.exclude(pk__in=changed.filter(taken__gte=F("size")).values("pk"))

    def not_set_aside(self, now: "datetime") -> "GameQuerySet":
        """All but those that failed and are left alone: for a while, or parked."""
        return self.filter(Q(retry_at=None) | Q(retry_at__lte=now), parked_at=None)

    def parked(self) -> "GameQuerySet":
        """Games that are left alone until a moderator retries them, the longest first."""
        return self.filter(parked_at__isnull=False).order_by("parked_at", "pk")

    def paused_without_end(self) -> "GameQuerySet":
        """Games that wait for somebody to resume them, the longest first."""
        paused = self.in_play().filter(paused_at__isnull=False, paused_until=None)
        return paused.filter(dormant_since=None).order_by("paused_at", "pk")

    def going_on(self) -> "GameQuerySet":
        """Games in which moves are played now: neither parked, paused nor dormant."""
        return self.in_play().filter(paused_at=None, dormant_since=None)

    def in_play(self) -> "GameQuerySet":
        """Games that have started and are not over; not the parked ones, but paused and dormant."""
        return self.filter(status=Game.Status.RUNNING, parked_at=None)

    def pause_over(self, now: "datetime") -> "GameQuerySet":
        """Paused games that go on by themselves, those first that have waited longest.

        A dormant one stays paused until somebody is there again.
        """
        over = self.not_set_aside(now).filter(paused_until__lte=now, dormant_since=None)
        return over.order_by("paused_until", "pk")

    def dormant_too_long(self, now: "datetime") -> "GameQuerySet":
        """Games to which nobody has come back in time, those that were dormant longest first."""
        dormant = self.not_set_aside(now).filter(dormant_since__lte=now - Game.LONGEST_DORMANCY)
        return dormant.order_by("dormant_since", "pk")

    def due(self, now: "datetime") -> "GameQuerySet":
        """Games that the clock has to advance, the longest overdue first."""
        return (
            self.not_set_aside(now)
            .filter(status=Game.Status.RUNNING, deadline_at__lte=now)
            .order_by("deadline_at", "pk")
        )


class Game(models.Model):
    """One table, from the day it is opened to the end of its game.

    `state` is the engine's encoded state: a cache of what the events say, and so is `ledger`, the
    offers and promises made so far. `phase_no` only rises; every stage that is opened has its own.
    `deadline_at` is the earliest of its seats'.

    Pace: `move_seconds` of play time for a move; `no_play_days` are weekdays (0 is Monday) in
    the table's `time_zone` that do not count, `fixed_hour` an hour there to which deadlines move
    on; `days_off` is each player's budget. `absent_player` is the computer player that plays for
    absent seats. `guided` is a first game against computer players, explained step by step until
    its player closes the guide (`guide_closed`). `language` is what the players write to each other
    in, "" for any. Where players can talk privately, `threads_shown` says that the others see the
    private conversations, and `threads_published` that everybody may read it once the game is over.
    Promises kept and broken count in profiles where `promises_count`. `strangers` says when people
    without an account may look (`services.lobby.strangers` says whether they do). `opening_token`
    comes with the form, so that the same POST twice is one table. `settings_version` rises whenever
    the host of a waiting table changes something to which those who sit there have to agree anew
    (`Seat.agreed_settings`).

    What stops the time of the game is its `clock`: a value of several columns, which are written
    through it alone. A paused game has no deadlines; each seat keeps what was left of its time.
    Without `paused_until` it waits for somebody to resume it. A game in which no present person
    holds a seat is dormant (`dormant_since`): nothing is played until somebody is there again, and
    after `LONGEST_DORMANCY` it is abandoned. Before the first bribes of a turn there are
    `talk_seconds` of play negotiation time, in which nobody is to move.

    Whoever sits down has made at least `least_in_time` per cent of their moves in time. Of somebody
    with few moves nothing is known yet: they may where `newcomers_welcome`
    (`services.people.conditions`). Nobody new may sit down at a game that is `closed_to_newcomers`.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", gettext_lazy("waiting for players")
        RUNNING = "running", gettext_lazy("running")
        FINISHED = "finished", gettext_lazy("finished")
        CANCELLED = "cancelled", gettext_lazy("cancelled")
        ABANDONED = "abandoned", pgettext_lazy("game", "abandoned")

    class Press(models.TextChoices):
        """What players may say to each other while the game is running."""

        PUBLIC = "public", gettext_lazy("everyone can read everything")
        PRIVATE = "private", gettext_lazy("players can also talk privately")
        NONE = "none", gettext_lazy("no messages, only offers")

    class Strangers(models.TextChoices):
        """When people without an account may look at the game."""

        NOBODY = "nobody", gettext_lazy("never")
        AFTERWARDS = "afterwards", gettext_lazy("when it's over, with the link")
        EVERYONE = "everyone", gettext_lazy("at any time")

    UNFINISHED: ClassVar = (Status.WAITING, Status.RUNNING)
    OVER: ClassVar = (Status.FINISHED, Status.CANCELLED, Status.ABANDONED)
    LONGEST_DORMANCY: ClassVar = timedelta(days=14)
    NO_DEADLINES: ClassVar = timedelta(days=3650)
    """The answering time of a game that waits for its player as long as it takes."""

    token = models.CharField(
        gettext_lazy("link"), max_length=32, unique=True, default=new_token, editable=False
    )
    name = models.CharField(gettext_lazy("name"), max_length=60)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="hosted_games",
        verbose_name=gettext_lazy("host"),
    )
    edition = models.CharField(
        gettext_lazy("edition"),
        max_length=40,
        choices={edition.id: gettext_lazy(edition.name) for edition in EDITIONS.values()},
    )
    options = DictField(gettext_lazy("rule options"), default=dict, blank=True)
    size = models.PositiveSmallIntegerField(gettext_lazy("seats"))
    description = models.CharField(gettext_lazy("description"), max_length=500, blank=True)
    listed = models.BooleanField(gettext_lazy("listed"), default=False)
    computer_players_allowed = models.BooleanField(default=True)
    absent_player = models.CharField(
        gettext_lazy("who plays for absent players"), max_length=20, default="default"
    )
    move_seconds = models.PositiveIntegerField(gettext_lazy("time per move"))
    time_zone = models.CharField(gettext_lazy("time zone"), max_length=64, default="UTC")
    no_play_days = ListField(of=int, default=list, blank=True)
    fixed_hour = models.PositiveSmallIntegerField(null=True, blank=True)
    days_off = models.PositiveSmallIntegerField(gettext_lazy("days off"), default=7)
    talk_seconds = models.PositiveIntegerField(
        gettext_lazy("negotiation time"), default=0, db_default=0
    )
    press = models.CharField(
        gettext_lazy("press"),
        max_length=10,
        choices=Press,
        default=Press.PUBLIC,
        db_default=Press.PUBLIC,
    )
    language = models.CharField(
        gettext_lazy("language"), max_length=10, blank=True, default="", db_default=""
    )
    threads_shown = models.BooleanField(default=False, db_default=False)
    threads_published = models.BooleanField(default=False, db_default=False)
    promises_count = models.BooleanField(default=True, db_default=True)
    least_in_time = models.PositiveSmallIntegerField(default=0, db_default=0)
    newcomers_welcome = models.BooleanField(default=True, db_default=True)
    strangers = models.CharField(
        gettext_lazy("people without an account can look at the game"),
        max_length=10,
        choices=Strangers,
        default=Strangers.AFTERWARDS,
        db_default=Strangers.AFTERWARDS,
    )
    rematch_of = models.ForeignKey("self", models.SET_NULL, null=True, blank=True)
    guided = models.BooleanField(default=False)
    guide_closed = models.BooleanField(default=False, db_default=False)
    opening_token = models.UUIDField(null=True, unique=True, editable=False)
    settings_version = models.PositiveSmallIntegerField(default=0, db_default=0)
    status = models.CharField(
        gettext_lazy("state"), max_length=10, choices=Status, default=Status.WAITING
    )
    seed = models.BigIntegerField()
    state = models.JSONField(null=True)
    ledger = models.JSONField(default=list, db_default=Value([], JSONField()))
    phase_no = models.PositiveIntegerField(gettext_lazy("phase"), default=0)
    phase_opened_at = models.DateTimeField(null=True)
    talk_until = models.DateTimeField(null=True)
    talk_seconds_left = models.PositiveIntegerField(null=True)
    deadline_at = models.DateTimeField(gettext_lazy("deadline"), null=True)
    attempts = models.PositiveSmallIntegerField(gettext_lazy("attempts"), default=0)
    retry_at = models.DateTimeField(gettext_lazy("next attempt"), null=True)
    parked_at = models.DateTimeField(gettext_lazy("parked since"), null=True)
    paused_at = models.DateTimeField(gettext_lazy("paused since"), null=True)
    paused_until = models.DateTimeField(gettext_lazy("paused until"), null=True)
    dormant_since = models.DateTimeField(gettext_lazy("dormant since"), null=True)
    closed_to_newcomers = models.BooleanField(gettext_lazy("closed to newcomers"), default=False)
    error = models.TextField(gettext_lazy("error"), blank=True)
    created_at = models.DateTimeField(gettext_lazy("opened on"))
    started_at = models.DateTimeField(gettext_lazy("started on"), null=True)
    finished_at = models.DateTimeField(gettext_lazy("ended on"), null=True)

    objects = GameQuerySet.as_manager()

    class Meta:
        verbose_name = gettext_lazy("game")
        verbose_name_plural = gettext_lazy("games")
        permissions: ClassVar = [
            ("moderate_game", "Can keep order at games"),
            ("administer_site", "Can keep order on the site"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(size__gte=FEWEST_PLAYERS, size__lte=MOST_PLAYERS),
                name="game_3_to_5_seats",
            ),
            models.CheckConstraint(
                condition=Q(fixed_hour=None) | Q(fixed_hour__lte=23), name="game_hour_of_the_day"
            ),
            models.CheckConstraint(
                condition=Q(status__in=("waiting", "cancelled")) | Q(state__isnull=False),
                name="game_started_has_state",
            ),
            *game_clock.CONSTRAINTS,
        ]
        indexes: ClassVar = [
            # Read by clock.sweep only.
            models.Index(
                fields=["deadline_at"], name="game_due", condition=Q(deadline_at__isnull=False)
            ),
            # Read by clock.sweep only.
            models.Index(
                fields=["paused_until"],
                name="game_pause_over",
                condition=Q(paused_until__isnull=False),
            ),
            # Read by clock.sweep only.
            models.Index(
                fields=["dormant_since"],
                name="game_resting",
                condition=Q(dormant_since__isnull=False),
            ),
            # Read by moderators' lists and searches.
            models.Index(fields=["status", "-id"], name="game_status_newest"),
            GinIndex(SearchVector("name", config="simple"), name="game_words"),
            GinIndex(SearchVector("description", config="simple"), name="game_description_words"),
            # Read by the dashboard only.
            models.Index(
                fields=["parked_at"], name="game_parked", condition=Q(parked_at__isnull=False)
            ),
            models.Index(
                fields=["paused_at"], name="game_paused", condition=Q(paused_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} (#{self.pk})"

    def get_absolute_url(self) -> str:
        return f"/tables/{self.token}/"

    def decoded(self) -> State:
        """The engine's state of a game that has started."""
        if self.state is None:
            raise ValueError("The game has not started.")
        return decode(self.state)

    @property
    def has_deadlines(self) -> bool:
        """Whether time matters: not in a first game, which also needs no votes and no orders."""
        return self.move_seconds < Game.NO_DEADLINES.total_seconds()

    @property
    def clock(self) -> Clock:
        """What stops the time of the game now, and what is left when that ends."""
        return Clock(*(getattr(self, column) for column in Clock._fields))

    @clock.setter
    def clock(self, clock: Clock) -> None:
        for column, value in clock._asdict().items():
            setattr(self, column, value)

    @property
    def is_in_play(self) -> bool:
        """Whether the game has started and is not over; not while parked, but paused or dormant."""
        return self.status == Game.Status.RUNNING and self.parked_at is None

    @property
    def is_going_on(self) -> bool:
        """Whether moves are played now: the game is in play, and neither paused nor dormant."""
        return self.status == Game.Status.RUNNING and self.clock.stop is None

    @property
    def is_silent(self) -> bool:
        """Whether nobody may write a message now, though offers are made."""
        is_without = self.press == Game.Press.NONE and self.status == Game.Status.RUNNING
        return is_without or self.guided

    @property
    def has_threads(self) -> bool:
        """Whether players can talk privately at this table."""
        return self.press == Game.Press.PRIVATE

    @property
    def threads_are_open(self) -> bool:
        """Whether everybody who may see the game may read private conversations by now."""
        return self.has_threads and self.threads_published and self.is_over

    @property
    def is_negotiation_time(self) -> bool:
        """Whether nobody has to move yet in this turn, so that the players can talk."""
        return self.talk_until is not None or self.talk_seconds_left is not None

    @property
    def given_up_at(self) -> "datetime | None":
        """When a dormant game is given up; None for any other."""
        return self.dormant_since and self.dormant_since + Game.LONGEST_DORMANCY

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, with a winner or without one."""
        return self.status in Game.OVER

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of the seats, clockwise: seat 0 is the first."""
        return COLOURS[: self.size]
