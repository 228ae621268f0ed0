"""Warnings, mutes and suspensions: what people then see, get by mail, and may still do."""

import re
from uuid import uuid4

import pytest
from django.utils import timezone

from games.models import AuditLine, Game, Invitation, Message, Note, OutboxEmail, Sanction, User
from games.services.chat import messages
from games.services.game import notes, seats
from games.services.game.verify import verify_game
from games.services.lobby import invitations, tables
from games.services.people.display_names import player_name
from games.services.refused import Refused
from tests.support.client import browser, forms_of, text_of
from tests.support.moderators import (
    act,
    act_on,
    audited_actions,
    marta_acts,
    marta_acts_on,
    moderator,
    person_act_url,
    person_form,
    previewed,
)
from tests.support.sanctions import absent, decisions, in_days
from tests.support.tables import DAY, open_table, seat_of, seats_to_move, table_settings

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game() -> Game:
    return open_table("Anna", "Boris", "Clara", "Dora", now=timezone.now())


@pytest.fixture
def anna(game) -> User:
    return User.objects.get(name="Anna")


class TestWarning:
    def test_it_is_emailed_and_stands_on_the_first_page_until_it_is_read(self, anna, smtp):
        marta_acts_on(anna, "warn")
        [mail] = decisions(smtp, "Anna")
        assert "A moderator has warned you. Reason: You were rude." in mail
        assert "/accounts/conduct/" in mail
        client = browser(anna)
        page = client.get("/")
        assert "You've received a warning from a moderator You were rude." in text_of(page)
        form = forms_of(page.content.decode())["/accounts/conduct/read/"]
        client.post("/accounts/conduct/read/", {"sanction": form["sanction"].value})
        assert "received a warning" not in text_of(client.get("/"))
        assert "warned Reason: You were rude." in text_of(client.get("/accounts/conduct/"))
        assert Sanction.objects.get().seen_at is not None
        assert audited_actions(person=anna) == [("Marta", "person.warn")]

    def test_nobody_reads_it_for_somebody_else(self, anna):
        marta_acts_on(anna, "warn")
        boris = browser(User.objects.get(name="Boris"))
        assert "received a warning" not in text_of(boris.get("/"))
        assert "rude" not in text_of(boris.get("/accounts/conduct/"))
        for number in (Sanction.objects.get().pk, "x", "9" * 30):
            assert boris.post("/accounts/conduct/read/", {"sanction": number}).status_code == 302
        assert "received a warning" in text_of(browser(anna).get("/"))

    def test_it_is_taken_back(self, anna, smtp):
        marta_acts_on(anna, "warn")
        marta_acts_on(anna, "take-back-warning")
        assert "received a warning" not in text_of(browser(anna).get("/"))
        assert "Withdrawn on" in text_of(browser(anna).get("/accounts/conduct/"))
        assert "A warning you received has been withdrawn." in decisions(smtp, "Anna")[-1]

    def test_the_same_form_twice_warns_once(self, anna):
        marta, page = browser(moderator()), person_act_url(anna, "warn")
        form = person_form(marta, anna, "warn")
        form |= previewed(marta.post(page, form))
        codes = [marta.post(page, form).status_code for _ in range(2)]
        assert codes == [302, 302]
        assert Sanction.objects.count() == 1

    def test_it_is_emailed_in_the_language_and_zone_of_the_person(self, anna, smtp):
        User.objects.filter(pk=anna.pk).update(time_zone="Asia/Tokyo")
        day = (timezone.now() + 9 * DAY).date()
        marta_acts_on(anna, "mute", until=f"{day}T12:00")
        assert "21:00 (Asia/Tokyo)" in decisions(smtp, "Anna")[0]


class TestMute:
    def test_who_is_muted_plays_and_says_nothing(self, game, anna, smtp):
        client = browser(anna)
        form = forms_of(client.get(game.get_absolute_url()).content.decode())
        token = form[f"{game.get_absolute_url()}talk/"]["talk-token"].value
        marta_acts_on(anna, "mute", until=in_days(3))
        assert "You are muted until" in decisions(smtp, "Anna")[0]
        typed = {"talk-text": "I am not rude!", "talk-token": token}
        answer = client.post(f"{game.get_absolute_url()}talk/", typed)
        assert answer.status_code == 422
        assert "I am not rude!" in answer.content.decode()
        assert "You are muted until" in text_of(answer)
        assert not Message.objects.exists()
        page = client.get(game.get_absolute_url())
        assert f"{game.get_absolute_url()}talk/" not in forms_of(page.content.decode())
        assert "You are muted until" in text_of(page)
        assert "Reason: You were rude." in text_of(page)
        assert absent(game) == []
        seat = seats_to_move(game)[0]
        User.objects.update(muted_until=timezone.now() + DAY)
        assert "Review" in text_of(browser(seat.user).get(game.get_absolute_url()))

    def test_reading_is_still_noted(self, game, anna):
        boris = User.objects.get(name="Boris")
        marta_acts_on(anna, "mute", until=in_days(3))
        messages.say(game_id=game.pk, user=boris, text="Hello?", token=uuid4(), now=timezone.now())
        client = browser(anna)
        assert "1 new" in text_of(client.get(game.get_absolute_url()))
        assert "1 new" not in text_of(client.get(game.get_absolute_url()))

    def test_no_other_name_and_no_table_of_ones_own_but_a_guided_game(self, anna):
        marta_acts_on(anna, "mute", until=in_days(3))
        client = browser(anna)
        answer = client.post("/accounts/profile/", {"name": "Boris is bad", "time_zone": "UTC"})
        assert "You are muted until" in text_of(answer)
        answer = client.post("/accounts/profile/", {"name": "Anna", "time_zone": "Asia/Tokyo"})
        assert answer.status_code == 302
        with pytest.raises(Refused, match="You are muted until"):
            tables.open_table(host=anna, settings=table_settings(), now=timezone.now())
        assert client.post("/first-game/").status_code == 302
        assert Game.objects.filter(guided=True).count() == 1

    def test_no_page_offers_them_a_table_of_their_own_and_each_says_why(self, anna):
        client = browser(anna)
        offers = ('href="/tables/new/"', "<button>Open the table</button>")
        for muted in (False, True):
            if muted:
                marta_acts_on(anna, "mute", until=in_days(3))
            for address in ("/", "/tables/", "/tables/new/"):
                page = client.get(address)
                assert any(offer in page.content.decode() for offer in offers) != muted, address
                assert ("You are muted until" in text_of(page)) == muted, address

    def test_it_ends_by_itself_and_before_its_time(self, game, anna, smtp):
        marta_acts_on(anna, "mute", until=in_days(3))
        later = timezone.now() + 4 * DAY
        said = messages.say(game_id=game.pk, user=anna, text="Hello.", token=uuid4(), now=later)
        assert said.text == "Hello."
        marta_acts_on(anna, "unmute")
        assert anna.muted_until is None
        messages.say(game_id=game.pk, user=anna, text="Again.", token=uuid4(), now=timezone.now())
        assert "You're no longer muted." in decisions(smtp, "Anna")[-1]
        assert audited_actions(person=anna) == [
            ("Marta", "person.mute"),
            ("Marta", "person.unmute"),
        ]

    def test_another_end_takes_the_place_of_the_first(self, anna):
        marta_acts_on(anna, "mute", until=in_days(3))
        first = anna.muted_until
        marta_acts_on(anna, "mute", until=in_days(1))
        assert anna.muted_until == first - 2 * DAY
        assert Sanction.objects.filter(ended_at=None).get().until == anna.muted_until
        line = AuditLine.objects.filter(person=anna).first()
        assert (line.before, line.after) == (
            {"at": first.isoformat(timespec="seconds")},
            {"until": anna.muted_until.isoformat(timespec="seconds")},
        )

    def test_an_end_that_lies_behind_is_refused_with_what_was_typed(self, anna):
        answer = act_on(browser(moderator()), anna, "mute", until=in_days(-1))
        assert answer.status_code == 422
        assert "The end date must be in the future." in text_of(answer)
        assert "You were rude." in answer.content.decode()
        assert not Sanction.objects.exists()


class TestSuspension:
    def test_no_table_waits_for_somebody_suspended(self, game, anna, smtp):
        other = tables.open_table(host=anna, settings=table_settings(), now=timezone.now())
        shared = tables.open_table(
            host=anna, settings=table_settings(name="Shared"), now=timezone.now()
        )
        boris = User.objects.get(name="Boris")
        tables.join(game_id=shared.pk, user=boris, now=timezone.now())
        notes.keep_notes(game=game, user=anna, text="Boris owes me.", now=timezone.now())
        marta_acts_on(anna, "suspend", until=in_days(3))
        assert absent(game) == ["Anna"]
        assert game.events.get(kind="SeatAbsent").cause == "moderator"
        assert not Note.objects.exists()
        other.refresh_from_db()
        shared.refresh_from_db()
        assert other.status == Game.Status.CANCELLED
        assert (shared.host, [seat.user for seat in shared.seats.all()]) == (boris, [boris])
        assert "Anna" not in [player_name(seat) for seat in seats_to_move(game)]
        assert "rude" not in text_of(browser(boris).get(game.get_absolute_url()))
        [mail] = decisions(smtp, "Anna")
        assert "You are suspended until" in mail
        assert verify_game(game.pk) == []

    def test_they_read_and_everything_they_send_is_refused_and_not_lost(self, game, anna):
        client = browser(anna)
        marta_acts_on(anna, "suspend", until=in_days(3))
        for page in ("/", "/tables/", game.get_absolute_url(), "/accounts/conduct/"):
            assert client.get(page).status_code == 200
        assert "You are suspended until" in text_of(client.get("/"))
        table = game.get_absolute_url()
        typed = {"talk-text": "Let me speak!", "talk-token": uuid4()}
        for address, sent in (
            (f"{table}talk/", typed),
            (f"{table}move/", {"phase_no": game.phase_no}),
            (f"{table}come-back/", {}),
            (f"{table}votes/", {"kind": "end"}),
            (f"{table}orders/", {}),
            ("/tables/new/", {"name": "Mine"}),
            ("/first-game/", {}),
        ):
            answer = client.post(address, sent)
            assert answer.status_code == 403, address
            assert "Nothing was changed You are suspended until" in text_of(answer)
            assert "Reason: You were rude." in text_of(answer)
        answer = client.post(f"{table}talk/", typed)
        assert "This is what you entered:" in text_of(answer)
        assert "Let me speak!" in text_of(answer)
        script = client.post(f"{table}talk/", typed, headers={"Accept": "application/json"})
        assert (script.status_code, script["Content-Type"]) == (403, "text/plain")
        assert not Message.objects.exists()

    def test_the_table_says_so_and_offers_nothing_that_is_refused(self, game, anna):
        marta_acts_on(anna, "suspend", until=in_days(3))
        table = game.get_absolute_url()
        page = browser(anna).get(table)
        asked = text_of(page)
        assert "You are suspended until" in asked
        assert "Reason: You were rude." in asked
        assert "You've been marked absent" in asked
        assert not {"Return to the game", "I'm back"} & set(
            re.split(r" *[<>]\s*", page.content.decode())
        )
        sent = {action.removeprefix(table) for action in forms_of(page.content.decode())}
        assert sent & {"come-back/", "talk/", "step-aside/", "days-off/", "more-time/"} == set()
        waiting = open_table("Emil", size=3, now=timezone.now()).get_absolute_url()
        page = browser(anna).get(waiting)
        assert "You are suspended until" in text_of(page)
        assert f"{waiting}join/" not in forms_of(page.content.decode())
        marta_acts_on(anna, "lift-suspension")
        page = browser(anna).get(table)
        assert "You are suspended" not in text_of(page)
        assert "Return to the game" in text_of(page)
        assert f"{table}come-back/" in forms_of(page.content.decode())

    def test_who_is_also_muted_is_told_the_suspension(self, game, anna):
        marta_acts_on(anna, "mute", until=in_days(9))
        marta_acts_on(anna, "suspend", until=in_days(3), reason="You were rude again.")
        for page in ("/", game.get_absolute_url()):
            text = text_of(browser(anna).get(page))
            assert "You are suspended until" in text
            assert "Reason: You were rude again." in text
            assert "You are muted" not in text
        marta_acts_on(anna, "lift-suspension")
        assert "You are muted until" in text_of(browser(anna).get("/"))

    def test_they_keep_their_account_in_order(self, anna):
        marta_acts_on(anna, "suspend", until=in_days(3))
        client = browser(anna)
        same = {"name": "Anna", "time_zone": "Asia/Tokyo"}
        assert client.post("/accounts/profile/", same).status_code == 302
        other = {"name": "Not Anna", "time_zone": "Asia/Tokyo"}
        assert "You are suspended until" in text_of(client.post("/accounts/profile/", other))
        assert client.post("/language/", {"language": "de"}).status_code == 302
        assert client.post("/accounts/reauthenticate/", {"password": "x"}).status_code == 200
        assert client.post("/accounts/logout/").status_code == 302
        client.force_login(anna)
        asked = client.post("/accounts/delete/", {"name": "Anna"})["Location"]
        assert client.post(asked, {"password": "not so secret"}).status_code == 302
        assert not User.objects.filter(name="Anna").exists()

    def test_services_refuse_what_was_already_on_its_way(self, game, anna):
        now = timezone.now()
        waiting = open_table("Emil", size=3, now=now)
        invitations.invite(
            game_id=waiting.pk, user=waiting.host, addresses=["anna@example.org"], now=now
        )
        marta_acts_on(anna, "suspend", until=in_days(3))
        invitation = Invitation.objects.get()
        for attempt in (
            lambda: tables.join(game_id=waiting.pk, user=anna, now=now),
            lambda: invitations.accept(invitation_id=invitation.pk, user=anna, now=now),
            lambda: seats.come_back(game_id=game.pk, user=anna, now=now),
            lambda: messages.say(game_id=game.pk, user=anna, text="Hi", token=uuid4(), now=now),
        ):
            with pytest.raises(Refused, match="You are suspended until"):
                attempt()
        assert absent(game) == ["Anna"]

    def test_once_it_is_lifted_they_read_why(self, anna):
        marta_acts_on(anna, "mute", until=in_days(3))
        marta_acts_on(anna, "mute", until=in_days(1), reason="Once more.")
        marta_acts_on(anna, "unmute", reason="It was her brother.")
        page = text_of(browser(anna).get("/accounts/conduct/"))
        lifted = r"muted Reason: Once more\. Lifted on [^.]+\. Reason: It was her"
        assert re.search(lifted, page)
        assert page.count("It was her brother.") == 1

    def test_nobody_invites_or_asks_them_to_help(self, anna):
        now = timezone.now()
        marta_acts_on(anna, "suspend", until=in_days(3))
        waiting = open_table("Emil", size=3, now=now)
        addresses = ["anna@example.org", "fanny@example.org"]
        asked = invitations.invite(
            game_id=waiting.pk, user=waiting.host, addresses=addresses, now=now
        )
        assert asked.fresh == 2
        emailed = OutboxEmail.objects.filter(kind="invitation").values_list("address", flat=True)
        assert list(emailed) == ["fanny@example.org"]
        second = tables.open_table(
            host=User.objects.get(name="Boris"), settings=table_settings(size=3), now=now
        )
        for name in ("Clara", "Dora"):
            tables.join(game_id=second.pk, user=User.objects.get(name=name), now=now)
        OutboxEmail.objects.all().delete()
        seats.step_aside(game_id=second.pk, user=second.host, now=now)
        assert not OutboxEmail.objects.filter(kind="substitute_wanted", person=anna).exists()
        with pytest.raises(Refused, match="You are suspended until"):
            seats.take_over(
                game_id=second.pk, number=seat_of(second, "Boris").number, user=anna, now=now
            )

    def test_a_paused_and_a_parked_game_go_on_without_them(self, game, anna):
        marta_acts(game, "pause")
        parked = tables.open_table(
            host=anna, settings=table_settings(name="Parked", size=3), now=timezone.now()
        )
        for name in ("Boris", "Clara"):
            tables.join(game_id=parked.pk, user=User.objects.get(name=name), now=timezone.now())
        Game.objects.filter(pk=parked.pk).update(parked_at=timezone.now(), deadline_at=None)
        marta_acts_on(anna, "suspend", until=in_days(3))
        assert (absent(game), absent(parked)) == (["Anna"], [])
        game.refresh_from_db()
        assert game.paused_at is not None
        marta_acts(game, "resume")
        marta_acts(parked, "retry")
        assert (absent(game), absent(parked)) == (["Anna"], ["Anna"])
        assert verify_game(game.pk) == verify_game(parked.pk) == []

    def test_a_game_that_cannot_be_read_stops_no_other(self, game, anna):
        broken = open_table("Emil", "Fanny", "Georg", now=timezone.now())
        broken.seats.filter(user__name="Emil").update(user=anna)
        Game.objects.filter(pk=broken.pk).update(state={"nonsense": 1})
        marta_acts_on(anna, "suspend", until=in_days(3))
        assert absent(game) == ["Anna"]
        assert absent(broken) == []

    def test_no_moderator_marks_them_present_meanwhile(self, game, anna):
        marta_acts_on(anna, "suspend", until=in_days(3))
        form = {"seat": seat_of(game, "Anna").number}
        answer = act(browser(User.objects.get(name="Marta")), game, "present", **form)
        assert answer.status_code == 422
        assert "This person is suspended or banned." in text_of(answer)

    def test_they_come_back_when_it_is_over_or_lifted(self, game, anna, smtp):
        marta_acts_on(anna, "suspend", until=in_days(3))
        seats.come_back(game_id=game.pk, user=anna, now=timezone.now() + 4 * DAY)
        assert absent(game) == []
        marta_acts_on(anna, "suspend", until=in_days(5))
        marta_acts_on(anna, "lift-suspension")
        assert absent(game) == ["Anna"]
        assert "You're no longer suspended." in decisions(smtp, "Anna")[-1]
        client = browser(anna)
        assert client.post(f"{game.get_absolute_url()}come-back/").status_code == 302
        assert absent(game) == []
        assert audited_actions(person=anna) == [
            ("Marta", "person.suspend"),
            ("Marta", "person.suspend"),
            ("Marta", "person.lift-suspension"),
        ]

    def test_one_that_ran_out_is_closed_when_it_ended(self, anna):
        marta_acts_on(anna, "suspend", until=in_days(3))
        at = timezone.now() - 9 * DAY
        Sanction.objects.update(at=at, until=at + DAY)
        User.objects.update(suspended_until=at + DAY)
        assert "Ended on" in text_of(browser(anna).get("/accounts/conduct/"))
        marta_acts_on(anna, "suspend", until=in_days(3))
        assert Sanction.objects.order_by("pk").first().ended_at == at + DAY
