"""What ends with a session."""

from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from games.features.push import subscriptions
from games.models import User


@receiver(user_logged_out)
def signed_out(request: HttpRequest, user: User | None, **_more: Any) -> None:
    """The notifications of this session end; the session itself ends a moment later."""
    if user is not None:
        subscriptions.end_session(request.session.session_key)
