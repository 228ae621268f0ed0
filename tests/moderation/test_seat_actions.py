"""Whom an action on a seat hits: nobody by accident, and a freed seat can be given back."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django import forms
from django.utils import timezone

from games.admin.actions import all_actions
from games.admin.email_pages import EmailSubject
from games.features.questions import asking
from games.models import (
    AuditLine,
    DaysOff,
    Draft,
    Event,
    Game,
    Move,
    Note,
    Order,
    Report,
    Sitting,
    User,
)
from games.services.email import delivery
from games.services.game import notes, seats
from games.services.game.promise_counts import judged_in
from games.services.game.replay import EventRow
from games.services.game.verify import verify_game
from games.services.moderation.actions import seats as seat_actions
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from games.services.operations import sample_games
from games.services.people import blocks
from games.services.refused import Refused
from games.table_events import (
    HousePlayerSat,
    OfferReplied,
    PromiseJudged,
    SeatGivenBack,
    SeatReopened,
    encode_table_event,
)
from tests.support.client import browser, person, text_of
from tests.support.moderators import (
    act,
    act_url,
    acts_text,
    answer_of,
    asked,
    marta_acts,
    marta_acts_on,
    moderator,
    previewed,
    shown_form,
    the_log,
)
from tests.support.reporting import say
from tests.support.sent_emails import emailed
from tests.support.table_events import NOON
from tests.support.tables import open_table, seat_of
from tests.support.whispering import whisper

pytestmark = pytest.mark.django_db
LEAVING = ("absent", "house-player", "reopen")
RED = {
    "game.absent", "game.cancel", "game.default", "game.house-player", "game.our-fault",
    "game.remove-note", "game.reopen", "game.rewind", "game.start", "message.remove",
    "person.ban", "person.clear-up", "person.delete", "secrets.reveal", "site.remove-accounts",
}  # fmt: skip


def subjects(game: Game) -> dict[str, object]:
    """Something for each kind of action."""
    boris = seat_of(game, "Boris").user
    message, otto = say(game, "Boris", "A cow!"), moderator("Otto")
    why = asking.Written(boris, "Why did the clock play?", uuid4(), timezone.now())
    report = Report(pk=1, person=boris, game=game, message=message)
    return {
        "game": game,
        "question": asking.ask(why, kind="clock"),
        "reporter": report,
        "player": boris,
        "secrets": game,
        "person": boris,
        "pair": (boris, seat_of(game, "Clara").user),
        "report": report,
        "message": message,
        "email": EmailSubject(game.emails.first(), otto),
        "site": None,
    }


@pytest.mark.full
def test_nothing_and_nobody_is_chosen_at_first(game):
    found, keeper = subjects(game), moderator("Keeper")
    chosen = set()
    for key, action in all_actions().items():
        form = action.form(subject=found[key.partition(".")[0]], moderator=keeper)
        for name, field in form.fields.items():
            if isinstance(field, forms.ChoiceField):
                chosen.add((key, name))
                radios = isinstance(field.widget, forms.RadioSelect)
                assert radios or field.choices[0][0] == "", (key, name)
                assert not form[name].value(), (key, name)
    assert {("game.reopen", "seat"), ("game.house-player", "computer_player")} <= chosen
    assert {("game.extend", "seat"), ("game.send-again", "mail_id")} <= chosen


def test_what_cannot_be_undone_is_red():
    assert {key for key, action in all_actions().items() if action.danger} == RED


@pytest.mark.sample(1)
@pytest.mark.parametrize("slug", LEAVING)
def test_handed_in_without_a_seat_it_hits_nobody(game, slug):
    answered = act(browser(moderator()), game, slug)
    assert answered.status_code == 422
    assert "This field is required." in text_of(answered)
    assert acts_text(game) == []


def test_the_absent_come_first_and_are_marked(game):
    dora = seat_of(game, "Dora")
    seats.step_aside(game_id=game.pk, user=dora.user, now=timezone.now())
    marta = browser(moderator())
    for slug in ("reopen", "house-player"):
        page = marta.get(act_url(game, slug)).content.decode()
        choice = page.partition('name="seat"')[2].partition("</select>")[0]
        options = [one.partition("</option>")[0] for one in choice.split("<option")[1:]]
        assert options[0].endswith(">-")
        assert f"Dora ({dora.colour}): absent since" in options[1]
        assert all(option.endswith(": playing") for option in options[2:])
        assert len(options) == 5


@pytest.mark.full
@pytest.mark.parametrize("slug", [*LEAVING, "default"])
def test_it_names_the_person_and_what_they_lose_before_it_is_done(game, slug):
    seat = asked(game)
    name, marta = seat.user.name, browser(moderator())
    form = shown_form(marta, game, slug) | {"reason": "Because.", "seat": str(seat.number)}
    form |= {"computer_player": "courtier"} if slug == "house-player" else {}
    answered = marta.post(act_url(game, slug), form)
    words = text_of(answered)
    assert answered.status_code == 200
    assert "Nothing has been done yet." in words
    assert f"{name} ({seat.colour}) is playing, but hasn't moved yet." in words
    assert ("loses" if slug != "default" else "won't be able to make this move any more") in words
    assert acts_text(game) == []
    done = marta.post(act_url(game, slug), form | previewed(answered), follow=True)
    assert re.search(rf"{name} \({seat.colour}\).* gets? an email\.", text_of(done))
    assert len(acts_text(game)) >= 1
    assert AuditLine.objects.get().person == seat.user


def test_when_they_moved_last(game):
    seat = asked(game)
    answer_of(game, seat)
    game.refresh_from_db()
    marta = browser(moderator())
    form = shown_form(marta, game, "reopen") | {"reason": "Because.", "seat": str(seat.number)}
    words = text_of(marta.post(act_url(game, "reopen"), form))
    assert f"{seat.user.name} ({seat.colour}) is playing. Their last move was on" in words


@pytest.mark.full
def test_whoever_sits_there_by_then_is_not_hit_in_their_place(game):
    clara, emil, marta = seat_of(game, "Clara"), person("Emil"), browser(moderator())
    seats.step_aside(game_id=game.pk, user=clara.user, now=timezone.now())
    page = act_url(game, "reopen")
    form = shown_form(marta, game, "reopen") | {"reason": "Gone.", "seat": str(clara.number)}
    shown = form | previewed(marta.post(page, form))
    seats.take_over(game_id=game.pk, number=clara.number, user=emil, now=timezone.now())
    answered = marta.post(page, shown)
    assert "The game has moved on since you opened this page." in text_of(answered)
    assert game.seats.get(number=clara.number).user == emil


@pytest.mark.full
def test_only_missed_deadlines_that_are_there_are_excused(game):
    marta = browser(moderator())
    answered = marta.get(act_url(game, "excuse"))
    assert "Nobody at this table has missed a deadline." in text_of(answered)
    clara = seat_of(game, "Clara")
    game.seats.filter(pk=clara.pk).update(missed=[False, True, True])
    page = marta.get(act_url(game, "excuse")).content.decode()
    assert page.count("<option", page.index('name="seat"'), page.index("</select>")) == 2
    marta_acts(game, "excuse", seat=clara.number)
    assert seat_of(game, "Clara").missed == []


class TestGivenBack:
    @pytest.mark.full
    @pytest.mark.parametrize("slug", ["reopen", "house-player"])
    def test_who_had_the_seat_plays_on(self, game, slug, smtp):
        clara = seat_of(game, "Clara")
        marta = browser(moderator())
        marta_acts(game, slug, seat=clara.number, computer_player="courtier")
        assert game.seats.get(pk=clara.pk).user is None
        form = shown_form(marta, game, "give-back")
        form |= {"reason": "Our mistake.", "seat": str(clara.number)}
        preview = marta.post(act_url(game, "give-back"), form)
        assert f"Clara ({clara.colour}) gets the seat back" in text_of(preview)
        assert "standing orders, drafts and notes aren't restored" in text_of(preview)
        done = marta.post(act_url(game, "give-back"), form | previewed(preview), follow=True)
        told = f"Clara ({clara.colour}) has the seat again. Everyone at the table gets an email."
        assert told in text_of(done)
        seat = game.seats.get(pk=clara.pk)
        assert (seat.user, seat.computer_player, seat.absent_since) == (clara.user, "", None)
        assert Sitting.objects.get(seat=seat).ended_at is None
        assert acts_text(game)[-1] == "SeatGivenBack"
        log = the_log(game)
        assert f"Clara gets the {clara.colour} seat back." in log
        assert "Our mistake." in log
        line = AuditLine.objects.order_by("pk").last()
        assert (line.action, line.person) == ("game.give-back", clara.user)
        assert line.before == ({"computer_player": "courtier"} if slug == "house-player" else {})
        delivery.drain(now=timezone.now())
        told = [mail.get_body(("plain",)).get_content() for mail in smtp.messages]
        assert any(f"Clara gets the {clara.colour} seat back." in text for text in told)
        self.play_to_the_end(game)
        assert Move.objects.filter(seat=seat, user=clara.user, cause="player").exists()
        assert not Event.objects.filter(game=game, cause="substitute").exists()
        assert verify_game(game.pk) == []

    def play_to_the_end(self, game):
        sample_games.decline_offers(game, timezone.now())
        while game.status == Game.Status.RUNNING:
            answer_of(game, asked(game))
            sample_games.decline_offers(game, timezone.now())

    @pytest.mark.full
    def test_days_off_are_as_they_were_and_what_is_void_stays_so(self, game):
        clara = seat_of(game, "Clara")
        later = timezone.now().date() + timedelta(days=9)
        seats.announce_days_off(
            game_id=game.pk, user=clara.user, first_day=later, last_day=later, now=timezone.now()
        )
        notes.keep_notes(game=game, user=clara.user, text="Hm", now=timezone.now())
        marta_acts(game, "reopen", seat=clara.number)
        marta_acts(game, "give-back", seat=clara.number)
        assert seat_of(game, "Clara").days_off_left == clara.days_off_left - 1
        assert DaysOff.objects.get().seat == clara
        assert not Note.objects.exists()
        assert not Draft.objects.exists()
        assert not Order.objects.exists()

    @pytest.mark.full
    def test_the_last_one_is_asked_again_where_the_game_was_dormant(self, game):
        for name in ("Anna", "Boris", "Clara"):
            user = seat_of(game, name).user
            seats.step_aside(game_id=game.pk, user=user, now=timezone.now())
        dora = seat_of(game, "Dora")
        marta_acts(game, "reopen", seat=dora.number)
        assert game.dormant_since is not None
        marta_acts(game, "give-back", seat=dora.number)
        assert game.dormant_since is None
        answered = browser(dora.user).get(game.get_absolute_url())
        assert answered.status_code == 200

    def test_nothing_is_given_back_while_nobody_left(self, game):
        page = text_of(browser(moderator()).get(act_url(game, "give-back")))
        assert "There's no seat at this table that can be given back." in page

    @pytest.mark.full
    def test_not_when_a_substitute_has_it(self, game):
        clara, emil, marta = seat_of(game, "Clara"), person("Emil"), browser(moderator())
        marta_acts(game, "reopen", seat=clara.number)
        shown = shown_form(marta, game, "give-back") | {"reason": "Back.", "seat": clara.number}
        now = timezone.now()
        request = GameRequest(game.pk, moderator("Nora"), "Back.", seen_now(game), now)
        seats.take_over(game_id=game.pk, number=clara.number, user=emil, now=now)
        assert marta.post(act_url(game, "give-back"), shown).status_code == 422
        with pytest.raises(Refused, match="moved on"):
            seat_actions.give_seat_back(request, seat=clara.number)
        with pytest.raises(Refused, match="nobody to give this seat back to"):
            seat_actions.give_seat_back(request._replace(seen=seen_now(game)), seat=clara.number)
        assert game.seats.get(pk=clara.pk).user == emil

    @pytest.mark.full
    def test_a_substitute_who_was_removed_gets_it_not_who_left_before(self, game):
        clara, emil = seat_of(game, "Clara"), person("Emil")
        seats.step_aside(game_id=game.pk, user=clara.user, now=timezone.now())
        seats.take_over(game_id=game.pk, number=clara.number, user=emil, now=timezone.now())
        marta_acts(game, "reopen", seat=clara.number)
        marta_acts(game, "give-back", seat=clara.number)
        assert game.seats.get(pk=clara.pk).user == emil
        assert f"You get the {clara.colour} seat back." in the_log(game, "Emil")

    @pytest.mark.full
    def test_not_to_who_may_not_play_or_not_with_somebody_there(self, game):
        clara, emil, nora = seat_of(game, "Clara"), person("Emil"), browser(moderator("Nora"))
        dora = seat_of(game, "Dora")
        for name in ("Clara", "Dora"):
            marta_acts(game, "reopen", seat=seat_of(game, name).number)
        seats.take_over(game_id=game.pk, number=dora.number, user=emil, now=timezone.now())
        blocks.block(user=emil, other_id=clara.user.pk, now=timezone.now())
        game.refresh_from_db()
        refused = act(nora, game, "give-back", seat=clara.number)
        assert "can't be seated with one of the current players" in text_of(refused)
        blocks.unblock(user=emil, other_id=clara.user.pk)
        marta_acts_on(clara.user, "ban")
        refused = act(nora, game, "give-back", seat=clara.number)
        assert "This person is suspended or banned." in text_of(refused)
        assert game.seats.get(pk=clara.pk).user is None

    @pytest.mark.full
    def test_who_gets_it_back_reads_the_private_talk_again(self):
        game = open_table("Anna", "Boris", "Clara", now=timezone.now(), press="private")
        clara = seat_of(game, "Clara")
        other = next(s for s in game.seats.all() if s.pk != clara.pk)
        said = whisper(game, other.number, clara.number, text="Psst!", now=timezone.now())
        thread = f"{game.get_absolute_url()}?talk={said.thread.token}"
        marta_acts(game, "house-player", seat=clara.number, computer_player="courtier")
        marta_acts(game, "give-back", seat=clara.number)
        assert "Psst!" in text_of(browser(clara.user).get(thread))
        whisper(game, clara.number, other.number, text="I'm back.", now=timezone.now())
        assert "I'm back." in text_of(browser(other.user).get(thread))


@pytest.mark.full
def test_everybody_at_the_table_is_told(game):
    clara = seat_of(game, "Clara")
    marta_acts(game, "reopen", seat=clara.number)
    marta_acts(game, "give-back", seat=clara.number)
    told = emailed("table_news", game)
    assert sorted(told) == ["Anna", "Anna", "Boris", "Boris", "Clara", "Clara", "Dora", "Dora"]


@pytest.mark.full
def test_that_email_to_a_player_is_rejected_is_said_before_and_after(game):
    anna, clara = seat_of(game, "Anna"), seat_of(game, "Clara")
    User.objects.filter(pk=clara.user.pk).update(
        refused_email=clara.user.email, refused_email_at=timezone.now(), refused_email_why="550"
    )
    nora = browser(moderator("Nora"))
    says = "Email to Clara is being rejected right now"
    listed = text_of(nora.get(act_url(game, "absent")))
    assert f"Clara ({clara.colour}): playing; email is being rejected" in listed
    assert f"Anna ({anna.colour}): playing; email" not in listed
    assert says not in listed
    assert says in text_of(nora.get(f"{act_url(game, 'absent')}?seat={clara.number}"))
    assert says not in text_of(nora.get(f"{act_url(game, 'absent')}?seat={anna.number}"))
    assert says in text_of(nora.get(act(nora, game, "absent", seat=clara.number).url))
    assert says in text_of(nora.get(act(nora, game, "reopen", seat=clara.number).url))
    assert says in text_of(nora.get(f"{act_url(game, 'give-back')}?seat={clara.number}"))


@pytest.mark.parametrize("left", [SeatReopened, HousePlayerSat])
def test_what_time_settles_counts_for_nobody_until_the_seat_is_given_back(left):
    told = [
        OfferReplied(1, 1, 0, {}, "accepted"),
        left(0),
        PromiseJudged(0, 1, 0, {}, "broken", in_return=False),
        SeatGivenBack(0),
        PromiseJudged(0, 1, 0, {}, "kept", in_return=False),
    ]
    rows = []
    for seq, event in enumerate(told, 1):
        fields = encode_table_event(event)
        kind = fields.pop("kind")
        rows.append(
            EventRow(seq=seq, phase_no=1, kind=kind, payload=fields, cause="rules", at=NOON)
        )
    assert [judged.is_present for judged in judged_in(rows)] == [False, True]
