"""Fields for instants and days, none of them further away than somebody can mean.

Further away, a time cannot be shown in every time zone, or not even be read from the database.
"""

from datetime import date, datetime, timedelta
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

MOST_YEARS: Final = 5
FURTHEST: Final = timedelta(days=MOST_YEARS * 366)
"""How far from now an instant or a day can be, ahead or back. What has no end is a ban."""

TOO_FAR: Final = format_lazy(
    gettext_lazy("Please choose a date within {years} years of today."), years=MOST_YEARS
)


def _is_too_far(value: datetime | date) -> bool:
    """Whether it is further away than `FURTHEST`; it may be at the very ends of the calendar."""
    today = timezone.now().date()
    day = value.date() if isinstance(value, datetime) else value
    return abs(day - today) > FURTHEST


class InstantField(forms.DateTimeField):
    """A moment on the reader's own clock, at most `FURTHEST` away."""

    widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})

    def validate(self, value: Any) -> None:
        super().validate(value)
        if value is not None and _is_too_far(value):
            raise ValidationError(TOO_FAR, code="too_far")


class DayField(forms.DateField):
    """A day on the reader's own calendar, at most `FURTHEST` away.

    Browsers want its value as 2026-03-09 in every language.
    """

    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})

    def validate(self, value: Any) -> None:
        super().validate(value)
        if value is not None and _is_too_far(value):
            raise ValidationError(TOO_FAR, code="too_far")
