"""The site of the admin: only for moderators, with the pages of their acts."""

from functools import wraps
from typing import Any, Final, override

from django.contrib import admin
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.admin import (
    duplicates_page,
    game_pages,
    person_pages,
    report_pages,
    secrets_page,
    site_pages,
)
from games.admin.action_pages import acting_moderator
from games.models import User
from games.services.moderation.queries.dashboard import read_desk
from games.services.moderation.queries.dashboard_search import find
from games.services.roles import may_moderate

OWN_PAGES: Final = (
    ("games/game/<int:game_id>/act/<slug:slug>/", game_pages.act_page, "act"),
    ("games/game/<int:game_id>/glass/", secrets_page.glass, "glass"),
    ("games/user/<int:person_id>/doubles/", duplicates_page.doubles, "doubles"),
    (
        "games/user/<int:person_id>/doubles/<int:other_id>/clear/",
        duplicates_page.clear,
        "clear_pair",
    ),
    ("games/report/<int:report_id>/act/<slug:slug>/", report_pages.report_page, "report_act"),
    ("games/user/<int:person_id>/act/<slug:slug>/", person_pages.act_page, "person_act"),
    ("games/message/<int:message_id>/act/<slug:slug>/", report_pages.message_page, "message_act"),
    ("site/", site_pages.the_site, "the_site"),
    ("site/act/<slug:slug>/", site_pages.act_page, "site_act"),
)
"""The pages of ours that take what all pages of the admin need (`shared`): address, view, name."""


class RefereeSite(admin.AdminSite):
    """Has only what `rows` registers: what libraries register in Django's own site is editable."""

    site_title = _("Moderator dashboard")
    site_header = _("Moderator dashboard")
    index_title = _("Needs attention")
    index_template = "admin/desk.html"

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """The desk, with what is looked for on it (`q`), and below it all lists."""
        desk = {
            "piles": read_desk(timezone.now(), acting_moderator(request)),
            "found": find(request.GET.get("q", "")),
        }
        return super().index(request, desk | (extra_context or {}))

    def has_permission(self, request: HttpRequest) -> bool:
        return isinstance(request.user, User) and may_moderate(request.user)

    @override
    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Every page of the admin tells times on the clock of who reads it."""
        page = super().admin_view(view, cacheable)

        @wraps(page)
        def on_their_clock(request: HttpRequest, *arguments: Any, **named: Any) -> Any:
            zone = request.user.time_zone if isinstance(request.user, User) else "UTC"
            with timezone.override(zone):
                answer = page(request, *arguments, **named)
                return answer.render() if isinstance(answer, TemplateResponse) else answer

        return on_their_clock

    def get_urls(self) -> list[URLPattern | URLResolver]:
        shared = {"shared": self.each_context}
        own = [
            path(address, self.admin_view(page), shared, name=name)
            for address, page, name in OWN_PAGES
        ]
        record = self.admin_view(game_pages.record)
        return [
            *own,
            path("games/game/<int:game_id>/record/", record, name="game_record"),
            *super().get_urls(),
        ]


site = RefereeSite()
