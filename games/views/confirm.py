"""The page to confirm what can't be undone: POST, this page, POST again."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.forms.submitted import SubmittedForm


def ask_to_confirm(
    request: HttpRequest, *, title: str, explanation: str, button: str, back: str, name: str = ""
) -> HttpResponse | None:
    """The page that asks for confirmation and submits the form again; None if it is confirmed.

    `back` is the page of whoever would rather not; `name` is whom the words are about.
    """
    if request.POST.get("sure") == "yes":
        return None
    context = {
        "title": title,
        "explanation": explanation,
        "button": button,
        "back": back,
        "names": [name],
        "submitted": SubmittedForm.of(request),
    }
    page = render(request, "site/confirm.html", context)
    page["Cache-Control"] = "no-store"
    return page
