"""The choice of a language in the foot of every page."""

from functools import partial

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views import i18n
from django.views.decorators.http import require_POST

from games.models import User
from games.services.accounts.account import choose_language
from games.views.access import GUESTS, OWING, SUSPENDED, UNDER_MAINTENANCE, open_to
from games.views.same_origin import same_origin


@open_to(GUESTS, SUSPENDED, UNDER_MAINTENANCE, *OWING)
@partial(same_origin, has_page=False)
@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Keep the language in a cookie, for who is signed in also in the profile; the page again."""
    language = request.POST.get("language", "")
    if isinstance(request.user, User) and language in dict(settings.LANGUAGES):
        choose_language(request.user, language)
    return i18n.set_language(request)
