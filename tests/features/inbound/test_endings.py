"""What follows a command below an empty line, and what "yes" is for."""

import pytest

from games.features.inbound.commands.lines import Command
from games.features.inbound.letters.endings import is_ending, without_footer
from games.models import InboundEmail, OutboxEmail, User
from tests.features.inbound.endings import ENDINGS, WORDS
from tests.features.inbound.quotations import QUOTATIONS
from tests.features.inbound.replying import confirmed, lines, reply
from tests.features.inbound.test_commands import CLERK, read
from tests.features.inbound.test_talk import emailed
from tests.support import promising

BRIBE = "bribe clerk 4000, doctor 1000"
NAMES = ["Anna Schmidt"]


@pytest.mark.sample(13)
@pytest.mark.parametrize("ending", ENDINGS)
def test_an_ending_is_known(ending):
    meant = read(f"bribe clerk 4000\n\n{ending}")
    assert meant.commands == CLERK
    assert not meant.is_alike
    assert is_ending(meant.rest, NAMES)


@pytest.mark.parametrize("words", WORDS)
def test_what_may_have_been_meant_is_no_ending(words):
    assert not is_ending(words, NAMES)


@pytest.mark.parametrize("rest", ["Accept my thanks!", "Thanks\n\nhelp yourself", "say: hello"])
def test_what_begins_with_the_word_of_a_command_is_known(rest):
    assert read(f"bribe clerk 4000\n\n{rest}").is_alike


def test_a_message_loses_what_programs_put_below_it_and_nothing_else():
    for footer in ("Von meinem iPhone gesendet", "https://acme.example", "FairEmail"):
        assert without_footer(f"Hello!\n\n{footer}") == "Hello!"
    for words in ("Thanks!", "I sent you an email, Boris", "Anna", "Why not Outlook?"):
        assert without_footer(f"Hello!\n\n{words}") == f"Hello!\n\n{words}"
    assert without_footer("Sent from my iPhone") == "Sent from my iPhone"


INVISIBLE = (
    "help\u200b", "\ufeffhelp", "\u200ehelp", "*help*", "“help”", "„help“", "«help»", "'help'.",
    "_help_", "- help", "• help", "he\u00adlp", "`help`", "help…",
)  # fmt: skip


@pytest.mark.parametrize("text", INVISIBLE)
def test_what_cant_be_seen_or_decorates_a_line_makes_no_difference(text):
    assert read(text) == [Command("help")]
    assert read(text.replace("he", "bribe cle").replace("lp", "rk 4,000")) == CLERK


def test_letters_that_are_written_as_two_are_one():
    assert read("besta\u0308tigen", "de") == read("bestätigen", "de")


@pytest.mark.django_db
class TestAtATable:
    @pytest.fixture
    def game(self):
        game = promising.bribing_table()
        for seat in game.seats.select_related("user"):
            confirmed(seat.user, replies_at_once=True)
        OutboxEmail.objects.all().delete()
        return game

    @pytest.fixture
    def name(self, game):
        return promising.sitter(game, promising.in_order(game)[0]).name

    def asking_first(self, name):
        User.objects.filter(name=name).update(replies_at_once=False)

    def test_a_move_above_an_ending_is_played_and_the_ending_quoted(self, game, name):
        phase = game.phase_no
        text = f"{BRIBE}\n\nVon meinem iPhone gesendet\n\n{QUOTATIONS['Samsung, fr']}"
        row = reply(game, name, text)
        assert row.response["title"] == "done"
        assert "was not read: “Von meinem iPhone gesendet”" in lines(row)
        assert game.phase_no == phase + 1

    def test_the_writers_name_is_an_ending_and_that_of_another_isnt(self, game, name):
        assert reply(game, name, f"{BRIBE}\n\nZacharias").response["title"] == "confirm"
        assert reply(game, name, f"{BRIBE}\n\n{name}").response["title"] == "done"

    @pytest.mark.full
    @pytest.mark.parametrize("rest", ["If Boris pays more, then 6000.", "Accept my thanks!"])
    def test_nothing_is_done_before_it_is_confirmed_where_more_was_written(self, game, name, rest):
        phase = game.phase_no
        row = reply(game, name, f"{BRIBE}\n\n{rest}")
        assert row.response["title"] == "confirm"
        assert f"was not read: “{rest}”" in lines(row)
        assert game.phase_no == phase
        more = reply(game, name, f"confirm\n\n{rest}")
        assert "your email contains more than just the confirmation" in lines(more)
        assert game.phase_no == phase
        assert reply(game, name, "confirm\n\nThanks!").response["title"] == "done"
        assert not game.messages.exists()

    @pytest.mark.full
    @pytest.mark.parametrize("yes", ["ok", "Yes, please!", "👍", "ok confirm", "Sure\n\nThanks!"])
    def test_yes_confirms_what_the_very_email_asks_for(self, game, name, smtp, yes):
        self.asking_first(name)
        phase = game.phase_no
        reply(game, name, BRIBE)
        row = reply(game, name, yes, to=emailed(smtp, name))
        assert row.response["title"] == "done", lines(row)
        assert game.phase_no == phase + 1
        assert not game.messages.exists()

    @pytest.mark.full
    def test_yes_confirms_nothing_else_and_never_takes_the_place_of_what_waits(self, game, name):
        self.asking_first(name)
        phase = game.phase_no
        waits = reply(game, name, BRIBE)
        row = reply(game, name, "ok")
        assert "something is still waiting for your confirmation" in lines(row)
        assert game.phase_no == phase
        assert InboundEmail.objects.get(understood__isnull=False) == waits
        assert reply(game, name, "confirm").response["title"] == "done"
        assert reply(game, name, "ok").response["title"] == "confirm"

    @pytest.mark.full
    def test_yes_above_other_words_confirms_nothing(self, game, name, smtp):
        self.asking_first(name)
        phase = game.phase_no
        reply(game, name, BRIBE)
        row = reply(game, name, "ok\nbut only 3000 for the clerk", to=emailed(smtp, name))
        assert "your email contains more than just the confirmation" in lines(row)
        assert game.phase_no == phase

    @pytest.mark.full
    def test_a_message_and_a_move_wait_side_by_side(self, game, name, smtp):
        self.asking_first(name)
        phase = game.phase_no
        reply(game, name, BRIBE)
        move = emailed(smtp, name)
        reply(game, name, "Hello all!")
        assert "More than one thing is waiting" in lines(reply(game, name, "confirm"))
        assert reply(game, name, "confirm", to=move).response["title"] == "done"
        assert game.phase_no == phase + 1
        assert not game.messages.exists()

    @pytest.mark.full
    @pytest.mark.parametrize(
        "subject",
        ["Automatic reply: Your move", "Out of Office", "Abwesenheitsnotiz: Zug", "Автоответ"],
    )
    def test_a_note_of_absence_known_by_its_subject_does_nothing(self, game, name, subject):
        row = reply(game, name, "I'm back on Monday.", Subject=subject)
        assert (row.state, row.response) == ("done", {})
        assert not game.messages.exists()
        assert not OutboxEmail.objects.filter(kind__in=["understood", "not_understood"]).exists()
        assert reply(game, name, BRIBE, Subject=subject).response["title"] == "done"

    def test_what_is_encrypted_gets_a_response(self, game, name):
        text = "-----BEGIN PGP MESSAGE-----\n\nXYZ\n-----END PGP MESSAGE-----"
        assert "Your email is encrypted" in lines(reply(game, name, text))
