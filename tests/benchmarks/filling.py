"""A database as full as after years: real rows of a few games, copied by the database itself."""

import json
import os

from django.db import connection
from django.db.models import NOT_PROVIDED, Field
from django.utils import timezone
from psycopg.sql import quote

from games.features.questions.models import Letter, Question
from games.models import (
    AuditLine,
    Event,
    Game,
    Message,
    OutboxEmail,
    Redaction,
    Report,
    Sanction,
    Seat,
    Sitting,
    User,
)
from tests.support.client import person
from tests.support.tables import long_game, open_table, tick

SHARE = 100 if "BENCH_ADMIN_SMALL" in os.environ else 1
"""In small, one in a hundred, to see that everything can still be filled and opened."""

PEOPLE = 50_000 // SHARE
GAMES = 100_000 // SHARE
EVENTS = 1_000_000 // SHARE
LONG_GAMES = 2_000 // SHARE
MESSAGES = 500_000 // SHARE
MAILS = 500_000 // SHARE
LINES = 1_000_000 // SHARE
REPORTS = 20_000 // SHARE
SANCTIONS = 20_000 // SHARE
QUESTIONS = 20_000 // SHARE

NAMES = "ARRAY['Venice','Rialto','Murano','Lido','Burano','Padua','Verona','Siena']"
WORDS = (
    "ARRAY['late','money','bribe','clerk','friend','rules','pause','thanks','tomorrow','palace']"
)
KINDS = "ARRAY['threat','insult','accounts','advertising','name','other']"
WHEN = "now() - (interval '3 years' * ({most} - n) / {most})"


def fill() -> None:
    """Fill it; every table that grows, in the order in which rows point to each other."""
    _run("SET statement_timeout = 0; SET lock_timeout = 0")  # autovacuum is at work, too
    now = timezone.now()
    tick(now)
    long = long_game("Anna", "Boris", now=now)
    short = open_table("Clara", "Dora", "Emil", now=now)
    for step in (_people, _games, _seats, _events, _talk, _emails, _lines, _reports, _sanctions,
                 _questions):  # fmt: skip
        step(long, short)
        print(f"  {step.__name__.strip('_')}: done", flush=True)
    _run("VACUUM ANALYZE")  # as autovacuum does on a site that has run for a while
    _run("RESET statement_timeout; RESET lock_timeout")


def _run(sql: str, **given: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, given or None)


def _copy(model: type, rows: str, into: dict[str, str]) -> None:
    """Rows made of `rows`, with these columns as expressions and all others as they are."""
    meta = model._meta
    columns = [field.column for field in meta.concrete_fields if not field.primary_key]
    chosen = [into.get(column, f"one.{column}") for column in columns]
    names = ", ".join(f'"{column}"' for column in columns)
    _run(f'INSERT INTO "{meta.db_table}" ({names}) SELECT {", ".join(chosen)} FROM {rows}')


def _insert(model: type, into: dict[str, str], rows: str) -> None:
    """Rows made of `rows`, with these columns as expressions and all others at their defaults."""
    others = {
        field.column: _default(field)
        for field in model._meta.concrete_fields
        if not (field.primary_key or field.null or field.column in into)
    }
    columns = others | into
    names = ", ".join(f'"{column}"' for column in columns)
    chosen = ", ".join(columns.values())
    _run(f'INSERT INTO "{model._meta.db_table}" ({names}) SELECT {chosen} FROM {rows}')


def _default(field: Field) -> str:
    """What Django would store where nothing is said, as SQL."""
    is_words = field.get_internal_type() in {"CharField", "TextField"}
    if field.default is NOT_PROVIDED and not is_words:
        raise ValueError(f"{field} has no default: say what it is to be.")
    value = field.get_default()
    return quote(json.dumps(value) if isinstance(value, list | dict) else value)


def _people(long: Game, _short: Game) -> None:
    model = person("Template")
    into = {
        "email": "'player' || n || '@example.org'",
        "name": "'Player ' || n",
        "name_key": "'player ' || n",
    }
    rows = f"games_user one, generate_series(1, {PEOPLE}) n WHERE one.id = {model.pk}"
    _copy(User, rows, into)


def _games(long: Game, short: Game) -> None:
    """A few long games and many short ones; most are over, some wait, some run."""
    shared = {
        "name": f"({NAMES})[1 + n % 8] || ' table ' || n",
        "token": "'copy' || lpad(n::text, 8, '0')",
        "opening_token": "NULL",
        "created_at": WHEN.format(most=GAMES),
    }
    over = {
        "status": "CASE WHEN n % 20 = 0 THEN 'running' ELSE 'finished' END",
        "deadline_at": "CASE WHEN n % 20 = 0 THEN now() + interval '1 day' END",
    }
    rest = GAMES - 2
    source = f"CASE WHEN n % {GAMES // LONG_GAMES} = 0 THEN {long.pk} ELSE {short.pk} END"
    rows = f"generate_series(1, {rest}) n JOIN games_game one ON one.id = {source}"
    _copy(Game, rows, shared | over)
    _run(
        "UPDATE games_game SET deadline_at = NULL, parked_at = now(), error = 'KeyError' "
        "WHERE token LIKE 'copy%' AND status = 'running' AND id % 2000 = 0"
    )


def _of_copies(model: type, long: Game, short: Game, into: dict[str, str]) -> None:
    """Copy the rows of both games to all their copies, which differ in size."""
    rows = (
        f'games_game copy JOIN "{model._meta.db_table}" one ON one.game_id = '
        f"CASE WHEN copy.size = {long.size} THEN {long.pk} ELSE {short.pk} END "
        f"WHERE copy.id NOT IN ({long.pk}, {short.pk})"
    )
    _copy(model, rows, {"game_id": "copy.id"} | into)


def _seats(long: Game, short: Game) -> None:
    first = "(SELECT min(id) FROM games_user WHERE name LIKE 'Player %')"
    someone = f"{first} + (copy.id * 7 + one.number * 11) % {PEOPLE}"
    into = {
        "user_id": f"CASE WHEN one.user_id IS NULL THEN NULL ELSE {someone} END",
        "deadline_at": "CASE WHEN copy.deadline_at IS NULL THEN NULL ELSE one.deadline_at END",
        "remind_at": "NULL",
    }
    _of_copies(Seat, long, short, into)
    _insert(
        Sitting,
        {"seat_id": "id", "user_id": "user_id", "began_at": "joined_at"},
        "games_seat WHERE user_id IS NOT NULL AND id NOT IN (SELECT seat_id FROM games_sitting)",
    )


def _events(long: Game, short: Game) -> None:
    """All events of the long games, and of short ones; more of the same kinds up to the number."""
    _of_copies(Event, long, short, {})
    missing = EVENTS - Event.objects.count()
    if missing > 0:
        rows = (
            f"generate_series(1, {missing}) n JOIN games_event one ON one.game_id = {short.pk} "
            f"AND one.seq = 1 JOIN (SELECT id, row_number() OVER () - 1 AS place FROM games_game) "
            f"copy ON copy.place = n % {GAMES}"
        )
        _copy(Event, rows, {"game_id": "copy.id", "seq": "1000 + n"})


def _talk(long: Game, short: Game) -> None:
    words = f"({WORDS})[1 + n % 10] || ' ' || ({WORDS})[1 + (n / 7) % 10] || ' ' || n"
    into = {
        "game_id": "seat.game_id",
        "author_id": "seat.user_id",
        "text": words,
        "token": "gen_random_uuid()",
        "at": WHEN.format(most=MESSAGES),
    }
    _insert(
        Message,
        into,
        f"generate_series(1, {MESSAGES}) n JOIN (SELECT game_id, user_id, row_number() OVER "
        "(ORDER BY id) AS place FROM games_seat WHERE user_id IS NOT NULL) seat "
        f"ON seat.place = 1 + (n / 2) % {2 * GAMES}",
    )


def _emails(long: Game, short: Game) -> None:
    usual = "(ARRAY['your_turn','reminder','game_over'])[1 + n % 3]"
    kind = f"CASE n % 50 WHEN 0 THEN 'vote' ELSE {usual} END"
    status = "CASE WHEN n % 5000 = 0 THEN 'failed' WHEN n % 9 = 0 THEN 'dropped' ELSE 'sent' END"
    into = {
        "kind": kind,
        "person_id": "seat.user_id",
        "game_id": "seat.game_id",
        "phase_no": "1",
        "about": "n",
        "status": status,
        "attempts": "1",
        "not_before": WHEN.format(most=MAILS),
        "message_id": "'<' || n || '@example.org>'",
        "created_at": WHEN.format(most=MAILS),
    }
    _insert(
        OutboxEmail,
        into,
        f"generate_series(1, {MAILS}) n JOIN (SELECT game_id, user_id, row_number() "
        "OVER (ORDER BY id DESC) AS place FROM games_seat WHERE user_id IS NOT NULL) seat "
        f"ON seat.place = 1 + (n / 2) % {2 * GAMES}",
    )
    assert OutboxEmail.objects.filter(status="failed").exists()


def _lines(long: Game, short: Game) -> None:
    """Mostly the clock's and the tables', some by each of ten moderators, who have rare acts."""
    action = (
        "CASE WHEN n % 997 = 0 THEN 'secrets.reveal' ELSE "
        "(ARRAY['game.resume','game.extend','vote.pause','game.excuse'])[1 + n % 4] END"
    )
    who = (
        "CASE WHEN n % 4 = 0 THEN 'Moderator ' || n % 10 ELSE "
        "(ARRAY['the clock','the table'])[1 + n % 2] END"
    )
    words = f"({WORDS})[1 + n % 10] || ' ' || ({WORDS})[1 + (n / 7) % 10]"
    into = {
        "at": WHEN.format(most=LINES),
        "who": who,
        "action": action,
        "game_id": "copy.id",
        "person_id": (
            f"CASE WHEN n % 4 = 0 THEN (SELECT min(id) FROM games_user) + n % {PEOPLE} END"
        ),
        "reason": f"'The ' || {words} || ' ' || n % 5000",
    }
    _insert(
        AuditLine,
        into,
        f"generate_series(1, {LINES}) n JOIN (SELECT id, row_number() OVER (ORDER BY id) AS place "
        f"FROM games_game) copy ON copy.place = 1 + n % {GAMES - 10}",
    )
    assert AuditLine.objects.count() >= LINES


def _reports(long: Game, short: Game) -> None:
    """A few wait, a third is rejected, the others are upheld, each with its message removed."""
    first = "(SELECT min(id) FROM games_user WHERE name LIKE 'Player %')"
    state = "CASE WHEN n % 100 = 0 THEN 'open' WHEN n % 3 = 0 THEN 'rejected' ELSE 'upheld' END"
    when = WHEN.format(most=REPORTS)
    into = {
        "token": "gen_random_uuid()",
        "reporter_id": f"CASE WHEN said.author_id = {first} THEN {first} + 1 ELSE {first} END",
        "person_id": "said.author_id",
        "game_id": "said.game_id",
        "message_id": "said.id",
        "kind": f"({KINDS})[1 + n % 6]",
        "text": "'He is rude.'",
        "at": when,
        "state": state,
        "decided_at": f"CASE WHEN n % 100 = 0 THEN NULL ELSE {when} END",
    }
    _insert(
        Report,
        into,
        f"generate_series(1, {REPORTS}) n JOIN games_message said "
        f"ON said.id = (SELECT min(id) FROM games_message) + n * {MESSAGES // REPORTS - 5}",
    )
    removed = {
        "message_id": "message_id",
        "report_id": "id",
        "who": "'Moderator 4'",
        "reason": "'Be kind.'",
        "text": "'What was said.'",
        "at": "at",
    }
    _insert(Redaction, removed, "games_report WHERE state = 'upheld'")
    assert Redaction.objects.count() > REPORTS // 2


def _sanctions(long: Game, short: Game) -> None:
    """Most have ended; some people are suspended, muted or banned now."""
    first = "(SELECT min(id) FROM games_user WHERE name LIKE 'Player %')"
    kind = "(ARRAY['warning','mute','suspension','ban'])[1 + n % 4]"
    when = WHEN.format(most=SANCTIONS)
    into = {
        "person_id": f"{first} + n",
        "kind": kind,
        "reason": "'Be kind.'",
        "at": when,
        "until": f"CASE WHEN n % 4 IN (1, 2) THEN {when} + interval '30 days' END",
        "ended_at": f"CASE WHEN n % 40 > 3 THEN {when} + interval '9 days' END",
    }
    _insert(Sanction, into, f"generate_series(1, {SANCTIONS}) n")
    _run(
        "UPDATE games_user SET suspended_until = CASE WHEN id % 900 = 1 THEN now() + interval "
        "'9 days' END, muted_until = CASE WHEN id % 900 = 2 THEN now() + interval '9 days' END, "
        "is_active = (id % 900 <> 3) WHERE name LIKE 'Player %' AND id % 900 < 4"
    )
    assert Sanction.objects.filter(ended_at=None).exists()


def _questions(long: Game, short: Game) -> None:
    """A few wait, most are answered; each has two messages."""
    first = "(SELECT min(id) FROM games_user WHERE name LIKE 'Player %')"
    when = WHEN.format(most=QUESTIONS)
    into = {
        "token": "gen_random_uuid()",
        "person_id": f"{first} + n % {PEOPLE - 1}",
        "kind": "(ARRAY['game','clock','email','access','other'])[1 + n % 5]",
        "state": "CASE WHEN n % 100 = 0 THEN 'waiting' WHEN n % 3 = 0 THEN 'closed' "
        "ELSE 'answered' END",
        "at": when,
        "last_at": when,
    }
    _insert(Question, into, f"generate_series(1, {QUESTIONS}) n")
    letters = {
        "question_id": "thread.id",
        "token": "gen_random_uuid()",
        "by": "(ARRAY['person','moderator'])[n]",
        "text": "'Why did the clock play?'",
        "at": "thread.at",
    }
    _insert(Letter, letters, "questions_question thread, generate_series(1, 2) n")
