"""Claims email to be sent, in bundles: what leaves as one email.

Usually that is a single one. What somebody is to be told of one game at the same time is one email,
which also takes along what waits to be told, and so is their digest. Seats of many tables that need
a substitute are one email, too.
"""

import logging
import time
from collections import defaultdict, deque
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from games.models import OutboxEmail
from games.services.chat.queries import may_change
from games.services.chat.thread_queries import conversation_of
from games.services.email import compose, timing
from games.services.email.claimed import Claimed, read_claimed
from games.services.email.kind import EmailKind
from games.services.email.kinds import KIND_BY_KEY, RANKS, kind_of
from games.services.email.senders import LivingSender
from games.services.email.subscriptions import comes_in_digest
from games.services.lobby import email_invitees
from games.services.sql import execute, table

logger = logging.getLogger(__name__)

type Bundle = list[Claimed]
"""What leaves as one email, the most urgent first. All have the same Message-ID."""

LISTED_AT_ONCE: Final = 1000
"""How many emails are searched for at once."""


CLAIMED_AT_ONCE: Final = 32
"""How many of these are claimed in one transaction: what a sender that dies keeps from others."""


FRESH_FOR: Final = 1.0
"""For how many seconds what was read when it was claimed counts as the present."""


type Recipient = tuple[int | None, str]
"""The id of a person, or an address."""


class Bundles:
    """The email of one sender, in bundles: first what has never been refused.

    Any number of senders have some. What goes to one person, or address, is with one of them at a
    time, one bundle after the other, so it leaves in order.

    It is searched for in large parts and claimed in small ones: to sort all that is ready for each
    single one would take longer than to send it.
    """

    def __init__(self, sender: LivingSender) -> None:
        self._sender = sender
        self._fresh: deque[Recipient] = deque()
        self._claimed: deque[Bundle] = deque()
        self._read_at = 0.0
        self._given: Bundle = []

    def next(self, *, may_claim: bool, may_retry: bool) -> Bundle | None:
        """The next bundle that was claimed, or if there is none and it may be, that is claimed."""
        if not self._claimed and may_claim:
            self._claimed.extend(self._claim_some(may_retry=may_retry))
            self._read_at = time.monotonic()
        if not self._claimed:
            return None
        bundle = self._given = self._claimed.popleft()
        return bundle if time.monotonic() < self._read_at + FRESH_FOR else _read_again(bundle)

    def is_on_its_way(self) -> None:
        """The bundle that was given last is being sent, or has nothing to tell."""
        self._given = []

    def give_up(self) -> list[Bundle]:
        """All that was claimed and isn't on its way: it is left to others."""
        left = [bundle for bundle in (self._given, *self._claimed) if bundle]
        self._given = []
        self._claimed.clear()
        return left

    def _claim_some(self, *, may_retry: bool) -> list[Bundle]:
        ready = OutboxEmail.objects.ready(self._sender.clock()).next_ones()
        if self._sender.has_released:  # what died senders had claimed comes before what was listed
            self._sender.has_released = False
            self._fresh.clear()
        if not self._fresh:
            self._fresh.extend(_recipients(ready.fresh(), LISTED_AT_ONCE))
        while self._fresh:
            if claims := _claim(self._take_some(), self._sender):
                return claims
        return _claim(_recipients(ready, 1), self._sender) if may_retry else []

    def _take_some(self) -> list[Recipient]:
        """The first of those listed, each once: a bounce stops what comes after it."""
        some: list[Recipient] = []
        later: deque[Recipient] = deque()
        while self._fresh and len(some) < CLAIMED_AT_ONCE:
            recipient = self._fresh.popleft()
            (later if recipient in some else some).append(recipient)
        self._fresh = later + self._fresh
        return some


def _recipients(emails: QuerySet[OutboxEmail], most: int) -> list[Recipient]:
    """Those of so many of these emails, one for each."""
    return list(emails.values_list("person", "address")[:most])


def _claim(recipients: list[Recipient], sender: LivingSender) -> list[Bundle]:
    """Claim the first email to each of these, unless it is held back, with its companions.

    Not where somebody else claims it just now, or is sending something to the same recipient.
    """
    now = sender.clock()
    with transaction.atomic(durable=True):
        first = OutboxEmail.objects.ready(now).next_ones().first_to(recipients)
        unlocked = OutboxEmail.objects.filter(
            status=OutboxEmail.Status.READY, pk__in=first.values("pk")
        )
        addresses = dict(unlocked.select_for_update(skip_locked=True).values_list("pk", "address"))
        if not addresses:
            return []
        ids = list(addresses)
        if any(addresses.values()):
            email_invitees.give_to_members(OutboxEmail.objects.filter(pk__in=ids))
        leaving = _not_held_back(read_claimed(ids), now)
        bundles = [_sorted(bundle) for bundle in _with_companions(leaving, now)]
        message_ids = {}
        for bundle in bundles:
            message_id = bundle[0].email.message_id or compose.message_id(bundle[0].email)
            for email, *_ in bundle:
                email.status = OutboxEmail.Status.SENDING
                email.claimed_at, email.claimed_by = now, sender.id
                email.attempts += 1
                email.message_id = message_ids[email.pk] = message_id
        ids_of_all = {"ids": list(message_ids), "message_ids": list(message_ids.values())}
        execute(_CLAIM, {"now": now, "sender": sender.id, **ids_of_all})
    return bundles


def _not_held_back(claims: Iterable[Claimed], now: datetime) -> list[Claimed]:
    """Those that leave now."""
    leaving = []
    for claim in claims:
        until = _held_until(claim, now)
        if until is None:
            leaving.append(claim)
        else:
            OutboxEmail.objects.filter(pk=claim.email.pk).update(not_before=until)
    return leaving


def _held_until(claim: Claimed, now: datetime) -> datetime | None:
    """Until when it is held back; a broken row isn't, and fails alone when it is written."""
    try:
        return timing.held_until(claim, now)
    except Exception:
        logger.exception("When email %s leaves cannot be said", claim.email.pk)
        return None


def _with_companions(claims: list[Claimed], now: datetime) -> list[Bundle]:
    """Bundles of what each of these takes along; nobody else takes that meanwhile."""
    people = {claim.email.person_id for claim in claims if claim.email.person_id is not None}
    others = OutboxEmail.objects.waiting().filter(person__in=people)
    others = others.exclude(pk__in=[claim.email.pk for claim in claims])
    by_person: dict[int | None, list[OutboxEmail]] = defaultdict(list)
    for other in others.select_for_update(skip_locked=True, of=("self",)):
        by_person[other.person_id].append(other)
    taken = {
        claim.email.pk: _taken_along(claim, by_person[claim.email.person_id], now)
        for claim in claims
    }
    ids = [pk for companions in taken.values() for pk in companions]
    read = {claim.email.pk: claim for claim in read_claimed(ids)} if ids else {}
    return [[claim, *(read[pk] for pk in taken[claim.email.pk])] for claim in claims]


def _taken_along(claim: Claimed, others: Iterable[OutboxEmail], now: datetime) -> list[int]:
    """What of these leaves with an email; nothing with a broken one."""
    try:
        return [other.pk for other in others if _goes_with(other, claim, now)]
    except Exception:
        logger.exception("What leaves with email %s cannot be said", claim.email.pk)
        return []


def _goes_with(other: OutboxEmail, claim: Claimed, now: datetime) -> bool:
    """Whether another email to the same person leaves with this one."""
    email = claim.email
    kind, other_kind = kind_of(email), KIND_BY_KEY.get(other.kind)
    if email.message_id or other.message_id or other_kind is None or email.person is None:
        return bool(email.message_id) and email.message_id == other.message_id
    if timing.is_for_digest(claim):
        return other.not_before == email.not_before and comes_in_digest(email.person, other_kind)
    if kind is other_kind and kind.for_many_tables:
        return True
    if email.game_id is None or email.game_id != other.game_id:
        return False
    if other_kind.in_its_time and other.not_before > now:
        return False
    # A conversation is a thread of its own, like an answer.
    alone = kind.tells_who_talks or other_kind.tells_who_talks
    says_the_same = (
        kind is other_kind
        and kind.quotes_messages
        and conversation_of(email) == conversation_of(other)
    )
    return (says_the_same or not alone) and not _can_change(other, other_kind, now)


def _can_change(email: OutboxEmail, kind: EmailKind, now: datetime) -> bool:
    """Whether it waits for words that may still be edited: these aren't quoted yet."""
    return kind.quotes_messages and email.not_before > now and may_change(email, now)


def _read_again(bundle: Bundle) -> Bundle:
    """The same as it stands now: while it was waiting for others, players may have moved."""
    return _sorted(read_claimed([claim.email.pk for claim in bundle]))


def _sorted(bundle: Bundle) -> Bundle:
    return sorted(bundle, key=lambda claim: RANKS.get(claim.email.kind, len(RANKS)))


_CLAIM: Final = f"""
UPDATE {table(OutboxEmail)} email SET status = '{OutboxEmail.Status.SENDING}', claimed_at = %(now)s,
    claimed_by = %(sender)s, attempts = email.attempts + 1, message_id = claimed.message_id
FROM unnest(%(ids)s::bigint[], %(message_ids)s::text[]) AS claimed (id, message_id)
WHERE email.id = claimed.id
"""  # noqa: S608 - only names of our own
