"""`manage.py simulate`: games among computer players, and a table of what came of them."""

import json
from collections import Counter
from collections.abc import Callable
from io import StringIO
from itertools import combinations, groupby, pairwise, product
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.engine import decode_move, new_game, view
from games.engine.computer_players import COMPUTER_PLAYERS
from games.engine.orders import PayMinimum, may_order
from games.engine.record import adjudicate
from games.features.simulate.management.commands.simulate import SOURCES
from games.features.simulate.playout import play_out
from games.models import Game, Order, OutboxEmail
from games.services.game import orders
from tests.support.tables import MONDAY, open_table, seats_to_move, submit_move


def simulate(*arguments: str) -> str:
    """The table; progress and speed go to standard error."""
    out = StringIO()
    call_command("simulate", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def recorded(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def finals(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The last states of these games, which must all be over."""
    states = []
    for record in records:
        result, played = adjudicate(record)
        assert "error" not in result
        assert played == len(record["moves"])
        assert result["final"]["stage"] == "over"
        states.append(result["final"])
    return states


def rows(table: str) -> dict[str, list[str]]:
    """The lines of the table by their first words."""
    lines = [line for line in table.splitlines() if line]
    return {line[:24].strip(): line[24:].split() for line in lines}


def kinds(table: str) -> dict[str, list[str]]:
    lines = [line.split() for line in table.split("\n\n", maxsplit=1)[0].splitlines()[1:]]
    return {kind: cells for kind, *cells in lines}


MIXED = ("--players", "4", "--games", "30", "--seats", "random,default,random,default")


@pytest.mark.full
def test_the_same_seed_gives_the_same_table_and_the_same_games(tmp_path):
    paths = [tmp_path / f"{number}.jsonl" for number in range(3)]
    seeds = ("7", "7", "8")
    tables = [
        simulate(*MIXED, "--seed", seed, "--record", str(path))
        for seed, path in zip(seeds, paths, strict=True)
    ]
    games = [path.read_bytes() for path in paths]
    assert tables[0] == tables[1] != tables[2]
    assert games[0] == games[1] != games[2]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "edition", ["mayfair-2005", "fx-schmid-1994", "russian", "reference-manual"]
)
@pytest.mark.parametrize("players", ["3", "5"])
def test_the_games_are_written_as_records_that_adjudicate_to_their_end(edition, players, tmp_path):
    path = tmp_path / "games.jsonl"
    options = '{"bribing": "simultaneous", "rounds": 4}'
    simulate(
        *("--edition", edition, "--players", players, "--games", "4"),
        *("--options", options, "--record", str(path)),
    )
    records = recorded(path)
    assert [record["name"] for record in records] == ["game 1", "game 2", "game 3", "game 4"]
    for record, final in zip(records, finals(records), strict=True):
        assert record["edition"] == edition
        assert record["options"] == json.loads(options)
        assert len(record["players"]) == int(players)
        assert final["round"] == 4


@pytest.mark.full
def test_the_first_player_is_drawn(tmp_path):
    path = tmp_path / "games.jsonl"
    simulate("--players", "4", "--games", "40", "--record", str(path))
    assert {record["first"] for record in recorded(path)} == {"red", "yellow", "green", "blue"}


@pytest.mark.full
def test_the_table_counts_what_the_records_hold(tmp_path):
    """Games, wins, shared wins and mean cash of each kind, counted again."""
    path = tmp_path / "games.jsonl"
    table = simulate(*MIXED, "--seed", "3", "--record", str(path))
    states = finals(recorded(path))
    for kind, seats in (("random", {"red", "green"}), ("default", {"yellow", "blue"})):
        alone = sum(len(s["winners"]) == 1 and s["winners"][0] in seats for s in states)
        shared = sum(len(s["winners"]) > 1 and bool({*s["winners"]} & seats) for s in states)
        cash = mean(s["cash"][player] for s in states for player in seats)
        assert kinds(table)[kind] == ["30", f"{100 * alone / 30:.1f}", str(shared), f"{cash:,.0f}"]


def test_shared_victories_are_counted_for_each_kind_that_shares_them():
    """With one round nobody decides anything: all share every game."""
    table = simulate(*MIXED, "--options", '{"rounds": 1}')
    assert kinds(table) == {
        "random": ["30", "0.0", "30", "32,000"],
        "default": ["30", "0.0", "30", "32,000"],
    }
    assert rows(table)["moves"] == ["0.0", "0", "0"]


def waiting_points(record: dict[str, Any]) -> int:
    """Each move of its own, but the bribes of one simultaneous stage together are one."""
    result, _ = adjudicate(record, with_steps=True)
    points, before = 0, None
    for state in result["states"][:-1]:
        place = (state["round"], state["active"], state["stage"], state["cash"])
        again = before is not None and before[0] == place and set(state["waiting"]) < before[1]
        points += not again
        before = (place, set(state["waiting"]))
    return points


@pytest.mark.full
@pytest.mark.parametrize("bribing", ["sequential", "simultaneous"])
def test_moves_and_waiting_points_are_counted(bribing, tmp_path):
    path = tmp_path / "games.jsonl"
    options = json.dumps({"bribing": bribing})
    table = simulate("--games", "20", "--options", options, "--record", str(path))
    records = recorded(path)
    moves = [len(record["moves"]) for record in records]
    assert rows(table)["moves"] == [f"{mean(moves):.1f}", str(min(moves)), str(max(moves))]
    points = [waiting_points(record) for record in records]
    text = [f"{mean(points):.1f}", str(min(points)), str(max(points))]
    assert rows(table)["waiting points"] == text
    assert (sum(points) < sum(moves)) == (bribing == "simultaneous")


@pytest.mark.long(after=1)
@pytest.mark.full
@pytest.mark.parametrize(("players", "tidied", "ordered"), [(3, 44, 14), (4, 63, 19), (5, 81, 24)])
def test_tidying_and_orders_leave_few_waiting_points(players, tidied, ordered):
    """The rules allow no fewer than one wait for each turn that sends: four a player."""
    table = rows(simulate("--players", str(players), "--games", "200"))
    naive, least, with_orders = (
        [float(cell) for cell in table[name]]
        for name in ("waiting points", "the same, tidied", "with all orders left")
    )
    assert least[0] <= tidied < naive[0]
    assert 4 * players <= with_orders[1] <= with_orders[0] <= with_orders[2] <= ordered


def test_a_player_who_moves_twice_in_a_row_is_waited_for_once(tmp_path):
    """Counted again from the records; no forced moves happen in games of two rounds."""
    path = tmp_path / "games.jsonl"
    options = '{"rounds": 2}'
    table = simulate("--games", "30", "--options", options, "--record", str(path))
    joined, turns = [], []
    for record in recorded(path):
        players = [move["player"] for move in record["moves"]]
        joined.append(sum(a != b for a, b in pairwise([None, *players])))
        owners = [move["player"] for move in record["moves"] if move["type"] != "bribe"]
        turns.append(sum(a != b for a, b in pairwise([None, *owners])))
    assert rows(table)["the same, tidied"][0] == f"{mean(joined):.1f}"
    assert rows(table)["with all orders left"][0] == f"{mean(turns):.1f}"


def leave_every_order(game):
    """Everybody orders the least bribe for each of their scholars who waits or holds an area."""
    for seat in game.seats.all():
        while game.status == Game.Status.RUNNING:
            state = game.decoded()
            ordered = set(Order.objects.filter(seat=seat).values_list("scholar", flat=True))
            open_ones = [
                one.scholar
                for one in may_order(view(state, seat.number)).bribes
                if state.table.names[one.scholar] not in ordered
            ]
            if not open_ones:
                break
            orders.leave_order(
                game_id=game.pk,
                user=seat.user,
                scholar=open_ones[0],
                order=PayMinimum(),
                wait_if_addressed=False,
                now=MONDAY,
            )
            game.refresh_from_db()


@pytest.mark.full
@pytest.mark.django_db
@pytest.mark.parametrize("bribing", ["sequential", "simultaneous"])
def test_a_game_played_with_orders_waits_as_often_as_is_counted(bribing):
    """Who is emailed that it is their turn; twice in a row is one wait, as when it is joined."""
    options = {"bribing": bribing, "rounds": 4}
    game, chance = open_table("Anna", "Boris", "Clara", options=options), Random(7)
    leave_every_order(game)
    while game.status == Game.Status.RUNNING:
        seat = seats_to_move(game)[0]
        move = COMPUTER_PLAYERS["random"](view(game.decoded(), seat.number), chance.getrandbits(32))
        submit_move(game, seat.user, MONDAY, move)
        game.refresh_from_db()
        leave_every_order(game)

    emails = OutboxEmail.objects.filter(kind="your_turn").order_by("pk")
    waits = len(list(groupby(emails.values_list("person", flat=True))))
    bribes = game.moves.filter(move__type="bribe")
    assert bribes.exists()
    assert not bribes.filter(by_order=False).exists()
    table = game.decoded().table
    beginning = new_game(game.edition, options, table.players, table.players[table.first])
    made = game.moves.order_by("pk").values_list("move", flat=True)
    again = iter([decode_move(table, move)[1] for move in made])
    counted = play_out(beginning, [lambda _seen, _chance: next(again)] * 3, seed=0)
    assert counted.state == game.decoded()
    assert counted.waits.with_orders == waits < counted.waits.tidied


def seatings(records: list[dict[str, Any]], lavish: Callable[[dict[str, Any]], set[str]]):
    """How often each set of lavish players met each first player."""
    return Counter((frozenset(lavish(record)), record["first"]) for record in records)


def payers_of_more(record: dict[str, Any]) -> set[str]:
    """Who ever pays more than the least: the default player never does."""
    return {
        move["player"]
        for move in record["moves"]
        if move["type"] == "bribe" and max(amount for _, amount in move["bribes"]) > 1000
    }


@pytest.mark.full
@pytest.mark.parametrize(
    ("players", "seats", "random_players", "count"),
    [("3", "random,default,default", 1, 9), ("4", "default,random,default,random", 2, 24)],
)
def test_every_seating_is_played_equally_often(players, seats, random_players, count, tmp_path):
    path = tmp_path / "games.jsonl"
    arguments = ("--players", players, "--seats", seats, "--permute", "--record", str(path))
    table = simulate(*arguments, "--games", str(2 * count))
    colours = ("red", "yellow", "green", "blue")[: int(players)]
    lavish = [frozenset(some) for some in combinations(colours, random_players)]
    assert seatings(recorded(path), payers_of_more) == dict.fromkeys(product(lavish, colours), 2)
    assert f"\nGames for each of {count} seatings: 2\n" in table


def test_a_last_cycle_of_seatings_that_is_cut_short_is_reported():
    arguments = ("--players", "3", "--seats", "random,default,default", "--permute")
    sentence = "\nGames for each of 9 seatings: 1 or 2; the last cycle is cut short after 5.\n"
    assert sentence in simulate(*arguments, "--games", "14")
    assert "seatings" not in simulate(*arguments[:-1], "--games", "14")


def test_permuted_seatings_are_counted_by_kind(tmp_path):
    """Wins and mean cash again, from the records."""
    path = tmp_path / "games.jsonl"
    arguments = ("--players", "3", "--seats", "random,default,default", "--permute")
    table = simulate(*arguments, "--games", "36", "--record", str(path))
    records = recorded(path)
    pairs = list(zip(records, finals(records), strict=True))
    alone = sum({*final["winners"]} <= payers_of_more(record) for record, final in pairs)
    cash = mean(final["cash"][who] for record, final in pairs for who in payers_of_more(record))
    assert kinds(table)["random"][0::3] == ["36", f"{cash:,.0f}"]
    assert kinds(table)["random"][1] == f"{100 * alone / 36:.1f}"


HABITS = ("--habits", "--players", "5", "--games", "40", "--options", '{"rounds": 3}')


@pytest.mark.full
@pytest.mark.parametrize(
    ("arguments", "days", "sources"),
    [
        ([], ["14.6", "16.9"], [947, 376, 486, 34]),
        (["--orders", "0"], ["17.6", "21.4"], [1229, 0, 587, 25]),
        (["--orders", "1", "--talk", "48"], ["20.7", "25.5"], [691, 862, 247, 35]),
        (
            ["--talk", "12", "--options", '{"rounds": 3, "bribing": "simultaneous"}'],
            ["20.3", "23.2"],
            [990, 401, 439, 22],
        ),
    ],
)
def test_days_and_sources_of_the_moves_for_a_seed(arguments, days, sources):
    """For 40 short games."""
    table = rows(simulate(*HABITS, *arguments))
    assert table["days"] == days
    made_by = [table[title] for title in SOURCES.values()]
    assert [int(count) for count, _share in made_by] == sources
    shares = [f"{100 * count / sum(sources):.1f}" for count in sources]
    assert [share for _count, share in made_by] == shares
    assert table["moves"][0] == f"{sum(sources) / 40:.1f}"


@pytest.mark.full
def test_habits_play_the_same_games_for_the_same_seed(tmp_path):
    paths = [tmp_path / f"{number}.jsonl" for number in range(3)]
    tables = [
        simulate(*HABITS, "--talk", "24", "--seed", seed, "--record", str(path))
        for seed, path in zip(("7", "7", "8"), paths, strict=True)
    ]
    games = [path.read_bytes() for path in paths]
    assert tables[0] == tables[1] != tables[2]
    assert games[0] == games[1] != games[2]
    assert len(finals(recorded(paths[0]))) == 40


def test_habits_and_permuted_seatings_go_together():
    arguments = ("--players", "3", "--seats", "random,default,default", "--permute", "--habits")
    table = simulate(*arguments, "--games", "9")
    assert "\nGames for each of 9 seatings: 1\n" in table
    assert "days" in rows(table)
    assert "waiting points" not in rows(table)


def test_one_computer_player_may_sit_at_every_seat():
    table = simulate("--players", "5", "--games", "3", "--seats", "default")
    assert set(kinds(table)) == {"default"}


def test_each_kind_makes_its_own_moves(tmp_path):
    """The default player always bribes the minimum, the random one does not."""
    path = tmp_path / "games.jsonl"
    simulate(*MIXED, "--record", str(path))
    bribes = {True: Counter(), False: Counter()}
    for record in recorded(path):
        for move in record["moves"]:
            if move["type"] == "bribe":
                amounts = [amount for _, amount in move["bribes"]]
                bribes[move["player"] in ("yellow", "blue")].update(amounts)
    assert set(bribes[True]) == {1000}
    assert len(bribes[False]) > 10


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--seats", "clever"],
            (
                'There is no computer player "clever": there are courtier, default, random, '
                "negotiator."
            ),
        ),
        (
            ["--seats", ""],
            'There is no computer player "": there are courtier, default, random, negotiator.',
        ),
        (["--seats", "random,default"], "--seats must name 4 computer players, or one for all."),
        # Python 3.14 puts the 2 into quotes.
        (["--players", "2"], "Error: argument --players: invalid choice: "),
        (["--players", "many"], "Error: argument --players: invalid int value: 'many'"),
        (["--edition", "chess"], "Error: argument --edition: invalid choice: 'chess'"),
        (["--games", "0"], "--games must be 1 or more."),
        (["--games", "-3"], "--games must be 1 or more."),
        (["--orders", "0.5"], "--orders, --order-all and --talk need --habits."),
        (["--talk", "0"], "--orders, --order-all and --talk need --habits."),
        (["--habits", "--orders", "1.1"], "--orders must be a share from 0 to 1, such as 0.5."),
        (["--habits", "--orders", "-0.1"], "--orders must be a share from 0 to 1, such as 0.5."),
        (["--habits", "--orders", "nan"], "--orders must be a share from 0 to 1, such as 0.5."),
        (["--habits", "--talk", "49"], "--talk must be 0 to 48 hours."),
        (["--habits", "--talk", "-1"], "--talk must be 0 to 48 hours."),
        (["--habits", "--talk", "1.5"], "Error: argument --talk: invalid int value: '1.5'"),
        (["--options", "{"], "--options cannot be read: The text is no JSON: Expecting property"),
        (["--options", '{"rounds": ' + "9" * 9999 + "}"], "--options cannot be read: The text"),
        (["--options", "[]"], '--options must be an object such as {"refund_losers": true}.'),
        (["--options", '{"rounds": 0}'], "The option rounds must be a whole number from 1 to 20."),
        (["--options", '{"refund": true}'], 'There is no option "refund": the options are rounds,'),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(arguments, sentence, tmp_path):
    """And a file of games that is there already stays as it is."""
    path = tmp_path / "games.jsonl"
    path.write_text("earlier games")
    with pytest.raises(CommandError) as reason:
        simulate(*arguments, "--record", str(path))
    assert str(reason.value).startswith(sentence)
    assert path.read_text() == "earlier games"


def test_a_file_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(CommandError) as reason:
        simulate("--games", "1", "--record", str(tmp_path))
    assert str(reason.value) == f"{tmp_path} cannot be written: Is a directory."
