from django.urls import path

from games.features.export import views

urlpatterns = [
    path("accounts/export/", views.export, name="export"),
    path("accounts/export/file/", views.export_file, name="export_file"),
    path("accounts/export/<str:token>/", views.export_by_link, name="export_by_link"),
]
