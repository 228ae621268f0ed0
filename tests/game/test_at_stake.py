"""Whoever decides about a bribe sees what was promised to them for it, and nobody else does."""

import re

import pytest
from django.http import HttpResponse
from django.utils import translation

from games.engine import Bribe
from games.engine.ledger import Status
from games.engine.promises import Hire, IfBribed, Pay, PlaceIn, Promise, SendNobody, Verdict
from games.models import Game, OutboxEmail, User
from games.services.email import delivery
from games.services.game import moves as game_moves
from games.services.game.position import read_position
from games.services.game.queries.promises import read_promises
from tests.support.client import as_shown, browser, move_form, person, text_of
from tests.support.promising import (
    TEN,
    bribed,
    bribing_table,
    entry_of,
    in_order,
    moves,
    offers,
    place_for,
    replies,
    rivals_table,
    sitter,
    state_of,
)
from tests.support.sent_emails import plain_text
from tests.support.tables import DAY, MONDAY, open_table
from tests.support.whispering import offers_privately, replies_privately

pytestmark = pytest.mark.django_db

HEADING = "You were promised:"


@pytest.fixture
def game() -> Game:
    return bribing_table(press="private")


def deal(game: Game, promise: Promise | None = None) -> int:
    """The owner and the first to bribe have agreed: a salary of 10,000 for a bribe of 4,000."""
    other, owner, _third = in_order(game)
    made_at = offers(game, owner, promise or place_for(game, TEN))
    replies(game, other, made_at)
    return made_at


def private_deal(game: Game) -> None:
    other, owner, _third = in_order(game)
    replies_privately(game, other, offers_privately(game, owner, place_for(game, TEN)))


def promise_of(game: Game) -> str:
    """What was agreed, as the one reads it who may pay for it."""
    owner = sitter(game, in_order(game)[1]).name
    return f"{owner} hires your doctor at a salary of at least 10,000"


def warning(game: Game) -> str:
    """What a bribe below the agreed one is answered."""
    owner = sitter(game, in_order(game)[1]).name
    return (
        f"You'd pay less than 4,000 for your doctor, so {owner}'s promise wouldn't apply: "
        f"{promise_of(game)}."
    )


def page(game: Game, user: User) -> HttpResponse:
    return browser(user).get(game.get_absolute_url())


def handed_in(game: Game, address: str, doctor: int, **more: str):
    """The response to the first player's form with this bribe for the doctor."""
    player = browser(sitter(game, in_order(game)[0]))
    fields = as_shown(move_form(player.get(game.get_absolute_url()).content.decode()))
    name = state_of(game).table.names[state_of(game).contenders[0]]
    return player.post(f"{game.get_absolute_url()}{address}/", fields | {name: doctor} | more)


@pytest.mark.full
@pytest.mark.parametrize("agree", [deal, private_deal])
def test_it_stands_on_the_card_and_in_the_review_with_a_button_for_what_was_agreed(game, agree):
    agree(game)
    payer, name = sitter(game, in_order(game)[0]), state_of(game).contenders[0]
    shown = page(game, payer)
    listed = f"{HEADING} {promise_of(game)} if you pay at least 4,000."
    assert listed in text_of(shown)
    html = shown.content.decode()
    field = state_of(game).table.names[name]
    [quick] = re.findall(rf'<p class="quick" data-for="id_{field}".*?</p>', html, re.DOTALL)
    assert 'data-amount="4000">As agreed: 4,000</button>' in quick
    assert html.count("As agreed") == 1
    text = text_of(handed_in(game, "review", 4000))
    assert listed in text
    assert "wouldn't apply" not in text


@pytest.mark.full
@pytest.mark.parametrize("agree", [deal, private_deal])
def test_less_than_agreed_is_reviewed_before_it_is_submitted(game, agree):
    agree(game)
    before = game.moves.count()
    assert warning(game) in text_of(handed_in(game, "review", 3000))
    response = handed_in(game, "move", 3000)
    assert response.status_code == 200
    assert warning(game) in text_of(response)
    assert game.moves.count() == before
    assert handed_in(game, "move", 3000, reviewed="yes").status_code == 302
    assert game.moves.count() == before + 1


@pytest.mark.full
def test_what_was_agreed_is_submitted_at_once(game):
    made_at = deal(game)
    assert handed_in(game, "move", 4000).status_code == 302
    assert entry_of(game, made_at).condition is Verdict.KEPT


@pytest.mark.full
def test_a_promise_for_another_turn_another_scholar_or_what_is_settled_is_not_listed(game):
    other, owner, third = in_order(game)
    doctor, _clerk = state_of(game).contenders
    priest = next(one for one in state_of(game).unsent[other] if one.occupation == 2)
    for by, promise, given in (
        (third, Promise(third, other, SendNobody(None, 2)), Status.ACCEPTED),
        (owner, Promise(owner, other, PlaceIn(priest, None, 6000)), Status.ACCEPTED),
        (owner, place_for(game, TEN), Status.DECLINED),
        (other, Promise(other, owner, Pay(doctor, 2000)), Status.ACCEPTED),
    ):
        made_at = offers(game, by, promise)
        replies(game, promise.to if by == promise.seat else promise.seat, made_at, given)
    withdrawn = offers(game, owner, place_for(game, TEN))
    replies(game, owner, withdrawn, Status.WITHDRAWN)
    text = text_of(page(game, sitter(game, other)))
    assert HEADING not in text
    assert "As agreed: 2,000" in text
    assert "As agreed: 4,000" not in text
    made_at = deal(game)
    moves(game, bribed(game, 1000))
    assert entry_of(game, made_at).verdict is Verdict.VOID
    promises = read_promises(read_position(game, sitter(game, other)))
    assert promises.at_stake == []


@pytest.mark.full
def test_an_exchange_is_listed_once_with_what_is_owed_for_it():
    game = rivals_table()
    other, _rival, owner = in_order(game)
    doctor = state_of(game).contenders[0]
    made_at = offers(game, owner, Promise(owner, other, Hire(doctor), Pay(doctor, 4000)))
    replies(game, other, made_at)
    name, text = sitter(game, owner).name, text_of(page(game, sitter(game, other)))
    exchange = (
        f"{name} hires your doctor; in return, you pay {name} at least 4,000 for your doctor."
    )
    assert text.count(f"You have promised: {exchange}") == 1
    assert HEADING not in text
    assert "As agreed: 4,000" in text
    text = text_of(handed_in(game, "move", 3000))
    assert (
        f"This breaks your promise to {name}: you pay {name} at least 4,000 for your doctor. "
        f"{name}'s promise to you won't apply either: {name} hires your doctor."
    ) in text


@pytest.mark.full
def test_a_sending_shows_what_it_may_rely_on():
    game = open_table("Anna", "Boris", "Clara")
    first, second, third = in_order(game)
    priest = next(one for one in state_of(game).unsent[first] if one.occupation == 2)
    promise = Promise(second, first, PlaceIn(priest, None, TEN), IfBribed(priest, 4000))
    replies(game, first, offers(game, second, promise))
    name = sitter(game, second).name
    assert (
        f"{HEADING} {name} hires your priest at a salary of at least 10,000 "
        "if you pay at least 4,000."
    ) in text_of(page(game, sitter(game, first)))
    for seat in (second, third):
        assert HEADING not in text_of(page(game, sitter(game, seat)))


@pytest.mark.full
def test_a_private_promise_shows_nothing_new_to_anybody_else(game):
    other, owner, third = in_order(game)
    readers = [sitter(game, third), person("Sofia"), sitter(game, owner)]

    def shown() -> list[str]:
        return [text_of(page(game, one)) for one in readers]

    shown()  # the first visit is over
    before = shown()
    made = offers_privately(game, owner, place_for(game, TEN))
    replies_privately(game, other, made)
    after = shown()
    assert after[:2] == before[:2]
    assert HEADING in text_of(page(game, sitter(game, other)))
    assert HEADING not in after[2]
    assert "As agreed" not in after[2]


def mailed(game: Game, smtp, seat: int) -> str:
    """The text of the turn email to the player of this seat."""
    delivery.drain(now=MONDAY + DAY / 24)
    text = [plain_text(one) for one in smtp.messages if one["To"] == sitter(game, seat).email]
    [found] = [one for one in text if "hoose how much to bribe" in one]
    return " ".join(found.split())


@pytest.mark.full
@pytest.mark.parametrize("is_private", [False, True])
def test_the_email_about_the_turn_lists_it_for_its_reader_alone(smtp, is_private):
    game = rivals_table(press="private")
    first, second, owner = in_order(game)
    doctor = next(one for one in state_of(game).contenders if one.owner == second)
    promise = Promise(owner, second, Hire(doctor), IfBribed(doctor, 4000))
    if is_private:
        replies_privately(game, second, offers_privately(game, owner, promise))
    else:
        replies(game, second, offers(game, owner, promise))
    moves(game, None)
    name = sitter(game, owner).name
    listed = f"{HEADING} - {name} hires your doctor if you pay at least 4,000."
    text = mailed(game, smtp, second)
    assert listed in text
    assert "1,000 for your doctor" in text  # the default move stays
    others = [
        " ".join(plain_text(one).split())
        for one in smtp.messages
        if one["To"] != sitter(game, second).email
    ]
    assert others
    assert not any(HEADING in one for one in others)
    assert OutboxEmail.objects.filter(kind="your_turn", person=sitter(game, first)).exists()


SENTENCES = {
    "de": (
        "Damit zahlst du weniger als 4.000 für deinen Arzt, und das Versprechen von {name} gilt "
        "nicht: {name} stellt deinen Arzt mit einem Gehalt von mindestens 10.000 ein."
    ),
    "ru": (
        "Так вы заплатите меньше 4 000 за вашего врача, и обещание игрока {name} не будет "
        "действовать: {name} нанимает вашего врача с жалованьем не меньше 10 000."  # noqa: RUF001
    ),
}
HEADINGS = {"de": "Dir wurde versprochen:", "ru": "Вам обещали:"}
AGREED = {"de": "Wie vereinbart: 4.000", "ru": "По уговору: 4 000"}
EITHER = {
    "de": (
        "Auch das Versprechen von {name} an dich gilt dann nicht mehr: "
        "{name} stellt deinen Arzt ein."
    ),
    "ru": ("Тогда не будет действовать и обещание игрока {name}: {name} нанимает вашего врача."),
}


@pytest.mark.full
@pytest.mark.parametrize("language", SENTENCES)
def test_it_is_said_in_every_language(game, language):
    deal(game)
    payer, owner = (sitter(game, seat) for seat in in_order(game)[:2])
    with translation.override(language):
        position = read_position(game, payer)
        [told] = game_moves.warnings_of(position, [bribed(game, 3000)])
    assert told.replace("\xa0", " ") == SENTENCES[language].format(name=owner.name)
    reader = browser(payer)
    reader.post("/language/", {"language": language})
    text = text_of(reader.get(game.get_absolute_url())).replace("\xa0", " ")
    assert f"{HEADINGS[language]} {owner.name}" in text
    assert AGREED[language] in text


@pytest.mark.parametrize("language", EITHER)
def test_so_is_what_ends_with_a_broken_promise(language):
    game = rivals_table()
    other, _rival, owner = in_order(game)
    doctor = state_of(game).contenders[0]
    replies(
        game, other, offers(game, owner, Promise(owner, other, Hire(doctor), Pay(doctor, 4000)))
    )
    with translation.override(language):
        position = read_position(game, sitter(game, other))
        _broken, told = game_moves.warnings_of(position, [bribed_all(game, other)])
    assert told == EITHER[language].format(name=sitter(game, owner).name)


def bribed_all(game: Game, seat: int):
    return Bribe(tuple((one, 1000) for one in state_of(game).contenders if one.owner == seat))
