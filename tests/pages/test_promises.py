"""The pages on which players negotiate, without JavaScript."""

import json
import re
from html import unescape

import pytest

from games.engine.ledger import Status
from games.engine.promises import (
    GiveArea,
    Hire,
    IfBribed,
    Pay,
    PayAtMost,
    PlaceIn,
    Promise,
    SendNobody,
    SendScholar,
)
from games.forms.offers import KINDS
from games.models import User
from games.services.game.offers import stored_offers
from games.services.game.queries.promises import offers_in
from games.services.public_ids import public_id
from tests.support.client import all_forms, browser, text_of
from tests.support.promising import (
    bribing_table,
    entry_of,
    in_order,
    moves,
    offers,
    replies,
    rivals_table,
    sitter,
    state_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    return bribing_table()


def page_of(game, seat):
    return browser(sitter(game, seat)).get(game.get_absolute_url())


def terms_page(game, seat, to, what, who="me"):
    """The page with the terms of such an offer, and its address."""
    colour = game.colours[to]
    address = f"{game.get_absolute_url()}offers/?to={colour}&who={who}&what={what}"
    return address, browser(sitter(game, seat)).get(address)


def terms_form(page):
    """The fields of the form that makes the offer, as they are filled in."""
    [fields] = [fields for _action, fields in all_forms(page.content.decode()) if "text" in fields]
    return {name: field.value for name, field in fields.items()}


def test_likely_offers_are_made_with_one_click(game):
    owner, other = in_order(game)[1], in_order(game)[0]
    page = browser(sitter(game, owner)).get(f"{game.get_absolute_url()}offers/")
    clicks = [fields for _action, fields in all_forms(page.content.decode()) if "terms" in fields]
    assert len(clicks) == 6
    first = {name: field.value for name, field in clicks[0].items()}
    response = browser(sitter(game, owner)).post(f"{game.get_absolute_url()}offers/", first)
    assert response["Location"] == f"{game.get_absolute_url()}#promises"
    doctor = state_of(game).contenders[0]
    [entry] = stored_offers(game, state_of(game).table).ledger
    assert entry.promise == Promise(
        owner, other, PlaceIn(doctor, None, 10000), IfBribed(doctor, 4000)
    )


@pytest.mark.full
def test_what_is_offered_stands_on_the_page_and_is_accepted_there(game):
    owner, other, third = in_order(game)[1], in_order(game)[0], in_order(game)[2]
    doctor = state_of(game).contenders[0]
    promise = Promise(owner, other, PlaceIn(doctor, None, 6000), IfBribed(doctor, 4000))
    made_at = offers(game, owner, promise)
    sentence = "at a salary of at least 6,000 if "
    assert "Offers to you" in text_of(page_of(game, other))
    assert "Your open offers" in text_of(page_of(game, owner))
    assert "Other open offers" in text_of(page_of(game, third))
    for seat in (owner, other, third):
        assert sentence in text_of(page_of(game, seat))
    accept = f"{game.get_absolute_url()}offers/{public_id(offers_in(''), made_at)}/accept/"
    assert accept in page_of(game, other).content.decode()
    assert accept not in page_of(game, third).content.decode()
    response = browser(sitter(game, other)).post(accept, follow=True)
    assert "You have accepted the offer." in text_of(response)
    assert entry_of(game, made_at).status is Status.ACCEPTED
    moves(game, None)
    assert "You have promised:" not in text_of(page_of(game, other))


@pytest.mark.full
def test_the_player_who_decides_sees_what_was_promised_and_which_choices_keep_it():
    game = rivals_table()
    first, second, third = in_order(game)
    doctor = next(one for one in state_of(game).contenders if one.owner == first)
    replies(game, first, offers(game, third, Promise(third, first, Hire(doctor))))
    moves(game, None, None)
    names = {seat: sitter(game, seat).name for seat in (first, second, third)}
    text = text_of(page_of(game, third))
    one, other = (f"{game.colours[seat].capitalize()} doctor" for seat in (first, second))
    assert f"{one} (promised to {names[first]})" in text
    assert f"{other} (breaks a promise to {names[first]})" in text
    assert f"You have promised: You hire the {game.colours[first]} doctor." in text
    assert "promised to" not in text_of(page_of(game, second))


@pytest.mark.full
@pytest.mark.parametrize("what", KINDS)
def test_every_kind_of_promise_has_a_page_of_its_terms(game, what):
    owner, other = in_order(game)[1], in_order(game)[0]
    _address, page = terms_page(game, owner, other, what)
    assert page.status_code == 200
    fields = terms_form(page)
    assert set(KINDS[what].fields) <= fields.keys()
    assert "in_return" in fields


def made_by(game, seat, to, what, who="me", **changed):
    """Fill in the page of terms and hand it in; the response."""
    address, page = terms_page(game, seat, to, what, who)
    return browser(sitter(game, seat)).post(address, terms_form(page) | changed)


@pytest.mark.full
def test_terms_become_the_promise_they_describe(game):
    owner, other = in_order(game)[1], in_order(game)[0]
    state = state_of(game)
    doctor, clerk = (state.table.names[one] for one in state.contenders)
    one, two = state.contenders
    cases = [
        ("place", "me", {"scholar": doctor, "salary": "area:3000"}, PlaceIn(one, 3000, None)),
        ("send-nobody", "me", {"until": "3"}, SendNobody(None, 3)),
        ("send", "me", {"occupation": "priest"}, SendScholar(2)),
        ("give-area", "me", {"salary": "least:6000"}, GiveArea(6000)),
        ("pay", "them", {"applicant": clerk, "amount": "2000"}, Pay(two, 2000)),
        ("pay-at-most", "them", {"scholar": clerk, "amount": "3000"}, PayAtMost(two, 3000)),
    ]
    for what, who, terms, deed in cases:
        response = made_by(game, owner, other, what, who, **terms)
        assert response.status_code == 302, text_of(response)
        entry = stored_offers(game, state_of(game).table).ledger[-1]
        assert entry.promise.deed == deed
        assert entry.promise.seat == (owner if who == "me" else other)
        replies(game, owner, game.ledger[-1]["made"], Status.WITHDRAWN)
    response = made_by(
        game, owner, other, "place", scholar=clerk, salary="least:6000", bribe="5000"
    )
    assert response.status_code == 302
    entry = stored_offers(game, state_of(game).table).ledger[-1]
    assert entry.promise.condition == IfBribed(two, 5000)


@pytest.mark.full
def test_a_promise_in_return_is_chosen_from_a_list(game):
    owner, third = in_order(game)[1], in_order(game)[2]
    _address, page = terms_page(game, owner, third, "send-nobody")
    [fields] = [fields for _action, fields in all_forms(page.content.decode()) if "text" in fields]
    assert fields["in_return"].options == ["", "0", "1", "2"]
    assert made_by(game, owner, third, "send-nobody", until="2", in_return="1").status_code == 302
    [entry] = stored_offers(game, state_of(game).table).ledger
    assert entry.promise == Promise(owner, third, SendNobody(None, 2), SendNobody(None, 5))


@pytest.mark.full
def test_what_makes_no_sense_is_refused_and_keeps_what_was_typed(game):
    owner, other = in_order(game)[1], in_order(game)[0]
    state = state_of(game)
    doctor = state.table.names[state.contenders[0]]
    cases = [
        ("place", {"bribe": "4500"}, "must be a multiple of 1,000 and at least 1,000"),
        ("hire", {"scholar": doctor}, "the only applicant can't be turned away"),
        ("keep", {"scholar": doctor}, "only possible for scholars who have a job at that palace"),
        ("place", {"bribe": "4000", "in_return": "0"}, "not both"),
    ]
    for what, terms, reason in cases:
        response = made_by(game, owner, other, what, text="Listen:", **terms)
        assert response.status_code == 422
        assert reason in unescape(text_of(response))
        assert terms_form(response) | terms == terms_form(response)
        assert "Listen:" in text_of(response)
    game.refresh_from_db()
    assert game.ledger == []


@pytest.mark.full
def test_terms_that_were_made_up_change_nothing(game):
    owner = in_order(game)[1]
    address = f"{game.get_absolute_url()}offers/"
    for terms in ("", "{", "[]", "1", '{"to": "nobody"}', json.dumps({"to": "red", "form": "x"})):
        response = browser(sitter(game, owner)).post(address, {"terms": terms})
        assert response.status_code == 302
        assert response["Location"] == address
    game.refresh_from_db()
    assert game.ledger == []


NOT_THERE = {
    "en": (
        "That's only possible for {} who are waiting at the door of that palace or can still be "
        "sent there."
    ),
    "de": (
        "Das geht nur mit {}, die an der Tür dieses Palasts warten oder noch dorthin geschickt "
        "werden können."
    ),
    "ru": (
        "Это возможно только для {}, которые ждут у дверей этого дворца или ещё могут быть туда "
        "отправлены."
    ),
}


@pytest.mark.long(every=4)
@pytest.mark.full
@pytest.mark.parametrize("language", NOT_THERE)
@pytest.mark.parametrize("what", ["hire", "place", "win"])
def test_who_waits_elsewhere_is_chosen_last_and_refused_for_that(game, what, language):
    """The first has a doctor and a clerk at the second's door; the third asks for nobody there."""
    first, second, third = in_order(game)
    User.objects.update(language=language)
    names = state_of(game).table.names
    waiting = [names[one] for one in state_of(game).applicants[second]]
    _address, here = terms_page(game, second, first, what)
    _address, elsewhere = terms_page(game, third, first, what)
    orders = [scholars_in(page) for page in (here, elsewhere)]
    assert set(orders[0][:2]) == set(waiting) == set(orders[1][-2:])
    refused = made_by(game, third, first, what, scholar=waiting[0])
    assert refused.status_code == 422
    pattern = re.escape(NOT_THERE[language]).replace(r"\{\}", r"[\w ]+")
    assert re.search(pattern, unescape(text_of(refused)))


def scholars_in(page):
    [fields] = [fields for _action, fields in all_forms(page.content.decode()) if "text" in fields]
    return list(fields["scholar"].options)
