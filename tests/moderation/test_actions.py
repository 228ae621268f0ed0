"""Acts on a game in the admin: who may, their forms, the reason, and the audit log."""

import re
from html import unescape

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from games.admin.actions.on_games import ON_GAMES
from games.models import AuditLine, Event, Reason
from games.services.game import seats
from games.services.lobby import tables
from games.services.moderation.actions import seats as seats_actions
from games.services.moderation.actions import timing
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from games.services.refused import Refused
from tests.support.client import browser, person
from tests.support.moderators import (
    act_url,
    acts_text,
    answer_of,
    asked,
    audited_actions,
    marta_acts,
    moderator,
    shown_form,
)
from tests.support.stuck import altering_tables
from tests.support.tables import open_table, seat_of, table_settings

pytestmark = pytest.mark.django_db
SLUGS = [action.slug for action in ON_GAMES]


@pytest.mark.full
def test_a_moderator_comes_to_the_desk_from_the_table_but_not_from_their_own(
    game, django_assert_max_num_queries
):
    hugo, marta, anna = person("Hugo"), moderator(), seat_of(game, "Anna").user
    waiting = tables.open_table(host=hugo, settings=table_settings(), now=timezone.now())
    client = browser(marta)
    client.get("/")
    for table in (game, waiting):
        page, link = table.get_absolute_url(), f"/admin/games/game/{table.pk}/change/"
        with django_assert_max_num_queries(17):
            assert link in client.get(page).content.decode()
        assert link not in browser(anna).get(page).content.decode()
    tables.join(game_id=waiting.pk, user=marta, now=timezone.now())
    assert link not in client.get(waiting.get_absolute_url()).content.decode()
    link = f"/admin/games/user/{anna.pk}/change/"
    assert link in client.get(f"/people/{anna.pk}/").content.decode()
    assert link not in browser(hugo).get(f"/people/{anna.pk}/").content.decode()
    assert "View in the admin" not in client.get(f"/people/{marta.pk}/").content.decode()


def boxes(game, name):
    """What the table's page says at first, and since the last visit."""
    page = browser(seat_of(game, name).user).get(game.get_absolute_url()).content.decode()
    ask, _, rest = page.partition('class="decision card"')[2].partition("</section>")
    recap = rest.partition('class="recap card"')[2].partition("</section>")[0]
    return ask, recap


@pytest.mark.full
@pytest.mark.parametrize("slug", ["pause", "cancel"])
def test_the_reason_stands_where_the_table_looks_first(game, slug):
    boxes(game, "Boris")
    marta_acts(game, slug)
    for box in boxes(game, "Boris"):
        assert "<q>Clara is in hospital.</q>" in box


class TestWhoMay:
    @pytest.mark.full
    def test_players_and_strangers_may_nothing(self, game):
        for client in (browser(seat_of(game, "Anna").user), browser(person("Emil")), Client()):
            for slug in SLUGS:
                for answered in (
                    client.get(act_url(game, slug)),
                    client.post(act_url(game, slug), {"reason": "Because."}),
                ):
                    assert answered.status_code == 302
                    assert "login/" in answered["Location"]
        assert not AuditLine.objects.exists()
        assert acts_text(game) == []

    @pytest.mark.full
    def test_a_moderator_may_nothing_at_their_own_table(self):
        marta = moderator()
        game = open_table("Anna", "Boris", size=3, now=timezone.now())
        client = browser(marta)
        tables.join(game_id=game.pk, user=marta, now=timezone.now())
        self.assert_nothing_is_open(client, game)
        seats.step_aside(game_id=game.pk, user=marta, now=timezone.now())
        number = seat_of(game, "Marta").number
        emil = person("Emil")
        seats.take_over(game_id=game.pk, number=number, user=emil, now=timezone.now())
        self.assert_nothing_is_open(client, game)
        page = client.get(f"/admin/games/game/{game.pk}/change/").content.decode()
        assert "/act/" not in page
        assert "another moderator has to do this" in page

    def assert_nothing_is_open(self, client, game):
        for slug in SLUGS:
            assert client.get(act_url(game, slug)).status_code == 403
            assert client.post(act_url(game, slug), {"reason": "Because."}).status_code == 403
        assert client.get(f"/admin/games/game/{game.pk}/record/").status_code == 403

    def test_the_service_refuses_too(self, game):
        anna = seat_of(game, "Anna").user
        request = GameRequest(game.pk, person("Emil"), "Because.", seen_now(game), timezone.now())
        with pytest.raises(Refused, match="Only moderators"):
            timing.pause(request)
        anna.is_staff = anna.is_superuser = True
        anna.save()
        with pytest.raises(Refused, match="another moderator"):
            seats_actions.mark_absent(request._replace(moderator=anna), seat=0)

    def test_staff_without_the_role_may_nothing(self, game):
        emil = person("Emil", is_staff=True)
        assert browser(emil).get("/admin/").status_code == 302
        request = GameRequest(game.pk, emil, "Because.", seen_now(game), timezone.now())
        with pytest.raises(Refused, match="Only moderators"):
            timing.pause(request)

    def test_a_moderator_is_no_superuser(self):
        marta = moderator()
        assert marta.is_staff
        assert not marta.is_superuser
        assert marta.has_perm("games.moderate_game")
        assert not marta.has_perm("games.administer_site")


class TestForms:
    @pytest.mark.full
    def test_looking_changes_nothing_and_says_what_would_be_done(self, game):
        marta = browser(moderator())
        for action in ON_GAMES:
            page = marta.get(act_url(game, action.slug))
            assert page.status_code == 200
            assert str(action.explanation) in unescape(page.content.decode())
        assert acts_text(game) == []
        assert not AuditLine.objects.exists()

    @pytest.mark.full
    def test_an_act_needs_a_reason_and_templates_will_do(self, game):
        marta = browser(moderator())
        form = shown_form(marta, game, "pause")
        answered = marta.post(act_url(game, "pause"), form)
        assert answered.status_code == 422
        assert "Please choose or write a reason" in answered.content.decode()
        template = "A player can't be reached."
        marta.post(act_url(game, "pause"), form | {"why": template, "reason": "Since May."})
        assert Reason.objects.get(game=game).text == "A player can't be reached. Since May."

    def test_an_act_on_what_has_gone_on_is_refused(self, game):
        marta = browser(moderator())
        form = shown_form(marta, game, "pause") | {"reason": "Because."}
        while game.phase_no == int(form["phase_no"]):
            answer_of(game, asked(game))
            game.refresh_from_db()
        answered = marta.post(act_url(game, "pause"), form)
        assert answered.status_code == 422
        assert "The game has moved on since you opened this page." in answered.content.decode()
        assert acts_text(game) == []

    @pytest.mark.full
    def test_the_page_of_a_game_offers_what_fits_its_state(self, game):
        marta = browser(moderator())
        page = marta.get(f"/admin/games/game/{game.pk}/change/").content.decode()
        offered = set(re.findall(r"/act/([\w-]+)/", page))
        assert offered == set(SLUGS) - {
            "retry",
            "retry-all",
            "resume",
            "open",
            "present",
            "rewind",
            "remove-note",
            "excuse",
            "give-back",
            "our-fault",
            "host",
            "start",
        }
        marta_acts(game, "pause")
        page = marta.get(f"/admin/games/game/{game.pk}/change/").content.decode()
        assert {"resume", "cancel"} <= set(re.findall(r"/act/([\w-]+)/", page))
        assert "/act/extend/" not in page

    def test_an_unknown_act_or_game_is_not_found(self, game):
        marta = browser(moderator())
        assert marta.get(act_url(game, "dance")).status_code == 404
        assert marta.get("/admin/games/game/999999/act/pause/").status_code == 404

    def test_the_pages_run_under_the_strict_policy(self, game):
        page = browser(moderator()).get(act_url(game, "pause"))
        assert "unsafe" not in page["Content-Security-Policy"]
        assert " style=" not in page.content.decode()


@pytest.mark.sample(1)
@pytest.mark.parametrize("change", ["UPDATE {} SET action='x'", "DELETE FROM {}", "TRUNCATE {}"])
def test_the_audit_log_is_never_changed(game, change):
    marta_acts(game, "pause")
    with altering_tables() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            cursor.execute(change.format("games_auditline"))
    assert audited_actions(game=game) == [("Marta", "game.pause")]


@pytest.mark.full
def test_a_moderator_goes_and_the_audit_log_stays(game):
    marta_acts(game, "pause")
    marta = AuditLine.objects.get().moderator
    marta.delete()
    assert audited_actions(game=game) == [("Marta", "game.pause")]
    page = browser(moderator("Nora")).get("/admin/games/auditline/")
    assert "Clara is in hospital." in page.content.decode()


@pytest.mark.full
def test_events_hold_no_reason_and_no_name(game):
    clara = seat_of(game, "Clara")
    marta_acts(game, "house-player", seat=clara.number, computer_player="default")
    for event in Event.objects.filter(game=game):
        assert "hospital" not in str(event.payload)
        assert "Clara" not in str(event.payload)
