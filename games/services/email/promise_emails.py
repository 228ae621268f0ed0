"""Email about offers and promises: the contexts of its templates, and whether it applies."""

from datetime import datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.engine.ledger import Status
from games.models import Event, OutboxEmail, PrivateMessage, Seat
from games.presentation.board.small_board import small_board
from games.presentation.log.promise_story import LET_PASS, promise_of
from games.presentation.text.words import People
from games.services.email.game_emails import in_short, on_own_clock
from games.services.email.switches import EmailChoice, email_choice
from games.services.game.offers import stored_offers
from games.services.game.position import Position, read_position
from games.services.game.private_offers import as_row
from games.services.game.queries.causes import cause_of, cause_with_heir, text_with_cause
from games.services.game.queries.promises import read_promises
from games.services.game.queries.verdicts import Verdicts
from games.services.game.replay import LATEST, StoredEvent, is_undone, latest_event_rows
from games.services.game.reply_time import is_request
from games.table_events import OfferMade, OfferReplied, PromiseJudged, decode_table_event

type Context = dict[str, Any]


def promise_news(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The event, and the offers that the reader can now reply to; the link leads there."""
    event = Event.objects.get(game=email.the_game, seq=email.about)
    position = read_position(email.the_game, email.person)
    event_about_offer = decode_table_event({"kind": event.kind, **event.payload})
    people = position.people_after(event.seq)
    until = _waits_until(position, event_about_offer)
    by = None if until is None else in_short(until, email)
    return {
        **_context(position, event.seq, text_with_cause(people, event_about_offer, event.cause)),
        "headline": _headline(people, event_about_offer, by),
        "until": until and on_own_clock(until, email.person),
        "link": f"{settings.SITE_URL}{email.the_game.get_absolute_url()}#promises",
    }


def promise_broken(email: OutboxEmail, _seat: Seat | None) -> Context:
    """What was promised to the reader and what happened instead; the link leads to the moment."""
    position = read_position(email.the_game, email.person)
    breach = _breach(position, email.about)
    return {
        **_context(position, email.about, breach.text),
        "headline": breach.headline,
        "link": breach.moment,
    }


def private_breach(position: Position, messages: QuerySet[PrivateMessage]) -> Context:
    """The same of the latest of these that is about a private promise to the reader, if any is."""
    judged = messages.filter(undone=False, deal__kind=PromiseJudged.__name__).order_by("-number")
    breaches = (_breach(position, message.after, message) for message in judged)
    breach = next((one for one in breaches if one.text), None)
    if breach is None:
        return {}
    return {
        "breach": breach.text,
        "preheader": breach.text,
        "headline": breach.headline,
        "moment": breach.moment,
        "players": position.holders.everybody,
    }


class _Breach(NamedTuple):
    """What wasn't kept, for the subject and as sentences, and the address of that moment.

    `text` is "" if it was promised to somebody else than the reader.
    """

    headline: str
    text: str
    moment: str


def _breach(position: Position, seq: int, private: PrivateMessage | None = None) -> _Breach:
    """The verdict with this number, or a `private` one behind the event with this number."""
    game, holders, people = position.game, position.holders, position.people_after(seq)
    rows: list[StoredEvent] = [
        row for row in latest_event_rows(game, seq - LATEST) if row.seq <= seq
    ]
    rows += [] if private is None else [as_row(private)]
    thread = None if private is None else private.thread
    outcome = Verdicts(game, people, rows).at(len(rows) - 1)
    text = outcome.breach(people, holders.names_given(outcome.event, seq, thread))
    heir = holders.heir_judged(people, outcome.event, seq, thread)
    by = cause_of(people, outcome.event, rows[-1].cause)
    cause = cause_with_heir(heir, by, rows[-1].cause)
    headline = _("{name} broke a promise to you")
    if outcome.event.verdict == LET_PASS:
        headline = _("{name} missed the deadline, so a promise to you wasn't kept")
    return _Breach(
        headline.format(name=people.name(outcome.promise.seat)),
        f"{text} ({cause})" if text and cause else text,
        f"{settings.SITE_URL}{game.get_absolute_url()}history/{seq}/",
    )


def _context(position: Position, seq: int, what: str) -> Context:
    return {
        "what": what,
        "names": [*position.people.names, *position.holders.everybody],
        "preheader": what,
        "promises": read_promises(position).in_conversation(None).besides(seq),
        "board": small_board(position.people, position.view),
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
            text = _("{name} has made you an offer")
        case OfferReplied(seat=seat, reply="accepted"):
            text = _("{name} accepts your offer")
        case OfferReplied(seat=seat, reply="declined"):
            text = _("{name} declines your offer")
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
