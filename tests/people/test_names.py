"""Public names: what they may be, who may have which, and when a sign-up gets its own."""

from uuid import uuid4

import pytest
from django.conf import settings
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone, translation

from games.models import Game, Message, Seat, User
from games.names import key_of
from games.presentation.text.tables import computer_player_name
from games.presentation.text.words import empty_seat
from games.services.chat import messages
from games.services.operations.trim import SIGN_UP_IS_KEPT, trim
from games.services.people import names
from games.services.people.display_names import player_name, speaker
from tests.accounts.test_sessions import in_the_same_instant
from tests.support.client import browser, errors_of, forms_of, person, text_of, verified
from tests.support.moderators import act_on, audited_actions, marta_acts_on, moderator
from tests.support.sanctions import decisions, in_days
from tests.support.sent_emails import code_in
from tests.support.tables import open_table

pytestmark = pytest.mark.django_db(transaction=True)

TAKEN = "This name, or one that looks like it, is already taken."
OWN = "This name is reserved for the site itself. Please choose another one."
PLAIN = "Please use only letters, digits, spaces and simple symbols other than @."


def has(sign: str) -> str:
    """The refusal that names this sign."""
    return f"A name can't contain {sign}. {PLAIN}"


LETTER = "Please use at least one letter or digit."
ALPHABETS = "Please use letters from one alphabet only: some look alike in Latin and Cyrillic."


def refusals(name: str) -> list[str]:
    """Why Rosa cannot take this name; nothing where she took it."""
    rosa = User.objects.filter(email="rosa@example.org").first() or person("Rosa")
    answer = browser(rosa).post("/accounts/profile/", {"name": name, "time_zone": "UTC"})
    if answer.status_code == 302:
        return []
    return errors_of(answer)["name"]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "name",
    [
        "moda",
        "Moda",
        "M0da",
        "M\u00f3da",
        "\uff2d\uff4f\uff44\uff41",
        "\U0001d40coda",
        "Moda\u0301",
    ],
)
def test_a_name_that_looks_like_anothers_is_taken(name):
    person("Moda")
    assert refusals(name) == [TAKEN]


@pytest.mark.full
@pytest.mark.parametrize(
    ("taken", "name"),
    [
        ("Iris", "lris"),
        ("Poca", "\u0420\u043e\u0441\u0430"),
        ("BOPT", "\u0432\u043e\u0440\u0442"),
        ("Moda x", "Moda   x"),
        ("Armin", "Arrnin"),
        ("O'Neil", "O\u2019Neil"),
        ("\u0410\u0440\u0442\u0451\u043c", "\u0410\u0440\u0442\u0435\u043c"),
    ],
)
def test_these_two_look_alike(taken, name):
    person(taken)
    assert refusals(name) == [TAKEN]


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["Modena", "Rósa", "ROSA", "Анна", "张伟", "たなか太郎", "Zoë 2"])
def test_these_are_free(name):
    person("Moda")
    assert refusals(name) == []


@pytest.mark.full
@pytest.mark.parametrize(
    "name",
    [
        "علی\u200c\u0631\u0636\u0627",  # Persian
        "ක්\u200dරි",  # Sinhala
        "क्\u200dष",  # Hindi, the joined half letter
        "ക്\u200cഷ",  # Malayalam, kept apart
        "Ali علی\u200c\u0631\u0636\u0627",
    ],
)
def test_joiners_stand_where_the_script_needs_them_and_tell_no_two_names_apart(name):
    assert refusals(name) == []
    assert User.objects.get(email="rosa@example.org").name == name
    without = name.replace("\u200c", "").replace("\u200d", "")
    client = browser(person("Second"))
    answer = client.post("/accounts/profile/", {"name": without, "time_zone": "UTC"})
    assert errors_of(answer)["name"] == [TAKEN]
    assert key_of(name) == key_of(without)


@pytest.mark.long(every=3)
@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("Moda\ufe0f", has("U+FE0F (variation selector-16)")),
        ("Moda\u034f", has("U+034F (combining grapheme joiner)")),
        ("\u3164", has("U+3164 (hangul filler)")),
        ("\u2800", has("U+2800 (braille pattern blank)")),
        ("Z" + 39 * "\u0301", has("U+0301 (combining acute accent)")),
        ("Moda \u2696", has("“\u2696”")),
        ("anna@example", has("“@”")),
        ("An\u200dna", has("U+200D (zero width joiner)")),
        ("An\u200cna", has("U+200C (zero width non-joiner)")),
        ("Anna\u200d", has("U+200D (zero width joiner)")),
        ("علی\u200c", has("U+200C (zero width non-joiner)")),
        ("علی\u200c\u200c\u0631\u0636\u0627", has("U+200C (zero width non-joiner)")),
        ("علی\u200d\u0631\u0636\u0627", has("U+200D (zero width joiner)")),
        ("ක්\u200d", has("U+200D (zero width joiner)")),
        ("Anna \U0001f468\u200d\U0001f469\u200d\U0001f467", has("U+200D (zero width joiner)")),
        ("Anna\u202e", has("U+202E (right-to-left override)")),
        ("Anna\u2060", has("U+2060 (word joiner)")),
        ("Anna\x07", has("U+0007")),
        ("-.-", LETTER),
        ("\U0001f451", LETTER),
        ("\u041coda", ALPHABETS),
        ("M\u03bfda", ALPHABETS),
    ],
)
def test_a_name_that_hides_something_is_refused(name, refusal):
    assert refusals(name) == [refusal]
    answer = Client().post(
        "/accounts/signup/",
        {"email": "x@example.org", "password1": "a red scholar", "name": name, "time_zone": "UTC"},
    )
    assert answer.context["form"].errors["name"] == [refusal]


@pytest.mark.long(every=3)
@pytest.mark.full
@pytest.mark.parametrize(
    "name",
    [
        "The referee", "Referee", "\uff34he referee", "R\u00e9feree", "The.Referee!", "Moderator",
        "Moderator Anna", "admin", "Intrigue", "Computer player", "Someone who has left", "Nobody",
        "Red (free seat)", "Duke Alfonso", "the clock", "courtier", "Die Spielleitung",
        "Spielleitung", "Niemand", "Herzog Alfonso", "Computerspieler",
        "\u0421\u0443\u0434\u044c\u044f",
        "Re feree", "Der Schiedsrichter", "\u0410\u0440\u0431\u0438\u0442\u0440", "System",
        "\u041d\u0435\u043a\u0442\u043e", "\u041c\u043e\u0434\u0435\u0440\u0430\u0442\u043e\u0440",
    ],
)  # fmt: skip
def test_the_site_keeps_its_own_names_in_every_language(name):
    assert refusals(name) == [OWN]


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_what_tables_and_talk_call_those_who_act_is_the_sites_own(language):
    seat = Seat(game=Game(), number=0)
    said = [
        Message(by_referee=True),
        Message(),
        seat,
        Seat(game=Game(), computer_player="courtier"),
        Seat(game=Game(seed=1), number=0, computer_player="courtier"),
    ]
    with translation.override(language):
        called = [player_name(one) if isinstance(one, Seat) else speaker(one) for one in said]
        called += [empty_seat("green"), computer_player_name("courtier")]
        assert [name for name in called if not names.why_not(name)] == []


def test_a_name_is_kept_tidy():
    assert refusals("Rosa   Luxe\u0301") == []
    assert User.objects.get().name == "Rosa Lux\u00e9"


def test_ones_own_name_may_be_spelled_otherwise_and_is_not_asked_about_again():
    rosa = person("Rosa")
    User.objects.filter(pk=rosa.pk).update(name="Referee", name_key="referee")
    assert refusals("Referee") == []
    assert refusals("REFEREE") == []
    assert User.objects.get().name == "REFEREE"


# Sign-ups


def sign_up(name: str, address: str) -> Client:
    client = Client()
    form = {"email": address, "password1": "a red scholar in Venice", "time_zone": "UTC"}
    answer = client.post("/accounts/signup/", form | {"name": name})
    assert answer["Location"] == "/accounts/confirm-email/"
    return client


@pytest.mark.full
def test_a_sign_up_holds_no_name_until_its_address_is_confirmed(smtp):
    sign_up("Famous Person", "eve@example.org")
    assert refusals("famous person") == []
    sign_up("Nina", "first@example.org")
    second = sign_up("Nina", "second@example.org")
    second.post("/accounts/confirm-email/", {"code": code_in(smtp.messages[-1])})
    assert second.get("/tables/").status_code == 200
    assert User.objects.get(name_key__isnull=False, name="Nina").email == "second@example.org"
    trim(now=timezone.now() + 2 * SIGN_UP_IS_KEPT)
    assert {user.email for user in User.objects.all()} == {
        "rosa@example.org",
        "second@example.org",
    }


@pytest.mark.full
def test_whoever_lost_the_name_meanwhile_chooses_another_and_loses_nothing_else(smtp):
    client = sign_up("Nina", "first@example.org")
    person("Nina")
    sent = client.post("/accounts/confirm-email/", {"code": code_in(smtp.messages[-1])})
    assert sent["Location"] == "/"
    led = client.get("/tables/?page=2")
    assert led["Location"] == "/accounts/profile/?next=%2Ftables%2F%3Fpage%3D2"
    page = client.get(led["Location"])
    assert "“Nina” can no longer be your public name." in text_of(page)
    assert client.post(led["Location"], {"name": "Nina", "time_zone": "UTC"}).status_code == 200
    typed = client.post("/tables/new/", {"name": "My table"})
    assert typed["Location"] == "/accounts/profile/?next=%2Fkept%2F"
    answer = client.post(typed["Location"], {"name": "Nina B", "time_zone": "UTC"})
    assert answer["Location"] == "/kept/"
    assert "My table" in client.get("/kept/").content.decode()
    assert User.objects.get(email="first@example.org").name_key == names.key_of("Nina B")


def test_of_two_who_come_in_with_one_name_in_the_same_instant_one_has_it(smtp):
    client = sign_up("flora", "other@example.org")
    code = {"code": code_in(smtp.messages[-1])}
    answer = in_the_same_instant(lambda: client.post("/accounts/confirm-email/", code), "Flora")
    assert answer["Location"] == "/"
    assert client.get("/tables/")["Location"].startswith("/accounts/profile/")
    keys = {user.email: user.name_key for user in User.objects.all()}
    assert keys == {"flora@example.org": "flora", "other@example.org": None}


def test_the_database_knows_one_person_of_each_name():
    person("Moda")
    with pytest.raises(IntegrityError, match="name_key"):
        User.objects.create_user("other@example.org", "MODA")


# Moderators


@pytest.mark.full
def test_marta_gives_somebody_another_name(smtp):
    rude = person("Rude")
    person("Clara")
    marta = browser(moderator())
    form = forms_of(marta.get(f"/admin/games/user/{rude.pk}/act/rename/").content.decode())[""]
    assert form["name"].value == f"Player {rude.pk}"
    for name, refusal in (("Clara", TAKEN), ("Referee", OWN), ("a@b", has("“@”"))):
        answer = act_on(marta, rude, "rename", name=name)
        assert answer.status_code == 422
        assert refusal in text_of(answer)
        assert f'value="{name}"' in answer.content.decode()
    marta_acts_on(rude, "rename", name="Player of the day")
    assert rude.name == "Player of the day"
    assert audited_actions(person=rude) == [("Marta", "person.rename")]
    log = text_of(browser(User.objects.get(name="Marta")).get("/admin/games/auditline/"))
    assert "Rename" in log
    [mail] = decisions(smtp, "Rude")
    assert "Your public name is now “Player of the day”." in " ".join(mail.split())
    assert "Reason: You were rude." in mail
    assert person("Rude 2").name == "Rude 2"


@pytest.mark.full
def test_the_old_name_is_free_but_not_for_them():
    rosa = person("Rosa")
    marta_acts_on(rosa, "rename", name="Player one")
    taken_away = "A moderator has removed this name from your account. Please choose another one."
    assert refusals("R\u00f3sa") == [taken_away]
    assert refusals("Rosalind") == []
    gustav = browser(person("Gustav"))
    assert (
        gustav.post("/accounts/profile/", {"name": "Rosa", "time_zone": "UTC"}).status_code == 302
    )


@pytest.mark.full
def test_a_muted_person_without_a_name_may_choose_one(smtp):
    rosa = verified("Rosa")
    User.objects.filter(pk=rosa.pk).update(name_key=None)
    marta_acts_on(rosa, "mute", until=in_days(3))
    assert refusals("Rosalie") == []
    assert "You are muted" in refusals("Rosa Lie")[0]


@pytest.mark.full
def test_those_who_keep_order_have_a_mark_in_the_talk_that_no_name_can_have():
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    marta = moderator()
    game.seats.filter(user__name="Boris").update(user=marta)
    for user in (game.host, marta):
        messages.say(game_id=game.pk, user=user, text="Hello", token=uuid4(), now=timezone.now())
    page = text_of(browser(game.host).get(game.get_absolute_url()))
    assert "Marta ⚖ moderator" in page
    assert "Anna ⚖" not in page
