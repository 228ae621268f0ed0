"""The end of a game: awards, and what each player's scholars cost and earned."""

import re
from fractions import Fraction

import pytest
from django.test import Client
from django.utils import translation

from games.engine import Scholar
from games.engine.awards import Award, AwardKind
from games.engine.careers import Career, careers
from games.engine.promises import IfBribed, PlaceIn, Promise
from games.engine.state import make_table
from games.models import OutboxEmail, User
from games.presentation.careers import career_tables
from games.presentation.text.awards import award_line
from games.presentation.text.words import People
from games.services.email import delivery
from games.services.game import seats
from games.services.game.replay import event_rows, rule_event, surviving
from games.table_events import is_table_event
from tests.game.test_promise_counts import play_to_the_end
from tests.support.client import browser, html_of, person, text_of
from tests.support.promising import (
    bribed,
    bribing_table,
    in_order,
    moves,
    offers,
    placed,
    replies,
    sitter,
    state_of,
)
from tests.support.recorded import NAMES, SMALL, events_and_states
from tests.support.tables import DAY, MONDAY, finished, leave, seat_of
from tests.support.whispering import offers_privately, replies_privately

TABLE = make_table("mayfair-2005", {}, ("red", "yellow", "green"), "red")
PEOPLE = People(TABLE, ["Anna", "Boris", "Clara"], reader=0)
CLERK = Career(Scholar(0, 3, 1), 1, 6000, None, 9000, 0, 24000, 3)


class TestWords:
    @pytest.mark.parametrize(
        ("kind", "seats", "value", "told"),
        [
            ("faithful", (0,), 7, "Anna kept all 7 public promises."),
            ("faithful", (0, 2), 3, "Anna and Clara kept all 3 public promises."),
            ("not-for-sale", (1,), 1, "Boris kept 1 public promise despite a higher bribe."),
            ("treacherous", (1,), 2, "Boris broke 2 public promises."),
            (
                "for-nothing",
                (0,),
                9000,
                "Anna paid 9,000 in bribes for the red clerk, who was banished anyway.",
            ),
            ("bargain", (0,), 24, "Anna earned 24,000 with the red clerk for 9,000 in bribes."),
            (
                "dearest",
                (0,),
                9000,
                "Anna paid 9,000 in bribes for the red clerk, who earned them 24,000.",
            ),
            ("unmoved", (0,), 3, "Anna defended the red clerk in 3 conflicts."),
            ("bribed", (1,), 44000, "Boris took 44,000 in bribes."),
            ("banished", (2,), 5, "Clara lost 5 of their scholars to the island."),
        ],
    )
    def test_an_award_is_a_sentence(self, kind, seats, value, told):
        watched = PEOPLE._replace(reader=None)
        line = award_line(watched, Award(AwardKind(kind), seats, value, Fraction(1), CLERK))
        assert line.text == told
        assert line.names == [PEOPLE.names[seat] for seat in seats]
        assert line.colours == [TABLE.players[seat] for seat in seats]

    @pytest.mark.parametrize(
        ("kind", "seats", "value", "told"),
        [
            ("faithful", (0,), 7, "You kept all 7 public promises."),
            ("faithful", (0, 2), 3, "You and Clara kept all 3 public promises."),
            ("faithful", (1, 2), 3, "Boris and Clara kept all 3 public promises."),
            ("not-for-sale", (0,), 1, "You kept 1 public promise despite a higher bribe."),
            ("treacherous", (0,), 2, "You broke 2 public promises."),
            (
                "for-nothing",
                (0,),
                9000,
                "You paid 9,000 in bribes for your clerk, who was banished anyway.",
            ),
            ("bargain", (0,), 24, "You earned 24,000 with your clerk for 9,000 in bribes."),
            (
                "dearest",
                (0,),
                9000,
                "You paid 9,000 in bribes for your clerk, who earned you 24,000.",
            ),
            ("unmoved", (0,), 3, "You defended your clerk in 3 conflicts."),
            ("bribed", (0,), 44000, "You took 44,000 in bribes."),
            ("banished", (0,), 5, "You lost 5 of your scholars to the island."),
        ],
    )
    def test_it_says_you_to_its_reader(self, kind, seats, value, told):
        line = award_line(PEOPLE, Award(AwardKind(kind), seats, value, Fraction(1), CLERK))
        assert line.text == told
        assert line.names == [PEOPLE.names[seat] for seat in seats if seat]

    @pytest.mark.parametrize("language", ["en", "de", "ru"])
    def test_every_kind_has_a_name_of_its_own(self, language):
        with translation.override(language):
            titles = [
                award_line(PEOPLE, Award(kind, (1,), 5, Fraction(1), CLERK)).title
                for kind in AwardKind
            ]
        assert len({*titles}) == len(AwardKind)

    @pytest.mark.parametrize(
        ("career", "told"),
        [
            ({}, "never sent"),
            ({"palace": 1}, "still at Boris's door"),
            ({"palace": 1, "banished": 2}, "banished from Boris's door in round 2"),
            ({"palace": 1, "area": 6000}, "hired by Boris for 6,000, stayed to the end"),
            (
                {"palace": 1, "area": 6000, "banished": 4},
                "hired by Boris for 6,000, banished in round 4",
            ),
        ],
    )
    def test_a_career_says_where_it_led(self, career, told):
        [table, *_others] = career_tables(PEOPLE, [Career(Scholar(0, 3, 1), **career)]).tables
        assert [(line.name, line.place) for line in table.lines] == [("Clerk", told)]


def test_the_scholars_of_the_small_game_with_what_they_cost_and_earned():
    events = [event for event, _state in events_and_states(SMALL)]
    people = People(events[0].table, NAMES[:4], reader=1)
    shown = career_tables(people, careers(events))
    assert (shown.title, shown.scholar) == ("What the workers cost and earned", "Worker")
    tables = shown.tables
    assert [(one.player.name, one.own, one.bribes, one.earned) for one in tables] == [
        ("Boris", True, "8,000", "6,000"),
        ("Anna", False, "2,000", "2,000"),
        ("Clara", False, "41,000", "8,000"),
        ("Dora", False, "3,000", "22,000"),
    ]
    lines = [line for line in tables[2].lines if line.place != "never sent"]
    assert [(one.name, one.place, *one.bribes, *one.earned) for one in lines] == [
        ("Clerk", "hired by Anna for 3,000, stayed to the end", "32,000", "100", "6,000", "18.8"),
        (
            "Scientist",
            "hired by Anna for 1,000, stayed to the end",
            "9,000",
            "28.1",
            "2,000",
            "6.2",
        ),
    ]
    assert [len(one.lines) for one in tables] == [8] * 4


def rows_of(html):
    """For each player's table: whether it is open, the name, and the rows with their amounts."""
    found = {}
    for after in html.split('<details class="careers"')[1:]:
        part = after.split("</details>")[0]
        name = re.search(r'<span class="scholar \w+">(?:<bdi>)?([^<]+)', part)[1]
        amounts = [
            (int(first.replace(",", "")), int(second.replace(",", "")))
            for first, second in re.findall(r"<td>([\d,]+)<svg.*?<td>([\d,]+)<svg", part, re.DOTALL)
        ]
        total = re.search(r"<tfoot>.*?<td>([\d,]+)</td><td>([\d,]+)</td>", part, re.DOTALL)
        sums = tuple(int(amount.replace(",", "")) for amount in total.groups())
        found[name] = (part.startswith(" open"), amounts, sums)
    return found


@pytest.mark.full
@pytest.mark.django_db
def test_the_page_has_everybodys_scholars_and_ones_own_are_open():
    game = finished()
    rows = [row for row in surviving(event_rows(game)) if not is_table_event(row.kind)]
    known = careers(map(rule_event, rows))
    client = browser(seat_of(game, "Boris").user)
    User.objects.update(named_to_strangers=True)
    own, spectators = (
        rows_of(html_of(one.get(game.get_absolute_url()))) for one in (client, Client())
    )
    assert [name for name, (is_open, *_rest) in own.items() if is_open] == ["Boris"]
    assert next(iter(own)) == "Boris"
    assert not any(is_open for is_open, *_rest in spectators.values())
    for name in ("Anna", "Boris", "Clara"):
        seat = seat_of(game, name).number
        theirs = [(one.bribes, one.earned) for one in known if one.scholar.owner == seat]
        _is_open, amounts, sums = spectators[name]
        assert own[name][1:] == (amounts, sums)
        assert sorted(amounts) == sorted(theirs)
        assert sums == tuple(map(sum, zip(*theirs, strict=True)))
    assert sum(paid for _open, _rows, (paid, _earned) in own.values()) > 0


def both_broken(game, *, privately=False):
    """The owner promises each of the other's two scholars the six, and gives neither."""
    other, owner, _third = in_order(game)
    for scholar in state_of(game).contenders:
        promise = Promise(owner, other, PlaceIn(scholar, None, 6000), IfBribed(scholar, 1000))
        if privately:
            replies_privately(game, other, offers_privately(game, owner, promise))
        else:
            replies(game, other, offers(game, owner, promise))
    moves(game, bribed(game), placed(game, 3000, 1000))
    return owner


def awards_of(game, reader=None):
    User.objects.update(named_to_strangers=True)
    client = Client() if reader is None else browser(reader)
    html = html_of(client.get(game.get_absolute_url()))
    assert '<details class="careers"' in html
    part = html.partition('<ul class="awards">')[2].partition("</ul>")[0]
    return [" ".join(re.sub("<[^>]+>", " ", line).split()) for line in part.split("<li>")[1:]]


@pytest.mark.full
@pytest.mark.django_db
def test_the_page_names_awards_and_says_you_to_who_got_them():
    game = bribing_table()
    owner = both_broken(game)
    play_to_the_end(game)
    told = awards_of(game)
    broke = f"Broken seals {sitter(game, owner).name} broke 2 public promises."
    assert broke in told
    assert len(told) <= 3
    for seat in in_order(game):
        read = awards_of(game, sitter(game, seat))
        assert ("Broken seals You broke 2 public promises." in read) == (seat == owner)
        assert (broke in read) == (seat != owner)
        assert len(read) == len(told)


@pytest.mark.full
@pytest.mark.django_db
def test_the_email_about_the_end_names_the_awards(smtp):
    game = bribing_table()
    owner = sitter(game, both_broken(game))
    play_to_the_end(game)
    OutboxEmail.objects.exclude(kind="game_over").delete()
    delivery.drain(now=MONDAY + 4 * DAY)
    assert len(smtp.messages) == 3
    for message in smtp.messages:
        text, html = (message.get_body((kind,)).get_content() for kind in ("plain", "html"))
        who = "You" if owner.email in message["To"] else owner.name
        assert f"Broken seals: {who} broke 2 public promises." in text.splitlines()
        told = " ".join(re.sub("<[^>]+>", " ", html).split())
        assert f"Broken seals: {who} broke 2 public promises." in told


@pytest.mark.full
@pytest.mark.django_db
def test_what_was_promised_in_private_gives_no_award():
    """Not even to the two who know of it."""
    game = bribing_table(press="private")
    both_broken(game, privately=True)
    play_to_the_end(game)
    for reader in (None, *(sitter(game, seat) for seat in in_order(game))):
        assert not any("promise" in line for line in awards_of(game, reader))


@pytest.mark.full
@pytest.mark.django_db
def test_a_seat_that_changed_hands_gets_no_award():
    game = bribing_table()
    owner = both_broken(game)
    leaver = sitter(game, owner).name
    leave(game, leaver)
    seats.take_over(game_id=game.pk, number=owner, user=person("Dora"), now=MONDAY)
    play_to_the_end(game)
    told = " ".join(awards_of(game))
    assert leaver not in told
    assert "Dora" not in told


@pytest.mark.full
@pytest.mark.django_db
def test_a_game_that_was_cancelled_has_neither_awards_nor_careers():
    game = finished()
    address = game.get_absolute_url()
    assert "What the scholars cost and earned" in text_of(Client().get(address))
    type(game).objects.filter(pk=game.pk).update(status="cancelled")
    text = text_of(browser(seat_of(game, "Anna").user).get(address))
    assert "This game was cancelled" in text
    assert "What the scholars cost and earned" not in text
