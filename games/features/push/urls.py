from django.urls import path

from games.features.push import views

urlpatterns = [
    path("accounts/notifications/on/", views.subscribe, name="push_subscribe"),
    path("accounts/notifications/off/", views.unsubscribe, name="push_unsubscribe"),
    path("service-worker.js", views.service_worker, name="service_worker"),
]
