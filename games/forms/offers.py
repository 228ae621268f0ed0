"""Forms that make an offer: first with whom and what about, then the terms."""

import json
from collections.abc import Container, Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple
from uuid import uuid4

from django import forms
from django.utils.functional import Promise as LazyText
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import View
from games.engine.errors import BadPromise
from games.engine.offers import check_offer
from games.engine.promise_codec import decode_promise, encode_promise
from games.engine.promises import Deed, Hire, Keep, Promise, SendNobody, SendScholar, Win
from games.forms.amounts import AmountField
from games.presentation.board.refusals import promise_refused
from games.presentation.text.promises import deed_clause, sentence
from games.presentation.text.words import People, capital, money, occupation_text, scholar_name


class Kind(NamedTuple):
    """A form of promise: what it is called, and the fields of its terms."""

    label: LazyText
    fields: tuple[str, ...]


KINDS: Final = {
    "hire": Kind(gettext_lazy("Hire a {scholar} over rival applicants"), ("scholar", "bribe")),
    "place": Kind(
        gettext_lazy("Hire a {scholar} at a certain salary"), ("scholar", "salary", "bribe")
    ),
    "win": Kind(gettext_lazy("Let a {scholar} win a conflict"), ("scholar", "bribe")),
    "keep": Kind(
        gettext_lazy("Keep a {scholar} no matter who attacks"), ("scholar", "until", "bribe")
    ),
    "give-area": Kind(
        gettext_lazy("Give the other player the next job that pays at least a certain amount"),
        ("salary", "bribed", "bribe"),
    ),
    "send-nobody": Kind(
        gettext_lazy("Send no {scholars}"), ("occupation", "until", "bribed", "bribe")
    ),
    "send": Kind(gettext_lazy("Send a {scholar}"), ("occupation", "bribed", "bribe")),
    "pay": Kind(gettext_lazy("Pay at least a certain amount"), ("applicant", "amount")),
    "pay-at-most": Kind(gettext_lazy("Pay at most a certain amount"), ("scholar", "amount")),
}
"""By the names of the game record."""


def kind_label(kind: str, people: People) -> str:
    """What a form of promise is called, in the edition's words."""
    words = people.words
    return str(KINDS[kind].label).format(scholar=words.scholar, scholars=words.scholars)


class InReturn(NamedTuple):
    """What may be wanted in return: a sentence, and the terms as a game record names them."""

    text: str
    terms: dict[str, Any]


class AboutForm(forms.Form):
    """With whom, who promises, and what: sent by GET, so that the terms are a page of their own."""

    to = forms.ChoiceField(label=gettext_lazy("Player"))
    who = forms.ChoiceField(
        label=gettext_lazy("Who promises"),
        choices=[("me", gettext_lazy("I do")), ("them", gettext_lazy("They do"))],
        widget=forms.RadioSelect,
        initial="me",
    )
    what = forms.ChoiceField(label=gettext_lazy("What is promised"))

    among = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)
    """The token of the conversation in which the offer will be made."""

    def __init__(
        self,
        *args: Any,
        people: People,
        seat: int,
        others: Container[int] | None = None,
        **kwargs: Any,
    ) -> None:
        """Of `others` only, where they are given."""
        super().__init__(*args, **kwargs)
        self.people = people
        self.seat = seat
        kinds = [(kind, kind_label(kind, people)) for kind in KINDS]
        self.fields["what"].choices = kinds  # type: ignore[attr-defined]
        self.fields["to"].choices = [  # type: ignore[attr-defined]
            (people.colour(other), people.name(other))
            for other in range(len(people.table.players))
            if other != seat and (others is None or other in others)
        ]

    @property
    def promiser_and_other(self) -> tuple[int, int]:
        """Who promises whom, as seats."""
        other = self.people.table.players.index(self.cleaned_data["to"])
        mine = self.cleaned_data["who"] == "me"
        return (self.seat, other) if mine else (other, self.seat)


class OfferForm(forms.Form):
    """The terms of an offer. After `is_valid()`, `promise` holds what is offered.

    `what` is one of `KINDS`, `promiser` promises `other`; the viewed seat is one of them. Who
    `may_write` can add a message. `among` says who alone hears it, "" for all.
    """

    token = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        people: People,
        view: View,
        what: str,
        promiser: int,
        other: int,
        may_write: bool,
        among: str = "",
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self.fields["token"].initial = uuid4
        self.people = people
        self.view = view
        self.what = what
        self.promiser = promiser
        self.other = other
        self.promise: Promise | None = None
        self.in_return = list(self._possible_in_return())
        for name in KINDS[what].fields:
            self.fields[name] = getattr(self, f"_{name}")()
        if self.in_return:
            self.fields["in_return"] = self._in_return()
        if among:
            self.fields["among"] = forms.CharField(
                initial=among, max_length=40, widget=forms.HiddenInput
            )
        if may_write:
            self.fields["text"] = forms.CharField(
                label=_("Message with your offer") if among else _("Message in the table chat"),
                required=False,
                widget=forms.Textarea(attrs={"rows": 2}),
            )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if self.errors:
            return values
        if values.get("bribe") is not None and values.get("in_return"):
            self.add_error("bribe", _("Ask for a bribe or a promise in return, not both."))
            return values
        try:
            self.promise = _read(self.people, self.view, self._terms(values))
        except BadPromise as reason:
            self.add_error(None, promise_refused(self.people, self.view.round, reason))
        return values

    def _terms(self, values: dict[str, Any]) -> dict[str, Any]:
        """What was entered, as a game record names it."""
        colours = self.people.table.players
        reader = self.view.seat
        terms = {
            "to": colours[self.other if reader == self.promiser else self.promiser],
            "promiser": colours[self.promiser],
            "form": self.what,
            "scholar": values.get("scholar") or values.get("applicant"),
            "occupation": values.get("occupation"),
            "until": int(values["until"]) if "until" in values else None,
        }
        if "salary" in values:
            way, _colon, salary = values["salary"].partition(":")
            terms[way] = int(salary)
        if "amount" in values:
            terms["most" if self.what == "pay-at-most" else "least"] = values["amount"]
        if values.get("bribe") is not None:
            scholar = values.get("bribed") or values.get("scholar")
            terms["if"] = {"bribe": scholar, "least": values["bribe"]}
        elif values.get("in_return"):
            terms["if"] = self.in_return[int(values["in_return"])].terms
        return {key: value for key, value in terms.items() if value not in ("", None)}

    def _scholar(self) -> forms.Field:
        owner, palace = self.other, self.promiser
        if self.what == "pay-at-most":
            owner, palace = palace, owner
        return forms.ChoiceField(
            label=capital(self.people.words.scholar), choices=self._scholars(owner, palace)
        )

    def _applicant(self) -> forms.Field:
        whoever = ("", _("whoever applies next"))
        choices = [whoever, *self._scholars(self.promiser, self.other)]
        return forms.ChoiceField(
            label=capital(self.people.words.scholar), choices=choices, required=False
        )

    def _bribed(self) -> forms.Field:
        return forms.ChoiceField(
            label=_("Bribe for"),
            choices=self._scholars(self.other, self.promiser),
            required=False,
        )

    def _scholars(self, owner: int, palace: int) -> list[tuple[str, str]]:
        """This player's scholars that aren't on the island, those whom it may be about first.

        They are at the door of the `palace`, have a job there, or may still be sent there.
        """
        view, table = self.view, self.people.table
        here = [view.applicants[palace], view.palaces[palace]]
        if self.what in ("hire", "place"):
            del here[1]
        elif self.what == "keep":
            del here[0]
        rows = (*here, view.unsent[owner], *view.applicants, *view.palaces)
        found = (one for row in rows for one in row if one is not None and one.owner == owner)
        mine = list(dict.fromkeys(found))
        return [(table.names[one], capital(scholar_name(table, one, mine))) for one in mine]

    def _salary(self) -> forms.Field:
        areas = sorted(self.people.table.edition.areas, reverse=True)
        choices = [
            (f"least:{area}", _("at least {amount}").format(amount=money(area))) for area in areas
        ]
        if self.what == "place":
            choices += [
                (f"area:{area}", _("exactly {amount}").format(amount=money(area))) for area in areas
            ]
        return forms.ChoiceField(label=_("Salary"), choices=choices)

    def _until(self) -> forms.Field:
        rounds = range(self.view.round, self.people.table.edition.rounds + 1)
        return forms.ChoiceField(
            label=_("Until the end of round"), choices=[(str(one), str(one)) for one in rounds]
        )

    def _occupation(self) -> forms.Field:
        occupations = self.people.table.edition.occupations
        choices = [(key, capital(occupation_text(key))) for key in occupations]
        any_of_them = ("", _("any"))
        return forms.ChoiceField(
            label=_("Occupation"), choices=[any_of_them, *choices], required=False
        )

    def _amount(self) -> forms.Field:
        return self._money(_("Amount"), required=True)

    def _bribe(self) -> forms.Field:
        text = _("Only if {name} pays a bribe of at least").format(
            name=self.people.name(self.other)
        )
        if self.other == self.people.reader:
            text = _("Only if you pay a bribe of at least")
        return self._money(text, required=False)

    def _money(self, label: str, *, required: bool) -> forms.IntegerField:
        unit = self.people.table.edition.unit
        return AmountField(
            label=label,
            required=required,
            widget=forms.NumberInput(attrs={"min": unit, "step": unit, "inputmode": "numeric"}),
        )

    def _in_return(self) -> forms.Field:
        sentences = [(str(number), one.text) for number, one in enumerate(self.in_return)]
        return forms.ChoiceField(
            label=_("In return"), choices=[("", _("nothing")), *sentences], required=False
        )

    def _possible_in_return(self) -> Iterator[InReturn]:
        """What the other player may do for the promiser, as things stand."""
        last, view, other = self.people.table.edition.rounds, self.view, self.other
        deeds: list[Deed] = [SendNobody(None, until) for until in sorted({view.round, last})]
        deeds += [Keep(one, last) for one in view.palaces[other] if one is not None]
        for applicant in view.applicants[other]:
            deeds += [Hire(applicant), Win(applicant)]
        deeds.append(SendScholar(None))
        for deed in deeds:
            promise = Promise(other, self.promiser, deed)
            with suppress(BadPromise):
                check_offer(promise, view)
                terms = encode_promise(self.people.table, other, promise)
                del terms["to"]
                yield InReturn(sentence(deed_clause(self.people, promise)), terms)


class LikelyForm(forms.Form):
    """An offer for one click: its terms as JSON, as the page has filled them in."""

    terms = forms.CharField(max_length=1000, widget=forms.HiddenInput)
    among = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    def __init__(self, *args: Any, people: People, view: View, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people = people
        self.view = view
        self.promise: Promise | None = None

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if self.errors or self.view.seat is None:
            return values
        try:
            self.promise = _read(self.people, self.view, json.loads(values["terms"]))
        except json.JSONDecodeError:
            self.add_error(None, _("This page is out of date. Please reload it."))
        except BadPromise as reason:
            self.add_error(None, promise_refused(self.people, self.view.round, reason))
        return values


def _read(people: People, view: View, terms: object) -> Promise:
    """What the viewed seat offers; `BadPromise` for terms that make no sense now."""
    if not isinstance(terms, dict) or view.seat is None:
        raise BadPromise("The terms are a JSON object.")
    promise = decode_promise(people.table, view.seat, terms)
    check_offer(promise, view)
    return promise
