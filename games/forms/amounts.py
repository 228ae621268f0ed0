"""A field for an amount of money."""

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

from games.presentation.text.amounts import read_amount


class AmountField(forms.IntegerField):
    """A whole amount, as people type it: 4000, 4,000 or 4.000. Anything else is refused."""

    default_error_messages: ClassVar = {
        "invalid": gettext_lazy("Please enter a whole number, such as 4000.")
    }

    def to_python(self, value: Any) -> int | None:
        """Read what was typed. Django would take 4.000 for 4."""
        if value in self.empty_values:
            return None
        amount = read_amount(str(value))
        if amount is None:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return amount
