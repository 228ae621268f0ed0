"""Instants and days that somebody types: never so far away that a page could not show them."""

from datetime import UTC, datetime

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from games.admin.actions.on_games import ON_GAMES
from games.admin.actions.on_people import ON_PEOPLE
from games.admin.actions.on_site import ON_SITE
from games.forms.instants import FURTHEST, DayField, InstantField
from games.models import AuditLine, Game, Sanction, User
from games.services.moderation.actions import timing
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from tests.support.client import as_shown, browser, forms_of
from tests.support.every_form import FORMS
from tests.support.moderators import act_url, moderator, person_act_url
from tests.support.sites import nadja, site_url
from tests.support.tables import open_table, seat_of

pytestmark = pytest.mark.django_db
ENDS_OF_THE_CALENDAR = ("9999-12-31T23:59", "0001-01-01T00:00")
ZONES = ("Pacific/Auckland", "America/New_York", "UTC")
TOO_FAR = "Please choose a date within 5 years of today."


TIMES = [
    (form, name)
    for form in FORMS
    for name, field in getattr(form, "base_fields", {}).items()
    if isinstance(field, (forms.DateField, forms.DateTimeField, forms.SplitDateTimeField))
]


def has_times(form: type[forms.BaseForm]) -> list[str]:
    return [name for found, name in TIMES if found is form]


def test_the_forms_with_times_are_found():
    found = {form.__name__ for form, _ in TIMES}
    assert found >= {
        "PauseForm", "DeadlineForm", "UntilForm", "DowntimeForm", "StopForm", "NoticeForm",
        "MaintenanceForm", "DaysOffForm", "AuditSearchForm", "RemoveAccountsForm",
    }  # fmt: skip


@pytest.mark.sample(7)
@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize(("form", "name"), TIMES)
def test_every_field_of_a_time_refuses_the_ends_of_the_calendar(form, name, zone):
    field = form.base_fields[name]
    assert isinstance(field, (InstantField, DayField))
    with timezone.override(zone):
        for far in ENDS_OF_THE_CALENDAR:
            with pytest.raises(ValidationError, match=TOO_FAR):
                field.clean(far if isinstance(field, InstantField) else far[:10])
        for near in (-FURTHEST, FURTHEST):
            text = f"{timezone.now() + near:%Y-%m-%dT%H:%M}"
            assert field.clean(text if isinstance(field, InstantField) else text[:10])


def test_every_number_of_hours_or_days_has_an_end():
    ends = {
        (form.__name__, name): field.max_value
        for form in FORMS
        for name, field in getattr(form, "base_fields", {}).items()
        if name in {"days", "hours", "answer_number", "days_off"}
    }
    assert len(ends) >= 8
    assert None not in ends.values()


@pytest.fixture
def game():
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    User.objects.update(time_zone="Pacific/Auckland")
    return game


def filled_with(client, url: str, names: list[str], value: str) -> dict[str, str]:
    form = as_shown(forms_of(client.get(url).content.decode())[""])
    return form | {"reason": "A feast.", "text": "A feast."} | dict.fromkeys(names, value)


@pytest.mark.parametrize("far", ENDS_OF_THE_CALENDAR)
class TestEveryActWithATime:
    def refused(self, client, url: str, form: type[forms.BaseForm], far: str) -> None:
        answer = client.post(url, filled_with(client, url, has_times(form), far))
        assert answer.status_code == 422
        assert TOO_FAR in answer.content.decode()
        assert far in answer.content.decode()  # what was typed is not lost

    @pytest.mark.full
    def test_on_a_game(self, game, far):
        moderator("Marta")
        User.objects.update(time_zone="Pacific/Auckland")
        marta = browser(User.objects.get(name="Marta"))
        timed = [act for act in ON_GAMES if has_times(act.form)]
        assert [act.slug for act in timed] == ["pause", "deadline"]
        for act in timed:
            self.refused(marta, act_url(game, act.slug), act.form, far)

    @pytest.mark.full
    def test_on_a_person(self, game, far):
        marta, anna = browser(moderator("Marta")), User.objects.get(name="Anna")
        timed = [act for act in ON_PEOPLE if has_times(act.form)]
        assert [act.slug for act in timed] == ["mute", "suspend"]
        for act in timed:
            self.refused(marta, person_act_url(anna, act.slug), act.form, far)
        assert not Sanction.objects.exists()

    @pytest.mark.full
    def test_on_the_site(self, game, far):
        client = browser(nadja())
        User.objects.update(time_zone="Pacific/Auckland")
        timed = [act for act in ON_SITE if has_times(act.form)]
        assert len(timed) == 7
        for act in timed:
            self.refused(client, site_url(act.slug), act.form, far)
        assert client.get("/admin/site/").status_code == 200

    def test_days_off(self, game, far):
        url = game.get_absolute_url()
        days = {"first_day": far[:10], "last_day": far[:10]}
        answer = browser(game.host).post(f"{url}days-off/", days, follow=True)
        assert TOO_FAR in answer.content.decode()
        assert not seat_of(game, "Anna").days_off.exists()

    def test_the_search_of_the_audit_log(self, game, far):
        marta = moderator("Marta")
        User.objects.update(time_zone="Pacific/Auckland")
        page = browser(marta).get(f"/admin/games/auditline/?since={far[:10]}&until={far[:10]}")
        assert page.status_code == 200


class TestFromBefore:
    """What was typed before there were limits."""

    @pytest.mark.full
    def test_the_log_shows_what_it_cannot_change(self, game):
        far = datetime(9999, 12, 31, 11, 59, tzinfo=UTC)
        request = GameRequest(
            game.pk, moderator("Marta"), "A feast.", seen_now(game), timezone.now()
        )
        timing.pause(request, until=far)
        Game.objects.filter(pk=game.pk).update(paused_until=None)
        AuditLine.objects.filter(action="game.pause").get()
        User.objects.update(time_zone="Pacific/Auckland")
        url = game.get_absolute_url()
        for page in (url, f"{url}history/", f"{url}deadlines/"):
            assert browser(person_of(game, "Anna")).get(page).status_code == 200
        marta = browser(User.objects.get(name="Marta"))
        assert marta.get("/admin/games/auditline/").status_code == 200
        assert marta.get(f"/admin/games/game/{game.pk}/change/").status_code == 200


def person_of(game: Game, name: str) -> User:
    return seat_of(game, name).user
