"""How features join the core: all that the core knows of them, and all that it asks of them.

A feature is a folder `games/features/<name>/`: an app with a `Feature` in its `apps.py`, a line in
`FEATURES` of the settings, and tests in `tests/features/<name>/`. It may import the core. The core
never imports a feature, nor does one feature another; it asks all that are switched on, in the
order of `FEATURES`. A host switches features off by name (`FEATURES_OFF`): of those, nothing is
loaded, so nothing of them can be left on a page.
"""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from django.apps import AppConfig, apps
from django.http import HttpRequest
from django.urls import URLResolver, include, path
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString


class Feature(AppConfig):
    """What a feature adds to the core. Whatever it doesn't name, it doesn't add.

    Its `apps.py` imports this module, not this class: Django takes the one `AppConfig` there.
    """

    urls: ClassVar[str] = ""
    """The module of its addresses, which lie at the root of the site."""

    parts: ClassVar[Mapping[str, str]] = {}
    """The functions that make its part of pages, by the pages' names: from the request, HTML."""


def features() -> Iterator[Feature]:
    """All features that are switched on."""
    return (app for app in apps.get_app_configs() if isinstance(app, Feature))


def addresses() -> list[URLResolver]:
    """The addresses of all features."""
    return [path("", include(feature.urls)) for feature in features() if feature.urls]


def parts_of(page: str, request: HttpRequest) -> list[SafeString]:
    """What features add to this page, as HTML: each part comes out of a template of theirs."""
    makers = [feature.parts[page] for feature in features() if page in feature.parts]
    return [SafeString(import_string(maker)(request)) for maker in makers]
