"""A person asks for the file with all their data, a worker makes it, and a day later it is gone."""

import gzip
import json
import logging
from datetime import datetime, timedelta
from typing import Final

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import QuerySet

from games.features.export.contents import contents_of
from games.models import Export, User, database_now
from games.services import live, outbox
from games.services.public_ids import number_of, public_id

logger = logging.getLogger(__name__)

LEASE: Final = timedelta(minutes=10)
"""For how long nobody else makes what somebody has begun to make, and when a failure is retried."""


def current(person: User, now: datetime) -> Export | None:
    """The person's file, without its content, whether made or not; None if there is none."""
    return _current(person, now).defer("content").first()


def ask(person: User, now: datetime) -> None:
    """Have a file made for the person, unless they have one: so there is at most one a day."""
    with transaction.atomic(durable=True):
        User.objects.select_for_update(no_key=True).get(pk=person.pk)
        if _current(person, now).exists():
            return
        Export.objects.filter(user=person).delete()
        Export.objects.create(user=person, requested_at=now, not_before=now)


def send(person: User, now: datetime) -> None:
    """Have a file made anew for a banned person; the email has a link that needs no sign-in."""
    Export.objects.filter(user=person).delete()
    Export.objects.create(user=person, requested_at=now, not_before=now)


def token_for(export: Export) -> str:
    """The signed part of the link by which a banned person gets this file."""
    return _signer().sign_object(public_id("export", export.pk))


def banned_person_of(token: str, now: datetime) -> User | None:
    """Whose file it leads to; None if it is forged or deleted, or the person can sign in."""
    try:
        number = number_of("export", str(_signer().unsign_object(token)))
    except BadSignature:
        return None
    found = User.objects.filter(is_active=False, export=number or 0).first()
    return found if found is not None and _current(found, now).exists() else None


def _signer() -> Signer:
    return Signer(salt="export", algorithm="sha256")


def file_of(person: User, now: datetime) -> bytes | None:
    """The content of the person's file; None if there is none, or it isn't made yet."""
    made = _current(person, now).exclude(content=None).first()
    return None if made is None or made.content is None else gzip.decompress(made.content)


def outdated(now: datetime) -> list[QuerySet[Export]]:
    """The files whose day is over."""
    return [_outdated(now)]


def _outdated(now: datetime) -> QuerySet[Export]:
    return Export.objects.filter(made_at__lte=now - Export.KEPT)


def is_any_waiting() -> bool:
    """Whether a file is to be made now."""
    return _waiting(database_now()).exists()


def make_next(*, now: datetime) -> bool:
    """Make the file that was requested first; whether there was one. Safe to run side by side.

    One that can't be made is tried again every `LEASE`.
    """
    with transaction.atomic(durable=True):
        waiting = _waiting(now).select_for_update(skip_locked=True, of=("self",))
        export = waiting.select_related("user").order_by("requested_at", "pk").first()
        if export is None:
            return False
        Export.objects.filter(pk=export.pk).update(not_before=now + LEASE)
    try:
        text = json.dumps(contents_of(export.user, now), ensure_ascii=False, indent=1)
    except Exception:
        logger.exception("Export %s cannot be made", export.pk)
        return True
    _keep(export, gzip.compress(text.encode()), now)
    return True


def _keep(export: Export, content: bytes, now: datetime) -> None:
    """Store what was made, unless somebody else has made it or the person has gone meanwhile."""
    with transaction.atomic(durable=True):
        mine = Export.objects.filter(pk=export.pk, made_at=None)
        if mine.update(content=content, made_at=now):
            outbox.enqueue("export_ready", person=export.user, now=now, about=export.pk)
            live.people_concerned([export.user_id])


def _waiting(now: datetime) -> QuerySet[Export]:
    return Export.objects.filter(made_at=None, not_before__lte=now)


def _current(person: User, now: datetime) -> QuerySet[Export]:
    return Export.objects.filter(user=person).exclude(pk__in=_outdated(now).values("pk"))
