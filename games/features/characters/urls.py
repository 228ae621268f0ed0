from django.urls import path

from games.features.characters import views

urlpatterns = [path("characters/<slug:role>.svg", views.portrait, name="portrait")]
