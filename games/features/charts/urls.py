from django.urls import path

from games.features.charts import views

urlpatterns = [path("tables/<slug:token>/charts/", views.page, name="charts")]
