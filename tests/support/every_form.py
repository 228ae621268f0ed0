"""All forms of the site, so that what holds for every field is seen to hold for new ones too."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module

from django import forms

import games.forms
from games import extensions


def _all() -> Iterator[type[forms.BaseForm]]:
    names = [one.name for one in pkgutil.walk_packages(games.forms.__path__, "games.forms.")]
    for module in (*map(import_module, names), *extensions.forms()):
        for thing in vars(module).values():
            if isinstance(thing, type) and issubclass(thing, forms.BaseForm):
                yield thing


FORMS = sorted(set(_all()), key=lambda form: form.__qualname__)


def fields_of(form: type[forms.BaseForm]) -> dict[str, forms.Field]:
    """The fields a form is declared with, by name."""
    return dict(getattr(form, "base_fields", {}))
