"""The table of ruling 1 (docs/rules.md), typed a second time."""

from typing import Any

FOUR = ("scientist", "doctor", "priest", "clerk")

PRESETS: dict[str, dict[str, Any]] = {
    "mayfair-2005": {
        "rounds": 5,
        "areas": [1000, 6000, 10000, 3000],
        "occupations": FOUR,
        "start": 32000,
        "unit": 1000,
        "distinct_palaces": False,
        "internal_order": "ascending",
        "defender_bribe": "required",
        "attackers": "any",
        "broke": "bank",
    },
    "fx-schmid-1994": {
        "rounds": 6,
        "areas": [10000, 20000, 30000, 50000, 100000],
        "occupations": ("soldier", "lawyer", "scholar", "priest", "banker"),
        "start": 320000,
        "unit": 10000,
        "distinct_palaces": True,
        "internal_order": "ascending",
        "defender_bribe": "required",
        "attackers": "any",
        "broke": "bank",
    },
    "russian": {
        "rounds": 6,
        "areas": [1000, 3000, 6000, 10000],
        "occupations": FOUR,
        "start": 32000,
        "unit": 1000,
        "distinct_palaces": True,
        "internal_order": "descending",
        "defender_bribe": "required",
        "attackers": "any",
        "broke": "bank",
    },
    "reference-manual": {
        "rounds": 6,
        "areas": [1000, 3000, 6000, 10000],
        "occupations": ("scribe", "minister", "alchemist", "healer"),
        "start": 32000,
        "unit": 1000,
        "distinct_palaces": True,
        "internal_order": "ascending",
        "defender_bribe": "optional",
        "attackers": "highest",
        "broke": "debt",
    },
}
