"""Backup and restore for real, and two migrations at once."""

import os
import stat
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import environ
import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from psycopg.conninfo import conninfo_to_dict

from games.management.commands.migrate import LOCK
from games.models import OutboxEmail
from games.services import timeouts
from games.services.operations.health import health
from intrigue_site import backup, embedded
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.tables import MONDAY, open_table, seats_to_move, submit_move

pytestmark = [pytest.mark.full, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]


def manage(environment, *arguments):
    return subprocess.Popen(
        [sys.executable, ROOT / "manage.py", *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process):
    out, err = process.communicate(timeout=PATIENCE_SECONDS)
    return process.returncode, out, err


@pytest.fixture
def game(transactional_db):
    game = open_table("Anna", "Boris", "Clara")
    for _ in range(12):
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    return game


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("postgresql:///intrigue", {"dbname": "intrigue"}),
        (
            "postgresql://anna:s%40fe@db.example.org:5433/games?sslmode=verify-full",
            {
                "host": "db.example.org",
                "port": "5433",
                "user": "anna",
                "dbname": "games",
                "sslmode": "verify-full",
            },
        ),
        (
            "postgresql:///games?host=/run/postgresql&password=safe",
            {"dbname": "games", "host": "/run/postgresql"},
        ),
    ],
)
def test_pg_dump_gets_what_is_in_the_url_and_no_more(url, text):
    """Each version of PostgreSQL has options that earlier ones refuse."""
    given = {"OPTIONS": {}} | environ.Env.db_url_config(url)
    given["OPTIONS"] |= settings.BINDING
    assert conninfo_to_dict(backup._address(given)) == text


@pytest.mark.usefixtures("game")
def test_a_backup_is_restored_elsewhere_and_every_game_is_right(empty, tmp_path, capsys):
    file = tmp_path / "intrigue.dump"
    call_command("backup", file)
    assert f"{file} has the whole database" in capsys.readouterr().out
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]

    code, out, err = ended(manage(empty, "restore", file))
    assert (code, err) == (0, "")
    assert "Next: manage.py migrate, then manage.py verify_games." in out
    assert ended(manage(empty, "migrate"))[0] == 0
    assert ended(manage(empty, "verify_games")) == (0, "Games replayed: 1; with faults: 0.\n", "")

    code, _out, err = ended(manage(empty, "restore", file))
    assert code == 1
    assert "tables already, and a backup is restored only into an empty one" in err


@pytest.mark.usefixtures("game")
def test_email_that_waited_in_a_backup_is_not_sent_by_the_restored_site(empty, tmp_path):
    file = tmp_path / "intrigue.dump"
    news = OutboxEmail.objects.filter(status="ready").exclude(kind="your_turn").count()
    turns = OutboxEmail.objects.filter(status="ready", kind="your_turn").count()
    assert news
    assert turns
    call_command("backup", file)
    code, out, _err = ended(manage(empty, "restore", file))
    assert code == 0
    assert f"Emails dropped that waited in the backup: {news}." in out
    name = urlsplit(empty["DATABASE_URL"]).path.removeprefix("/")
    with psycopg.connect(**connection.get_connection_params() | {"dbname": name}) as other:
        rows = "SELECT kind <> 'your_turn', status, count(*) FROM games_outboxemail GROUP BY 1, 2"
        found = {(is_news, status): count for is_news, status, count in other.execute(rows)}
    assert found == {(True, "dropped"): news, (False, "ready"): turns}


def test_an_older_backup_is_not_overwritten(db, tmp_path):
    file = tmp_path / "monday.dump"
    file.write_text("precious")
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", file)
    assert file.read_text() == "precious"


def test_where_nothing_can_be_written_nothing_is_left_behind(db, tmp_path):
    with pytest.raises(CommandError, match="cannot be written: No such file or directory"):
        call_command("backup", tmp_path / "nowhere" / "monday.dump")
    assert list(tmp_path.iterdir()) == []


def test_a_backup_notes_when_it_was_made_and_one_that_fails_notes_nothing(db, tmp_path):
    with pytest.raises(CommandError):
        call_command("backup", tmp_path / "nowhere" / "monday.dump")
    assert health(timezone.now()).last_backup is None
    begun = timezone.now()
    call_command("backup", tmp_path / "monday.dump")
    assert begun <= health(timezone.now()).last_backup <= timezone.now()


def test_a_file_that_is_no_backup_is_refused_in_words(empty, tmp_path):
    file = tmp_path / "letter.txt"
    file.write_text("Dear Anna, ...")
    code, _out, err = ended(manage(empty, "restore", file))
    assert code == 1
    assert "pg_restore failed" in err
    assert "Traceback" not in err
    code, _out, err = ended(manage(empty, "restore", tmp_path / "missing"))
    assert (code, err) == (1, f"CommandError: There is no file {tmp_path / 'missing'}.\n")


@pytest.mark.parametrize(
    ("version", "has"),
    [(15, "the pg_dump on the path is of version 15"), (None, "there is no pg_dump")],
    ids=["an older one", "none"],
)
def test_programs_that_are_missing_or_too_old_are_named(db, tmp_path, monkeypatch, version, has):
    """A host without the demo's wheel, and with these programs on its path."""
    monkeypatch.setattr(embedded, "programs", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    if version:
        program = tmp_path / "pg_dump"
        program.write_text(f"#!/bin/sh\necho 'pg_dump (PostgreSQL) {version}.2'\n")
        program.chmod(0o755)
    with pytest.raises(CommandError) as refusal:
        call_command("backup", tmp_path / "monday.dump")
    server = connection.pg_version // 10000
    assert str(refusal.value) == (
        f"The server is PostgreSQL {server}, but {has}: please install PostgreSQL's client "
        f"programs of version {server} or later."
    )
    assert not (tmp_path / "monday.dump").exists()


def test_a_database_that_is_away_is_a_sentence(tmp_path):
    environment = {"PATH": os.environ["PATH"], "DATABASE_URL": "postgresql://127.0.0.1:1/intrigue"}
    for command in ("backup", "restore"):
        file = tmp_path / command
        if command == "restore":
            file.touch()
        code, _out, err = ended(manage(environment, command, file))
        assert code == 1
        assert err.startswith("CommandError: PostgreSQL does not answer: ")


@pytest.mark.usefixtures("game")
def test_what_needs_a_session_goes_past_the_pooler(empty, process_environment, tmp_path):
    """Where DATABASE_URL leads, nothing responds."""
    file, nowhere = tmp_path / "intrigue.dump", "postgresql://127.0.0.1:1/intrigue"
    full = {"DATABASE_URL": nowhere, "DATABASE_DIRECT_URL": process_environment["DATABASE_URL"]}
    new = {"DATABASE_URL": nowhere, "DATABASE_DIRECT_URL": empty["DATABASE_URL"]}
    assert ended(manage(process_environment | full, "backup", file))[0] == 0
    assert ended(manage(empty | new, "restore", file))[0] == 0
    code, out, err = ended(manage(empty | new, "migrate"))
    assert (code, err, "No migrations to apply." in out) == (0, "", True)
    with psycopg.connect(empty["DATABASE_URL"]) as restored:
        assert restored.execute("SELECT count(*) FROM games_game").fetchone()[0] == 1
        assert restored.execute("SHOW lock_timeout").fetchone()[0] == "500ms"


@pytest.mark.long
@pytest.mark.counts
def test_migrations_at_once_are_one_after_the_other_and_set_the_time_limits(empty):
    """Peers: two migrations at once on deploy. A later one waits for locks as long as it takes."""
    answers = [ended(process) for process in [manage(empty, "migrate") for _ in range(2)]]
    assert [(code, err) for code, _out, err in answers] == [(0, "")] * 2
    first = "Applying games.0001_initial... OK"
    applied = [out for _code, out, _err in answers if first in out]
    assert len(applied) == 1
    assert sum("No migrations to apply." in out for _code, out, _err in answers) == 1
    with psycopg.connect(empty["DATABASE_URL"]) as other:
        for name, limit in timeouts.TIMEOUTS.items():
            assert other.execute(f"SHOW {name}").fetchone()[0] == limit
        other.execute("LOCK TABLE django_migrations")
        waiting = manage(empty, "migrate")
        wait_until(lambda: waits_for_longer_than_others_may(other.info.dbname))
        other.rollback()
        code, out, _err = ended(waiting)
    assert (code, "No migrations to apply." in out) == (0, True)


def test_a_migration_waits_for_another_one_and_goes_on(process_environment, transactional_db):
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        waiting = manage(process_environment, "migrate")
        assert (
            waiting.stdout.readline() == "Another migration is running; waiting for its end ...\n"
        )
        assert waiting.poll() is None
        cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
    code, out, err = ended(waiting)
    assert (code, err) == (0, "")
    assert "No migrations to apply." in out


def waits_for_longer_than_others_may(database):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = %s "
            "AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > '700 ms'",
            [database],
        )
        return cursor.fetchone()[0]
