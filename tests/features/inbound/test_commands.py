"""What the words of an email mean, in three languages."""

import pytest
from django.conf import settings
from django.utils import translation
from hypothesis import example, given
from hypothesis import strategies as st

from games.engine import EDITIONS
from games.features.inbound.commands.lines import Command, Part, Terms
from games.features.inbound.commands.meaning import Message, Unclear, meaning
from games.features.inbound.commands.words import COMMANDS, shown, vocabulary

NAMES = [("Anna", "red"), ("Boris Brown", "blue"), ("Clerk", "green")]
"""One is called like an occupation: only her colour is understood."""

MAYFAIR = EDITIONS["mayfair-2005"].occupations


def read(text, language="en", occupations=MAYFAIR, names=NAMES):
    with translation.override(language):
        return meaning(text, vocabulary(occupations), names)


def bribe(*parts):
    return [Command("bribe", tuple(Part(who, amount=amount) for who, amount in parts))]


CLERK = bribe(("clerk", 4000))
BOTH = bribe(("clerk", 4000), ("priest", 2000))
PLACE = [Command("place", (Part("clerk", amount=10000),))]
SEND = [Command("send", (Part("clerk", "red"), Part("priest", "green")))]
BLUE = [Command("judge", (Part(colour="blue"),))]
BLUE_CLERK = [Command("judge", (Part("clerk", "blue"),))]
TO_BLUE = (Part(colour="blue"),)
BRIBED = Part(amount=6000)
CLERK_BRIBED = Part("clerk", amount=6000)
OFFER = [
    Command(
        "offer", TO_BLUE, Terms("place", Part("clerk", amount=10000), bribe=6000, bribed=BRIBED)
    )
]

UNDERSTOOD = {
    "en": {
        "bribe clerk 4000": CLERK,
        "Bribe the Clerk 4,000.": CLERK,
        "BRIBE CLERK: $4,000!": CLERK,
        "  bribe   clerk  4'000 ducats ": CLERK,
        "bribe 4000 for my clerk": CLERK,
        "bribe clerk 4\u00a0000": CLERK,
        "bribe clerk 4000, priest 2000": BOTH,
        "bribe clerk 4.000 and priest 2.000": BOTH,
        "bribe clerk 4,000; priest 2,000": BOTH,
        "bribe clerk 4000\nbribe priest 2000": bribe(("clerk", 4000)) + bribe(("priest", 2000)),
        "bribe clerk 4000,\npriest 2000": BOTH,
        "bribe clerk 0": bribe(("clerk", 0)),
        "bribe clerk 2 4000": [Command("bribe", (Part("clerk", "", 2, 4000),))],
        "bribe clerk #2 4000": [Command("bribe", (Part("clerk", "", 2, 4000),))],
        "place clerk 10000": PLACE,
        "Hire the clerk at 10,000": PLACE,
        "place blue clerk 10000": [Command("place", (Part("clerk", "blue", amount=10000),))],
        "place clerk 10000\nsend clerk to red, priest to green": PLACE + SEND,
        "judge blue": BLUE,
        "judge Boris Brown": BLUE,
        "judge the blue clerk": BLUE_CLERK,
        "judge blue clerk #2": [Command("judge", (Part("clerk", "blue", 2),))],
        "send clerk to red, priest to green": SEND,
        "send clerk to Anna and priest to green": SEND,
        "Send clerk → red; priest → green": SEND,
        "accept": [Command("accept")],
        "Accept 2.": [Command("accept", (Part(number=2),))],
        "accept Boris Brown": [Command("accept", TO_BLUE)],
        "decline blue": [Command("decline", TO_BLUE)],
        "Default": [Command("default")],
        "STATUS!": [Command("status")],
        "help": [Command("help")],
        "confirm.": [Command("confirm")],
        "offer blue: if you bribe 6000, I place your clerk at 10000": OFFER,
        "Offer Boris Brown: if you pay 6,000 I place your clerk at 10,000.": OFFER,
        "offer blue: I place your clerk at 10000 if you bribe 6000": OFFER,
        "offer blue: if you bribe 6000,\nI place your clerk at 10000": OFFER,
        "offer blue: if you bribe 6000 for your clerk I hire your clerk": [
            Command("offer", TO_BLUE, Terms("hire", Part("clerk"), bribe=6000, bribed=CLERK_BRIBED))
        ],
        "offer blue: I place your clerk at least at 3000": [
            Command("offer", TO_BLUE, Terms("place", Part("clerk", amount=3000), at_least=True))
        ],
        "offer blue: I let your clerk win": [
            Command("offer", TO_BLUE, Terms("win", Part("clerk")))
        ],
        "offer blue: I pay 4000 for my clerk": [
            Command("offer", TO_BLUE, Terms("pay", Part("clerk", amount=4000)))
        ],
        "confirm\nbribe clerk 4000": [Command("confirm"), *CLERK],
    },
    "de": {
        "bestich Schreiber 4000": CLERK,
        "Bestich den Schreiber mit 4.000 Dukaten": CLERK,
        "BESTICH Schreiber 4000 und Priester 2000": BOTH,
        "setze Schreiber auf 10.000": PLACE,
        "schicke Schreiber zu Rot, Priester zu Grün": SEND,
        "Urteil: Blau": BLUE,
        "Urteil für den blauen Schreiber": BLUE_CLERK,
        "annehmen": [Command("accept")],
        "ablehnen 2": [Command("decline", (Part(number=2),))],
        "Standard": [Command("default")],
        "Status": [Command("status")],
        "Hilfe!": [Command("help")],
        "Bestätigen": [Command("confirm")],
        "Angebot Blau: wenn du 6000 zahlst, setze ich deinen Schreiber auf 10000": OFFER,
        "bribe clerk 4000": CLERK,
    },
    "ru": {
        "взятка писарю 4000": CLERK,
        "Взятка за писаря 4 000": CLERK,
        "взятка писарю 4000 и священнику 2000": BOTH,
        "назначить писаря на 10 000": PLACE,
        "послать писаря к красному, священника к зелёному": SEND,
        "послать писаря к красному, священника к зеленому": SEND,
        "решение: синий": BLUE,
        "решение: синий писарь": BLUE_CLERK,
        "принять": [Command("accept")],
        "отклонить 2": [Command("decline", (Part(number=2),))],
        "по умолчанию": [Command("default")],
        "положение": [Command("status")],
        "Помощь": [Command("help")],
        "подтверждаю": [Command("confirm")],
        "предложение синему: если вы заплатите 6000, "
        "я найму вашего писаря с жалованьем 10000": OFFER,
        "bribe clerk 4000": CLERK,
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [(language, *case) for language, cases in UNDERSTOOD.items() for case in cases.items()],
)
def test_commands(language, text, expected):
    assert read(text, language) == expected


UNCLEAR = {
    "en": (
        "bribe me and I'll consider it",
        "bribe clerk",
        "bribe 4000",
        "bribe clerk 4000 or 5000",
        "bribe clerk not 4000",
        "bribe soldier 4000",
        "bribe clerk -4000 maybe",
        "brybe clerk 4000",
        "Accept my apologies, Boris",
        "accept clerk",
        "Help me against Anna!",
        "Status quo, then?",
        "Default is boring",
        "send clerk, priest",
        "send clerk to red and blue",
        "judge for yourself",
        "offer blue: if you bribe, I place your clerk at 10000",
        "offer blue: if you bribe 6000, you place my clerk at 10000",
        "offer blue",
        "offer: 6000",
        "place clerk 10000 clerk 6000",
        "Hi Boris,\nbribe clerk 4000",
        "bribe clerk 4000\nThanks, Anna",
        "Good morning!\n\naccept",
        "confirm please",
        "say:",
        "",
        "\n \n",
        "bribe clerk \u00b2",
        "clerk 4000",
        "Clerk: 4,000!",
        "clerk to red, priest to green",
        "clerk to Anna, priest to Boris Brown",
        "pay clerk 17000",
        "give clerk 4000, priest 1000",
        "please bribe clerk 4000",
        "my clerk 4000\n\nThanks!",
        "Hi Boris,\nclerk 4000",
        "blue",
        "choose blue",
        "confirmed",
        "ok confirm",
        "Yes, I accept.",
        "declined",
    ),
    "de": (
        "Bestich mich nicht!",
        "Hilfe brauche ich keine",
        "Angebot ist Angebot",
        "Schreiber 4000",
        "bestätigt",
        "ja, annehmen",
    ),
    "ru": ("помощь мне не нужна", "принять можно только одно", "писарю 4000", "да, подтверждаю"),
}


@pytest.mark.parametrize(
    ("language", "text"),
    [(language, text) for language, texts in UNCLEAR.items() for text in texts],
)
def test_what_is_neither_a_command_nor_a_message(language, text):
    assert isinstance(read(text, language), Unclear)


SAID = (
    "Hello Boris!",
    "I'd bribe the clerk with 4000 if I were you.",
    "Let's talk about the clerk.\n\nSay, at 10:00?",
    "4000?",
    "👍",
    "> what",
    "Boris Brown!",
    "Thank you, Anna",
    "What will you do about our friend, whose money is in the hands of\nthe red priest.",
)


@pytest.mark.parametrize("text", SAID)
def test_everything_else_is_a_message(text):
    assert read(text) == Message(text)


def test_a_message_can_begin_like_a_command_if_it_says_so():
    assert read("say: help me, Boris!") == Message("help me, Boris!")
    assert read("Say : bribe clerk 4000\nhelp") == Message("bribe clerk 4000\nhelp")
    assert read("sag: Hilfe", "de") == Message("Hilfe")
    assert read("скажи: помощь", "ru") == Message("помощь")


def test_a_line_of_any_length_is_read():
    assert isinstance(read(f"bribe {'clerk ' * 1000}"), Unclear)
    assert isinstance(read("\n".join(["bribe clerk 4000"] * 100)), Unclear)


def test_a_command_below_many_lines_is_sent_to_nobody():
    many = "\n".join(f"Reason {number}, which is a good one" for number in range(20))
    assert isinstance(read(many), Message)
    assert read(f"{many}\nbribe clerk 4000") == Unclear("bribe clerk 4000")
    assert read(f"{many}\n\nclerk 4000") == Unclear("clerk 4000")


@pytest.mark.parametrize("name", ["to red", "4000", "blue clerk", "if you", "Say", "\u00bd"])
def test_a_name_of_words_that_mean_something_changes_no_command(name):
    names = [(name, "green")]
    assert read("send clerk to red, priest to green", names=names) == SEND
    assert read("bribe clerk 4000", names=names) == CLERK
    assert read("judge the blue clerk", names=names) == BLUE_CLERK
    offer = "offer blue: if you bribe 6000, I place your clerk at 10000"
    assert read(offer, names=names) == OFFER
    assert read("say: hello", names=names) == Message("hello")


@pytest.mark.parametrize("amount", ["\uff14\uff10\uff10\uff10", "\u0664\u0660\u0660\u0660"])
def test_digits_of_other_writings_are_digits(amount):
    assert read(f"bribe clerk {amount}") == CLERK


WORDS = st.sampled_from(
    [
        "bribe", "clerk", "4000", "4,000", "#2", "blue", "offer", "if", "you", "I", "place", "at",
        "least", "accept", "confirm", "say", "default", ",", ":", "\n", "Anna", "\u00b2", "\u0664",
        "-", "и", "писарю", "по умолчанию", "#", "\u2460", "4.000'000", "ß", "'", "let", "win",
    ]
)  # fmt: skip


@pytest.mark.full
@example("bribe clerk \u00b2", [], "en")
@given(
    st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=30).map(" ".join)),
    st.lists(st.tuples(st.text(min_size=1, max_size=20), st.sampled_from(["red", "blue"]))),
    st.sampled_from(list(dict(settings.LANGUAGES))),
)
def test_no_text_is_too_strange(text, names, language):
    assert isinstance(read(text, language, names=names), (list, Message, Unclear))


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_the_nouns_of_every_edition_are_known_in_every_case(language, edition):
    with translation.override(language):
        words = vocabulary(edition.occupations)
    assert set(words.occupations.values()) == set(edition.occupations)
    assert set(words.colours.values()) == {"red", "yellow", "green", "blue", "violet"}
    everything = [*words.commands, *words.occupations, *words.colours, *words.particles]
    nouns = [*words.occupations, *words.colours]
    assert all(everything.count(noun) == 1 for noun in nouns)
    for occupation in edition.occupations:
        assert read(f"bribe {occupation} 4000", language, edition.occupations) == bribe(
            (occupation, 4000)
        )


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_each_language_has_a_word_for_each_command_and_none_for_two(language):
    with translation.override(language):
        words = [shown(command) for command in COMMANDS]
        assert len(set(words)) == len(words)
        assert all(
            vocabulary(MAYFAIR).commands[word] == key
            for word, key in zip(words, COMMANDS, strict=True)
        )
