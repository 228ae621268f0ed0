"""The settings of a table in words."""

from collections.abc import Collection
from typing import Final

from games.engine.editions import EDITIONS, Options, OptionValue
from games.presentation.words import listed

WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

OPTION_LABELS: Final = {
    "rounds": "Rounds",
    "bribing": "Bribing",
    "refund_losers": "Losers get their bribes back",
    "distinct_palaces": "The two scholars sent in a turn go to different palaces",
    "internal_order": "Order of several internal conflicts, by salary",
    "defender_bribe": "The resident's bribe",
    "attackers": "Attackers who may win an internal conflict",
    "broke": "Who cannot pay the minimum",
    "uncontested_min_bribe": "Least bribe for uncontested applicants",
}

VALUE_LABELS: Final = {
    "sequential": "one after the other, in the open",
    "simultaneous": "sealed, all at once (faster, and another game)",
    "False": "no",
    "True": "yes",
    "ascending": "the lowest first",
    "descending": "the highest first",
    "required": "must be paid",
    "optional": "may be left out",
    "any": "all of them",
    "highest": "only the highest bribe",
    "bank": "the bank pays it",
    "debt": "goes into debt",
}

HOUSE_LABELS: Final = {
    "default": "default: always plays what the clock would",
    "random": "random: plays anything that is legal",
    "courtier": "courtier: plays to win",
}


def option_told(name: str, value: OptionValue) -> str:
    """An option of the rules: "Rounds: 3"."""
    return f"{OPTION_LABELS[name]}: {VALUE_LABELS.get(str(value), value)}"


def bribing_told(edition: str, options: Options) -> str:
    """How bribes are paid at a table, as a sentence."""
    way = options.get("bribing", EDITIONS[edition].bribing)
    if way == "simultaneous":
        return "Bribes are handed in sealed, and all of them opened at once."
    return "Bribes are paid one after the other, in the open."


def time_told(seconds: int) -> str:
    """A length of time: "24 hours", "2 days", "5 minutes"."""
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds % length == 0 and (unit != "day" or seconds > length):
            return counted(seconds // length, unit)
    return counted(seconds, "second")


def counted(number: int, noun: str) -> str:
    """A number of things: "1 hour", "2 hours"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def pace_told(
    seconds: int, no_play_days: Collection[int], fixed_hour: int | None, zone: str
) -> str:
    """How long an answer may take.

    "24 hours for an answer, not on Saturday and Sunday, deadlines at 20:00 Europe/Vienna".
    """
    told = f"{time_told(seconds)} for an answer"
    if no_play_days:
        told += f", not on {listed(WEEKDAYS[day] for day in sorted(no_play_days))}"
    if fixed_hour is not None:
        return f"{told}, deadlines at {hour_told(fixed_hour)} {zone}"
    return f"{told} ({zone})" if no_play_days else told


def hour_told(hour: int) -> str:
    """An hour of the day: "08:00"."""
    return f"{hour:02}:00"
