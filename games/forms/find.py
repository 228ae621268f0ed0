"""What somebody looks for in the lists of tables."""

from typing import Final

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.engine.state import TABLE_SIZES
from games.models import Game
from games.presentation.text.nouns import EDITION_NAMES
from games.services.lobby.wanted import ORDER_NAMES, PACE_NAMES, Order, Pace, Wanted
from games.services.people.display_names import is_read_by_stranger

ANY: Final = ("", gettext_lazy("any"))


class FindForm(forms.Form):
    """What is looked for, or any. Any other value in an address counts as any."""

    text = forms.CharField(
        label=gettext_lazy("Table or player"), max_length=60, required=False,
        widget=forms.SearchInput,
    )  # fmt: skip
    pace = forms.ChoiceField(
        label=gettext_lazy("Pace"), choices=[ANY, *PACE_NAMES.items()], required=False
    )
    language = forms.ChoiceField(
        label=gettext_lazy("Language"), choices=[ANY, *settings.LANGUAGES], required=False
    )
    edition = forms.ChoiceField(
        label=gettext_lazy("Edition"), choices=[ANY, *EDITION_NAMES.items()], required=False
    )
    size = forms.TypedChoiceField(
        label=gettext_lazy("Seats"),
        choices=[ANY, *((size, str(size)) for size in TABLE_SIZES)],
        coerce=int,
        empty_value=None,
        required=False,
    )
    press = forms.ChoiceField(
        label=gettext_lazy("Talk"),
        choices=[
            ANY,
            (Game.Press.PUBLIC, pgettext_lazy("talk", "public only")),
            (Game.Press.PRIVATE, pgettext_lazy("talk", "private too")),
            (Game.Press.NONE, pgettext_lazy("talk", "none")),
        ],
        required=False,
    )
    bribes = forms.ChoiceField(
        label=gettext_lazy("Bribes"),
        choices=[
            ANY,
            ("sequential", pgettext_lazy("bribes", "open")),
            ("simultaneous", pgettext_lazy("bribes", "sealed")),
        ],
        required=False,
    )
    promises = forms.ChoiceField(
        label=gettext_lazy("Promises"),
        choices=[
            ANY,
            ("free", pgettext_lazy("promises", "can be broken")),
            ("binding", pgettext_lazy("promises", "binding")),
        ],
        required=False,
    )

    FIRST: Final = ("text", "pace", "language")

    @property
    def first(self) -> list[forms.BoundField]:
        """What most people look for; strangers by no name."""
        names = self.FIRST[1:] if is_read_by_stranger() else self.FIRST
        return [self[name] for name in names]

    @property
    def folded(self) -> list[forms.BoundField]:
        """What few look for."""
        return [field for field in self if field.name not in self.FIRST]

    @property
    def is_folded(self) -> bool:
        """Whether all is as usual of what few look for."""
        self.full_clean()
        usual = (None, "", False, Order.SOONEST)
        return all(self.cleaned_data.get(field.name) in usual for field in self.folded)

    @property
    def wants_anything(self) -> bool:
        """Whether something in particular is looked for."""
        return self.wanted != Wanted()

    @property
    def wanted(self) -> Wanted:
        self.full_clean()
        given = {name: self.cleaned_data.get(name) for name in Wanted._fields}
        pace = Pace(given["pace"]) if given["pace"] else None
        return Wanted(**({name: value for name, value in given.items() if value} | {"pace": pace}))


class FindOpenForm(FindForm):
    """The same of open tables, and which of them come first."""

    order = forms.ChoiceField(
        label=pgettext_lazy("order of tables", "Sort by"),
        choices=list(ORDER_NAMES.items()),
        required=False,
    )
    newcomers = forms.BooleanField(label=gettext_lazy("Newcomers welcome"), required=False)

    @property
    def order_wanted(self) -> Order:
        self.full_clean()
        return Order(self.cleaned_data.get("order") or Order.SOONEST)
