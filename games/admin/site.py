"""The site of the admin: only for moderators, with the pages of their actions."""

from collections.abc import Iterator
from functools import wraps
from typing import Any, Final, override

from django.contrib import admin
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from games import extensions
from games.admin import (
    email_pages,
    game_pages,
    month_page,
    person_pages,
    queue_pages,
    report_pages,
    site_pages,
    story_pages,
)
from games.admin.action_pages import ReadSubject, action_page
from games.admin.actions import title_of
from games.admin.subjects import signed_in_moderator
from games.models import User
from games.services.moderation.queries.dashboard import read_dashboard
from games.services.moderation.queries.dashboard_search import find
from games.services.moderation.queries.piles import in_areas
from games.services.operations.identity import identity, named
from games.services.roles import may_moderate

type ActionPage = tuple[str, str, ReadSubject]

ACTION_PAGES: Final[tuple[ActionPage, ...]] = (
    ("game", "games/game/<int:game_id>/act/<slug:slug>/", game_pages.game_subject),
    ("person", "games/user/<int:person_id>/act/<slug:slug>/", person_pages.person_subject),
    ("report", "games/report/<int:report_id>/act/<slug:slug>/", report_pages.report_subject),
    ("message", "games/message/<int:message_id>/act/<slug:slug>/", report_pages.message_subject),
    ("email", "games/outboxemail/<str:email_id>/act/<slug:slug>/", email_pages.email_subject),
    ("site", "site/act/<slug:slug>/", site_pages.site_subject),
)
"""Where the actions on each kind of subject are, and what reads the subject."""


def action_pages() -> list[ActionPage]:
    """Those and the ones of features."""
    return [
        *ACTION_PAGES,
        *((on.kind, on.address, import_string(on.subject)) for on in extensions.actions()),
    ]


class ModeratorSite(admin.AdminSite):
    """Has only what `rows` registers: what libraries register in Django's own site is editable."""

    site_title = _("Moderator dashboard")
    site_header = _("Moderator dashboard")
    index_title = _("Needs attention")
    index_template = "admin/dashboard.html"

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """The dashboard, or what is searched for on it (`q`), and below it the lists."""
        moderator = signed_in_moderator(request)
        found = find(request.GET.get("q", ""), moderator)
        piles = [] if found else read_dashboard(timezone.now(), moderator, title_of)
        dashboard = {
            "areas": in_areas(piles),
            "found": found,
            "found_email": email_pages.page_of(found.email) if found and found.email else "",
            "feature_pages": [page for page in extensions.admin_pages() if page.on_dashboard],
            "lists": self._lists(),
            "version": named(identity()._asdict()),
        }
        return super().index(request, dashboard | (extra_context or {}))

    def _lists(self) -> Iterator[tuple[str, str]]:
        """The names and addresses of the lists to which the dashboard leads."""
        for of in self._registry.values():
            if getattr(of, "on_dashboard", True):
                address = reverse(f"admin:games_{of.opts.model_name}_changelist")
                yield str(of.opts.verbose_name_plural), address

    def has_permission(self, request: HttpRequest) -> bool:
        return isinstance(request.user, User) and may_moderate(request.user)

    @override
    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Every page of the admin shows times on the reader's clock."""
        page = super().admin_view(view, cacheable)

        @wraps(page)
        def on_their_clock(request: HttpRequest, *arguments: Any, **named: Any) -> Any:
            zone = request.user.time_zone if isinstance(request.user, User) else "UTC"
            with timezone.override(zone):
                response = page(request, *arguments, **named)
                return response.render() if isinstance(response, TemplateResponse) else response

        return on_their_clock

    def get_urls(self) -> list[URLPattern | URLResolver]:
        def own(address: str, page: Any, name: str, **fixed: Any) -> URLPattern:
            shared = {"shared": self.each_context, **fixed}
            pattern: URLPattern = path(address, self.admin_view(page), shared, name=name)
            return pattern

        record = self.admin_view(game_pages.record)
        return [
            *(
                own(address, action_page, f"{kind}_action", kind=kind, read=read)
                for kind, address, read in action_pages()
            ),
            own(
                "games/game/<int:game_id>/glass/", action_page, "reveal_secrets",
                kind="secrets", slug="reveal", read=game_pages.game_subject,
            ),
            own("site/", site_pages.the_site, "the_site"),
            own("reports/", queue_pages.queue, "queue"),
            own("reports/decide/", queue_pages.decide, "decide_reports"),
            own("month/", month_page.month, "month"),
            own("games/game/<int:game_id>/decisions/", story_pages.decisions, "decisions"),
            own(
                "games/game/<int:game_id>/decisions/<int:seat>/<int:phase_no>/",
                story_pages.decision,
                "decision",
            ),
            *(own(page.address, page.view(), page.name) for page in extensions.admin_pages()),
            path("games/game/<int:game_id>/record/", record, name="game_record"),
            *super().get_urls(),
        ]  # fmt: skip


site = ModeratorSite()
