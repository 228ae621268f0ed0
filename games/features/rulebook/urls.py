from django.urls import path

from games.features.rulebook import views

urlpatterns = [
    path("rules/", views.rules, name="rules"),
    path("rules/<slug:edition>/", views.edition_rules, name="edition_rules"),
    path("tables/<slug:token>/rules/", views.table_rules, name="table_rules"),
]
