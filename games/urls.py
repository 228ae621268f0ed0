"""Addresses of the pages."""

from django.urls import path

from games.views import game, invitations, subscriptions, tables, talk

app_name = "games"

urlpatterns = [
    path("", tables.home, name="home"),
    path("tables/", tables.tables, name="tables"),
    path("tables/new/", tables.open_table, name="open_table"),
    path("tables/<slug:token>/", tables.table, name="table"),
    path("tables/<slug:token>/join/", tables.join, name="join"),
    path("tables/<slug:token>/leave/", tables.leave, name="leave"),
    path("tables/<slug:token>/start/", tables.start, name="start"),
    path("tables/<slug:token>/cancel/", tables.cancel, name="cancel"),
    path("tables/<slug:token>/remove/", tables.remove, name="remove"),
    path("tables/<slug:token>/invite/", tables.invite, name="invite"),
    path("tables/<slug:token>/again/", tables.again, name="again"),
    path("invitations/<slug:token>/", invitations.invitation, name="invitation"),
    path("invitations/<slug:token>/accept/", invitations.accept, name="accept"),
    path("invitations/<slug:token>/decline/", invitations.decline, name="decline"),
    path("tables/<slug:token>/move/", game.move, name="move"),
    path("tables/<slug:token>/record/", game.record, name="record"),
    path("tables/<slug:token>/talk/", talk.table_talk, name="talk"),
    path("unsubscribe/<str:token>/", subscriptions.unsubscribe, name="unsubscribe"),
    path("unsubscribe/<str:token>/undo/", subscriptions.resubscribe, name="resubscribe"),
]
