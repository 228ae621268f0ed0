"""Email about offers and promises: the contexts of its templates, and whether it applies."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from games.engine.ledger import Status
from games.engine.promises import Verdict
from games.models import Event, OutboxEmail, Seat
from games.presentation.board.small_board import small_board
from games.presentation.log.promise_story import promise_of
from games.presentation.text.words import People
from games.services.email.game_emails import in_short, on_own_clock
from games.services.email.switches import EmailChoice, email_choice
from games.services.game.offers import stored_offers
from games.services.game.position import Position, read_position
from games.services.game.queries.causes import text_with_cause
from games.services.game.queries.promises import read_promises
from games.services.game.replay import is_undone
from games.services.game.reply_time import is_request
from games.table_events import OfferMade, OfferReplied, PromiseJudged, decode_table_event

type Context = dict[str, Any]


def promise_news(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The event, and the offers that the reader can now reply to; the link leads there."""
    event = Event.objects.get(game=email.the_game, seq=email.about)
    position = read_position(email.the_game, email.person)
    event_about_offer = decode_table_event({"kind": event.kind, **event.payload})
    people, heir = position.people_after(event.seq), ""
    if isinstance(event_about_offer, PromiseJudged):
        heir = position.holders.heir_judged(event_about_offer, event.seq)
    what = text_with_cause(people, event_about_offer, event.cause, heir)
    until = _waits_until(position, event_about_offer)
    by = None if until is None else in_short(until, email)
    return {
        "headline": _headline(people, event_about_offer, by),
        "until": until and on_own_clock(until, email.person),
        "what": what,
        "names": [*people.names, *position.people.names],
        "preheader": what,
        "promises": read_promises(position).in_conversation(None).besides(event.seq),
        "board": small_board(position.people, position.view),
        "link": f"{settings.SITE_URL}{email.the_game.get_absolute_url()}#promises",
    }


def _waits_until(position: Position, event: object) -> datetime | None:
    """Until when a computer player waits with its bribe for the reply to what it asks here."""
    if not isinstance(event, OfferMade) or not position.game.has_deadlines:
        return None
    asks = is_request(promise_of(position.people, event), event.by)
    return position.seats[event.by].reply_until if asks else None


def _headline(people: People, event: object, by: str | None) -> str:
    """Who has done what, for the subject; where somebody waits for a reply, by when."""
    match event:
        case OfferMade(by=seat) if by is not None:
            return _("Reply to {name} by {by}").format(name=people.name(seat), by=by)
        case OfferMade(by=seat):
            text = _("{name} makes you an offer")
        case OfferReplied(seat=seat, reply="accepted"):
            text = _("{name} accepts your offer")
        case OfferReplied(seat=seat, reply="declined"):
            text = _("{name} declines your offer")
        case PromiseJudged(verdict=Verdict.BROKEN):
            seat = promise_of(people, event).seat
            text = _("{name} broke a promise to you")
        case _:
            raise ValueError("Nobody gets an email about this.")
    return text.format(name=people.name(seat))


def offer_is_open(email: OutboxEmail, seat: Seat | None) -> bool:
    """The reader can still reply, and gets no email about their turn now, which shows it too."""
    offers = stored_offers(email.the_game, email.the_game.decoded().table)
    entry = offers.entry(email.about)
    if seat is None or entry is None or entry.status is not Status.OPEN:
        return False
    person = email.person
    if person is None or email_choice(person, "your_turn") is not EmailChoice.NOW:
        return True
    turn = OutboxEmail.objects.filter(game=email.game, person=email.person, kind="your_turn")
    leaving = (OutboxEmail.Status.READY, OutboxEmail.Status.SENDING)
    return not turn.filter(status__in=leaving).exists()


def news_stands(email: OutboxEmail, seat: Seat | None) -> bool:
    """No rewind has undone the reply or the verdict: its offer's number may be another's now."""
    return seat is not None and not is_undone(email.the_game, email.about)
