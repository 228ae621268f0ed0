"""Two want the same at once: one gets it, the others get a sentence, and nobody an error page."""

import pytest

from games.models import Game, Invitation, OutboxEmail, Seat, Sitting
from games.services.lobby import invitations
from games.services.lobby import tables as lobby_tables
from games.services.lobby.settings import CLOSES_AFTER
from tests.support.client import as_shown, browser, forms_of, opening_form, person, text_of
from tests.support.races import at_once, race, rounds_of
from tests.support.tables import MONDAY, open_table, seat_of

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db(transaction=True)]
PEOPLE = [f"Guest {number}" for number in range(8)]


def posts(client, address, data=None):
    """A POST of somebody, whose answer is read to its end."""
    return lambda: client.post(address, data or {}, follow=True)


def statuses(pages):
    return {page.status_code for page in pages}


def text(pages, sentence):
    """How many of these pages say so."""
    return sum(sentence in text_of(page) for page in pages)


def assert_sound(game):
    """Whoever sits there has a number exactly if the game runs, and was told of it once."""
    game.refresh_from_db()
    numbers = sorted(game.seats.values_list("number", flat=True), key=str)
    seated = game.seats.count()
    if game.status == "running":
        assert numbers == list(range(game.size))
        assert Sitting.objects.filter(seat__game=game).count() == (
            game.seats.exclude(user=None).count()
        )
    else:
        assert numbers == [None] * seated
        assert game.state is None


def test_eight_want_the_last_seat():
    game = open_table("Anna", "Boris", size=3)
    guests = [browser(person(name)) for name in PEOPLE]
    pages = at_once(*(posts(guest, f"{game.get_absolute_url()}join/") for guest in guests))
    assert statuses(pages) == {200}
    assert text(pages, "The game has started: there are no free seats left.") == 7
    assert_sound(game)
    assert (game.status, game.seats.count()) == ("running", 3)


def test_one_person_clicks_eight_times_on_join():
    game = open_table("Anna", size=4)
    boris = person("Boris")
    clicks = [posts(browser(boris), f"{game.get_absolute_url()}join/") for _ in range(8)]
    assert statuses(at_once(*clicks)) == {200}
    assert game.seats.count() == 2


def test_one_click_on_open_arrives_eight_times():
    anna = browser(person("Anna"))
    form = opening_form(anna)
    pages = at_once(*(posts(anna, "/tables/new/", form) for _ in range(8)))
    assert statuses(pages) == {200}
    assert Game.objects.count() == Seat.objects.count() == 1


def test_eight_forms_at_once_open_three_tables():
    anna = browser(person("Anna"))
    forms = [opening_form(anna) for _ in range(8)]
    pages = at_once(*(posts(anna, "/tables/new/", form) for form in forms))
    assert sorted(page.status_code for page in pages) == [200] * 3 + [422] * 5
    assert text(pages, "You already have a seat at 3 tables that haven't started yet.") == 5
    assert Game.objects.count() == Seat.objects.count() == 3


def test_nobody_gets_round_three_waiting_tables_by_joining_at_once():
    tables = [open_table(f"Host {number}", size=3) for number in range(8)]
    zoe = person("Zoe")
    pages = at_once(*(posts(browser(zoe), f"{game.get_absolute_url()}join/") for game in tables))
    assert statuses(pages) == {200}
    assert Seat.objects.filter(user=zoe).count() == 3


@pytest.mark.parametrize("attempt", range(3))
def test_guests_join_while_the_host_starts(attempt):
    game = open_table("Anna", size=5)
    url = game.get_absolute_url()
    guests = [posts(browser(person(name)), f"{url}join/") for name in PEOPLE[:7]]
    start = posts(browser(game.host), f"{url}start/", {"computer_player": "default"})
    pages = at_once(start, *guests)
    assert statuses(pages) == {200}
    assert_sound(game)
    assert game.status == "running"
    joined = game.seats.exclude(user=None).count() - 1
    assert text(pages, "The game has started: there are no free seats left.") == 7 - joined


@pytest.mark.parametrize("attempt", range(3))
def test_guests_join_while_the_host_closes_the_table(attempt):
    game = open_table("Anna", size=5)
    url = game.get_absolute_url()
    guests = [posts(browser(person(name)), f"{url}join/") for name in PEOPLE[:7]]
    pages = at_once(posts(browser(game.host), f"{url}cancel/", {"sure": "yes"}), *guests)
    assert statuses(pages) == {200}
    assert_sound(game)
    closed = game.status == "cancelled"
    assert closed or game.status == "running"
    others = game.seats.exclude(user=game.host).count()
    assert OutboxEmail.objects.filter(kind="table_closed").count() == (others if closed else 0)


@pytest.mark.parametrize("attempt", range(3))
def test_somebody_leaves_while_the_last_seat_is_taken(attempt):
    game = open_table("Anna", "Boris", size=3)
    url = game.get_absolute_url()
    leaving = posts(browser(seat_of(game, "Boris").user), f"{url}leave/", {"sure": "yes"})
    pages = at_once(leaving, posts(browser(person("Clara")), f"{url}join/"))
    assert statuses(pages) == {200}
    assert_sound(game)
    left = text(pages[:1], "You no longer have a seat at this table.")
    assert (game.status, game.seats.count()) == (("waiting", 2) if left else ("running", 3))


def test_old_tables_are_closed_once_by_eight_clocks_while_somebody_joins():
    game = open_table("Anna", "Boris", size=4)
    late = MONDAY + CLOSES_AFTER
    clocks = [lambda: lobby_tables.close_old_tables(late)] * 7
    *closed, page = at_once(
        *clocks, posts(browser(person("Clara")), f"{game.get_absolute_url()}join/")
    )
    assert page.status_code == 200
    assert sum(closed) + lobby_tables.close_old_tables(late) == 1
    assert_sound(game)
    sent_to = OutboxEmail.objects.filter(kind="table_closed").count()
    assert (game.status, sent_to) == ("cancelled", game.seats.count())


def test_all_press_the_same_again_at_once():
    over = open_table("Anna", "Boris", "Clara", "Dora", "Emil", options={"rounds": 1})
    assert over.status == "finished"
    url = f"{over.get_absolute_url()}again/"
    players = [seat.user for seat in over.seats.all()]
    clicks = [posts(browser(user), url) for user in [*players, *players[:3]]]
    assert statuses(at_once(*clicks)) == {200}
    newer = Game.objects.exclude(pk=over.pk).get()
    assert newer.seats.count() == 5
    assert Invitation.objects.filter(game=newer).count() == 4


def test_an_address_that_two_invite_at_once_gets_one_mail():
    game = open_table("Anna", "Boris", size=4)

    def invite(name):
        return lambda: invitations.invite(
            game_id=game.pk,
            user=seat_of(game, name).user,
            addresses=["dora@example.org"],
            now=MONDAY,
        )

    done = at_once(*([invite("Anna"), invite("Boris")] * 4))
    assert sorted(one.fresh for one in done) == [0] * 6 + [1] * 2
    assert Invitation.objects.count() == 2  # one of each, who learn nothing of each other
    assert OutboxEmail.objects.filter(kind="invitation").count() == 1


def test_an_invitation_is_accepted_and_declined_at_once():
    game = open_table("Anna", size=4)
    invitations.invite(game_id=game.pk, user=game.host, addresses=["boris@example.org"], now=MONDAY)
    url = Invitation.objects.get().get_absolute_url()
    boris = person("Boris")
    acts = [posts(browser(boris), f"{url}{act}/") for act in ("accept", "decline") * 4]
    assert statuses(at_once(*acts)) == {200}
    assert Invitation.objects.get().status == "accepted"
    assert game.seats.count() == 2


def changing(game, client):
    """The host changes the settings by the form: its answer."""
    url = f"{game.get_absolute_url()}settings/"
    form = as_shown(forms_of(client.get(url).content.decode())[""]) | {"days_off": "1"}
    return lambda: client.post(url, form, follow=True)


def test_the_settings_change_while_the_last_seat_is_taken():
    """Whoever sits there when the game starts has agreed to its settings."""
    for number, (chance, wins) in enumerate(rounds_of("change", "join", least=4)):
        host, late = f"Host {number}", f"Late {number}"
        game = open_table(host, f"Other {number}", size=3)
        url = game.get_absolute_url()
        guest = browser(person(late))
        form = as_shown(forms_of(guest.get(url).content.decode())[f"{url}join/"])
        given = race(
            {
                "change": [changing(game, browser(game.host))],
                "join": [posts(guest, f"{url}join/", form)],
            },
            chance,
        )
        [changed], [joined] = given["change"], given["join"]
        assert statuses([changed, joined]) == {200}
        assert_sound(game)
        if game.status == "running":
            wins["join"] += 1
            assert (game.days_off, game.settings_version) == (7, 0)
            assert text([changed], "The game has already started.") == 1
        else:
            wins["change"] += 1
            assert (game.days_off, game.settings_version, game.seats.count()) == (1, 1, 2)
            assert text([joined], "The host has just changed the settings.") == 1
            asked = game.seats.filter(agreed_settings__isnull=False)
            assert list(asked.values_list("user__name", flat=True)) == [f"Other {number}"]


def test_the_settings_change_while_the_host_starts():
    """The same host in two windows: what the others haven't agreed to, isn't played."""
    for number, (chance, wins) in enumerate(rounds_of("change", "start", least=4)):
        game = open_table(f"Host {number}", f"Other {number}", size=4)
        url = game.get_absolute_url()
        start = posts(browser(game.host), f"{url}start/", {"computer_player": "default"})
        sides = {"change": [changing(game, browser(game.host))], "start": [start]}
        given = race(sides, chance)
        assert statuses([*given["change"], *given["start"]]) == {200}
        assert_sound(game)
        if game.status == "running":
            wins["start"] += 1
            assert (game.days_off, game.settings_version) == (7, 0)
        else:
            wins["change"] += 1
            assert (game.days_off, game.settings_version) == (1, 1)
            assert text(given["start"], "has agreed to the new settings") == 1


def test_the_last_two_agree_at_once_and_the_game_starts_once():
    game = open_table("Anna", "Boris", "Clara", size=4)
    changing(game, browser(game.host))()
    posts(browser(person("Dora")), f"{game.get_absolute_url()}join/", {"settings": 1})()
    url = f"{game.get_absolute_url()}stay/"
    answers = [
        posts(browser(seat_of(game, name).user), url, {"settings": 1})
        for name in ("Boris", "Clara") * 3
    ]
    assert statuses(at_once(*answers)) == {200}
    assert_sound(game)
    assert (game.status, game.days_off) == ("running", 1)
    assert OutboxEmail.objects.filter(kind="game_started").count() == 4


def test_somebody_agrees_while_the_settings_change_again():
    """Nobody has agreed to what they haven't seen."""
    for number, (chance, wins) in enumerate(rounds_of("change", "stay", least=4)):
        game = open_table(f"Host {number}", f"Other {number}", size=4)
        changing(game, browser(game.host))()
        url = game.get_absolute_url()
        other = browser(seat_of(game, f"Other {number}").user)
        form = as_shown(forms_of(other.get(url).content.decode())[f"{url}stay/"])
        again = browser(game.host)
        typed = as_shown(forms_of(again.get(f"{url}settings/").content.decode())[""])
        change = posts(again, f"{url}settings/", typed | {"days_off": "2"})
        given = race({"change": [change], "stay": [posts(other, f"{url}stay/", form)]}, chance)
        assert statuses([*given["change"], *given["stay"]]) == {200}
        game.refresh_from_db()
        assert (game.days_off, game.settings_version) == (2, 2)
        before = seat_of(game, f"Other {number}").agreed_settings["days_off"]
        refused = text(given["stay"], "The host has changed the settings again.")
        wins["change" if refused else "stay"] += 1
        assert before == (7 if refused else 1)
