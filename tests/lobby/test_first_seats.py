"""From the link of a table to a seat at it, for somebody without an account."""

import re
from html import unescape

import pytest
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from games.models import Block, User
from games.services import legal
from games.services.accounts import guests
from games.services.accounts.account import delete_account
from games.services.lobby import invitations, tables
from tests.support.client import as_shown, browser, forms_of, person, text_of, verified
from tests.support.guests import arrive, code_of
from tests.support.legal import texts_in, write
from tests.support.moderators import marta_acts_on
from tests.support.sanctions import in_days
from tests.support.tables import MONDAY, open_table

pytestmark = pytest.mark.django_db

CODE = "/accounts/confirm-email/"
NINA = {"name": "Nina", "email": "nina@example.org", "time_zone": "Europe/Vienna"}
OURS = {"HTTP_ORIGIN": "http://testserver"}


def seat_form(page):
    return as_shown(forms_of(page.content.decode())[seat_address(page)])


def seat_address(page):
    return re.search(r'action="([^"]+/seat/)"', page.content.decode())[1]


def ask(client, url, **given):
    """Fill in the form of the page; the answer."""
    page = client.get(url)
    return client.post(seat_address(page), seat_form(page) | NINA | given, **OURS)


def enter_code(client):
    code = code_of(mail.outbox[-1].body)
    return client.post(CODE, {"code": code}, follow=True)


@pytest.mark.full
def test_from_the_link_to_the_seat_in_three_screens():
    game = open_table("Anna", size=4, listed=True)
    client = Client()
    page = client.get(game.get_absolute_url())
    assert "Take a seat" in text_of(page)
    assert ask(client, game.get_absolute_url())["Location"] == CODE
    assert mail.outbox[-1].to == ["nina@example.org"]
    table = enter_code(client)
    assert table.redirect_chain[-1][0] == game.get_absolute_url()
    assert "You have a seat at “The Venice table”. The game starts once 2 more" in text_of(table)
    nina = User.objects.get(name="Nina")
    assert (nina.email, nina.is_guest, nina.time_zone) == (
        "nina@example.org", False, "Europe/Vienna",
    )  # fmt: skip
    assert not nina.has_usable_password()
    assert list(game.seats.order_by("pk").values_list("user__name", flat=True)) == ["Anna", "Nina"]
    assert User.objects.count() == 2


class TestPage:
    def test_it_shows_who_is_named_to_strangers_and_what_one_agrees_to(self):
        game = open_table(
            "Anna", "Boris", size=4, listed=True, strangers="everyone",
            description="Slow and friendly.", language="de",
        )  # fmt: skip
        User.objects.filter(name="Anna").update(named_to_strangers=True)
        page = text_of(Client().get(game.get_absolute_url()))
        for words in (
            "Anna invites you to a game of Intrigue",
            "The table is called The Venice table. 2 of 4 seats are free. Seated: Anna and 1 more.",
            "You have 24 hours for each move",
            (
                "When players bribe one after another, they share the time for a single move, but "
                "everyone gets at least 6 hours."
            ),
            "Language of the chat: German.",
            "A game takes about 3 weeks.",
            "Slow and friendly.",
            "Try it first",
        ):
            assert words in page
        assert "Boris" not in page

    def test_an_unlisted_table_shows_nothing_that_a_person_wrote(self):
        game = open_table("Anna", "Boris", size=4, description="Slow and friendly.")
        User.objects.update(named_to_strangers=True)
        page = Client().get(game.get_absolute_url()).content.decode()
        assert "You&#39;re invited to a game of Intrigue" in page
        assert "2 of 4 seats are free." in page
        assert "You'll see who else is playing once you have a seat." in page
        for hidden in ("Anna", "Boris", "Venice", "Slow and friendly"):
            assert hidden not in page

    @pytest.mark.parametrize(
        ("promises", "sentence"),
        [("free", "promises that bind nobody."), ("binding", "talk, and promises.")],
    )
    def test_it_says_of_promises_what_holds_at_this_table(self, promises, sentence):
        game = open_table("Anna", size=4, options={"promises": promises})
        page = text_of(Client().get(game.get_absolute_url()))
        assert sentence in page
        assert ("bind nobody" in page) is (promises == "free")

    def test_sealed_bribes_take_no_turns(self):
        game = open_table("Anna", size=4, options={"bribing": "simultaneous"})
        page = text_of(Client().get(game.get_absolute_url()))
        assert "You have 24 hours for each move" in page
        assert "share the time for a single move" not in page

    @pytest.mark.full
    def test_the_rules_lead_back_to_it(self):
        game = open_table("Anna", size=4)
        invitations.invite(game_id=game.pk, user=game.host, addresses=["n@example.org"], now=MONDAY)
        for address in (game.get_absolute_url(), game.invitations.get().get_absolute_url()):
            page = Client().get(address).content.decode()
            for rules in ("/rules/", f"/rules/{game.edition}/"):
                assert f'href="{rules}?back={address}"' in page
                there = Client().get(f"{rules}?back={address}").content.decode()
                assert f'<a href="{address}">Back to the table</a>' in there

    def test_it_sets_no_cookie_has_no_token_and_takes_no_seat(self):
        game = open_table("Anna", size=4, listed=True)
        client = Client()
        for ask_for in (client.get, client.head):
            answer = ask_for(game.get_absolute_url())
            assert answer.status_code == 200
            assert not answer.cookies
            assert answer["Cache-Control"] == "public, max-age=15"
            assert {"Cookie", "Accept-Language"} <= set(answer["Vary"].split(", "))
            assert answer["X-Robots-Tag"] == "noindex, nofollow"
            assert "csrfmiddlewaretoken" not in answer.content.decode()
        assert (game.seats.count(), User.objects.count()) == (1, 1)

    def test_a_closed_table_says_so_and_leads_on(self):
        game = open_table("Anna", size=4, listed=True)
        tables.cancel(game_id=game.pk, user=game.host, now=MONDAY)
        page = Client().get(game.get_absolute_url())
        assert "This table is closed." in text_of(page)
        assert 'href="/tables/"' in page.content.decode()
        assert "Play a first game now" in text_of(page)
        assert "/seat/" not in page.content.decode()

    def test_a_table_that_was_made_up_leads_to_the_sign_in_as_any_other_page(self):
        answer = Client().get("/tables/made-up/")
        assert answer["Location"] == "/accounts/login/?next=/tables/made-up/"

    def test_who_is_signed_in_sees_the_table_itself(self):
        game = open_table("Anna", size=4, listed=True)
        page = browser(person("Boris")).get(game.get_absolute_url())
        assert "invites you" not in text_of(page)
        answer = browser(User.objects.get(name="Boris")).post(
            f"{game.get_absolute_url()}seat/", NINA, **OURS
        )
        assert answer["Location"] == game.get_absolute_url()
        assert game.seats.count() == 1

    def test_where_a_seat_is_taken_a_table_that_does_not_wait_is_like_none_at_all(self):
        closed = open_table("Anna", size=4, listed=True)
        tables.cancel(game_id=closed.pk, user=closed.host, now=MONDAY)
        running = open_table("Boris", "Clara", "Dora")
        for page in ("/tables/made-up/", closed.get_absolute_url(), running.get_absolute_url()):
            for ask_for in (Client().get, Client().head, Client().post):
                answer = ask_for(f"{page}seat/", **OURS)
                assert (answer.status_code, answer["Location"]) == (302, page)

    @pytest.mark.full
    def test_every_page_of_an_invitation_has_the_limit_and_is_not_for_search_engines(
        self, settings
    ):
        settings.ROBOTS, settings.WATCHED_A_MINUTE = True, 4
        game = open_table("Anna", size=4, listed=True, strangers="everyone")
        invitations.invite(game_id=game.pk, user=game.host, addresses=["n@example.org"], now=MONDAY)
        table, invitation = game.get_absolute_url(), game.invitations.get().get_absolute_url()
        addresses = [table, f"{table}seat/", invitation, f"{invitation}seat/"]
        client = Client(REMOTE_ADDR="2001:db8:9::1")
        answers = [client.get(address) for address in addresses]
        assert [one.status_code for one in answers] == [200] * 4
        assert {one["X-Robots-Tag"] for one in answers} == {"noindex, nofollow"}
        assert [client.get(address).status_code for address in addresses] == [429] * 4
        assert client.post(f"{table}seat/", NINA, **OURS).status_code == 429
        assert browser(person("Zoe")).get(invitation).status_code == 200


class TestSeat:
    @pytest.fixture
    def game(self):
        return open_table("Anna", size=3, listed=True)

    @pytest.mark.full
    def test_nobody_is_signed_in_before_the_code(self, game):
        client = Client()
        ask(client, game.get_absolute_url())
        guest = User.objects.get(is_guest=True)
        assert (guest.email.endswith("guest.invalid"), guest.name_key) == (True, None)
        assert "_auth_user_id" not in client.session
        assert client.get("/tables/new/")["Location"].startswith("/accounts/login/")
        assert client.post(CODE, {"code": "AAAA-AAAA"}).status_code == 200
        assert game.seats.count() == 1

    @pytest.mark.full
    def test_the_last_seat_starts_the_game(self, game):
        tables.join(game_id=game.pk, user=person("Boris"), now=MONDAY)
        client = Client()
        ask(client, game.get_absolute_url())
        page = enter_code(client)
        assert "You have a seat at “The Venice table”, and the game has started." in text_of(page)

    @pytest.mark.full
    @pytest.mark.parametrize("meanwhile", ["closed", "started"])
    def test_where_there_is_no_seat_left_the_account_is_made_and_leads_on(self, game, meanwhile):
        client = Client()
        ask(client, game.get_absolute_url())
        if meanwhile == "closed":
            tables.cancel(game_id=game.pk, user=game.host, now=MONDAY)
        else:
            for name in ("Boris", "Clara"):
                tables.join(game_id=game.pk, user=person(name), now=MONDAY)
        page = enter_code(client)
        assert page.redirect_chain[-1][0] == "/tables/"
        assert "Your account is ready, but you didn't get a seat: Th" in text_of(page)
        assert not User.objects.get(name="Nina").is_guest
        assert not game.seats.filter(user__name="Nina").exists()

    @pytest.mark.full
    def test_a_name_that_somebody_took_meanwhile_is_chosen_anew_before_the_seat(self, game):
        client = Client()
        ask(client, game.get_absolute_url())
        User.objects.create_user("other@example.org", "Nina", "not so secret")
        page = enter_code(client)
        assert "“Nina” can no longer be your public name." in text_of(page)
        assert game.seats.count() == 1

    @pytest.mark.full
    def test_a_suspension_from_before_is_not_left_behind(self, game):
        nina = verified("Nina")
        marta_acts_on(nina, "suspend", until=in_days(9))
        delete_account(User.objects.get(pk=nina.pk), timezone.now())
        client = Client()
        ask(client, game.get_absolute_url())
        enter_code(client)
        assert User.objects.get(name="Nina").suspended_until is not None
        assert game.seats.count() == 1

    def test_what_is_wrong_is_said_and_nothing_typed_is_lost(self, game):
        person("Nina")
        page = ask(Client(), game.get_absolute_url(), email="new@example.org")
        assert page.status_code == 422
        assert "already taken" in text_of(page)
        assert 'value="new@example.org"' in page.content.decode()
        assert not User.objects.filter(is_guest=True).exists()

    @pytest.mark.full
    def test_a_mistyped_address_is_entered_again(self, game):
        client = Client()
        ask(client, game.get_absolute_url(), email="nima@example.org")
        page = client.get(CODE)
        assert "If the address is wrong, cancel and enter it again." in text_of(page)
        cancel = as_shown(forms_of(page.content.decode())["/accounts/logout/"])
        assert client.post("/accounts/logout/", cancel)["Location"] == game.get_absolute_url()
        ask(client, game.get_absolute_url())
        enter_code(client)
        assert game.seats.filter(user__email="nina@example.org").exists()

    def test_a_guest_sees_what_a_stranger_sees_and_nothing_else(self, game):
        guest = Client()
        arrive(guest)
        shown = [text_of(one.get(game.get_absolute_url())) for one in (guest, Client())]
        assert shown[0] == shown[1]
        assert guest.get(f"{game.get_absolute_url()}history/")["Location"] == "/keep/"
        assert guest.post(f"{game.get_absolute_url()}join/")["Location"] == "/keep/"

    @pytest.mark.full
    def test_a_guest_keeps_the_first_game_and_gets_the_seat(self, game):
        client = Client()
        first = arrive(client)
        guest = User.objects.get(is_guest=True)
        address = f"{game.get_absolute_url()}seat/"
        assert client.post(address, NINA, **OURS)["Location"] == CODE
        page = enter_code(client)
        assert page.redirect_chain[-1][0] == game.get_absolute_url()
        guest.refresh_from_db()
        assert (guest.is_guest, guest.name) == (False, "Nina")
        assert game.seats.filter(user=guest).exists()
        assert client.get(first).status_code == 200

    @pytest.mark.full
    def test_the_terms_are_accepted_with_it(self, game, settings, tmp_path):
        with texts_in(settings, tmp_path) as folder:
            write(folder, terms="Be kind.", privacy="We keep little.")
            page = ask(Client(), game.get_absolute_url())
            assert "Please read these pages and tick this box." in text_of(page)
            client = Client()
            ask(client, game.get_absolute_url(), accepts="on")
            enter_code(client)
            assert User.objects.get(name="Nina").accepted_terms == legal.version()


@pytest.mark.full
class TestInvitation:
    def test_whoever_has_the_link_reads_no_address_and_taking_the_seat_answers_it(self):
        game = open_table("Anna", size=4)
        invitations.invite(
            game_id=game.pk, user=game.host, addresses=["nina@example.org"], now=MONDAY
        )
        [invitation] = game.invitations.all()
        client = Client()
        page = client.get(invitation.get_absolute_url())
        assert not page.cookies
        with_token = client.get(seat_address(page))
        for shown in (page, with_token):
            assert seat_form(shown)["email"] == ""
            assert "nina@example.org" not in shown.content.decode()
        ask(client, invitation.get_absolute_url())
        enter_code(client)
        invitation.refresh_from_db()
        assert (invitation.status, game.seats.count()) == ("accepted", 2)

    def test_the_address_of_somebody_invited_by_name_is_not_shown(self):
        game = open_table("Anna", size=4)
        person("Boris")
        invitations.invite(
            game_id=game.pk, user=game.host, addresses=[], names=["Boris"], now=MONDAY
        )
        url = game.invitations.get().get_absolute_url()
        guest = Client()
        arrive(guest)
        assert "Take a seat" in text_of(guest.get(url))
        assert guest.post(f"{url}decline/", **OURS)["Location"] == url
        page = Client().get(url).content.decode()
        assert "boris@example.org" not in page
        assert "Boris" not in page


class TestAttacks:
    @pytest.fixture
    def game(self):
        return open_table("Anna", size=3, listed=True)

    @pytest.mark.full
    def test_an_address_with_an_account_looks_like_any_other(self, game):
        """Until the email, which only its owner reads."""
        verified("Vera")
        client, other = Client(), Client()
        answers = [
            ask(client, game.get_absolute_url(), email="vera@example.org"),
            ask(other, game.get_absolute_url(), email="nobody@example.org", name="Nobo"),
        ]
        assert [answer["Location"] for answer in answers] == [CODE, CODE]
        assert mail.outbox[-2].subject == "You already have an account"
        shown = []
        for one, address in ((client, "vera@example.org"), (other, "nobody@example.org")):
            seen = [one.get(CODE), one.post(CODE, {"code": "AAAA-AAAA"})]
            seen.append(one.post(CODE, {"action": "resend"}, follow=True))
            seen.append(one.post(CODE, {"action": "change", "email": "x@example.org"}))
            shown.append([(page.status_code, text_of(page).replace(address, "")) for page in seen])
        assert shown[0] == shown[1]
        assert len(User.objects.filter(is_guest=True)) == 2

    @pytest.mark.full
    def test_the_owner_signs_in_from_the_email_and_comes_back_to_the_table(self, game):
        vera = verified("Vera")
        client = Client()
        ask(client, game.get_absolute_url(), email="vera@example.org", name="Somebody")
        body = mail.outbox[-1].body
        link = f"/accounts/login/?next=/tables/{game.token}/"
        assert link.replace("/tables/", "%2Ftables%2F").replace(f"{game.token}/", "") in body
        page = client.get(link)
        assert page.status_code == 200
        given = {
            "login": "vera@example.org",
            "password": "not so secret",
            "next": f"/tables/{game.token}/",
        }
        assert client.post("/accounts/login/", given)["Location"] == game.get_absolute_url()
        assert game.seats.count() == 1
        assert browser(vera).post(f"{game.get_absolute_url()}join/").status_code == 302

    def test_who_has_no_password_is_led_to_a_code(self, game):
        vera = verified("Vera")
        vera.set_unusable_password()
        vera.save()
        client = Client()
        ask(client, game.get_absolute_url(), email="vera@example.org", name="Somebody")
        assert "/accounts/login/code/?next=" in mail.outbox[-1].body
        assert client.get("/accounts/login/code/").status_code == 200

    def test_a_stranger_cannot_make_somebody_take_a_seat(self, game):
        address = f"{game.get_absolute_url()}seat/"
        for headers in (
            {"HTTP_ORIGIN": "https://evil.example"},
            {"HTTP_ORIGIN": "null"},
            {"HTTP_ORIGIN": "http://testserver", "HTTP_SEC_FETCH_SITE": "cross-site"},
        ):
            client = Client(enforce_csrf_checks=True)
            assert client.post(address, NINA, **headers).status_code == 403
        assert not User.objects.filter(is_guest=True).exists()
        assert not mail.outbox

    def test_a_browser_that_says_nothing_gets_a_form_with_a_token(self, game):
        client = Client(enforce_csrf_checks=True)
        address = f"{game.get_absolute_url()}seat/"
        assert client.post(address, NINA)["Location"] == address
        page = client.get(address)
        assert client.post(address, seat_form(page) | NINA)["Location"] == CODE

    def test_another_ones_seat_is_not_taken_by_a_session_that_has_asked(self, game):
        """Who has asked, and then signs in to an account and confirms another address there."""
        client = Client()
        ask(client, game.get_absolute_url())
        client.force_login(verified("Vera"))
        client.post("/accounts/email/", {"email": "vera2@example.org", "action_add": ""})
        client.post(CODE, {"code": code_of(mail.outbox[-1].body)})
        assert game.seats.count() == 1

    def test_somebody_signs_up_with_the_address_meanwhile(self, game):
        client = Client()
        ask(client, game.get_absolute_url())
        User.objects.create_user("nina@example.org", "Other", "not so secret")
        page = client.post(CODE, {"code": code_of(mail.outbox[-1].body)})
        assert "already" in text_of(page)
        assert "_auth_user_id" not in client.session
        assert game.seats.count() == 1
        assert User.objects.filter(is_guest=True).exists()

    @pytest.mark.full
    def test_who_is_blocked_gets_no_seat_and_learns_no_name(self, game):
        client = Client()
        arrive(client)
        guest = User.objects.get(is_guest=True)
        client.post(f"{game.get_absolute_url()}seat/", NINA, **OURS)
        Block.objects.create(blocker=game.host, blocked=guest, at=MONDAY)
        page = text_of(enter_code(client))
        assert "you and one of its players can't be seated together" in page
        assert game.seats.count() == 1

    @pytest.mark.full
    @pytest.mark.parametrize("has_first_game", [False, True])
    def test_a_copied_cookie_from_before_the_code_lets_nobody_into_the_account(
        self, game, has_first_game
    ):
        client, thief = Client(), Client()
        if has_first_game:
            arrive(client)
        client.post(f"{game.get_absolute_url()}seat/", NINA, **OURS)
        thief.cookies[settings.SESSION_COOKIE_NAME] = client.session.session_key
        assert thief.get(CODE).status_code == 200
        assert enter_code(client).redirect_chain[-1][0] == game.get_absolute_url()
        assert client.get("/accounts/profile/").status_code == 200
        assert thief.get("/accounts/profile/")["Location"].startswith("/accounts/login/")
        assert thief.get(game.get_absolute_url(), follow=True).status_code == 200
        assert "_auth_user_id" not in thief.session

    @pytest.mark.full
    def test_who_asks_again_is_the_same_guest(self, game):
        client = Client()
        ask(client, game.get_absolute_url(), email="nima@example.org")
        first = mail.outbox[-1].body
        ask(client, game.get_absolute_url())
        guest = User.objects.get(is_guest=True)
        assert client.post(CODE, {"code": code_of(first)}).status_code == 200
        enter_code(client)
        guest.refresh_from_db()
        assert (guest.is_guest, guest.email) == (False, "nina@example.org")
        assert game.seats.filter(user=guest).exists()

    def test_who_has_an_account_is_nobodys_guest_any_more(self, game):
        """Not by a session that has asked for the seat of a guest who has one by now."""
        client = Client()
        ask(client, game.get_absolute_url())
        User.objects.filter(is_guest=True).update(is_guest=False)
        ask(client, game.get_absolute_url())
        assert client.session["wanted_seat"]["guest"] == User.objects.get(is_guest=True).pk

    @pytest.mark.full
    @pytest.mark.parametrize("play", [False, True])
    def test_who_asks_for_seats_stops_no_first_games_nor_the_other_way_round(self, game, play):
        now = timezone.now()
        User.objects.bulk_create(
            User(
                email=f"{n}@x.invalid",
                is_guest=True,
                date_joined=now,
                last_login=now if play else None,
            )
            for n in range(guests.MOST_IN_A_DAY)
        )
        asked, begun = ask(Client(), game.get_absolute_url()), Client().post("/first-game/")
        assert (asked.status_code, begun.status_code) == ((302, 422) if play else (422, 302))

    @pytest.mark.full
    def test_each_network_and_each_address_has_a_limit(self, game, settings):
        cache.clear()
        settings.ACCOUNT_RATE_LIMITS = {"guest": "2/d/key", "signup": "4/m/ip"}
        asked = [
            ask(Client(), game.get_absolute_url(), email=f"n{n}@example.org", name=f"N{n} Nina")
            for n in range(5)
        ]
        assert [one.status_code for one in asked] == [302, 302, 422, 422, 429]
        assert "Too many people have signed up from your network" in text_of(asked[2])
        assert User.objects.filter(is_guest=True).count() == 2


class TestWherePeopleAreInvited:
    @pytest.fixture(autouse=True)
    def invited(self, settings):
        settings.SIGN_UP = "invited"

    def test_the_link_of_a_table_is_no_invitation_and_the_page_says_so(self):
        game = open_table("Anna", size=3, listed=True)
        client = Client()
        page = client.get(game.get_absolute_url())
        assert "This site is for people who have been invited by email" in text_of(page)
        assert "Try it first" not in text_of(page)
        assert ask(client, game.get_absolute_url())["Location"] == CODE
        assert mail.outbox[-1].subject == "There's no account with this address"
        assert "Only people who were invited to a table can sign up here." in mail.outbox[-1].body
        assert client.post("/first-game/")["Location"].startswith("/accounts/signup/")

    @pytest.mark.full
    def test_an_address_that_was_invited_may_use_it(self):
        game = open_table("Anna", size=3, listed=True)
        invitations.invite(
            game_id=game.pk, user=game.host, addresses=["nina@example.org"], now=MONDAY
        )
        client = Client()
        ask(client, game.get_absolute_url())
        enter_code(client)
        assert game.seats.count() == 2

    @pytest.mark.full
    def test_the_link_of_an_invitation_that_was_declined_is_not(self):
        game = open_table("Anna", size=3)
        invitations.invite(game_id=game.pk, user=game.host, addresses=["n@example.org"], now=MONDAY)
        invitation = game.invitations.get()
        invitations.decline(invitation_id=invitation.pk)
        page = text_of(Client().get(invitation.get_absolute_url()))
        assert "You have been, so you can sign up here." not in page
        ask(Client(), invitation.get_absolute_url())
        assert mail.outbox[-1].subject == "There's no account with this address"

    @pytest.mark.full
    def test_the_link_of_an_open_invitation_is_enough(self):
        game = open_table("Anna", size=3)
        invitations.invite(game_id=game.pk, user=game.host, addresses=["n@example.org"], now=MONDAY)
        client = Client()
        url = game.invitations.get().get_absolute_url()
        assert "You have been, so you can sign up here." in text_of(client.get(url))
        ask(client, url)
        enter_code(client)
        assert game.seats.count() == 2


class TestPreview:
    """What messengers show of a link: they read what any stranger reads."""

    def read(self, game):
        page = Client().get(game.get_absolute_url()).content.decode()
        tags = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)"', page))
        return {name: unescape(text) for name, text in tags.items()}

    @pytest.mark.full
    def test_of_a_listed_table_it_says_who_invites_with_a_picture(self):
        game = open_table("Anna", "Boris", size=4, listed=True, strangers="everyone")
        User.objects.filter(name="Anna").update(named_to_strangers=True)
        shown = self.read(game)
        assert shown["title"] == "Anna invites you to a game of Intrigue"
        assert shown["description"].startswith("2 of 4 seats are free. You have 24 hours")
        path = f"{game.get_absolute_url()}invitation.png"
        assert shown["image"].endswith(path)
        picture = Client().get(path)
        assert picture.content.startswith(b"\x89PNG")
        assert (picture["Cache-Control"], picture.cookies) == ("public, max-age=15", {})

    @pytest.mark.sample(1)
    @pytest.mark.parametrize("closed", [{"strangers": "afterwards"}, {"strangers": "nobody"}, {}])
    def test_a_listed_table_that_is_closed_to_strangers_is_as_a_private_one(self, settings, closed):
        open_to_all = {"listed": True, "strangers": "everyone", "description": "Slow and friendly."}
        game = open_table("Anna", "Boris", size=4, **(open_to_all | closed))
        if not closed:
            settings.WATCHING = "members"
        User.objects.update(named_to_strangers=True)
        pages = [Client().get(f"{game.get_absolute_url()}{page}") for page in ("", "seat/")]
        for page in (one.content.decode() for one in pages):
            assert "You&#39;re invited to a game of Intrigue" in page
            assert "2 of 4 seats are free." in page
            for hidden in ("Anna", "Boris", "Venice", "Slow and friendly"):
                assert hidden not in page
        assert self.read(game)["image"].endswith("/card.png")
        assert Client().get(f"{game.get_absolute_url()}invitation.png").status_code == 404

    @pytest.mark.parametrize("named", [None, False, True])
    def test_of_a_private_table_there_are_no_names_and_the_picture_is_that_of_the_site(self, named):
        game = open_table("Anna", "Boris", size=4)
        User.objects.update(named_to_strangers=named)
        shown = self.read(game)
        assert shown["title"] == "You're invited to a game of Intrigue"
        assert shown["image"].endswith("/card.png")
        assert not {"Anna", "Boris", "Venice"} & set(re.findall(r"\w+", " ".join(shown.values())))
        for picture in ("invitation.png", "picture.png"):
            assert Client().get(f"{game.get_absolute_url()}{picture}").status_code == 404

    def test_a_closed_table_has_no_picture_of_its_own(self):
        game = open_table("Anna", size=4, listed=True, strangers="everyone")
        tables.cancel(game_id=game.pk, user=game.host, now=MONDAY)
        shown = self.read(game)
        assert shown["description"] == "This table is closed."
        assert shown["image"].endswith("/card.png")
        assert Client().get(f"{game.get_absolute_url()}invitation.png").status_code == 404
