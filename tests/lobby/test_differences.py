"""What differs between the settings of a table before and after, in sentences."""

from dataclasses import fields, replace

from games.services.lobby.differences import NEED_NO_AGREEMENT, differences
from games.services.lobby.settings import TableSettings
from tests.support.tables import DAY, table_settings


def test_every_setting_makes_a_difference_or_is_asked_of_nobody():
    usual = table_settings(press="private")
    others = {
        "edition": "russian",
        "size": 5,
        "move_time": 2 * DAY,
        "options": {"rounds": 3},
        "no_play_days": [6],
        "fixed_hour": 20,
        "days_off": 1,
        "computer_players_allowed": False,
        "absent_player": "random",
        "promises_count": False,
        "talk_seconds": 3600,
        "press": "none",
        "threads_shown": True,
        "threads_published": True,
        "language": "ru",
        "least_in_time": 90,
        "newcomers_welcome": False,
    }
    silent = {
        "name": "Rialto", "description": "Quick.", "listed": True, "time_zone": "Asia/Tokyo",
        "strangers": "nobody",
    }  # fmt: skip
    assert {*others, *silent} == {field.name for field in fields(TableSettings)}
    assert {*silent} - {"time_zone"} == NEED_NO_AGREEMENT
    for name, value in others.items():
        assert len(differences(usual, replace(usual, **{name: value}))) == 1, name
    for name, value in silent.items():
        assert differences(usual, replace(usual, **{name: value})) == [], name
    zone = replace(usual, fixed_hour=20)
    assert len(differences(zone, replace(zone, time_zone="Asia/Tokyo"))) == 1


def test_private_talk_that_is_not_there_makes_no_difference():
    usual = table_settings(press="public")
    assert differences(usual, replace(usual, threads_shown=True, threads_published=True)) == []
