"""The frame of all pages, for those that Django and allauth bring along."""

from typing import Any

from django.template import Context, Library, loader
from django.utils.safestring import SafeString

register = Library()


@register.simple_tag(takes_context=True)
def frame(context: Context, part: str) -> SafeString:
    """A part of the frame, `templates/pages/frame/_{part}.html`, with what this page knows."""
    known: dict[str, Any] = context.flatten()  # type: ignore[assignment]
    return SafeString(loader.get_template(f"frame/_{part}.html", using="pages").render(known))
