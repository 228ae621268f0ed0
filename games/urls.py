"""Addresses of the pages."""

from django.urls import path

from games.views import game, tables

app_name = "games"

urlpatterns = [
    path("", tables.home, name="home"),
    path("tables/new/", tables.open_table, name="open_table"),
    path("tables/<str:token>/", tables.table, name="table"),
    path("tables/<str:token>/join/", tables.join, name="join"),
    path("tables/<str:token>/leave/", tables.leave, name="leave"),
    path("tables/<str:token>/start/", tables.start, name="start"),
    path("tables/<str:token>/move/", game.move, name="move"),
    path("tables/<str:token>/record/", game.record, name="record"),
]
