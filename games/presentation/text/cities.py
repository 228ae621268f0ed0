"""Names for tables without one of their own: each after a city."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

TABLES: Final[tuple[Promise, ...]] = (
    pgettext_lazy("name of a table", "The Amalfi table"),
    pgettext_lazy("name of a table", "The Ancona table"),
    pgettext_lazy("name of a table", "The Bergamo table"),
    pgettext_lazy("name of a table", "The Bologna table"),
    pgettext_lazy("name of a table", "The Cremona table"),
    pgettext_lazy("name of a table", "The Ferrara table"),
    pgettext_lazy("name of a table", "The Florence table"),
    pgettext_lazy("name of a table", "The Genoa table"),
    pgettext_lazy("name of a table", "The Lucca table"),
    pgettext_lazy("name of a table", "The Mantua table"),
    pgettext_lazy("name of a table", "The Messina table"),
    pgettext_lazy("name of a table", "The Milan table"),
    pgettext_lazy("name of a table", "The Modena table"),
    pgettext_lazy("name of a table", "The Naples table"),
    pgettext_lazy("name of a table", "The Padua table"),
    pgettext_lazy("name of a table", "The Palermo table"),
    pgettext_lazy("name of a table", "The Parma table"),
    pgettext_lazy("name of a table", "The Perugia table"),
    pgettext_lazy("name of a table", "The Pisa table"),
    pgettext_lazy("name of a table", "The Ravenna table"),
    pgettext_lazy("name of a table", "The Rimini table"),
    pgettext_lazy("name of a table", "The Rome table"),
    pgettext_lazy("name of a table", "The Siena table"),
    pgettext_lazy("name of a table", "The Trieste table"),
    pgettext_lazy("name of a table", "The Turin table"),
    pgettext_lazy("name of a table", "The Urbino table"),
    pgettext_lazy("name of a table", "The Venice table"),
    pgettext_lazy("name of a table", "The Verona table"),
)


def city_table(seed: int) -> str:
    """The name of a table that has this seed, in the language of whoever names or reads it."""
    return str(TABLES[seed % len(TABLES)])
