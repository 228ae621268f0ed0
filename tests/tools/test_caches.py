"""What a process remembers from one request to the next: nothing that one of them has brought.

A header, a cookie or a session must never decide what others are shown. Each function whose answers
are kept gives the same answer to everybody: all that it depends on is among its arguments.
"""

import re
from pathlib import Path

FOR_THE_PROCESS = {
    # What the host has configured and what the code itself says.
    "games/extensions.py": {"link"},
    "games/forms/submitted.py": {"forms_of_the_site"},
    "games/models/people.py": {"time_zones"},
    "games/models/stored_json.py": {"_warn"},
    "games/names.py": {"_looks_latin"},
    "games/services/legal.py": {"_texts", "version"},
    "games/services/people/names.py": {"_offices", "_own_names"},
    "games/services/public_ids.py": {"_cipher"},
    "games/features/live/publisher.py": {"_broker"},
    "games/features/push/keys.py": {"own_key"},
    "games/zones.py": {"zone_of"},
    # Words, by language.
    "games/features/inbound/commands/words.py": {"_vocabulary"},
    "games/features/pictures/picture.py": {"site_card"},
    "games/presentation/text/words.py": {
        "_date_text", "_edition_words", "_money", "_scholar_label", "_the_occupation",
        "_the_scholar",
    },
    # Made of the arguments alone. Addresses begin with "/" (FORCE_SCRIPT_NAME), whoever asks.
    "games/engine/state.py": {"_names"},
    "games/features/crests/heraldry.py": {"drawn"},
    "games/markup/environment.py": {"_url"},
    "games/markup/names.py": {"_isolated"},
    "games/markup/shields.py": {"shield"},
    "games/services/site_state.py": {"_statement"},
    "games/services/sql.py": {"_change", "_fields_named", "_written_fields", "insertion"},
    "intrigue_site/scenarios.py": {"_moves_to"},
    # The rules, by language and edition; rendered without a request.
    "games/features/rulebook/views.py": {"_rendered"},
    # The scene of the front page, by language; the same.
    "games/views/welcome.py": {"_kept"},
}  # fmt: skip

FOR_ONE_REQUEST = {"games/context.py": {"games", "news"}}
"""Functions made anew for each."""

IN_THE_PROCESS_CACHE = {
    "games/services/game/queries/ending.py",  # of a finished game, by its number and last event
    "games/services/operations/health.py",  # how many games run
    "games/features/metrics/page.py",  # how many games there are in each state
    "games/services/site_state.py",  # how the site stands
    "games/features/pictures/views.py",  # pictures for everybody, by language
}

KEPT = re.compile(r"@(?:functools\.)?(?:lru_cache|cache)\b.*\n(?:\s*@.*\n)*\s*def (\w+)")


def test_every_function_whose_answers_are_kept_is_known():
    found = {}
    for folder in ("games", "intrigue_site"):
        for file in sorted(Path(folder).rglob("*.py")):
            if names := set(KEPT.findall(file.read_text())):
                found[str(file)] = names
    assert found == FOR_THE_PROCESS | FOR_ONE_REQUEST


def test_everything_in_the_cache_of_a_process_is_known():
    found = {
        str(file)
        for file in Path("games").rglob("*.py")
        if re.search(r"caches\[", file.read_text())
    }
    assert found == IN_THE_PROCESS_CACHE
