"""The part of an export about the person's tables: what pages show to them, and their own words.

Everything about a started game comes from what its pages are made of: the log, the view, the ledger
and the record, each for this reader. Only what the person has left there themselves is read by
itself.
"""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q

from games.engine.record import record_view
from games.features.export.instants import instant
from games.models import (
    Ballot,
    DaysOff,
    Draft,
    Game,
    Message,
    Note,
    PrivateMessage,
    Seat,
    Sitting,
    ThreadMember,
    User,
)
from games.services.chat.queries import ChatLine, chat_lines, redaction_of
from games.services.chat.thread_queries import own_threads
from games.services.game.position import Position, read_position
from games.services.game.queries.history import read_turns
from games.services.game.queries.log import LogLine
from games.services.game.queries.own_orders import read_orders
from games.services.game.queries.promise_ledger import Settled, read_ledger
from games.services.game.queries.promises import OfferLine
from games.services.game.records import game_record
from games.services.game.unreadable import is_readable
from games.services.lobby.queries import settings_text
from games.services.people.display_names import host_name, player_name

type Json = dict[str, Any]


def games(person: User) -> list[Json]:
    """Every table where the person sits or sat, opened the table, or left something."""
    found = Game.objects.filter(_has_to_do_with(person)).select_related("host").order_by("pk")
    return [_game(game, person) for game in found.iterator(chunk_size=20)]


def _has_to_do_with(person: User) -> Q:
    return (
        Q(host=person)
        | Q(pk__in=Seat.objects.filter(user=person).values("game"))
        | Q(pk__in=Sitting.objects.filter(user=person).values("seat__game"))
        | Q(pk__in=Message.objects.filter(author=person).values("game"))
        | Q(pk__in=ThreadMember.objects.filter(user=person).values("thread__game"))
        | Q(pk__in=Note.objects.filter(user=person).values("game"))
        | Q(pk__in=Draft.objects.filter(user=person).values("game"))
    )


def _game(game: Game, person: User) -> Json:
    return {
        "number": game.pk,
        "table": game.name,
        "description": game.description,
        "host": host_name(game),
        "edition": game.edition,
        "options": game.options,
        "settings": settings_text(game),
        "state": game.status,
        "opened_at": instant(game.created_at),
        "started_at": instant(game.started_at),
        "ended_at": instant(game.finished_at),
        "players": [
            {"colour": seat.colour, "name": player_name(seat), "me": seat.user_id == person.pk}
            for seat in game.seats.select_related("user")
        ],
        **_left_there(game, person),
        **(_started(game, person) if game.state is not None else {}),
    }


def _left_there(game: Game, person: User) -> Json:
    """What the person alone can read, and what they did besides playing."""
    sittings = person.sittings.filter(seat__game=game).select_related("seat").order_by("pk")
    days_off = DaysOff.objects.filter(seat__game=game, seat__user=person)
    ballots = Ballot.objects.filter(user=person, vote__game=game).select_related("vote")
    notes = Note.objects.filter(user=person, game=game)
    return {
        "muted": person.muted_games.filter(game=game).exists(),
        "seats": [
            {
                "colour": one.seat.colour,
                "from": instant(one.began_at),
                "until": instant(one.ended_at),
            }
            for one in sittings
        ],
        "missed": [instant(one.at) for one in person.misses.filter(seat__game=game).order_by("pk")],
        "days_off": [
            {"first_day": str(one.first_day), "last_day": str(one.last_day)} for one in days_off
        ],
        "votes": [
            {"about": one.vote.kind, "yes": one.yes, "at": instant(one.at)}
            for one in ballots.order_by("pk")
        ],
        "notes": [{"text": one.text, "at": instant(one.at)} for one in notes],
        "drafts": [
            {"about": one.about, "fields": one.fields, "at": instant(one.at)}
            for one in person.drafts.filter(game=game).order_by("pk")
        ],
        "messages": _messages(game, person),
    }


def _messages(game: Game, person: User) -> list[Json]:
    """What the person has written to the whole table."""
    rows = game.messages.filter(author=person).select_related("author", "redaction__report")
    messages = list(rows.order_by("pk"))
    lines = chat_lines(game, messages, person.time_zone, set(), reader=person)
    return [_message(*both, person) for both in zip(messages, lines, strict=True)]


def _message(message: Message | PrivateMessage, line: ChatLine, reader: User) -> Json:
    """A message as its page shows it; the reader's own with what they wrote before editing it.

    And with their words where it was removed, as long as these are stored.
    """
    entry: Json = {
        "from": line.name,
        "at": instant(message.at),
        "text": line.text,
        "edited": line.edited,
        "removed": line.removed,
        "undone": line.undone,
    }
    if message.author_id == reader.pk:
        redaction = redaction_of(message)
        words = message.text if redaction is None else redaction.text
        entry |= {"my_words": words, "earlier": message.earlier}
    return entry


def _started(game: Game, person: User) -> Json:
    """What the person may see of a game that has begun."""
    if not is_readable(game):
        return {"readable": False}
    return {
        **_played(game, person),
        "log": [
            _line(line)
            for turn in read_turns(game, person, person.time_zone)
            for line in turn.all_lines
        ],
        "promises": _promises(game, person),
        "conversations": [
            {
                "with": thread.names,
                "messages": [
                    _message(message, line, person) | {"deal": line.deal}
                    for message, line in zip(thread.messages, thread.lines, strict=True)
                ],
            }
            for thread in own_threads(game, person)
        ],
    }


def _played(game: Game, person: User) -> Json:
    """The record of a game that is over; of one that isn't, how it stands for the person."""
    if game.is_over:
        return {"record": game_record(game, person)}
    position = read_position(game, person)
    return {"position": record_view(position.view), "orders": _orders(position)}


def _orders(position: Position) -> list[Json]:
    """What the person has left to be played for them."""
    lines = read_orders(position).lines
    return [
        {
            "order": line.text,
            "formula": row.formula,
            "scholar": row.scholar,
            "at": instant(row.made_at),
        }
        for row, line in zip(position.orders, lines, strict=True)
    ]


def _line(line: LogLine) -> Json:
    return {
        "step": line.seq,
        "at": line.iso,
        "text": line.text,
        "cause": line.cause,
        "reason": line.reason,
        "taken_back": line.abandoned,
    }


def _promises(game: Game, person: User) -> Json:
    page = read_ledger(game, person)
    still = page.promises
    return {
        "settled": [_settled(one) for one in reversed(page.settled)],
        "open": _offers([*still.to_me, *still.mine, *still.others]),
        "accepted": _offers(still.owed),
    }


def _settled(one: Settled) -> Json:
    return {
        "step": one.seq,
        "from": one.name,
        "to": one.other,
        "promise": one.deed,
        "terms": one.terms,
        "verdict": one.verdict,
        "cause": one.cause,
        "private": one.is_private,
    }


def _offers(lines: Iterable[OfferLine]) -> list[Json]:
    return [
        {"from": one.name, "to": one.other, "promise": one.text, "private": bool(one.thread)}
        for one in lines
    ]
