"""Guests as their browsers show them: how they come, and how they keep their game."""

import re

from django.core import mail
from django.test import Client

from tests.support.client import as_shown, forms_of


def arrive(client: Client) -> str:
    """Begin a first game as a stranger; the address of its page."""
    return client.post("/first-game/")["Location"]


def decline(client: Client, page: str) -> bool:
    """Decline the first offer on the page of a game; whether there was one."""
    return reply(client, page, "decline")


def reply(client: Client, page: str, how: str) -> bool:
    """Accept or decline the first offer on the page of a game; whether there was one."""
    address = re.search(rf'action="([^"]+/{how}/)"', page)
    if address is None:
        return False
    return client.post(address[1]).status_code == 302


def code_of(sent: str) -> str:
    return re.search(r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b", sent)[0]


def keep(client: Client, address: str = "nina@example.org", name: str = "Nina") -> str:
    """Keep the game; where the last step leads."""
    shown = as_shown(forms_of(client.get("/keep/").content.decode())[""])
    given = shown | {"email": address, "name": name, "time_zone": "Europe/Vienna"}
    response = client.post("/keep/", given)
    assert response["Location"] == "/accounts/confirm-email/", response.content.decode()
    code = code_of(mail.outbox[-1].body)
    return client.post("/accounts/confirm-email/", {"code": code})["Location"]
