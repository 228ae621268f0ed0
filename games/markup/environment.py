"""What templates of pages and email know beside what they are given.

They are Jinja2's, which compiles them: a game's page has some two thousand variables. What Django
and allauth bring along stays in Django's language: the admin and sign-in.
"""

from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Any, Final
from uuid import uuid4

from django.conf import settings
from django.template import defaultfilters
from django.templatetags import tz
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.timezone import template_localtime  # type: ignore[attr-defined]
from jinja2 import ChainableUndefined, Environment, pass_context, select_autoescape
from jinja2.runtime import Context

from games import extensions
from games.markup.chat import with_links
from games.markup.crests import crest_image
from games.markup.hyphens import hyphenated
from games.markup.names import named, with_names
from games.markup.shields import seal, shield
from games.presentation.text.direction import isolated
from games.presentation.text.words import money


def environment(**options: Any) -> Environment:
    """As Django's settings ask for it: the i18n tags, our functions and Django's filters.

    All but text (`.txt`) is escaped.

    What a view does not give counts as nothing, with all its attributes, as in Django's templates.
    """
    options |= {"undefined": ChainableUndefined, "extensions": ["jinja2.ext.i18n"]}
    options["autoescape"] = select_autoescape(disabled_extensions=["txt"], default=True)
    made = Environment(**options)  # noqa: S701 - it escapes all but text
    made.install_gettext_callables(  # type: ignore[attr-defined]
        translation.gettext,
        translation.ngettext,
        newstyle=True,
        pgettext=translation.pgettext,
        npgettext=translation.npgettext,
    )
    made.globals |= {
        "_": _translated,
        "crest_image": crest_image,
        "current_language": translation.get_language,
        "form_token": _form_token,
        "languages": _languages(),
        "link_to": extensions.link,
        "parts_of": extensions.parts_of,
        "seal": seal,
        "shield": shield,
        "static": static,
        "url": _url,
        "version": settings.VERSION,
    }
    made.filters |= FILTERS
    return made


def _languages() -> list[tuple[str, str]]:
    """The code of each language of the site, and what its speakers call it."""
    codes = [code for code, _ in settings.LANGUAGES]
    return [(code, capfirst(translation.get_language_info(code)["name_local"])) for code in codes]


def _translated(message: str) -> SafeString:
    """A message without variables; Jinja2's own function takes four times as long.

    It isn't escaped, so it has to be our own words: tests/tools/test_templates.py looks.
    """
    return SafeString(translation.gettext(message).replace("%%", "%"))


def _form_token() -> SafeString:
    """A hidden field that makes what a form asks for happen once (`services.game.once`)."""
    return SafeString(f'<input type="hidden" name="token" value="{uuid4()}">')


@lru_cache(maxsize=10_000)  # saves 2 ms of a game's page
def _url(name: str, *arguments: Any) -> str:
    return reverse(name, args=arguments)


def _date(at: datetime, style: str) -> str:
    """In the reader's language; `style` is Django's."""
    return defaultfilters.date(template_localtime(at), style)


def _instant(at: datetime) -> str:
    """As HTML wants it in `datetime`: to the second, with the offset from UTC."""
    return at.isoformat(timespec="seconds")


@pass_context
def _money(_context: Context, amount: int) -> str:
    """As the reader writes it; without the context, `10000|money` would be made only once."""
    return money(amount)


FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "capfirst": defaultfilters.capfirst,
    "date": _date,
    "hyphenated": hyphenated,
    "instant": _instant,
    "isolated": isolated,
    "linebreaks": defaultfilters.linebreaks_filter,
    "linebreaksbr": defaultfilters.linebreaksbr,
    "money": _money,
    "named": named,
    "timesince": defaultfilters.timesince_filter,
    "timezone": tz.do_timezone,
    "truncatechars": defaultfilters.truncatechars,
    "urlize": defaultfilters.urlize,
    "with_links": with_links,
    "with_names": with_names,
}
