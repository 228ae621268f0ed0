"""Private notes, and drafts of what is not sent: kept, shown again, secret, and void in time."""

import re
from functools import partial
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from games.models import Cause, Draft, Game, Note, OutboxEmail
from games.services.accounts.account import delete_account
from games.services.chat import messages, threads
from games.services.game import absence, notes, seats
from games.services.game.queries.own_notes import Notebook, read_notebook
from games.services.game.writer import Writer
from games.services.operations import trim
from games.services.public_ids import public_id
from games.services.refused import Refused
from tests.support.client import all_forms, browser, person
from tests.support.promising import rivals_table
from tests.support.races import race, rounds_of
from tests.support.tables import DAY, MONDAY, open_table, seat_of, seats_to_move, submit_move, tick

pytestmark = pytest.mark.django_db(transaction=True)

JSON = {"Accept": "application/json"}


@pytest.fixture
def game():
    return open_table("Anna", "Boris", "Clara")


def asked(game):
    return seats_to_move(game)[0].user


def not_asked(game):
    return game.seats.filter(deadline_at=None).first().user


def draft_answer(game, user, **fields):
    fields = fields or {"send-palace-1": "green"}
    return browser(user).post(
        f"{game.get_absolute_url()}draft/",
        {"about": "answer", "phase_no": game.phase_no, "token": "x", **fields},
        headers=JSON,
    )


def draft_talk(game, user, text):
    data = {"about": "talk", "talk-text": text, "talk-token": "x"}
    return browser(user).post(f"{game.get_absolute_url()}draft/", data, headers=JSON)


@pytest.mark.full
def test_notes_are_kept_and_changed_by_their_writer_alone(game):
    anna, boris = seat_of(game, "Anna").user, seat_of(game, "Boris").user
    page = browser(anna).post(
        f"{game.get_absolute_url()}notes/", {"notes-text": "Boris owes me\r\na place."}, follow=True
    )
    assert "Notes saved, " in page.content.decode()
    assert read_notebook(game, anna).notes == "Boris owes me\na place."
    assert read_notebook(game, boris).notes == ""
    notes.keep_notes(game=game, user=anna, text=" \n", now=MONDAY)
    assert not Note.objects.exists()


def test_notes_that_are_too_long_are_refused_with_what_would_be_right(game):
    anna = seat_of(game, "Anna").user
    with pytest.raises(Refused, match=r"the limit is 10000 characters, and you've used 10001\."):
        notes.keep_notes(game=game, user=anna, text="x" * 10001, now=MONDAY)
    answered = browser(anna).post(
        f"{game.get_absolute_url()}notes/", {"notes-text": "a\0b"}, headers=JSON
    )
    assert (answered.status_code, answered.json()["text"]) == (409, "These notes can't be saved.")


def test_only_those_who_sit_there_write_notes_and_drafts(game):
    dora = person("Dora")
    assert draft_talk(game, dora, "Hello").status_code == 409
    with pytest.raises(Refused, match="Only players at this table"):
        notes.keep_notes(game=game, user=dora, text="Hm.", now=MONDAY)
    assert not Draft.objects.exists()


def test_a_draft_of_an_answer_is_kept_without_what_the_page_added(game):
    user = asked(game)
    answered = draft_answer(game, user, **{"send-palace-1": "green", "send-scholar-1": ""})
    assert answered.status_code == 200
    assert answered.json()["text"].startswith("Draft saved, ")
    assert read_notebook(game, user).move.fields == {
        "send-palace-1": "green",
        "send-scholar-1": "",
    }
    draft_answer(game, user, **{"send-palace-1": "red"})
    assert [draft.fields for draft in Draft.objects.all()] == [{"send-palace-1": "red"}]


def test_a_draft_of_what_is_not_asked_is_refused(game):
    assert draft_answer(game, not_asked(game)).status_code == 409
    game.phase_no -= 1
    assert draft_answer(game, asked(game)).status_code == 409
    assert not Draft.objects.exists()


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "fields",
    [
        {"about": "the weather"},
        {"about": "answer", "phase_no": "soon"},
        {"about": "talk", "talk-text": "x" * 4001},
        {"about": "talk", "x" * 61: "x"},
        {"about": "talk", **{f"f{number}": "x" for number in range(31)}},
    ],
    ids=["about", "phase", "long", "name", "many"],
)
def test_what_is_no_draft_is_refused(game, fields):
    answered = browser(asked(game)).post(f"{game.get_absolute_url()}draft/", fields, headers=JSON)
    assert answered.status_code == 409
    assert not Draft.objects.exists()


def test_a_draft_goes_with_the_answer_and_is_never_played(game):
    user = asked(game)
    draft_answer(game, user)
    assert submit_move(game, user, MONDAY).played
    assert not Draft.objects.exists()


@pytest.mark.full
def test_a_draft_goes_with_what_was_said_and_with_an_empty_field(game):
    anna = seat_of(game, "Anna").user
    draft_talk(game, anna, "Who will")
    token = "7a30ff0e-0000-4000-8000-000000000001"
    messages.say(game_id=game.pk, user=anna, text="Who will help me?", token=token, now=MONDAY)
    assert not Draft.objects.exists()
    draft_talk(game, anna, "Who will")
    draft_talk(game, anna, "")
    assert not Draft.objects.exists()


class TestPrivateMessages:
    """What is typed in a conversation is shown there again, and nowhere else."""

    @pytest.fixture
    def game(self):
        return open_table("Anna", "Boris", "Clara", press="private")

    def shown(self, game, user, key):
        page = browser(user).get(f"{game.get_absolute_url()}?talk={key}").content.decode()
        [text] = re.findall(r'<textarea name="talk-text"[^>]*>([^<]*)</textarea>', page)
        return text.strip()

    @pytest.mark.full
    def test_each_conversation_has_its_own(self, game):
        anna, boris, clara = (seat_of(game, name) for name in ("Anna", "Boris", "Clara"))
        place = "-".join(sorted((str(anna.number), str(boris.number))))
        draft = {"about": "talk", "talk-text": "To one", "conversation": place}
        draft_talk(game, anna.user, "To all")
        token, address = str(uuid4()), f"{game.get_absolute_url()}draft/"
        saved = browser(anna.user).post(address, draft | {"talk-token": token}, headers=JSON)
        assert saved.status_code == 200
        keys = ("", *(public_id("person", one.user.pk) for one in (boris, clara)), "new")
        assert [self.shown(game, anna.user, key) for key in keys] == ["To all", "To one", "", ""]
        id_of_anna = public_id("person", anna.user.pk)
        assert [self.shown(game, boris.user, key) for key in ("", id_of_anna)] == ["", ""]
        threads.say(
            game_id=game.pk, user=anna.user, to=[boris.user.pk], text="To one", token=token,
            now=MONDAY,
        )  # fmt: skip
        assert [self.shown(game, anna.user, key) for key in keys] == ["To all", "", "", ""]
        late = browser(anna.user).post(address, draft | {"talk-token": token}, headers=JSON)
        assert late.json()["text"] == "You've already sent this message."
        draft_talk(game, anna.user, "")
        assert not Draft.objects.exists()


class TestLateSaves:
    """Pages save by themselves: what comes after its end is refused."""

    def talk(self, game, user, token, text="Who will", **more):
        data = {"about": "talk", "talk-text": text, "talk-token": token, **more}
        return browser(user).post(f"{game.get_absolute_url()}draft/", data, headers=JSON)

    def say(self, game, user, token, now=MONDAY):
        messages.say(game_id=game.pk, user=user, text="Who will help?", token=token, now=now)

    @pytest.mark.full
    def test_a_message_that_was_sent_is_no_draft_any_more(self, game):
        anna, token = seat_of(game, "Anna").user, str(uuid4())
        assert self.talk(game, anna, token).status_code == 200
        self.say(game, anna, token)
        late = self.talk(game, anna, token)
        assert (late.status_code, late.json()["text"]) == (
            409,
            "You've already sent this message.",
        )
        assert not Draft.objects.exists()
        assert self.talk(game, anna, str(uuid4())).status_code == 200

    def test_before_the_game_too(self):
        game = open_table("Anna", "Boris", size=3)
        anna, token = seat_of(game, "Anna").user, str(uuid4())
        self.say(game, anna, token)
        assert self.talk(game, anna, token).status_code == 409
        assert not Draft.objects.exists()

    def test_the_form_says_which_message_it_is(self, game):
        page = browser(seat_of(game, "Anna").user).get(game.get_absolute_url()).content.decode()
        [form] = [fields for _action, fields in all_forms(page) if "talk-text" in fields]
        UUID(form["talk-token"].value)

    @pytest.mark.full
    def test_a_bribe_that_was_sealed_is_no_draft_any_more_while_others_still_think(self):
        game = rivals_table(options={"bribing": "simultaneous"})
        assert len(seats_to_move(game)) == 2
        user, phase = asked(game), game.phase_no
        assert draft_answer(game, user, amount="7000").status_code == 200
        assert submit_move(game, user, MONDAY).played
        game.refresh_from_db()
        assert game.phase_no == phase
        assert draft_answer(game, user, amount="7000").status_code == 409
        assert not Draft.objects.exists()

    @pytest.mark.parametrize("status", ["finished", "cancelled"])
    def test_a_move_of_a_game_that_is_over(self, game, status):
        user = asked(game)
        game.seats.update(deadline_at=None)
        game.status, game.deadline_at = status, None
        game.save()
        assert draft_answer(game, user).status_code == 409
        assert not Draft.objects.exists()

    @pytest.mark.full
    def test_who_has_stepped_aside_has_their_notes_back_from_no_old_page(self, game):
        anna = seat_of(game, "Anna").user
        client, place = browser(anna), game.get_absolute_url()
        seats.step_aside(game_id=game.pk, user=anna, now=MONDAY)
        late = client.post(f"{place}notes/", {"notes-text": "Boris owes me."}, headers=JSON)
        assert late.json()["text"] == "You've stepped aside, so this wasn't saved."
        assert self.talk(game, anna, str(uuid4())).status_code == 409
        assert read_notebook(game, anna) == Notebook()
        forms = [fields for _action, fields in all_forms(client.get(place).content.decode())]
        [notebook] = [fields for fields in forms if "notes-text" in fields]
        [chat] = [fields for fields in forms if "talk-text" in fields]
        assert (notebook["notes-absent"].value, chat["absent"].value) == ("on", "on")
        new = {"notes-text": "I was wrong.", "notes-absent": "on"}
        assert client.post(f"{place}notes/", new, headers=JSON).status_code == 200
        assert self.talk(game, anna, str(uuid4()), absent="on").status_code == 200

    def test_whom_the_clock_has_marked_absent_loses_nothing_they_type(self, game):
        anna = seat_of(game, "Anna").user
        with transaction.atomic(durable=True):
            writer = Writer(Game.objects.lock(game.pk), MONDAY)
            seat = next(one for one in writer.seats.values() if one.user_id == anna.pk)
            absence.mark_absent(writer, seat, Cause.CLOCK)
            writer.go_on()
            writer.commit()
        notes = {"notes-text": "Boris owes me."}
        kept = browser(anna).post(f"{game.get_absolute_url()}notes/", notes, headers=JSON)
        assert kept.status_code == 200
        assert read_notebook(game, anna).notes == "Boris owes me."

    @pytest.mark.full
    def test_saved_and_sent_at_once_it_is_sent_and_no_draft(self):
        for chance, wins in rounds_of("saved", "sent", least=4):
            game = open_table(*(f"{name}{chance.random()}" for name in ("Anna", "Boris")), size=3)
            anna, token = game.host, str(uuid4())
            sides = {
                "saved": [partial(self.talk, game, anna, token)] * 2,
                "sent": [partial(self.say, game, anna, token)],
            }
            told = {answered.status_code for answered in race(sides, chance)["saved"]}
            assert told <= {200, 409}
            assert not Draft.objects.exists()
            assert game.messages.count() == 1
            wins["saved" if 200 in told else "sent"] += 1


def test_a_draft_of_the_last_phase_is_void(game):
    user = asked(game)
    draft_answer(game, user)
    Draft.objects.update(user=not_asked(game))
    submit_move(game, user, MONDAY)
    assert not Draft.objects.exists()


def test_drafts_and_notes_are_void_when_their_writer_steps_aside(game):
    anna = seat_of(game, "Anna").user
    notes.keep_notes(game=game, user=anna, text="Boris owes me.", now=MONDAY)
    draft_talk(game, anna, "Who will")
    boris = seat_of(game, "Boris").user
    notes.keep_notes(game=game, user=boris, text="Anna is right.", now=MONDAY)
    seats.step_aside(game_id=game.pk, user=anna, now=MONDAY)
    assert read_notebook(game, anna) == Notebook()
    assert read_notebook(game, boris).notes == "Anna is right."


def test_a_substitute_finds_a_clean_desk_and_the_leavers_is_void(game):
    anna = seat_of(game, "Anna").user
    game.seats.filter(user=anna).update(absent_since=MONDAY)
    notes.keep_notes(game=game, user=anna, text="Boris owes me.", now=MONDAY)
    draft_talk(game, anna, "Who will")
    dora = person("Dora")
    number = game.seats.get(user=anna).number
    seats.take_over(game_id=game.pk, number=number, user=dora, now=MONDAY)
    assert read_notebook(game, dora) == Notebook()
    assert not Draft.objects.exists()
    assert not Note.objects.exists()


def test_drafts_and_notes_go_with_the_account(game):
    anna = seat_of(game, "Anna").user
    notes.keep_notes(game=game, user=anna, text="Boris owes me.", now=MONDAY)
    draft_talk(game, anna, "Who will")
    tick(MONDAY)
    delete_account(anna, MONDAY)
    assert not Draft.objects.exists()
    assert not Note.objects.exists()


@pytest.mark.full
def test_old_drafts_of_finished_games_are_trimmed_and_notes_stay(game):
    anna = seat_of(game, "Anna").user
    notes.keep_notes(game=game, user=anna, text="Boris owes me.", now=MONDAY)
    draft_talk(game, anna, "Well")
    Draft.objects.update(at=MONDAY)
    assert trim.trim(now=MONDAY + 30 * DAY).drafts == 0
    game.status, game.deadline_at = "finished", None
    game.save()
    assert trim.trim(now=MONDAY + 7 * DAY).drafts == 0
    assert trim.trim(now=MONDAY + 8 * DAY).drafts == 1
    assert Note.objects.count() == 1


@pytest.mark.full
def test_neither_notes_nor_drafts_are_in_any_mail_or_on_the_page_of_others(game):
    anna = seat_of(game, "Anna").user
    notes.keep_notes(game=game, user=anna, text="A secret of Anna's", now=MONDAY)
    draft_talk(game, anna, "Another secret of Anna's")
    for name in ("Boris", "Clara"):
        page = browser(seat_of(game, name).user).get(game.get_absolute_url())
        assert "secret of Anna" not in page.content.decode().replace("&#39;", "'")
    assert OutboxEmail.objects.exists()
