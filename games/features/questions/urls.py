from django.urls import path

from games.features.questions import views

urlpatterns = [
    path("questions/ask/", views.ask, name="ask_moderators"),
    path("questions/confirm/<slug:question>/", views.confirm, name="confirm_question"),
    path("questions/by-email/<slug:question>/", views.by_email, name="question_by_email"),
    path("questions/<slug:question>/", views.question, name="question"),
]
