"""What a person writes for themselves at a table: notes, and what is typed and not yet sent."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy

from games.models.game import Game


class Note(models.Model):
    """A person's private notes about a game. Secret, for the substitute and for moderators too."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="notes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notes")
    text = models.TextField(max_length=10000)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "user"], name="note_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user} about {self.game}"


class Draft(models.Model):
    """What somebody has typed into a form and not sent: kept so that any device shows it again.

    `fields` are the form's fields by name, as text. A draft of a move belongs to one `phase_no`;
    a draft of a message has 0. Secret, like notes.
    """

    class About(models.TextChoices):
        MOVE = "answer", gettext_lazy("answer")
        MESSAGE = "talk", gettext_lazy("chat message")

    game = models.ForeignKey(Game, models.CASCADE, related_name="drafts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="drafts")
    about = models.CharField(max_length=10, choices=About)
    phase_no = models.PositiveIntegerField(default=0)
    fields = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "user", "about"], name="draft_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user}'s {self.about} at {self.game}"
