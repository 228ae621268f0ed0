"""What pages need to follow what happens."""

from django.http import HttpRequest
from django.template.loader import render_to_string


def head(request: HttpRequest) -> str:
    """The script, for everybody who is signed in."""
    return render_to_string("live/head.html", {}, request)
