"""Which tables people without an account may look at, who says so, and what caches may keep."""

from dataclasses import replace

import pytest
from django.test import Client
from django.utils import timezone

from games.models import AuditLine, Game, Sitting, User
from games.services.game import seats
from games.services.lobby import changed_settings, strangers, tables
from games.services.lobby.settings import settings_of
from games.services.operations import sample_games
from tests.support.client import as_shown, browser, forms_of, opening_form, person, text_of
from tests.support.guests import arrive
from tests.support.moderators import marta_acts
from tests.support.tables import MONDAY, open_table, seat_of, seats_to_move, submit_move

pytestmark = pytest.mark.django_db

LISTS = ("/tables/", "/tables/watch/", "/tables/finished/")
PAGES = ("", "history/", "history/1/", "history/?step=1", "board/", "deadlines/", "promises/")
AFTERWARDS = ("charts/", "record/")
PICTURE = "picture.png"


def watched(*names: str, **more: object) -> Game:
    names = names or ("Anna", "Boris", "Clara")
    return open_table(*names, **({"listed": True, "strangers": "everyone"} | more))


def play_to_the_end(game: Game) -> Game:
    while seats_to_move(game):
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    game.refresh_from_db()
    return game


def over(**more: object) -> Game:
    return play_to_the_end(watched(options={"rounds": 2}, **more))


def guest() -> Client:
    client = Client()
    arrive(client)
    return client


def readers() -> list[Client]:
    return [Client(), guest(), Client(headers={"User-Agent": "Googlebot/2.1"})]


def assert_readable(game: Game, client: Client, *, more: tuple[str, ...] = ()) -> None:
    for page in (*PAGES, *more, PICTURE):
        address = f"{game.get_absolute_url()}{page}"
        response, head = client.get(address), client.head(address)
        assert response.status_code == head.status_code == (302 if "?" in page else 200), page
        assert "/accounts/" not in response.get("Location", ""), page


def assert_closed(game: Game, client: Client) -> None:
    nothing = game.get_absolute_url().replace(game.token, "nothing-here")
    for page in (*PAGES, *AFTERWARDS, PICTURE, "picture.png?x=1"):
        for method in (client.get, client.head):
            answers = [method(f"{table}{page}") for table in (game.get_absolute_url(), nothing)]
            statuses = [
                (one.status_code, one.content.replace(game.token.encode(), b"nothing-here"))
                for one in answers
            ]
            assert statuses[0] == statuses[1], page
            assert answers[0].status_code in {302, 404}, page
            leads = [one.get("Location", "").replace(game.token, "nothing-here") for one in answers]
            assert leads[0] == leads[1], page
    for address in LISTS:
        assert game.token not in client.get(address, follow=True).content.decode(), address


@pytest.mark.full
def test_a_running_game_that_is_open_to_everyone_is_read_at_every_address():
    game = watched()
    for client in readers():
        assert_readable(game, client)
        for page in AFTERWARDS:
            led = client.get(f"{game.get_absolute_url()}{page}")
            assert (led.status_code, led["Location"]) == (302, game.get_absolute_url())
            assert "messages" not in led.cookies
        assert game.token in client.get("/tables/watch/").content.decode()


@pytest.mark.full
def test_so_is_a_finished_one():
    game = over()
    for client in readers():
        assert_readable(game, client, more=AFTERWARDS)
        assert game.token in client.get("/tables/finished/").content.decode()


def test_a_table_that_waits_is_found_too():
    game = watched("Anna", size=3)
    for client in readers():
        assert game.token in client.get("/tables/").content.decode()


def test_a_full_table_that_only_waits_for_somebody_to_agree_is_found_by_nobody():
    game = watched("Anna", "Boris", size=4)
    settings = replace(settings_of(game), size=3, days_off=1)
    changed_settings.change(game_id=game.pk, user=game.host, settings=settings, now=MONDAY)
    tables.join(game_id=game.pk, user=person("Clara"), now=MONDAY, seen=1)
    game.refresh_from_db()
    for client in (Client(), browser(person("Zoe"))):
        is_found = game.token in client.get("/tables/").content.decode()
        assert (game.status, is_found) == ("waiting", False)


@pytest.mark.long(every=2)
@pytest.mark.full
@pytest.mark.parametrize(
    "closed",
    [
        {"listed": False},
        {"strangers": "afterwards"},
        {"strangers": "nobody"},
        {"guided": True},
        {"status": "cancelled", "deadline_at": None},
        {"status": "abandoned", "deadline_at": None},
    ],
    ids=str,
)
def test_a_running_game_that_is_not_is_like_none_at_all(closed):
    game = watched()
    Game.objects.filter(pk=game.pk).update(**closed)
    for client in readers():
        assert_closed(game, client)


@pytest.mark.full
def test_nor_is_one_at_which_a_guest_has_ever_sat():
    game = watched()
    left = User.objects.create(email="g@guest.invalid", name="Guest", is_guest=True)
    seat = seat_of(game, "Boris")
    Sitting.objects.create(seat=seat, user=left, began_at=MONDAY, ended_at=MONDAY)
    assert_closed(game, Client())
    left.delete()
    Game.objects.update(host=User.objects.create(email="h@guest.invalid", name="G", is_guest=True))
    assert_closed(game, Client())


@pytest.mark.full
def test_a_site_for_members_shows_strangers_only_finished_games_by_their_link(settings):
    running = watched(options={"rounds": 2})
    settings.WATCHING = "members"
    for client in readers():
        assert_closed(running, client)
    for address in LISTS:
        assert Client().get(address)["Location"] == f"/accounts/login/?next={address}"
    play_to_the_end(running)
    for client in readers():
        assert_readable(running, client, more=AFTERWARDS)
    assert "Games to watch" not in text_of(Client().get("/rules/"))


@pytest.mark.full
@pytest.mark.long(after=3)
@pytest.mark.parametrize("strangers_may", ["afterwards", "everyone", "nobody"])
@pytest.mark.parametrize("listed", [False, True])
def test_a_finished_game_is_open_to_whoever_has_its_link_unless_nobody_may_look(
    strangers_may, listed
):
    game = over(strangers=strangers_may, listed=listed)
    for client in readers():
        if strangers_may == "nobody":
            assert_closed(game, client)
        else:
            assert_readable(game, client, more=AFTERWARDS)
        is_found = game.token in client.get("/tables/finished/").content.decode()
        assert is_found is (listed and strangers_may == "everyone")


@pytest.mark.full
class TestTheHost:
    def test_closes_it_at_once_and_opens_it_again(self):
        game, client = watched(options={"rounds": 2}), browser(User.objects.get(name="Anna"))
        for choice in ("nobody", "everyone", "afterwards"):
            form = forms_of(client.get(game.get_absolute_url()).content.decode())
            address = f"{game.get_absolute_url()}strangers/"
            assert client.post(address, as_shown(form[address]) | {"strangers": choice})
            game.refresh_from_db()
            assert game.strangers == choice
            (assert_readable if choice == "everyone" else assert_closed)(game, Client())
        play_to_the_end(game)
        assert_readable(game, Client())
        client.post(address, {"strangers": "nobody"})
        assert_closed(game, Client())

    def test_nobody_else_does_and_with_no_other_word(self):
        game = watched()
        address = f"{game.get_absolute_url()}strangers/"
        boris, zoe = browser(User.objects.get(name="Boris")), browser(person("Zoe"))
        anna = browser(User.objects.get(name="Anna"))
        for client, told in (
            (boris, "Only the host can change who may watch."),
            (zoe, "Only the host can change who may watch."),
            (anna, "Please choose when people without an account can look at the game."),
        ):
            choice = "nobody" if client is not anna else "some"
            assert told in text_of(client.post(address, {"strangers": choice}, follow=True))
            assert address not in forms_of(boris.get(game.get_absolute_url()).content.decode())
        assert Client().post(address, {"strangers": "nobody"}).status_code == 302
        game.refresh_from_db()
        assert game.strangers == "everyone"

    def test_a_moderator_can(self):
        game = watched()
        marta_acts(game, "watch", strangers="nobody")
        assert_closed(game, Client())
        [line] = AuditLine.objects.filter(action="game.watch")
        assert (line.before, line.after) == ({"strangers": "everyone"}, {"strangers": "nobody"})


class TestNewTables:
    @pytest.mark.sample(1)
    @pytest.mark.parametrize(
        ("filled", "expected"),
        [
            ({}, "everyone"),
            ({"watched": ""}, "afterwards"),
            ({"listed": "invited"}, "afterwards"),
        ],
    )
    def test_listed_ones_are_open_to_everyone_unless_the_host_says_no(self, filled, expected):
        anna = browser(person("Anna"))
        form = {name: value for name, value in (opening_form(anna) | filled).items() if value}
        assert anna.post("/tables/new/", form).status_code == 302
        assert Game.objects.get().strangers == expected

    def test_where_nobody_may_watch_it_is_not_asked(self, settings):
        settings.WATCHING = "members"
        anna = browser(person("Anna"))
        form = opening_form(anna)
        assert "watched" not in form
        anna.post("/tables/new/", form | {"watched": "on"})
        assert Game.objects.get().strangers == "afterwards"


def test_changing_the_settings_leaves_it_as_it_is():
    game = watched("Anna", size=3, strangers="nobody")
    anna = browser(User.objects.get())
    page = f"{game.get_absolute_url()}settings/"
    form = as_shown(forms_of(anna.get(page).content.decode())[""])
    assert "watched" not in form
    anna.post(page, form | {"days_off": "3"})
    game.refresh_from_db()
    assert (game.days_off, game.strangers) == (3, "nobody")


@pytest.mark.full
def test_what_strangers_see_may_be_kept_for_a_moment_and_has_no_cookie_and_no_token():
    game = watched()
    waiting = open_table("Dora", size=3, listed=True, strangers="everyone")
    addresses = [f"{game.get_absolute_url()}{page}" for page in (*PAGES, *AFTERWARDS)]
    for address in (*addresses, *LISTS):
        response = Client().get(address)
        assert response.cookies == {}, address
        assert response["Cache-Control"] == "public, max-age=15", address
        assert {"Cookie", "Accept-Language"} <= set(response["Vary"].split(", ")), address
        assert response["X-Robots-Tag"] == "noindex, nofollow", address
        assert "Expires" not in response
        assert "csrfmiddlewaretoken" not in response.content.decode(), address
    assert waiting.token in Client().get("/tables/").content.decode()
    for address in (game.get_absolute_url(), "/tables/watch/"):
        assert "no-store" in guest().get(address)["Cache-Control"]
        assert "public" not in browser(person("Zoe")).get(address)["Cache-Control"]
        User.objects.filter(name="Zoe").delete()
    picture = Client().get(f"{game.get_absolute_url()}{PICTURE}")
    assert picture["Cache-Control"] == "public, max-age=15"


@pytest.mark.full
def test_search_engines_list_finished_games_and_lists_where_the_site_wants_it(settings):
    settings.ROBOTS = True
    game = watched(options={"rounds": 2})
    assert Client().get(game.get_absolute_url())["X-Robots-Tag"] == "noindex, nofollow"
    play_to_the_end(game)
    for address in (game.get_absolute_url(), *LISTS):
        assert "X-Robots-Tag" not in Client().get(address), address
    Game.objects.update(strangers="afterwards")
    assert Client().get(game.get_absolute_url())["X-Robots-Tag"] == "noindex, nofollow"


@pytest.mark.full
def test_one_network_has_a_limit(settings):
    settings.WATCHED_A_MINUTE = 2
    game = watched()
    address = game.get_absolute_url()
    answers = [Client(REMOTE_ADDR=f"2001:db8:7::{last}").get(address) for last in (1, 2, 3)]
    assert [one.status_code for one in answers] == [200, 200, 429]
    assert "Please wait a minute and try again." in text_of(answers[-1])
    assert "no-store" in answers[-1]["Cache-Control"]
    assert Client(REMOTE_ADDR="2001:db8:7000::1").get(address).status_code == 200
    assert browser(person("Zoe")).get(address).status_code == 200


def test_lists_have_a_limit_of_their_own(settings):
    settings.LISTED_A_MINUTE, settings.WATCHED_A_MINUTE = 3, 1
    game = watched()
    reader = Client(REMOTE_ADDR="2001:db8:8::1")
    answers = [reader.get(address) for address in (*LISTS, "/tables/", game.get_absolute_url())]
    assert [one.status_code for one in answers] == [200, 200, 200, 429, 200]


def test_the_players_of_a_table_learn_who_may_look():
    game = watched()
    page = browser(User.objects.get(name="Boris")).get(game.get_absolute_url())
    assert "People without an account can watch the game." in text_of(page)
    Game.objects.update(strangers="nobody")
    page = browser(User.objects.get(name="Boris")).get(game.get_absolute_url())
    assert "Only people with an account can look at the game" in text_of(page)


def test_the_sign_in_leads_to_what_one_may_see_whether_there_is_such_a_table_or_not(settings):
    closed = watched(strangers="nobody")
    pages = set()
    for token in (closed.token, "made-up"):
        address = Client().get(f"/tables/{token}/")["Location"]
        page = Client().get(address)
        assert "Sign in to see this table." in text_of(page)
        assert 'href="/tables/watch/"' in page.content.decode().partition("<h1>")[2]
        pages.add(text_of(page))
    assert len(pages) == 1
    assert "to see this table" not in text_of(Client().get("/accounts/login/?next=/tables/new/"))
    settings.WATCHING = "members"
    assert "to see this table" not in text_of(Client().get(address))


def test_a_list_says_how_many_computer_players_play():
    game = watched("Anna", size=3)
    sample_games.start_with_computer_players(game, game.host, "courtier", MONDAY)
    assert "(2 computer players)" in text_of(Client().get("/tables/watch/"))


def test_a_palace_says_once_whose_it_is_where_the_name_is_a_colour():
    game = watched()
    page = Client().get(game.get_absolute_url()).content.decode()
    assert page.count('<span class="colour">') == 0
    User.objects.filter(name="Boris").update(named_to_strangers=True)
    page = Client().get(game.get_absolute_url()).content.decode()
    assert page.count('<span class="colour">') == 1


def test_a_dormant_game_is_read_too():
    game = watched()
    for name in ("Anna", "Boris", "Clara"):
        seats.step_aside(game_id=game.pk, user=User.objects.get(name=name), now=timezone.now())
    assert strangers.may_read_at(game.token)
    assert Client().get(game.get_absolute_url()).status_code == 200
