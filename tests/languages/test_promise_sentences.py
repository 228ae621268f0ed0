"""Promises and offers as sentences: about others, to who promises, and to whom it is promised."""

import pytest
from django.conf import settings
from django.utils import translation

from games.engine import Scholar, new_game
from games.engine.promise_codec import encode_promise
from games.engine.promises import (
    GiveArea,
    Hire,
    IfBribed,
    Keep,
    Pay,
    PayAtMost,
    PlaceIn,
    Promise,
    SendNobody,
    SendScholar,
    Verdict,
    Win,
)
from games.presentation.log.promise_story import LET_PASS, offer_text, outcome_text
from games.presentation.text.promises import promise_text
from games.presentation.text.words import Clause, People
from games.table_events import OfferLapsed, OfferReplied, PromiseJudged
from tests.support.recorded import NAMES

ANNA, BORIS = 0, 1
TABLE = new_game("mayfair-2005", {}, ("red", "green", "blue"), "red").state.table
ANNAS, BORIS_S = Scholar(ANNA, 1, 1), Scholar(BORIS, 1, 1)
BRIBE = IfBribed(BORIS_S, 4000)
PLACED = Promise(ANNA, BORIS, PlaceIn(BORIS_S, 10_000, None), BRIBE)
BOTH = Promise(ANNA, BORIS, Keep(BORIS_S, 4), SendNobody(None, 4))


def told_to(reader: int | None) -> People:
    return People(TABLE, NAMES[:3], reader=reader)


def in_all_persons(promise: Promise) -> list[str]:
    return [promise_text(told_to(reader), promise) for reader in (None, ANNA, BORIS)]


ENGLISH = [
    (Hire(BORIS_S), None,
     "Anna hires the green doctor.", "You hire the green doctor.", "Anna hires your doctor."),
    (Win(BORIS_S), BRIBE,
     "Anna lets the green doctor win if Boris pays at least 4,000.",
     "You let the green doctor win if Boris pays you at least 4,000.",
     "Anna lets your doctor win if you pay at least 4,000."),
    (PlaceIn(BORIS_S, None, 6000), None,
     "Anna hires the green doctor at a salary of at least 6,000.",
     "You hire the green doctor at a salary of at least 6,000.",
     "Anna hires your doctor at a salary of at least 6,000."),
    (PlaceIn(BORIS_S, 10_000, None), BRIBE,
     "Anna hires the green doctor at a salary of 10,000 if Boris pays at least 4,000.",
     "You hire the green doctor at a salary of 10,000 if Boris pays you at least 4,000.",
     "Anna hires your doctor at a salary of 10,000 if you pay at least 4,000."),
    (Keep(BORIS_S, 4), None,
     "Anna keeps the green doctor until the end of round 4.",
     "You keep the green doctor until the end of round 4.",
     "Anna keeps your doctor until the end of round 4."),
    (SendNobody(None, 4), BRIBE,
     ("Anna sends no one to Boris until the end of round 4 if Boris pays at least 4,000 for the "
      "green doctor."),
     ("You send no one to Boris until the end of round 4 if Boris pays you at least 4,000 for the "
      "green doctor."),
     ("Anna sends no one to you until the end of round 4 if you pay at least 4,000 for your "
      "doctor.")),
    (SendNobody(1, 4), None,
     "Anna sends no doctor to Boris until the end of round 4.",
     "You send no doctor to Boris until the end of round 4.",
     "Anna sends no doctor to you until the end of round 4."),
    (SendScholar(None), None,
     "Anna sends at least one scholar to Boris next time.",
     "You send at least one scholar to Boris next time.",
     "Anna sends at least one scholar to you next time."),
    (SendScholar(1), None,
     "Anna sends at least one doctor to Boris next time.",
     "You send at least one doctor to Boris next time.",
     "Anna sends at least one doctor to you next time."),
    (Pay(None, 3000), None,
     "Anna pays Boris at least 3,000 for their own next applicant.",
     "You pay Boris at least 3,000 for your next applicant.",
     "Anna pays you at least 3,000 for their next applicant."),
    (Pay(ANNAS, 3000), None,
     "Anna pays Boris at least 3,000 for the red doctor.",
     "You pay Boris at least 3,000 for your doctor.",
     "Anna pays you at least 3,000 for the red doctor."),
    (PayAtMost(ANNAS, 3000), None,
     "Anna pays at most 3,000 for the red doctor.",
     "You pay at most 3,000 for your doctor.",
     "Anna pays at most 3,000 for the red doctor."),
    (GiveArea(6000), None,
     "Anna gives Boris the next job that pays at least 6,000.",
     "You give Boris the next job that pays at least 6,000.",
     "Anna gives you the next job that pays at least 6,000."),
    (Keep(BORIS_S, 4), SendNobody(None, 4),
     ("Anna keeps the green doctor until the end of round 4; in return, Boris sends no one to Anna "
      "until the end of round 4."),
     ("You keep the green doctor until the end of round 4; in return, Boris sends no one to you "
      "until the end of round 4."),
     ("Anna keeps your doctor until the end of round 4; in return, you send no one to Anna until "
      "the end of round 4.")),
]  # fmt: skip


@pytest.mark.parametrize(("deed", "condition", "of_others", "to_promiser", "to_other"), ENGLISH)
def test_a_promise_is_one_sentence_in_each_person(
    deed, condition, of_others, to_promiser, to_other
):
    told = in_all_persons(Promise(ANNA, BORIS, deed, condition))
    assert told == [of_others, to_promiser, to_other]


GERMAN = [
    (Hire(BORIS_S), None,
     "Anna stellt den grünen Arzt ein.", "Du stellst den grünen Arzt ein.",
     "Anna stellt deinen Arzt ein."),
    (Win(BORIS_S), BRIBE,
     "Anna lässt den grünen Arzt gewinnen, wenn Boris mindestens 4.000 zahlt.",
     "Du lässt den grünen Arzt gewinnen, wenn Boris dir mindestens 4.000 zahlt.",
     "Anna lässt deinen Arzt gewinnen, wenn du mindestens 4.000 zahlst."),
    (PlaceIn(BORIS_S, None, 6000), BRIBE,
     ("Anna stellt den grünen Arzt mit einem Gehalt von mindestens 6.000 ein, wenn Boris "
      "mindestens 4.000 zahlt."),
     ("Du stellst den grünen Arzt mit einem Gehalt von mindestens 6.000 ein, wenn Boris dir "
      "mindestens 4.000 zahlt."),
     ("Anna stellt deinen Arzt mit einem Gehalt von mindestens 6.000 ein, wenn du mindestens "
      "4.000 zahlst.")),
    (SendNobody(1, 4), BRIBE,
     ("Anna schickt bis zum Ende von Runde 4 keinen Arzt zu Boris, wenn Boris mindestens 4.000 für "
      "den grünen Arzt zahlt."),
     ("Du schickst bis zum Ende von Runde 4 keinen Arzt zu Boris, wenn Boris dir mindestens 4.000 "
      "für den grünen Arzt zahlt."),
     ("Anna schickt bis zum Ende von Runde 4 keinen Arzt zu dir, wenn du mindestens 4.000 für "
      "deinen Arzt zahlst.")),
    (SendScholar(None), None,
     "Anna schickt beim nächsten Mal mindestens einen Gelehrten zu Boris.",
     "Du schickst beim nächsten Mal mindestens einen Gelehrten zu Boris.",
     "Anna schickt beim nächsten Mal mindestens einen Gelehrten zu dir."),
    (Pay(ANNAS, 3000), None,
     "Anna zahlt Boris mindestens 3.000 für den roten Arzt.",
     "Du zahlst Boris mindestens 3.000 für deinen Arzt.",
     "Anna zahlt dir mindestens 3.000 für den roten Arzt."),
    (PayAtMost(ANNAS, 3000), None,
     "Anna zahlt höchstens 3.000 für den roten Arzt.",
     "Du zahlst höchstens 3.000 für deinen Arzt.",
     "Anna zahlt höchstens 3.000 für den roten Arzt."),
    (GiveArea(6000), None,
     "Anna gibt Boris das nächste Amt, das mindestens 6.000 bringt.",
     "Du gibst Boris das nächste Amt, das mindestens 6.000 bringt.",
     "Anna gibt dir das nächste Amt, das mindestens 6.000 bringt."),
    (Keep(BORIS_S, 4), SendNobody(None, 4),
     ("Anna behält den grünen Arzt bis zum Ende von Runde 4; im Gegenzug: Boris schickt bis zum "
      "Ende von Runde 4 niemanden zu Anna."),
     ("Du behältst den grünen Arzt bis zum Ende von Runde 4; im Gegenzug: Boris schickt bis zum "
      "Ende von Runde 4 niemanden zu dir."),
     ("Anna behält deinen Arzt bis zum Ende von Runde 4; im Gegenzug: Du schickst bis zum Ende von "
      "Runde 4 niemanden zu Anna.")),
]  # fmt: skip


@pytest.mark.parametrize(("deed", "condition", "of_others", "to_promiser", "to_other"), GERMAN)
def test_a_promise_is_one_sentence_in_german(deed, condition, of_others, to_promiser, to_other):
    with translation.override("de"):
        told = in_all_persons(Promise(ANNA, BORIS, deed, condition))
    assert told == [of_others, to_promiser, to_other]


RUSSIAN = [
    (Hire(BORIS_S), None,
     "Anna нанимает зелёного врача.", "Вы нанимаете зелёного врача.",
     "Anna нанимает вашего врача."),
    (Win(BORIS_S), BRIBE,
     "Anna отдаёт победу зелёному врачу, если Boris заплатит не меньше 4\xa0000.",
     "Вы отдаёте победу зелёному врачу, если Boris заплатит вам не меньше 4\xa0000.",
     "Anna отдаёт победу вашему врачу, если вы заплатите не меньше 4\xa0000."),
    (PlaceIn(BORIS_S, None, 6000), BRIBE,
     ("Anna нанимает зелёного врача с жалованьем не меньше 6\xa0000, если Boris заплатит не меньше "
      "4\xa0000."),
     ("Вы нанимаете зелёного врача с жалованьем не меньше 6\xa0000, если Boris заплатит вам не "
      "меньше 4\xa0000."),
     ("Anna нанимает вашего врача с жалованьем не меньше 6\xa0000, если вы заплатите не меньше "
      "4\xa0000.")),
    (SendNobody(1, 4), BRIBE,
     ("Anna до конца раунда 4 не отправляет к игроку Boris ни одного врача, если Boris заплатит не "
      "меньше 4\xa0000 за зелёного врача."),
     ("Вы до конца раунда 4 не отправляете к игроку Boris ни одного врача, если Boris заплатит вам "
      "не меньше 4\xa0000 за зелёного врача."),
     ("Anna до конца раунда 4 не отправляет к вам ни одного врача, если вы заплатите не меньше "
      "4\xa0000 за вашего врача.")),
    (Pay(ANNAS, 3000), None,
     "Anna платит игроку Boris не меньше 3\xa0000 за красного врача.",
     "Вы платите игроку Boris не меньше 3\xa0000 за вашего врача.",
     "Anna платит вам не меньше 3\xa0000 за красного врача."),
    (GiveArea(6000), None,
     "Anna отдаёт игроку Boris следующую должность с жалованьем не меньше 6\xa0000.",
     "Вы отдаёте игроку Boris следующую должность с жалованьем не меньше 6\xa0000.",
     "Anna отдаёт вам следующую должность с жалованьем не меньше 6\xa0000."),
    (Keep(BORIS_S, 4), SendNobody(None, 4),
     ("Anna оставляет зелёного врача на службе до конца раунда 4, а взамен Boris до конца раунда 4 "
      "никого не отправляет к игроку Anna."),
     ("Вы оставляете зелёного врача на службе до конца раунда 4, а взамен Boris до конца раунда 4 "
      "никого к вам не отправляет."),
     ("Anna оставляет вашего врача на службе до конца раунда 4, а взамен вы до конца раунда 4 "
      "никого не отправляете к игроку Anna.")),
]  # fmt: skip


@pytest.mark.parametrize(("deed", "condition", "of_others", "to_promiser", "to_other"), RUSSIAN)
def test_a_promise_is_one_sentence_in_russian(deed, condition, of_others, to_promiser, to_other):
    with translation.override("ru"):
        told = in_all_persons(Promise(ANNA, BORIS, deed, condition))
    assert told == [of_others, to_promiser, to_other]


OFFERED = {
    ("en", ANNA): [
        (
            "Anna offers Boris: Anna hires the green doctor at a salary of 10,000 if Boris pays at "
            "least 4,000."
        ),
        (
            "You offer Boris: you hire the green doctor at a salary of 10,000 if Boris pays you at "
            "least 4,000."
        ),
        "Anna offers you: Anna hires your doctor at a salary of 10,000 if you pay at least 4,000.",
    ],
    ("en", BORIS): [
        (
            "Boris asks Anna to promise: Anna hires the green doctor at a salary of 10,000 if "
            "Boris pays at least 4,000."
        ),
        (
            "Boris asks you to promise: you hire the green doctor at a salary of 10,000 if Boris "
            "pays you at least 4,000."
        ),
        (
            "You ask Anna to promise: Anna hires your doctor at a salary of 10,000 if you pay at "
            "least 4,000."
        ),
    ],
    ("de", ANNA): [
        (
            "Anna bietet Boris an: Anna stellt den grünen Arzt mit einem Gehalt von 10.000 ein, "
            "wenn Boris mindestens 4.000 zahlt."
        ),
        (
            "Du bietest Boris an: Du stellst den grünen Arzt mit einem Gehalt von 10.000 ein, wenn "
            "Boris dir mindestens 4.000 zahlt."
        ),
        (
            "Anna bietet dir an: Anna stellt deinen Arzt mit einem Gehalt von 10.000 ein, wenn du "
            "mindestens 4.000 zahlst."
        ),
    ],
    ("de", BORIS): [
        (
            "Boris bittet Anna um ein Versprechen: Anna stellt den grünen Arzt mit einem Gehalt "
            "von 10.000 ein, wenn Boris mindestens 4.000 zahlt."
        ),
        (
            "Boris bittet dich um ein Versprechen: Du stellst den grünen Arzt mit einem Gehalt von "
            "10.000 ein, wenn Boris dir mindestens 4.000 zahlt."
        ),
        (
            "Du bittest Anna um ein Versprechen: Anna stellt deinen Arzt mit einem Gehalt von "
            "10.000 ein, wenn du mindestens 4.000 zahlst."
        ),
    ],
    ("ru", ANNA): [
        (
            "Anna предлагает игроку Boris: Anna нанимает зелёного врача с жалованьем 10\xa0000, "
            "если Boris заплатит не меньше 4\xa0000."
        ),
        (
            "Вы предлагаете игроку Boris: вы нанимаете зелёного врача с жалованьем 10\xa0000, "
            "если Boris заплатит вам не меньше 4\xa0000."
        ),
        (
            "Anna предлагает вам: Anna нанимает вашего врача с жалованьем 10\xa0000, если вы "
            "заплатите не меньше 4\xa0000."
        ),
    ],
    ("ru", BORIS): [
        (
            "Boris просит игрока Anna дать обещание: Anna нанимает зелёного врача с жалованьем "
            "10\xa0000, если Boris заплатит не меньше 4\xa0000."
        ),
        (
            "Boris просит вас дать обещание: вы нанимаете зелёного врача с жалованьем 10\xa0000, "
            "если Boris заплатит вам не меньше 4\xa0000."
        ),
        (
            "Вы просите игрока Anna дать обещание: Anna нанимает вашего врача с жалованьем "
            "10\xa0000, если вы заплатите не меньше 4\xa0000."
        ),
    ],
}


@pytest.mark.parametrize(("language", "by"), OFFERED)
def test_an_offer_speaks_to_its_reader(language, by):
    with translation.override(language):
        told = [offer_text(told_to(reader), by, PLACED) for reader in (None, ANNA, BORIS)]
    assert told == OFFERED[language, by]


def outcomes(language: str, event: type, **what: object) -> list[str]:
    """What became of Anna's offer, to everybody, to Anna and to Boris, without the terms."""
    about = {"number": 1, "by": ANNA, "terms": encode_promise(TABLE, ANNA, PLACED), **what}
    with translation.override(language):
        return [
            outcome_text(told_to(reader), event(**about), refers=True)
            for reader in (None, ANNA, BORIS)
        ]


def accepted(language: str) -> list[str]:
    return outcomes(language, OfferReplied, seat=BORIS, reply="accepted")


def test_a_reply_refers_to_its_offer():
    assert accepted("en") == [
        "Boris accepts Anna's offer.",
        "Boris accepts your offer.",
        "You accept Anna's offer.",
    ]
    assert accepted("de") == [
        "Boris nimmt das Angebot von Anna an.",
        "Boris nimmt dein Angebot an.",
        "Du nimmst das Angebot von Anna an.",
    ]
    assert accepted("ru") == [
        "Boris принимает предложение игрока Anna.",
        "Boris принимает ваше предложение.",
        "Вы принимаете предложение игрока Anna.",
    ]
    assert outcomes("en", OfferReplied, seat=BORIS, reply="declined") == [
        "Boris declines Anna's offer.",
        "Boris declines your offer.",
        "You decline Anna's offer.",
    ]
    assert outcomes("en", OfferReplied, seat=ANNA, reply="withdrawn") == [
        "Anna withdraws an offer to Boris.",
        "You withdraw your offer to Boris.",
        "Anna withdraws an offer to you.",
    ]


def lapsed(language: str) -> list[str]:
    return outcomes(language, OfferLapsed, seat=ANNA)


def test_a_lapse_refers_to_its_offer():
    assert lapsed("en") == [
        "Anna's offer to Boris has lapsed.",
        "Your offer to Boris has lapsed.",
        "Anna's offer to you has lapsed.",
    ]
    assert lapsed("de") == [
        "Das Angebot von Anna an Boris ist verfallen.",
        "Dein Angebot an Boris ist verfallen.",
        "Das Angebot von Anna an dich ist verfallen.",
    ]
    assert lapsed("ru") == [
        "Предложение игрока Anna игроку Boris больше не действует.",
        "Ваше предложение игроку Boris больше не действует.",
        "Сделанное вам предложение игрока Anna больше не действует.",
    ]


def judged(language: str, verdict: str) -> list[str]:
    return outcomes(language, PromiseJudged, seat=ANNA, verdict=verdict, in_return=False)


def test_a_verdict_says_what_was_kept_or_broken():
    assert judged("en", Verdict.KEPT) == [
        "Anna has kept a promise to Boris: Anna hires the green doctor at a salary of 10,000.",
        "You have kept a promise to Boris: you hire the green doctor at a salary of 10,000.",
        "Anna has kept a promise to you: Anna hires your doctor at a salary of 10,000.",
    ]
    assert judged("en", Verdict.VOID) == [
        "Anna's promise to Boris no longer applies.",
        "Your promise to Boris no longer applies.",
        "Anna's promise to you no longer applies.",
    ]


BROKEN = {
    "en": [
        (
            "Anna has broken a promise to Boris; the promise was: Anna hires the green doctor at a "
            "salary of 10,000."
        ),
        (
            "You have broken a promise to Boris; the promise was: you hire the green doctor at a "
            "salary of 10,000."
        ),
        "Anna promised to hire your doctor at a salary of 10,000, but broke that promise.",
    ],
    "de": [
        (
            "Anna hat ein Versprechen gegenüber Boris gebrochen; versprochen war: Anna stellt den "
            "grünen Arzt mit einem Gehalt von 10.000 ein."
        ),
        (
            "Du hast ein Versprechen gegenüber Boris gebrochen; versprochen war: Du stellst den "
            "grünen Arzt mit einem Gehalt von 10.000 ein."
        ),
        (
            "Anna hat versprochen, deinen Arzt mit einem Gehalt von 10.000 einzustellen, "
            "dieses Versprechen aber gebrochen."
        ),
    ],
    "ru": [
        (
            "Anna нарушает обещание игроку Boris; было обещано: Anna нанимает зелёного врача с "
            "жалованьем 10\xa0000."
        ),
        (
            "Вы нарушаете обещание игроку Boris; было обещано: вы нанимаете зелёного врача с "
            "жалованьем 10\xa0000."
        ),
        "Anna обещает нанять вашего врача с жалованьем 10\xa0000, но нарушает это обещание.",
    ],
}
MISSED = {
    "en": "Anna promised to hire your doctor at a salary of 10,000, but let the deadline pass.",
    "de": (
        "Anna hat versprochen, deinen Arzt mit einem Gehalt von 10.000 einzustellen, aber die "
        "Frist verstreichen lassen."
    ),
    "ru": "Anna обещает нанять вашего врача с жалованьем 10\xa0000, но пропускает срок.",
}


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_what_was_not_kept_never_reads_as_done(language):
    assert judged(language, Verdict.BROKEN) == BROKEN[language]
    assert judged(language, LET_PASS)[2] == MISSED[language]


def test_without_the_offer_at_hand_its_terms_are_given():
    event = OfferReplied(BORIS, 1, ANNA, encode_promise(TABLE, ANNA, BOTH), "declined", "refused")
    assert outcome_text(told_to(ANNA), event, refers=False) == (
        "Boris declines your offer: you keep the green doctor until the end of round 4; in return, "
        "Boris sends no one to you until the end of round 4. “Not on those terms.”"
    )


def test_a_clause_has_a_capital_where_it_is_asked_for():
    clause = Clause.of("du stellst {scholar} ein", scholar="ihn")
    assert f"{clause:capital}, {clause}" == "Du stellst ihn ein, du stellst ihn ein"


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_a_name_stays_as_it_is_written(language):
    people = People(TABLE, ["anna", "boris", "clara"], reader=BORIS)
    with translation.override(language):
        for text in (promise_text(people, PLACED), promise_text(people, BOTH)):
            assert text.startswith("anna ")
        offered = offer_text(people, ANNA, BOTH)
    assert offered.startswith("anna ")
    assert "Anna" not in offered
