"""Where players can talk privately, each way to an offer says whether everybody will see it."""

import re

import pytest

from games.models import Game, PrivateMessage, Seat, User
from games.services.game import seats as game_seats
from games.services.public_ids import public_id
from tests.support.client import all_forms, as_shown, browser, html_of, person, text_of
from tests.support.promising import bribing_table, in_order, sitter
from tests.support.tables import MONDAY
from tests.support.whispering import thread_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return bribing_table(press="private")


def menu_of(game: Game, seat: int, other: int) -> list[str]:
    """What the menu at the palace of another player offers, as one reads it."""
    html = html_of(browser(sitter(game, seat)).get(game.get_absolute_url()))
    palace = html[html.index(f'data-palace="{game.colours[other]}"') :]
    [menu] = re.findall(
        r'<details class="owner".*?</details>', palace.split("</article>")[0], re.DOTALL
    )
    return [" ".join(words.split()) for words in re.findall(r"<a [^>]*>(.*?)</a>", menu, re.DOTALL)]


def buttons_of(html: str) -> list[str]:
    found = re.findall(r"<button[^>]*>(.*?)</button>", html.split("<main")[1], re.DOTALL)
    return [" ".join(words.split()) for words in found]


def alone_with(game: Game, seat: int) -> str:
    return public_id("person", sitter(game, seat).pk)


def terms_of(game: Game, to: int, who: str = "me") -> str:
    return f"to={game.colours[to]}&who={who}&what=send-nobody"


WORDS = {
    "en": {
        "menu": ["Talk to {name}", "Make {name} a private offer", "Make {name} a public offer"],
        "heads": ("Make a public offer", "Make a private offer"),
        "public": ["Offer publicly", "Ask publicly"],
        "private": ["Offer privately", "Ask privately"],
        "said": ("Everyone at the table will see it.", "Only {name} will see it."),
        "instead": ("Private offer to {name} instead", "Public offer instead"),
    },
    "de": {
        "menu": [
            "Mit {name} sprechen",
            "{name} ein privates Angebot machen",
            "{name} ein öffentliches Angebot machen",
        ],
        "heads": ("Öffentliches Angebot machen", "Privates Angebot machen"),
        "public": ["Öffentlich anbieten", "Öffentlich bitten"],
        "private": ["Privat anbieten", "Privat bitten"],
        "said": ("Alle am Tisch sehen es.", "Nur für dich und {name} sichtbar."),
        "instead": (
            "Stattdessen ein privates Angebot an {name}",
            "Stattdessen ein öffentliches Angebot",
        ),
    },
    "ru": {
        "menu": [
            "Поговорить с игроком {name}",
            "Сделать игроку {name} личное предложение",
            "Сделать игроку {name} публичное предложение",
        ],
        "heads": ("Сделать публичное предложение", "Сделать личное предложение"),
        "public": ["Предложить при всех", "Попросить при всех"],
        "private": ["Предложить лично", "Попросить лично"],
        "said": ("Предложение увидят все за столом.", "Это предложение увидят только вы и {name}."),
        "instead": (
            "Сделать вместо этого личное предложение (кому: {name})",
            "Вместо этого сделать публичное предложение",
        ),
    },
}


@pytest.mark.full
@pytest.mark.parametrize("language", WORDS)
def test_the_menu_of_a_palace_has_both(game, language):
    first, second, third = in_order(game)
    User.objects.update(language=language)
    words, name = WORDS[language]["menu"], sitter(game, second).name
    assert menu_of(game, first, second) == [one.format(name=name) for one in words]
    Seat.objects.filter(game=game, number=third).update(user=None, computer_player="courtier")
    [alone] = menu_of(game, first, third)
    assert alone.startswith(words[2].split("{name}")[0])


@pytest.mark.full
@pytest.mark.parametrize("language", WORDS)
def test_the_page_says_which_it_is_and_leads_to_the_other(game, language):
    _first, owner, third = in_order(game)
    User.objects.update(language=language)
    client, words, name = browser(sitter(game, owner)), WORDS[language], sitter(game, third).name
    address = f"{game.get_absolute_url()}offers/?{terms_of(game, third)}"
    for here, kind in ((0, "public"), (1, "private")):
        page = client.get(address)
        html, text = html_of(page), text_of(page)
        assert f"<h1>{words['heads'][here]}</h1>" in html
        assert buttons_of(html).count(words[kind][0]) >= 1
        assert words["said"][here].format(name=name) in text
        links = re.findall(r'<a class="button quiet" href="(\?[^"]+)">\s*([^<]+?)\s*</a>', html)
        assert {said for _link, said in links} == {words["instead"][here].format(name=name)}
        assert len(links) == 2  # at the top and beside the button
        address = f"{game.get_absolute_url()}offers/{links[0][0].replace('&amp;', '&')}"
    page = client.get(address)
    assert f"<h1>{words['heads'][0]}</h1>" in html_of(page)
    asking = client.get(f"{game.get_absolute_url()}offers/?{terms_of(game, third, 'them')}")
    assert words["public"][1] in buttons_of(html_of(asking))


@pytest.mark.full
def test_the_other_page_has_the_same_terms_and_makes_the_offer_there(game):
    _first, owner, third = in_order(game)
    client, here = browser(sitter(game, owner)), f"{game.get_absolute_url()}offers/"
    html = html_of(client.get(f"{here}?{terms_of(game, third)}"))
    [link, *_] = re.findall(r'<a class="button quiet" href="(\?[^"]+among[^"]+)">', html)
    address = f"{here}{link.replace('&amp;', '&')}"
    forms = all_forms(html_of(client.get(address)))
    [terms] = [fields for _action, fields in forms if "text" in fields]
    response = client.post(address, as_shown(terms) | {"text": "Quietly"})
    assert response["Location"] == f"{game.get_absolute_url()}?talk={alone_with(game, third)}#chat"
    assert PrivateMessage.objects.get().text == "Quietly"
    assert "You have made the offer privately." in text_of(client.get(response["Location"]))
    game.refresh_from_db()
    assert game.ledger == []


@pytest.mark.full
def test_a_public_offer_says_that_it_was_one(game):
    _first, owner, third = in_order(game)
    client, address = browser(sitter(game, owner)), f"{game.get_absolute_url()}offers/"
    address = f"{address}?{terms_of(game, third)}"
    forms = all_forms(html_of(client.get(address)))
    [terms] = [fields for _action, fields in forms if "text" in fields]
    assert "among" not in terms
    page = client.post(address, as_shown(terms), follow=True)
    assert "You have made the offer publicly." in text_of(page)


@pytest.mark.full
def test_a_suggested_offer_is_made_privately_or_publicly_by_two_buttons(game):
    other, owner, _third = in_order(game)
    client = browser(sitter(game, owner))
    for address in (game.get_absolute_url(), f"{game.get_absolute_url()}offers/"):
        html = html_of(client.get(address))
        shown = [one for one in buttons_of(html) if one.startswith(("Offer ", "Ask "))]
        assert {"Offer privately", "Offer publicly"} <= set(shown)
        assert [one.split()[1] for one in shown] == ["privately", "publicly"] * (len(shown) // 2)
    [(action, fields), *_] = [form for form in all_forms(html) if "terms" in form[1]]
    assert action == f"{game.get_absolute_url()}offers/"
    private = f"{action}?among={alone_with(game, other)}"
    assert f'formaction="{private}"' in html
    answered = client.post(private, as_shown(fields))
    assert answered["Location"] == f"{game.get_absolute_url()}?talk={alone_with(game, other)}#chat"
    assert PrivateMessage.objects.get().thread.seats == sorted((owner, other))
    within = html_of(client.get(f"{action}?among={alone_with(game, other)}"))
    shown = [one for one in buttons_of(within) if one.startswith(("Offer ", "Ask "))]
    assert shown
    assert {one.split()[1] for one in shown} == {"privately"}


@pytest.mark.full
def test_what_was_meant_for_a_conversation_never_becomes_public(game):
    """Whoever it was with has left meanwhile, or there was never such a conversation."""
    _first, owner, third = in_order(game)
    client, to = browser(sitter(game, owner)), alone_with(game, third)
    address = f"{game.get_absolute_url()}offers/?among={to}&{terms_of(game, third)}"
    forms = all_forms(html_of(client.get(address)))
    [terms] = [fields for _action, fields in forms if "text" in fields]
    game_seats.step_aside(game_id=game.pk, user=sitter(game, third), now=MONDAY)
    game_seats.take_over(game_id=game.pk, user=person("Nils"), number=third, now=MONDAY)
    for gone in (address, f"{game.get_absolute_url()}offers/?among=nonsense"):
        for answered in (client.get(gone), client.post(gone, as_shown(terms))):
            assert answered["Location"] == f"{game.get_absolute_url()}#chat"
    page = text_of(client.get(game.get_absolute_url()))
    assert "You can't make an offer in that conversation any more." in page
    game.refresh_from_db()
    assert (game.ledger, PrivateMessage.objects.count()) == ([], 0)


def test_a_form_from_before_that_says_among_whom_stays_among_them(game):
    _first, owner, third = in_order(game)
    client = browser(sitter(game, owner))
    address = f"{game.get_absolute_url()}offers/?{terms_of(game, third)}"
    forms = all_forms(html_of(client.get(address)))
    [terms] = [fields for _action, fields in forms if "text" in fields]
    client.post(address, as_shown(terms) | {"among": "two"})
    game.refresh_from_db()
    assert game.ledger == []
    assert PrivateMessage.objects.get().thread.seats == sorted((owner, third))


def test_the_panel_of_promises_has_a_link_for_each(game):
    first, second, third = in_order(game)
    html = html_of(browser(sitter(game, first)).get(game.get_absolute_url()))
    panel = html[html.index('id="promises"') :].split("</section>")[0]
    links = re.findall(r'<a class="button quiet" href="([^"]+)">\s*([^<]+?)\s*</a>', panel)
    offers = f"{game.get_absolute_url()}offers/"
    assert links == [
        *(
            (
                f"{offers}?among={alone_with(game, seat)}",
                f"Private offer to {sitter(game, seat).name}",
            )
            for seat in (second, third)
        ),
        (offers, "Make a public offer"),
    ]


@pytest.mark.full
def test_in_a_larger_conversation_an_offer_is_private_too(game):
    first, second, third = in_order(game)
    thread = thread_of(game, first, second, third)
    client = browser(sitter(game, first))
    html = html_of(client.get(f"{game.get_absolute_url()}?talk={thread.token}"))
    address = f"{game.get_absolute_url()}offers/?among={thread.token}"
    assert f'<a class="button quiet" href="{address}">Make a private offer</a>' in html
    page = html_of(client.get(f"{address}&{terms_of(game, second)}"))
    assert "<h1>Make a private offer</h1>" in page
    assert "Offer privately" in buttons_of(page)
    assert f'href="?to={game.colours[second]}&amp;who=me&amp;what=send-nobody"' in page


AGREED = "No private conversations: everyone can read everything."
"""Stands in the settings of such a table."""


@pytest.mark.full
def test_where_nobody_talks_privately_nothing_is_said_of_it():
    game = bribing_table()
    first, second, third = in_order(game)
    assert menu_of(game, first, second) == [f"Make {sitter(game, second).name} an offer"]
    client = browser(sitter(game, first))
    pages = [
        client.get(game.get_absolute_url()),
        client.get(f"{game.get_absolute_url()}offers/"),
        client.get(f"{game.get_absolute_url()}offers/?{terms_of(game, third)}"),
    ]
    for page in pages:
        main = html_of(page).split("<main")[1].split("</main>")[0]
        told = re.sub(r"<[^>]+>", "", main).replace(AGREED, "")
        assert not re.search(r"\b(private|public)", told)
    assert "<h1>Make an offer</h1>" in html_of(pages[1])
    assert "Make this offer" in buttons_of(html_of(pages[2]))
    assert {"Offer", "Ask"} & set(buttons_of(html_of(pages[1])))
