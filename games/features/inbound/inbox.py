"""Takes email in: what a person has proven to have written is stored, and read by a worker."""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from email.message import EmailMessage
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.dispatch import Signal

from games.features.inbound import probes, unread
from games.features.inbound.addresses import Conversation, conversation_at, is_on
from games.features.inbound.letters import parsing, reading
from games.features.inbound.letters.authentication import (
    is_confirmed,
    is_from,
    may_be_from,
)
from games.features.inbound.unread import Why
from games.features.inbound.writers import lock_writer
from games.models import InboundEmail, InboundTally
from games.services import outbox

logger = logging.getLogger(__name__)

arrived = Signal()
"""Sent after each commit that stored email. A receiver must be quick and refuse nothing."""

LARGEST: Final = 200_000
"""How many bytes a message may have."""

MOST_AN_HOUR: Final = 30
"""How many emails one person sends in an hour, or somebody without an account."""

MOST_REPEATS: Final = 3
"""How often a response is sent again."""

KEPT: Final = timedelta(days=7)
"""How long the same message again is recognized."""

COUNTS_ARE_KEPT: Final = timedelta(days=90)
"""How long it is kept how many messages came in on a day."""

MOST_AHEAD: Final = timedelta(days=1)
"""How far a sender's clock may be ahead."""

STUCK_AFTER: Final = timedelta(minutes=3)
"""When the reader of a claimed email is surely dead."""

MOST_ATTEMPTS: Final = 3

REFUSED: Final = "refused"
"""The title of a response that says why nothing was done."""


class Outcome(StrEnum):
    """What became of a message; those without a row are only counted."""

    STORED = "stored"
    REPEATED = "repeated"
    AUTOMATIC = "automatic"
    FORGED = "forged"
    TOO_MANY = "too many"
    OLD = "old"
    UNCLEAR = "unclear"
    PROBE = "probe"
    NOT_OURS = "not ours"


UNREAD_FOR: Final = {Why.DATE: Outcome.OLD, Why.SEVERAL: Outcome.UNCLEAR}
"""What became of a message that isn't read for a reason other than its sender."""


def is_ours(address: str) -> bool:
    """Whether somebody may be written to at this address."""
    return probes.is_probe(address) or conversation_at(address) is not None


def take(*, address: str, return_path: str, raw: bytes, now: datetime) -> Outcome:
    """Store a message to this address, if the person whose address it is has written it.

    Nothing is sent back here, and nothing at all to the sender of what is forged or automatic: the
    person gets an email that it wasn't read (`unread`), at their own address. The same message
    again, by its Message-ID, gets the first response and does nothing else. Since that is known
    for a while only, nothing older is taken, nor what doesn't say when it was written.
    """
    outcome = _taken(address, return_path, raw, now)
    if outcome is not Outcome.NOT_OURS:
        count(outcome, now)
    if outcome is Outcome.FORGED:
        logger.warning("An email that the mail server doesn't vouch for was dropped")
    return outcome


def _taken(address: str, return_path: str, raw: bytes, now: datetime) -> Outcome:
    """The address comes first: nothing is parsed for one that nobody has."""
    if probes.is_probe(address):
        probes.store(address, parsing.parsed(raw), now)
        return Outcome.PROBE
    conversation = conversation_at(address)
    if conversation is None:
        return Outcome.NOT_OURS
    message = parsing.parsed(raw)
    if reading.is_automatic(message, return_path):
        return Outcome.AUTOMATIC
    if (why := _why_unread(message, conversation, now)) is not None:
        unread.notify(conversation, why, now)
        return UNREAD_FOR.get(why, Outcome.FORGED)
    key = reading.message_id(message) or f"sha256:{sha256(raw).hexdigest()}"
    return _store(conversation, key, raw, now)


def _why_unread(message: EmailMessage, conversation: Conversation, now: datetime) -> Why | None:
    """Why a message isn't read; None if it is."""
    person, address = conversation.person, conversation.address
    if not may_be_from(message, address):
        return Why.SENDER
    is_theirs = person is None or is_confirmed(person)
    if not is_theirs or not is_from(message, address):
        return Why.NOT_VOUCHED
    if not _is_fresh(message, now):
        return Why.DATE
    return Why.SEVERAL if unread.may_mean_several(conversation) else None


def _is_fresh(message: EmailMessage, now: datetime) -> bool:
    """Whether a message that came a second time would still be recognized, by its Date."""
    written_at = reading.written_at(message)
    if written_at is None:
        return False
    return now - (KEPT - MOST_AHEAD) <= written_at <= now + MOST_AHEAD


def _store(conversation: Conversation, key: str, raw: bytes, now: datetime) -> Outcome:
    game, matter = conversation.game, conversation.matter
    with transaction.atomic(durable=True):
        writer = lock_writer(conversation)
        about = {"game": game, "thread": conversation.thread, "message_id": key}
        about["topic"] = "" if matter is None else matter.stored
        same = InboundEmail.objects.filter(**writer, **about).first()
        if same is not None:
            _repeat(same, now)
            return Outcome.REPEATED
        lately = InboundEmail.objects.filter(**writer, received_at__gt=now - timedelta(hours=1))
        if lately.count() > MOST_AN_HOUR:
            return Outcome.TOO_MANY
        phase_no = 0 if game is None else game.phase_no
        InboundEmail.objects.create(**writer, **about, received_at=now, raw=raw, phase_no=phase_no)
        transaction.on_commit(_announce, robust=True)
    return Outcome.STORED


def _announce() -> None:
    arrived.send(None)


def _repeat(row: InboundEmail, now: datetime) -> None:
    """Send the response once more; a message that still waits will get its first."""
    if row.state == InboundEmail.State.DONE and row.response and row.repeats < MOST_REPEATS:
        row.repeats += 1
        row.save(update_fields=["repeats"])
        _respond(row, now)


def is_one_too_many(row: InboundEmail) -> bool:
    """Whether it is the first one above what a person may send in an hour, and has to say so."""
    since = row.received_at - timedelta(hours=1)
    lately = InboundEmail.objects.filter(
        person=row.person,
        address=row.address,
        received_at__gt=since,
        received_at__lte=row.received_at,
    )
    return lately.count() > MOST_AN_HOUR


def count(outcome: str, now: datetime) -> None:
    """Count what became of a message; the doctor shows it."""
    tally, _is_new = InboundTally.objects.get_or_create(day=now.date(), outcome=outcome)
    InboundTally.objects.filter(pk=tally.pk).update(count=F("count") + 1)


def is_any_waiting() -> bool:
    """Whether there is email to be read, on a site that takes replies."""
    return is_on() and InboundEmail.objects.filter(state=InboundEmail.State.WAITING).exists()


def outdated(now: datetime) -> Iterator[QuerySet[Any]]:
    """Messages of a week ago, and counts of three months ago."""
    yield InboundEmail.objects.filter(received_at__lt=now - KEPT)
    yield InboundTally.objects.filter(day__lt=(now - COUNTS_ARE_KEPT).date())


def claimed(now: datetime) -> Iterator[InboundEmail]:
    """The email that nobody else reads, the oldest first, each claimed when its turn comes.

    Of one person's, each waits until what they wrote before is done with.
    """
    waiting = InboundEmail.objects.filter(state=InboundEmail.State.WAITING)
    by_same = Q(person=OuterRef("person")) | Q(person=None, address=OuterRef("address"))
    earlier = waiting.filter(by_same, pk__lt=OuterRef("pk"))
    free = waiting.filter(Q(claimed_at=None) | Q(claimed_at__lt=now - STUCK_AFTER))
    free = free.exclude(Exists(earlier))
    while True:
        with transaction.atomic(durable=True):
            unlocked = free.select_for_update(skip_locked=True, of=("self",)).order_by("pk")
            row = unlocked.select_related("person", "game", "thread").first()
            if row is None:
                return
            row.claimed_at, row.attempts = now, row.attempts + 1
            row.save(update_fields=["claimed_at", "attempts"])
        yield row


def release(row: InboundEmail) -> None:
    """Let what couldn't be read for now, such as for a lock, be read again soon."""
    if row.attempts < MOST_ATTEMPTS:
        row.claimed_at = None
        row.save(update_fields=["claimed_at"])


def discard(row: InboundEmail) -> None:
    """Be done with a message that gets no response."""
    row.state, row.raw, row.understood = InboundEmail.State.DONE, b"", None
    row.save(update_fields=["state", "raw", "understood"])


def plan(row: InboundEmail, wanted: dict[str, Any]) -> None:
    """Store what is about to be done at once. If the reader dies, the next one does just that."""
    row.understood = wanted
    row.save(update_fields=["understood"])


def settle(
    row: InboundEmail,
    response: dict[str, Any],
    now: datetime,
    *,
    understood: dict[str, Any] | None = None,
    confirmed: InboundEmail | None = None,
) -> None:
    """Store the response to a message, and send it; `understood` waits for a "confirm".

    Then no other move of the person's, and no other reply to the same offer, that waited for one in
    this conversation does so any longer, nor does what this message has `confirmed`.
    """
    row.state, row.raw, row.response, row.understood = (
        InboundEmail.State.DONE,
        b"",
        response,
        understood,
    )
    row.phase_no = row.game.phase_no if row.game is not None else 0
    with transaction.atomic(durable=True):
        if understood is not None:
            _replaced_by(row, understood).update(understood=None)
        if confirmed is not None:
            InboundEmail.objects.filter(pk=confirmed.pk).update(understood=None)
        row.save(update_fields=["state", "raw", "response", "understood", "phase_no"])
        _respond(row, now)


def _replaced_by(row: InboundEmail, understood: dict[str, Any]) -> Any:
    """What waits and can't be wanted besides this."""
    waiting = waiting_for_confirmation(row)
    if understood["kind"] in {"accept", "decline"}:
        about = {
            "understood__made_at": understood["made_at"],
            "understood__among": understood["among"],
        }
        return waiting.filter(understood__kind__in=["accept", "decline"], **about)
    return (
        waiting.filter(understood__kind="move") if understood["kind"] == "move" else waiting.none()
    )


def waiting_for_confirmation(row: InboundEmail) -> Any:
    """What was understood in the conversation of this message and waits for a "confirm"."""
    return InboundEmail.objects.filter(
        person=row.person,
        address=row.address,
        game=row.game,
        thread=row.thread,
        topic=row.topic,
        state=InboundEmail.State.DONE,
        understood__isnull=False,
    )


def _respond(row: InboundEmail, now: datetime) -> None:
    """Write a response of its own for each time it is sent."""
    is_understood = row.response["title"] != REFUSED
    outbox.enqueue(
        "understood" if is_understood else "not_understood",
        game=row.game,
        person=row.person,
        address=row.address,
        now=now,
        about=row.pk,
        deadline_version=row.repeats,
    )
