"""Whole games through the services against our own judge: what was judged, why, and for whom.

Its verdicts are those that the games and their threads have stored, that events and threads tell,
that profiles show and that `adjudicate` reads out of the records.
"""

from collections import Counter

import pytest

from games.engine.promises import Hire
from games.models import Game, Move
from games.services.game.verify import verify_game
from tests.engine.judge_of_promises import ACCEPTED
from tests.engine.test_ledger_properties import FORMS
from tests.game.evenings import Evening, Rewinds
from tests.game.judging import (
    Judged,
    as_on_profiles,
    noted_counts,
    stored_ledgers,
    told_causes,
    told_in_record,
    told_on_profiles,
)

# In one transaction with so many savepoints a part of these games would take twice as long.
pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]

ENDS = ("kept", "broken", "void", "lapsed")
EVENTS = (
    "kept", "broken", "order", "clock", "house", "substitute", "rewinds", "private", "binding"
)  # fmt: skip

FOCUS = (FORMS[:3], FORMS[3:5], FORMS[5:7], FORMS[7:])
"""The forms that are promised more often than others in each part of the games."""

SELDOM = (Hire, "broken")
"""Too few owners could refuse somebody in these games; `test_judge_of_promises` has it."""

ALWAYS, IN_A_PART = 4, 10


def played(number: int, more_of: tuple[type, ...] = ()) -> Counter[object]:
    """Play a game and hold it against our judge; what there was in it."""
    evening = Evening(number, (*FORMS, *more_of * len(FORMS)))
    game = evening.game
    assert (game.status, game.error) == (Game.Status.FINISHED, ""), f"game {number}"
    judged = Judged(evening)
    assert disagreements(judged, evening) == [], f"game {number}"
    return found_in(judged)


def disagreements(judged: Judged, evening: Evening) -> list[object]:
    """Where the site says something else than our own judge."""
    game, counts = judged.game, judged.counts()
    reader = evening.chance.choice([seat for seat in game.seats.all() if seat.user is not None])
    compared = [
        ("stored", stored_ledgers(judged), judged.ledgers()),
        ("causes", told_causes(game), judged.causes()),
        ("counted", noted_counts(game), counts),
        (
            "profiles",
            told_on_profiles(game, evening.moderator, evening.now),
            as_on_profiles(counts),
        ),
        *(
            (
                f"record of {user}",
                told_in_record(game, user),
                [(*case.in_record, *case.moves) for case in judged.known_to(seat)],
            )
            for seat, user in ((None, None), (reader.number, reader.user))
        ),
    ]
    spared = [one for one in judged.agreed.values() if one.case.spared and not one.made.among]
    return [
        *verify_game(game.pk),
        *judged.misplayed,
        *(f"{one} was broken by a forced choice" for one in spared),
        *(f"{what}: {told}, our judge: {own}" for what, told, own in compared if told != own),
    ]


def found_in(judged: Judged) -> Counter[object]:
    """How often each form ended how, and each thing happened that can change what that counts."""
    found: Counter[object] = Counter()
    for made, case, _ in judged.agreed.values():
        for promise, end in zip((case.promise, case.returned), case.in_record, strict=True):
            if promise is not None and end is not None:
                found[type(promise.deed), end] += 1
        found["private"] += bool(made.among) and case.status == ACCEPTED
    for counts in judged.counts().values():
        found.update(counts)
    for row in Move.objects.filter(game=judged.game):
        found[row.cause] += 1
        found["order"] += row.by_order
    found["rewinds"] = len(Rewinds(judged.game).spans)
    found["binding"] = judged.table.edition.promises == "binding"
    return found


@pytest.mark.long(after=1)
@pytest.mark.parametrize("number", range(ALWAYS))
def test_the_site_agrees_with_our_judge(number):
    played(number)


@pytest.mark.long(after=1)
@pytest.mark.slow
@pytest.mark.parametrize("part", range(len(FOCUS)))
def test_the_site_agrees_with_our_judge_whatever_happens(part):
    found: Counter[object] = Counter()
    for number in range(ALWAYS + part * IN_A_PART, ALWAYS + (part + 1) * IN_A_PART):
        found += played(number, FOCUS[part])
    wanted = [*EVENTS, *((form, end) for form in FOCUS[part] for end in ENDS)]
    assert [what for what in wanted if not found[what] and what != SELDOM] == []
