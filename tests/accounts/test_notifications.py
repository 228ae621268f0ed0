"""What somebody is told and when: the page in their account, and the same by a link in an email."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from games.extensions import Case
from games.features.push.keys import new_key, own_key
from games.models import MutedGame, User
from games.services.accounts import ways_in
from games.services.email import delivery
from games.services.email.kinds import EMAIL_KINDS, SWITCHES
from games.services.email.subscriptions import CHOICES, person_who_chooses, token_for, wants
from games.services.game.deadlines import BEFORE_QUIET
from games.services.operations import sample_games
from tests.support.choices import choices
from tests.support.client import as_shown, browser, errors_of, forms_of, person, text_of
from tests.support.every_email import MAKE, arrived
from tests.support.sent_emails import plain_text
from tests.support.tables import MONDAY, open_table, seats_to_move, table_settings

pytestmark = pytest.mark.django_db
PAGE = "/accounts/notifications/"


@pytest.fixture
def rosa(settings):
    """Rosa, on a site that can notify browsers."""
    settings.PUSH_KEY = new_key()
    own_key.cache_clear()
    yield person("Rosa")
    own_key.cache_clear()


def link(user):
    return f"/choices/{token_for(user, CHOICES)}/"


def chosen(user):
    user.refresh_from_db()
    return (
        user.unwanted_emails, user.digest_emails, user.unwanted_pushes, user.digest_hour,
        user.quiet_from, user.quiet_until, user.never_wake,
    )  # fmt: skip


def test_a_new_person_is_told_everything_at_once_and_the_page_shows_it(rosa):
    assert all(wants(rosa, None, kind) for kind in EMAIL_KINDS)
    shown = as_shown(forms_of(browser(rosa).get(PAGE).content.decode())[""])
    del shown["csrfmiddlewaretoken"]
    assert shown == choices()
    rosa.unwanted_emails = ["reminder"]
    unwanted = [kind.key for kind in EMAIL_KINDS if not wants(rosa, None, kind)]
    assert unwanted == ["reminder", "last_reminder", "talk_reminder"]


@pytest.mark.parametrize("by_link", [False, True])
def test_rosa_chooses(rosa, by_link):
    game = sample_games.open_table(table_settings(size=3), rosa, now=MONDAY)
    client, page = (Client(), link(rosa)) if by_link else (browser(rosa), PAGE)
    form = choices(
        email={"mention": "never", "game_started": "digest", "offer": "digest"},
        push=["your_turn"],
        digest_hour="18",
        quiet_from="22",
        quiet_until="8",
        never_wake="on",
        muted=[str(game.pk)],
    )
    shown = client.post(page, form, follow=True)
    assert "Saved." in text_of(shown)
    others = [switch.key for switch in SWITCHES if switch.key != "your_turn"]
    assert chosen(rosa) == (["mention"], ["game_started", "offer"], others, 18, 22, 8, True)
    assert list(MutedGame.objects.values_list("user", "game")) == [(rosa.pk, game.pk)]
    again = as_shown(forms_of(shown.content.decode())[""])
    del again["csrfmiddlewaretoken"]
    assert again == form | {"muted": str(game.pk), "were_muted": str(game.pk)}
    client.post(page, choices(were_muted=str(game.pk)), follow=True)
    assert chosen(rosa) == ([], [], [], 8, None, None, False)
    assert not MutedGame.objects.exists()


def test_where_no_browser_can_be_notified_those_choices_stay_as_they_are(rosa, settings):
    settings.PUSH_KEY = ""
    User.objects.update(unwanted_pushes=["your_turn"])
    shown = browser(rosa).post(PAGE, choices(push=[], digest_hour="18"), follow=True)
    assert chosen(rosa) == ([], [], ["your_turn"], 18, None, None, False)
    assert "push_" not in shown.content.decode()
    assert "Notification" not in text_of(shown).partition("What you're notified about")[2]


WRONG = [
    ({"quiet_from": "22"}, "Please choose when quiet hours begin and when they end."),
    ({"quiet_until": "8"}, "Please choose when quiet hours begin and when they end."),
    ({"quiet_from": "8", "quiet_until": "8"}, "Quiet hours can't begin and end at the same hour."),
    ({"quiet_from": "24", "quiet_until": "8"}, "Select a valid choice."),
    ({"digest_hour": "8.5"}, "Select a valid choice."),
    ({"email": {"offer": "sometimes"}}, "Select a valid choice."),
    ({"muted": ["999999"]}, "Select a valid choice."),
]


@pytest.mark.full
@pytest.mark.parametrize(("more", "error"), WRONG)
def test_what_is_wrong_is_said_and_nothing_chosen_is_lost(rosa, more, error):
    for client, page in ((browser(rosa), PAGE), (Client(), link(rosa))):
        form = choices(**({"email": {"mention": "never"}} | more))
        shown = client.post(page, form)
        assert error in str(errors_of(shown))
        assert chosen(rosa) == ([], [], [], 8, None, None, False)
        if "email" not in more:
            kept = as_shown(forms_of(shown.content.decode())[""])
            assert kept["email_mention"] == "never"


def test_what_no_page_says_of_muted_tables_is_ignored(rosa):
    for made_up in ("9" * 5_000, "\u00b2", " ".join(map(str, range(80_000)))):
        answer = browser(rosa).post(PAGE, choices(were_muted=made_up))
        assert answer.status_code == 302


def test_a_page_that_was_open_for_long_unmutes_nothing_that_was_muted_meanwhile(rosa):
    early, late = (
        sample_games.open_table(table_settings(size=3, name=name), rosa, now=MONDAY)
        for name in ("Early", "Late")
    )
    MutedGame.objects.create(user=rosa, game=early)
    client = browser(rosa)
    shown = as_shown(forms_of(client.get(PAGE).content.decode())[""])
    MutedGame.objects.create(user=rosa, game=late)
    client.post(PAGE, shown)
    assert set(MutedGame.objects.values_list("game", flat=True)) == {early.pk, late.pk}
    del shown["muted"]
    client.post(PAGE, shown)
    assert set(MutedGame.objects.values_list("game", flat=True)) == {late.pk}


@pytest.mark.parametrize("page", [PAGE, "/accounts/profile/"])
def test_reminders_follow_the_quiet_hours_and_the_time_zone(page):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now().replace(hour=12, minute=0))
    seat = seats_to_move(game)[0]
    usual = seat.remind_at  # at 80 %: after 19 hours and 12 minutes
    user = seat.user
    if page == PAGE:
        hour = (usual.hour - 1) % 24
        browser(user).post(page, choices(quiet_from=str(hour), quiet_until=str((hour + 4) % 24)))
        quiet_from = usual.replace(hour=hour, minute=0, second=0, microsecond=0)
    else:
        # In Tokyo, nine hours ahead, it is after two in the afternoon.
        User.objects.filter(pk=user.pk).update(quiet_from=14, quiet_until=18)
        browser(user).post(page, {"name": user.name, "time_zone": "Asia/Tokyo", "language": ""})
        quiet_from = usual.replace(hour=5, minute=0, second=0, microsecond=0)
    seat.refresh_from_db()
    assert seat.remind_at == quiet_from - BEFORE_QUIET


def test_nobody_can_mute_a_table_of_others(rosa):
    game = open_table("Anna", size=3)
    shown = browser(rosa).post(PAGE, choices(muted=[str(game.pk)]))
    assert "Select a valid choice." in str(errors_of(shown))


def test_only_the_whole_link_opens_the_choices(rosa):
    game = open_table("Anna", "Boris", "Clara")
    token = token_for(rosa, CHOICES)
    for wrong in (token[:-1], token_for(rosa, game), token_for(rosa, "reminders")):
        assert Client().get(f"/choices/{wrong}/").status_code == 404
    rosa.delete()
    assert Client().get(f"/choices/{token}/").status_code == 404


def test_the_link_ends_with_the_sessions_as_with_a_new_password(rosa):
    old = link(rosa)
    assert Client().get(old).status_code == 200
    ways_in.end(rosa, Case.SIGNED_OUT)
    assert Client().get(old).status_code == 404
    assert Client().get(link(rosa)).status_code == 200


@pytest.mark.long(every=3)
@pytest.mark.full
@pytest.mark.parametrize("kind", sorted(MAKE.keys() - {"question_code"}))  # to who has no account
def test_every_kind_of_email_leads_to_the_choices_of_its_reader(kind, smtp):
    _game, mail = arrived(kind, smtp)
    [token] = re.findall(r"/choices/([^/\s]+)/", plain_text(mail))
    assert person_who_chooses(token).email == mail["To"]


def test_the_link_opens_these_choices_only(rosa):
    client = Client()
    assert client.get(link(rosa)).status_code == 200
    assert "_auth_user_id" not in client.session
    page = client.get(link(rosa)).content.decode()
    assert rosa.email not in page
    assert "/calendar/" not in page


def test_every_email_to_a_person_leads_to_their_choices(smtp):
    _game, mail = arrived("game_started", smtp)
    [address] = re.findall(r"Email settings: http://[^/]+(/choices/\S+)", plain_text(mail))
    page = Client().get(address)
    assert "Emails and notifications for Anna" in text_of(page)
    assert mail["List-Unsubscribe"].count("/choices/") == 0


def test_the_page_of_a_stopped_email_leads_to_all_choices(rosa):
    page = Client().get(f"/unsubscribe/{token_for(rosa, 'reminders')}/")
    assert f'href="{link(rosa)}"' in page.content.decode()


@pytest.mark.full
def test_a_table_is_muted_on_its_page(smtp):
    game = open_table("Anna", "Boris", "Clara")
    boris = User.objects.get(name="Boris")
    page, address = browser(boris), f"{game.get_absolute_url()}mute/"
    assert "Mute this table" in text_of(page.get(game.get_absolute_url()))
    answer = page.post(address, {"mute": "yes"}, follow=True)
    assert "You've muted this table." in text_of(answer)
    assert "Unmute this table" in text_of(answer)
    assert MutedGame.objects.get().user == boris
    delivery.drain(now=MONDAY)
    told = {message["To"] for message in smtp.messages}
    assert told == {"anna@example.org", "clara@example.org"}
    answer = page.post(address, {"mute": "no"}, follow=True)
    assert "You've unmuted this table." in text_of(answer)
    assert not MutedGame.objects.exists()


@pytest.mark.full
def test_only_who_sits_there_mutes_a_table(rosa):
    game = open_table("Anna", "Boris", "Clara")
    page = browser(rosa)
    assert "Mute this table" not in text_of(page.get(game.get_absolute_url()))
    answer = page.post(f"{game.get_absolute_url()}mute/", {"mute": "yes"}, follow=True)
    assert "You don't have a seat at this table." in text_of(answer)
    assert not MutedGame.objects.exists()
