"""All data of a person in one file: who gets it, when, and what is in it."""

import gzip
import json
from datetime import timedelta
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from games import tasks
from games.admin import site
from games.engine.orders import HighestBribes
from games.extensions import waiting_work
from games.features.export import about_person, requests
from games.features.export.contents import contents_of
from games.models import (
    Draft,
    Export,
    Game,
    OutboxEmail,
    PushSubscription,
    Report,
    Sanction,
    Seat,
    User,
    database_now,
)
from games.services.accounts.account import delete_account
from games.services.chat import messages
from games.services.email import delivery
from games.services.game import notes, orders, seats
from games.services.lobby import invitations
from games.services.moderation.actions import people as people_actions
from games.services.moderation.actions import reports as reports_actions
from games.services.moderation.actions.person_action import latest_action
from games.services.moderation.actions.requests import ActionRequest, PersonRequest
from games.services.operations import trim
from games.services.people import acquaintances, blocks
from games.services.reports import filing
from games.services.reports.filing import Complaint
from intrigue_site.celery import app as celery_app
from tests.support.client import browser, person, text_of, verified
from tests.support.moderators import moderator
from tests.support.promising import (
    TEN,
    bribed,
    bribing_table,
    in_order,
    moves,
    offers,
    place_for,
    placed,
    replies,
    sitter,
)
from tests.support.tables import DAY, MONDAY, leave, open_table, seat_of, seats_to_move, submit_move
from tests.support.whispering import offers_privately, replies_privately, whisper

pytestmark = pytest.mark.django_db

PAGE, FILE = "/accounts/export/", "/accounts/export/file/"
MINUTE = timedelta(minutes=1)


def proven(user):
    """The browser of somebody who has just shown again who they are."""
    client = browser(user)
    client.post("/accounts/reauthenticate/", {"password": "not so secret"})
    return client


def exported(user, now=MONDAY):
    """The contents of the file, once they have been through JSON."""
    return json.loads(json.dumps(contents_of(user, now)))


def exported_game(game, user, now=MONDAY):
    [found] = [one for one in exported(user, now)["games"] if one["number"] == game.pk]
    return found


@pytest.fixture
def at_once():
    """Tasks that tasks call run at once, as a worker would run them."""
    celery_app.conf.task_always_eager = True
    yield
    celery_app.conf.task_always_eager = False


class TestAsking:
    @pytest.mark.full
    @pytest.mark.django_db(transaction=True)
    @pytest.mark.usefixtures("at_once")
    def test_rosa_requests_her_data_proves_who_she_is_and_downloads_it(self, smtp):
        rosa = verified("Rosa", time_zone="Europe/Vienna")
        client = browser(rosa)
        assert "Prepare my data" in text_of(client.get(PAGE))
        response = client.post(PAGE)
        assert response["Location"] == "/accounts/reauthenticate/?next=%2Faccounts%2Fexport%2F"
        assert not Export.objects.exists()
        page = client.post(response["Location"], {"password": "not so secret"}, follow=True)
        assert "We're preparing your file." in text_of(page)
        tasks.mail()
        tasks.mail()
        [email] = smtp.messages
        until = Export.objects.get().until
        assert email["To"] == "rosa@example.org"
        assert email["Subject"].startswith("Your data is ready: download it by ")
        text = email.get_body(("plain",)).get_content()
        assert "http://localhost:8000/accounts/export/" in text.split()
        assert "you can download it until" in text_of(client.get(PAGE)).lower()
        got = client.get(FILE)
        assert got["Content-Type"] == "application/json"
        day = timezone.now().date()
        assert got["Content-Disposition"] == f'attachment; filename="intrigue-{day}.json"'
        assert "no-store" in got["Cache-Control"]
        assert got.json()["format"] == "intrigue-export/1"
        assert got.json()["account"]["email"] == "rosa@example.org"
        assert until > database_now() + timedelta(hours=23)

    @pytest.mark.full
    def test_the_file_is_only_for_people_who_have_just_proven_who_they_are(self):
        rosa = verified("Rosa")
        requests.ask(rosa, timezone.now())
        requests.make_next(now=timezone.now())
        response = browser(rosa).get(FILE)
        assert response["Location"] == f"/accounts/reauthenticate/?next={FILE.replace('/', '%2F')}"
        assert Client().get(FILE)["Location"].startswith("/accounts/login/")
        assert proven(rosa).get(FILE).status_code == 200
        other = proven(person("Sonja")).get(FILE, follow=True)
        assert "There's no file to download." in text_of(other)

    def test_one_at_a_time_and_the_next_one_after_a_day(self):
        rosa = person("Rosa")
        for _ in range(2):
            requests.ask(rosa, MONDAY)
        first = Export.objects.get()
        assert requests.make_next(now=MONDAY)
        assert not requests.make_next(now=MONDAY)
        requests.ask(rosa, MONDAY + DAY - MINUTE)
        assert Export.objects.get() == first
        assert requests.file_of(rosa, MONDAY + DAY - MINUTE)
        assert requests.file_of(rosa, MONDAY + DAY) is None
        assert requests.current(rosa, MONDAY + DAY) is None
        requests.ask(rosa, MONDAY + DAY)
        again = Export.objects.get()
        assert (again.pk != first.pk, again.content, again.made_at) == (True, None, None)

    def test_trim_deletes_it_after_a_day_but_never_one_that_waits(self):
        rosa = person("Rosa")
        requests.ask(rosa, MONDAY)
        assert trim.trim(now=MONDAY + 9 * DAY).features == 0
        requests.make_next(now=MONDAY)
        assert trim.trim(now=MONDAY + DAY - MINUTE).features == 0
        assert trim.trim(now=MONDAY + DAY).features == 1
        assert not Export.objects.exists()

    def test_it_goes_with_the_account(self):
        rosa = person("Rosa")
        requests.ask(rosa, MONDAY)
        delete_account(rosa, MONDAY)
        assert not Export.objects.exists()
        assert not requests.make_next(now=MONDAY)

    def test_an_email_about_a_file_that_is_gone_is_not_sent(self, smtp):
        requests.ask(person("Rosa"), MONDAY)
        requests.make_next(now=MONDAY)
        Export.objects.all().delete()
        assert delivery.drain(now=MONDAY) == 0
        assert OutboxEmail.objects.get().status == "dropped"

    def test_a_suspended_person_gets_it_and_a_banned_one_cannot_sign_in(self):
        ursula, nora = verified("Ursula"), moderator("Nora")
        suspended = PersonRequest(ursula.pk, nora, "Rude.", 0, timezone.now())
        people_actions.suspend(suspended, until=timezone.now() + DAY)
        client = proven(ursula)
        assert client.post(PAGE)["Location"] == PAGE
        requests.make_next(now=timezone.now())
        assert client.get(FILE).status_code == 200
        User.objects.filter(pk=ursula.pk).update(is_active=False)
        assert client.get(FILE)["Location"].startswith("/accounts/login/")

    def test_no_moderator_finds_it(self):
        assert Export not in site._registry
        rosa = person("Rosa")
        requests.ask(rosa, MONDAY)
        page = browser(moderator("Nora")).get(f"/admin/games/user/{rosa.pk}/change/")
        assert "export" not in page.content.decode().lower()


class TestMaking:
    def test_a_lost_message_does_no_harm(self):
        requests.ask(person("Rosa"), database_now())
        assert [task.name for task in waiting_work()] == ["games.features.export.tasks.export"]
        assert requests.make_next(now=database_now())
        assert list(waiting_work()) == []
        assert not requests.make_next(now=database_now())

    def test_what_a_dead_worker_had_begun_is_made_ten_minutes_later(self):
        requests.ask(person("Rosa"), MONDAY)
        Export.objects.update(not_before=MONDAY + requests.LEASE)
        assert not requests.make_next(now=MONDAY + 9 * MINUTE)
        assert requests.make_next(now=MONDAY + 10 * MINUTE)
        assert Export.objects.get().made_at == MONDAY + 10 * MINUTE

    def test_two_workers_that_make_the_same_one_write_one_email(self):
        requests.ask(person("Rosa"), MONDAY)
        export = Export.objects.get()
        for content in (b"first", b"second"):
            requests._keep(export, content, MONDAY)
        assert bytes(Export.objects.get().content) == b"first"
        assert OutboxEmail.objects.filter(kind="export_ready").count() == 1

    def test_one_that_fails_stops_no_other(self, caplog):
        rosa, sonja = person("Rosa"), person("Sonja")
        requests.ask(rosa, MONDAY)
        requests.ask(sonja, MONDAY + MINUTE)
        broken = Report.objects.create(
            reporter=rosa, person=sonja, token=uuid4(), text="?", at=MONDAY, decided_at=MONDAY,
            state="unheard",
        )  # fmt: skip
        at = MONDAY + MINUTE
        assert requests.make_next(now=at)
        assert requests.make_next(now=at)
        assert "cannot be made" in caplog.text
        assert [one.user.name for one in Export.objects.exclude(made_at=None)] == ["Sonja"]
        broken.delete()
        assert requests.make_next(now=at + requests.LEASE)
        assert requests.file_of(rosa, at + requests.LEASE)

    def test_a_game_that_cannot_be_read_is_named(self):
        game = open_table("Anna", "Boris", "Clara")
        Game.objects.update(state={"broken": True})
        found = exported_game(game, seat_of(game, "Anna").user)
        assert found["readable"] is False
        assert found["table"] == "The Venice table"


class TestAccount:
    def test_the_profile_and_where_one_is_signed_in(self):
        rosa = verified("Rosa", language="de", calendar=3, unwanted_emails=["mention"])
        browser(rosa).get("/", HTTP_USER_AGENT="Firefox", REMOTE_ADDR="192.0.2.7")
        key = "q" * 40
        PushSubscription.objects.create(
            user=rosa, endpoint="https://push.example/secret-endpoint", p256dh="p256",
            auth="auth-key", session_key=key, browser="Firefox", created_at=MONDAY,
        )  # fmt: skip
        rosa.refresh_from_db()
        found = exported(rosa)
        account = found["account"]
        assert (account["name"], account["language"]) == ("Rosa", "de")
        assert (account["calendar"], account["unwanted_mails"]) == (True, ["mention"])
        address = {"email": "rosa@example.org", "verified": True, "primary": True}
        assert account["addresses"] == [address]
        [session], [sign_in] = found["sessions"], found["sign_ins"]
        assert (session["browser"], session["address"]) == ("Firefox", "192.0.2.7")
        assert (sign_in["browser"], sign_in["address"]) == ("Firefox", "192.0.2.7")
        browsers = [{"browser": "Firefox", "since": MONDAY.isoformat()}]
        assert found["notified_browsers"] == browsers
        secrets = [
            rosa.password, key, "secret-endpoint", "p256", "auth-key",
            *rosa.usersession_set.values_list("session_key", flat=True),
            *rosa.sign_ins.values_list("device", flat=True),
        ]  # fmt: skip
        text = json.dumps(found)
        assert [secret for secret in secrets if secret in text] == []

    def test_every_column_of_a_person_is_exported_or_has_a_reason(self):
        told_otherwise = {"crest", "calendar"}
        never = {
            "id", "password", "name_key", "is_guest", "is_active", "is_superuser", "warned",
            "sessions_ended", "reply_number",
        }  # fmt: skip
        columns = {field.name for field in User._meta.concrete_fields}
        told_as_it_is = {*about_person.AS_STORED, *about_person.INSTANTS}
        assert columns == told_as_it_is | told_otherwise | never


class TestOthers:
    def test_acquaintances_blocks_and_requests_of_whom_one_has_blocked(self):
        rosa, boris, sonja, emil = (person(name) for name in ("Rosa", "Boris", "Sonja", "Emil"))
        acquaintances.declare(user=boris, other_id=rosa.pk, now=MONDAY, note="Chess club")
        acquaintances.declare(user=emil, other_id=rosa.pk, now=MONDAY, note="You know me")
        blocks.block(user=rosa, other_id=emil.pk, now=MONDAY)
        blocks.ignore(user=rosa, other_id=sonja.pk, now=MONDAY)
        found = exported(rosa)["people"]
        at = MONDAY.isoformat()
        assert found == {
            "acquaintances": [
                {"name": "Boris", "asked_by_me": False, "note": "Chess club", "at": at,
                 "confirmed_at": None},
            ],
            "blocked": [{"name": "Emil", "at": at}],
            "ignored": [{"name": "Sonja", "at": at}],
        }  # fmt: skip
        assert exported(emil)["people"]["blocked"] == []

    def test_invitations_name_nobody_by_their_address(self):
        game = open_table("Anna", size=4)
        boris = person("Boris")
        addresses = ["boris@example.org", "zoe@example.net"]
        invitations.invite(game_id=game.pk, user=game.host, addresses=addresses, now=MONDAY)
        sent = exported(game.host)["invitations"]["sent"]
        invitation = {"table": "The Venice table", "state": "open", "at": MONDAY.isoformat()}
        assert sent == [invitation, invitation]
        received = exported(boris)["invitations"]["received"]
        assert received == [{**invitation, "from": "Anna"}]
        assert "@example" not in json.dumps(exported(game.host)).replace("anna@example.org", "")

    @pytest.mark.full
    def test_reports_and_sanctions_as_people_were_notified_of_them(self):
        game = open_table("Anna", "Boris", "Clara")
        anna, boris = (seat_of(game, name).user for name in ("Anna", "Boris"))
        nora = moderator("Nora")
        message = messages.say(game_id=game.pk, user=boris, text="Fool!", token=uuid4(), now=MONDAY)
        about = Complaint(anna, "He insults me.", uuid4(), MONDAY)
        filing.report_message(about, message_id=message.pk)
        assert exported(boris)["reports"]["about_me"] == []
        [waiting] = exported(anna)["reports"]["made"]
        assert waiting["state"] == "Your report is waiting for a moderator."
        request = ActionRequest(nora, "Please be kind.", MONDAY)
        reports_actions.take(request, report_id=Report.objects.get().pk)
        reports_actions.uphold(request, report_id=Report.objects.get().pk)
        seen = latest_action(boris, nora)
        people_actions.warn(PersonRequest(boris.pk, nora, "Be kind.", seen, MONDAY))
        [against] = exported(boris)["reports"]["about_me"]
        assert (against["my_words"], against["decision"]) == ("Fool!", "Please be kind.")
        [warning] = exported(boris)["sanctions"]
        assert (warning["kind"], warning["reason"]) == (Sanction.Kind.WARNING, "Be kind.")
        assert warning["report"] is None
        Sanction.objects.update(report=Report.objects.get())
        assert exported(boris)["sanctions"][0]["report"] == against["id"]
        Report.objects.update(state="taken", decided_at=None)
        assert exported(boris)["sanctions"][0]["report"] is None
        Report.objects.update(state="upheld", decided_at=MONDAY)
        text = json.dumps(exported(boris))
        assert "insults" not in text
        assert "Nora" not in text


class TestGames:
    def test_a_running_game_is_as_its_pages_show_it(self):
        game = bribing_table()
        other, owner, _third = in_order(game)
        user = sitter(game, other)
        found = exported_game(game, user)
        colours = game.decoded().table.players
        assert found["position"]["cash"] == {colours[other]: game.decoded().cash[other]}
        assert "record" not in found
        assert [one["name"] for one in found["players"] if one["me"]] == [user.name]
        assert found["log"][0]["text"].startswith("Seated clockwise: ")
        assert [one["step"] for one in found["log"]] == sorted(one["step"] for one in found["log"])
        assert exported_game(game, sitter(game, owner))["position"]["cash"].keys() == {
            colours[owner]
        }

    def test_a_finished_game_has_its_record(self):
        game = open_table("Anna", "Boris", "Clara", options={"rounds": 1})
        while game.status == Game.Status.RUNNING:
            submit_move(game, seats_to_move(game)[0].user, MONDAY)
            game.refresh_from_db()
        found = exported_game(game, seat_of(game, "Anna").user)
        page = browser(seat_of(game, "Boris").user).get(f"{game.get_absolute_url()}record/")
        assert found["record"] == page.json()
        assert "position" not in found

    def test_a_table_that_waits(self):
        game = open_table("Anna", "Boris", size=4, description="For friends.")
        found = exported_game(game, seat_of(game, "Boris").user)
        assert (found["state"], found["description"], found["host"]) == (
            "waiting", "For friends.", "Anna",
        )  # fmt: skip
        assert "log" not in found

    @pytest.mark.full
    def test_what_somebody_left_at_a_table_is_theirs_alone(self):
        game = open_table("Anna", "Boris", "Clara")
        anna, boris = (seat_of(game, name).user for name in ("Anna", "Boris"))
        notes.keep_notes(game=game, user=anna, text="Clara lies.", now=MONDAY)
        fields = {"talk-text": "Well"}
        notes.keep_draft(
            game=game, user=anna, about=Draft.About.MESSAGE, phase_no=0, fields=fields, now=MONDAY
        )
        orders.leave_order(
            game_id=game.pk, user=anna, scholar=None, order=HighestBribes(),
            wait_if_addressed=True, now=MONDAY,
        )  # fmt: skip
        day = (MONDAY + 9 * DAY).date()
        seats.announce_days_off(game_id=game.pk, user=anna, first_day=day, last_day=day, now=MONDAY)
        found = exported_game(game, anna)
        assert found["notes"] == [{"text": "Clara lies.", "at": MONDAY.isoformat()}]
        assert found["drafts"] == [{"about": "talk", "fields": fields, "at": MONDAY.isoformat()}]
        assert found["days_off"] == [{"first_day": str(day), "last_day": str(day)}]
        [order] = found["orders"]
        assert order["formula"] == {"kind": "highest"}
        theirs = exported_game(game, boris)
        assert [theirs[key] for key in ("notes", "drafts", "days_off", "orders")] == [[]] * 4

    @pytest.mark.full
    def test_own_messages_with_what_they_were_before(self):
        game = open_table("Anna", "Boris", "Clara")
        anna, boris = (seat_of(game, name).user for name in ("Anna", "Boris"))
        message = messages.say(game_id=game.pk, user=anna, text="Hello", token=uuid4(), now=MONDAY)
        messages.say(game_id=game.pk, user=boris, text="Hi Anna", token=uuid4(), now=MONDAY)
        messages.edit(message=message, user=anna, text="Hello all", now=MONDAY)
        [mine] = exported_game(game, anna)["messages"]
        assert (mine["text"], mine["earlier"], mine["edited"]) == ("Hello all", ["Hello"], True)
        assert mine["from"] == "Anna"

    @pytest.mark.full
    def test_private_messages_are_there_for_both_and_only_until_one_left(self):
        game = bribing_table(press="private")
        other, owner, _third = in_order(game)
        one, two = sitter(game, other), sitter(game, owner)
        first = whisper(game, other, owner, text="Psst!")
        messages.edit(message=first, user=one, text="Psst, you!", now=MONDAY)
        made = offers_privately(game, owner, place_for(game), now=MONDAY)
        replies_privately(game, other, made, now=MONDAY)
        [mine] = exported_game(game, one)["conversations"]
        [theirs] = exported_game(game, two)["conversations"]
        assert (mine["with"], theirs["with"]) == (two.name, one.name)
        assert mine["messages"][0]["earlier"] == ["Psst!"]
        received = theirs["messages"][0]
        assert (received["text"], received["edited"]) == ("Psst, you!", True)
        assert "earlier" not in received
        assert mine["messages"][1]["deal"].startswith(f"{two.name} offers you: ")
        [accepted] = exported_game(game, one)["promises"]["accepted"]
        assert accepted["private"] is True
        leave(game, one.name, now=MONDAY + DAY)
        substitute = person("Zoe")
        seats.take_over(game_id=game.pk, number=other, user=substitute, now=MONDAY + DAY)
        assert len(exported_game(game, one)["conversations"][0]["messages"]) == 3
        assert exported_game(game, substitute)["conversations"] == []
        assert exported_game(game, one)["position"]["cash"] == {}

    @pytest.mark.full
    def test_a_settled_promise_says_what_was_promised_and_on_which_terms(self):
        game = bribing_table()
        other, owner, _third = in_order(game)
        replies(game, other, offers(game, owner, place_for(game)))
        moves(game, bribed(game), placed(game, 3000, TEN))
        [settled] = exported_game(game, sitter(game, other))["promises"]["settled"]
        name = sitter(game, owner).name
        hired = f"{name} hires your doctor at a salary of at least 6,000"
        assert settled.pop("step") == game.events.get(kind="PromiseJudged").seq
        assert settled == {
            "from": name,
            "to": sitter(game, other).name,
            "promise": f"{hired}.",
            "terms": f"{hired} if you pay at least 4,000.",
            "verdict": "broken",
            "cause": "",
            "private": False,
        }

    @pytest.mark.full
    def test_nobody_else_s_address_is_in_it(self):
        game = bribing_table(press="private")
        other, owner, third = in_order(game)
        whisper(game, other, owner, third)
        moves(game, None, None)
        for number in (other, owner, third):
            user = sitter(game, number)
            EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
        for seat in Seat.objects.select_related("user"):
            text = json.dumps(exported(seat.user))
            assert text.count("@example.org") == 2
            assert text.count(seat.user.email) == 2


def test_it_is_stored_compressed_and_is_in_the_language_of_its_person():
    game = open_table("Anna", "Boris", "Clara")
    anna = seat_of(game, "Anna").user
    User.objects.filter(pk=anna.pk).update(language="de")
    requests.ask(anna, MONDAY)
    requests.make_next(now=MONDAY)
    stored = json.loads(gzip.decompress(bytes(Export.objects.get().content)))
    assert stored["games"][0]["log"][0]["text"].startswith("Am Tisch im Uhrzeigersinn: ")
    assert stored == json.loads(requests.file_of(anna, MONDAY))
