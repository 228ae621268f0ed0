"""Which sessions are good: somebody is signed in, with the password that they have now."""

from collections.abc import Iterable

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from games.models import User


def signed_in(session_keys: Iterable[str]) -> dict[str, int]:
    """The sessions of these in which somebody is signed in, with the person's id. Two queries.

    None of those who were banned, nor one that was ended.
    """
    rows = Session.objects.filter(
        session_key__in=list(session_keys), expire_date__gt=timezone.now()
    )
    held = {row.session_key: SessionStore().decode(row.session_data) for row in rows}
    ids = {key: int(data[SESSION_KEY]) for key, data in held.items() if SESSION_KEY in data}
    people = User.objects.filter(is_active=True).in_bulk(set(ids.values()))
    return {
        key: user_id
        for key, user_id in ids.items()
        if user_id in people and _is_sound(people[user_id], held[key].get(HASH_SESSION_KEY, ""))
    }


def forget(session_key: str, name: str) -> None:
    """Take something out of somebody's session, also that of another browser."""
    store = SessionStore(session_key)
    if store.pop(name, None) is not None:
        store.save()


def _is_sound(user: User, hashed: str) -> bool:
    """Whether the session began with the password that the person has now, as Django checks."""
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return any(constant_time_compare(hashed, one) for one in hashes)
