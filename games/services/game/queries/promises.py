"""The offers and promises of a game as a page shows them to one person."""

import json
from collections.abc import Container, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.engine.at_stake import is_at_stake
from games.engine.ledger import Entry, Status
from games.engine.likely import likely_offers
from games.engine.promise_codec import encode_promise
from games.engine.promises import Promise
from games.models import Seat, Thread
from games.presentation.log.promise_story import offer_text
from games.presentation.text.promises import promise_clause, sentence
from games.presentation.text.words import Clause, listed_names
from games.services.game.negotiation import can_reply
from games.services.game.position import Position
from games.services.game.private_offers import PrivateLedger
from games.services.public_ids import public_id


class OfferLine(NamedTuple):
    """An offer in words: what is promised, and who offers it or asks for it (`offered`).

    `name` made it to the `other`. `made_at` is the number of the event that made it.

    Of one that was made in a thread, `thread` is its token, `made_at` the number in it, and `among`
    says who else can read it; both are "" otherwise. `id` names it in addresses. `colour` is that
    of its author. `heirs` say who has inherited what from whom, as sentences without a full stop.
    `names` are those of all players, and of these.
    """

    made_at: int
    promise: Clause
    offered: str
    name: str
    other: str
    colour: str
    names: Sequence[str]
    thread: str = ""
    among: str = ""
    heirs: Sequence[str] = ()

    @property
    def text(self) -> str:
        return sentence(self.promise)

    @property
    def id(self) -> str:
        return public_id(offers_in(self.thread), self.made_at)


def offers_in(thread: str) -> str:
    """The prefix of the ids of offers: in the thread with this token, or "" at the table."""
    return f"offer in {thread}"


class LikelyOffer(NamedTuple):
    """An offer that one click makes: what it says, and its terms as the form hands them in.

    `colour` is that of the player to whom it is made.
    """

    text: str
    terms: str
    is_request: bool
    colour: str
    names: Sequence[str]


class Promises(NamedTuple):
    """The offers and promises of a game as one person sees them.

    `to_me` are open offers that the reader can reply to, `mine` those they made, `others` all other
    open ones. `owed` is what was accepted and isn't settled, `own` what the reader owes. Of the
    rest, `at_stake` is what the reader was promised and has to reckon with in their present
    decision. `likely` are offers for one click. `can_offer` says whether the reader may negotiate
    now, `has_history` whether the page of all promises has more to show, and `is_of_more` whether
    `to_me` lacks one that stands elsewhere.
    """

    to_me: list[OfferLine]
    mine: list[OfferLine]
    others: list[OfferLine]
    owed: list[OfferLine]
    own: list[OfferLine]
    at_stake: list[OfferLine]
    likely: list[LikelyOffer]
    can_offer: bool
    is_binding: bool
    has_history: bool
    is_of_more: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.to_me or self.mine or self.others or self.owed)

    def besides(self, made_at: int) -> "Promises":
        """Without the offer in front of all that the event with this number made."""
        others = [one for one in self.to_me if one.thread or one.made_at != made_at]
        return self._replace(to_me=others, is_of_more=len(others) < len(self.to_me))

    def in_conversation(self, thread: Thread | None) -> "Promises":
        """With those offers to the reader alone that were made in this thread, or in front of all.

        An email shows no others: replies to it go there.
        """
        token = "" if thread is None else thread.token
        return self._replace(to_me=[one for one in self.to_me if one.thread == token])


def read_promises(
    position: Position, *, suggests: bool = False, others: Container[int] | None = None
) -> Promises:
    """The open offers and what is owed; if it `suggests`, likely offers, to `others` or all."""
    reader = position.view.seat
    lines = [
        (entry, _line(position, seq, entry))
        for seq, entry in zip(position.offers.made, position.offers.ledger, strict=True)
        if not entry.is_settled
    ]
    lines += [
        (entry, _private_line(position, row, number, entry))
        for row in position.private
        for number, entry in zip(row.offers.made, row.offers.ledger, strict=True)
        if not entry.is_settled
    ]
    is_open = [(entry, line) for entry, line in lines if entry.status is Status.OPEN]
    owed = [(entry, line) for entry, line in lines if entry.status is Status.ACCEPTED]
    can_offer = may_negotiate(position)
    return Promises(
        to_me=[line for entry, line in is_open if entry.other == reader],
        mine=[line for entry, line in is_open if entry.by == reader],
        others=[line for entry, line in is_open if reader not in (entry.by, entry.other)],
        owed=[line for _entry, line in owed],
        own=[line for entry, line in owed if reader in {one.seat for one in entry.owed}],
        at_stake=[line for entry, line in owed if _is_at_stake(position, entry)],
        likely=_likely(position, others) if suggests and can_offer else [],
        can_offer=can_offer,
        has_history=len(position.known) > len(is_open),
        is_binding=position.view.table.edition.promises == "binding",
    )


def _is_at_stake(position: Position, entry: Entry) -> bool:
    """Whether the reader, who owes nothing by it, reckons with it in their present decision."""
    owes = position.view.seat in {one.seat for one in entry.owed}
    return position.is_to_move and not owes and is_at_stake(position.view, entry)


def may_negotiate(position: Position) -> bool:
    """Whether the reader can make offers and reply to them now."""
    game, seat = position.game, position.seat
    if seat is None or seat.absent_since is not None or not game.is_in_play:
        return False
    return game.dormant_since is None


def _line(position: Position, seq: int, entry: Entry, thread: Thread | None = None) -> OfferLine:
    people, holders = position.people, position.holders
    bound = [one.seat for one in entry.owed] or [entry.by]
    heirs = [holders.heir_to(people, seat, entry, thread) for seat in bound]
    return OfferLine(
        made_at=seq,
        promise=promise_clause(people, entry.promise),
        offered=offer_text(people, entry.by, entry.promise),
        name=people.name(entry.by),
        other=people.name(entry.other),
        colour=people.colour(entry.by),
        names=[*people.names, *holders.everybody],
        heirs=[heir for heir in heirs if heir],
    )


def _private_line(position: Position, row: PrivateLedger, number: int, entry: Entry) -> OfferLine:
    names = [position.people.name(seat) for seat in row.thread.seats]
    line = _line(position, number, entry, row.thread)
    return line._replace(thread=row.thread.token, among=listed_names(names))


def _likely(position: Position, others: Container[int] | None) -> list[LikelyOffer]:
    """Likely offers, but no open or accepted ones, and none to empty seats or computer players."""
    made = {entry.promise for entry in position.known if not entry.is_settled}
    return [
        _likely_offer(position, promise)
        for promise in likely_offers(position.view)
        if promise not in made
        and can_reply(position.game, _other(position, promise))
        and (others is None or _other(position, promise).drawn_number in others)
    ]


def _other(position: Position, promise: Promise) -> Seat:
    reader = position.view.seat
    return position.seats[promise.to if promise.seat == reader else promise.seat]


def _likely_offer(position: Position, promise: Promise) -> LikelyOffer:
    people, reader = position.people, position.view.seat or 0
    terms = encode_promise(people.table, reader, promise)
    is_request = promise.seat != reader
    text = _("Ask {name}: {promise}.") if is_request else _("Offer {name}: {promise}.")
    return LikelyOffer(
        text=text.format(
            name=people.name(_other(position, promise).drawn_number),
            promise=promise_clause(people, promise),
        ),
        terms=json.dumps(terms),
        is_request=is_request,
        colour=_other(position, promise).colour,
        names=people.names,
    )
