"""The content of a notification, and how it is encrypted for one browser (RFC 8291)."""

import json
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from games.features.push.keys import as_bytes, own_key
from games.features.push.service import Encrypted
from games.models import MailServer, OutboxEmail, PushSubscription, Seat, User
from games.presentation.text.words import moment
from games.services.accounts.queries.your_turn import waiting_games
from games.services.email.kinds import kind_of
from games.services.email.notices import TURN_KINDS, short_text

DAY: Final = 24 * 3600
URGENT: Final = frozenset({"your_turn", "last_reminder", MailServer.Alarm.FAILS.value})


def notification(email: OutboxEmail, seat: Seat | None) -> dict[str, Any]:
    """What the service worker shows: title, body, url, tag, and the number of waiting games.

    In the reader's language. `seat` is theirs at the game. One replaces an earlier one about the
    same game. By the tags of the games that are `waiting`, the service worker takes away those of
    other games that say it `is_turn`, such as after a move on another device.
    """
    person, game = email.person, email.game
    if person is None:
        raise ValueError("Only people with an account are notified.")
    waiting = waiting_games(person)
    return {
        "title": game.name if game is not None else "Intrigue",
        "body": short_text(email, seat),
        "url": game.get_absolute_url() if game is not None else "/",
        "tag": _tag(game.token) if game is not None else email.kind,
        "count": len(waiting),
        "is_turn": email.kind in TURN_KINDS,
        "waiting": [_tag(one.token) for one in waiting],
    }


def _tag(token: str) -> str:
    return f"game-{token}"


def seconds_to_live(email: OutboxEmail, seat: Seat | None, now: datetime) -> int:
    """For how long a push service keeps a notification: until what it is about is over."""
    kind = kind_of(email)
    ends = kind.deadline(email, seat) or kind.ends(email, seat)
    if ends is None:
        return DAY
    return max(0, min(DAY, int((ends - now).total_seconds())))


def alarm(reader: User, *, since: datetime | None) -> dict[str, Any]:
    """A moderator's notification since when email doesn't leave, or that it does again (None).

    The second replaces the first.
    """
    with translation.override(reader.language or settings.LANGUAGE_CODE):
        failing = _("No email has gone out since {time}.")
        return {
            "title": "Intrigue",
            "body": failing.format(time=moment(since, reader.time_zone))
            if since is not None
            else _("Email is going out again."),
            "url": reverse("status"),
            "tag": "alarm",
            "count": len(waiting_games(reader)),
        }


def encrypted(
    payload: dict[str, Any], subscription: PushSubscription, kind: str, ttl: int = DAY
) -> Encrypted:
    """A notification that only this browser can read, kept for it for `ttl` seconds.

    One that is sent again has the same topic, and replaces the first where that still waits.
    """
    body = http_ece.encrypt(
        json.dumps(payload, ensure_ascii=False).encode(),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=as_bytes(subscription.p256dh),
        auth_secret=as_bytes(subscription.auth),
        version="aes128gcm",
    )
    headers = {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(ttl),
        "Urgency": "high" if kind in URGENT else "normal",
        "Topic": sha256(payload["tag"].encode()).hexdigest()[:32],
        **_signature(subscription.endpoint),
    }
    return Encrypted(subscription.endpoint, body, headers)


def _signature(endpoint: str) -> dict[str, str]:
    """A header that names the sender, and a contact for the push service."""
    audience = "/".join(endpoint.split("/")[:3])
    signed: dict[str, str] = own_key().sign({"aud": audience, "sub": settings.PUSH_CONTACT})
    return signed
