from django.urls import path

from games.features.pictures import views

urlpatterns = [
    path("card.png", views.site, name="site_card"),
    path("tables/<slug:token>/invitation.png", views.invitation, name="invitation_picture"),
    path("tables/<slug:token>/picture.png", views.table, name="picture"),
]
