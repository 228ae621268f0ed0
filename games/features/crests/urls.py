from django.urls import path

from games.features.crests import views

urlpatterns = [
    path("accounts/crest/", views.choose, name="crest"),
    path("crests/<slug:crest>.svg", views.picture, name="crest_picture"),
]
