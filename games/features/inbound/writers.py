"""Who writes in a conversation: a person, or somebody without an account at their address."""

from typing import Any, Final

from django.db import connection

from games.features.inbound.addresses import Conversation
from games.models import User

LOCK: Final = 7_250_327
"""The number of the advisory locks under which is counted what comes from an address."""


def lock_writer(conversation: Conversation) -> dict[str, Any]:
    """Who writes, as a row says it; locked, so that of many emails at once each is counted."""
    if conversation.person is not None:
        people = User.objects.select_for_update(no_key=True)
        return {"person": people.get(pk=conversation.person.pk), "address": ""}
    with connection.cursor() as cursor:
        statement = "SELECT pg_advisory_xact_lock(%s, hashtext(%s))"
        cursor.execute(statement, (LOCK, conversation.address))
    return {"person": None, "address": conversation.address}
