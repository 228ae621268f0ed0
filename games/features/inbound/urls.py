from django.urls import path

from games.features.inbound import views, webhook

urlpatterns = [
    # Mailgun passes email on as it was sent only to addresses that end with "mime".
    path("email/inbound/mime", webhook.email_replies, name="email_replies"),
    path("accounts/replies/", views.change, name="change_replies"),
]
