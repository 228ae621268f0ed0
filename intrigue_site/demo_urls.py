"""Addresses that only the demo has."""

from django.urls import path

from intrigue_site import demo_views

app_name = "demo"

urlpatterns = [
    path("mailbox/", demo_views.mailbox, name="mailbox"),
    path("mailbox/<str:key>/", demo_views.letter, name="letter"),
    path("mailbox/<str:key>/html/", demo_views.letter_html, name="letter_html"),
    path("demo/sign-in/<str:token>/", demo_views.sign_in, name="sign_in"),
]
