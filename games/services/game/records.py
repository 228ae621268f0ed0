"""The record of a game: its moves in order, as docs/record-format.md says."""

from bisect import bisect
from collections.abc import Iterable
from typing import Any

from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _

from games.engine.promise_codec import REPLIES
from games.engine.record import write_record
from games.models import Game, User
from games.services.game.private_offers import PrivateLedger, known_deals, ledgers_of
from games.services.game.read_seats import read_seats
from games.services.game.replay import event_rows, steps_of, surviving
from games.services.people.display_names import table_title
from games.services.public_ids import short_id
from games.services.refused import Refused
from games.table_events import OfferMade, OfferReplied


def game_record(game: Game, user: User | None = None) -> dict[str, Any]:
    """The record of a game that is over, as this person may have it.

    Offers that were made privately are in it only for readers who may know them. `Refused` as long
    as the game isn't over, and for a table that was closed before its game.
    """
    if not game.is_over:
        raise Refused(_("The record will be available once the game is over."))
    if game.state is None:
        raise Refused(_("No game was played at this table, so there is no record."))
    moves, table = published_moves(game), game.decoded().table
    seat = None if user is None else game.seats.filter(user=user).first()
    known = ledgers_of(game, table, None if seat is None else seat.number, read_seats(game))
    more = {"promises": _offers_and_replies(game, moves, known)} if game.ledger or known else {}
    return write_record(table, moves, name=table_title(game), **more)


def as_file(game: Game) -> dict[str, str]:
    """The header that makes a download of a record, named after its table.

    A few letters tell tables of one name apart.
    """
    words = ["intrigue", short_id("game", game.pk), slugify(table_title(game), allow_unicode=True)]
    name = f"{'-'.join(filter(None, words))}.json"
    header = content_disposition_header(as_attachment=True, filename=name)
    return {"Content-Disposition": header or ""}


def published_moves(game: Game) -> list[dict[str, Any]]:
    """The moves that everybody may know, in order, without those that a rewind took back.

    All of a game that is over. Of a running one, those of earlier phases: a move of the present
    phase may be a sealed bribe.
    """
    moves = game.moves.filter(abandoned=False)
    if not game.is_over:
        moves = moves.exclude(phase_no=game.phase_no)
    return list(moves.values_list("move", flat=True))


def _offers_and_replies(
    game: Game, moves: list[dict[str, Any]], private: Iterable[PrivateLedger]
) -> list[dict[str, Any]]:
    """The offers and replies of a game, in order, as its record writes them.

    The `private` ones too; all offers together are numbered from 1.
    """
    rows, players = event_rows(game), game.decoded().table.players
    ends = [step.seq for step in steps_of(game, rows, moves)]
    ledgers = [surviving(rows), *(known_deals(one, rows) for one in private)]
    rows_with_ledger = [
        (row, ledger)
        for ledger, events in enumerate(ledgers)
        for row in events
        if row.kind in {OfferMade.__name__, OfferReplied.__name__}
    ]
    ids: dict[tuple[int, int], int] = {}
    entries: list[dict[str, Any]] = []
    for row, ledger in sorted(rows_with_ledger, key=lambda one: (one[0].seq, one[0].at)):
        payload = row.payload
        entry = {
            "after": bisect(ends, row.seq) - 1,
            "player": players[payload["seat"]],
            "type": REPLIES.get(payload.get("reply", ""), "offer"),
            "id": ids.setdefault((ledger, payload["number"]), len(ids) + 1),
        }
        if row.kind == OfferMade.__name__:
            entry |= payload["terms"] | ({"private": True} if ledger else {})
        entries.append(entry)
    return entries
