"""The site of the admin: only for moderators, with the pages of their acts."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import URLPattern, URLResolver, path

from games.admin import act_pages
from games.models import User
from games.services.moderation.acting import may_moderate


class RefereeSite(admin.AdminSite):
    """Has only what `rows` registers: what libraries register in Django's own site is editable."""

    def has_permission(self, request: HttpRequest) -> bool:
        return isinstance(request.user, User) and may_moderate(request.user)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        acts: Any = self.admin_view(act_pages.act_page)
        return [
            path(
                "games/game/<int:game_id>/act/<slug:slug>/",
                acts,
                {"shared": self.each_context},
                name="act",
            ),
            path(
                "games/game/<int:game_id>/record/",
                self.admin_view(act_pages.record),
                name="game_record",
            ),
            *super().get_urls(),
        ]


site = RefereeSite()
