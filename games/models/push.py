"""Web push: the browsers that people want to be notified by, and what is on its way to them."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from games.models.emails import MailServer, OutboxEmail


class PushSubscription(models.Model):
    """A browser of a person's that is notified, and the push service that reaches it.

    It is good for as long as the session in which it was made: signing out and bans end it.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    session_key = models.CharField(max_length=40)
    browser = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = gettext_lazy("push subscription")
        verbose_name_plural = gettext_lazy("push subscriptions")

    def __str__(self) -> str:
        return f"Push to {self.user}"


class OutboxPush(models.Model):
    """The content of an email, or an alarm to a moderator, on its way to a browser.

    The row goes once it has arrived or is dropped.

    While somebody sends it, `not_before` is in the future; they take it away or set it anew.
    """

    email = models.ForeignKey(OutboxEmail, models.CASCADE, null=True, related_name="+")
    alarm = models.CharField(
        max_length=10, choices=MailServer.Alarm, blank=True, default="", db_default=""
    )
    subscription = models.ForeignKey(PushSubscription, models.CASCADE, related_name="+")
    not_before = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["email", "subscription"], name="push_once"),
            models.CheckConstraint(
                condition=Q(email__isnull=False, alarm="") | Q(email=None) & ~Q(alarm=""),
                name="push_of_mail_or_alarm",
            ),
        ]
        indexes: ClassVar = [
            # Read by features.push.delivery only.
            models.Index(fields=["not_before"], name="push_ready"),
        ]

    def __str__(self) -> str:
        return f"{self.email.kind if self.email else self.alarm}, {self.subscription}"
