"""The yardstick: the engine and the bare SQL of one move, by psycopg without Django.

What a move cannot do without: one lock, three reads, five writes, one commit. All other figures are
told as multiples of it, since machines differ. docs/performance.md lists the statements.

`python -m tests.benchmarks.speed.yardstick '{"games": [1, 2], "seconds": 5, "threads": 8}'` plays
in several threads and prints how many moves each second had.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import uuid4

import psycopg
from psycopg.types.json import Jsonb

from games.engine import (
    Event,
    Stage,
    State,
    decode,
    default_move,
    encode,
    encode_event,
    encode_move,
    step,
    to_move,
)

PACE = timedelta(days=7)

LOCK_GAME = """
SELECT id, state, phase_no, status, deadline_at, paused_at, parked_at, dormant_since,
    move_seconds, time_zone, no_play_days, fixed_hour
FROM games_game WHERE id = %s FOR NO KEY UPDATE
"""
READ_SEATS = """
SELECT seat.id, seat.number, seat.user_id, seat.to_move_phase, seat.deadline_at,
    seat.deadline_version, seat.absent_since, seat.missed, seat.computer_player, person.name,
    person.time_zone, person.is_active, person.suspended_until, person.unwanted_emails,
    (SELECT max(seq) FROM games_event WHERE game_id = %s)
FROM games_seat seat LEFT JOIN games_user person ON person.id = seat.user_id
WHERE seat.game_id = %s ORDER BY seat.number
"""
READ_ORDERS = """
SELECT id, seat_id, kind, scholar, formula, wait_if_addressed
FROM games_order WHERE seat_id = ANY(%s)
"""
WRITE_EVENTS = """
INSERT INTO games_event (game_id, seq, phase_no, kind, payload, cause, at)
SELECT %s, seq, phase_no, kind, payload, 'player', %s
FROM jsonb_to_recordset(%s) AS told (seq int, phase_no int, kind text, payload jsonb)
"""
WRITE_MOVE = """
INSERT INTO games_move (game_id, phase_no, seat_id, user_id, move, by_order, abandoned, cause,
    token, at, to_move_since, deadline_at)
VALUES (%s, %s, %s, %s, %s, false, false, 'player', %s, %s, now(), now())
"""
WRITE_GAME = """
UPDATE games_game SET state = %s, phase_no = %s, status = %s, phase_opened_at = %s,
    deadline_at = %s, finished_at = %s, attempts = 0, retry_at = NULL
WHERE id = %s
"""
WRITE_SEATS = """
UPDATE games_seat seat SET to_move_phase = told.to_move_phase, deadline_set_at = %s,
    to_move_since = %s, deadline_at = told.deadline_at, deadline_version = told.version,
    missed = told.missed, full_time = true, remind_at = NULL, phase_deadline_at = told.deadline_at
FROM jsonb_to_recordset(%s) AS told
    (id bigint, to_move_phase int, deadline_at timestamptz, version int, missed jsonb)
WHERE seat.id = told.id
"""
WRITE_EMAIL = """
WITH written AS (
    INSERT INTO games_outboxemail (kind, person_id, address, game_id, phase_no, deadline_version,
        about, status, attempts, not_before, message_id, error, created_at)
    SELECT 'your_turn', person, '', %s, %s, version, 0, 'ready', 0, %s, '', '', %s
    FROM jsonb_to_recordset(%s) AS told (person bigint, version int)
    ON CONFLICT DO NOTHING RETURNING id, person_id, not_before
)
INSERT INTO games_outboxpush (email_id, subscription_id, not_before, attempts)
SELECT written.id, subscription.id, written.not_before, 0
FROM written JOIN games_pushsubscription subscription
    ON subscription.user_id = written.person_id
"""


class Seat(NamedTuple):
    """What a move has to know of a seat: some columns of `READ_SEATS`."""

    id: int
    number: int
    user_id: int
    to_move_phase: int
    deadline_at: datetime | None
    version: int
    missed: list[bool]


def play(connection: psycopg.Connection, game_id: int) -> bool:
    """Play the default move of a seat that is to move; whether there was one."""
    now = datetime.now(UTC)
    with connection.transaction(), connection.cursor() as cursor:
        game = cursor.execute(LOCK_GAME, (game_id,)).fetchone()
        assert game is not None
        rows = cursor.execute(READ_SEATS, (game_id, game_id)).fetchall()
        cursor.execute(READ_ORDERS, ([row[0] for row in rows],)).fetchall()
        state, phase_no, last = decode(game[1]), game[2], rows[0][-1]
        if state.stage is Stage.OVER:
            return False
        seats = {row[1]: Seat(*row[:6], row[7]) for row in rows}
        mover = seats[to_move(state)[0]]
        seats[mover.number] = mover._replace(missed=[*mover.missed, False][-8:])
        move = default_move(state, mover.number)
        made = step(state, mover.number, move)
        opened, events = _numbered(made.events, phase_no, last)
        cursor.execute(WRITE_EVENTS, (game_id, now, Jsonb(events)))
        moved = Jsonb(encode_move(state.table, mover.number, move))
        told = (game_id, phase_no, mover.id, mover.user_id, moved, uuid4(), now)
        cursor.execute(WRITE_MOVE, told)
        _write_what_follows(cursor, game_id, made.state, opened, seats.values(), now)
    return True


def _numbered(told: Iterable[Event], phase_no: int, last: int) -> tuple[int, list[dict[str, Any]]]:
    """The phase after these events, and their rows."""
    rows = []
    for seq, event in enumerate(told, last + 1):
        payload = encode_event(event)
        kind = payload.pop("kind")
        phase_no += kind in {"StageOpened", "GameEnded"}
        rows.append({"seq": seq, "phase_no": phase_no, "kind": kind, "payload": payload})
    return phase_no, rows


def _write_what_follows(
    cursor: psycopg.Cursor,
    game_id: int,
    state: State,
    phase_no: int,
    seats: Iterable[Seat],
    now: datetime,
) -> None:
    """The game with its new state, the seats that are to move now or no more, and their email."""
    waiting, deadline_at = set(to_move(state)), now + PACE
    ended = state.stage is Stage.OVER
    changed, people = [], []
    for seat in seats:
        due = seat.deadline_at is not None
        told: dict[str, Any] = {"id": seat.id, "to_move_phase": seat.to_move_phase}
        told["missed"] = seat.missed
        if seat.number in waiting and not (due and seat.to_move_phase == phase_no):
            told |= {"to_move_phase": phase_no, "deadline_at": f"{deadline_at}"}
            changed.append(told | {"version": seat.version + 1})
            people.append({"person": seat.user_id, "version": seat.version + 1})
        elif seat.number not in waiting and due:
            changed.append(told | {"deadline_at": None, "version": seat.version})
    status, ended_at = ("finished", now) if ended else ("running", None)
    game = (Jsonb(encode(state)), phase_no, status, now, None if ended else deadline_at)
    cursor.execute(WRITE_GAME, (*game, ended_at, game_id))
    cursor.execute(WRITE_SEATS, (now, now, Jsonb(changed)))
    cursor.execute(WRITE_EMAIL, (game_id, phase_no, now, now, Jsonb(people)))


def connect(url: str) -> psycopg.Connection:
    """A connection of which nothing is prepared on the server.

    The site's connections prepare what they ask often, which spares the server work and not the
    client, whose time this measures. So it was in the first run, and a yardstick keeps its length.
    """
    return psycopg.connect(url, autocommit=True, prepare_threshold=None)


def cpu_ms(connection: psycopg.Connection, games: Iterator[int], moves: int) -> list[float]:
    """The CPU time of each of so many moves in this process, in milliseconds."""
    found = []
    while len(found) < moves:
        game_id = next(games)
        began = time.process_time()
        played = play(connection, game_id)
        took = time.process_time() - began
        if played:
            found.append(1000 * took)
    return found


def main(given: dict[str, Any]) -> None:
    """Play in so many threads, each with games of its own; print the time of each commit."""
    times: list[float] = []
    failures: list[str] = []
    end = time.time() + given["seconds"]

    def work(games: list[int]) -> None:
        with connect(os.environ["DATABASE_URL"]) as connection:
            for game_id in games:
                while play(connection, game_id):
                    times.append(time.time())
                    if times[-1] > end:
                        return
        failures.append("There are too few games.")

    shares = [given["games"][one :: given["threads"]] for one in range(given["threads"])]
    threads = [threading.Thread(target=work, args=[share]) for share in shares]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise SystemExit(failures[0])
    sys.stdout.write(json.dumps(times) + "\n")


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
