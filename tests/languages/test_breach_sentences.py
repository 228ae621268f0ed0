"""What wasn't kept, in words: said to whom it was promised, and to nobody else."""

import pytest
from django.utils import translation

from games.engine import Event, Scholar
from games.engine.events import ScholarBanished, ScholarHired
from games.engine.promises import Hire, Promise, Verdict
from games.presentation.log.promise_story import LET_PASS
from games.services.game.queries.verdicts import Outcome
from games.table_events import PromiseJudged
from tests.languages.test_promise_sentences import ANNA, BORIS, BORIS_S, BOTH, PLACED, told_to
from tests.support.recorded import NAMES

GOT_LESS = {
    "en": "Anna promised to hire your doctor at a salary of 10,000. The salary was 3,000 instead.",
    "de": (
        "Anna hat versprochen, deinen Arzt mit einem Gehalt von 10.000 einzustellen. "
        "Das Gehalt betrug stattdessen 3.000."
    ),
    "ru": (
        "Anna обещает нанять вашего врача с жалованьем 10\xa0000. На деле жалованье — 3\xa0000."
    ),
}
MISSED = {
    "en": "doctor. Anna missed the deadline. The result was banishment instead.",
    "de": "einzustellen. Anna hat die Frist versäumt. Stattdessen wurde dein Gelehrter verbannt.",
    "ru": "врача. Anna пропускает срок. А на деле — изгнание.",
}
NOT_KEPT = {
    "en": (
        "Anna promised to keep your doctor until the end of round 4. Instead: "
        "Anna hires the blue doctor at a salary of 3,000."
    ),
    "de": (
        "Anna hat versprochen, deinen Arzt bis zum Ende von Runde 4 zu behalten. Stattdessen: "
        "Anna stellt den blauen Arzt mit einem Gehalt von 3.000 ein."
    ),
    "ru": (
        "Anna обещает оставить вашего врача на службе до конца раунда 4. А на деле: "
        "Anna нанимает синего врача с жалованьем 3\xa0000."
    ),
}


def breach(promise: Promise, verdict: str, behind: Event) -> str:
    event = PromiseJudged(ANNA, 1, ANNA, {}, verdict, in_return=False)
    outcome = Outcome(event, promise, None, behind, against_interest=False)
    return outcome.breach(told_to(BORIS), NAMES)


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_what_was_promised_and_what_happened_instead(language):
    hired = Promise(ANNA, BORIS, Hire(BORIS_S))
    with translation.override(language):
        got_less = breach(PLACED, Verdict.BROKEN, ScholarHired(ANNA, BORIS_S, 3000))
        missed = breach(hired, LET_PASS, ScholarBanished(ANNA, BORIS_S, 0, 0))
        not_kept = breach(BOTH, Verdict.BROKEN, ScholarHired(ANNA, Scholar(2, 1, 1), 3000))
    assert got_less == GOT_LESS[language]
    assert missed.endswith(MISSED[language])
    assert not_kept == NOT_KEPT[language]


def test_nobody_else_is_betrayed_by_it():
    event = PromiseJudged(ANNA, 1, ANNA, {}, Verdict.BROKEN, in_return=False)
    hired = ScholarHired(ANNA, BORIS_S, 3000)
    outcome = Outcome(event, PLACED, None, hired, against_interest=False)
    assert [outcome.breach(told_to(one), NAMES) for one in (None, ANNA, 2)] == ["", "", ""]
