"""What one person or table has stored wrongly stops nobody else."""

import json
from datetime import date, timedelta

import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.models import JSONField, Value
from django.utils import timezone

from games.models import AuditLine, DaysOff, Game, Message, Order, Report, Seat, User
from games.models.stored_json import DictField, ListField
from games.presentation.text.words import moment
from games.services.email import delivery
from games.services.operations import clock, stored_zones
from games.zones import zone_of
from tests.support.client import browser, person, text_of
from tests.support.moderators import marta_acts_on, moderator
from tests.support.reporting import named, reported, say, table_at_rest
from tests.support.tables import DAY, MONDAY, open_table, seats_to_move, submit_move, tick

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
GONE = "Atlantis/Gone"


def person_has(**wrong):
    return lambda seat: User.objects.filter(pk=seat.user_id).update(**wrong)


def seat_has(**wrong):
    return lambda seat: Seat.objects.filter(pk=seat.pk).update(**wrong)


def table_has(**wrong):
    return lambda seat: Game.objects.filter(pk=seat.game_id).update(**wrong)


def orders(formula):
    def leave(seat):
        for kind, scholar in (("bribe", "clerk-9"), ("decision", ""), ("sending", "")):
            Order.objects.create(
                seat=seat, kind=kind, scholar=scholar, formula=formula, made_at=timezone.now()
            )

    return leave


def days_off(first, last):
    return lambda seat: DaysOff.objects.create(
        seat=seat, first_day=first, last_day=last, announced_at=timezone.now() - DAY
    )


def played_by_nobody(seat):
    table_has(absent_player="minister")(seat)
    seat_has(absent_since=MONDAY)(seat)


WRONG = {
    "a zone that has left": person_has(time_zone=GONE),
    "no zone": person_has(time_zone=""),
    "a zone that is a folder": person_has(time_zone="Europe"),
    "a zone outside": person_has(time_zone="/etc/passwd"),
    "a language nobody speaks": person_has(language="tlh"),
    "a language that is a path": person_has(language="../x"),
    "quiet hours from 99": person_has(quiet_from=99, quiet_until=7),
    "quiet hours until 77": person_has(quiet_from=22, quiet_until=77),
    "a digest at 99": person_has(digest_hour=99, digest_emails=["your_turn", "game_started"]),
    "kinds of email that are a number": person_has(unwanted_emails=5),
    "a digest that is a number": person_has(digest_emails=5),
    "notifications that are a number": person_has(unwanted_pushes=5),
    "an address that is none": person_has(email="not an address"),
    "a computer player of another release": seat_has(user=None, computer_player="minister"),
    "an absent player played by nobody": played_by_nobody,
    "the table's zone": table_has(time_zone=GONE),
    "a weekday too many": table_has(no_play_days=[9]),
    "orders of another release": orders({"kind": "blackmail"}),
    "orders that are a list": orders([1]),
    "days off at the end of time": days_off(date(9999, 12, 1), date(9999, 12, 31)),
    "days off at its beginning": days_off(date(1, 1, 1), date(1, 1, 2)),
}


def every_column_holds(value):
    """What the seat, its person and their table keep as JSON, besides the log and the state."""

    def break_it(seat):
        for model, key in ((Seat, seat.pk), (User, seat.user_id), (Game, seat.game_id)):
            columns = [field.name for field in model._meta.concrete_fields if is_careful(field)]
            assert columns
            model.objects.filter(pk=key).update(**dict.fromkeys(columns, Value(value, JSONField())))

    return break_it


def is_careful(field) -> bool:
    return isinstance(field, ListField | DictField)


JSON = {
    "a number": 5,
    "nothing": None,
    "a truth": True,
    "a text": "your_turn",
    "an object": {"your_turn": 1},
    "a list of lists": [[1], {}],
    "a list of texts": ["x", "your_turn"],
    "a list of numbers": [0, 1, 2, 3, 4, 5, 6, 2.5],
}
WRONG |= {f"JSON that is {kind}": every_column_holds(value) for kind, value in JSON.items()}

OF_ONE_TABLE = {
    # Its log and what repeats it: a game that can't be read rests (test_unreadable_games.py).
    "Event.payload", "Move.move", "Game.state", "Game.ledger", "Thread.ledger",
    "PrivateMessage.deal", "PrivateMessage.unknown_to",
}  # fmt: skip
OF_ONE_PERSON = {
    "Order.formula",  # "orders of another release" and "orders that are a list"
    "Draft.fields", "InboundEmail.understood",  # read for nobody else
}  # fmt: skip


def test_every_column_of_json_was_thought_of():
    columns = {
        f"{model.__name__}.{field.name}": field
        for model in apps.get_app_config("games").get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, JSONField)
    }
    careless = {name for name, field in columns.items() if not is_careful(field)}
    assert careless == OF_ONE_TABLE | OF_ONE_PERSON
    for name, field in columns.items():
        for value in JSON.values():
            if is_careful(field):
                read = field.from_db_value(json.dumps(value), None, connection)
                wanted = dict if isinstance(field, DictField) else list
                is_nothing = read is None and value is None and field.null
                assert isinstance(read, wanted) or is_nothing, (name, value)


@pytest.mark.long(every=4)
@pytest.mark.full
@pytest.mark.parametrize("break_it", WRONG.values(), ids=WRONG)
def test_the_others_play_on_read_their_pages_and_get_their_email(break_it, smtp):
    now = timezone.now()
    game = open_table("Anna", "Boris", "Clara", now=now)
    [asked] = seats_to_move(game)
    wrong = game.seats.exclude(pk=asked.pk).first()
    third = game.seats.exclude(pk__in=(asked.pk, wrong.pk)).get()
    break_it(wrong)
    submit_move(game, asked.user, now)
    page = browser(asked.user)
    for address in ("/", game.get_absolute_url(), "/tables/", "/people/"):
        assert page.get(address).status_code == 200, address
    delivery.drain(now=now + MINUTE)
    others = {asked.user.email, third.user.email}
    assert others <= {mail["To"] for mail in smtp.messages}
    for _ in range(6):
        game.refresh_from_db()
        due, played = game.deadline_at, game.moves.count()
        if due is None:
            break
        delivery.drain(now=due)
        tick(due)
        clock.sweep(now=due)
        assert game.moves.count() > played, game.error
    assert browser(person("Gerda")).get("/tables/watch/").status_code == 200


def test_an_unknown_zone_is_warned_of_once_and_utc_is_said(caplog):
    zone_of.cache_clear()
    assert [moment(MONDAY, GONE) for _ in range(3)] == ["Mon 2 Mar, 09:00 (UTC)"] * 3
    assert [record.getMessage() for record in caplog.records] == [
        "There is no time zone 'Atlantis/Gone' here: UTC is used. Is tzdata up to date?"
    ]


def test_the_check_before_a_deployment_names_the_zones_that_are_missing(db):
    game = open_table("Anna", "Boris", "Clara")
    assert stored_zones.trouble() == ""
    User.objects.filter(name="Anna").update(time_zone=GONE)
    Game.objects.filter(pk=game.pk).update(time_zone="Lemuria/Gone")
    trouble = (
        "This machine doesn't have the time zones Atlantis/Gone, Lemuria/Gone, which people or "
        "tables have chosen: UTC is used instead. Install the present tzdata."
    )
    assert stored_zones.trouble() == trouble
    with pytest.raises(SystemCheckError) as refused:
        call_command("check", "--deploy", "--fail-level", "WARNING")
    assert f"(games.W001) {trouble}" in str(refused.value)


def test_a_row_that_is_not_there_holds_nothing_wrong(caplog):
    """A table without a host is joined with nobody, and nobody has no kinds of email."""
    game = open_table("Anna", "Boris", "Clara")
    Game.objects.filter(pk=game.pk).update(host=None)
    assert Game.objects.select_related("host").get(pk=game.pk).host is None
    assert caplog.messages == []


@pytest.mark.long(after=3)
@pytest.mark.full
@pytest.mark.parametrize("value", JSON.values(), ids=JSON)
def test_moderators_read_all_other_reports_and_lines_of_the_audit_log(value):
    game = table_at_rest()
    broken, sound = (reported("Boris", say(game, "Anna", text)) for text in ("You!", "Me!"))
    Report.objects.filter(pk=broken.pk).update(frozen=Value(value, JSONField()))
    Message.objects.filter(pk=broken.message_id).update(earlier=Value(value, JSONField()))
    marta = moderator("Marta")
    marta_acts_on(person("Emil"), "warn", reason="Please be kind.")
    for action in ("person.warn", "game.pause"):
        line = {"before": Value(value, JSONField()), "after": Value(value, JSONField())}
        AuditLine.objects.create(at=timezone.now(), who="Marta", action=action, game=game, **line)
    client = browser(marta)
    admin = "/admin/games"
    for address in ("/admin/", f"{admin}/report/", f"{admin}/auditline/", f"{admin}/message/"):
        assert client.get(address).status_code == 200, address
    for report in (broken, sound):
        assert client.get(f"{admin}/report/{report.pk}/change/").status_code == 200
    assert "A message from Anna" in text_of(browser(named("Boris")).get("/reports/"))
