"""What somebody did stays theirs, on every page and in every email, after a substitute sat down."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.engine import Bribe
from games.engine.promises import Pay, Promise, SendNobody
from games.models import Cause, Game, OutboxEmail, Sitting, User
from games.services.accounts import account
from games.services.accounts.queries.home import read_home
from games.services.chat import messages, thread_queries
from games.services.chat.queries import messages_of
from games.services.email import delivery
from games.services.game import interventions, seats
from games.services.game.position import read_position
from games.services.game.queries.ending import read_ending
from games.services.game.queries.game_page import read_page
from games.services.game.queries.promise_ledger import LedgerPage, Tally, read_ledger
from games.services.game.queries.promises import read_promises
from games.services.game.writer import Writer
from tests.support.client import browser, person, text_of
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
    rivals_table,
    sitter,
    state_of,
)
from tests.support.sent_emails import plain_text
from tests.support.tables import MONDAY, submit_move
from tests.support.whispering import offers_privately, page_of, replies_privately

pytestmark = pytest.mark.django_db

MOST = 15
"""As many queries a page may make as tests/pages/test_queries.py allows."""

LATER = MONDAY + timedelta(hours=1)
LATEST = MONDAY + timedelta(hours=2)


def replaced(game: Game, seat: int, substitute: str = "Nils") -> tuple[User, User]:
    """Who leaves a seat, and who takes it over."""
    leaver, newcomer = sitter(game, seat), person(substitute)
    seats.step_aside(game_id=game.pk, user=leaver, now=LATER)
    seats.take_over(game_id=game.pk, user=newcomer, number=seat, now=LATER)
    game.refresh_from_db()
    return leaver, newcomer


def betrayed(game: Game) -> tuple[int, int]:
    """The owner has promised the other an area in front of all, and broken that; both seats."""
    other, owner, _third = in_order(game)
    replies(game, other, offers(game, owner, place_for(game)))
    moves(game, bribed(game), placed(game, 3000, TEN))
    return owner, other


def betrayed_privately(game: Game) -> tuple[int, int]:
    other, owner, _third = in_order(game)
    replies_privately(game, other, offers_privately(game, owner, place_for(game)))
    moves(game, bribed(game), placed(game, 3000, TEN))
    return owner, other


def tallies(ledger: LedgerPage) -> dict[tuple[str, str], Tally]:
    """What is in the matrix, by who promised and to whom."""
    return {
        (row.name, name): cell
        for row in ledger.matrix
        for name, cell in zip(ledger.columns, row.cells, strict=True)
        if cell not in (None, Tally(0, 0, 0))
    }


class TestTheLedger:
    def test_who_broke_a_promise_before_leaving_broke_it(self):
        game = bribing_table()
        owner, other = betrayed(game)
        victim = sitter(game, other).name
        leaver, substitute = replaced(game, owner)
        ledger = read_ledger(game, substitute)
        [settled] = ledger.settled
        assert (settled.name, settled.other, settled.cause) == (leaver.name, victim, "")
        assert settled.deed.startswith(f"{leaver.name} hires")
        assert settled.text == settled.terms
        assert settled.text.startswith(f"{settled.deed[:-1]} if {victim} pays at least")
        assert tallies(ledger) == {(leaver.name, victim): Tally(0, 1, 0)}
        assert "Nils" in [row.name for row in ledger.matrix]

    def test_to_whom_it_was_broken_stays_who_sat_there(self):
        game = bribing_table()
        owner, other = betrayed(game)
        victim, _substitute = replaced(game, other)
        ledger = read_ledger(game, None)
        assert ledger.settled[0].other == victim.name
        assert tallies(ledger) == {(sitter(game, owner).name, victim.name): Tally(0, 1, 0)}

    def test_what_a_substitute_does_about_an_inherited_promise_names_both(self):
        game = bribing_table()
        other, owner, _third = in_order(game)
        replies(game, other, offers(game, owner, place_for(game)))
        leaver, _substitute = replaced(game, owner)
        moves(game, bribed(game), placed(game, 3000, TEN), now=LATEST)
        ledger = read_ledger(game, None)
        [settled] = ledger.settled
        assert settled.text.startswith(f"{leaver.name} hires")
        assert settled.cause == f"Nils, bound by {leaver.name}'s promise from round 1"
        victim = sitter(game, other).name
        assert tallies(ledger) == {(f"Nils, for {leaver.name}", victim): Tally(0, 1, 0)}
        page = browser(sitter(game, other)).get(f"{game.get_absolute_url()}history/")
        assert f"(Nils, bound by {leaver.name}'s promise from round 1)" in text_of(page)

    def test_an_own_promise_of_the_substitute_is_theirs(self):
        game = bribing_table()
        other, owner, _third = in_order(game)
        replaced(game, owner)
        made = offers(game, owner, place_for(game), now=LATER)
        replies(game, other, made, now=LATER)
        moves(game, bribed(game), placed(game, 3000, TEN), now=LATEST)
        [settled] = read_ledger(game, None).settled
        assert (settled.name, settled.cause) == ("Nils", "by the substitute")
        assert settled.text.startswith("Nils hires")

    def test_somebody_without_an_account_has_left(self):
        game = bribing_table()
        owner, _other = betrayed(game)
        leaver, _substitute = replaced(game, owner)
        leaver.delete()
        [settled] = read_ledger(game, None).settled
        assert settled.name == "Someone who has left"

    def test_a_new_name_counts_for_what_was_done_under_the_old_one(self):
        game = bribing_table()
        owner, _other = betrayed(game)
        leaver, _substitute = replaced(game, owner)
        User.objects.filter(pk=leaver.pk).update(name="Otto", name_key="otto")
        assert read_ledger(game, None).settled[0].name == "Otto"

    def test_the_player_before_a_computer_player_keeps_what_they_did(self):
        game = bribing_table()
        owner, _other = betrayed(game)
        leaver = sitter(game, owner).name
        game = Game.objects.get(pk=game.pk)
        writer = Writer(game, LATER)
        interventions.seat_computer_player(writer, writer.seats[owner], "courtier", Cause.MODERATOR)
        writer.go_on()
        writer.commit()
        game.refresh_from_db()
        assert read_ledger(game, None).settled[-1].name == leaver


class TestOpenPromises:
    def test_what_a_substitute_owes_from_the_leaver_names_both(self):
        game = bribing_table()
        other, owner, _third = in_order(game)
        replies(game, other, offers(game, owner, place_for(game)))
        leaver, substitute = replaced(game, owner)
        [owed] = read_promises(read_position(game, substitute)).own
        assert owed.text.startswith("You hire")
        assert owed.heirs == [f"you, bound by {leaver.name}'s promise from round 1"]
        page = browser(sitter(game, other)).get(game.get_absolute_url())
        assert f"Nils, bound by {leaver.name}'s promise from round 1" in text_of(page)

    @pytest.mark.full
    def test_the_promise_of_somebody_who_deleted_their_account_has_no_heir_yet(self):
        game = bribing_table()
        other, owner, _third = in_order(game)
        replies(game, other, offers(game, owner, place_for(game)))
        account.delete_account(sitter(game, owner), LATER)
        game.refresh_from_db()
        [owed] = read_promises(read_position(game, sitter(game, other))).owed
        assert owed.heirs == []
        assert browser(sitter(game, other)).get(game.get_absolute_url()).status_code == 200

    def test_an_offer_that_the_leaver_made_is_theirs(self):
        game = bribing_table()
        other, owner, _third = in_order(game)
        offers(game, owner, place_for(game))
        leaver, _substitute = replaced(game, owner)
        [offer] = read_promises(read_position(game, sitter(game, other))).to_me
        assert offer.heirs == [f"Nils, taking over {leaver.name}'s offer from round 1"]

    def test_once_accepted_of_a_substitute_it_is_the_substitutes(self):
        game = bribing_table()
        other, owner, _third = in_order(game)
        made = offers(game, owner, place_for(game))
        _leaver, substitute = replaced(game, owner)
        replies(game, other, made, now=LATEST)
        [owed] = read_promises(read_position(game, substitute)).own
        assert owed.heirs == []

    @pytest.mark.full
    def test_a_private_one_names_both_to_those_who_know_it_and_is_nowhere_else(self):
        game = bribing_table(press="private")
        other, owner, third = in_order(game)
        replies_privately(game, other, offers_privately(game, owner, place_for(game)))
        leaver, substitute = replaced(game, owner)
        heir = f"you, bound by {leaver.name}'s promise from round 1"
        [owed] = read_promises(read_position(game, substitute)).own
        assert owed.heirs == [heir]
        moves(game, bribed(game), placed(game, 3000, TEN), now=LATEST)
        for reader in (sitter(game, third), leaver, None):
            ledger = read_ledger(game, reader)
            assert ledger.settled == []
            assert [row.name for row in ledger.matrix] == read_position(game, reader).people.names
            assert ledger.columns == read_position(game, reader).people.names
        assert read_ledger(game, substitute).settled[0].cause == heir
        thread = game.threads.get()
        [verdict] = thread_queries.read_thread(game, thread, substitute, "UTC").lines
        assert verdict.deal.startswith("You have broken a promise")
        assert verdict.deal.endswith(f"({heir})")


class TestConversations:
    @pytest.mark.full
    def test_offers_replies_and_verdicts_name_who_sat_there_and_whose_turn_it_was(self):
        game = bribing_table(press="private")
        owner, other = betrayed_privately(game)
        leaver, _substitute = replaced(game, owner)
        thread = game.threads.get()
        page = thread_queries.read_thread(game, thread, sitter(game, other), "UTC")
        offer, reply, verdict = page.lines
        assert offer.deal.startswith(f"{leaver.name} offers you: ")
        assert reply.deal.startswith(f"You accept {leaver.name}'s offer")
        assert verdict.deal.startswith(f"{leaver.name} promised to ")
        assert verdict.name == ""
        assert {line.when for line in page.lines} == {f"round 1, {leaver.name}'s turn"}
        shown = text_of(browser(sitter(game, other)).get(page_of(thread)))
        assert re.search(rf"{leaver.name} promised to [^.]*, but broke that promise\.", shown)
        assert "Nils promised" not in shown
        assert "Someone who has left, " not in shown

    def test_a_message_in_the_chat_says_whose_turn_it_was(self):
        game = bribing_table()
        _other, owner, third = in_order(game)
        messages.say(
            game_id=game.pk, user=sitter(game, third), text="Hi", token=uuid4(), now=MONDAY
        )
        leaver, _substitute = replaced(game, owner)
        messages.say(
            game_id=game.pk, user=sitter(game, third), text="Ho", token=uuid4(), now=LATEST
        )
        after, before = messages_of(game, None)
        assert before.when == f"round 1, {leaver.name}'s turn"
        assert after.when == "round 1, Nils's turn"

    @pytest.mark.full
    def test_email_about_a_broken_promise_names_who_broke_it_and_no_author(self, smtp):
        game = bribing_table(press="private")
        owner, other = betrayed_privately(game)
        leaver, _substitute = replaced(game, owner)
        OutboxEmail.objects.exclude(kind="private_message", person=sitter(game, other)).delete()
        delivery.drain(now=LATEST)
        [text] = [plain_text(one) for one in smtp.messages]
        assert "Someone who has left" not in text
        assert f" round 1, {leaver.name}'s turn, Mon 2 Mar" in text
        verdict = rf"[^,] round 1, {leaver.name}'s turn, [^()]+\(\S+\): {leaver.name} promised to "
        assert re.search(verdict, text)
        assert "Nils promised" not in text

    @pytest.mark.full
    def test_email_about_a_promise_broken_in_front_of_all_names_who_broke_it(self, smtp):
        game = bribing_table()
        owner, _other = betrayed(game)
        leaver, _substitute = replaced(game, owner)
        OutboxEmail.objects.exclude(kind="promise_broken").delete()
        delivery.drain(now=LATEST)
        [text] = [plain_text(one) for one in smtp.messages]
        assert f"{leaver.name} promised to hire your" in text
        assert "Nils promised" not in text


@pytest.mark.full
class TestLists:
    def test_my_games_tell_who_did_the_last_thing(self):
        game = bribing_table()
        other, _owner, third = in_order(game)
        moves(game, bribed(game))
        leaver, substitute = replaced(game, other)
        for reader in (substitute, sitter(game, third)):
            [line] = read_home(reader, LATER).running
            assert line.last.startswith(f"{leaver.name} pays 4,000")

    def test_the_end_of_a_game_counts_what_each_person_kept_and_broke(self):
        game = bribing_table()
        owner, other = betrayed(game)
        leaver, substitute = replaced(game, owner)
        own = Promise(owner, other, SendNobody(None, 1))
        replies(game, other, offers(game, owner, own, now=LATEST), now=LATEST)
        while game.status == Game.Status.RUNNING:
            moves(game, None, now=LATEST)
        caches["process"].clear()
        position = read_position(game, substitute)
        ending = read_ending(position, game.events.count())
        assert [(word.name, word.broken) for word in ending.words][:1] == [(leaver.name, 1)]
        assert sum(word.kept + word.broken for word in ending.words if word.name == "Nils") == 1


class TestWhoLeft:
    @pytest.mark.full
    def test_a_player_who_stepped_aside_reads_who_has_their_seat(self):
        game = bribing_table()
        _other, owner, _third = in_order(game)
        leaver, substitute = replaced(game, owner)
        text = "You stepped aside in round 1; Nils has your seat now."
        assert text in text_of(browser(leaver).get(game.get_absolute_url()))
        for reader in (substitute, person("Paul")):
            assert "has your seat" not in text_of(browser(reader).get(game.get_absolute_url()))

    def test_a_player_whose_seat_was_given_away_is_not_said_to_have_stepped_aside(self):
        game = Game.objects.get(pk=bribing_table().pk)
        _other, owner, _third = in_order(game)
        leaver = sitter(game, owner)
        writer = Writer(game, LATER)
        interventions.reopen_seat(writer, writer.seats[owner], Cause.MODERATOR)
        writer.go_on()
        writer.commit()
        game.refresh_from_db()
        assert read_page(game, leaver, "UTC", LATER).left_seat == "You lost your seat in round 1."
        seats.take_over(game_id=game.pk, user=person("Nils"), number=owner, now=LATEST)
        game.refresh_from_db()
        assert (
            read_page(game, leaver, "UTC", LATEST).left_seat
            == "You lost your seat in round 1; Nils has it now."
        )


@pytest.mark.full
def test_a_sealed_bribe_is_the_deed_of_the_hand_that_handed_it_in():
    """Also where somebody else has the seat when the bribes are opened."""
    game = rivals_table(options={"bribing": "simultaneous"})
    first, _second, owner = in_order(game)
    mine = next(one for one in state_of(game).contenders if one.owner == first)
    promise = Promise(first, owner, Pay(mine, 9000))
    replies(game, owner, offers(game, first, promise))
    few = Bribe(tuple((one, 1000) for one in state_of(game).contenders if one.owner == first))
    assert submit_move(game, sitter(game, first), MONDAY, few).played
    leaver, _substitute = replaced(game, first)
    moves(game, None, now=LATEST)
    [settled] = read_ledger(game, None).settled
    assert (settled.verdict, settled.name) == ("broken", leaver.name)
    while game.status == Game.Status.RUNNING:
        moves(game, None, now=LATEST)
    counted = Sitting.objects.filter(seat__game=game, seat__number=first)
    assert list(counted.values_list("promises_broken", flat=True)) == [1, 0]


@pytest.mark.full
def test_the_pages_ask_no_more_than_a_few_times_more_often_where_somebody_left():
    """However much was promised before, in front of all and privately."""
    game = bribing_table(press="private")
    other, owner, third = in_order(game)
    replies(game, other, offers(game, owner, place_for(game)))
    replies_privately(
        game, third, offers_privately(game, owner, Promise(owner, third, SendNobody(None, 2)))
    )
    leaver, substitute = replaced(game, owner)
    asked = {}
    for reader in (leaver, substitute, sitter(game, other)):
        client = browser(reader)
        for page in ("", "promises/", "?talk=new"):
            assert client.get(f"{game.get_absolute_url()}{page}").status_code == 200
            with CaptureQueriesContext(connection) as captured:
                client.get(f"{game.get_absolute_url()}{page}")
            asked[reader.name, page] = len(captured)
    assert max(asked.values()) <= MOST
