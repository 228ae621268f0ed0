"""One page that asks first, for what cannot be undone: POST, the question, and POST again."""

from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.forms.typed import sendable

SURE: Final = "sure"
"""The field by which the page that asks says that it has asked."""


class Question(NamedTuple):
    """What is asked: in a heading, with what happens then, and on the button that does it.

    `back` is the page of whoever would rather not.
    """

    title: str
    told: str
    button: str
    back: str


def asked_first(request: HttpRequest, question: Question) -> HttpResponse | None:
    """The page that asks whether to do what was posted; None where it has asked already."""
    if request.POST.get(SURE) == "yes":
        return None
    fields = [(name, value) for name, value in sendable(request.POST) if name != SURE]
    context = {"question": question, "fields": fields, "sure": SURE}
    page = render(request, "site/confirm.html", context)
    page["Cache-Control"] = "no-store"
    return page
