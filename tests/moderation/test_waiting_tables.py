"""What moderators do to a table that waits for players and whose host is gone."""

import pytest
from django.utils import timezone

from games.models import Game, Invitation, Message, OutboxEmail
from games.services.chat.queries import shown_text
from games.services.email import delivery
from games.services.lobby import invitations, tables
from games.services.moderation.actions import waiting
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from games.services.refused import Refused
from tests.support.client import browser, person, text_of
from tests.support.moderators import (
    act,
    act_on,
    act_url,
    audited_actions,
    marta_acts,
    moderator,
    shown_form,
)
from tests.support.reporting import named
from tests.support.sent_emails import emailed, plain_text
from tests.support.tables import open_table, seat_of, table_settings

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Game:
    """Victor's table waits with Anna and Boris; two seats are free."""
    game = open_table("Victor", "Anna", "Boris", size=5, now=timezone.now())
    OutboxEmail.objects.all().delete()
    return game


def invite(game: Game, *addresses: str) -> None:
    invitations.invite(
        game_id=game.pk, user=named("Victor"), addresses=addresses, now=timezone.now()
    )


class TestHandingOver:
    @pytest.mark.full
    def test_another_player_becomes_the_host_and_all_read_why(self, table):
        marta_acts(table, "host", host=named("Boris").pk)
        assert table.host == named("Boris")
        assert table.seats.count() == 3
        said = Message.objects.get(game=table)
        new_host = "The referee has made someone else the host of this table."
        reason = f"{new_host} Reason: Clara is in hospital."
        assert shown_text(said) == reason
        assert emailed("referee", table) == ["Anna", "Boris", "Victor"]
        assert audited_actions(game=table) == [("Marta", "game.host")]

    @pytest.mark.full
    def test_a_host_who_is_gone_loses_the_seat_and_is_told(self, table, smtp):
        marta_acts(table, "host", host=named("Anna").pk, leaves="on")
        assert table.host == named("Anna")
        assert not table.seats.filter(user=named("Victor")).exists()
        delivery.drain(now=timezone.now())
        [mail] = [one for one in smtp.messages if one["To"] == "victor@example.org"]
        assert "someone else the host of this table" in plain_text(mail)

    def test_nobody_is_chosen_and_the_names_are_shown_first(self, table):
        client = browser(moderator())
        assert act(client, table, "host").status_code == 422
        form = shown_form(client, table, "host") | {"host": named("Anna").pk, "reason": "Gone."}
        shown = text_of(client.post(act_url(table, "host"), form | {"leaves": "on"}))
        assert "Anna becomes the host and may change the settings" in shown
        assert "Victor loses their seat at this table." in shown
        table.refresh_from_db()
        assert table.host == named("Victor")

    def test_of_two_moderators_one_succeeds(self, table):
        seen = seen_now(table)
        requests = [
            GameRequest(table.pk, moderator(name), "Gone.", seen, timezone.now())
            for name in ("Marta", "Otto")
        ]
        anna, boris = named("Anna").pk, named("Boris").pk
        waiting.give_to_another_host(requests[0], host_id=anna, leaves=True)
        with pytest.raises(Refused, match="moved on"):
            waiting.give_to_another_host(requests[1], host_id=boris, leaves=True)
        table.refresh_from_db()
        assert table.host.name == "Anna"

    def test_a_running_game_has_no_such_action(self):
        game = open_table("Anna", "Boris", "Clara", now=timezone.now())
        page = text_of(browser(moderator()).get(act_url(game, "host")))
        assert "This table isn't waiting for players." in page


def test_seats_that_wait_have_no_number_of_the_database(table):
    page = browser(moderator()).get(f"/admin/games/game/{table.pk}/change/").content.decode()
    assert page.count("Not drawn yet") == 3
    assert f"#{table.seats.first().pk}" not in page


@pytest.mark.full
class TestStarting:
    def test_computer_players_get_the_free_seats(self, table):
        marta_acts(table, "start", computer_player="courtier")
        assert table.status == Game.Status.RUNNING
        assert table.seats.filter(computer_player="courtier").count() == 2
        assert {"referee", "game_started"} <= set(table.emails.values_list("kind", flat=True))

    def test_the_seat_of_a_host_who_is_gone_is_one_of_them(self, table):
        marta_acts(table, "start", computer_player="courtier", leaves="on")
        assert table.status == Game.Status.RUNNING
        assert table.seats.filter(computer_player="courtier").count() == 3
        assert not table.seats.filter(user=named("Victor")).exists()
        assert seat_of(table, "Anna").number is not None
        keys = [key for _who, key in audited_actions(game=table)]
        assert keys == ["game.host", "game.start"]

    def test_alone_with_a_host_who_is_gone_it_does_not(self):
        game = open_table("Victor", size=3, now=timezone.now())
        answered = act(browser(moderator()), game, "start", computer_player="courtier", leaves="on")
        assert "Nobody else has a seat at this table. Close the table instead." in text_of(answered)
        game.refresh_from_db()
        assert game.status == Game.Status.WAITING


@pytest.mark.full
class TestEverything:
    def cleared_up(self, **wanted: str) -> str:
        client = browser(moderator())
        response = act_on(client, named("Victor"), "clear-up", reason="Spam.", **wanted)
        assert response.status_code == 302, text_of(response)
        return text_of(client.get(response.url))

    def test_all_open_invitations_are_withdrawn_and_no_reminder_leaves(self, table, smtp):
        dora = person("Dora")
        invite(table, "dora@example.org", "stranger@example.org")
        page = self.cleared_up(invitations="on")
        assert "Withdrew 2 open invitations. No reminders are sent." in page
        assert set(Invitation.objects.values_list("status", flat=True)) == {"withdrawn"}
        delivery.drain(now=timezone.now() + invitations.REMIND_AFTER)
        assert not [mail for mail in smtp.messages if "invitation" in mail["Subject"].lower()]
        found = Invitation.objects.get(email="dora@example.org")
        shown = text_of(browser(dora).get(found.get_absolute_url()))
        assert "This invitation has been withdrawn." in shown
        with pytest.raises(Refused, match="withdrawn"):
            invitations.accept(invitation_id=found.pk, user=dora, now=timezone.now())

    def test_those_of_others_and_answered_ones_stay(self, table):
        person("Dora")
        invitations.invite(
            game_id=table.pk, user=named("Anna"), addresses=["dora@example.org"],
            now=timezone.now(),
        )  # fmt: skip
        invite(table, "emil@example.org")
        Invitation.objects.filter(email="emil@example.org").update(status="declined")
        assert "There was nothing left to do." in self.cleared_up(invitations="on")
        states = Invitation.objects.order_by("email").values_list("status", flat=True)
        assert list(states) == ["open", "declined"]

    @pytest.mark.parametrize(
        ("what", "said", "status"),
        [
            ("close", "Closed 1 table:", "cancelled"),
            ("hand-over", "1 table has a new host:", "waiting"),
            ("courtier", "1 game has started with computer players:", "running"),
        ],
    )
    def test_tables_that_wait_are_settled(self, table, what, said, status):
        assert said in self.cleared_up(tables=what)
        table.refresh_from_db()
        assert table.status == status
        if what == "hand-over":
            assert table.host == named("Anna")

    def test_tables_of_the_moderator_are_left_to_others(self, table):
        marta = moderator()
        tables.join(game_id=table.pk, user=marta, now=timezone.now())
        client = browser(marta)
        response = act_on(client, named("Victor"), "clear-up", reason="Gone.", tables="close")
        assert "There was nothing left to do." in text_of(client.get(response.url))
        table.refresh_from_db()
        assert table.status == "waiting"


@pytest.mark.full
def test_a_table_of_somebody_else_is_none_of_it(table):
    other = tables.open_table(
        host=named("Anna"), settings=table_settings(size=4), now=timezone.now()
    )
    TestEverything().cleared_up(tables="close")
    other.refresh_from_db()
    assert other.status == "waiting"
