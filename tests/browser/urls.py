"""The addresses of the site, the demo, the gallery, and pages nobody comes to at will."""

import time

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from games.accounts import EmailDown
from games.views import errors
from tests.support.demo_urls import urlpatterns as demo_and_gallery


def forbidden(_request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


def mail_down(_request: HttpRequest) -> HttpResponse:
    raise EmailDown


def too_often(request: HttpRequest) -> HttpResponse:
    return render(request, "429.html", status=429)


def read_only(request: HttpRequest) -> HttpResponse:
    context = {"fields": [("talk-text", "Hello")], "passwords": ["password"]}
    return render(request, "site/read_only.html", context, status=503)


def careless(_request: HttpRequest) -> HttpResponse:
    """A page with everything that no page may do, and that axe and a phone dislike."""
    return HttpResponse(
        "<!doctype html><title>Careless</title><link rel=icon href='data:,'>"
        "<p style='color: red'>Red</p><link rel=stylesheet href='/static/missing.css'>"
        "<img src='https://elsewhere.example/picture.png'><pre>" + "wide" * 400 + "</pre>"
    )


def slow(_request: HttpRequest) -> HttpResponse:
    """A page that takes longer than a server waits when it is stopped."""
    time.sleep(2)
    return HttpResponse("At last.")


WRONG = [
    path("wrong/careless/", careless),
    path("wrong/forbidden/", forbidden),
    path("wrong/too-often/", too_often),
    path("wrong/broken/", errors.broken),
    path("wrong/mail-down/", mail_down),
    path("wrong/read-only/", read_only),
    path("wrong/slow/", slow),
]

urlpatterns = [*demo_and_gallery, *WRONG]
