"""Lines of the log about moves: about others, to who does it, and to whom it is done."""

import re

import pytest
from django.utils import translation

from games.engine import Scholar, Stage
from games.engine import events as happened
from games.engine.state import Payment
from games.presentation.log.story import event_text
from games.presentation.text.said import INHERITED, INHERITED_OFFER
from tests.languages.test_promise_sentences import ANNA, ANNAS, BORIS, BORIS_S, TABLE, told_to

CLARA = 2
PRIEST = Scholar(BORIS, 2, 1)

EVENTS = {
    "started": happened.GameStarted(TABLE, None),
    "turn": happened.TurnBegan(2, BORIS),
    "salary": happened.SalaryPaid(BORIS, ((BORIS_S, ANNA, 6000),)),
    "salaries": happened.SalaryPaid(BORIS, ((BORIS_S, ANNA, 6000), (PRIEST, CLARA, 3000))),
    "rivals": happened.StageOpened(Stage.EXTERNAL_BRIBES, None, (ANNAS, BORIS_S)),
    "challenge": happened.StageOpened(Stage.INTERNAL_BRIBES, 6000, (BORIS_S, ANNAS)),
    "sealed": happened.BribesSealed(BORIS, ()),
    "sealed these": happened.BribesSealed(BORIS, ((BORIS_S, 4000),)),
    "paid": happened.BribesPaid(BORIS, (Payment(BORIS_S, 4000, 1000), Payment(PRIEST, 0, 0))),
    "hired": happened.ScholarHired(ANNA, BORIS_S, 6000),
    "kept": happened.ScholarKept(ANNA, BORIS_S, 6000),
    "banished": happened.ScholarBanished(ANNA, BORIS_S, 3000, 0),
    "sent": happened.ScholarsSent(BORIS, ((BORIS_S, ANNA), (PRIEST, CLARA))),
    "won": happened.GameEnded((BORIS,), (5000, 8000, 3000)),
    "shared": happened.GameEnded((ANNA, BORIS), (8000, 8000, 3000)),
}

SENTENCES = {
    "en": {
        "started": [
            (
                "Seated clockwise: Anna (red), Boris (green) and Clara (blue). Everyone starts "
                "with 32,000 ducats. Anna goes first."
            ),
            (
                "Seated clockwise: Anna (red), you (green) and Clara (blue). Everyone starts with "
                "32,000 ducats. Anna goes first."
            ),
            (
                "Seated clockwise: you (red), Boris (green) and Clara (blue). Everyone starts "
                "with 32,000 ducats. You go first."
            ),
        ],
        "turn": [
            "Round 2: Boris's turn",
            "Round 2: your turn",
            "Round 2: Boris's turn",
        ],
        "salary": [
            "The bank pays Boris 6,000 for the doctor working for Anna.",
            "The bank pays you 6,000 for your doctor working for Anna.",
            "The bank pays Boris 6,000 for the doctor working for you.",
        ],
        "salaries": [
            (
                "The bank pays Boris 9,000 ducats: 6,000 for the doctor working for Anna and "
                "3,000 for the priest working for Clara."
            ),
            (
                "The bank pays you 9,000 ducats: 6,000 for your doctor working for Anna and 3,000 "
                "for your priest working for Clara."
            ),
            (
                "The bank pays Boris 9,000 ducats: 6,000 for the doctor working for you and 3,000 "
                "for the priest working for Clara."
            ),
        ],
        "rivals": [
            "Rivals at the door: the red doctor and the green doctor.",
            "Rivals at the door: the red doctor and your doctor.",
            "Rivals at the door: your doctor and the green doctor.",
        ],
        "challenge": [
            "The green doctor, who earns 6,000, is challenged by the red doctor.",
            "Your doctor, who earns 6,000, is challenged by the red doctor.",
            "The green doctor, who earns 6,000, is challenged by your doctor.",
        ],
        "sealed": [
            "Boris submits sealed bribes.",
            "You submit sealed bribes.",
            "Boris submits sealed bribes.",
        ],
        "sealed these": [
            "Boris submits sealed bribes: 4,000 for the green doctor.",
            "You submit sealed bribes: 4,000 for your doctor.",
            "Boris submits sealed bribes: 4,000 for the green doctor.",
        ],
        "paid": [
            (
                "Boris pays 4,000 for the green doctor. Boris pays nothing for the green priest. "
                "The bank pays 1,000 of that, because Boris has no money left."
            ),
            (
                "You pay 4,000 for your doctor. You pay nothing for your priest. The bank pays "
                "1,000 of that, because you have no money left."
            ),
            (
                "Boris pays 4,000 for the green doctor. Boris pays nothing for the green priest. "
                "The bank pays 1,000 of that, because Boris has no money left."
            ),
        ],
        "hired": [
            "Anna hires the green doctor at a salary of 6,000.",
            "Anna hires your doctor at a salary of 6,000.",
            "You hire the green doctor at a salary of 6,000.",
        ],
        "kept": [
            "Anna keeps the green doctor at a salary of 6,000.",
            "Anna keeps your doctor at a salary of 6,000.",
            "You keep the green doctor at a salary of 6,000.",
        ],
        "banished": [
            "The green doctor is banished to the island. Boris gets 3,000 back.",
            "Your doctor is banished to the island. You get 3,000 back.",
            "The green doctor is banished to the island. Boris gets 3,000 back.",
        ],
        "sent": [
            "Boris sends the doctor to Anna and the priest to Clara.",
            "You send your doctor to Anna and your priest to Clara.",
            "Boris sends the doctor to you and the priest to Clara.",
        ],
        "won": [
            "Boris wins. Final totals: Anna 5,000, Boris 8,000 and Clara 3,000.",
            "You win. Final totals: Anna 5,000, you 8,000 and Clara 3,000.",
            "Boris wins. Final totals: you 5,000, Boris 8,000 and Clara 3,000.",
        ],
        "shared": [
            (
                "Anna and Boris share the victory. Final totals: Anna 8,000, Boris 8,000 and "
                "Clara 3,000."
            ),
            "You share the victory with Anna. Final totals: Anna 8,000, you 8,000 and Clara 3,000.",
            (
                "You share the victory with Boris. Final totals: you 8,000, Boris 8,000 and Clara "
                "3,000."
            ),
        ],
    },
    "de": {
        "started": [
            (
                "Am Tisch im Uhrzeigersinn: Anna (Rot), Boris (Grün) und Clara (Blau). Alle "
                "beginnen mit 32.000 Dukaten. Anna ist zuerst am Zug."
            ),
            (
                "Am Tisch im Uhrzeigersinn: Anna (Rot), du (Grün) und Clara (Blau). Alle beginnen "
                "mit 32.000 Dukaten. Anna ist zuerst am Zug."
            ),
            (
                "Am Tisch im Uhrzeigersinn: du (Rot), Boris (Grün) und Clara (Blau). Alle "
                "beginnen mit 32.000 Dukaten. Du bist zuerst am Zug."
            ),
        ],
        "turn": [
            "Runde 2: Boris ist am Zug",
            "Runde 2: Du bist am Zug",
            "Runde 2: Boris ist am Zug",
        ],
        "salary": [
            "Die Bank zahlt Boris 6.000 für den Arzt bei Anna.",
            "Die Bank zahlt dir 6.000 für deinen Arzt bei Anna.",
            "Die Bank zahlt Boris 6.000 für den Arzt bei dir.",
        ],
        "salaries": [
            (
                "Die Bank zahlt Boris 9.000 Dukaten: 6.000 für den Arzt bei Anna und 3.000 für "
                "den Priester bei Clara."
            ),
            (
                "Die Bank zahlt dir 9.000 Dukaten: 6.000 für deinen Arzt bei Anna und 3.000 für "
                "deinen Priester bei Clara."
            ),
            (
                "Die Bank zahlt Boris 9.000 Dukaten: 6.000 für den Arzt bei dir und 3.000 für den "
                "Priester bei Clara."
            ),
        ],
        "rivals": [
            "Rivalen an der Tür: der rote Arzt und der grüne Arzt.",
            "Rivalen an der Tür: der rote Arzt und dein Arzt.",
            "Rivalen an der Tür: dein Arzt und der grüne Arzt.",
        ],
        "challenge": [
            "Der grüne Arzt verteidigt sein Gehalt von 6.000 gegen den roten Arzt.",
            "Dein Arzt verteidigt sein Gehalt von 6.000 gegen den roten Arzt.",
            "Der grüne Arzt verteidigt sein Gehalt von 6.000 gegen deinen Arzt.",
        ],
        "sealed": [
            "Boris gibt verdeckte Bestechungsgelder ab.",
            "Du gibst verdeckte Bestechungsgelder ab.",
            "Boris gibt verdeckte Bestechungsgelder ab.",
        ],
        "sealed these": [
            "Boris gibt verdeckte Bestechungsgelder ab: 4.000 für den grünen Arzt.",
            "Du gibst verdeckte Bestechungsgelder ab: 4.000 für deinen Arzt.",
            "Boris gibt verdeckte Bestechungsgelder ab: 4.000 für den grünen Arzt.",
        ],
        "paid": [
            (
                "Boris zahlt 4.000 für den grünen Arzt. Boris zahlt nichts für den grünen "
                "Priester. Davon zahlt die Bank 1.000, weil Boris kein Geld mehr hat."
            ),
            (
                "Du zahlst 4.000 für deinen Arzt. Du zahlst nichts für deinen Priester. Davon "
                "zahlt die Bank 1.000, weil du kein Geld mehr hast."
            ),
            (
                "Boris zahlt 4.000 für den grünen Arzt. Boris zahlt nichts für den grünen "
                "Priester. Davon zahlt die Bank 1.000, weil Boris kein Geld mehr hat."
            ),
        ],
        "hired": [
            "Anna stellt den grünen Arzt mit einem Gehalt von 6.000 ein.",
            "Anna stellt deinen Arzt mit einem Gehalt von 6.000 ein.",
            "Du stellst den grünen Arzt mit einem Gehalt von 6.000 ein.",
        ],
        "kept": [
            "Anna behält den grünen Arzt mit einem Gehalt von 6.000.",
            "Anna behält deinen Arzt mit einem Gehalt von 6.000.",
            "Du behältst den grünen Arzt mit einem Gehalt von 6.000.",
        ],
        "banished": [
            "Der grüne Arzt wird auf die Insel verbannt. Boris bekommt 3.000 zurück.",
            "Dein Arzt wird auf die Insel verbannt. Du bekommst 3.000 zurück.",
            "Der grüne Arzt wird auf die Insel verbannt. Boris bekommt 3.000 zurück.",
        ],
        "sent": [
            "Boris schickt den Arzt zu Anna und den Priester zu Clara.",
            "Du schickst deinen Arzt zu Anna und deinen Priester zu Clara.",
            "Boris schickt den Arzt zu dir und den Priester zu Clara.",
        ],
        "won": [
            "Boris gewinnt. Endstand: Anna 5.000, Boris 8.000 und Clara 3.000.",
            "Du gewinnst. Endstand: Anna 5.000, du 8.000 und Clara 3.000.",
            "Boris gewinnt. Endstand: du 5.000, Boris 8.000 und Clara 3.000.",
        ],
        "shared": [
            (
                "Anna und Boris teilen sich den Sieg. Endstand: Anna 8.000, Boris 8.000 und Clara "
                "3.000."
            ),
            "Du teilst dir den Sieg mit Anna. Endstand: Anna 8.000, du 8.000 und Clara 3.000.",
            "Du teilst dir den Sieg mit Boris. Endstand: du 8.000, Boris 8.000 und Clara 3.000.",
        ],
    },
    "ru": {
        "started": [
            (
                "За столом по часовой стрелке: Anna (красный), Boris (зелёный) и Clara (синий). В "
                "начале у каждого 32\xa0000 дукатов. Первый ход: Anna."
            ),
            (
                "За столом по часовой стрелке: Anna (красный), вы (зелёный) и Clara (синий). В "
                "начале у каждого 32\xa0000 дукатов. Первый ход: Anna."
            ),
            (
                "За столом по часовой стрелке: вы (красный), Boris (зелёный) и Clara (синий). В "
                "начале у каждого 32\xa0000 дукатов. Первый ход за вами."
            ),
        ],
        "turn": [
            "Раунд 2: ходит Boris",
            "Раунд 2: ваш ход",
            "Раунд 2: ходит Boris",
        ],
        "salary": [
            "Банк платит игроку Boris 6\xa0000 за врача на службе у игрока Anna.",
            "Банк платит вам 6\xa0000 за вашего врача на службе у игрока Anna.",
            "Банк платит игроку Boris 6\xa0000 за врача на службе у вас.",
        ],
        "salaries": [
            (
                "Банк платит игроку Boris 9\xa0000 дукатов: 6\xa0000 за врача на службе у игрока "
                "Anna и 3\xa0000 за священника на службе у игрока Clara."
            ),
            (
                "Банк платит вам 9\xa0000 дукатов: 6\xa0000 за вашего врача на службе у игрока "
                "Anna и 3\xa0000 за вашего священника на службе у игрока Clara."
            ),
            (
                "Банк платит игроку Boris 9\xa0000 дукатов: 6\xa0000 за врача на службе у вас и "
                "3\xa0000 за священника на службе у игрока Clara."
            ),
        ],
        "rivals": [
            "Соперники у дверей: красный врач и зелёный врач.",
            "Соперники у дверей: красный врач и ваш врач.",
            "Соперники у дверей: ваш врач и зелёный врач.",
        ],
        "challenge": [
            "Зелёный врач с жалованьем 6\xa0000 защищается от красного врача.",
            "Ваш врач с жалованьем 6\xa0000 защищается от красного врача.",
            "Зелёный врач с жалованьем 6\xa0000 защищается от вашего врача.",
        ],
        "sealed": [
            "Boris передаёт запечатанные взятки.",
            "Вы передаёте запечатанные взятки.",
            "Boris передаёт запечатанные взятки.",
        ],
        "sealed these": [
            "Boris передаёт запечатанные взятки: 4\xa0000 за зелёного врача.",
            "Вы передаёте запечатанные взятки: 4\xa0000 за вашего врача.",
            "Boris передаёт запечатанные взятки: 4\xa0000 за зелёного врача.",
        ],
        "paid": [
            (
                "Boris платит 4\xa0000 за зелёного врача. Boris ничего не платит за зелёного "
                "священника. Из них 1\xa0000 платит банк: у игрока Boris больше нет денег."
            ),
            (
                "Вы платите 4\xa0000 за вашего врача. Вы ничего не платите за вашего священника. "
                "Из них 1\xa0000 платит банк: у вас больше нет денег."
            ),
            (
                "Boris платит 4\xa0000 за зелёного врача. Boris ничего не платит за зелёного "
                "священника. Из них 1\xa0000 платит банк: у игрока Boris больше нет денег."
            ),
        ],
        "hired": [
            "Anna нанимает зелёного врача с жалованьем 6\xa0000.",
            "Anna нанимает вашего врача с жалованьем 6\xa0000.",
            "Вы нанимаете зелёного врача с жалованьем 6\xa0000.",
        ],
        "kept": [
            "Anna оставляет зелёного врача на службе с жалованьем 6\xa0000.",
            "Anna оставляет вашего врача на службе с жалованьем 6\xa0000.",
            "Вы оставляете зелёного врача на службе с жалованьем 6\xa0000.",
        ],
        "banished": [
            "Зелёный врач отправляется в изгнание на остров. Boris получает обратно 3\xa0000.",
            "Ваш врач отправляется в изгнание на остров. Вы получаете обратно 3\xa0000.",
            "Зелёный врач отправляется в изгнание на остров. Boris получает обратно 3\xa0000.",
        ],
        "sent": [
            "Boris отправляет врача к игроку Anna и священника к игроку Clara.",
            "Вы отправляете вашего врача к игроку Anna и вашего священника к игроку Clara.",
            "Boris отправляет врача к вам и священника к игроку Clara.",
        ],
        "won": [
            (
                "Boris побеждает. Деньги в конце игры: Anna — 5\xa0000, Boris — 8\xa0000 и Clara "
                "— 3\xa0000."
            ),
            (
                "Вы побеждаете. Деньги в конце игры: Anna — 5\xa0000, вы — 8\xa0000 и Clara — "
                "3\xa0000."
            ),
            (
                "Boris побеждает. Деньги в конце игры: вы — 5\xa0000, Boris — 8\xa0000 и Clara — "
                "3\xa0000."
            ),
        ],
        "shared": [
            (
                "Anna и Boris делят победу. Деньги в конце игры: Anna — 8\xa0000, Boris — "
                "8\xa0000 и Clara — 3\xa0000."
            ),
            (
                "Вы и Anna делите победу. Деньги в конце игры: Anna — 8\xa0000, вы — 8\xa0000 и "
                "Clara — 3\xa0000."
            ),
            (
                "Вы и Boris делите победу. Деньги в конце игры: вы — 8\xa0000, Boris — 8\xa0000 и "
                "Clara — 3\xa0000."
            ),
        ],
    },
}
"""To everybody, to Boris and to Anna."""


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_a_line_about_a_move_speaks_to_those_it_is_about(language):
    with translation.override(language):
        told = {
            name: [event_text(told_to(reader), event) for reader in (None, BORIS, ANNA)]
            for name, event in EVENTS.items()
        }
    assert told == SENTENCES[language]


HEIRS = {
    "en": (
        "you, bound by Piet's promise from round 1",
        "you, taking over Piet's offer from round 1",
    ),
    "de": (
        "du, gebunden durch das Versprechen von Piet aus Runde 1",
        "du hast das Angebot von Piet aus Runde 1 übernommen",
    ),
    "ru": (
        "вы отвечаете за обещание, данное игроком Piet в раунде 1",
        "вы отвечаете за предложение, сделанное игроком Piet в раунде 1",
    ),
}


@pytest.mark.parametrize("language", HEIRS)
def test_an_heir_is_you(language):
    with translation.override(language):
        told = [
            said.about(told_to(ANNA), ANNA, other="Piet", round=1)
            for said in (INHERITED, INHERITED_OFFER)
        ]
        of_others = INHERITED.about(told_to(BORIS), ANNA, other="Piet", round=1)
    assert tuple(told) == HEIRS[language]
    assert re.match("Anna\\b", of_others)


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_nobody_is_you_before_they_sat_there(language):
    before = told_to(BORIS).then(["Anna", "Piet", "Clara"])
    with translation.override(language):
        told = [event_text(before, event) for event in EVENTS.values()]
        of_others = [event_text(before._replace(reader=None), event) for event in EVENTS.values()]
    assert told == of_others
    assert any("Piet" in text for text in told)
