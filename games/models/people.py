"""The people who play, and those who keep order."""

import zoneinfo
from datetime import datetime
from functools import cache
from typing import Any, ClassVar, Final

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import extensions
from games.models.stored_json import ListField
from games.names import LONGEST, key_of, mixes_alphabets, refused_sign, says_something
from games.unseen import sign_name

REGIONS: Final = (
    "Africa", "America", "Antarctica", "Arctic", "Asia",
    "Atlantic", "Australia", "Europe", "Indian", "Pacific",
)  # fmt: skip


@cache
def time_zones() -> list[tuple[str, str]]:
    """The zones that people choose from: UTC, and one for each place that has its own."""
    names = sorted(
        name for name in zoneinfo.available_timezones() if name.partition("/")[0] in REGIONS
    )
    return [("UTC", "UTC"), *((name, name.replace("_", " ")) for name in names if "/" in name)]


def validate_public_name(name: str) -> None:
    """Refuse what could break a line or hide in it, and what looks like something else.

    Only new names are checked: people keep those they had when less was refused. Longer ones
    than any are refused by their field.
    """
    if len(name) > LONGEST:
        return  # Accents are put in order in the square of their number.
    if sign := refused_sign(name):
        text = _(
            "A name can't contain {sign}. Please use only letters, digits, spaces and simple "
            "symbols other than @."
        )
        raise ValidationError(text.format(sign=sign_name(sign)))
    if not says_something(name):
        raise ValidationError(_("Please use at least one letter or digit."))
    if mixes_alphabets(name):
        raise ValidationError(
            _("Please use letters from one alphabet only: some look alike in Latin and Cyrillic.")
        )


class UserManager(BaseUserManager["User"]):
    def create_user(
        self, email: str, name: str, password: str | None = None, **fields: Any
    ) -> "User":
        """A new person, saved. Without a password only an emailed link or code lets them in."""
        user = self.model(email=email.lower(), name=name, name_key=key_of(name), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, name: str, password: str | None = None) -> "User":
        """A new person, saved, who may do everything in the admin."""
        return self.create_user(email, name, password, is_staff=True, is_superuser=True)

    def get_by_natural_key(self, email: str | None) -> "User":
        return self.get(email=(email or "").lower())


class ProfilePart(models.TextChoices):
    """A part of the page about a person, which they may hide."""

    RESULTS = "results", gettext_lazy("my results, by edition")
    RELIABILITY = "reliability", gettext_lazy("how many of my moves were made in time")
    PROMISES = "promises", gettext_lazy("promises I've kept and broken")
    COMPANIONS = "companions", gettext_lazy("who I often play with")
    GAMES = "games", gettext_lazy("my listed games")


class User(AbstractBaseUser, PermissionsMixin):
    """A person. They sign in by address; everybody else sees only the name.

    What moderators have imposed stands here for a look at every request; `Sanction` is its story.
    Somebody who is banned is not active.
    """

    email = models.EmailField(
        gettext_lazy("email address"),
        unique=True,
        help_text=gettext_lazy("Must be in lowercase. Only moderators can see it."),
        error_messages={"unique": gettext_lazy("An account with this address already exists.")},
    )
    name = models.CharField(
        gettext_lazy("public name"),
        max_length=LONGEST,
        help_text=gettext_lazy("Other players see this name, but never your email address."),
    )
    name_key = models.TextField(unique=True, null=True, default=None, editable=False)  # noqa: DJ001
    """What no two names have in common; None until `services.people.names` has settled it."""
    time_zone = models.CharField(
        gettext_lazy("time zone"),
        max_length=64,
        choices=time_zones,
        default="UTC",
        help_text=gettext_lazy("Deadlines are shown in this time zone."),
    )
    language = models.CharField(
        gettext_lazy("language"),
        max_length=8,
        choices=settings.LANGUAGES,
        blank=True,
        default="",
        help_text=gettext_lazy(
            "For pages and emails. If none is chosen, the browser's language is used."
        ),
    )
    crest = models.CharField(max_length=40, blank=True, default="", db_default="", editable=False)
    """The text of the crest they have chosen; "" for the one of their account."""
    hidden_parts = ListField(
        of=str, default=list, blank=True, editable=False, db_default=Value([], models.JSONField())
    )
    """Values of the `ProfilePart`s that others do not see."""
    named_to_strangers = models.BooleanField(null=True, default=None, editable=False)
    """Whether people without an account read their name at tables; None until they are asked."""
    # Keys of the switches in services/email/kinds.py.
    unwanted_emails = ListField(of=str, default=list, blank=True)
    digest_emails = ListField(
        of=str, default=list, blank=True, editable=False, db_default=Value([], models.JSONField())
    )
    """The same for what comes in the digest."""
    digest_hour = models.PositiveSmallIntegerField(default=8, db_default=8, editable=False)
    """When the digest leaves, on their clock."""
    quiet_from = models.PositiveSmallIntegerField(null=True, default=None, editable=False)
    quiet_until = models.PositiveSmallIntegerField(null=True, default=None, editable=False)
    """The hours on their clock between which they want to be left alone; None for no such time."""
    never_wake = models.BooleanField(default=False, db_default=False, editable=False)
    """Whether urgent email too waits for the end of the quiet hours."""
    unwanted_pushes = ListField(
        of=str, default=list, blank=True, editable=False, db_default=Value([], models.JSONField())
    )
    """The same for what browsers are notified of."""
    calendar = models.IntegerField(default=0, db_default=0, editable=False)
    """The number in the address of their calendar; 0 or less if they have none."""
    accepted_terms = models.CharField(max_length=16, default="", db_default="", editable=False)
    """The `legal.version` of the terms and the privacy notice they have accepted; "" if none."""
    accepted_terms_at = models.DateTimeField(null=True, default=None, editable=False)
    reply_number = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    """The number in the addresses to which they reply; with another one those from before end."""
    replies_at_once = models.BooleanField(default=False, db_default=False, editable=False)
    """Whether what they send by email is played without asking them to confirm it."""
    is_guest = models.BooleanField(
        gettext_lazy("guest"), default=False, db_default=False, editable=False
    )
    """Somebody who tries the game without an account (`services.accounts.guests`)."""
    is_staff = models.BooleanField(gettext_lazy("moderator"), default=False)
    is_active = models.BooleanField(gettext_lazy("active"), default=True)
    date_joined = models.DateTimeField(gettext_lazy("joined on"), default=timezone.now)
    warned = models.BooleanField(default=False)
    """Whether there may be a warning that they haven't confirmed to have read."""
    muted_until = models.DateTimeField(gettext_lazy("muted until"), null=True, blank=True)
    suspended_until = models.DateTimeField(gettext_lazy("suspended until"), null=True, blank=True)
    needs_second_factor = models.BooleanField(
        gettext_lazy("must use two-factor authentication"), default=False
    )
    refused_email = models.EmailField(gettext_lazy("rejected address"), blank=True, default="")
    """The address that a mail server has refused for good. While it is theirs, none is emailed."""
    refused_email_at = models.DateTimeField(gettext_lazy("rejected on"), null=True, blank=True)
    refused_email_why = models.CharField(
        gettext_lazy("reason for the rejection"), max_length=200, blank=True, default=""
    )
    sessions_ended = models.PositiveIntegerField(default=0)
    """How often all sessions were ended: those from before are no longer valid."""

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    class Meta:
        verbose_name = gettext_lazy("person")
        verbose_name_plural = gettext_lazy("people")
        constraints: ClassVar = [
            # With the field's own uniqueness: one account for an address, however it is written.
            models.CheckConstraint(
                condition=Q(email=Lower(F("email"))),
                name="user_email_in_small_letters",
                violation_error_message=gettext_lazy("Please write the address in lowercase."),
            ),
        ]
        indexes: ClassVar = [
            # Read by moderators' searches.
            GinIndex(SearchVector("name", "email", config="simple"), name="user_words"),
            # Read by the dashboard and the doctor only.
            models.Index(
                fields=["-refused_email_at"], name="user_refused", condition=~Q(refused_email="")
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def shown_crest(self) -> str:
        """The text of their crest, as it is in the address of its picture; "" if nobody has one."""
        return extensions.crest_of(self)

    @property
    def is_unreachable(self) -> bool:
        """Whether their address bounces, so that no email is sent to it."""
        return bool(self.refused_email) and self.refused_email == self.email

    def is_muted(self, now: datetime) -> bool:
        """Whether they may not write to others."""
        return self.muted_until is not None and now < self.muted_until

    def is_suspended(self, now: datetime) -> bool:
        """Whether they may read, and nothing else."""
        return self.suspended_until is not None and now < self.suspended_until

    def may_play(self, now: datetime) -> bool:
        """Whether they are neither suspended nor banned."""
        return self.is_active and not self.is_suspended(now)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """The hash that keeps a session valid: Django's own until sessions were ended once."""
        known: str = super()._get_session_auth_hash(secret)  # type: ignore[misc]
        if not self.sessions_ended:
            return known
        salt = "games.models.User.sessions_ended"
        value = f"{known}:{self.sessions_ended}"
        return salted_hmac(salt, value, secret=secret, algorithm="sha256").hexdigest()

    def clean(self) -> None:
        """Spell the address in small letters."""
        super().clean()
        self.email = self.email.lower()


class MutedGame(models.Model):
    """A game about which a person wants no more email."""

    user = models.ForeignKey(User, models.CASCADE, related_name="muted_games")
    game = models.ForeignKey("games.Game", models.CASCADE, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "game"], name="muted_once"),
        ]

    def __str__(self) -> str:
        return f"{self.game} for {self.user}"
