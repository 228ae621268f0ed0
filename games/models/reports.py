"""What players report to the moderators, and messages that the referee has removed."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from games.models.chat import Message, PrivateMessage
from games.models.game import Game
from games.models.stored_json import ListField


class Report(models.Model):
    """A report against a person, a message of theirs, or the words of a table that they host.

    Whoever reports says of which `kind` it is; the most serious kinds come first.
    Of a table, `table_words` are its name and description as they were when it was reported. Of a
    `private_message`, `frozen` is what moderators may read: it and the messages around it, as they
    were then (`services.reports.filing.freeze`). `person_name` and `person_crest` are the person's
    name and crest then: forgotten with the account, and when the texts are.
    A moderator takes it (`owner`) and upholds or rejects it. `outcome` is what the person reads,
    and the reporter too where there is no `to_reporter`; of a rejected one it is the reporter's
    alone. What it brought the person are its `sanctions`. The `person` may appeal once where it was
    upheld: then the decision stands, is shortened, or is taken back; `last_word` is why. The person
    never learns who reported. A report without a `reporter` is of somebody who has gone, or where
    it has no `text` a decision of a moderator on their own.
    """

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("waiting for a moderator")
        TAKEN = "taken", gettext_lazy("in review")
        REJECTED = "rejected", gettext_lazy("dismissed")
        UPHELD = "upheld", gettext_lazy("upheld")
        APPEALED = "appealed", gettext_lazy("upheld, appeal pending")
        CONFIRMED = "confirmed", gettext_lazy("upheld, and confirmed on appeal")
        SHORTENED = "shortened", gettext_lazy("upheld, and shortened on appeal")
        TAKEN_BACK = "taken_back", gettext_lazy("upheld, then reversed")

    class Kind(models.TextChoices):
        THREAT = "threat", gettext_lazy("threat or hate")
        INSULT = "insult", gettext_lazy("insult")
        ACCOUNTS = "accounts", gettext_lazy("two accounts, or agreements across games")
        ADVERTISING = "advertising", gettext_lazy("advertising")
        NAME = "name", gettext_lazy("name or crest")
        OTHER = "other", gettext_lazy("something else")

    WITHOUT_DECISION: ClassVar = (State.OPEN, State.TAKEN)
    HOLDING: ClassVar = (State.UPHELD, State.APPEALED, State.CONFIRMED, State.SHORTENED)
    WAITING: ClassVar = (State.OPEN, State.TAKEN, State.APPEALED)

    token = models.UUIDField(unique=True, editable=False)
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="reports_made",
        verbose_name=gettext_lazy("reported by"),
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="reports_about",
        verbose_name=gettext_lazy("reported person"),
    )
    game = models.ForeignKey(
        Game, models.PROTECT, null=True, related_name="reports", verbose_name=gettext_lazy("game")
    )
    message = models.ForeignKey(
        Message,
        models.PROTECT,
        null=True,
        related_name="reports",
        verbose_name=gettext_lazy("message"),
    )
    private_message = models.ForeignKey(
        PrivateMessage, models.PROTECT, null=True, related_name="reports", editable=False
    )
    frozen = ListField(
        of=dict, default=list, db_default=models.Value([], models.JSONField()), editable=False
    )
    person_name = models.CharField(
        gettext_lazy("name when reported"), max_length=60, blank=True, default="", db_default=""
    )
    person_crest = models.CharField(
        max_length=40, blank=True, default="", db_default="", editable=False
    )
    kind = models.CharField(
        gettext_lazy("kind"), max_length=11, choices=Kind, default=Kind.OTHER, db_default="other"
    )
    table_words = models.TextField(gettext_lazy("name and description of the table"), blank=True)
    text = models.TextField(gettext_lazy("why"), max_length=2000, blank=True)
    at = models.DateTimeField(gettext_lazy("time"))
    state = models.CharField(
        gettext_lazy("state"), max_length=10, choices=State, default=State.OPEN
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=gettext_lazy("owner"),
    )
    outcome = models.TextField(gettext_lazy("decision"), max_length=500, blank=True)
    to_reporter = models.TextField(
        gettext_lazy("answer to the reporter"),
        max_length=500,
        blank=True,
        default="",
        db_default="",
    )
    decided_at = models.DateTimeField(gettext_lazy("decided on"), null=True)
    appeal = models.TextField(gettext_lazy("appeal"), max_length=2000, blank=True)
    appealed_at = models.DateTimeField(gettext_lazy("appealed on"), null=True)
    last_word = models.TextField(gettext_lazy("final decision"), max_length=500, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=gettext_lazy("closed by"),
    )
    closed_at = models.DateTimeField(gettext_lazy("closed on"), null=True)

    class Meta:
        verbose_name = gettext_lazy("report")
        verbose_name_plural = gettext_lazy("reports")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["reporter", "message"],
                condition=Q(state__in=["open", "taken"], message__isnull=False),
                name="report_of_message_once",
            ),
            models.UniqueConstraint(
                fields=["reporter", "person"],
                condition=Q(
                    state__in=["open", "taken"], message=None, private_message=None, table_words=""
                ),
                name="report_of_person_once",
            ),
            models.UniqueConstraint(
                fields=["reporter", "private_message"],
                condition=Q(state__in=["open", "taken"], private_message__isnull=False),
                name="report_of_private_once",
            ),
            models.UniqueConstraint(
                fields=["reporter", "game"],
                condition=Q(state__in=["open", "taken"]) & ~Q(table_words=""),
                name="report_of_table_once",
            ),
            models.CheckConstraint(
                condition=Q(table_words="") | Q(message=None, game__isnull=False),
                name="report_of_table_at_table",
            ),
            models.CheckConstraint(condition=~Q(reporter=F("person")), name="report_of_another"),
            models.CheckConstraint(
                condition=Q(message=None) | Q(game__isnull=False), name="report_message_at_table"
            ),
            models.CheckConstraint(
                condition=~Q(state="open") | Q(owner=None), name="report_open_without_owner"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["open", "taken"], decided_at=None)
                | ~Q(state__in=["open", "taken"]) & Q(decided_at__isnull=False),
                name="report_decided_or_not",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["appealed", "confirmed", "shortened"])
                | Q(appealed_at__isnull=False),
                name="report_appeal_has_moment",
            ),
            models.CheckConstraint(
                condition=Q(
                    state__in=["confirmed", "shortened", "taken_back"], closed_at__isnull=False
                )
                | ~Q(state__in=["confirmed", "shortened", "taken_back"]) & Q(closed_at=None),
                name="report_closed_or_not",
            ),
        ]
        indexes: ClassVar = [
            # Read by the dashboard only.
            models.Index(
                fields=["at"],
                name="report_waiting",
                condition=Q(state__in=["open", "taken", "appealed"]),
            ),
            # Read by moderators' searches.
            GinIndex(SearchVector("person_name", config="simple"), name="report_names"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk} {self.get_state_display()}"

    @property
    def said(self) -> Message | PrivateMessage | None:
        """The message that is reported; None where it is about a person or a table."""
        return self.message or self.private_message

    @property
    def is_about_all_messages(self) -> bool:
        """Whether it is no report, but the removal of all public messages of the person."""
        return self.game_id is None and not self.text

    @property
    def is_without_report(self) -> bool:
        """Whether it is the decision of a moderator about what nobody has reported."""
        return self.reporter_id is None and not self.text

    @property
    def was_upheld(self) -> bool:
        """Whether it was decided against the person, whatever came after."""
        return self.decided_at is not None and self.state != Report.State.REJECTED


class Redaction(models.Model):
    """The removal of a message or private message by the referee: who, why, and on which report.

    The message keeps its place and loses its text, which stands here for moderators until it is
    trimmed. `who` is the moderator's name at the time; the table reads the `reason`.
    """

    message = models.OneToOneField(
        Message,
        models.PROTECT,
        null=True,
        related_name="redaction",
        verbose_name=gettext_lazy("message"),
    )
    private_message = models.OneToOneField(
        PrivateMessage, models.PROTECT, null=True, related_name="redaction", editable=False
    )
    report = models.ForeignKey(
        Report,
        models.PROTECT,
        null=True,
        related_name="redactions",
        verbose_name=gettext_lazy("report"),
    )
    moderator = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=gettext_lazy("moderator"),
    )
    who = models.CharField(gettext_lazy("removed by"), max_length=60)
    reason = models.CharField(gettext_lazy("reason"), max_length=500)
    text = models.TextField(gettext_lazy("text"), blank=True)
    at = models.DateTimeField(gettext_lazy("time"))

    class Meta:
        verbose_name = gettext_lazy("removed message")
        verbose_name_plural = gettext_lazy("removed messages")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(message=None, private_message__isnull=False)
                | Q(message__isnull=False, private_message=None),
                name="redaction_of_one",
            ),
        ]
        indexes: ClassVar = [
            # Read by services.operations.trim only.
            models.Index(fields=["at"], name="redaction_kept", condition=~Q(text="")),
        ]

    def __str__(self) -> str:
        return f"#{self.message_id or ''}: {self.reason[:40]}"

    @property
    def about(self) -> Message | PrivateMessage:
        """The message that was removed."""
        about = self.message or self.private_message
        if about is None:
            raise ValueError("The redaction isn't saved yet.")
        return about
