"""The email of ours to which somebody replies, found by its Message-ID, and what was in it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Max, QuerySet

from games.engine.ledger import Status
from games.models import Game, InboundEmail, OutboxEmail, Thread
from games.services.game.offers import offers_from_events
from games.services.game.private_offers import deals_in

RESPONSES: Final = ("understood", "not_understood")
"""The kinds of email that are responses to one."""


class Listing(NamedTuple):
    """The offers in an email, by the numbers that their `OfferLine.made_at` has.

    `is_numbered` says that it showed them in this order, from 1.
    """

    offers: list[int]
    is_numbered: bool


def message_responded_to(row: InboundEmail, message_ids: Sequence[str]) -> int | None:
    """The message to which our email with one of these Message-IDs responds; None without one."""
    ours = _ours(row, message_ids).filter(kind__in=RESPONSES)
    return ours.values_list("about", flat=True).first()


def is_about_earlier_phase(row: InboundEmail, message_ids: Sequence[str]) -> bool:
    """Whether a message replies to email about a phase that was over when it came in."""
    ours = _ours(row, message_ids).filter(phase_no__gt=0)
    latest = ours.aggregate(latest=Max("phase_no"))["latest"]
    return latest is not None and latest < row.phase_no


def listed_offers(row: InboundEmail, message_ids: Sequence[str], seat: int) -> Listing | None:
    """The offers to this seat that the email showed; None if it isn't known which email it was."""
    ours = list(_ours(row, message_ids))
    responded_to = next((one.about for one in ours if one.kind in RESPONSES), None)
    if responded_to is not None:
        shown = InboundEmail.objects.get(pk=responded_to).response.get("offers")
        return None if shown is None else Listing(shown, is_numbered=True)
    if row.thread is None and (news := {one.about for one in ours if one.kind == "offer"}):
        return Listing(sorted(news), is_numbered=False)
    sent = [one.claimed_at for one in ours if one.claimed_at is not None]
    if not sent or row.game is None:
        return None
    return Listing(_open_then(row.game, row.thread, seat, min(sent)), is_numbered=False)


def _ours(row: InboundEmail, message_ids: Sequence[str]) -> QuerySet[OutboxEmail]:
    ours = OutboxEmail.objects.filter(game=row.game, message_id__in=filter(None, message_ids))
    if not row.topic:
        return ours.filter(person=row.person)
    # What was sent to an address may have gone to a person who has an account there by now.
    known = InboundEmail.objects.filter(person=row.person, address=row.address, topic=row.topic)
    return ours.filter(kind__in=RESPONSES, about__in=known.values("pk"))


def _open_then(game: Game, thread: Thread | None, seat: int, at: datetime) -> list[int]:
    """The offers to a seat that were open at this time, in front of all or in the thread."""
    rows = game.events.filter(at__lte=at).order_by("seq")
    offers = offers_from_events(rows, None if thread is None else deals_in(thread, until=at))
    return [
        made
        for made, entry in zip(offers.made, offers.ledger, strict=True)
        if entry.status is Status.OPEN and entry.other == seat
    ]
