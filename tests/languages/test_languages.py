"""Are the catalogues complete and right? And does the whole log of a game come out of them?"""

import re
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import allauth
import pytest
from babel.messages import Catalog
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils import translation

from games.engine import COLOURS, EDITIONS, Bribe, Send, Stage, new_game, step, to_move, view
from games.engine import events as happened
from games.engine.computer_players import COMPUTER_PLAYERS
from games.engine.editions import CHOICES
from games.engine.orders import HighestBribes, PayAbove, PayAmount, PayMinimum, SendThese
from games.presentation.board.decision import decision_of, review
from games.presentation.board.orders import order_text, would_do
from games.presentation.log.story import event_text
from games.presentation.text.nouns import EDITION_NAMES
from games.presentation.text.tables import LANGUAGE_NAMES, option_text, pace_text, time_text
from games.presentation.text.words import (
    CAPITAL,
    CASES,
    People,
    Phrase,
    edition_words,
    listed,
    moment,
    money,
    with_currency,
)
from intrigue_site.messages import (
    LANGUAGES,
    as_mo,
    as_po,
    english_of_libraries,
    is_translated,
    messages_of_the_code,
    mo_file,
    po_file,
    updated,
)
from tests.support.table_events import EVERY_TABLE_EVENT

in_each_language = pytest.mark.parametrize("language", LANGUAGES)

PLACEHOLDER = re.compile(r"%\((\w+)\)s|\{(\w*)(?::(\w*))?\}")
NOUN_CONTEXTS = ("forms", "forms after the", "forms of a seat", "forms of an occupation")
MANY = {"de": 2, "ru": 3}


@pytest.fixture(scope="module")
def found() -> Catalog:
    return messages_of_the_code()


def catalogue(language):
    with po_file(language).open("rb") as file:
        return read_po(file, locale=language)


def messages(language):
    return [message for message in catalogue(language) if message.id]


def sentences(message):
    """The translations of a message: one, or one for each plural."""
    return [message.string] if isinstance(message.string, str) else list(message.string)


def originals(message):
    """The message in English: one sentence, or one and many."""
    return [message.id] if isinstance(message.id, str) else list(message.id)


def asked_for(text):
    """The placeholders of a message."""
    return {percent or brace for percent, brace, _case in PLACEHOLDER.findall(text)}


def table_of(edition):
    return new_game(edition, {}, COLOURS, "red").state.table


def test_the_site_speaks_english_and_the_languages_of_the_catalogues():
    assert [code for code, _name in settings.LANGUAGES] == ["en", *LANGUAGES]


@in_each_language
def test_every_message_of_the_code_is_translated_and_none_is_left_over(language, found):
    kept = {(message.context, str(message.id)): message for message in messages(language)}
    wanted = {(message.context, str(message.id)) for message in found if message.id}
    assert set(kept) == wanted
    assert [key for key, message in kept.items() if not is_translated(message.string)] == []
    assert [key for key, message in kept.items() if message.fuzzy] == []
    assert list(catalogue(language).obsolete) == []


@in_each_language
def test_the_files_are_those_that_bin_messages_writes(language, found):
    assert po_file(language).read_bytes() == as_po(updated(language, found))
    assert mo_file(language).read_bytes() == as_mo(updated(language, found))


def test_english_says_otherwise_only_what_libraries_say(found):
    """Its catalogue is compiled with all others; what it says otherwise, a library says."""
    assert mo_file("en").read_bytes() == as_mo(english_of_libraries())
    messages = [message for message in english_of_libraries() if message.id]
    assert len(messages) > 40
    ours = {
        message.id
        for message in found
        if any(file != "locale/libraries.py" for file, _line in message.locations)
    }
    library = " ".join(
        path.read_text()
        for path in Path(allauth.__file__).parent.rglob("*")
        if path.suffix in {".py", ".html", ".txt"}
    )
    for message in messages:
        assert message.id not in ours
        assert message.id.split("%")[0].split('"')[0].rstrip("\n") in library
        assert PLACEHOLDER.findall(message.id) == PLACEHOLDER.findall(message.string)


@in_each_language
def test_a_translation_has_the_placeholders_of_its_message(language):
    assert [
        (message.id, text)
        for message in messages(language)
        for text in sentences(message)
        for form in (text.split("|") if text else [])
        if asked_for(form) not in [asked_for(original) for original in originals(message)]
    ] == []


@in_each_language
def test_a_translation_names_only_cases_that_there_are(language):
    cases = {
        (case, text)
        for message in messages(language)
        for text in sentences(message)
        for _percent, _brace, case in PLACEHOLDER.findall(text)
    }
    assert {(case, text) for case, text in cases if case not in {"", CAPITAL, *CASES}} == set()


@in_each_language
def test_a_noun_has_one_form_or_one_for_each_case(language):
    nouns = [message for message in messages(language) if message.context in NOUN_CONTEXTS]
    assert len(nouns) > 50
    counts = [(message.string, message.string.count("|") + 1) for message in nouns]
    assert [noun for noun, count in counts if count not in {1, len(CASES)}] == []
    others = [message for message in messages(language) if message.context not in NOUN_CONTEXTS]
    assert [text for message in others for text in sentences(message) if "|" in text] == []


@in_each_language
def test_a_message_with_a_count_has_every_plural_of_the_language(language):
    kept = catalogue(language)
    assert kept.num_plurals == MANY[language]
    counted = [message for message in messages(language) if not isinstance(message.id, str)]
    assert {len(message.string) for message in counted} == {MANY[language]}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", ["1 minute", "2 minutes", "5 minutes", "11 minutes", "21 minutes"]),
        ("de", ["1 Minute", "2 Minuten", "5 Minuten", "11 Minuten", "21 Minuten"]),
        ("ru", ["1 минута", "2 минуты", "5 минут", "11 минут", "21 минута"]),
    ],
)
def test_counts_take_the_plural_of_the_language(language, text):
    with translation.override(language):
        assert [time_text(count * 60) for count in (1, 2, 5, 11, 21)] == text


@pytest.mark.parametrize(
    ("language", "amount", "ducats", "dollars", "at"),
    [
        ("en", "8,000", "8,000 ducats", "$8,000", "Thu 26 Nov, 20:00 (Europe/Vienna)"),
        ("de", "8.000", "8.000 Dukaten", "8.000 $", "Do 26. Nov., 20:00 (Europe/Vienna)"),
        ("ru", "8\xa0000", "8\xa0000 дукатов", "8\xa0000 $", "чт 26 ноября, 20:00 (Europe/Vienna)"),
    ],
)
def test_money_and_instants_are_written_as_the_reader_does(language, amount, ducats, dollars, at):
    evening = datetime(2026, 11, 26, 19, tzinfo=ZoneInfo("UTC"))
    with translation.override(language):
        assert money(8000) == amount
        assert with_currency(table_of("mayfair-2005"), 8000) == ducats
        assert with_currency(table_of("russian"), 8000) == dollars
        assert moment(evening, "Europe/Vienna") == at


def test_a_phrase_is_its_nominative_until_a_case_is_asked_for():
    doctor = Phrase("врач", "врача", "врачу", "врача", "врачом", "враче")
    priest = Phrase("священник", "", "", "священника", "", "")
    assert f"{doctor}" == "врач"
    assert f"{doctor:prepositional}" == "враче"
    assert f"{listed(['Anna', doctor, priest]):accusative}" == "Anna, врача and священника"
    assert f"{listed([doctor, priest], 'or')}" == "врач or священник"
    with pytest.raises(ValueError, match="tuple"):
        format(doctor, "vocative")


@pytest.mark.parametrize(
    ("language", "edition", "own_words"),
    [
        ("en", "mayfair-2005", ["palace", "scholar", "area"]),
        ("en", "fx-schmid-1994", ["palazzo", "relative", "building"]),
        ("de", "mayfair-2005", ["Palast", "Gelehrter", "Amt"]),
        ("de", "fx-schmid-1994", ["Palazzo", "Verwandter", "Gebäude"]),
        ("de", "russian", ["Palast", "Arbeiter", "Stelle"]),
        ("de", "reference-manual", ["Palazzo", "Verwandter", "Posten"]),
        ("ru", "mayfair-2005", ["дворец", "учёный муж", "должность"]),
        ("ru", "fx-schmid-1994", ["палаццо", "родственник", "здание"]),
        ("ru", "russian", ["дворец", "работник", "место"]),
        ("ru", "reference-manual", ["палаццо", "родственник", "пост"]),
    ],
)
def test_every_edition_keeps_its_own_words(language, edition, own_words):
    with translation.override(language):
        words = edition_words(EDITIONS[edition])
        assert [words.palace, words.scholar, words.area] == own_words


def test_every_edition_has_a_name_for_translators():
    assert {edition: str(name) for edition, name in EDITION_NAMES.items()} == {
        edition.id: edition.name for edition in EDITIONS.values()
    }


# Whole games, told in each language: no English may be left in any sentence.

NAMES = ("Анна", "Борис", "Клара", "Дора", "Емил")
GAMES = ({}, {"bribing": "simultaneous"}, {"refund_losers": True, "broke": "debt"})
KINDS = {
    happened.GameStarted, happened.TurnBegan, happened.SalaryPaid, happened.StageOpened,
    happened.BribesSealed, happened.BribesPaid, happened.ScholarHired, happened.ScholarKept,
    happened.ScholarBanished, happened.ScholarsSent, happened.LastIncome, happened.GameEnded,
}  # fmt: skip
OPTIONS = [
    ("rounds", 3), ("uncontested_min_bribe", 3000),
    *((name, value) for name, values in CHOICES.items() for value in values),
]  # fmt: skip


class Telling:
    """A game that is played at random while everything that is told of it is kept."""

    def __init__(self, edition: str, options: dict[str, Any]) -> None:
        begun = new_game(edition, options, COLOURS, "red")
        self.people = People(begun.state.table, list(NAMES))
        self.chance = Random(edition)
        self.sentences: list[str] = []
        self.kinds: set[type] = set()
        self.tell_events(begun)
        state = begun.state
        while state.stage is not Stage.OVER:
            made = self.play(state)
            self.tell_events(made)
            state = made.state

    def play(self, state):
        seat = to_move(state)[0]
        seen = view(state, seat)
        move = COMPUTER_PLAYERS["random"](seen, self.chance.getrandbits(32))
        decision = decision_of(self.people, seen, seen.default)
        self.sentences += [decision.headline, *decision.facts, decision.if_nothing_is_done]
        checked = review(self.people, seen, [move])
        self.sentences += [*checked.sentences, *checked.totals]
        self.tell_orders(state, seen)
        return step(state, seat, move)

    def tell_orders(self, state, seen):
        """What orders of all kinds would do now, for who is asked and for who holds court."""
        highest, asked = HighestBribes(), seen.default
        text = [would_do(self.people, view(state, seat), None, highest) for seat in (0, seen.seat)]
        text.append(would_do(self.people, view(state, state.active), None, highest))
        if isinstance(asked, Send):
            text.append(would_do(self.people, seen, None, SendThese(asked.scholars)))
            text.append(would_do(self.people, seen, None, SendThese(())))
        if isinstance(asked, Bribe):
            scholar = asked.bribes[0][0]
            orders = (PayMinimum(), PayAmount(1))
            text += [would_do(self.people, seen, scholar, order) for order in orders]
        self.sentences += text

    def tell_events(self, made):
        for event in made.events:
            people = self.people._replace(among=getattr(event, "contenders", ()))
            self.sentences.append(event_text(people, event))
            self.kinds.add(type(event))


@pytest.fixture(scope="module")
def english(found):
    """The words of all English sentences that are told in a game, and that are not German too."""
    words = [
        text
        for message in found
        if any(file.startswith("games/presentation/") for file, _line in message.locations)
        for text in originals(message)
    ]
    german = [text for message in messages("de") for text in sentences(message)]
    return words_in(words) - words_in(german)


def words_in(texts):
    return {word.lower() for text in texts for word in re.findall(r"[A-Za-z]+", text)}


def with_english(texts, english):
    """The sentences in which an English word is left."""
    return [text for text in texts if words_in([text]) & english]


@pytest.mark.long(every=3)
@pytest.mark.full
@in_each_language
@pytest.mark.parametrize("edition", EDITIONS)
def test_whole_games_are_told_without_a_word_of_english(language, edition, english):
    with translation.override(language):
        games = [Telling(edition, options) for options in GAMES]
    assert set().union(*(game.kinds for game in games)) == KINDS
    message = [text for game in games for text in game.sentences]
    assert with_english(message, english) == []
    assert [text for text in message if set("{}|") & set(text)] == []


@in_each_language
def test_what_happens_beside_the_game_is_told_without_a_word_of_english(language, english):
    people = Telling("mayfair-2005", {}).people
    scholar = next(iter(people.table.names))
    events = [
        *EVERY_TABLE_EVENT,
        happened.BribesSealed(0, ()),
        happened.ScholarBanished(0, scholar, 1000, 1000),
        happened.GameEnded((0, 1), (1000,) * 5),
    ]
    orders = [
        PayAmount(1000), PayMinimum(), PayAbove(1000, 9000, then_limit=True),
        PayAbove(1000, 9000, then_limit=False),
    ]  # fmt: skip
    with translation.override(language):
        text = [event_text(people, event) for event in events]
        text += [order_text(people, scholar, order, 1) for order in orders]
        text += [option_text(name, value) for name, value in OPTIONS]
        text += [pace_text(86400, days, hour, "") for days in ([], [5, 6]) for hour in (None, 20)]
    assert with_english(text, english) == []


def test_every_language_has_a_name_and_its_words_on_the_pages_that_have_all():
    assert set(LANGUAGE_NAMES) == set(dict(settings.LANGUAGES))
    for page in ("templates/pages/500.html", "deploy/away/away.html"):
        marked = re.findall(r'lang="(\w+)"', Path(page).read_text())
        assert set(marked) == set(dict(settings.LANGUAGES)), page
