"""Lists in the admin."""

from typing import Any

from django.template import Library, loader
from django.utils.safestring import SafeString

register = Library()


@register.simple_tag
def rows(shown: Any) -> SafeString:
    """The table of a list, of `games.admin.cells.Rows`.

    With Django's templates, a page of 50 rows took 180 ms instead of 158.
    """
    template = loader.get_template("admin/_rows.html", using="pages")
    return SafeString(template.render({"shown": shown}))
