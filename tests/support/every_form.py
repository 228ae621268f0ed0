"""All forms of the site, so that what holds for every field is seen to hold for new ones too."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module

from django import forms

import games.forms


def _all() -> Iterator[type[forms.BaseForm]]:
    for module in pkgutil.walk_packages(games.forms.__path__, "games.forms."):
        for thing in vars(import_module(module.name)).values():
            if isinstance(thing, type) and issubclass(thing, forms.BaseForm):
                yield thing


FORMS = sorted(set(_all()), key=lambda form: form.__qualname__)


def fields_of(form: type[forms.BaseForm]) -> dict[str, forms.Field]:
    """The fields a form is declared with, by name."""
    return dict(getattr(form, "base_fields", {}))
