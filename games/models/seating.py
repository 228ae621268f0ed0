"""What belongs to a person at a seat: who sat there when, days off, orders, invitations."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models.game import Game, new_token
from games.models.seat import Seat


class Sitting(models.Model):
    """A person's time at a seat, past or present. A seat has one sitting at a time.

    The promises they kept and broke there are counted when the game is over, and those they let
    pass; None where the game ended before these were told apart (`services.game.promise_counts`).
    """

    seat = models.ForeignKey(
        Seat, models.PROTECT, related_name="sittings", verbose_name=gettext_lazy("seat")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="sittings",
        verbose_name=gettext_lazy("person"),
    )
    began_at = models.DateTimeField(gettext_lazy("since"))
    ended_at = models.DateTimeField(gettext_lazy("until"), null=True)
    promises_kept = models.PositiveSmallIntegerField(default=0, db_default=0)
    promises_broken = models.PositiveSmallIntegerField(default=0, db_default=0)
    promises_let_pass = models.PositiveSmallIntegerField(null=True)

    class Meta:
        verbose_name = gettext_lazy("seat history entry")
        verbose_name_plural = gettext_lazy("seat history")
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["seat"], condition=Q(ended_at=None), name="sitting_one_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seat.game}: {self.user or _('Nobody')}"


class DaysOff(models.Model):
    """Days on which a player does not play, both included, on the clock of their own zone.

    They count only for decisions that open after `announced_at`. Those up to `given_until` have
    gone into a deadline: they stay spent, also if they are taken back (days 10).
    """

    seat = models.ForeignKey(
        Seat, models.CASCADE, related_name="days_off", verbose_name=gettext_lazy("seat")
    )
    first_day = models.DateField(gettext_lazy("first day"))
    last_day = models.DateField(gettext_lazy("last day"))
    announced_at = models.DateTimeField(gettext_lazy("announced on"))
    given_until = models.DateField(null=True)

    class Meta:
        verbose_name = gettext_lazy("days off")
        verbose_name_plural = gettext_lazy("days off")
        ordering: ClassVar = ["first_day", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(last_day__gte=models.F("first_day")), name="days_off_in_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first_day}, {self.last_day}"


class Order(models.Model):
    """A standing order: what is to be played once the player is to move. Secret, also afterwards.

    `formula` is the engine's encoded order (games/engine/orders.py). For a bribe `scholar` is the
    record's name of the scholar it is for; for a decision or a sending it is empty. Executed and
    withdrawn orders are deleted.
    """

    class Kind(models.TextChoices):
        BRIBE = "bribe", gettext_lazy("a bribe")
        DECISION = "decision", gettext_lazy("a decision")
        SENDING = "sending", gettext_lazy("scholars to send")

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="orders")
    kind = models.CharField(max_length=10, choices=Kind)
    scholar = models.CharField(max_length=40, blank=True)
    formula = models.JSONField()
    wait_if_addressed = models.BooleanField(default=False)
    made_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["seat", "kind", "scholar"], name="order_once"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.seat}"


class Invitation(models.Model):
    """An invitation to a table by email address. `token` is the secret in the link.

    Everybody who invites an address has an invitation of their own, so that nobody learns that
    others have invited it. One `by_name` is for a player whose name the inviter has given, or for
    a co-player of the game before: the address is not shown to the inviter.
    """

    class Status(models.TextChoices):
        OPEN = "open", gettext_lazy("not answered")
        ACCEPTED = "accepted", gettext_lazy("accepted")
        DECLINED = "declined", gettext_lazy("declined")
        # Another invitation to the table was answered. Whoever wrote this one must not learn that
        # both reach the same person.
        ELSEWHERE = "elsewhere", gettext_lazy("not answered")
        WITHDRAWN = "withdrawn", gettext_lazy("withdrawn by a moderator")

    game = models.ForeignKey(
        Game, models.CASCADE, related_name="invitations", verbose_name=gettext_lazy("game")
    )
    email = models.EmailField(gettext_lazy("address"))
    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=gettext_lazy("invited by"),
    )
    by_name = models.BooleanField(default=False, editable=False)
    status = models.CharField(
        gettext_lazy("state"), max_length=10, choices=Status, default=Status.OPEN
    )
    created_at = models.DateTimeField(gettext_lazy("sent on"))

    class Meta:
        verbose_name = gettext_lazy("invitation")
        verbose_name_plural = gettext_lazy("invitations")
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game", "email", "invited_by", "by_name"], name="invitation_once"
            ),
        ]
        indexes: ClassVar = [
            # Read by services.lobby.email_invitees only.
            models.Index(fields=["email", "created_at"], name="invitation_of_address"),
            # Read by moderators' searches.
            GinIndex(SearchVector("email", config="simple"), name="invitation_words"),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.email}"

    def get_absolute_url(self) -> str:
        return f"/invitations/{self.token}/"


class NoMoreInvitations(models.Model):
    """The wish of an address's owner to get no invitations there while it has no account.

    `key` stands for the address (`services.lobby.email_invitees`), which itself is not kept.
    """

    key = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.key
