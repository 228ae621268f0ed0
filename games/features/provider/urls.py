"""The addresses of django-allauth that concern a provider, with our pages in their places."""

from typing import Final

from allauth.socialaccount.providers.openid_connect.views import callback
from allauth.socialaccount.views import login_cancelled, login_error
from django.urls import path

from games.features.provider import views
from games.views.access import (
    GUESTS,
    OWING_NAME,
    OWING_TERMS,
    STRANGERS,
    SUSPENDED,
    UNDER_MAINTENANCE,
    open_to,
)

OWN_ACCOUNT: Final = (OWING_TERMS, OWING_NAME, SUSPENDED)

urlpatterns = [
    path(
        "accounts/3rdparty/",
        open_to(*OWN_ACCOUNT)(views.ConnectedView.as_view()),
        name="socialaccount_connections",
    ),
    path(
        "accounts/3rdparty/signup/",
        open_to(STRANGERS, *OWN_ACCOUNT)(views.SignUpWithProviderView.as_view()),
        name="socialaccount_signup",
    ),
    path(
        "accounts/3rdparty/login/cancelled/",
        open_to(GUESTS, *OWN_ACCOUNT)(login_cancelled),
        name="socialaccount_login_cancelled",
    ),
    path(
        "accounts/3rdparty/login/error/",
        open_to(*OWN_ACCOUNT)(login_error),
        name="socialaccount_login_error",
    ),
    path(
        "accounts/oidc/<str:provider_id>/login/",
        open_to(STRANGERS, UNDER_MAINTENANCE, *OWN_ACCOUNT)(views.begin),
        name="openid_connect_login",
    ),
    path(
        "accounts/oidc/<str:provider_id>/login/callback/",
        open_to(STRANGERS, *OWN_ACCOUNT)(callback),
        name="openid_connect_callback",
    ),
]
