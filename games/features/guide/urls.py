from django.urls import path

from games.features.guide import views

urlpatterns = [
    path("first-game/", views.begin, name="first_game"),
    path("tables/<slug:token>/no-guide/", views.end_guiding, name="end_guiding"),
]
