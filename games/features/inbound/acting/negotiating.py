"""Offers and replies to them by email, by the form and the service that pages use."""

import json
from typing import Any, NamedTuple
from uuid import uuid4

from django.utils.translation import gettext as _

from games.changes import errors_of
from games.engine import Scholar
from games.engine.promise_codec import encode_promise
from games.features.inbound.commands.lines import Command, Part, Terms
from games.features.inbound.replied_to import Listing
from games.forms.offers import OfferForm
from games.models import Thread
from games.presentation.text.words import occupation_text
from games.services.game.position import Position
from games.services.game.queries.promises import OfferLine, may_negotiate, read_promises
from games.services.refused import Refused

type Data = dict[str, Any]


def refuse_unless_negotiating(position: Position) -> None:
    """Refuse offers and replies by those who may make none now."""
    if not may_negotiate(position):
        raise Refused(
            _(
                "Only active players can make offers or reply to them, and only while the game is "
                "running."
            )
        )


def offered(position: Position, command: Command, thread: Thread | None) -> Data:
    """An offer as `LikelyForm` wants it; `Refused` for what can't be offered."""
    refuse_unless_negotiating(position)
    terms, reader = command.terms, position.view.seat
    other = position.view.table.players.index(_player(position, command.parts[0].colour))
    if terms is None or reader is None or other == reader:
        raise Refused(_("Please choose another player."))
    if thread is not None and other not in thread.seats:
        raise Refused(_("Please choose someone who is in this conversation."))
    form = OfferForm(
        {**_data(position, terms, reader, other), "token": str(uuid4())},
        people=position.people,
        view=position.view,
        what=terms.deed,
        promiser=reader,
        other=other,
        may_write=False,
    )
    if not form.is_valid() or form.promise is None:
        raise Refused(" ".join(errors_of(form)))
    encoded = encode_promise(position.people.table, reader, form.promise)
    # Only the people of the very conversation in which it was written may see it.
    among = "" if thread is None else thread.token
    return {"terms": json.dumps(encoded), "among": among}


def _player(position: Position, colour: str) -> str:
    if colour not in position.view.table.players:
        raise Refused(_("Nobody at your table has that colour."))
    return colour


def _data(position: Position, terms: Terms, reader: int, other: int) -> Data:
    data: Data = {}
    if terms.deed == "pay":
        data["amount"] = terms.about.amount
        if terms.about.occupation:
            data["applicant"] = _scholar(position, reader, terms.about)
        return data
    data["scholar"] = _scholar(position, other, terms.about)
    if terms.deed == "place":
        data["salary"] = f"{'least' if terms.at_least else 'area'}:{terms.about.amount}"
    if terms.bribe is not None:
        data["bribe"] = terms.bribe
    if terms.bribed.occupation not in {"", terms.about.occupation}:
        text = _("The bribe must be for the same {scholar} as your promise.")
        raise Refused(text.format(scholar=position.people.words.scholar))
    return data


def _scholar(position: Position, owner: int, part: Part) -> str:
    """The scholar of this player that is meant: one who is out in the world before one at home."""
    view, table = position.view, position.view.table
    out = [one for row in (*view.applicants, *view.palaces) for one in row if one is not None]
    for one in (*out, *view.unsent[owner]):
        if one.owner == owner and _fits(position, one, part):
            return table.names[one]
    text = _("{name} has no {occupation} any more.")
    raise Refused(
        text.format(name=position.people.name(owner), occupation=occupation_text(part.occupation))
    )


def _fits(position: Position, scholar: Scholar, part: Part) -> bool:
    edition = position.view.table.edition
    is_of_kind = edition.occupations[scholar.occupation] == part.occupation
    return is_of_kind and part.number in {0, scholar.number}


class Chosen(NamedTuple):
    """The offer that somebody replies to; `is_listed` says that their email showed it."""

    offer: OfferLine
    is_listed: bool


def chosen_offer(
    position: Position, command: Command, thread: Thread | None, listing: Listing | None
) -> Chosen:
    """The offer that is replied to; `Refused` if there is none, or more than one that is meant.

    It is one of those in the email to which the person replies, or none: what was offered since
    isn't meant. Where that email or its numbers aren't known, it is one of those open now: if
    there ever were others, that has to be confirmed.
    """
    refuse_unless_negotiating(position)
    offers = offers_to_reply_to(position, thread)
    if not offers:
        raise Refused(_("There's no open offer that you can reply to from this email."))
    part = command.parts[0] if command.parts else Part()
    candidates: list[OfferLine | None] = [*offers]
    is_listed = _is_only_one(position, thread)
    if listing is not None and (listing.is_numbered or not part.number):
        is_listed = True
        now_open = {one.made_at: one for one in offers}
        candidates = [now_open.get(made_at) for made_at in listing.offers]
    meant = [one for number, one in enumerate(candidates, 1) if _is_meant(part, number, one)]
    if not candidates or meant == [None]:
        raise Refused(_("The email you replied to doesn't mention any offer that's still open."))
    if len(meant) != 1 or meant[0] is None:
        listed = "; ".join(f"{number}. {one.text}" for number, one in enumerate(offers, 1))
        text = _("Please give the number of the offer you mean: {offers}")
        raise Refused(text.format(offers=listed))
    return Chosen(meant[0], is_listed)


def _is_only_one(position: Position, thread: Thread | None) -> bool:
    """Whether only one offer was ever made to the reader in this conversation."""
    here = [position.offers]
    if thread is not None:
        here = [row.offers for row in position.private if row.thread == thread]
    to_me = [one for offers in here for one in offers.ledger if one.other == position.view.seat]
    return len(to_me) == 1


def _is_meant(part: Part, number: int, offer: OfferLine | None) -> bool:
    """Whether a reply may mean this offer; None is one that is no longer open."""
    return part.number in {0, number} and (offer is None or part.colour in {"", offer.colour})


def offers_to_reply_to(position: Position, thread: Thread | None) -> list[OfferLine]:
    """The open offers to the reader that were made in this conversation."""
    return read_promises(position).in_conversation(thread).to_me
