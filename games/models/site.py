"""The site as a whole: how it stands, and time that is given to all running games."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from games.models.stored_json import ListField


class SiteState(models.Model):
    """The state of the site: one row, or none where nothing was ever set.

    A `notice` stands on every page, until `notice_until` where it has an end; so does the refusal
    of new games, of new accounts and of invitations. Maintenance lasts until somebody ends it:
    `maintenance_until` is only what people read; while it is `maintenance_read_only`, moderators
    can't act on people and messages either: the database is copied or moved. Each `..._why` is
    read by everybody.

    `migrated_by` is the version that has last migrated the database, `migrated_commit` its commit,
    and `works_with` the oldest version that may work on it; all are noted by `manage.py migrate`.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    notice = models.TextField(max_length=1000, blank=True)
    notice_until = models.DateTimeField(null=True)
    no_new_games_since = models.DateTimeField(null=True)
    no_new_games_until = models.DateTimeField(null=True)
    no_new_games_why = models.CharField(max_length=500, blank=True)
    no_new_accounts_since = models.DateTimeField(null=True)
    no_new_accounts_until = models.DateTimeField(null=True)
    no_new_accounts_why = models.CharField(max_length=500, blank=True, default="", db_default="")
    no_invitations_since = models.DateTimeField(null=True)
    no_invitations_until = models.DateTimeField(null=True)
    no_invitations_why = models.CharField(max_length=500, blank=True, default="", db_default="")
    maintenance_since = models.DateTimeField(null=True)
    maintenance_until = models.DateTimeField(null=True)
    maintenance_read_only = models.BooleanField(default=False, db_default=False)
    maintenance_why = models.CharField(max_length=500, blank=True)
    migrated_by = models.CharField(max_length=40, blank=True, default="", db_default="")
    migrated_commit = models.CharField(max_length=40, blank=True, default="", db_default="")
    migrated_at = models.DateTimeField(null=True)
    works_with = models.CharField(max_length=40, blank=True, default="", db_default="")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(id=1), name="site_state_one_row"),
        ]

    def __str__(self) -> str:
        return "The site"


class TimeGrant(models.Model):
    """Time for every game that runs: `hours`, or as long as each had of a period.

    The period is from `starts_at` to `ends_at`; both are when it was requested, where hours are
    given. Games get it in the order of their ids, each in one transaction that also moves
    `last_game_id` on, so that each gets it once. `waiting` are the ids of games that were locked
    when it was their turn, and get it later. `failures` are the games that could not be moved, each
    with its id and the kind of the error. `token` comes with the form, so that the same POST twice
    is one grant.
    """

    class Kind(models.TextChoices):
        HOURS = "hours", gettext_lazy("extra hours")
        DOWNTIME = "downtime", gettext_lazy("downtime")
        MAINTENANCE = "maintenance", gettext_lazy("maintenance")

    kind = models.CharField(max_length=20, choices=Kind)
    hours = models.PositiveSmallIntegerField(default=0)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    why = models.CharField(max_length=500)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    token = models.UUIDField(null=True, unique=True)
    last_game_id = models.BigIntegerField(default=0)
    games_expected = models.PositiveIntegerField(default=0)
    games_done = models.PositiveIntegerField(default=0)
    games_moved = models.PositiveIntegerField(default=0)
    waiting = ListField(of=int, default=list)
    failures = ListField(of=list, default=list)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(kind="hours", hours__gt=0, starts_at=models.F("ends_at"))
                | (~Q(kind="hours") & Q(hours=0, starts_at__lte=models.F("ends_at"))),
                name="time_grant_hours_or_period",
            ),
        ]
        indexes: ClassVar = [
            # Read by every sweep, and by every page for its notices.
            models.Index(fields=["id"], name="time_grant_open", condition=Q(finished_at=None)),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} (#{self.pk})"
