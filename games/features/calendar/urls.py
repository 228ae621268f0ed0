from django.urls import path

from games.features.calendar import views

urlpatterns = [
    path("accounts/calendar/", views.turn, name="turn_calendar"),
    path("calendar/<str:token>.ics", views.feed, name="calendar"),
]
