"""A game whose stored data can't be read: what moderators are told, and that nothing crashes."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django import forms
from django.urls import reverse
from django.utils import timezone

from games.admin.actions import address_of, all_actions
from games.admin.actions.on_games import ON_GAMES
from games.admin.email_pages import EmailSubject
from games.features.questions import asking
from games.forms.instants import InstantField
from games.models import (
    Event,
    Game,
    Message,
    OutboxEmail,
    SharedBrowser,
    Thread,
    TimeGrant,
    User,
)
from games.services.game.failures import RETRIES
from games.services.game.verify import verify_game
from games.services.operations import clock
from tests.support.client import browser, text_of
from tests.support.moderators import (
    act,
    act_url,
    acts_text,
    administrator,
    answer_of,
    asked,
    confirmed,
    key_of,
    marta_acts,
    moderator,
)
from tests.support.promising import bribing_table, in_order, place_for
from tests.support.reporting import reported, say
from tests.support.tables import open_table, seat_of, tick
from tests.support.whispering import offers_privately

pytestmark = pytest.mark.django_db
DAMAGED = (
    "This game is damaged: its state can't be read. Use “Retry now” to rebuild its state from the "
    "log."
)
BROKEN: dict[str, Any] = {"nothing": {}, "a list": [1], "words": "x", "half": None, "offers": None}
OTHERS = [how for how in BROKEN if how != "nothing"]
OFFERED = {"retry", "cancel", "referee", "rename", "remove-note", "send-again", "watch"}


@pytest.fixture
def game() -> Game:
    """Four people, who have played for a while; the table has a description."""
    game = open_table("Anna", "Boris", "Clara", "Dora", now=timezone.now(), description="Hello!")
    for _ in range(3):
        answer_of(game, asked(game))
    game.refresh_from_db()
    return game


def break_it(game: Game, how: str = "nothing", **more: object) -> Game:
    """Something of the state is gone, in one of several ways."""
    state = game.state if how == "offers" else BROKEN[how]
    if how == "offers":
        more["ledger"] = [{"x": 1}]
    if how == "half":
        state = {key: value for key, value in game.state.items() if key != "cash"}
    Game.objects.filter(pk=game.pk).update(state=state, **more)
    game.refresh_from_db()
    return game


def subjects_at(game: Game) -> dict[str, tuple[Any, tuple[int | str, ...]]]:
    """Something of each kind that has to do with the game: the row, and its ids in addresses."""
    boris, clara = seat_of(game, "Boris").user, seat_of(game, "Clara").user
    message = say(game, "Boris", "A cow!")
    report = reported("Anna", message)
    first, second = sorted((boris, clara), key=lambda one: one.pk)
    now = timezone.now()
    SharedBrowser.objects.create(first=first, second=second, last_at=now)
    email = game.emails.get(kind="game_started", person=boris)
    OutboxEmail.objects.filter(pk=email.pk).update(status="failed", error="550 No.")
    marta = moderator("Marta")
    written = asking.Written(boris, "Why did the clock play?", uuid4(), now)
    question = asking.ask(written, kind="clock", game=game)
    return {
        "game": (game, (game.pk,)),
        "secrets": (game, (game.pk,)),
        "person": (boris, (boris.pk,)),
        "pair": ((boris, clara), (boris.pk, clara.pk)),
        "report": (report, (report.pk,)),
        "message": (message, (message.pk,)),
        "email": (EmailSubject(email, marta), (key_of(email),)),
        "question": (question, (question.pk,)),
        "reporter": (report, (report.pk,)),
        "player": (boris, (boris.pk,)),
        "site": (None, ()),
    }


def filled(form: forms.Form) -> dict[str, str]:
    """A form as somebody fills it in: the first of each choice, and something everywhere else."""
    later = (timezone.now() + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M")
    data = {name: str(value) for name, value in form.initial.items()}
    for name, field in form.fields.items():
        if isinstance(field, forms.ChoiceField):
            data[name] = str([*field.choices][-1][0])
        elif isinstance(field, InstantField):
            data[name] = later
        elif isinstance(field, forms.UUIDField):
            data[name] = str(uuid4())
        elif isinstance(field, forms.IntegerField):
            data.setdefault(name, "2")
        elif isinstance(field, forms.CharField) and name != "previewed":
            data[name] = data.get(name) or "Because."
        elif isinstance(field, forms.BooleanField):
            data[name] = "on"
    return data


def page_of(key: str, *ids: int | str) -> str:
    """The page of an action; secrets have one of their own."""
    if key == "secrets.reveal":
        return reverse("admin:reveal_secrets", args=ids)
    return address_of(key, *ids)


@pytest.mark.full
@pytest.mark.parametrize(
    ("how", "parked"),
    [
        ("nothing", True),
        ("half", False),
        pytest.param("nothing", False, marks=pytest.mark.long),
        *(pytest.param(how, False, marks=pytest.mark.long) for how in OTHERS if how != "half"),
        *(pytest.param(how, True, marks=pytest.mark.long) for how in OTHERS),
    ],
)
def test_no_action_crashes(game, how, parked):
    found, keeper = subjects_at(game), administrator()
    forms_shown = {
        key: filled(action.form(subject=found[key.partition(".")[0]][0], moderator=keeper))
        for key, action in all_actions().items()
    }
    more = {"parked_at": timezone.now(), "deadline_at": None} if parked else {}
    break_it(game, how, error="engine.py:1\nTypeError", attempts=3, **more)
    nadja = browser(keeper)
    last = ("game.retry-all", "game.retry", "game.cancel", "person.ban", "site.maintenance")
    for key in [*(key for key in all_actions() if key not in last), *last]:
        page = page_of(key, *found[key.partition(".")[0]][1])
        assert nadja.get(page).status_code in {200, 403}, key
        answered = confirmed(nadja, page, forms_shown[key])
        assert answered.status_code in {200, 302, 403, 422}, key
        if all_actions()[key].reads_state:
            assert answered.status_code == 422, key
            assert DAMAGED in text_of(answered), key
    for name in ("Anna", "Boris"):
        assert browser(User.objects.get(name=name)).get(game.get_absolute_url()).status_code < 500


def test_its_page_says_what_is_wrong_and_offers_what_helps(game):
    break_it(game, error="engine.py:1\nTypeError", attempts=2, retry_at=timezone.now() + RETRIES[1])
    client = browser(moderator())
    page = client.get(f"/admin/games/game/{game.pk}/change/")
    words = text_of(page)
    assert DAMAGED in words
    assert "2 failed attempts to continue: TypeError. The next attempt will be on" in words
    assert set(re.findall(r"/act/([\w-]+)/", page.content.decode())) == OFFERED
    assert "Retry now" in words
    assert {action.slug for action in ON_GAMES if not action.reads_state} == OFFERED | {
        "retry-all",
        "host",
        "start",
    }


@pytest.mark.full
def test_all_lists_and_pages_of_it_can_be_read(game):
    found = subjects_at(game)
    break_it(game, error="engine.py:1\nTypeError", attempts=1)
    client = browser(administrator())
    for name in (
        "game", "seat", "event", "message", "outboxemail", "auditline", "report", "reason", "vote",
        "sitting", "user",
    ):  # fmt: skip
        assert client.get(f"/admin/games/{name}/?q={game.pk}").status_code == 200, name
        assert client.get(f"/admin/games/{name}/").status_code == 200, name
    for page in (
        f"game/{game.pk}/change/", f"report/{found['report'][0].pk}/change/",
        f"message/{Message.objects.get().pk}/change/", f"user/{found['person'][0].pk}/change/",
        f"event/{game.events.first().pk}/change/", f"seat/{game.seats.first().pk}/change/",
    ):  # fmt: skip
        assert client.get(f"/admin/games/{page}").status_code == 200, page
    assert client.get(f"/admin/games/game/{game.pk}/record/").status_code == 302


class TestRetry:
    @pytest.mark.full
    def test_it_is_possible_before_the_game_is_parked(self, game):
        state, late = game.state, asked(game).deadline_at
        break_it(game)
        for _ in range(2):
            tick(late)
            clock.sweep(now=late)
            late += timedelta(minutes=6)
        game.refresh_from_db()
        assert (game.parked_at, game.attempts) == (None, 2)
        marta_acts(game, "retry")
        assert (game.state, game.error, game.attempts) == (state, "", 0)
        assert (game.parked_at, game.retry_at) == (None, None)
        assert acts_text(game)[0] == "GameTakenUp"
        assert game.deadline_at > timezone.now()
        assert verify_game(game.pk) == []
        page = text_of(browser(moderator("Nora")).get(f"/admin/games/game/{game.pk}/change/"))
        assert "damaged" not in page
        assert "failed attempt" not in page

    @pytest.mark.full
    def test_whose_deadline_passed_meanwhile_has_time_again(self, game):
        seat = asked(game)
        passed = timezone.now() - timedelta(minutes=40)
        game.seats.filter(pk=seat.pk).update(deadline_at=passed)
        break_it(
            game, deadline_at=passed, error="x:1\nKeyError", attempts=3,
            retry_at=timezone.now() + timedelta(minutes=1),
        )  # fmt: skip
        marta_acts(game, "retry")
        assert asked(game) == seat
        assert asked(game).deadline_at > timezone.now() + timedelta(hours=5)
        assert acts_text(game) == ["GameTakenUp", "DeadlineMoved"]

    @pytest.mark.full
    def test_a_paused_game_stays_paused(self, game):
        marta_acts(game, "pause")
        break_it(game)
        marta_acts(game, "retry")
        assert game.paused_at is not None
        marta_acts(game, "resume")
        assert game.deadline_at is not None

    def test_a_sound_game_is_not_retried(self, game):
        page = browser(moderator()).get(act_url(game, "retry"))
        assert "Nothing has gone wrong with this game." in text_of(page)

    def test_once_it_went_on_its_error_is_gone(self, game):
        Game.objects.filter(pk=game.pk).update(error="x:1\nKeyError", attempts=1)
        game.refresh_from_db()
        answer_of(game, asked(game))
        game.refresh_from_db()
        assert (game.error, game.attempts) == ("", 0)

    @pytest.mark.full
    def test_offers_that_cannot_be_read_are_repaired_too(self, game):
        break_it(game, "offers")
        marta_acts(game, "retry")
        assert game.ledger == []
        assert verify_game(game.pk) == []

    @pytest.mark.full
    def test_private_offers_that_cannot_be_read_are_repaired_too(self):
        game = bribing_table(press="private")
        thread = offers_privately(game, in_order(game)[1], place_for(game)).thread
        stored = thread.ledger
        assert stored
        Thread.objects.filter(pk=thread.pk).update(ledger=[{"x": 1}])
        Game.objects.filter(pk=game.pk).update(error="x:1\nKeyError", attempts=1)
        marta_acts(game, "retry")
        thread.refresh_from_db()
        assert thread.ledger == stored
        assert verify_game(game.pk) == []

    @pytest.mark.full
    def test_a_game_whose_log_is_broken_too_is_refused(self, game):
        break_it(game)
        last = game.events.order_by("seq").last()
        Event.objects.create(
            game=game, seq=last.seq + 1, phase_no=last.phase_no, kind="Nonsense", payload={},
            cause=last.cause, at=last.at,
        )  # fmt: skip
        answered = act(browser(moderator()), game, "retry")
        assert "The game still can't continue:" in text_of(answered)
        answered = act(browser(moderator("Nora")), game, "cancel")
        assert DAMAGED in text_of(answered)


@pytest.mark.full
class TestTheDashboard:
    def test_it_advises_to_retry(self, game):
        late = timezone.now() - timedelta(minutes=30)
        break_it(game, error="engine.py:1\nTypeError", attempts=2, deadline_at=late,
            retry_at=timezone.now() + RETRIES[1],
        )  # fmt: skip
        page = browser(moderator()).get("/admin/")
        words = text_of(page)
        assert "Games with errors" in words
        assert "couldn't continue: TypeError. The next attempt will be on" in words
        assert "Overdue games" not in words
        assert set(re.findall(r"/act/([\w-]+)/", page.content.decode())) == {"retry"}

    def test_also_where_it_did_not_get_the_time_of_all(self, game):
        late = timezone.now() - timedelta(minutes=30)
        TimeGrant.objects.create(
            kind=TimeGrant.Kind.HOURS, hours=1, starts_at=late, ends_at=late, why="A storm.",
            finished_at=timezone.now(), token=uuid4(), failures=[[game.pk, "TypeError"]],
        )  # fmt: skip
        marta = browser(moderator())
        assert act_url(game, "extend") in marta.get("/admin/").content.decode()
        break_it(game, error="engine.py:1\nTypeError", attempts=2)
        page = marta.get("/admin/").content.decode()
        assert act_url(game, "extend") not in page
        assert act_url(game, "retry") in page
