"""Acts on the account of a person, and who may act on whom."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.utils import timezone

from games.admin.actions.on_people import ON_PEOPLE
from games.models import AuditLine, Game, Message, Sanction, User
from games.services import roles
from games.services.accounts.account import delete_account
from games.services.lobby import tables
from tests.accounts.test_second_factor import set_up, sign_in
from tests.support.client import browser, person, text_of, verified
from tests.support.moderators import (
    act_on,
    audited_actions,
    marta_acts_on,
    moderator,
    person_act_url,
    person_form,
)
from tests.support.sanctions import decisions
from tests.support.tables import table_settings

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]


class TestAccount:
    def test_all_sessions_end_at_once_and_she_signs_in_again(self, smtp):
        rosa = verified("Rosa")
        phone, desk = browser(rosa), browser(rosa)
        marta_acts_on(rosa, "end-sessions")
        for client in (phone, desk):
            assert client.get("/accounts/profile/").status_code == 302
        form = {"login": "rosa@example.org", "password": "not so secret"}
        phone.post("/accounts/login/", form)
        assert phone.get("/accounts/profile/").status_code == 200
        assert desk.get("/accounts/profile/").status_code == 302
        assert "You've been signed out everywhere." in decisions(smtp, "Rosa")[0]

    def test_a_second_factor_comes_before_every_other_page_and_stays(self, smtp):
        rosa = verified("Rosa")
        game = tables.open_table(host=rosa, settings=table_settings(), now=timezone.now())
        client, _ = sign_in("Rosa")
        marta_acts_on(rosa, "second-factor")
        assert "Your account now requires two-factor authentication" in decisions(smtp, "Rosa")[0]
        for page in ("/", "/tables/", game.get_absolute_url(), "/accounts/profile/"):
            assert client.get(page)["Location"] == "/accounts/2fa/"
        sent = {"talk-text": "Hello all", "talk-token": uuid4()}
        answer = client.post(f"{game.get_absolute_url()}talk/", sent)
        assert answer["Location"] == "/accounts/2fa/"
        assert not Message.objects.exists()
        set_up(client)
        assert client.get("/tables/").status_code == 200
        assert "Hello all" in text_of(client.get("/kept/"))
        off = "/accounts/2fa/totp/deactivate/"
        client.post("/accounts/reauthenticate/", {"password": "not so secret"})
        assert "You cannot deactivate two-factor authentication." in text_of(client.post(off))
        marta_acts_on(rosa, "no-second-factor")
        assert client.post(off).status_code == 302
        assert "you can keep using it if you like." in decisions(smtp, "Rosa")[-1]

    def test_signing_out_is_open_before_the_second_factor_is_set_up(self):
        rosa = verified("Rosa")
        marta_acts_on(rosa, "second-factor")
        client = browser(rosa)
        assert client.post("/accounts/logout/")["Location"] == "/"
        assert client.get("/").status_code == 200


class TestWhoMay:
    SLUGS = [action.slug for action in ON_PEOPLE]

    @pytest.mark.parametrize("slug", SLUGS)
    def test_a_player_and_nobody_may_not(self, slug):
        rosa, boris = person("Rosa"), person("Boris")
        for client in (browser(boris), Client()):
            for answer in (
                client.get(person_act_url(rosa, slug)),
                client.post(person_act_url(rosa, slug), {"reason": "Because.", "seen": "0"}),
            ):
                assert answer.status_code == 302
        assert audited_actions(person=rosa) == []

    @pytest.mark.long(every=3)
    @pytest.mark.parametrize("slug", SLUGS)
    def test_a_moderator_not_on_themselves_nor_on_another_one(self, slug):
        marta, nora = moderator(), moderator("Nora")
        client = browser(marta)
        for user in (marta, nora):
            url = person_act_url(user, slug)
            assert client.get(url).status_code == 403
            assert client.post(url, {"reason": "Because.", "seen": "0"}).status_code == 403
            assert audited_actions(person=user) == []

    def test_an_administrator_may_act_on_a_moderator(self):
        marta, nora = moderator(), moderator("Nora")
        group, made = Group.objects.get_or_create(name=roles.ADMINISTRATOR)
        if made:
            names = ("moderate_game", "administer_site")
            group.permissions.add(*Permission.objects.filter(codename__in=names))
        roles.appoint(marta, roles.ADMINISTRATOR)
        client = browser(User.objects.get(pk=marta.pk))
        assert act_on(client, nora, "warn").status_code == 302
        assert client.get(person_act_url(marta, "warn")).status_code == 403

    def test_a_moderator_not_on_whom_they_play_with(self):
        marta = moderator()
        game = tables.open_table(host=marta, settings=table_settings(size=3), now=timezone.now())
        rosa = person("Rosa")
        client = browser(marta)
        form = person_form(client, rosa, "warn")
        for user in (rosa, person("Boris")):
            tables.join(game_id=game.pk, user=user, now=timezone.now())
        answer = client.post(person_act_url(rosa, "warn"), form)
        assert answer.status_code == 403
        assert "You play, or have played, in a running game with this person" in text_of(
            client.get(f"/admin/games/user/{rosa.pk}/change/")
        )
        assert audited_actions(person=rosa) == []
        ended = {"status": Game.Status.CANCELLED, "deadline_at": None}
        Game.objects.filter(pk=game.pk).update(**ended)
        assert act_on(client, rosa, "warn").status_code == 302

    def test_no_act_without_a_reason_nor_one_that_does_not_fit(self):
        rosa = person("Rosa")
        client = browser(moderator())
        answer = act_on(client, rosa, "warn", reason="")
        assert answer.status_code == 422
        assert "Please choose or write a reason." in text_of(answer)
        page = client.get(person_act_url(rosa, "unmute"))
        assert "This person isn't muted." in text_of(page)
        forced = client.post(person_act_url(rosa, "unmute"), {"reason": "Because.", "seen": "0"})
        assert forced.status_code == 422
        assert client.get(person_act_url(rosa, "behead")).status_code == 404
        assert audited_actions(person=rosa) == []


def test_what_is_known_of_somebody_goes_with_their_account():
    rosa = person("Rosa")
    marta_acts_on(rosa, "warn")
    marta_acts_on(rosa, "note", text="Was friendly on the phone.")
    delete_account(rosa, timezone.now())
    assert not Sanction.objects.exists()
    assert [line.action for line in AuditLine.objects.order_by("pk")] == [
        "person.warn",
        "person.note",
    ]
