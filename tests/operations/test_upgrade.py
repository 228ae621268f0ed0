"""Databases of earlier versions: each one is upgraded, and its games go on."""

import json
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from games.engine import EDITIONS
from tests.operations.test_backup import ended, manage

pytestmark = pytest.mark.full

ROOT = Path(__file__).resolve().parents[2]
RELEASES = sorted((ROOT / "tests" / "upgrades").glob("*.sql"))


def test_a_database_of_before_the_first_release_is_recognised_and_left_alone(empty):
    with psycopg.connect(empty["DATABASE_URL"], autocommit=True) as database:
        database.execute(
            "CREATE TABLE django_migrations"
            " (id bigserial, app text, name text, applied timestamptz DEFAULT now())"
        )
        database.execute(
            "INSERT INTO django_migrations (app, name) VALUES ('games', '0001_people')"
        )
        code, _out, err = ended(manage(empty, "migrate"))
        tables = database.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        ).fetchall()
    assert (code, tables) == (1, [("django_migrations",)])
    assert err == (
        "CommandError: This database was made by a version before 0.1.0 and can't be upgraded. "
        "Start with an empty database; the demo does that with: bin/demo --reset\n"
    )


def test_there_is_a_release():
    assert ROOT / "tests" / "upgrades" / "0.1.0.sql" in RELEASES


@pytest.mark.parametrize(
    "release",
    [
        pytest.param(file, marks=[] if file in (RELEASES[0], RELEASES[-1]) else pytest.mark.long)
        for file in RELEASES
    ],
    ids=lambda file: file.stem,
)
def test_the_games_of_a_release_migrate_verify_and_go_on(empty, release):
    with psycopg.connect(empty["DATABASE_URL"], autocommit=True) as database:
        database.execute(release.read_text())
        database.execute("SET search_path = public")
        games = database.execute("SELECT count(*) FROM games_game").fetchone()[0]
        broken = database.execute(
            "SELECT count(*) FROM games_game WHERE parked_at IS NOT NULL"
        ).fetchone()[0]
    assert games > 25
    code, _out, err = ended(manage(empty, "migrate"))
    assert (code, err) == (0, "")
    with psycopg.connect(empty["DATABASE_URL"], autocommit=True) as database:
        shown = database.execute("SELECT DISTINCT strangers FROM games_game").fetchall()
        named = database.execute("SELECT DISTINCT named_to_strangers FROM games_user").fetchall()
    assert (shown, named) == ([("afterwards",)], [(None,)]), "Nothing is public that was not."
    code, out, _err = ended(manage(empty, "verify_games"))
    assert (code, broken, out.splitlines()[-1]) == (
        0,
        1,
        f"Games replayed: {games}; with faults: 0.",
    )
    played = subprocess.run(
        [sys.executable, "-m", "tests.upgrades.play_on"],
        env=empty,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    done = json.loads(played.stdout)
    assert {edition for edition, moves in done["moves"].items() if moves > 9} == set(EDITIONS)
    assert (done["accepted"] > 10) == (release.stem != "0.1.0"), "It had no offers."
    assert ended(manage(empty, "verify_games"))[0] == 0
