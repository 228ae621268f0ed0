"""Forms that leave standing orders."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import SendChoice, Table
from games.engine.orders import (
    BribeOrder,
    BribeOrderChoice,
    PayAbove,
    PayAmount,
    PayMinimum,
    PayNothing,
    SendThese,
)
from games.forms.amounts import AmountField
from games.presentation.text.words import People, capital, money, scholar_name


class WaitForm(forms.Form):
    """What every order may ask for."""

    wait_if_addressed = forms.BooleanField(
        label=gettext_lazy("Wait until the deadline if someone mentions me or makes me an offer"),
        required=False,
        help_text=gettext_lazy(
            "Once you've replied to the offer, the order is carried out. This can give away that "
            "you've set an order."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""


WAYS: Final = {
    "minimum": gettext_lazy("the minimum"),
    "amount": gettext_lazy("this amount"),
    "above": gettext_lazy("more than the highest rival bribe so far"),
    "nothing": gettext_lazy("nothing"),
}
"""Ways of paying. A form offers those that are possible."""

AMOUNTS: Final = {"amount": ("amount",), "above": ("more", "limit")}
"""The fields that belong to a way of paying."""


def _typed_for(way: str) -> forms.NumberInput:
    """A field that belongs to a way of paying: orders.js chooses that way as one types."""
    return forms.NumberInput(attrs={"data-way": way})


class BribeOrderForm(WaitForm):
    """A bribe for one scholar. After `is_valid()`, `order` holds the engine's order."""

    field_order = ("scholar", "how", "amount", "more", "limit", "then_limit", "wait_if_addressed")

    scholar = forms.CharField(widget=forms.HiddenInput)
    how = forms.ChoiceField(
        label=gettext_lazy("Pay"), choices=list(WAYS.items()), widget=forms.RadioSelect
    )
    amount = AmountField(
        label=gettext_lazy("This amount"), required=False, widget=_typed_for("amount")
    )
    more = AmountField(
        label=gettext_lazy("Amount above the highest rival bribe"),
        required=False,
        widget=_typed_for("above"),
    )
    limit = AmountField(
        label=gettext_lazy("but at most"), required=False, widget=_typed_for("above")
    )
    then_limit = forms.BooleanField(
        label=gettext_lazy(
            "If that's too much, pay the limit (or as much as I have) instead of the minimum"
        ),
        required=False,
    )

    def __init__(self, *args: Any, choice: BribeOrderChoice, people: People, **kwargs: Any) -> None:
        name = people.table.names[choice.scholar]
        super().__init__(*args, prefix=name, initial={"scholar": name, "how": "minimum"}, **kwargs)
        text = _("{scholar}: bribe to {name}").format(
            scholar=scholar_name(people.table, choice.scholar), name=people.name(choice.palace)
        )
        self.title = capital(text)
        self.choice = choice
        minimum = _("the minimum, {amount}").format(amount=money(choice.minimum))
        ways = {**WAYS, "minimum": minimum}
        if not choice.may_follow:
            del ways["above"]
        if not choice.may_pass:
            del ways["nothing"]
        self.fields["how"].choices = list(ways.items())  # type: ignore[attr-defined]
        if not choice.may_follow:
            for field in ("more", "limit", "then_limit"):
                del self.fields[field]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        how = values.get("how", "")
        for field in AMOUNTS.get(how, ()):
            if values.get(field) is None and field not in self.errors:
                text = _("Please enter a multiple of {unit}.")
                self.add_error(field, text.format(unit=money(self.choice.unit)))
        for way, fields in AMOUNTS.items():
            typed = [field for field in fields if values.get(field) is not None]
            if how and way != how and typed:
                self.add_error("how", self._contradiction(how, way, typed[0]))
        return values

    def _contradiction(self, how: str, way: str, field: str) -> str:
        """An amount was typed that the chosen way of paying would leave aside."""
        ways = dict(self.fields["how"].choices)  # type: ignore[attr-defined]
        text = _(
            "You chose “{chosen}” but entered {amount} for “{field}”. Choose “{way}”, or clear "
            "that field."
        )
        return text.format(
            chosen=ways[how],
            amount=self.data[self.add_prefix(field)],
            field=self.fields[field].label,
            way=ways[way],
        )

    @property
    def order(self) -> BribeOrder:
        values = self.cleaned_data
        match values["how"]:
            case "amount":
                return PayAmount(values["amount"])
            case "above":
                return PayAbove(values["more"], values["limit"], values["then_limit"])
            case "nothing":
                return PayNothing()
            case "minimum":
                return PayMinimum()
            case how:
                raise ValueError(f"An order cannot pay like this: {how}")


class SendingOrderForm(WaitForm):
    """Who is sent where in one's next turn."""

    def __init__(self, *args: Any, choice: SendChoice, people: People, **kwargs: Any) -> None:
        super().__init__(*args, prefix="sending", **kwargs)
        self.table: Table = people.table
        self.count = choice.count
        scholars = [
            (self.table.names[who], capital(scholar_name(self.table, who, choice.scholars)))
            for who in choice.scholars
        ]
        palaces = [(people.colour(seat), people.name(seat)) for seat in choice.palaces]
        for place in range(1, choice.count + 1):
            self.fields[f"scholar-{place}"] = forms.ChoiceField(
                label=capital(
                    _("{scholar} {number}").format(scholar=people.words.scholar, number=place)
                ),
                choices=scholars,
                initial=scholars[place - 1][0],
            )
            self.fields[f"palace-{place}"] = forms.ChoiceField(
                label=_("goes to"), choices=palaces, initial=palaces[place - 1][0]
            )

    @property
    def order(self) -> SendThese:
        values = self.cleaned_data
        return SendThese(
            tuple(
                (
                    self.table.scholars[values[f"scholar-{place}"]],
                    self.table.players.index(values[f"palace-{place}"]),
                )
                for place in range(1, self.count + 1)
            )
        )
