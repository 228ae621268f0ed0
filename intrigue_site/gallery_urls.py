"""Addresses that only developers have."""

from django.urls import path

from intrigue_site import gallery_views

app_name = "gallery"

urlpatterns = [
    path("", gallery_views.index, name="index"),
    path("<slug:key>/", gallery_views.case, name="case"),
    path("<slug:key>/<slug:reader>/", gallery_views.table, name="table"),
]
