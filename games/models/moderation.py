"""What moderators do: a line for each action, and the reason that the table reads."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy

from games.models.game import Game
from games.models.stored_json import DictField


class Reason(models.Model):
    """Why a moderator did something, in their words, beside the event in a game's log.

    `seq` is the number of the event. The text may be redacted; the row stays.
    """

    game = models.ForeignKey(
        Game, models.PROTECT, related_name="reasons", verbose_name=gettext_lazy("game")
    )
    seq = models.PositiveIntegerField(gettext_lazy("step"))
    text = models.CharField(gettext_lazy("text"), max_length=500)

    class Meta:
        verbose_name = gettext_lazy("reason")
        verbose_name_plural = gettext_lazy("reasons")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seq"], name="reason_once"),
        ]
        indexes: ClassVar = [
            # Read by moderators' searches.
            GinIndex(SearchVector("text", config="simple"), name="reason_words"),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.seq} {self.text}"


class SecretsRevealed(models.Model):
    """A moderator looked at the secrets of a running game: at which, when, and why.

    The table reads it when the game is over. Each look is a row of its own.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="secrets_revealed")
    moderator = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    balances = models.BooleanField(default=False)
    orders = models.BooleanField(default=False)
    notes = models.BooleanField(default=False)
    reason = models.CharField(max_length=500)
    at = models.DateTimeField()

    class Meta:
        verbose_name = gettext_lazy("revealed secrets")
        verbose_name_plural = gettext_lazy("revealed secrets")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(balances=True) | Q(orders=True) | Q(notes=True),
                name="secrets_revealed_something",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.moderator} at {self.game}"


class AuditLine(models.Model):
    """One action of a moderator, a host, the clock or a vote. Never changed: a trigger refuses it.

    `who` is its actor's name at the time. `moderator` and `person`, whom it was about, are no
    constraints of the database, so that an account can go without touching the line. `action` is
    the key of an action (`games.admin.actions`). `before` and `after` are what it changed
    (`games.services.audit.Values`), and never a secret of the game.
    """

    at = models.DateTimeField(gettext_lazy("time"))
    who = models.CharField(gettext_lazy("who"), max_length=60)
    moderator = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        related_name="+",
        db_constraint=False,
    )
    action = models.CharField(gettext_lazy("what"), max_length=30)
    game = models.ForeignKey(
        Game,
        models.PROTECT,
        null=True,
        related_name="audit_lines",
        verbose_name=gettext_lazy("game"),
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        related_name="audit_lines",
        db_constraint=False,
        verbose_name=gettext_lazy("person"),
    )
    reason = models.CharField(gettext_lazy("reason"), max_length=500, blank=True)
    before = DictField(gettext_lazy("before"), default=dict, blank=True)
    after = DictField(gettext_lazy("after"), default=dict, blank=True)

    class Meta:
        verbose_name = gettext_lazy("audit log entry")
        verbose_name_plural = gettext_lazy("audit log")
        ordering: ClassVar = ["-pk"]
        indexes: ClassVar = [
            # Read by the admin's pages of a person.
            models.Index(
                fields=["person", "-id"], name="audit_person", condition=Q(person__isnull=False)
            ),
            # Read by searches of the audit log.
            models.Index(Lower("who"), F("id").desc(), name="audit_who"),
            models.Index(fields=["action", "-id"], name="audit_action"),
            models.Index(fields=["at"], name="audit_at"),
            GinIndex(SearchVector("reason", config="simple"), name="audit_words"),
        ]

    def __str__(self) -> str:
        return f"{self.who}: {self.action}"
