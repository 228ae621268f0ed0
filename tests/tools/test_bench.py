"""What `bin/bench` is built on: the yardstick, the forms it posts, and how runs are compared."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection
from psycopg.conninfo import make_conninfo

from games.engine import COLOURS, EDITIONS, default_move, new_game, step, to_move, view
from games.engine.state import Stage
from games.forms.moves import FORMS
from games.presentation.text.words import People
from games.services.game.verify import verify_game
from tests.benchmarks.speed import figures, yardstick
from tests.benchmarks.speed.fields import fields
from tests.support.tables import open_table

DOCS = Path(__file__).resolve().parents[2] / "docs" / "performance.md"
FIGURES = re.compile(r"\| figures \| what they are \|(.*?)\n\n", re.DOTALL)
ADMIN_PAGE = re.compile(r"^\| (.+) \| (\d+) \| \d+(?: slow)? \|$", re.MULTILINE)
STATEMENTS = [
    value for name, value in vars(yardstick).items() if re.match("(LOCK|READ|WRITE)_", name)
]


@pytest.mark.django_db(transaction=True)
def test_what_the_yardstick_plays_is_a_sound_game():
    game = open_table("Anna", "Boris", "Clara")
    known = connection.connection.info
    address = make_conninfo(known.dsn, password=known.password)
    with yardstick.connect(address) as bare:
        while yardstick.play(bare, game.pk):
            pass
    game.refresh_from_db()
    assert game.status == "finished"
    assert verify_game(game.pk) == []


def test_the_docs_list_the_statements_of_the_yardstick():
    told = " ".join(DOCS.read_text().split())
    assert len(STATEMENTS) == 8
    assert [one for one in STATEMENTS if " ".join(one.split()) not in told] == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_fields_that_are_posted_are_those_of_the_form(edition):
    """Until the end of a game; what is played is the default move."""
    colours = COLOURS[:4]
    state = new_game(edition, {}, colours, colours[0]).state
    while state.stage is not Stage.OVER:
        [seat, *_] = to_move(state)
        seen, posted = view(state, seat), fields(state, seat, 7)
        form = FORMS[type(seen.choice)](posted, people=People(seen.table, list("abcd")), view=seen)
        assert form.is_valid(), form.errors
        assert form.moves == [default_move(state, seat)]
        state = step(state, seat, form.moves[0]).state


def figures_of(noise: float = 0.0, **values: float) -> figures.Figures:
    made = figures.Figures()
    for name, value in values.items():
        made.add(name.replace("__", "."), value, noise)
    return made


def test_slower_is_what_differs_by_more_than_the_noise_of_both_runs():
    before = figures_of(0.1, answer__cpu_ms=30, page__cpu_ms=30, answers_per_second__16=30)
    now = figures_of(0.1, answer__cpu_ms=35, page__cpu_ms=37, answers_per_second__16=20)
    assert figures.slower(before, now) == [
        "page.cpu_ms: 30 before, 37 now: 23 % worse, and the noise is 20 %",
        "answers_per_second.16: 30 before, 20 now: 33 % worse, and the noise is 20 %",
    ]


def test_a_slower_machine_is_no_slower_site():
    before = figures_of(answer__cpu_ms=30, answer__cpu_ratio=50)
    assert figures.slower(before, figures_of(answer__cpu_ms=60, answer__cpu_ratio=50)) == []


def test_a_few_bytes_more_are_no_bigger_page():
    before = figures_of(game__bytes=20_000, game__compressed_bytes=5_000)
    assert (
        figures.slower(before, figures_of(game__bytes=20_300, game__compressed_bytes=5_090)) == []
    )
    assert figures.slower(before, figures_of(game__bytes=20_500, game__compressed_bytes=5_000)) == [
        "game.bytes: 20,000 before, 20,500 now: 2 % worse, and the noise is 0 %"
    ]


def test_one_more_query_is_always_slower():
    before, now = figures_of(answer__queries=12), figures_of(answer__queries=13)
    assert figures.slower(before, now) == [
        "answer.queries: 12 before, 13 now: 8 % worse, and the noise is 0 %"
    ]
    assert figures.slower(now, before) == []


def test_a_stored_run_is_read_as_it_was_written(tmp_path):
    run = figures_of(0.25, answer__cpu_ms=30, answers_per_second__16=12.5)
    run.write(tmp_path / "run.json", quick=True)
    read, quick = figures.read(tmp_path / "run.json")
    assert (read.values, read.noise, quick) == (run.values, run.noise, True)
    assert '"answers_per_second": {\n  "16": 12.5' in (tmp_path / "run.json").read_text()


def test_the_table_has_a_line_for_each_request():
    run = figures_of(rules__cpu_ms=12.3, rules__queries=4, mails_per_second=46)
    assert figures.table(run).splitlines()[1:] == [
        "rules                       0 %    12.3                   4",
        "mails_per_second      46    0 %",
    ]


@pytest.mark.full
@pytest.mark.slow
@pytest.mark.long
def test_all_of_it_is_measured_in_small(tmp_path):
    stored = tmp_path / "run.json"
    command = [sys.executable, "-m", "tests.benchmarks.speed", "--quick", "--json", str(stored)]
    ended = subprocess.run(
        command, cwd=DOCS.parents[1], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    named = set(re.findall(r"`([a-z_0-9]+)`", FIGURES.search(DOCS.read_text())[1]))
    read, quick = figures.read(stored)
    measured = {name.partition(".")[0] for name in read.values}
    assert quick
    in_large = {"deadlines_5000_seconds", "few_games"}
    assert named - measured == {"cpu_ratio"} | in_large


@pytest.mark.full
@pytest.mark.slow
@pytest.mark.long
def test_no_page_of_the_admin_needs_many_queries():
    """`bin/bench-admin` on a hundredth of its games still fills all tables and opens all pages."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.admin"], cwd=DOCS.parents[1],
        env=os.environ | {"BENCH_ADMIN_SMALL": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr[-3000:]
    queries = {name: int(count) for name, count in ADMIN_PAGE.findall(ended.stdout)}
    assert len(queries) > 100
    assert {name: count for name, count in queries.items() if count > 15} == {}
