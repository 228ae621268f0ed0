"""A database as full as after years: real rows of a few games, copied by the database itself."""

from django.db import connection
from django.utils import timezone

from games.models import AuditLine, Event, Game, OutboxEmail, Redaction, Sanction, Seat, User
from tests.support.client import person
from tests.support.tables import long_game, open_table, tick

PEOPLE = 50_000
GAMES = 100_000
EVENTS = 1_000_000
LONG_GAMES = 2_000
MESSAGES = 500_000
MAILS = 500_000
LINES = 1_000_000
REPORTS = 20_000
SANCTIONS = 20_000

NAMES = "ARRAY['Venice','Rialto','Murano','Lido','Burano','Padua','Verona','Siena']"
WORDS = (
    "ARRAY['late','money','bribe','clerk','friend','rules','pause','thanks','tomorrow','palace']"
)
WHEN = "now() - (interval '3 years' * ({most} - n) / {most})"


def fill() -> None:
    """Fill it; every table that grows, in the order in which rows point to each other."""
    now = timezone.now()
    tick(now)
    long = long_game("Anna", "Boris", now=now)
    short = open_table("Clara", "Dora", "Emil", now=now)
    for step in (_people, _games, _seats, _events, _talk, _emails, _lines, _reports, _sanctions):
        step(long, short)
        print(f"  {step.__name__.strip('_')}: done", flush=True)
    _run("ANALYZE")


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
    _run(
        "INSERT INTO games_sitting (seat_id, user_id, began_at) "
        "SELECT id, user_id, joined_at FROM games_seat WHERE user_id IS NOT NULL AND id NOT IN "
        "(SELECT seat_id FROM games_sitting)"
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
    _run(
        "INSERT INTO games_message (game_id, author_id, text, by_referee, token, at) "
        f"SELECT seat.game_id, seat.user_id, {words}, false, gen_random_uuid(), "
        f"{WHEN.format(most=MESSAGES)} FROM generate_series(1, {MESSAGES}) n JOIN "
        "(SELECT game_id, user_id, row_number() OVER (ORDER BY id) AS place FROM games_seat "
        "WHERE user_id IS NOT NULL) seat ON seat.place = 1 + (n / 2) % 200000"
    )


def _emails(long: Game, short: Game) -> None:
    usual = "(ARRAY['your_turn','reminder','game_over'])[1 + n % 3]"
    kind = f"CASE n % 50 WHEN 0 THEN 'vote' ELSE {usual} END"
    status = "CASE WHEN n % 5000 = 0 THEN 'failed' WHEN n % 9 = 0 THEN 'dropped' ELSE 'sent' END"
    _run(
        "INSERT INTO games_outboxemail (kind, person_id, address, game_id, phase_no, "
        "deadline_version, about, status, attempts, not_before, message_id, error, created_at) "
        f"SELECT {kind}, seat.user_id, '', seat.game_id, 1, 0, n, {status}, 1, "
        f"{WHEN.format(most=MAILS)}, '', '', {WHEN.format(most=MAILS)} "
        f"FROM generate_series(1, {MAILS}) n JOIN (SELECT game_id, user_id, row_number() "
        "OVER (ORDER BY id DESC) AS place FROM games_seat WHERE user_id IS NOT NULL) seat "
        "ON seat.place = 1 + (n / 2) % 200000"
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
    _run(
        "INSERT INTO games_auditline (at, who, action, game_id, person_id, reason, before, after) "
        f"SELECT {WHEN.format(most=LINES)}, {who}, {action}, copy.id, "
        f"CASE WHEN n % 4 = 0 THEN (SELECT min(id) FROM games_user) + n % {PEOPLE} END, "
        f"'The ' || ({WORDS})[1 + n % 10] || ' ' || ({WORDS})[1 + (n / 7) % 10] || ' ' || "
        f"n % 5000, '{{}}', '{{}}' FROM generate_series(1, {LINES}) n JOIN (SELECT id, "
        "row_number() OVER (ORDER BY id) AS place FROM games_game) copy "
        f"ON copy.place = 1 + n % {GAMES - 10}"
    )
    assert AuditLine.objects.count() >= LINES


def _reports(long: Game, short: Game) -> None:
    """A few wait, a third is rejected, the others are upheld, each with its message removed."""
    first = "(SELECT min(id) FROM games_user WHERE name LIKE 'Player %')"
    state = "CASE WHEN n % 1000 = 0 THEN 'open' WHEN n % 3 = 0 THEN 'rejected' ELSE 'upheld' END"
    _run(
        "INSERT INTO games_report (token, reporter_id, person_id, game_id, message_id, text, at, "
        "state, outcome, decided_at, appeal, last_word) SELECT gen_random_uuid(), "
        f"CASE WHEN said.author_id = {first} THEN {first} + 1 ELSE {first} END, said.author_id, "
        f"said.game_id, said.id, 'He is rude.', {WHEN.format(most=REPORTS)}, {state}, '', "
        f"CASE WHEN n % 1000 = 0 THEN NULL ELSE {WHEN.format(most=REPORTS)} END, '', '' "
        f"FROM generate_series(1, {REPORTS}) n JOIN games_message said ON said.id = "
        "(SELECT min(id) FROM games_message) + n * 20"
    )
    _run(
        "INSERT INTO games_redaction (message_id, report_id, who, reason, text, at) "
        "SELECT message_id, id, 'Moderator 4', 'Be kind.', 'What was said.', at "
        "FROM games_report WHERE state = 'upheld'"
    )
    assert Redaction.objects.count() > REPORTS // 2


def _sanctions(long: Game, short: Game) -> None:
    """Most have ended; some people are suspended, muted or banned now."""
    first = "(SELECT min(id) FROM games_user WHERE name LIKE 'Player %')"
    kind = "(ARRAY['warning','mute','suspension','ban'])[1 + n % 4]"
    when = WHEN.format(most=SANCTIONS)
    _run(
        "INSERT INTO games_sanction (person_id, kind, reason, at, until, ended_at, appeal, "
        f"answer) SELECT {first} + n, {kind}, 'Be kind.', {when}, CASE WHEN n % 4 IN (1, 2) THEN "
        f"{when} + interval '30 days' END, CASE WHEN n % 40 > 3 THEN {when} + interval '9 days' "
        f"END, '', '' FROM generate_series(1, {SANCTIONS}) n"
    )
    _run(
        "UPDATE games_user SET suspended_until = CASE WHEN id % 900 = 1 THEN now() + interval "
        "'9 days' END, muted_until = CASE WHEN id % 900 = 2 THEN now() + interval '9 days' END, "
        "is_active = (id % 900 <> 3) WHERE name LIKE 'Player %' AND id % 900 < 4"
    )
    assert Sanction.objects.filter(ended_at=None).exists()
