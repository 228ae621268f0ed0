"""Where moderators look at people, and at what was decided about them."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext_lazy as _

from games.admin.filters import Confirmed, SignedUp, Stands
from games.admin.newest_first import PER_PAGE, NewestFirst
from games.admin.person_pages import person_context
from games.admin.site import site
from games.admin.subjects import signed_in_moderator
from games.models import Sanction, User
from games.services.accounts.on_request import with_second_factors
from games.services.moderation import search
from games.services.moderation.queries.person import sanctions_for, standing_text
from games.services.public_ids import number_of


@admin.register(User, site=site)
class UserAdmin(NewestFirst):
    """A person, with the actions on them, without their password."""

    list_display = ("name", "email", "stands", "date_joined")
    list_filter = (Stands, Confirmed, SignedUp, "is_staff")
    of_guests = Q(is_guest=True)
    search_help_text = _("Words from the name, or the first letters of the email address.")
    fields = (*list_display, "needs_second_factor", "zone", "language")

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> User | None:
        """The person, with what only their own page says."""
        number = number_of("person", object_id)
        return with_second_factors(User.objects.all()).filter(pk=number or 0).first()

    def beside(self, request: HttpRequest, row: User) -> dict[str, Any]:
        return person_context(request, row)

    @admin.display(description=_("account status"))
    def stands(self, user: User) -> str:
        return standing_text(user, get_current_timezone_name(), timezone.now())

    @admin.display(description=_("time zone"))
    def zone(self, user: User) -> str:
        """Without looking for its words among all zones, again for each row."""
        return user.time_zone

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        return ("name", "email")

    def find(self, rows: QuerySet[Any], words: str, reader: User) -> QuerySet[Any]:
        keys = search.newest_keys(search.people(words, reader, rows), PER_PAGE + 1)
        return rows.filter(pk__in=keys)


@admin.register(Sanction, site=site)
class SanctionAdmin(NewestFirst):
    on_dashboard = False
    list_display = ("person", "kind", "at", "until", "ended_at", "by")
    list_select_related = ("person", "by")
    list_filter = ("kind",)
    links = ("person__id__exact",)
    person_paths = ("person",)
    fields = (
        *list_display,
        "reason",
        "report",
        "seen_at",
        "appeal",
        "appealed_at",
        "answer",
        "answered_at",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Without those for reports that aren't for the reader."""
        rows: QuerySet[Any] = super().get_queryset(request)
        return sanctions_for(signed_in_moderator(request), rows)
