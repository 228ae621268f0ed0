"""Addresses of the whole site."""

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.urls import include, path

from games import extensions, unavailable
from games.admin import site as admin_site
from games.views import (
    account,
    deadlines,
    email_webhooks,
    errors,
    health,
    language,
    legal,
    manifest,
    notifications,
    robots,
    second_factor,
    theme,
)

# The admin has no door of its own: who is not signed in is sent to the sign-in of the site.
admin_site.login = secure_admin_login(admin_site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("admin/", admin_site.urls),
    path("favicon.ico", errors.favicon),
    path("robots.txt", robots.robots, name="robots"),
    path(".well-known/security.txt", legal.security, name="security"),
    path("imprint/", legal.page, {"kind": "imprint"}, name="imprint"),
    path("privacy/", legal.page, {"kind": "privacy"}, name="privacy"),
    path("terms/", legal.page, {"kind": "terms"}, name="terms"),
    path("email/events/", email_webhooks.email_events, name="email_events"),
    path("deadlines/", deadlines.how_deadlines_work, name="how_deadlines_work"),
    path("health/", health.machines, name="health"),
    path("status/", health.status, name="status"),
    path("theme/", theme.set_theme, name="set_theme"),
    path("language/", language.set_language, name="set_language"),
    path("accounts/profile/", account.profile, name="profile"),
    path("accounts/notifications/", notifications.notifications, name="notifications"),
    path("manifest.webmanifest", manifest.manifest, name="manifest"),
    path("accounts/named/", account.name_to_strangers, name="name_to_strangers"),
    path("accounts/email/again/", account.email_again, name="account_email_again"),
    path("accounts/sign-in-again/", account.sign_in_again, name="sign_in_again"),
    path(
        "accounts/password/set/",
        account.FirstPasswordView.as_view(),
        name="account_set_password",
    ),
    path("accounts/terms/", account.accept_terms, name="accept_terms"),
    path("accounts/delete/", account.delete, name="delete_account"),
    path("accounts/sessions/", account.sessions, name="sessions"),
    path("accounts/login/", account.SignInView.as_view(), name="account_login"),
    path("accounts/signup/", account.SignUpView.as_view(), name="account_signup"),
    path(
        "accounts/confirm-email/",
        account.ConfirmAddressView.as_view(),
        name="account_email_verification_sent",
    ),
    path(
        "accounts/login/code/", account.AskForCodeView.as_view(), name="account_request_login_code"
    ),
    path(
        "accounts/login/code/confirm/",
        account.ConfirmLoginView.as_view(),
        name="account_confirm_login_code",
    ),
    path(
        "accounts/password/reset/confirm/",
        account.ConfirmResetView.as_view(),
        name="account_confirm_password_reset_code",
    ),
    path("accounts/2fa/", second_factor.FactorsView.as_view(), name="mfa_index"),
    path(
        "accounts/2fa/authenticate/",
        second_factor.SecondStepView.as_view(),
        name="mfa_authenticate",
    ),
    path("accounts/2fa/webauthn/", second_factor.keys, name="mfa_list_webauthn"),
    path(
        "accounts/2fa/webauthn/add/",
        second_factor.AddPasskeyView.as_view(),
        name="mfa_add_webauthn",
    ),
    path(
        "accounts/2fa/webauthn/keys/<int:pk>/remove/",
        second_factor.RemovePasskeyView.as_view(),
        name="mfa_remove_webauthn",
    ),
    path(
        "accounts/2fa/webauthn/login/",
        second_factor.PasskeySignInView.as_view(),
        name="mfa_login_webauthn",
    ),
    path(
        "accounts/2fa/webauthn/reauthenticate/",
        second_factor.PasskeyAgainView.as_view(),
        name="mfa_reauthenticate_webauthn",
    ),
    *extensions.addresses(),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("accounts/sessions/", include("allauth.usersessions.urls")),
    path("", include("games.urls")),
]

handler400 = errors.bad_request
handler404 = errors.not_found
handler500 = unavailable.failed

if settings.DEMO:
    urlpatterns.append(path("", include("intrigue_site.demo_urls")))
    if settings.DEBUG:
        urlpatterns.append(path("gallery/", include("intrigue_site.gallery_urls")))
