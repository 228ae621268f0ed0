"""Who is asking."""

from django.http import HttpRequest

from games.models import User


def signed_in(request: HttpRequest) -> User:
    """The person of a request that has passed `login_required`."""
    if not isinstance(request.user, User):
        raise TypeError("This page is for those who are signed in.")
    return request.user
