"""A form as somebody submitted it: described in words, and sent again.

For pages that can't show the form itself: it came without its token, from somebody who is signed
out, or while the site or the table couldn't take it. Labels come from the forms of the site.
"""

from collections import ChainMap
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Final, NamedTuple, Self

from django.forms import BaseForm, Field, HiddenInput
from django.http import HttpRequest, QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import extensions, forms
from games.engine import COLOURS
from games.forms.move_labels import label_without_game, scholar_named
from games.presentation.text.tables import OPTION_LABELS, VALUE_LABELS
from games.presentation.text.words import colour_text

PASSWORD: Final = "password"  # noqa: S105 - a part of the names of such fields
"""Fields with this in their names are neither stored nor shown."""

CSRF_TOKEN: Final = "csrfmiddlewaretoken"  # noqa: S105 - the name of the field

FILLED_IN_BY_PAGES: Final = frozenset({CSRF_TOKEN, "next", "change", "sure", "talk-others"})
"""Besides the hidden fields of forms: fields that nobody typed, or whose values are no words."""

_LABELS: Final[dict[str, str | Promise]] = {
    **OPTION_LABELS,
    "email": gettext_lazy("Email address"),
    "login": gettext_lazy("Email address"),
    "code": gettext_lazy("Code"),
}
"""Fields of django-allauth, and those that a form adds when it is made."""


class Entry(NamedTuple):
    """What somebody typed or chose in a field."""

    label: str
    value: str


class SubmittedForm(NamedTuple):
    """What was submitted to the address `path`.

    `fields` may be sent again as they are. `passwords` are the names of the fields in which
    passwords came: they aren't stored, and have to be typed again.
    """

    path: str
    fields: list[tuple[str, str]]
    passwords: list[str]

    @classmethod
    def of(cls, request: HttpRequest) -> Self | None:
        """The form that a request submits, from a page of this site.

        None if it submits none, or has not passed the check for forged requests: what a strange
        site has filled in is neither stored nor offered to be sent again.
        """
        is_checked = getattr(request, "csrf_processing_done", False)  # Django's own mark
        return cls.unchecked(request) if is_checked else None

    @classmethod
    def unchecked(cls, request: HttpRequest) -> Self | None:
        """The form that a request submits, from any site; None if it submits none."""
        if request.method != "POST":
            return None
        fields = [
            (name, value)
            for name, values in request.POST.lists()
            for value in values
            if name != CSRF_TOKEN and PASSWORD not in name
        ]
        passwords = [name for name in request.POST if PASSWORD in name]
        return cls(request.get_full_path(), fields, passwords)

    @property
    def entries(self) -> list[Entry]:
        """What was entered, in words."""
        return entries_in(self.fields)


def entries_of(data: QueryDict) -> list[Entry]:
    """What was typed or chosen, in words; nothing for what was left empty."""
    return entries_in([(name, value) for name, values in data.lists() for value in values])


def entries_in(submitted: list[tuple[str, str]]) -> list[Entry]:
    """The same, of fields by name."""
    own = {name: _own_name(name) for name, _value in submitted}
    fields = _fields_for(set(own.values()))
    choices = {name: _choices_of(fields.get(name)) for name in own.values()}
    return [
        Entry(_label(name, fields), _shown(value, choices[own[name]]))
        for name, value in submitted
        if value and is_entered(name)
    ]


def is_entered(name: str) -> bool:
    """Whether people fill in the field of this name: no password, and not what a page fills in."""
    own = _own_name(name)
    hidden = any(
        isinstance(fields[own].widget, HiddenInput)
        for fields in forms_of_the_site()
        if own in fields
    )
    return not hidden and name not in FILLED_IN_BY_PAGES and PASSWORD not in name


@cache
def forms_of_the_site() -> list[dict[str, Field]]:
    """The fields of each form of the site, by the name that they have in a request."""
    own = [import_module(one.name) for one in walk_packages(forms.__path__, "games.forms.")]
    classes = {
        one: None
        for module in (*own, *extensions.forms())
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, BaseForm) and hasattr(one, "base_fields")
    }
    return [
        {f"{form.prefix}-{name}" if form.prefix else name: field for name, field in fields.items()}
        for form in classes
        if (fields := form.base_fields)
    ]


def _fields_for(names: set[str]) -> Mapping[str, Field]:
    """The fields of all forms, first those of the form that has most of these and few others."""

    def fit(form: dict[str, Field]) -> tuple[int, int]:
        return len(names & form.keys()), -len(form)

    return ChainMap(*sorted(forms_of_the_site(), key=fit, reverse=True))


def _own_name(name: str) -> str:
    """The name of a field in its form: "how" for "red-clerk-1-how"."""
    known = any(name in fields for fields in forms_of_the_site())
    return name if known else name.rpartition("-")[2]


def _label(name: str, fields: Mapping[str, Field]) -> str:
    known = _LABELS.get(name) or label_without_game(name)
    if known:
        return str(known)
    own = _own_name(name)
    label = str((own in fields and fields[own].label) or _("Your entry"))
    scholar = scholar_named(name.removesuffix(f"-{own}"))
    return _("{scholar}: {about}").format(scholar=scholar, about=label) if scholar else label


def _choices_of(field: Field | None) -> dict[str, object]:
    """The label of each choice of a field; of time zones there are hundreds."""
    return {str(key): label for key, label in getattr(field, "choices", ())}


def _shown(value: str, choices: Mapping[str, object]) -> str:
    if value in choices:
        return str(choices[value])
    if value in COLOURS:
        return colour_text(value)
    if value == "on":
        return _("yes")
    return scholar_named(value) or str(VALUE_LABELS.get(value, value))
