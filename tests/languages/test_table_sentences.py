"""Lines of the log about the table: about others, to those they are about, and to a third."""

from datetime import UTC, datetime

import pytest
from django.utils import translation

from games import table_events
from games.presentation.log.story import event_text
from tests.languages.test_promise_sentences import ANNA, BORIS, told_to

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)

EVENTS = {
    "absent": table_events.SeatAbsent(BORIS),
    "returned": table_events.SeatReturned(BORIS),
    "sat": table_events.SubstituteSat(BORIS),
    "given back": table_events.SeatGivenBack(BORIS),
    "called": table_events.DefaultCalled(BORIS),
    "excused": table_events.MissExcused(BORIS),
    "voted": table_events.VoteOpened("replace", None, ANNA, BORIS),
    "waits": table_events.WaitBegan(BORIS, ANNA, NOON),
    **{why: table_events.DeadlineMoved(BORIS, NOON, NOON, why) for why in table_events.REASONS},
}

SENTENCES = {
    "en": {
        "absent": [
            (
                "Boris is absent: the game continues without waiting for them until they return "
                "or a substitute takes the seat."
            ),
            (
                "You are absent: the game continues without waiting for you until you return or "
                "a substitute takes your seat."
            ),
            (
                "Boris is absent: the game continues without waiting for them until they return "
                "or a substitute takes the seat."
            ),
        ],
        "returned": [
            "Boris is back.",
            "You are back.",
            "Boris is back.",
        ],
        "sat": [
            "Boris takes over green as a substitute.",
            "You take over green as a substitute.",
            "Boris takes over green as a substitute.",
        ],
        "given back": [
            "Boris gets the green seat back.",
            "You get the green seat back.",
            "Boris gets the green seat back.",
        ],
        "called": [
            "A moderator has ended the wait for Boris's move.",
            "A moderator has ended the wait for your move.",
            "A moderator has ended the wait for Boris's move.",
        ],
        "excused": [
            "Boris's missed deadlines are excused.",
            "Your missed deadlines are excused.",
            "Boris's missed deadlines are excused.",
        ],
        "voted": [
            "Boris calls a vote: Replace Anna with a computer player permanently?",
            "You call a vote: Replace Anna with a computer player permanently?",
            "Boris calls a vote: Replace you with a computer player permanently?",
        ],
        "waits": [
            "Boris will wait for Anna's reply until Mon 2 Mar, 12:00 (UTC).",
            "Boris will wait for Anna's reply until Mon 2 Mar, 12:00 (UTC).",
            "Boris will wait for your reply until Mon 2 Mar, 12:00 (UTC).",
        ],
        "outage": [
            (
                "Boris's deadline is extended to Mon 2 Mar, 12:00 (UTC): the clock stopped for a "
                "while."
            ),
            "Your deadline is extended to Mon 2 Mar, 12:00 (UTC): the clock stopped for a while.",
            (
                "Boris's deadline is extended to Mon 2 Mar, 12:00 (UTC): the clock stopped for a "
                "while."
            ),
        ],
        "email": [
            "Boris's deadline is extended to Mon 2 Mar, 12:00 (UTC): email was down.",
            "Your deadline is extended to Mon 2 Mar, 12:00 (UTC): email was down.",
            "Boris's deadline is extended to Mon 2 Mar, 12:00 (UTC): email was down.",
        ],
        "moved": [
            "Boris's deadline is now Mon 2 Mar, 12:00 (UTC).",
            "Your deadline is now Mon 2 Mar, 12:00 (UTC).",
            "Boris's deadline is now Mon 2 Mar, 12:00 (UTC).",
        ],
        "pause": [
            "Boris's deadline is now Mon 2 Mar, 12:00 (UTC): the game was paused.",
            "Your deadline is now Mon 2 Mar, 12:00 (UTC): the game was paused.",
            "Boris's deadline is now Mon 2 Mar, 12:00 (UTC): the game was paused.",
        ],
        "parked": [
            "Boris's deadline is now Mon 2 Mar, 12:00 (UTC): the game was stopped by an error.",
            "Your deadline is now Mon 2 Mar, 12:00 (UTC): the game was stopped by an error.",
            "Boris's deadline is now Mon 2 Mar, 12:00 (UTC): the game was stopped by an error.",
        ],
        "hours": [
            "Boris's deadline is now Mon 2 Mar, 12:00 (UTC): all games were given extra time.",
            "Your deadline is now Mon 2 Mar, 12:00 (UTC): all games were given extra time.",
            "Boris's deadline is now Mon 2 Mar, 12:00 (UTC): all games were given extra time.",
        ],
        "downtime": [
            "Boris's deadline is now Mon 2 Mar, 12:00 (UTC): the site was unavailable.",
            "Your deadline is now Mon 2 Mar, 12:00 (UTC): the site was unavailable.",
            "Boris's deadline is now Mon 2 Mar, 12:00 (UTC): the site was unavailable.",
        ],
        "maintenance": [
            "Boris's deadline is now Mon 2 Mar, 12:00 (UTC): the site was under maintenance.",
            "Your deadline is now Mon 2 Mar, 12:00 (UTC): the site was under maintenance.",
            "Boris's deadline is now Mon 2 Mar, 12:00 (UTC): the site was under maintenance.",
        ],
        "days_off": [
            "Boris's deadline is Mon 2 Mar, 12:00 (UTC): days off don't count.",
            "Your deadline is Mon 2 Mar, 12:00 (UTC): days off don't count.",
            "Boris's deadline is Mon 2 Mar, 12:00 (UTC): days off don't count.",
        ],
    },
    "de": {
        "absent": [
            (
                "Boris ist abwesend: Das Spiel wartet nicht mehr auf diesen Platz, bis Boris "
                "zurückkommt oder eine Vertretung ihn übernimmt."
            ),
            (
                "Du bist abwesend: Das Spiel wartet nicht auf dich, bis du zurückkommst oder eine "
                "Vertretung deinen Platz übernimmt."
            ),
            (
                "Boris ist abwesend: Das Spiel wartet nicht mehr auf diesen Platz, bis Boris "
                "zurückkommt oder eine Vertretung ihn übernimmt."
            ),
        ],
        "returned": [
            "Boris ist wieder da.",
            "Du bist wieder da.",
            "Boris ist wieder da.",
        ],
        "sat": [
            "Boris übernimmt Grün als Vertretung.",
            "Du übernimmst Grün als Vertretung.",
            "Boris übernimmt Grün als Vertretung.",
        ],
        "given back": [
            "Boris spielt wieder Grün.",
            "Du spielst wieder Grün.",
            "Boris spielt wieder Grün.",
        ],
        "called": [
            "Die Moderation beendet die Bedenkzeit von Boris.",
            "Die Moderation beendet deine Bedenkzeit.",
            "Die Moderation beendet die Bedenkzeit von Boris.",
        ],
        "excused": [
            "Die versäumten Fristen von Boris zählen nicht mehr.",
            "Deine versäumten Fristen zählen nicht mehr.",
            "Die versäumten Fristen von Boris zählen nicht mehr.",
        ],
        "voted": [
            (
                "Boris startet eine Abstimmung: Soll ein Computerspieler Anna bis zum Spielende "
                "ersetzen?"
            ),
            (
                "Du startest eine Abstimmung: Soll ein Computerspieler Anna bis zum Spielende "
                "ersetzen?"
            ),
            (
                "Boris startet eine Abstimmung: Soll ein Computerspieler dich bis zum Spielende "
                "ersetzen?"
            ),
        ],
        "waits": [
            "Boris wartet bis Mo 2. März, 12:00 (UTC) auf eine Antwort von Anna.",
            "Boris wartet bis Mo 2. März, 12:00 (UTC) auf eine Antwort von Anna.",
            "Boris wartet bis Mo 2. März, 12:00 (UTC) auf deine Antwort.",
        ],
        "outage": [
            (
                "Die Frist von Boris läuft jetzt bis Mo 2. März, 12:00 (UTC), weil die Uhr eine "
                "Weile stillstand."
            ),
            (
                "Deine Frist läuft jetzt bis Mo 2. März, 12:00 (UTC), weil die Uhr eine Weile "
                "stillstand."
            ),
            (
                "Die Frist von Boris läuft jetzt bis Mo 2. März, 12:00 (UTC), weil die Uhr eine "
                "Weile stillstand."
            ),
        ],
        "email": [
            (
                "Die Frist von Boris läuft jetzt bis Mo 2. März, 12:00 (UTC), weil E-Mails nicht "
                "verschickt werden konnten."
            ),
            (
                "Deine Frist läuft jetzt bis Mo 2. März, 12:00 (UTC), weil E-Mails nicht "
                "verschickt werden konnten."
            ),
            (
                "Die Frist von Boris läuft jetzt bis Mo 2. März, 12:00 (UTC), weil E-Mails nicht "
                "verschickt werden konnten."
            ),
        ],
        "moved": [
            "Die Frist von Boris läuft jetzt bis Mo 2. März, 12:00 (UTC).",
            "Deine Frist läuft jetzt bis Mo 2. März, 12:00 (UTC).",
            "Die Frist von Boris läuft jetzt bis Mo 2. März, 12:00 (UTC).",
        ],
        "pause": [
            (
                "Die Frist von Boris läuft jetzt bis Mo 2. März, 12:00 (UTC), weil das Spiel "
                "pausiert war."
            ),
            "Deine Frist läuft jetzt bis Mo 2. März, 12:00 (UTC), weil das Spiel pausiert war.",
            (
                "Die Frist von Boris läuft jetzt bis Mo 2. März, 12:00 (UTC), weil das Spiel "
                "pausiert war."
            ),
        ],
        "parked": [
            (
                "Die Frist von Boris läuft jetzt bis Mo 2. März, 12:00 (UTC), weil das Spiel "
                "wegen eines Fehlers angehalten war."
            ),
            (
                "Deine Frist läuft jetzt bis Mo 2. März, 12:00 (UTC), weil das Spiel wegen eines "
                "Fehlers angehalten war."
            ),
            (
                "Die Frist von Boris läuft jetzt bis Mo 2. März, 12:00 (UTC), weil das Spiel "
                "wegen eines Fehlers angehalten war."
            ),
        ],
        "hours": [
            (
                "Die Frist von Boris läuft jetzt bis Mo 2. März, 12:00 (UTC), weil alle Spiele "
                "mehr Zeit bekommen haben."
            ),
            (
                "Deine Frist läuft jetzt bis Mo 2. März, 12:00 (UTC), weil alle Spiele mehr Zeit "
                "bekommen haben."
            ),
            (
                "Die Frist von Boris läuft jetzt bis Mo 2. März, 12:00 (UTC), weil alle Spiele "
                "mehr Zeit bekommen haben."
            ),
        ],
        "downtime": [
            (
                "Die Frist von Boris läuft jetzt bis Mo 2. März, 12:00 (UTC), weil die Website "
                "nicht erreichbar war."
            ),
            (
                "Deine Frist läuft jetzt bis Mo 2. März, 12:00 (UTC), weil die Website nicht "
                "erreichbar war."
            ),
            (
                "Die Frist von Boris läuft jetzt bis Mo 2. März, 12:00 (UTC), weil die Website "
                "nicht erreichbar war."
            ),
        ],
        "maintenance": [
            (
                "Die Frist von Boris läuft jetzt bis Mo 2. März, 12:00 (UTC), weil die Website "
                "gewartet wurde."
            ),
            "Deine Frist läuft jetzt bis Mo 2. März, 12:00 (UTC), weil die Website gewartet wurde.",
            (
                "Die Frist von Boris läuft jetzt bis Mo 2. März, 12:00 (UTC), weil die Website "
                "gewartet wurde."
            ),
        ],
        "days_off": [
            "Die Frist von Boris läuft bis Mo 2. März, 12:00 (UTC), weil freie Tage nicht zählen.",
            "Deine Frist läuft bis Mo 2. März, 12:00 (UTC), weil freie Tage nicht zählen.",
            "Die Frist von Boris läuft bis Mo 2. März, 12:00 (UTC), weil freie Tage nicht zählen.",
        ],
    },
    "ru": {
        "absent": [
            (
                "Boris отсутствует. Игра идёт, не дожидаясь этого игрока, пока он не вернётся или "
                "его место не займёт кто-то другой."
            ),
            (
                "Вы отсутствуете. Игра идёт, не дожидаясь вас, пока вы не вернётесь или ваше место "
                "не займёт кто-то другой."
            ),
            (
                "Boris отсутствует. Игра идёт, не дожидаясь этого игрока, пока он не вернётся или "
                "его место не займёт кто-то другой."
            ),
        ],
        "returned": [
            "Boris снова за столом.",
            "Вы снова за столом.",
            "Boris снова за столом.",
        ],
        "sat": [
            "Boris вступает в игру и играет за зелёного.",
            "Вы вступаете в игру и играете за зелёного.",
            "Boris вступает в игру и играет за зелёного.",
        ],
        "given back": [
            "Boris снова играет за зелёного.",
            "Вы снова играете за зелёного.",
            "Boris снова играет за зелёного.",
        ],
        "called": [
            "Модератор решает больше не ждать хода игрока Boris.",
            "Модератор решает больше не ждать вашего хода.",
            "Модератор решает больше не ждать хода игрока Boris.",
        ],
        "excused": [
            "Пропущенные сроки игрока Boris больше не учитываются.",
            "Ваши пропущенные сроки больше не учитываются.",
            "Пропущенные сроки игрока Boris больше не учитываются.",
        ],
        "voted": [
            "Boris предлагает проголосовать: «Заменить игрока Anna компьютером до конца игры?»",
            "Вы предлагаете проголосовать: «Заменить игрока Anna компьютером до конца игры?»",
            "Boris предлагает проголосовать: «Заменить вас компьютером до конца игры?»",
        ],
        "waits": [
            "Boris до пн 2 марта, 12:00 (UTC) ждёт ответа от игрока Anna.",
            "Boris до пн 2 марта, 12:00 (UTC) ждёт ответа от игрока Anna.",
            "Boris до пн 2 марта, 12:00 (UTC) ждёт вашего ответа.",
        ],
        "outage": [
            "Срок для игрока Boris продлён до пн 2 марта, 12:00 (UTC): часы сервера стояли.",
            "Ваш срок продлён до пн 2 марта, 12:00 (UTC): часы сервера стояли.",
            "Срок для игрока Boris продлён до пн 2 марта, 12:00 (UTC): часы сервера стояли.",
        ],
        "email": [
            "Срок для игрока Boris продлён до пн 2 марта, 12:00 (UTC): почта не работала.",
            "Ваш срок продлён до пн 2 марта, 12:00 (UTC): почта не работала.",
            "Срок для игрока Boris продлён до пн 2 марта, 12:00 (UTC): почта не работала.",
        ],
        "moved": [
            "Новый срок для игрока Boris — пн 2 марта, 12:00 (UTC).",
            "Ваш новый срок — пн 2 марта, 12:00 (UTC).",
            "Новый срок для игрока Boris — пн 2 марта, 12:00 (UTC).",
        ],
        "pause": [
            "Новый срок для игрока Boris — пн 2 марта, 12:00 (UTC): игра стояла на паузе.",
            "Ваш новый срок — пн 2 марта, 12:00 (UTC): игра стояла на паузе.",
            "Новый срок для игрока Boris — пн 2 марта, 12:00 (UTC): игра стояла на паузе.",
        ],
        "parked": [
            (
                "Новый срок для игрока Boris — пн 2 марта, 12:00 (UTC): игра останавливалась "
                "из-за ошибки."
            ),
            "Ваш новый срок — пн 2 марта, 12:00 (UTC): игра останавливалась из-за ошибки.",
            (
                "Новый срок для игрока Boris — пн 2 марта, 12:00 (UTC): игра останавливалась "
                "из-за ошибки."
            ),
        ],
        "hours": [
            "Новый срок для игрока Boris — пн 2 марта, 12:00 (UTC): время добавлено во всех играх.",
            "Ваш новый срок — пн 2 марта, 12:00 (UTC): время добавлено во всех играх.",
            "Новый срок для игрока Boris — пн 2 марта, 12:00 (UTC): время добавлено во всех играх.",
        ],
        "downtime": [
            "Новый срок для игрока Boris — пн 2 марта, 12:00 (UTC): сайт был недоступен.",
            "Ваш новый срок — пн 2 марта, 12:00 (UTC): сайт был недоступен.",
            "Новый срок для игрока Boris — пн 2 марта, 12:00 (UTC): сайт был недоступен.",
        ],
        "maintenance": [
            (
                "Новый срок для игрока Boris — пн 2 марта, 12:00 (UTC): на сайте шли технические "
                "работы."
            ),
            "Ваш новый срок — пн 2 марта, 12:00 (UTC): на сайте шли технические работы.",
            (
                "Новый срок для игрока Boris — пн 2 марта, 12:00 (UTC): на сайте шли технические "
                "работы."
            ),
        ],
        "days_off": [
            "Срок для игрока Boris — пн 2 марта, 12:00 (UTC): выходные не считаются.",
            "Ваш срок — пн 2 марта, 12:00 (UTC): выходные не считаются.",
            "Срок для игрока Boris — пн 2 марта, 12:00 (UTC): выходные не считаются.",
        ],
    },
}
"""To everybody, to Boris and to Anna."""


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_a_line_about_the_table_speaks_to_those_it_is_about(language):
    with translation.override(language):
        told = {
            name: [event_text(told_to(reader), event) for reader in (None, BORIS, ANNA)]
            for name, event in EVENTS.items()
        }
    assert told == SENTENCES[language]


WAITS_WITHOUT_DEADLINES = {
    "en": ["Boris is waiting for Anna's reply.", "Boris is waiting for your reply."],
    "de": ["Boris wartet auf eine Antwort von Anna.", "Boris wartet auf deine Antwort."],
    "ru": ["Boris ждёт ответа от игрока Anna.", "Boris ждёт вашего ответа."],
}


@pytest.mark.parametrize("language", WAITS_WITHOUT_DEADLINES)
def test_a_game_without_deadlines_names_no_time_for_a_reply(language):
    with translation.override(language):
        told = [
            event_text(told_to(reader)._replace(has_deadlines=False), EVENTS["waits"])
            for reader in (None, ANNA)
        ]
    assert told == WAITS_WITHOUT_DEADLINES[language]


def test_a_game_without_deadlines_names_no_time_for_a_move():
    people = told_to(BORIS)._replace(has_deadlines=False)
    for why in ("parked", "hours", "downtime", "maintenance", "outage", "email"):
        assert "Mon 2 Mar" not in event_text(people, EVENTS[why])
