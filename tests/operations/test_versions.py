"""Which version may work on a database, and what the others do instead."""

import logging

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from packaging.version import Version

from games import logs, tasks
from games.models import Move, SiteState, Tick
from games.services import site_state
from games.services.operations import versions
from games.services.site_state import Site
from intrigue_site import release
from tests.support.client import as_shown, browser, move_form
from tests.support.tables import open_table, seats_to_move

OLDER = "This is Intrigue 1.4.2, and the database works with {} or later only."
NEWER = "This is Intrigue 1.4.2, and the database was last migrated by {}."


@pytest.mark.parametrize(
    ("migrated_by", "works_with", "said"),
    [
        ("", "", ""),
        ("1.4.2", "1.0.0", ""),
        ("1.4.3", "1.0.0", ""),
        ("1.5.0", "1.4.0", ""),
        ("1.10.0", "1.4.2", ""),
        ("1.5.0.dev", "1.4.0", ""),
        ("1.5.0", "1.4.3", OLDER.format("1.4.3")),
        ("2.0.0", "2.0.0", OLDER.format("2.0.0")),
        ("1.4.2", "2.0.0", OLDER.format("2.0.0")),  # 2.0.0 is migrating it, or ended half-way
        ("1.4.1", "1.0.0", NEWER.format("1.4.1")),
        ("1.4.2.dev", "1.0.0", NEWER.format("1.4.2.dev")),
        ("0.9.0", "0.9.0", NEWER.format("0.9.0")),
    ],
)
def test_who_may_work_on_which_database(settings, migrated_by, works_with, said):
    settings.VERSION = "1.4.2"
    text = versions.refusal(Site(migrated_by=migrated_by, works_with=works_with))
    assert text.startswith(said)
    assert bool(text) == bool(said)


def test_what_this_version_migrates_it_works_on_and_no_other_major_does():
    assert versions.refusal(Site(migrated_by=release.VERSION, works_with=release.WORKS_WITH)) == ""
    assert Version(release.WORKS_WITH).major == Version(release.VERSION).major


def migrated(**note):
    """The database as another version has migrated it."""
    SiteState.objects.update_or_create(pk=1, defaults=note)
    site_state.forget()


@pytest.fixture
def another_major(db):
    migrated(migrated_by="99.0.0", works_with="99.0.0")


@pytest.mark.django_db(transaction=True)
class TestMigrate:
    @pytest.mark.full
    def test_it_notes_what_has_migrated(self, settings):
        settings.COMMIT = "0123456789ab"
        begun = timezone.now()
        call_command("migrate", verbosity=0)
        site = site_state.read()
        assert (site.migrated_by, site.works_with) == (settings.VERSION, settings.WORKS_WITH)
        assert begun <= site.migrated_at <= timezone.now()
        assert versions.who_migrated().startswith(
            f"The database was last migrated by {settings.VERSION} (0123456789ab), at 20"
        )

    @pytest.mark.parametrize("option", [{"plan": True}, {"app_label": "games"}])
    def test_a_part_of_it_notes_nothing(self, option, capsys):
        call_command("migrate", verbosity=0, **option)
        assert site_state.read().migrated_by == ""

    def test_a_version_that_may_work_on_it_lowers_nothing(self):
        later = {"migrated_by": "1.99.0", "works_with": "1.0.0"}
        migrated(**later)
        call_command("migrate", verbosity=0)
        site = site_state.read()
        assert (site.migrated_by, site.works_with) == tuple(later.values())

    def test_one_that_may_not_refuses(self):
        migrated(migrated_by="99.0.0", works_with="99.0.0")
        with pytest.raises(CommandError, match=r"the database works with 99\.0\.0 or later only"):
            call_command("migrate", verbosity=0)
        assert site_state.read().migrated_by == "99.0.0"

    def test_from_its_beginning_on_nobody_works_whom_it_would_surprise(self, settings):
        migrated(migrated_by="1.4.2", works_with="1.0.0")
        settings.VERSION, settings.WORKS_WITH = "2.0.0", "2.0.0"
        versions.keep_out_older()
        site = site_state.read()
        assert (site.migrated_by, site.works_with) == ("1.4.2", "2.0.0")
        assert versions.refusal(site) != ""
        settings.VERSION = "1.4.2"
        assert versions.refusal(site) != ""


@pytest.mark.usefixtures("another_major")
class TestRefuses:
    def test_who_starts(self):
        with pytest.raises(ImproperlyConfigured, match=r"works with 99\.0\.0 or later only"):
            versions.refuse_to_start()

    def test_pages_say_that_the_site_is_being_upgraded(self, client):
        page = client.get("/")
        assert (page.status_code, page["Retry-After"]) == (503, "60")
        assert "<h1>This site is being upgraded</h1>" in page.content.decode()
        data = client.get("/", headers={"accept": "application/json"})
        assert data.json()["text"].startswith("This site is being upgraded.")

    def test_machines_read_why(self, client):
        answer = client.get("/health/")
        assert answer.status_code == 503
        found = answer.json()
        assert (found["well"], found["database"]) == (False, True)
        assert found["version"] == release.VERSION
        assert "99.0.0 or later" in found["why"]

    def test_tasks_do_nothing(self, caplog):
        for task in (tasks.sweep, tasks.mail, tasks.trim):
            task()
        assert not Tick.objects.exists()
        assert "works with 99.0.0 or later only" in caplog.text

    def test_signing_in(self, client):
        assert client.post("/accounts/login/", {"login": "a@b.example"}).status_code == 503

    @pytest.mark.full
    def test_the_commands_that_tell_what_is_wrong_run(self, capsys):
        call_command("about")
        assert "the database works with 99.0.0 or later only." in capsys.readouterr().out
        with pytest.raises(SystemExit):
            call_command("doctor")
        assert "✗ Version: This is Intrigue" in capsys.readouterr().out


@pytest.mark.django_db
def test_a_move_is_not_played_and_stays_on_the_page():
    game = open_table("Anna", "Boris", "Clara")
    [seat] = seats_to_move(game)
    page = browser(seat.user)
    form = as_shown(move_form(page.get(game.get_absolute_url()).content.decode()))
    migrated(migrated_by="99.0.0", works_with="99.0.0")
    address = f"{game.get_absolute_url()}move/"
    answer = page.post(address, form)
    assert (answer.status_code, Move.objects.count()) == (503, 0)
    text = answer.content.decode()
    assert f'action="{address}"' in text
    assert "What you sent wasn't saved." in text
    migrated(migrated_by=release.VERSION, works_with=release.WORKS_WITH)
    assert page.post(address, form).status_code == 302
    assert Move.objects.count() == 1


@pytest.mark.django_db
def test_a_database_without_a_note_is_worked_on(client):
    assert client.get("/").status_code == 200
    versions.refuse_to_start()


@pytest.mark.django_db(transaction=True)
def test_a_column_that_is_not_there_yet_is_met_with_the_same_page(client):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_sitestate RENAME COLUMN works_with TO later")
    try:
        page = client.get("/status/")
        assert page.status_code == 503
        assert "This site is being upgraded" in page.content.decode()
        with pytest.raises(ImproperlyConfigured, match="lacks tables or columns"):
            versions.refuse_to_start()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE games_sitestate RENAME COLUMN later TO works_with")


def test_the_log_says_it_once_a_minute():
    once_a_minute = logs.OnceAMinute()

    def line(about):
        record = logging.makeLogRecord({"msg": "Why.", "levelno": logging.ERROR})
        record.once_a_minute = about
        return once_a_minute.filter(record)

    assert [line("version"), line("version"), line("other")] == [True, False, True]


@pytest.mark.django_db
def test_about_says_what_runs_here(settings, capsys):
    settings.FEATURES_OFF = ["push"]
    settings.SECRET_KEY = ""
    call_command("about")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"Intrigue {release.VERSION}")
    assert lines[1].startswith("Python 3.")
    assert "push" not in lines[2]
    assert lines[3] == "Features off: push"
    assert lines[4].startswith("PostgreSQL 1")
    assert lines[5] == "Nothing says which version migrated the database. Run manage.py migrate."
