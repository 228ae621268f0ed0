"""Mail that is to be sent or was sent: a row first, so that none is lost and none sent twice."""

from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy

from games.models.game import Game

if TYPE_CHECKING:
    from datetime import datetime


class OutboxMailQuerySet(models.QuerySet["OutboxMail"]):
    def ready(self, now: "datetime") -> "OutboxMailQuerySet":
        """Mail to be sent now, the oldest first.

        While a game is paused or parked, the mail that it is somebody's turn waits with it.
        """
        return self.waiting().filter(not_before__lte=now).order_by("not_before", "pk")

    def waiting(self) -> "OutboxMailQuerySet":
        """Mail to be sent, now or later, but for that of games at rest."""
        at_rest = Q(game__paused_at__isnull=False) | Q(game__parked_at__isnull=False)
        turn = Q(kind=OutboxMail.Kind.YOUR_TURN, game__status=Game.Status.RUNNING)
        return self.filter(status=OutboxMail.Status.READY).exclude(turn & at_rest)

    def fresh(self) -> "OutboxMailQuerySet":
        """Of these what was never tried, to people who have taken all other mail lately."""
        failing = OutboxMail.objects.filter(
            person=OuterRef("person"), status=OutboxMail.Status.READY, attempts__gt=0
        )
        return self.filter(~Exists(failing), attempts=0)


class OutboxMail(models.Model):
    """One mail to one person: what it speaks of, not its words, which are made when it is sent.

    Unique for game, phase, version of the deadline, kind, person or address, and `about`: the id
    of the row it speaks of, where that is not the phase. An invitation goes to an `address` that
    may not have a person yet; every other mail has a person. Mail about a person, and not about a
    table, has no `game`.
    """

    class Kind(models.TextChoices):
        INVITATION = "invitation", gettext_lazy("an invitation")
        GAME_STARTED = "game_started", gettext_lazy("the game has started")
        YOUR_TURN = "your_turn", gettext_lazy("your turn")
        REMINDER = "reminder", gettext_lazy("reminder")
        LAST_REMINDER = "last_reminder", gettext_lazy("last reminder")
        DEFAULT_PLAYED = "default_played", gettext_lazy("a default move was played for you")
        MARKED_ABSENT = "marked_absent", gettext_lazy("you were marked absent")
        SUBSTITUTE_WANTED = "substitute_wanted", gettext_lazy("a substitute is wanted")
        MENTION = "mention", gettext_lazy("you were mentioned")
        GAME_OVER = "game_over", gettext_lazy("the game is over")
        TABLE_CLOSED = "table_closed", gettext_lazy("the table was closed")
        TABLE_NEWS = "table_news", gettext_lazy("something changed at the table")
        VOTE = "vote", gettext_lazy("the table is voting")
        REFEREE = "referee", gettext_lazy("the referee wrote")
        GAME_RESTS = "game_rests", gettext_lazy("the game is resting")
        GAME_PARKED = "game_parked", gettext_lazy("a game was parked")
        REPORT = "report", gettext_lazy("a report needs a moderator")
        APPEAL = "appeal", gettext_lazy("an appeal needs a moderator")
        REPORT_DECIDED = "report_decided", gettext_lazy("outcome of a report")
        APPEAL_DECIDED = "appeal_decided", gettext_lazy("outcome of an appeal")
        CONDUCT = "conduct", gettext_lazy("a moderator's decision about you")

    class Status(models.TextChoices):
        READY = "ready", gettext_lazy("waiting to be sent")
        SENDING = "sending", gettext_lazy("being sent")
        SENT = "sent", gettext_lazy("sent")
        DROPPED = "dropped", gettext_lazy("not sent: no longer applies")
        FAILED = "failed", gettext_lazy("given up")
        SUSPENDED = "suspended", gettext_lazy("not sent: address refused")

    kind = models.CharField(gettext_lazy("kind"), max_length=20, choices=Kind)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        related_name="mails",
        verbose_name=gettext_lazy("person"),
    )
    address = models.EmailField(gettext_lazy("address"), blank=True)
    game = models.ForeignKey(
        Game, models.PROTECT, null=True, related_name="mails", verbose_name=gettext_lazy("game")
    )
    phase_no = models.PositiveIntegerField(default=0)
    deadline_version = models.PositiveIntegerField(default=0)
    about = models.BigIntegerField(default=0)
    status = models.CharField(
        gettext_lazy("state"), max_length=10, choices=Status, default=Status.READY
    )
    attempts = models.PositiveSmallIntegerField(gettext_lazy("attempts"), default=0)
    not_before = models.DateTimeField(gettext_lazy("not before"))
    claimed_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(gettext_lazy("sent on"), null=True)
    message_id = models.CharField(gettext_lazy("Message-ID"), max_length=320, blank=True)
    error = models.TextField(gettext_lazy("error"), blank=True)
    created_at = models.DateTimeField(gettext_lazy("written on"))

    objects = OutboxMailQuerySet.as_manager()

    class Meta:
        verbose_name = gettext_lazy("email")
        verbose_name_plural = gettext_lazy("emails")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=[
                    "game",
                    "phase_no",
                    "deadline_version",
                    "kind",
                    "person",
                    "address",
                    "about",
                ],
                nulls_distinct=False,
                name="mail_once",
            ),
            models.CheckConstraint(
                condition=Q(person__isnull=False, address="") | Q(person=None) & ~Q(address=""),
                name="mail_to_person_or_address",
            ),
        ]
        indexes: ClassVar = [
            # Read by moderators' lists.
            models.Index(fields=["kind", "-id"], name="outbox_kind_newest"),
            # Read by outbox.drain only.
            models.Index(fields=["not_before"], name="outbox_ready", condition=Q(status="ready")),
            # Read by the referee's desk only.
            models.Index(
                fields=["-created_at"], name="outbox_failed", condition=Q(status="failed")
            ),
            # Read by outbox.release_stuck only.
            models.Index(
                fields=["claimed_at"], name="outbox_sending", condition=Q(status="sending")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person or self.address}: {self.get_kind_display()}"

    @property
    def the_game(self) -> Game:
        """The game of a mail about one; `ValueError` for a mail about a person."""
        if self.game is None:
            raise ValueError("This mail is about no game.")
        return self.game


class MailServer(models.Model):
    """What is known of the mail server: one row, or none before the first email.

    While it is unavailable, whatever the reason, no email is tried but for a look each minute.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    unavailable_since = models.DateTimeField(null=True)
    tried_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True)
    last_sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(id=1), name="mail_server_one_row"),
        ]

    def __str__(self) -> str:
        return "The mail server"
