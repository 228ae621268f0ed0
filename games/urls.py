"""Addresses of the pages."""

from django.urls import path

from games.views import game, invitations, tables

app_name = "games"

urlpatterns = [
    path("", tables.home, name="home"),
    path("tables/", tables.tables, name="tables"),
    path("tables/new/", tables.open_table, name="open_table"),
    path("tables/<str:token>/", tables.table, name="table"),
    path("tables/<str:token>/join/", tables.join, name="join"),
    path("tables/<str:token>/leave/", tables.leave, name="leave"),
    path("tables/<str:token>/start/", tables.start, name="start"),
    path("tables/<str:token>/cancel/", tables.cancel, name="cancel"),
    path("tables/<str:token>/remove/", tables.remove, name="remove"),
    path("tables/<str:token>/invite/", tables.invite, name="invite"),
    path("tables/<str:token>/again/", tables.again, name="again"),
    path("invitations/<str:token>/", invitations.invitation, name="invitation"),
    path("invitations/<str:token>/accept/", invitations.accept, name="accept"),
    path("invitations/<str:token>/decline/", invitations.decline, name="decline"),
    path("tables/<str:token>/move/", game.move, name="move"),
    path("tables/<str:token>/record/", game.record, name="record"),
]
