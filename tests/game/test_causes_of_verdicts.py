"""The decision behind a verdict: how it is marked, and whom it counts for (days 6, 25 and 27)."""

import re
from datetime import datetime, timedelta

import pytest

from games.engine import Bribe, Judge, Scholar, Send, Stage
from games.engine.promises import GiveArea, Keep, Pay, PlaceIn, Promise, SendNobody, Verdict
from games.engine.record import adjudicate
from games.models import Cause, Game, Miss, OutboxEmail, Seat, Sitting
from games.services.accounts.queries.profile import read_person
from games.services.email.promise_emails import promise_broken
from games.services.game import interventions, seats
from games.services.game.offers import as_stored, offers_from_events
from games.services.game.queries.promise_ledger import Tally, read_ledger
from games.services.game.records import game_record
from games.services.game.replay import event_rows, rule_event
from games.services.game.verify import verify_game
from games.services.game.writer import Writer
from games.services.operations import clock
from games.services.refused import Refused
from tests.support.client import browser, person, text_of
from tests.support.promising import (
    TEN,
    bribed,
    bribing_table,
    entry_of,
    in_order,
    moves,
    offers,
    placed,
    replies,
    rivals_table,
    sitter,
    state_of,
)
from tests.support.tables import DAY, MONDAY, leave, open_table, submit_move, tick
from tests.support.whispering import deals, offers_privately, replies_privately
from tests.support.whispering import entry_of as private_entry_of

pytestmark = pytest.mark.django_db


def promises(game: Game, promise: Promise, now: datetime = MONDAY) -> int:
    """The promise is offered and accepted; the number of the event."""
    made = offers(game, promise.seat, promise, now=now)
    replies(game, promise.to, made, now=now)
    return made


def play_to_the_end(game: Game) -> None:
    game.refresh_from_db()
    while game.status == Game.Status.RUNNING:
        moves(game, None, now=MONDAY + 30 * DAY)


def counts(game: Game, seat: int) -> list[tuple[int, int, int | None]]:
    """Kept, broken and let pass of each who sat there, once the game is over."""
    play_to_the_end(game)
    rows = Sitting.objects.filter(seat__game=game, seat__number=seat)
    return list(rows.values_list("promises_kept", "promises_broken", "promises_let_pass"))


def verdicts(game: Game) -> list[tuple[str, str]]:
    """What was judged in front of all, and by whose decision."""
    judged = game.events.filter(kind="PromiseJudged").order_by("seq")
    return list(judged.values_list("payload__verdict", "cause"))


def deadline_passes(game: Game, at: datetime = MONDAY + 2 * DAY) -> None:
    tick(at)
    clock.sweep(now=at)
    game.refresh_from_db()


class TestSealedBribes:
    """Judged when they are opened, by the cause of the hand-in."""

    @pytest.fixture
    def game(self) -> Game:
        tick(MONDAY)
        return rivals_table(options={"bribing": "simultaneous"})

    def hands_in(self, game: Game, seat: int, amount: int) -> None:
        mine = [one for one in state_of(game).contenders if one.owner == seat]
        bribe = Bribe(tuple((one, amount) for one in mine))
        assert submit_move(game, sitter(game, seat), MONDAY, bribe).played

    def promised(self, game: Game) -> Promise:
        first, _second, owner = in_order(game)
        mine = next(one for one in state_of(game).contenders if one.owner == first)
        return Promise(first, owner, Pay(mine, 4000))

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("amount", "verdict", "counted"), [(5000, "kept", (1, 0, 0)), (1000, "broken", (0, 1, 0))]
    )
    @pytest.mark.parametrize("last", [True, False])
    def test_by_hand(self, game, amount, verdict, counted, last):
        first, second, _owner = in_order(game)
        promises(game, self.promised(game))
        order = [(second, 1000), (first, amount)]
        for seat, paid in order if last else order[::-1]:
            self.hands_in(game, seat, paid)
        assert verdicts(game) == [(verdict, Cause.PLAYER)]
        assert counts(game, first) == [counted]
        assert verify_game(game.pk) == []

    @pytest.mark.full
    def test_by_the_clock(self, game):
        first, second, owner = in_order(game)
        promises(game, self.promised(game))
        promises(game, Promise(second, owner, Pay(None, 2000)))
        self.hands_in(game, second, 2000)
        deadline_passes(game)
        assert sorted(verdicts(game)) == [("broken", Cause.CLOCK), ("kept", Cause.PLAYER)]
        assert counts(game, first) == [(0, 0, 1)]
        assert counts(game, second) == [(1, 0, 0)]

    @pytest.mark.full
    def test_by_a_substitute(self, game):
        first, second, owner = in_order(game)
        leave(game, sitter(game, second).name)
        game.refresh_from_db()
        # The default has handed in for the empty seat; whoever sits down then promises no more.
        later = MONDAY + timedelta(hours=1)
        seats.take_over(game_id=game.pk, number=second, user=person("Dora"), now=later)
        with pytest.raises(Refused):
            offers(game, second, Promise(second, owner, Pay(None, 2000)), now=later)
        leave(game, sitter(game, owner).name, now=later)
        promise = self.promised(game)
        seats.take_over(game_id=game.pk, number=owner, user=person("Emil"), now=later)
        promises(game, promise, now=later)
        self.hands_in(game, first, 4000)
        assert verdicts(game) == [("kept", Cause.PLAYER)]

    def test_one_that_is_handed_in_is_offered_no_more(self, game):
        first, second, owner = in_order(game)
        self.hands_in(game, first, 5000)
        with pytest.raises(Refused):
            offers(game, first, Promise(first, owner, Pay(None, 5000)))
        with pytest.raises(Refused):
            offers_privately(game, first, Promise(first, owner, Pay(None, 5000)))
        assert offers(game, second, Promise(second, owner, Pay(None, 5000)))


@pytest.mark.full
class TestTheGivenArea:
    def game(self) -> Game:
        tick(MONDAY)
        game = bribing_table()
        other, owner, _third = in_order(game)
        promises(game, Promise(owner, other, GiveArea(6000)))
        moves(game, bribed(game))
        return game

    def test_by_hand(self):
        game = self.game()
        moves(game, placed(game, TEN, 1000))
        assert verdicts(game) == [("kept", Cause.PLAYER)]
        assert counts(game, in_order(game)[1]) == [(1, 0, 0)]

    def test_by_the_clock(self):
        game = self.game()
        deadline_passes(game)
        assert verdicts(game) == [("kept", Cause.CLOCK)]
        assert counts(game, in_order(game)[1]) == [(0, 0, 0)]


@pytest.mark.full
class TestTime:
    """What a round settles counts for whoever promised it, if they are there."""

    def test_of_a_substitute(self):
        game = bribing_table()
        _other, owner, third = in_order(game)
        later = MONDAY + timedelta(hours=1)
        leave(game, sitter(game, owner).name, now=later)
        seats.take_over(game_id=game.pk, number=owner, user=person("Dora"), now=later)
        promises(game, Promise(owner, third, SendNobody(1, 1)), now=later)
        assert counts(game, owner) == [(0, 0, 0), (1, 0, 0)]

    def test_of_somebody_absent(self):
        game = bribing_table()
        _other, owner, third = in_order(game)
        promises(game, Promise(owner, third, SendNobody(1, 2)))
        leave(game, sitter(game, owner).name, now=MONDAY + timedelta(hours=1))
        assert counts(game, owner) == [(0, 0, 0)]

    def test_of_somebody_who_came_back(self):
        game = bribing_table()
        _other, owner, third = in_order(game)
        promises(game, Promise(owner, third, SendNobody(1, 1)))
        later = MONDAY + timedelta(hours=1)
        user = sitter(game, owner)
        leave(game, user.name, now=later)
        seats.come_back(game_id=game.pk, user=user, now=later)
        assert counts(game, owner) == [(1, 0, 0)]


@pytest.mark.full
class TestLetPass:
    """What the clock breaks counts beside kept and broken, after a missed deadline only."""

    @pytest.fixture
    def game(self) -> Game:
        """The owner has promised the ten to whoever pays less: the default breaks that."""
        tick(MONDAY)
        game = bribing_table()
        other, owner, _third = in_order(game)
        second = state_of(game).contenders[1]
        promises(game, Promise(owner, other, PlaceIn(second, TEN, None)))
        return game

    def test_after_a_missed_deadline(self, game):
        owner = in_order(game)[1]
        moves(game, bribed(game))
        deadline_passes(game)
        assert verdicts(game) == [("broken", Cause.CLOCK)]
        assert tally(game, owner) == Tally(kept=0, broken=0, let_pass=1)
        assert counts(game, owner) == [(0, 0, 1)]

    def test_also_where_the_second_one_makes_the_seat_absent(self, game):
        owner = in_order(game)[1]
        Seat.objects.filter(game=game, number=owner).update(missed=[True])
        moves(game, bribed(game))
        deadline_passes(game)
        assert game.events.filter(kind="SeatAbsent").exists()
        assert counts(game, owner) == [(0, 0, 1)]

    def test_not_after_one_that_counts_as_none(self, game):
        owner = in_order(game)[1]
        moves(game, bribed(game))
        Seat.objects.filter(game=game, number=owner).update(full_time=False)
        deadline_passes(game)
        assert verdicts(game) == [("broken", Cause.CLOCK)]
        assert tally(game, owner) == Tally(kept=0, broken=1, let_pass=0)
        assert counts(game, owner) == [(0, 0, 0)]

    def test_not_after_one_that_was_excused(self, game):
        owner = in_order(game)[1]
        moves(game, bribed(game))
        deadline_passes(game)
        Miss.objects.filter(seat__game=game, seat__number=owner).delete()
        assert counts(game, owner) == [(0, 0, 0)]

    def test_not_for_who_stepped_aside_nor_for_the_moderator_who_called_the_default(self, game):
        owner = in_order(game)[1]
        moves(game, bribed(game))
        writer = Writer(Game.objects.lock(game.pk), MONDAY)
        interventions.call_default(writer, writer.seats[owner], Cause.MODERATOR)
        writer.commit()
        assert verdicts(game) == [("broken", Cause.MODERATOR)]
        assert counts(game, owner) == [(0, 0, 0)]

    def test_not_where_nobody_is_waited_for(self, game):
        owner = in_order(game)[1]
        moves(game, bribed(game))
        leave(game, sitter(game, owner).name)
        assert verdicts(game) == [("broken", Cause.CLOCK)]
        assert counts(game, owner) == [(0, 0, 0)]

    def test_not_for_a_substitute_who_inherited_it(self, game):
        owner = in_order(game)[1]
        later = MONDAY + timedelta(hours=1)
        leave(game, sitter(game, owner).name, now=later)
        seats.take_over(game_id=game.pk, number=owner, user=person("Dora"), now=later)
        moves(game, bribed(game), now=later)
        deadline_passes(game, MONDAY + 3 * DAY)
        assert verdicts(game) == [("broken", Cause.CLOCK)]
        assert Miss.objects.filter(seat__game=game, user__name="Dora").exists()
        assert counts(game, owner) == [(0, 0, 0), (0, 0, 0)]

    def test_pages_and_email_say_so(self, game):
        owner, other = in_order(game)[1], in_order(game)[0]
        moves(game, bribed(game))
        deadline_passes(game)
        reader = browser(sitter(game, other))
        page = text_of(reader.get(f"{game.get_absolute_url()}promises/"))
        assert "✓ 0 ✗ 0 ○ 1" in page
        assert "○ let pass (by the clock)" in page
        assert "the default move broke the promise after a missed deadline" in page
        log = text_of(reader.get(f"{game.get_absolute_url()}history/"))
        assert re.search(
            r"promised to [^()]*, but let the deadline pass\. [^()]*\(by the clock\) let pass", log
        )
        email = OutboxEmail.objects.get(game=game, kind="promise_broken")
        name, told = sitter(game, owner).name, promise_broken(email, None)
        assert told["headline"] == f"{name} missed the deadline, so a promise to you wasn't kept"
        assert f" {name} missed the deadline. " in told["what"]
        play_to_the_end(game)
        facts = read_person(sitter(game, owner), sitter(game, owner), MONDAY).facts
        assert facts[-1] == (
            "Promises kept: 0. Promises broken: 0. "
            "Promises not kept because of a missed deadline: 1."
        )
        assert "Kept Broken Let pass" in text_of(reader.get(game.get_absolute_url()))

    def test_a_game_that_ended_before_keeps_its_counts(self, game):
        owner = in_order(game)[1]
        moves(game, bribed(game))
        deadline_passes(game)
        play_to_the_end(game)
        Sitting.objects.filter(seat__game=game).update(promises_let_pass=None)
        game.refresh_from_db()
        assert tally(game, owner) == Tally(kept=0, broken=1, let_pass=0)


def tally(game: Game, seat: int) -> Tally | None:
    """What the seat kept, broke and let pass to the first player."""
    return read_ledger(game, None).matrix[seat].cells[in_order(game)[0]]


@pytest.mark.full
class TestForcedChoices:
    """The server plays them by itself, and breaks nothing by it."""

    def game(self, **more: object) -> tuple[Game, Scholar]:
        """A clerk of the first player has an area at the second's, and its twin is sent there."""
        game = open_table("Anna", "Boris", "Clara", **more)
        first, second, third = in_order(game)
        clerk = named(game, first, "clerk", 2)
        moves(game, Send(((clerk, second), (named(game, first, "doctor", 1), third))))
        while state_of(game).active != first or state_of(game).stage is not Stage.SENDING:
            moves(game, None)
        assert clerk in state_of(game).palaces[second]
        return game, clerk

    def attack(self, game: Game) -> None:
        first, second, third = in_order(game)
        attacker = named(game, first, "clerk", 1)
        rest = next(one for one in state_of(game).unsent[first] if one.occupation != 3)
        moves(game, Send(((attacker, second), (rest, third))))
        while attacker in (state := state_of(game)).applicants[second]:
            if state.stage is Stage.JUDGEMENT and attacker in state.contenders:
                return
            moves(game, None)

    def test_of_twins_the_lower_number_wins(self):
        game, _clerk = self.game()
        self.attack(game)
        hired = game.events.filter(kind="ScholarHired").latest("seq")
        assert rule_event(hired).scholar == named(game, in_order(game)[0], "clerk", 1)
        assert hired.cause == Cause.RULES

    def test_where_one_of_them_was_promised_something_the_owner_chooses(self):
        game, clerk = self.game()
        first, second, _third = in_order(game)
        made = promises(game, Promise(second, first, Keep(clerk, 2)))
        self.attack(game)
        assert state_of(game).stage is Stage.JUDGEMENT
        assert entry_of(game, made).verdict is Verdict.PENDING
        moves(game, Judge(clerk))
        assert counts(game, second) == [(1, 0, 0)]

    def test_a_private_promise_changes_nothing_and_is_void(self):
        game, clerk = self.game(press="private", threads_published=True)
        first, second, _third = in_order(game)
        made = offers_privately(game, second, Promise(second, first, Keep(clerk, 2)))
        replies_privately(game, first, made)
        self.attack(game)
        assert clerk in state_of(game).island
        assert private_entry_of(made).verdict is Verdict.VOID
        assert deals(made) == ["OfferMade", "OfferReplied", "PromiseJudged"]
        assert verify_game(game.pk) == []
        assert counts(game, second) == [(0, 0, 0)]
        record = game_record(game, sitter(game, first))
        assert record["promises"][0]["private"] is True
        [told] = adjudicate(record)[0]["promises"]
        assert told["verdict"] == "void"


def named(game: Game, seat: int, occupation: str, number: int) -> Scholar:
    table = state_of(game).table
    return table.scholars[f"{table.players[seat]}-{occupation}-{number}"]


@pytest.mark.full
def test_what_was_told_stands_whatever_would_be_told_today():
    game = bribing_table()
    other, owner, third = in_order(game)
    promises(game, Promise(owner, other, SendNobody(None, 1)))
    promises(game, Promise(owner, third, SendNobody(1, 1)))
    play_to_the_end(game)
    rows = event_rows(game)
    judged = [row for row in rows if row.kind == "PromiseJudged"]
    assert as_stored(offers_from_events(rows), state_of(game).table) == game.ledger
    otherwise = [
        row._replace(payload={**row.payload, "verdict": "void"}) if row in judged else row
        for row in rows
    ]
    told = offers_from_events(otherwise).ledger
    assert [entry.verdict for entry in told] == [Verdict.VOID, Verdict.VOID]
    untold = [row for row in rows if row not in judged]
    assert [entry.verdict for entry in offers_from_events(untold).ledger] == [Verdict.PENDING] * 2
