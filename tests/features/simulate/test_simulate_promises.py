"""The promises in `manage.py simulate`, counted again from the records of its games."""

from collections import Counter
from statistics import mean

import pytest
from django.core.management import CommandError

from games.engine.record import adjudicate
from tests.features.simulate.test_simulate import recorded, rows, simulate


def test_offers_and_promises_are_what_the_records_hold(tmp_path):
    path = tmp_path / "games.jsonl"
    seats = "negotiator,negotiator,courtier,courtier"
    table = simulate("--seats", seats, "--games", "4", "--seed", "3", "--record", str(path))
    records = recorded(path)
    offers = [[one for one in game["promises"] if one["type"] == "offer"] for game in records]
    accepted = [[one for one in game["promises"] if one["type"] == "accept"] for game in records]
    verdicts: Counter[str] = Counter()
    for game in records:
        for one in adjudicate(game)[0]["promises"]:
            verdicts[one["verdict"]] += 1
            verdicts[one.get("in_return", {}).get("verdict", "")] += 1
    due = verdicts["kept"] + verdicts["broken"]
    counted = rows(table)
    for name, found in (("offers", offers), ("accepted", accepted)):
        sizes = [len(game) for game in found]
        assert counted[name] == [f"{mean(sizes):.1f}", str(min(sizes)), str(max(sizes))]
    for verdict in ("kept", "broken"):
        share = f"{100 * verdicts[verdict] / due:.1f}"
        assert counted[verdict] == [str(verdicts[verdict]), share]
    assert counted["void"] == [str(verdicts["void"])]
    assert min(verdicts["kept"], verdicts["broken"], verdicts["void"]) > 0


def test_where_nobody_negotiates_promises_are_not_mentioned(tmp_path):
    path = tmp_path / "games.jsonl"
    table = simulate("--seats", "courtier", "--games", "1", "--record", str(path))
    assert "promises" not in table
    assert all("promises" not in game for game in recorded(path))


def test_in_simulated_days_nobody_negotiates():
    with pytest.raises(CommandError, match="With --habits nobody negotiates: seat courtiers"):
        simulate("--habits", "--seats", "negotiator,courtier,courtier,courtier", "--games", "1")
