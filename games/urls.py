"""Addresses of the pages."""

from django.urls import path

from games.views import (
    first_game,
    game,
    history,
    invitations,
    kept,
    notebook,
    orders,
    rules,
    seats,
    subscriptions,
    tables,
    talk,
)

app_name = "games"

urlpatterns = [
    path("", tables.home, name="home"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:edition>/", rules.edition_rules, name="edition_rules"),
    path("first-game/", first_game.begin, name="first_game"),
    path("kept/", kept.show, name="kept"),
    path("tables/", tables.tables, name="tables"),
    path("tables/new/", tables.open_table, name="open_table"),
    path("tables/<slug:token>/", tables.table, name="table"),
    path("tables/<slug:token>/join/", tables.join, name="join"),
    path("tables/<slug:token>/leave/", tables.leave, name="leave"),
    path("tables/<slug:token>/start/", tables.start, name="start"),
    path("tables/<slug:token>/review/", game.review_move, name="review"),
    path("tables/<slug:token>/cancel/", tables.cancel, name="cancel"),
    path("tables/<slug:token>/remove/", tables.remove, name="remove"),
    path("tables/<slug:token>/invite/", tables.invite, name="invite"),
    path("tables/<slug:token>/again/", tables.again, name="again"),
    path("invitations/<slug:token>/", invitations.invitation, name="invitation"),
    path("invitations/<slug:token>/accept/", invitations.accept, name="accept"),
    path("invitations/<slug:token>/decline/", invitations.decline, name="decline"),
    path("tables/<slug:token>/move/", game.move, name="move"),
    path("tables/<slug:token>/orders/", orders.page, name="orders"),
    path(
        "tables/<slug:token>/orders/<int:order_id>/withdraw/",
        orders.withdraw,
        name="withdraw_order",
    ),
    path("tables/<slug:token>/step-aside/", seats.step_aside, name="step_aside"),
    path("tables/<slug:token>/come-back/", seats.come_back, name="come_back"),
    path("tables/<slug:token>/take-over/<int:number>/", seats.take_over, name="take_over"),
    path("tables/<slug:token>/days-off/", seats.announce_days_off, name="days_off"),
    path(
        "tables/<slug:token>/days-off/<int:days_off_id>/withdraw/",
        seats.withdraw_days_off,
        name="withdraw_days_off",
    ),
    path("tables/<slug:token>/rules/", rules.table_rules, name="table_rules"),
    path("tables/<slug:token>/no-guide/", first_game.end_guiding, name="end_guiding"),
    path("tables/<slug:token>/history/", history.history, name="history"),
    path("tables/<slug:token>/history/<int:seq>/", history.step, name="step"),
    path("tables/<slug:token>/charts/", history.charts, name="charts"),
    path("tables/<slug:token>/record/", game.record, name="record"),
    path("tables/<slug:token>/notes/", notebook.notes, name="notes"),
    path("tables/<slug:token>/draft/", notebook.draft, name="draft"),
    path("tables/<slug:token>/talk/", talk.table_talk, name="talk"),
    path("unsubscribe/<str:token>/", subscriptions.unsubscribe, name="unsubscribe"),
    path("unsubscribe/<str:token>/undo/", subscriptions.resubscribe, name="resubscribe"),
]
