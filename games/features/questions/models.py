"""What people ask the moderators, and what is written back and forth about it.

The tables belong to the feature. The database itself deletes their rows with a person, a game or a
report, so that this also happens where the feature is switched off.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from games.models import Game, Report


class Question(models.Model):
    """A thread between a person and the moderators; its first message is the question.

    Who has no account asks from an `address`, in their `language`; moderators don't read it before
    a code that was emailed there has come back (`UNCONFIRMED`).
    With a `report` it is the other way round: the moderators ask who made it; and so it is with
    the kind `PERSON`, about anything. It waits for the
    moderators until one of them answers or closes it; whatever the person writes opens it again.
    The `owner` is the moderator who has taken it.
    """

    class Kind(models.TextChoices):
        GAME = "game", gettext_lazy("A question about a game")
        CLOCK = "clock", gettext_lazy("Why did the clock play for me?")
        EMAIL = "email", gettext_lazy("An email didn't arrive")
        ACCESS = "access", gettext_lazy("Trouble signing in")
        OTHER = "other", gettext_lazy("Something else")
        REPORT = "report", gettext_lazy("About a report")
        PERSON = "person", gettext_lazy("A message from the moderators")

    class State(models.TextChoices):
        UNCONFIRMED = "unconfirmed", gettext_lazy("address not confirmed yet")
        WAITING = "waiting", gettext_lazy("waiting for the moderators")
        ANSWERED = "answered", gettext_lazy("answered")
        CLOSED = "closed", gettext_lazy("closed")

    token = models.UUIDField(unique=True, editable=False)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DB_CASCADE, null=True, related_name="questions"
    )
    address = models.EmailField(blank=True, default="", db_default="")
    language = models.CharField(max_length=10, blank=True, default="", db_default="")
    guesses = models.PositiveSmallIntegerField(default=0, db_default=0)
    kind = models.CharField(max_length=10, choices=Kind)
    # Django lets the database delete below no model of which it deletes the rows itself, so the
    # migration makes these keys: without its game a question stays, with its report it goes.
    game = models.ForeignKey(
        Game, models.DO_NOTHING, null=True, related_name="questions", db_constraint=False
    )
    report = models.ForeignKey(
        Report, models.DO_NOTHING, null=True, related_name="questions", db_constraint=False
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DB_SET_NULL, null=True, related_name="+"
    )
    state = models.CharField(max_length=12, choices=State, default=State.WAITING)
    at = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(kind="report", report__isnull=False)
                | (~Q(kind="report") & Q(report=None)),
                name="question_about_report",
            ),
            models.CheckConstraint(
                condition=Q(person__isnull=False, address="") | (Q(person=None) & ~Q(address="")),
                name="question_of_somebody",
            ),
        ]
        indexes: ClassVar = [
            # Read by the dashboard only.
            models.Index(fields=["last_at"], name="question_waiting", condition=Q(state="waiting")),
            # Moderators read the latest of all, or of those in a state.
            models.Index(fields=["-last_at", "-id"], name="question_latest"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk} {self.get_kind_display()}"


class Letter(models.Model):
    """One message of a thread: by the person, by a moderator, or a note among moderators.

    `author` is who wrote it, None for who has no account or has left; the person never learns which
    moderator did.
    """

    class By(models.TextChoices):
        PERSON = "person", gettext_lazy("the person")
        MODERATOR = "moderator", gettext_lazy("a moderator")
        NOTE = "note", gettext_lazy("a note among moderators")

    token = models.UUIDField(unique=True, editable=False)
    question = models.ForeignKey(Question, models.DB_CASCADE, related_name="letters")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DB_SET_NULL, null=True, related_name="letters"
    )
    by = models.CharField(max_length=10, choices=By)
    text = models.TextField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"#{self.pk} {self.get_by_display()}"
