"""Instants for machines."""

from datetime import datetime

from django.template import Library

register = Library()


@register.filter
def instant(at: datetime) -> str:
    """As HTML wants it in `datetime`: to the second, with the offset from UTC."""
    return at.isoformat(timespec="seconds")
