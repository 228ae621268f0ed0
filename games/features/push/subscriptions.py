"""Which browsers of a person's are notified, and of what."""

from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from games.features.push.keys import as_bytes
from games.models import PushSubscription, User
from games.services import outbox
from games.services.email.reachability import gets_nothing_about_turns
from games.services.refused import Refused

MOST: Final = 10
"""How many browsers of one person are notified: the oldest one goes when one more comes."""

WANTED: Final = "is_notified"
"""What a session holds while its browser is to be notified."""

LONGEST_ENDPOINT: Final = 1000


def subscribe(
    *,
    user: User,
    endpoint: str,
    p256dh: str,
    auth: str,
    session_key: str,
    browser: str,
    now: datetime,
) -> None:
    """Notify a browser from now on. `Refused` where its subscription can't be one.

    A browser that somebody else has used before is theirs no longer, if it shows its old secret:
    who knows only the address of its push service can't turn another's notifications off. What it
    had before in the same session is replaced.
    """
    if not (is_possible(endpoint) and _is_point(p256dh) and _is_secret(auth)):
        raise Refused(_("This browser's push service can't be used."))
    of_others = PushSubscription.objects.filter(endpoint=endpoint).exclude(user=user)
    if any(not constant_time_compare(one.auth, auth) for one in of_others):
        raise Refused(_("This browser's push service can't be used."))
    values = {
        "user": user, "p256dh": p256dh, "auth": auth, "session_key": session_key,
        "browser": browser[:200],
    }  # fmt: skip
    made, _created = PushSubscription.objects.update_or_create(
        endpoint=endpoint, defaults=values, create_defaults={**values, "created_at": now}
    )
    user.push_subscriptions.filter(session_key=session_key).exclude(pk=made.pk).delete()
    own = user.push_subscriptions.exclude(pk=made.pk).order_by("-created_at", "-pk")
    user.push_subscriptions.filter(pk__in=[one.pk for one in own[MOST - 1 :]]).delete()


def is_possible(endpoint: str) -> bool:
    """Whether an address may be that of a push service: https, its usual port, and no user."""
    try:
        parts = urlsplit(endpoint)
        port = parts.port
        (parts.hostname or "").encode("idna")
    except ValueError:
        return False
    return (
        parts.scheme == "https"
        and bool(parts.hostname)
        and port in {None, 443}
        and "@" not in parts.netloc
        and endpoint.isascii()
        and endpoint.isprintable()
        and len(endpoint) <= LONGEST_ENDPOINT
    )


def _is_point(p256dh: str) -> bool:
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), as_bytes(p256dh))
    except ValueError:
        return False
    return True


def _is_secret(auth: str) -> bool:
    try:
        return len(as_bytes(auth)) == 16
    except ValueError:
        return False


def end_session(session_key: str | None) -> None:
    """The browsers of a session that ends are notified no more."""
    if session_key:
        end(PushSubscription.objects.filter(session_key=session_key), timezone.now())


def end(ended: QuerySet[PushSubscription], now: datetime) -> None:
    """Notify these browsers no more. People nothing reminds of their turns now get one email."""
    gone = list(ended.select_related("user"))
    ended.delete()
    for one in gone:
        if not one.user.is_unreachable and gets_nothing_about_turns(one.user):
            outbox.enqueue("not_told", person=one.user, now=now, about=one.pk)
