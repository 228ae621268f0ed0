"""Invitations by address, from the mail's link to the seat, and the same table again."""

import re

import pytest

from games.models import Acquaintance, Game, Invitation, OutboxEmail, User
from games.services.lobby import invitations, tables
from games.services.lobby.settings import settings_of
from games.services.people import blocks
from games.services.refused import Refused
from tests.support.client import as_shown, browser, forms_of, person, text_of
from tests.support.tables import DAY, MONDAY, open_table, seat_of, table_settings

pytestmark = pytest.mark.django_db


def invite(game, *addresses, by=None):
    """Invitations to a table, written by its host."""
    invitations.invite(game_id=game.pk, user=by or game.host, addresses=addresses, now=MONDAY)
    return list(game.invitations.order_by("pk"))


def offered(page):
    """Whom one can tick."""
    return sorted(re.findall(r'name="people" value="([^"]+)"', page.content.decode()))


@pytest.mark.full
def test_who_sits_down_is_told_when_the_game_starts():
    game = open_table("Anna", size=4)
    url = game.get_absolute_url()
    [asked] = invite(game, "boris@example.org")
    boris = person("Boris")
    User.objects.filter(pk=boris.pk).update(email="boris@example.org")
    page = browser(boris).post(f"{asked.get_absolute_url()}accept/", follow=True)
    text = f"You have a seat at “{game.name}”. The game starts once 2 more players have taken"
    assert text in text_of(page)
    page = text_of(browser(person("Clara")).post(f"{url}join/", follow=True))
    assert f"You have a seat at “{game.name}”. The game starts once one more player has" in page
    page = text_of(browser(person("Dora")).post(f"{url}join/", follow=True))
    assert f"You have a seat at “{game.name}”, and the game has started." in page


class TestInviting:
    @pytest.mark.full
    def test_addresses_are_typed_in_one_field_and_each_gets_a_mail(self):
        game = open_table("Anna", size=4)
        anna, url = browser(game.host), game.get_absolute_url()
        typed = {"addresses": "Boris@example.org, clara@example.org\r\ndora@example.org"}
        page = anna.post(f"{url}invite/", typed, follow=True)
        assert "The invitations are on their way." in text_of(page)
        assert "boris@example.org: not answered" in text_of(page)
        emails = OutboxEmail.objects.filter(game=game, kind="invitation", person=None)
        assert sorted(emails.values_list("address", "about")) == sorted(
            game.invitations.values_list("email", "pk")
        )
        assert sorted(game.invitations.values_list("email", flat=True)) == [
            "boris@example.org",
            "clara@example.org",
            "dora@example.org",
        ]

    def test_who_was_invited_before_gets_no_second_mail(self):
        game = open_table("Anna", size=4)
        url = f"{game.get_absolute_url()}invite/"
        for typed in ("boris@example.org boris@example.org", "BORIS@example.org"):
            page = browser(game.host).post(url, {"addresses": typed}, follow=True)
        assert "Everyone you entered has already been invited." in text_of(page)
        assert Invitation.objects.count() == 1
        kinds = OutboxEmail.objects.order_by("pk").values_list("kind", flat=True)
        assert list(kinds) == ["invitation", "invitation_reminder"]

    def test_players_are_invited_by_name_and_their_addresses_stay_unknown(self):
        game = open_table("Anna", size=4)
        url = game.get_absolute_url()
        for name in ("Boris", "Clara", "Ole Lund"):
            person(name)
            User.objects.filter(name=name).update(email=f"secret-{name[0].lower()}@example.org")
        typed = {"addresses": "boris\r\nOle Lund, dora@example.org", "people": ["Clara"]}
        page = text_of(browser(game.host).post(f"{url}invite/", typed, follow=True))
        for name in ("Boris", "Clara", "Ole Lund", "dora@example.org"):
            assert f"{name}: not answered" in page
        assert "secret" not in page
        emails = OutboxEmail.objects.filter(kind="invitation")
        assert sorted(emails.filter(person=None).values_list("address", flat=True)) == [
            "dora@example.org"
        ]
        named = emails.exclude(person=None).values_list("person__name", flat=True)
        assert sorted(named) == ["Boris", "Clara", "Ole Lund"]
        again = browser(game.host).post(f"{url}invite/", {"addresses": "Boris"}, follow=True)
        assert "Everyone you entered has already been invited." in text_of(again)
        assert emails.count() == 4

    def test_others_at_the_table_do_not_learn_whom_somebody_invited_by_name(self):
        game = open_table("Anna", "Boris", size=4)
        person("Clara")
        invitations.invite(
            game_id=game.pk, user=game.host, addresses=[], names=["Clara"], now=MONDAY
        )
        page = text_of(browser(User.objects.get(name="Boris")).get(game.get_absolute_url()))
        assert "Clara" not in page
        assert "Other players have sent 1 invitation that hasn't been answered yet." in page

    def test_at_a_rematch_too_only_those_who_played_are_named_to_others(self):
        old = open_table("Anna", "Boris", "Clara")
        Game.objects.filter(pk=old.pk).update(status=Game.Status.FINISHED, deadline_at=None)
        anna, boris = (seat_of(old, name).user for name in ("Anna", "Boris"))
        game = invitations.again(game_id=old.pk, user=anna, now=MONDAY)
        invitations.again(game_id=old.pk, user=boris, now=MONDAY)
        person("Zoe")
        invitations.invite(game_id=game.pk, user=boris, addresses=[], names=["Zoe"], now=MONDAY)
        theirs, own = (text_of(browser(one).get(game.get_absolute_url())) for one in (anna, boris))
        assert "Zoe: not answered" in own
        assert "Zoe" not in theirs
        assert "Clara: not answered" in theirs

    def test_what_is_wrong_comes_back_with_the_reason_and_the_rest_is_invited(self):
        game = open_table("Anna", size=4)
        person("Boris")
        typed = "Boris, Nobody here, clara@example.org\r\ndora@"
        answer = browser(game.host).post(
            f"{game.get_absolute_url()}invite/", {"addresses": typed, "people": ["Gone"]}
        )
        assert answer.status_code == 422
        page = text_of(answer)
        assert "The invitations are on their way." in page
        assert "There's no player called “Nobody here”." in page
        assert "There's no player called “Gone”." in page
        assert "“dora@” isn't a valid email address." in page
        assert "Boris: not answered" in page
        [left] = re.findall(r"<textarea[^>]*>\s*([^<]*)</textarea>", answer.content.decode())[:1]
        assert left.split("\n") == ["dora@", "Nobody here", "Gone"]
        invited = Invitation.objects.order_by("email").values_list("email", flat=True)
        assert list(invited) == ["boris@example.org", "clara@example.org"]

    def test_where_nobody_is_right_nobody_is_invited(self):
        game = open_table("Anna", size=4)
        answer = browser(game.host).post(
            f"{game.get_absolute_url()}invite/", {"addresses": "Nobody here"}
        )
        assert answer.status_code == 422
        assert "There's no player called “Nobody here”." in text_of(answer)
        assert "on its way" not in text_of(answer)
        assert not Invitation.objects.exists()

    def test_people_one_knows_stand_before_those_one_played_with(self):
        old = open_table("Anna", "Boris", "Clara")
        anna = seat_of(old, "Anna").user
        for name, confirmed_at in (("Zoe", MONDAY), ("Ole", None), ("Ada", MONDAY)):
            Acquaintance.objects.create(
                person=person(name), other=anna, declared_at=MONDAY, confirmed_at=confirmed_at
            )
        blocks.block(user=anna, other_id=User.objects.get(name="Ada").pk, now=MONDAY)
        game = tables.open_table(host=anna, settings=table_settings(size=3), now=MONDAY)
        page = browser(anna).get(game.get_absolute_url()).content.decode()
        shown = re.findall(r'name="people" value="([^"]+)"', page)
        assert (shown[0], sorted(shown[1:])) == ("Zoe", ["Boris", "Clara"])

    @pytest.mark.full
    def test_recent_companions_are_offered_until_they_are_invited_or_seated(self):
        old = open_table("Anna", "Boris", "Clara", "Dora")
        anna = seat_of(old, "Anna").user
        blocks.block(user=anna, other_id=seat_of(old, "Dora").user.pk, now=MONDAY)
        game = tables.open_table(host=anna, settings=table_settings(size=3), now=MONDAY)
        client, url = browser(anna), game.get_absolute_url()
        assert offered(client.get(url)) == ["Boris", "Clara"]
        client.post(f"{url}invite/", {"people": ["Clara"], "addresses": ""})
        assert offered(client.get(url)) == ["Boris"]
        tables.join(game_id=game.pk, user=seat_of(old, "Boris").user, now=MONDAY)
        assert offered(client.get(url)) == []

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("typed", "sentence"),
        [
            ("boris", "There's no player called “boris”."),
            ("boris@", "“boris@” isn't a valid email address."),
            ("a" * 250 + "@example.org", "isn't a valid email address."),
            ("", "Please enter at least one name or address."),
            (" , ;", "Please enter at least one name or address."),
            (" ".join(f"p{n}@example.org" for n in range(21)), "No more than 20 people"),
            ("a@example.org " * 400, "at most 4000 characters"),
        ],
    )
    def test_bad_input_invites_nobody_and_keeps_what_was_typed(self, typed, sentence):
        game = open_table("Anna", size=4)
        page = browser(game.host).post(f"{game.get_absolute_url()}invite/", {"addresses": typed})
        assert page.status_code == 422
        assert sentence in text_of(page)
        assert typed.strip() in page.content.decode()
        assert not Invitation.objects.exists()

    @pytest.mark.full
    def test_only_who_sits_at_a_waiting_table_can_invite_to_it(self):
        game = open_table("Anna", "Boris", size=4)
        typed = {"addresses": "dora@example.org"}
        url = f"{game.get_absolute_url()}invite/"
        page = browser(person("Zoe")).post(url, typed)
        assert "Only players at this table can invite others." in text_of(page)
        assert browser(seat_of(game, "Boris").user).post(url, typed).status_code == 302
        tables.cancel(game_id=game.pk, user=game.host, now=MONDAY)
        page = browser(game.host).post(url, {"addresses": "emil@example.org"})
        assert "This table is closed." in text_of(page)
        assert Invitation.objects.count() == 1

    def test_to_a_game_that_has_started_nobody_is_invited(self):
        game = open_table("Anna", "Boris", "Clara")
        url = f"{game.get_absolute_url()}invite/"
        answered = browser(game.host).post(url, {"addresses": "dora@example.org"})
        assert answered["Location"] == game.get_absolute_url()
        assert not Invitation.objects.exists()

    @pytest.mark.full
    def test_nobody_can_send_emails_without_end(self):
        anna = person("Anna")
        for table in range(3):
            game = tables.open_table(host=anna, settings=table_settings(), now=MONDAY)
            fresh = [f"p{table}-{n}@example.org" for n in range(20)]
            if table < 2:
                invite(game, *fresh)
        with pytest.raises(Refused, match="50 people in 24 hours"):
            invite(game, *fresh)
        invitations.invite(game_id=game.pk, user=anna, addresses=fresh, now=MONDAY + DAY)
        assert Invitation.objects.count() == 60

    def test_an_address_is_shown_to_nobody_but_who_typed_it(self):
        game = open_table("Anna", "Boris", size=4)
        invite(game, "dora@example.org")
        url = game.get_absolute_url()
        boris = text_of(browser(seat_of(game, "Boris").user).get(url))
        assert "dora@" not in boris
        assert "Other players have sent 1 invitation that hasn't been answered yet" in boris
        zoe = text_of(browser(person("Zoe")).get(url))
        assert "dora@" not in zoe
        assert "Other players have sent" not in zoe


class TestAnswering:
    def test_the_page_says_who_invites_to_what_and_a_get_answers_nothing(self, client):
        game = open_table("Anna", "Boris", size=4, description="Slow and friendly.")
        [invitation] = invite(game, "clara@example.org")
        url = invitation.get_absolute_url()
        page = text_of(client.get(url))
        for words in (
            "Anna invites you to a game of Intrigue",
            "2 of 4 seats are free.",
            "You have 24 hours for each move",
            "A game takes about 3 weeks.",
        ):
            assert words in page
        for words in ("Boris", "Slow and friendly.", game.name):
            assert words not in page
        for act in ("accept", "decline"):
            assert client.get(f"{url}{act}/").status_code == 405
        invitation.refresh_from_db()
        assert invitation.status == "open"

    @pytest.mark.full
    def test_accepting_twice_takes_one_seat(self):
        game = open_table("Anna", size=3)
        [invitation] = invite(game, "boris@example.org")
        boris = browser(person("Boris"))
        assert f"Invitations (1) {game.name} invited by Anna" in text_of(boris.get("/"))
        accept = f"{invitation.get_absolute_url()}accept/"
        form = as_shown(forms_of(boris.get(invitation.get_absolute_url()).content.decode())[accept])
        for _ in range(2):
            assert boris.post(accept, form)["Location"] == game.get_absolute_url()
        invitation.refresh_from_db()
        assert invitation.status == "accepted"
        assert game.seats.count() == 2
        assert "Invitations (" not in text_of(boris.get("/"))

    def test_the_last_seat_starts_the_game_and_the_next_is_told(self):
        game = open_table("Anna", "Boris", size=3)
        clara, dora = invite(game, "clara@example.org", "dora@example.org")
        browser(person("Clara")).post(f"{clara.get_absolute_url()}accept/")
        game.refresh_from_db()
        assert game.status == "running"
        late = browser(person("Dora"))
        page = late.post(f"{dora.get_absolute_url()}accept/", follow=True)
        assert text_of(page).count("The game has started: there are no free seats left.") == 2
        assert "accept" not in "".join(forms_of(page.content.decode()))
        dora.refresh_from_db()
        assert dora.status == "open"

    @pytest.mark.full
    def test_who_has_no_account_can_decline_and_change_their_mind(self, client):
        game = open_table("Anna", size=3)
        [invitation] = invite(game, "boris@example.org")
        url = invitation.get_absolute_url()
        for _ in range(2):
            page = client.post(f"{url}decline/", follow=True)
        assert "You've declined, but you can still change your mind." in text_of(page)
        anna = text_of(browser(game.host).get(game.get_absolute_url()))
        assert "boris@example.org: declined" in anna
        boris = browser(person("Boris"))
        assert "Invitations (" not in text_of(boris.get("/"))
        boris.post(f"{url}accept/")
        invitation.refresh_from_db()
        assert (invitation.status, game.seats.count()) == ("accepted", 2)

    def test_what_was_accepted_is_not_declined_afterwards(self, client):
        game = open_table("Anna", size=3)
        [invitation] = invite(game, "boris@example.org")
        browser(person("Boris")).post(f"{invitation.get_absolute_url()}accept/")
        page = client.post(f"{invitation.get_absolute_url()}decline/", follow=True)
        assert "This invitation has already been accepted." in text_of(page)
        assert game.seats.count() == 2

    def test_sitting_down_by_the_tables_link_answers_the_invitation_too(self):
        game = open_table("Anna", size=3)
        [invitation] = invite(game, "boris@example.org")
        browser(person("Boris")).post(f"{game.get_absolute_url()}join/")
        invitation.refresh_from_db()
        assert invitation.status == "elsewhere"

    @pytest.mark.full
    @pytest.mark.parametrize("answer", ["decline", "accept"])
    @pytest.mark.parametrize("answered", ["name", "address"])
    def test_nobody_learns_whose_address_it_is(self, answer, answered):
        """Hugo has invited a player by name, and guesses her address."""
        game = open_table("Hugo", size=4)
        vera = person("Vera")
        url = game.get_absolute_url()
        guesses = "Vera, vera@example.org, walt@example.org"
        hugo = browser(User.objects.get(name="Hugo"))
        hugo.post(f"{url}invite/", {"addresses": guesses})
        own = Invitation.objects.get(email=vera.email, by_name=answered == "name")
        browser(vera).post(f"{own.get_absolute_url()}{answer}/")
        page = text_of(hugo.get(url))
        asked = {
            who: re.search(rf"{re.escape(who)}[^.]*?(not answered|declined)", page)
            for who in ("vera@example.org", "walt@example.org")
        }
        assert asked["walt@example.org"][1] == "not answered"
        declined_there = (answer, answered) == ("decline", "address")
        expected = "declined" if declined_there else "not answered"
        assert asked["vera@example.org"][1] == expected
        assert not Invitation.objects.filter(email=vera.email, status="open").exists()

    def test_who_is_not_signed_in_signs_in_and_comes_back(self, client):
        game = open_table("Anna", size=3)
        [invitation] = invite(game, "boris@example.org")
        url = invitation.get_absolute_url()
        page = client.get(url).content.decode()
        assert f'href="/accounts/login/?next={url}"' in page
        assert client.post(f"{url}accept/")["Location"] == f"/accounts/login/?next={url}"
        assert game.seats.count() == 1

    def test_an_invitation_that_was_made_up_is_not_found(self, client):
        for token in ("made-up", "%00"):
            for act in ("", "accept/", "decline/"):
                ask = client.post if act else client.get
                assert ask(f"/invitations/{token}/{act}").status_code == 404


@pytest.mark.full
class TestTheSameAgain:
    @pytest.fixture
    def over(self):
        """A finished game of three, with settings of its own."""
        game = open_table(
            "Anna", "Boris", "Clara", options={"rounds": 1}, fixed_hour=20, description="Slow."
        )
        assert game.status == "finished"
        return game

    def again(self, game, name):
        """Press the button on the game's page; the table that it leads to."""
        player = browser(User.objects.get(name=name))
        url = f"{game.get_absolute_url()}again/"
        form = as_shown(forms_of(player.get(game.get_absolute_url()).content.decode())[url])
        return Game.objects.get(token=player.post(url, form)["Location"].split("/")[2])

    def test_it_opens_a_table_with_the_same_settings_and_invites_all_who_played(self, over):
        game = self.again(over, "Boris")
        assert (game.rematch_of, game.host.name, game.status) == (over, "Boris", "waiting")
        assert settings_of(game) == settings_of(over)
        assert game.seed != over.seed
        assert sorted(game.invitations.values_list("email", flat=True)) == [
            "anna@example.org",
            "clara@example.org",
        ]
        assert OutboxEmail.objects.filter(kind="invitation", game=game).count() == 2
        home = text_of(browser(User.objects.get(name="Anna")).get("/"))
        assert "Invitations (1) The Venice table invited by Boris" in home

    def test_players_see_each_other_by_name_and_never_by_address(self, over):
        game = self.again(over, "Boris")
        page = text_of(browser(game.host).get(game.get_absolute_url()))
        assert "Anna: not answered" in page
        assert "@example.org" not in page

    def test_pressed_twice_or_by_two_it_is_one_table(self, over):
        first = self.again(over, "Boris")
        assert self.again(over, "Boris") == first
        assert self.again(over, "Clara") == first
        assert sorted(first.seats.values_list("user__name", flat=True)) == ["Boris", "Clara"]
        assert Invitation.objects.count() == 2

    def test_when_all_press_it_the_next_game_runs_and_stays_the_one(self, over):
        options = {"rounds": 5}
        Game.objects.filter(pk=over.pk).update(options=options)
        for name in ("Anna", "Boris", "Clara", "Anna"):
            game = self.again(over, name)
        assert (game.status, game.options) == ("running", options)
        assert Game.objects.count() == 2

    def test_after_the_new_table_was_closed_there_can_be_another(self, over):
        closed = self.again(over, "Boris")
        tables.cancel(game_id=closed.pk, user=closed.host, now=MONDAY)
        assert self.again(over, "Clara") != closed

    def test_it_is_for_those_who_played_and_for_games_that_are_over(self, over):
        zoe = browser(person("Zoe"))
        url = f"{over.get_absolute_url()}again/"
        assert url not in forms_of(zoe.get(over.get_absolute_url()).content.decode())
        page = zoe.post(url, follow=True)
        assert "Only players in this game can offer a rematch." in text_of(page)
        running = open_table("Dora", "Emil", "Fanny")
        page = browser(running.host).post(f"{running.get_absolute_url()}again/", follow=True)
        assert "You can offer a rematch once the game is over." in text_of(page)
        assert Game.objects.count() == 2


def test_who_sits_at_the_table_is_led_there_from_an_old_invitation():
    game = open_table("Anna", size=4)
    [invitation] = invite(game, "boris@example.org")
    boris = person("Boris")
    invitations.accept(invitation_id=invitation.pk, user=boris, now=MONDAY)
    assert browser(boris).get(invitation.get_absolute_url())["Location"] == game.get_absolute_url()
