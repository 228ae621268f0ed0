"""The host changes the settings of a table that waits; those who sit there agree, or leave."""

from dataclasses import replace
from datetime import timedelta

import pytest

from games.models import Game, Invitation, OutboxEmail
from games.services.lobby import changed_settings, invitations, tables
from games.services.lobby.settings import TableSettings, settings_of
from games.services.refused import Refused
from tests.support.client import (
    as_shown,
    browser,
    forms_of,
    html_of,
    opening_form,
    person,
    text_of,
)
from tests.support.sent_emails import emailed, sent
from tests.support.tables import DAY, MONDAY, open_table, seat_of

pytestmark = pytest.mark.django_db
SURE = {"sure": "yes"}
TWO_DAYS = "Pace: 2 days per move (previously: 24 hours per move)."


def change(game, **more):
    """The host changes these settings."""
    game.refresh_from_db()
    settings = replace(settings_of(game), **more)
    changed_settings.change(game_id=game.pk, user=game.host, settings=settings, now=MONDAY)
    game.refresh_from_db()


def stay(game, name):
    game.refresh_from_db()
    changed_settings.stay(
        game_id=game.pk, user=seat_of(game, name).user, seen=game.settings_version, now=MONDAY
    )
    game.refresh_from_db()


def asked(game):
    """The names of those who haven't agreed."""
    seats = game.seats.filter(agreed_settings__isnull=False)
    return sorted(seats.values_list("user__name", flat=True))


def form_of(game):
    """The form that changes the settings, as its page shows it to the host."""
    page = browser(game.host).get(f"{game.get_absolute_url()}settings/")
    return as_shown(forms_of(page.content.decode())[""])


class TestTheForm:
    def test_it_shows_what_is_and_as_it_is_it_changes_nothing(self):
        settings = TableSettings(
            name="Rialto",
            edition="russian",
            size=5,
            move_time=timedelta(hours=36),
            options={"bribing": "simultaneous", "rounds": 3, "refund_losers": True},
            time_zone="Europe/Vienna",
            no_play_days=[5, 6],
            fixed_hour=20,
            days_off=0,
            listed=True,
            computer_players_allowed=False,
            absent_player="random",
            description="Slow and friendly.",
            promises_count=False,
            talk_seconds=43200,
            press="private",
            threads_shown=True,
            threads_published=True,
            language="ru",
            least_in_time=90,
            newcomers_welcome=False,
        )
        game = tables.open_table(host=person("Anna"), settings=settings, now=MONDAY)
        form = form_of(game)
        assert (form["answer_number"], form["answer_unit"]) == ("36", "hours")
        # Of boxes and of the text in a textarea, the reader of forms knows too little.
        form |= {"no_play_days": ["5", "6"], "description": settings.description}
        answer = browser(game.host).post(f"{game.get_absolute_url()}settings/", form)
        assert answer["Location"] == game.get_absolute_url()
        game.refresh_from_db()
        assert settings_of(game) == settings
        assert game.settings_version == 0

    @pytest.mark.parametrize(
        ("move_time", "typed"),
        [
            (timedelta(minutes=5), ("5", "minutes")),
            (DAY, ("24", "hours")),
            (2 * DAY, ("2", "days")),
        ],
    )
    def test_a_time_is_shown_as_people_type_it(self, move_time, typed):
        form = form_of(open_table("Anna", size=3, move_time=move_time))
        assert (form["answer_number"], form["answer_unit"]) == typed

    def test_the_name_stays_where_it_is_left_as_it_is(self):
        game = open_table("Anna", size=3, name="Rialto")
        typed = {"answer_number": "2", "answer_unit": "days"}
        browser(game.host).post(f"{game.get_absolute_url()}settings/", form_of(game) | typed)
        game.refresh_from_db()
        assert (game.name, game.move_seconds) == ("Rialto", 2 * 86400)

    @pytest.mark.full
    def test_what_cannot_be_is_refused_and_changes_nothing(self):
        game = open_table("Anna", "Boris", "Clara", "Dora", size=5)
        url = f"{game.get_absolute_url()}settings/"
        page = browser(game.host).post(url, form_of(game) | {"size": "3", "days_off": "1"})
        assert page.status_code == 422
        assert (
            "4 players already have a seat: the table needs at least that many seats."
            in text_of(page)
        )
        page = browser(game.host).post(url, form_of(game) | {"answer_number": "1000"})
        assert page.status_code == 422
        game.refresh_from_db()
        assert (game.size, game.days_off, game.settings_version) == (5, 7, 0)

    @pytest.mark.full
    def test_only_the_host_sees_it_and_only_before_the_start(self):
        game = open_table("Anna", "Boris", size=4)
        url = f"{game.get_absolute_url()}settings/"
        form = form_of(game) | {"days_off": "1"}
        for other in (seat_of(game, "Boris").user, person("Zoe")):
            for page in (browser(other).get(url, follow=True), browser(other).post(url, form)):
                assert "Days off per player" not in html_of(page)
            assert url not in html_of(browser(other).get(game.get_absolute_url()))
        anna = browser(game.host)
        assert url in html_of(anna.get(game.get_absolute_url()))
        tables.start_with_computer_players(
            game_id=game.pk, user=game.host, computer_player="default", now=MONDAY
        )
        refused = anna.post(url, form, follow=True)
        assert "The game has already started." in text_of(refused)
        game.refresh_from_db()
        assert (game.days_off, game.settings_version) == (7, 0)

    def test_who_may_not_write_changes_nothing(self):
        game = open_table("Anna", size=4)
        game.host.muted_until = MONDAY + DAY
        game.host.save()
        with pytest.raises(Refused):
            change(game, days_off=1)


class TestThoseWhoSitThere:
    @pytest.mark.full
    def test_they_are_asked_on_their_pages_and_by_email_and_the_host_is_not(self, smtp):
        game = open_table("Anna", "Boris", "Clara", size=4)
        change(game, move_time=2 * DAY, press="private", days_off=14)
        assert asked(game) == ["Boris", "Clara"]
        assert emailed("settings_changed", game) == ["Boris", "Clara"]
        changes = [
            TWO_DAYS,
            (
                "Talk during the game: In public and privately "
                "(previously: Only in public: everyone can read everything)."
            ),
            "Days off per player: 14 (previously: 7).",
        ]
        boris, anna = browser(seat_of(game, "Boris").user), browser(game.host)
        for page in (boris.get("/"), boris.get(game.get_absolute_url())):
            assert all(sentence in text_of(page) for sentence in changes)
            forms = forms_of(page.content.decode())
            assert {f"{game.get_absolute_url()}{act}/" for act in ("stay", "leave")} <= set(forms)
        assert "before: 7" not in text_of(anna.get("/"))
        host_page = text_of(anna.get(game.get_absolute_url()))
        assert host_page.count("hasn't agreed to the new settings yet") == 2
        assert "before: 7" not in host_page
        text = sent(smtp)["boris"]
        assert all(f"- {sentence}" in text for sentence in changes)
        assert "Stay or leave" in text

    @pytest.mark.full
    def test_the_game_starts_once_the_table_is_full_and_everybody_has_agreed(self):
        game = open_table("Anna", "Boris", size=3)
        change(game, days_off=1)
        boris, clara = browser(seat_of(game, "Boris").user), browser(person("Clara"))
        url = game.get_absolute_url()
        join = as_shown(forms_of(clara.get(url).content.decode())[f"{url}join/"])
        page = clara.post(f"{url}join/", join, follow=True)
        assert "The game starts once everyone has agreed to the new settings." in text_of(page)
        game.refresh_from_db()
        assert (game.status, asked(game)) == ("waiting", ["Boris"])
        form = as_shown(forms_of(boris.get("/").content.decode())[f"{url}stay/"])
        for _ in range(2):
            assert boris.post(f"{url}stay/", form)["Location"] == url
        game.refresh_from_db()
        assert (game.status, asked(game), game.seats.count()) == ("running", [], 3)
        assert set(game.seats.values_list("days_off_left", flat=True)) == {1}

    @pytest.mark.full
    def test_a_full_table_takes_nobody_and_is_in_no_list(self):
        game = open_table("Anna", "Boris", size=4, listed=True)
        change(game, size=3)
        tables.join(game_id=game.pk, user=person("Clara"), now=MONDAY)
        zoe = browser(person("Zoe"))
        url = game.get_absolute_url()
        assert f"{url}join/" not in html_of(zoe.get(url))
        assert "All seats are taken." in text_of(zoe.get(url))
        assert url not in html_of(zoe.get("/tables/"))
        page = zoe.post(f"{url}join/", {"settings": "1"}, follow=True)
        assert "There are no free seats left." in text_of(page)
        assert game.seats.count() == 3

    @pytest.mark.full
    def test_the_host_does_not_start_before_all_have_agreed(self):
        game = open_table("Anna", "Boris", size=4)
        change(game, days_off=1)
        url = game.get_absolute_url()
        anna = browser(game.host)
        assert f"{url}start/" not in forms_of(anna.get(url).content.decode())
        page = anna.post(f"{url}start/", {"computer_player": "default"}, follow=True)
        assert "once everyone at the table has agreed to the new settings" in text_of(page)
        stay(game, "Boris")
        anna.post(f"{url}start/", {"computer_player": "default"})
        game.refresh_from_db()
        assert game.status == "running"

    def test_who_leaves_or_is_sent_away_keeps_nobody_waiting(self):
        game = open_table("Anna", "Boris", "Clara", size=4)
        change(game, days_off=1)
        boris = browser(seat_of(game, "Boris").user)
        boris.post(f"{game.get_absolute_url()}leave/", SURE)
        assert asked(game) == ["Clara"]
        tables.remove(game_id=game.pk, user=game.host, seat_id=seat_of(game, "Clara").pk)
        assert asked(game) == []

    def test_who_sits_down_later_has_agreed_to_what_stood_there(self):
        game = open_table("Anna", size=4)
        change(game, days_off=1)
        tables.join(game_id=game.pk, user=person("Boris"), now=MONDAY)
        assert asked(game) == []
        change(game, days_off=2)
        assert seat_of(game, "Boris").agreed_settings["days_off"] == 1

    @pytest.mark.full
    def test_what_they_agreed_to_last_is_what_counts(self, smtp):
        game = open_table("Anna", "Boris", size=4)
        change(game, days_off=1)
        change(game, days_off=2)
        assert "Days off per player: 2 (previously: 7)." in sent(smtp)["boris"]
        assert [mail["To"] for mail in smtp.messages] == ["boris@example.org"]
        stay(game, "Boris")
        change(game, days_off=3)
        assert "Days off per player: 3 (previously: 2)." in sent(smtp)["boris"]

    def test_a_table_that_is_again_as_it_was_asks_nobody_and_starts(self):
        game = open_table("Anna", "Boris", size=4)
        change(game, days_off=1)
        tables.join(game_id=game.pk, user=person("Clara"), now=MONDAY, seen=1)
        change(game, size=3)
        assert asked(game) == ["Boris", "Clara"]
        change(game, size=4)
        assert asked(game) == ["Boris"]
        change(game, days_off=7)
        assert asked(game) == ["Clara"]

    def test_a_full_table_that_is_again_as_it_was_starts(self):
        game = open_table("Anna", "Boris", "Clara", size=4)
        change(game, days_off=1)
        stay(game, "Boris")
        tables.join(game_id=game.pk, user=person("Dora"), now=MONDAY)
        assert (game.status, asked(game)) == ("waiting", ["Clara"])
        stay(game, "Clara")
        assert game.status == "running"

    @pytest.mark.full
    def test_an_answer_to_what_was_shown_before_is_refused(self):
        game = open_table("Anna", "Boris", size=4)
        change(game, days_off=1)
        boris, url = browser(seat_of(game, "Boris").user), game.get_absolute_url()
        form = as_shown(forms_of(boris.get(url).content.decode())[f"{url}stay/"])
        change(game, days_off=2)
        page = boris.post(f"{url}stay/", form, follow=True)
        assert "The host has changed the settings again." in text_of(page)
        assert asked(game) == ["Boris"]

    def test_nobody_is_asked_about_the_name_the_description_or_the_list(self):
        game = open_table("Anna", "Boris", size=4)
        change(game, name="Rialto", description="Be quick.", listed=True)
        assert (game.name, game.description, game.listed) == ("Rialto", "Be quick.", True)
        assert (asked(game), game.settings_version) == ([], 0)
        assert not OutboxEmail.objects.exists()

    def test_who_may_look_stays_as_it_was_chosen_meanwhile(self):
        game = open_table("Anna", "Boris", size=3, strangers=Game.Strangers.EVERYONE)
        before = settings_of(game)
        Game.objects.update(strangers=Game.Strangers.NOBODY)  # a moderator, while the host types
        changed = replace(before, move_time=2 * DAY)
        changed_settings.change(game_id=game.pk, user=game.host, settings=changed, now=MONDAY)
        game.refresh_from_db()
        assert (game.strangers, game.move_seconds) == (Game.Strangers.NOBODY, 2 * 86400)

    def test_a_stranger_to_the_table_cannot_agree(self):
        game = open_table("Anna", "Boris", size=4)
        change(game, days_off=1)
        page = browser(person("Zoe")).post(
            f"{game.get_absolute_url()}stay/", {"settings": "1"}, follow=True
        )
        assert "You no longer have a seat at this table." in text_of(page)
        assert asked(game) == ["Boris"]

    def test_there_is_an_end_to_it(self):
        game = open_table("Anna", "Boris", size=4)
        for days in range(changed_settings.MOST_CHANGES):
            change(game, days_off=8 + days)
        with pytest.raises(Refused, match="can only be changed 10 times"):
            change(game, days_off=1)
        assert emailed("settings_changed") == ["Boris"] * changed_settings.MOST_CHANGES


class TestThoseWhoTakeASeat:
    @pytest.mark.full
    def test_a_form_from_before_the_change_is_refused_with_the_new_settings(self):
        game = open_table("Anna", "Boris", size=3)
        clara, url = browser(person("Clara")), game.get_absolute_url()
        form = as_shown(forms_of(clara.get(url).content.decode())[f"{url}join/"])
        change(game, days_off=1)
        page = clara.post(f"{url}join/", form, follow=True)
        assert "The host has just changed the settings." in text_of(page)
        assert "1 day off for each player." in text_of(page)
        assert clara.post(f"{url}join/", {"settings": "²"}).status_code == 302
        assert game.seats.count() == 2
        form = as_shown(forms_of(page.content.decode())[f"{url}join/"])
        clara.post(f"{url}join/", form)
        assert game.seats.count() == 3

    @pytest.mark.full
    def test_an_old_invitation_shows_the_new_settings_and_still_seats(self, smtp):
        game = open_table("Anna", size=3)
        invitations.invite(
            game_id=game.pk, user=game.host, addresses=["boris@example.org"], now=MONDAY
        )
        boris = browser(person("Boris"))
        url = Invitation.objects.get().get_absolute_url()
        before = as_shown(forms_of(boris.get(url).content.decode())[f"{url}accept/"])
        change(game, move_time=2 * DAY)
        assert "2 days per move" in sent(smtp)["boris"]
        page = boris.post(f"{url}accept/", before, follow=True)
        assert "The host has just changed the settings." in text_of(page)
        assert "2 days per move" in text_of(page)
        now = as_shown(forms_of(page.content.decode())[f"{url}accept/"])
        boris.post(f"{url}accept/", now)
        assert (game.seats.count(), asked(game)) == (2, [])

    def test_a_rematch_with_other_settings_is_shown_first(self):
        over = open_table("Anna", "Boris", "Clara", options={"rounds": 1})
        assert over.status == "finished"
        newer = invitations.again(game_id=over.pk, user=over.host, now=MONDAY)
        change(newer, days_off=1)
        boris = seat_of(over, "Boris").user
        shown = browser(boris).post(f"{over.get_absolute_url()}again/", follow=True)
        assert newer.seats.count() == 1
        assert "Take a seat" in text_of(shown)


class TestTheEmail:
    @pytest.mark.parametrize("answer", ["stay", "leave", "close"])
    def test_who_has_answered_gets_none(self, answer, smtp):
        game = open_table("Anna", "Boris", size=4)
        change(game, days_off=1)
        if answer == "stay":
            stay(game, "Boris")
        elif answer == "leave":
            tables.leave(game_id=game.pk, user=seat_of(game, "Boris").user)
        else:
            tables.cancel(game_id=game.pk, user=game.host, now=MONDAY)
        sent(smtp)
        assert "settings_changed" not in set(
            OutboxEmail.objects.filter(status="sent").values_list("kind", flat=True)
        )

    def test_who_wants_no_news_of_tables_gets_none(self, smtp):
        game = open_table("Anna", "Boris", size=4)
        boris = seat_of(game, "Boris").user
        boris.unwanted_emails = ["table_news"]
        boris.save()
        change(game, days_off=1)
        assert sent(smtp) == {}
        assert asked(game) == ["Boris"]


def test_a_seat_from_before_an_upgrade_is_asked_about_what_it_knew():
    game = open_table("Anna", "Boris", size=4)
    change(game, days_off=1)
    seat = seat_of(game, "Boris")
    del seat.agreed_settings["language"]
    seat.agreed_settings["of_another_release"] = True
    seat.save()
    game.refresh_from_db()
    assert changed_settings.changes_for(seat, game) == ["Days off per player: 1 (previously: 7)."]


def test_a_game_that_starts_has_nobody_to_ask():
    assert asked(open_table("Anna", "Boris", "Clara")) == []


def test_the_form_of_a_new_table_is_as_before():
    anna = browser(person("Anna"))
    assert "settings" not in opening_form(anna)
