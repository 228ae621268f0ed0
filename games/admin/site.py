"""The site of the admin: only for moderators, with the pages of their acts."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.admin import game_pages, glass_page
from games.models import User
from games.services.moderation.acting import may_moderate
from games.services.moderation.desk_reading import read_desk


class RefereeSite(admin.AdminSite):
    """Has only what `rows` registers: what libraries register in Django's own site is editable."""

    site_title = _("The referee's desk")
    site_header = _("The referee's desk")
    index_title = _("What needs a person")
    index_template = "admin/desk.html"

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """The desk, and below it all lists."""
        user = request.user
        zone = user.time_zone if isinstance(user, User) else "UTC"
        piles = {"piles": read_desk(timezone.now(), zone)}
        return super().index(request, piles | (extra_context or {}))

    def has_permission(self, request: HttpRequest) -> bool:
        return isinstance(request.user, User) and may_moderate(request.user)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        acts: Any = self.admin_view(game_pages.act_page)
        broken: Any = self.admin_view(glass_page.glass)
        return [
            path(
                "games/game/<int:game_id>/act/<slug:slug>/",
                acts,
                {"shared": self.each_context},
                name="act",
            ),
            path(
                "games/game/<int:game_id>/glass/",
                broken,
                {"shared": self.each_context},
                name="glass",
            ),
            path(
                "games/game/<int:game_id>/record/",
                self.admin_view(game_pages.record),
                name="game_record",
            ),
            *super().get_urls(),
        ]


site = RefereeSite()
