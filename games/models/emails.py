"""Email to be sent or sent: a row first, so that none is lost and none is sent twice."""

from datetime import timedelta
from typing import TYPE_CHECKING, ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from games.models.game import Game

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


CLOCK_TOLERANCE: Final = timedelta(minutes=1)
"""How far the clock of a web machine may be ahead of the database's."""


def waits_with_its_game(email: str = "") -> Q:
    """The email "your turn" of a game that is paused or parked; `email` is the path to its row."""
    turn = Q(**{f"{email}kind": "your_turn", f"{email}game__status": Game.Status.RUNNING})
    paused = Q(**{f"{email}game__paused_at__isnull": False})
    return turn & (paused | Q(**{f"{email}game__parked_at__isnull": False}))


HAS_FAILED: Final = ~Q(error="") | Q(attempts__gt=1)
"""An email that was refused, or that more than one sender has died over."""


class OutboxEmailQuerySet(models.QuerySet["OutboxEmail"]):
    def ready(self, now: "datetime") -> "OutboxEmailQuerySet":
        """Email to be sent now, the oldest first.

        While a game is paused or parked, its email "your turn" waits with it. What was to leave at
        once when it was written does, also if its writer's clock is up to `CLOCK_TOLERANCE` ahead.
        """
        now_or_at_once = Q(not_before__lte=now) | Q(not_before__lte=F("created_at"))
        due = self.waiting().filter(now_or_at_once, not_before__lte=now + CLOCK_TOLERANCE)
        return due.order_by("not_before", "pk")

    def left_since(self, at: "datetime") -> "OutboxEmailQuerySet":
        """Email that was ready at that instant, and that no mail server has taken or refused.

        Also what somebody has claimed since then, and never sent. The oldest first.
        """
        claimed = Q(status=OutboxEmail.Status.SENDING, claimed_at__lte=at)
        ready = Q(status=OutboxEmail.Status.READY)
        left = self.filter(claimed | ready, error="", not_before__lte=at)
        return left.exclude(waits_with_its_game()).order_by("not_before", "pk")

    def waiting(self) -> "OutboxEmailQuerySet":
        """Email to be sent, now or later, except what waits with its game."""
        return self.filter(status=OutboxEmail.Status.READY).exclude(waits_with_its_game())

    def fresh(self) -> "OutboxEmailQuerySet":
        """Of these what never failed, to people without other email that did."""
        failing = OutboxEmail.objects.filter(HAS_FAILED, status=OutboxEmail.Status.READY)
        return self._not_to_recipients_of(failing).exclude(HAS_FAILED)

    def next_ones(self) -> "OutboxEmailQuerySet":
        """Of these what goes to people and addresses to which nothing is being sent."""
        sending = OutboxEmail.objects.filter(status=OutboxEmail.Status.SENDING)
        return self._not_to_recipients_of(sending)

    def first_to(self, recipients: "Sequence[tuple[int | None, str]]") -> "OutboxEmailQuerySet":
        """The first of these to each recipient: a person by id, or an address."""
        people = [person for person, _address in recipients if person is not None]
        addresses = [address for _person, address in recipients if address]
        to_them = Q(person__in=people) | Q(person=None, address__in=addresses)
        by_recipient = self.filter(to_them).order_by("person", "address", "not_before", "pk")
        return by_recipient.distinct("person", "address")

    def _not_to_recipients_of(self, emails: "OutboxEmailQuerySet") -> "OutboxEmailQuerySet":
        # Not "NOT EXISTS": where a backlog has outgrown the statistics, PostgreSQL would look
        # through all of it once for each row of it.
        people = emails.filter(person__isnull=False).values("person")
        return self.exclude(person__in=people).exclude(
            address__in=emails.filter(person=None).values("address")
        )


class OutboxEmail(models.Model):
    """One email to one person: what it is about. Its text is written when it is sent.

    `kind` is a key of `services/email/kinds.py`. Unique for game, phase, version of the deadline,
    kind, recipient, and `about`: the id of the row it is about, if that isn't the phase. An
    invitation goes to an `address` while nobody has an account there, and so does what an address
    has to know that an account has left; any other email has a `person`. Email that isn't about
    a table has no `game`.
    """

    class Status(models.TextChoices):
        READY = "ready", gettext_lazy("waiting to be sent")
        SENDING = "sending", gettext_lazy("being sent")
        SENT = "sent", gettext_lazy("sent")
        DROPPED = "dropped", gettext_lazy("not sent: no longer relevant")
        FAILED = "failed", gettext_lazy("failed")
        SUSPENDED = "suspended", gettext_lazy("not sent: address rejected")

    kind = models.CharField(gettext_lazy("kind"), max_length=20)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        related_name="emails",
        verbose_name=gettext_lazy("person"),
    )
    address = models.EmailField(gettext_lazy("address"), blank=True)
    game = models.ForeignKey(
        Game, models.PROTECT, null=True, related_name="emails", verbose_name=gettext_lazy("game")
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
    claimed_by = models.BigIntegerField(null=True)
    """The id of the `EmailSender` that sends it, or last did."""
    sent_at = models.DateTimeField(gettext_lazy("sent on"), null=True)
    message_id = models.CharField(gettext_lazy("Message-ID"), max_length=320, blank=True)
    error = models.TextField(gettext_lazy("error"), blank=True)
    created_at = models.DateTimeField(gettext_lazy("written on"))

    objects = OutboxEmailQuerySet.as_manager()

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
            # Read by delivery.drain only.
            models.Index(fields=["not_before"], name="outbox_ready", condition=Q(status="ready")),
            # Read by bundles.companions_of only.
            models.Index(fields=["person"], name="outbox_ready_of", condition=Q(status="ready")),
            # Read by the dashboard only.
            models.Index(
                fields=["-created_at"], name="outbox_failed", condition=Q(status="failed")
            ),
            # Read by moderators' searches.
            models.Index(
                fields=["message_id"], name="outbox_message_id", condition=~Q(message_id="")
            ),
            models.Index(fields=["address"], name="outbox_address", condition=Q(person=None)),
            # Read for all that is being sent.
            models.Index(
                fields=["claimed_at"], name="outbox_sending", condition=Q(status="sending")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.person or self.address}"

    @property
    def the_game(self) -> Game:
        """The game of an email about one; `ValueError` if it is about something else."""
        if self.game is None:
            raise ValueError("This email isn't about a game.")
        return self.game


class EmailSender(models.Model):
    """Somebody who sends email now (services/email/senders.py): one process of each worker."""

    worker = models.CharField(max_length=255, unique=True)
    lives_until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.worker} until {self.lives_until}"


class MailServer(models.Model):
    """What is known about the mail server: one row, or none before the first email.

    While it is unavailable, for whatever reason, only one attempt a minute is made.
    """

    class Alarm(models.TextChoices):
        """What moderators' browsers are notified of (services/operations/alarms.py)."""

        FAILS = "fails"
        WORKS = "works"

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    unavailable_since = models.DateTimeField(null=True)
    tried_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True)
    last_sent_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    """Since when the clock has found that email doesn't leave, whatever the cause."""
    alarmed_at = models.DateTimeField(null=True)
    """When moderators were notified of it; None once they were notified that it is over."""

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(id=1), name="mail_server_one_row"),
        ]

    def __str__(self) -> str:
        return "The mail server"


class EmailOutage(models.Model):
    """A time in which email was down (days 11); `until` is None while it is.

    Kept until everybody whose turn came meanwhile has been given their time.
    """

    since = models.DateTimeField()
    until = models.DateTimeField(null=True)

    class Meta:
        verbose_name = gettext_lazy("email outage")
        verbose_name_plural = gettext_lazy("email outages")
        ordering: ClassVar = ["since", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["until"],
                condition=Q(until=None),
                nulls_distinct=False,
                name="email_outage_one_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.since} to {self.until}"

    @property
    def is_over(self) -> bool:
        """Whether email leaves again."""
        return self.until is not None

    def holds(self, at: "datetime | None") -> bool:
        """Whether an instant lies in it."""
        return at is not None and self.since <= at and (self.until is None or at <= self.until)
