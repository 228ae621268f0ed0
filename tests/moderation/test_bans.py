"""Bans, and objections to what moderators decide."""

import re

import pytest
from django.core import signing
from django.test import Client
from django.utils import timezone

from games.models import Game, Sanction, User
from games.services.game import seats
from games.services.game.verify import verify_game
from games.services.lobby import tables
from games.services.moderation.actions.person_action import latest_action
from tests.accounts.test_second_factor import set_up, shown_by_app, sign_in
from tests.support.client import browser, person, text_of, verified
from tests.support.moderators import (
    act_on,
    audited_actions,
    marta_acts_on,
    moderator,
    person_act_url,
)
from tests.support.sanctions import absent, decisions, in_days
from tests.support.tables import seat_of, table_settings

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def anna(game) -> User:
    return User.objects.get(name="Anna")


class TestBan:
    def test_the_account_is_closed(self, game, smtp):
        rosa = verified("Rosa")
        table = tables.open_table(host=rosa, settings=table_settings(), now=timezone.now())
        client = browser(rosa)
        marta_acts_on(rosa, "ban")
        table.refresh_from_db()
        assert table.status == Game.Status.CANCELLED
        assert client.get("/accounts/profile/").status_code == 302
        form = {"login": "rosa@example.org", "password": "not so secret"}
        answer = Client().post("/accounts/login/", form, follow=True)
        assert answer.redirect_chain == [("/accounts/inactive/", 302)]
        assert "A moderator has closed this account, so you can't sign in." in text_of(answer)
        [mail] = decisions(smtp, "Rosa")
        assert "Your account is closed" in mail
        assert "Reason: You were rude." in mail

    def test_the_link_in_the_mail_opens_the_way_to_object(self, smtp):
        rosa = verified("Rosa")
        marta_acts_on(rosa, "ban")
        [mail] = decisions(smtp, "Rosa")
        path = re.search(r"http://[^/]+(/conduct/\S+/)", mail)[1]
        nobody = Client()
        page = nobody.get(path)
        assert "banned No end date. Reason: You were rude." in text_of(page)
        number = Sanction.objects.get().pk
        sent = {"sanction": number, "objection": "That was my brother."}
        assert nobody.post(path, sent).status_code == 302
        assert "You appealed: That was my brother. A moderator will review your appeal." in text_of(
            nobody.get(path)
        )
        assert "Appeals against sanctions" in text_of(
            browser(User.objects.get(name="Marta")).get("/admin/")
        )
        assert nobody.get("/conduct/nonsense/").status_code == 404
        forged = signing.Signer(salt="other").sign_object(rosa.pk)
        assert nobody.get(f"/conduct/{forged}/").status_code == 404
        marta_acts_on(rosa, "lift-ban")
        assert nobody.get(path)["Location"] == "/accounts/conduct/"

    def test_running_games_go_on_without_them(self, game, anna):
        marta_acts_on(anna, "ban")
        assert absent(game) == ["Anna"]
        number = seat_of(game, "Anna").number
        seats.take_over(game_id=game.pk, number=number, user=person("Emil"), now=timezone.now())
        assert seat_of(game, "Emil").absent_since is None
        assert verify_game(game.pk) == []

    def test_the_address_stays_theirs(self, smtp):
        rosa = verified("Rosa")
        marta_acts_on(rosa, "ban")
        form = {
            "email": "rosa@example.org",
            "password1": "a red scholar in Venice",
            "name": "Rosalie",
            "time_zone": "UTC",
        }
        Client().post("/accounts/signup/", form)
        assert not User.objects.filter(name="Rosalie").exists()
        for page in ("/accounts/login/code/", "/accounts/password/reset/"):
            before = len(smtp.messages)
            Client().post(page, {"email": "rosa@example.org"})
            for mail in smtp.messages[before:]:
                text = mail.get_body(("plain",)).get_content()
                assert not re.search(r"^\s*[0-9A-Z]{3,}-", text, re.MULTILINE), text

    @pytest.mark.parametrize(
        "page", ["/accounts/login/code/", "/accounts/password/reset/", "/accounts/signup/"]
    )
    def test_who_tries_to_come_in_by_mail_is_told_so_and_how_to_object(self, page, smtp):
        marta_acts_on(verified("Rosa"), "ban")
        decisions(smtp, "Rosa")
        before = len(smtp.messages)
        form = {"password1": "a red scholar in Venice", "name": "Rosalie", "time_zone": "UTC"}
        Client().post(page, form | {"email": "rosa@example.org"})
        [mail] = smtp.messages[before:]
        assert mail["Subject"] == "This account is closed"
        text = " ".join(mail.get_body(("plain",)).get_content().split())
        assert "Your account is closed: you can no longer sign in" in text
        assert "Reason: You were rude." in text
        path = re.search(r"http://[^/]+(/conduct/\S+/)", text)[1]
        assert "Send appeal" in text_of(Client().get(path))

    def test_who_is_at_the_second_step_of_signing_in_does_not_come_in(self, smtp):
        rosa = verified("Rosa")
        client, _ = sign_in("Rosa")
        secret, _ = set_up(client)
        client, location = sign_in("Rosa")
        assert location == "/accounts/2fa/authenticate/"
        marta_acts_on(rosa, "ban")
        client.post(location, {"code": shown_by_app(secret, steps=1)})
        assert client.get("/accounts/profile/").status_code == 302

    def test_lifted_everything_opens_again_but_old_sessions(self, smtp):
        rosa = verified("Rosa")
        client = browser(rosa)
        marta_acts_on(rosa, "ban")
        marta_acts_on(rosa, "lift-ban")
        assert client.get("/accounts/profile/").status_code == 302
        form = {"login": "rosa@example.org", "password": "not so secret"}
        assert Client().post("/accounts/login/", form)["Location"] == "/"
        assert "Your account is open again." in decisions(smtp, "Rosa")[-1]
        assert audited_actions(person=rosa) == [
            ("Marta", "person.ban"),
            ("Marta", "person.lift-ban"),
        ]
        assert Sanction.objects.get().ended_at is not None


class TestObjections:
    def test_a_moderator_reads_it_and_leaves_the_decision(self, anna, smtp):
        marta_acts_on(anna, "mute", until=in_days(3))
        client = browser(anna)
        number = Sanction.objects.get().pk
        sent = {"sanction": number, "objection": "Boris began."}
        assert client.post("/accounts/conduct/", sent).status_code == 302
        marta = browser(User.objects.get(name="Marta"))
        desk = text_of(marta.get("/admin/"))
        assert "Anna appealed on" in desk
        assert "Boris began." in desk
        marta_acts_on(anna, "answer-objection", reason="So did you.")
        assert "Anna appealed" not in text_of(marta.get("/admin/"))
        page = text_of(client.get("/accounts/conduct/"))
        assert "Your appeal was reviewed, and the decision stands: So did you." in page
        assert "Your appeal has been read. The decision stands." in decisions(smtp, "Anna")[-1]
        refused = act_on(marta, anna, "note", text="x")
        assert refused.status_code == 302

    def test_another_moderator_answers_and_reads_what_it_is_about(self, anna, smtp):
        marta_acts_on(anna, "mute", until=in_days(3))
        marta, olga = browser(User.objects.get(name="Marta")), browser(moderator("Olga"))
        sent = {"sanction": Sanction.objects.get().pk, "objection": "Boris began."}
        browser(anna).post("/accounts/conduct/", sent)
        page = person_act_url(anna, "answer-objection")
        assert page not in marta.get("/admin/").content.decode()
        assert page not in marta.get(f"/admin/games/user/{anna.pk}/change/").content.decode()
        text = text_of(marta.get(page))
        assert "You made this decision, so another moderator must answer the appeal." in text
        form = {
            "seen": latest_action(anna, User.objects.get(name="Marta")),
            "reason": "So did you.",
        }
        assert marta.post(page, form).status_code == 422
        assert Sanction.objects.get().answered_at is None
        assert page in olga.get("/admin/").content.decode()
        text = text_of(olga.get(page))
        assert "muted, by Marta. You were rude." in text
        assert "Appeal: Boris began." in text
        assert act_on(olga, anna, "answer-objection", reason="So did you.").status_code == 302
        assert Sanction.objects.get().answer == "So did you."

    def test_it_is_said_once_and_only_about_what_is_in_force_and_ones_own(self, anna):
        marta_acts_on(anna, "mute", until=in_days(3))
        number = Sanction.objects.get().pk
        client = browser(anna)
        empty = client.post("/accounts/conduct/", {"sanction": number, "objection": " "})
        assert empty.status_code == 422
        boris = browser(User.objects.get(name="Boris"))
        sent = {"sanction": number, "objection": "Free Anna!"}
        answer = boris.post("/accounts/conduct/", sent)
        assert answer.status_code == 422
        assert "This decision is no longer in force. Free Anna!" in text_of(answer)
        mine = {"sanction": number, "objection": "Boris began."}
        codes = [client.post("/accounts/conduct/", mine).status_code for _ in range(2)]
        assert codes == [302, 302]
        other = client.post("/accounts/conduct/", mine | {"objection": "And Clara."})
        assert other.status_code == 422
        assert "You've already appealed this decision." in text_of(other)
        assert Sanction.objects.get().appeal == "Boris began."

    def test_a_decision_that_is_lifted_settles_it(self, anna):
        marta_acts_on(anna, "mute", until=in_days(3))
        number = Sanction.objects.get().pk
        client = browser(anna)
        client.post("/accounts/conduct/", {"sanction": number, "objection": "Boris began."})
        marta_acts_on(anna, "unmute")
        assert "Appeals against sanctions" not in text_of(
            browser(User.objects.get(name="Marta")).get("/admin/")
        )
        assert "A moderator has lifted this sanction." in text_of(client.get("/accounts/conduct/"))

    def test_it_may_be_written_while_suspended(self, anna):
        marta_acts_on(anna, "suspend", until=in_days(3))
        sent = {"sanction": Sanction.objects.get().pk, "objection": "Why?"}
        assert browser(anna).post("/accounts/conduct/", sent).status_code == 302
