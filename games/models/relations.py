"""Relations between people, and what was seen of them: hints for moderators."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least

from games.models.seat import Seat


class Block(models.Model):
    """`blocker` does not want to play with `blocked`, who doesn't learn of it."""

    blocker = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["blocker", "blocked"], name="block_once"),
            models.CheckConstraint(condition=~Q(blocker=F("blocked")), name="block_somebody_else"),
        ]

    def __str__(self) -> str:
        return f"{self.blocker}: {self.blocked}"


class Ignore(models.Model):
    """`user` does not want to read what `ignored` writes, who doesn't learn of it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="ignores")
    ignored = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "ignored"], name="ignore_once"),
            models.CheckConstraint(condition=~Q(user=F("ignored")), name="ignore_somebody_else"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.ignored}"


class Acquaintance(models.Model):
    """`person` says that they know `other`; it counts once the other has confirmed it.

    One row for two people, whoever of them declared it.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    other = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    note = models.CharField(max_length=200, blank=True)
    declared_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                Least("person", "other"), Greatest("person", "other"), name="acquaintance_once"
            ),
            models.CheckConstraint(
                condition=~Q(person=F("other")), name="acquaintance_of_somebody_else"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.other}"


class Miss(models.Model):
    """A missed deadline of a person who had the full time. Deleted when excused or undone."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="misses")
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="misses")
    phase_no = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["seat", "phase_no"], name="miss_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.seat}, phase {self.phase_no}"


class SignIn(models.Model):
    """Somebody was signed in with this browser, from this address; only moderators read it.

    `device` is the random value of a cookie that stays when somebody signs out. It is stored at
    most once a day for each session. Rows go after 90 days.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="sign_ins")
    device = models.CharField(max_length=32)
    address = models.GenericIPAddressField()
    agent = models.CharField(max_length=200)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "device", "address"], name="sign_in_once"),
        ]
        indexes: ClassVar = [
            # Read by sign_ins.record and the signs of double accounts.
            models.Index(fields=["device"], name="sign_in_device"),
            # Read by the signs of double accounts.
            models.Index(fields=["address"], name="sign_in_address"),
            # Read by trim only.
            models.Index(fields=["last_at"], name="sign_in_last"),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.address}"


class SharedBrowser(models.Model):
    """Two accounts were signed in with one browser; `first` has the smaller key.

    A moderator who has looked at them clears the pair: it leaves the dashboard.
    """

    first = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    second = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    last_at = models.DateTimeField()
    cleared_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["first", "second"], name="shared_browser_once"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="shared_browser_pair"),
        ]
        indexes: ClassVar = [
            # Read by the dashboard only.
            models.Index(
                fields=["-last_at"], name="shared_browser_open", condition=Q(cleared_at=None)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first}, {self.second}"
