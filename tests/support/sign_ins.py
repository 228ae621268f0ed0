"""People who sign in as on the page, with browsers of their own or one together."""

from django.test import Client

from games.models import User
from tests.support.client import verified


def sign_in(client: Client, user: User, **more: str) -> None:
    client.post("/accounts/login/", {"login": user.email, "password": "not so secret"}, **more)
    assert client.session["_auth_user_id"] == str(user.pk)


def sign_out(client: Client) -> None:
    client.post("/accounts/logout/")


def both_in_one_browser(*names: str) -> list[User]:
    """These people, who were signed in one after the other with one browser."""
    client, people = Client(), [verified(name) for name in names]
    for user in people:
        sign_in(client, user)
        sign_out(client)
    return people
