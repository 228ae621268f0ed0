"""Acts on the whole site in the admin, for tests."""

from datetime import datetime

from django.http import HttpResponse
from django.test import Client

from games.models import AuditLine, User
from games.services.moderation.actions.requests import ActionRequest
from tests.support.client import as_shown, browser, forms_of
from tests.support.moderators import administrator


def nadja() -> User:
    """The administrator of the site."""
    return User.objects.filter(name="Nadja").first() or administrator()


def by_nadja(now: datetime, reason: str = "The server moves.") -> ActionRequest:
    return ActionRequest(nadja(), reason, now)


def site_url(slug: str) -> str:
    return f"/admin/site/act/{slug}/"


def site_act(client: Client, slug: str, **filled: object) -> HttpResponse:
    """Fill in the form of an act and hand it in; once more where its consequences are shown."""
    page = client.get(site_url(slug))
    assert page.status_code == 200, page.status_code
    more = {key: str(value) for key, value in filled.items()}
    response = client.post(site_url(slug), _filled(page, more))
    if response.status_code == 200:
        assert "Nothing has been done yet." in response.content.decode()
        response = client.post(site_url(slug), _filled(response, more))
    return response


def _filled(page: HttpResponse, more: dict[str, str]) -> dict[str, str]:
    form = as_shown(forms_of(page.content.decode())[""])
    return form | ({"reason": "The server moves."} if "reason" in form else {}) | more


def nadja_acts(slug: str, **filled: object) -> HttpResponse:
    """The same by the administrator; it succeeds."""
    response = site_act(browser(nadja()), slug, **filled)
    assert response.status_code == 302, response.content.decode()
    return response


def audited() -> list[tuple[str, str, dict[str, object]]]:
    """Who did which action, and what it left."""
    return [(line.who, line.action, line.after) for line in AuditLine.objects.order_by("pk")]
