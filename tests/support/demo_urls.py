"""The addresses of the demo and of `bin/dev` beside those of the site."""

from django.urls import include, path

import intrigue_site.urls

urlpatterns = [
    *intrigue_site.urls.urlpatterns,
    path("", include("intrigue_site.demo_urls")),
    path("gallery/", include("intrigue_site.gallery_urls")),
]
