"""Filters of lists, in the words of moderators."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.state import TABLE_SIZES
from games.models import Game, OutboxEmail, User
from games.services.accounts.unconfirmed import never_confirmed
from games.services.email.kinds import EMAIL_KINDS, KIND_BY_KEY


class YesOrNo(admin.EmptyFieldListFilter):
    """Whether something stands in a field, named by a `word`."""

    word: ClassVar[Promise]

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.title = str(self.word)

    def choices(self, changelist: Any) -> Iterator[Any]:
        """All rows, those with it, and the others."""
        for value, text in ((None, _("All")), ("0", _("yes")), ("1", _("no"))):
            address = changelist.get_query_string({self.lookup_kwarg: value})
            selected = self.lookup_val == value
            yield {"selected": selected, "query_string": address, "display": text}


class Parked(YesOrNo):
    word = gettext_lazy("parked")


class Paused(YesOrNo):
    word = gettext_lazy("paused")


class Resting(YesOrNo):
    word = gettext_lazy("dormant")


class Size(admin.SimpleListFilter):
    """Games with so many seats."""

    title = gettext_lazy("seats")
    parameter_name = "size"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(str(size), str(size)) for size in TABLE_SIZES]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        size = self.value()
        if size not in {str(one) for one in TABLE_SIZES}:
            return queryset
        return queryset.filter(size=size)


class Stands(admin.SimpleListFilter):
    """What is imposed on people now."""

    title = gettext_lazy("account status")
    parameter_name = "stands"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("suspended", _("suspended")),
            ("muted", _("muted")),
            ("banned", _("banned")),
            ("rejected", _("address rejected")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        now = timezone.now()
        match self.value():
            case "suspended":
                return queryset.filter(suspended_until__gt=now)
            case "muted":
                return queryset.filter(muted_until__gt=now)
            case "banned":
                return queryset.filter(is_active=False)
            case "rejected":
                bouncing = queryset.filter(refused_email=F("email"), is_active=True)
                return bouncing.exclude(refused_email="")
            case _:
                return queryset


class Confirmed(admin.SimpleListFilter):
    """Accounts whose address nobody has confirmed."""

    title = gettext_lazy("address")
    parameter_name = "confirmed"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("never", _("never confirmed"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        return never_confirmed(queryset) if self.value() == "never" else queryset


class SignedUp(admin.SimpleListFilter):
    """Accounts that are so many days old at most."""

    title = gettext_lazy("signed up")
    parameter_name = "days"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        text = gettext_lazy("in the last {days} days")
        return [
            ("1", _("in the last 24 hours")),
            *((str(days), str(text).format(days=days)) for days in (3, 7, 30)),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        days = self.value()
        if days not in {"1", "3", "7", "30"}:
            return queryset
        since = timezone.now() - timedelta(days=int(days))
        return queryset.filter(date_joined__gte=since)


class KindOfEmail(admin.SimpleListFilter):
    """One kind of email, by its name in the table of kinds."""

    title = gettext_lazy("kind")
    parameter_name = "kind__exact"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(kind.key, kind.label) for kind in EMAIL_KINDS if not kind.tells_who_talks]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[OutboxEmail]
    ) -> QuerySet[OutboxEmail]:
        kind = self.value()
        return queryset.filter(kind=kind) if kind in KIND_BY_KEY else queryset
