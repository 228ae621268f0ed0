"""Tables with private conversations."""

from datetime import datetime
from uuid import uuid4

from games.engine.ledger import Entry, Status
from games.engine.promises import Promise
from games.models import Game, PrivateMessage, Thread
from games.services.chat import threads
from games.services.chat.promises import ALONE, make_offer, reply_to_offer
from games.services.game.offers import stored_offers
from tests.support.promising import sitter
from tests.support.tables import MONDAY


def thread_of(game: Game, *seats: int, now: datetime = MONDAY) -> Thread:
    """The thread of these seats, which the first one begins."""
    by_number, _own = threads.seats_of(game, sitter(game, seats[0]))
    return threads.thread_of(game, by_number, seats, now)


def page_of(thread: Thread) -> str:
    """The address of the table's page with this conversation in its chat."""
    return f"{thread.game.get_absolute_url()}?talk={thread.token}"


def whisper(
    game: Game, seat: int, *others: int, text: str = "Psst!", now: datetime = MONDAY
) -> PrivateMessage:
    """The seat writes to these others alone."""
    return threads.say(
        game_id=game.pk,
        user=sitter(game, seat),
        to={sitter(game, other).pk for other in others},
        text=text,
        token=uuid4(),
        now=now,
    )


def offers_privately(
    game: Game,
    by: int,
    promise: Promise,
    *,
    among: str = ALONE,
    text: str = "",
    now: datetime = MONDAY,
) -> PrivateMessage:
    """The seat makes an offer to the other one alone; what stands in their thread."""
    make_offer(
        game_id=game.pk,
        user=sitter(game, by),
        promise=promise,
        text=text,
        token=uuid4(),
        now=now,
        among=among,
    )
    game.refresh_from_db()
    return PrivateMessage.objects.filter(thread__game=game).latest("pk")


def replies_privately(
    game: Game,
    seat: int,
    made: PrivateMessage,
    given: Status = Status.ACCEPTED,
    now: datetime = MONDAY,
) -> None:
    reply_to_offer(
        game_id=game.pk,
        user=sitter(game, seat),
        made_at=made.number,
        given=given,
        now=now,
        among=made.thread.token,
    )
    game.refresh_from_db()


def entry_of(made: PrivateMessage) -> Entry | None:
    """The private offer as its thread has it."""
    thread = Thread.objects.get(pk=made.thread_id)
    return stored_offers(thread, thread.game.decoded().table).entry(made.number)


def deals(made: PrivateMessage) -> list[str]:
    """The kinds of what stands in a thread besides words, in order."""
    rows = PrivateMessage.objects.filter(thread=made.thread_id).filter(deal__isnull=False)
    return [row.deal["kind"] for row in rows.order_by("number")]
