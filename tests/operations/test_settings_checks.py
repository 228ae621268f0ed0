"""Settings that can be read and are wrong: the doctor and `check --deploy` name each of them."""

import pytest

from intrigue_site.settings_checks import settings_of_the_site
from tests.operations.test_settings import PROCESSES, run, site

pytestmark = pytest.mark.full

__all__ = ["site"]  # the fixture

HOST = "intrigue.example.org"
NO_SITE = (
    "SITE_URL must be the address of the site and nothing more, such as "
    "https://intrigue.example.org, not {}."
)
NO_DATABASE = "{} must be an address such as postgresql://intrigue:PASSWORD@HOST:5432/intrigue."
NO_NUMBER = "{} must be a {} from {} to {}, not {}."

UNREADABLE = {
    ("SITE_URL", HOST): NO_SITE.format(HOST),
    ("SITE_URL", f"https://{HOST}/intrigue"): NO_SITE.format(f"https://{HOST}/intrigue"),
    ("SITE_URL", f"ftp://{HOST}"): NO_SITE.format(f"ftp://{HOST}"),
    ("SITE_URL", f"https://{HOST}:port"): NO_SITE.format(f"https://{HOST}:port"),
    ("SITE_URL", "https://[::1"): NO_SITE.format("https://[::1"),
    ("DATABASE_URL", "nonsense"): NO_DATABASE.format("DATABASE_URL"),
    ("CELERY_BROKER_URL", "localhost:6379"): (
        "CELERY_BROKER_URL must be an address such as redis://:PASSWORD@localhost:6379/0."
    ),
    ("TIME_ZONE", "Europe/Berlln"): (
        "TIME_ZONE must be the name of a time zone, such as Europe/Berlin, not Europe/Berlln."
    ),
    ("TIME_ZONE", "Europe"): (
        "TIME_ZONE must be the name of a time zone, such as Europe/Berlin, not Europe."
    ),
    ("TRUSTED_PROXIES", "one"): NO_NUMBER.format("TRUSTED_PROXIES", "whole number", 0, 9, "one"),
    ("SMTP_PORT", "smtp"): NO_NUMBER.format("SMTP_PORT", "whole number", 1, 65535, "smtp"),
    ("SWEEP_SECONDS", "0"): NO_NUMBER.format("SWEEP_SECONDS", "number", 0.1, 3600.0, "0"),
    ("SIGN_UP", "closed"): "SIGN_UP must be open or invited.",
    ("SECRET_KEY_FILE", "/nope"): (
        "SECRET_KEY and SECRET_KEY_FILE are set: only one of them can be."
    ),
    ("PUSH_KEY_FILE", "/nope"): (
        "PUSH_KEY_FILE must be a file with nothing but the secret, which the site's user can read: "
        "/nope can't be read (No such file or directory)."
    ),
}  # fmt: skip


@pytest.mark.long(after=5)
@pytest.mark.parametrize(("name", "value"), UNREADABLE)
def test_what_cant_be_read_is_all_that_the_doctor_says(name, value, site):
    ended = run("manage.py", "doctor", **site | {name: value})
    assert (ended.returncode, ended.stderr) == (1, "")
    assert ended.stdout == f"✗ Settings: {UNREADABLE[name, value]}\n"


def test_what_cant_be_read_is_told_to_machines_and_by_every_command(site):
    closed = site | {"SIGN_UP": "closed"}
    assert run("manage.py", "doctor", "--json", **closed).stdout == (
        '[{"part": "Settings", "text": "SIGN_UP must be open or invited.", "well": false}]\n'
    )
    check = run("manage.py", "check", **closed)
    assert (check.returncode, check.stderr) == (1, "SIGN_UP must be open or invited.\n")


MISSING_KEY = (
    "E001: SECRET_KEY is missing or weak: set it in the environment to a secret random text of 50 "
    "characters or more."
)
NO_SENDER = (
    "E003: MAIL_FROM must be an email address, such as Intrigue <intrigue@example.org>, not {}."
)
PUBLIC = "E005: {} is on, but SITE_URL is a public address, so {}: unset {}."
NO_LEGAL = (
    "E008: LEGAL_DIR must be a folder with imprint.txt, privacy.txt and terms.txt, which the "
    "site's user can read: {}."
)

WRONG = {
    ("SECRET_KEY", ""): MISSING_KEY,
    ("SECRET_KEY", "short"): MISSING_KEY,
    ("SITE_URL", ""): (
        "E002: SITE_URL isn't set: it must be the address of the site, such as "
        "https://intrigue.example.org."
    ),
    ("SITE_URL", f"http://{HOST}"): (
        "W001: SITE_URL must begin with https://, since the site is served by https only."
    ),
    ("MAIL_FROM", "Intrigue"): NO_SENDER.format("Intrigue"),
    ("MAIL_FROM", "Intrigue <intrigue@>"): NO_SENDER.format("Intrigue <intrigue@>"),
    ("MAIL_BOUNCES", "Bounces <bounces@example.org>"): (
        "E004: MAIL_BOUNCES must be an email address without a name, such as bounces@example.org, "
        "not Bounces <bounces@example.org>."
    ),
    ("DEBUG", "1"): PUBLIC.format(
        "DEBUG", "pages of errors would show strangers how the site works", "DEBUG"
    ),
    ("DEMO", "1"): PUBLIC.format("DEMO", "everybody could sign in as anybody", "DEMO"),
    ("ALLOWED_HOSTS", "www.example.org"): (
        "E006: ALLOWED_HOSTS lacks intrigue.example.org, the host of SITE_URL, so visitors would "
        "be refused: add it, or unset ALLOWED_HOSTS."
    ),
    ("LEGAL_DIR", "/nope"): NO_LEGAL.format("/nope: No such file or directory"),
    ("TRUSTED_PROXIES", "0"): (
        "W002: TRUSTED_PROXIES is 0, so all visitors seem to have the address of the proxy: set it "
        "to the number of your proxies, which is 1 behind nginx or Caddy alone."
    ),
    ("EMIAL_URL", "smtp://mail.example.org"): (
        "W003: EMIAL_URL isn't a setting of the site: EMAIL_URL is."
    ),
}


@pytest.mark.long(every=2)
@pytest.mark.parametrize(("name", "value"), WRONG)
def test_what_is_wrong_is_named_by_the_doctor(name, value, site):
    doctor = run("manage.py", "doctor", **site | {name: value})
    assert doctor.returncode == 1
    assert of_settings(doctor) == [f"✗ Settings: {WRONG[name, value].split(': ', 1)[1]}"]


def of_settings(doctor):
    return [line for line in doctor.stdout.splitlines() if "Settings" in line]


@pytest.mark.parametrize(
    ("name", "value", "status"), [("MAIL_FROM", "Intrigue", 1), ("TRUSTED_PROXIES", "0", 0)]
)
def test_the_deployment_check_says_the_same_and_only_errors_stop_a_web_server(
    name, value, status, site
):
    number, sentence = WRONG[name, value].split(": ", 1)
    check = run("manage.py", "check", "--deploy", **site | {name: value})
    assert check.returncode == status
    assert f"(intrigue.{number}) {sentence}\n" in check.stderr
    web = run(*PROCESSES["web"], **site | {name: value})
    assert (web.returncode, web.stderr) == ((3, f"{sentence}\n") if status else (0, ""))


def test_all_that_is_wrong_is_told_at_once(site):
    wrong = {"MAIL_FROM": "Intrigue", "ALLOWED_HOSTS": "www.example.org"}
    ended = run(*PROCESSES["live"], **site | wrong)
    assert ended.returncode == 1
    assert ended.stderr.splitlines() == [
        WRONG["MAIL_FROM", "Intrigue"].split(": ", 1)[1],
        WRONG["ALLOWED_HOSTS", "www.example.org"].split(": ", 1)[1],
    ]


def test_a_site_that_is_right_starts_and_the_doctor_finds_nothing_wrong_with_its_settings(site):
    assert of_settings(run("manage.py", "doctor", **site)) == []
    ended = run(*PROCESSES["web"], **site)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_files_for_browsers_that_arent_collected_stop_the_web_server_only(site, tmp_path):
    (tmp_path / "static" / "staticfiles.json").unlink()
    sentence = (
        "The files for browsers aren't collected, so no page can be shown: run manage.py "
        "collectstatic --no-input."
    )
    assert of_settings(run("manage.py", "doctor", **site)) == [f"✗ Settings: {sentence}"]
    assert run(*PROCESSES["web"], **site).stderr == f"{sentence}\n"
    assert run("-c", "import intrigue_site.live", **site).returncode == 0


def test_legal_pages_that_cant_be_read_are_named(site, tmp_path):
    legal = tmp_path / "legal"
    legal.mkdir()
    (legal / "imprint.txt").write_bytes("Zürich".encode("latin-1"))
    sentence = NO_LEGAL.format(f"{legal}/imprint.txt isn't UTF-8")
    doctor = run("manage.py", "doctor", **site | {"LEGAL_DIR": str(legal)})
    assert of_settings(doctor) == [f"✗ Settings: {sentence.removeprefix('E008: ')}"]
    assert "✗ Legal pages: they can't be read" in doctor.stdout
    (legal / "imprint.txt").write_text("Zürich")
    doctor = run("manage.py", "doctor", **site | {"LEGAL_DIR": str(legal)})
    assert of_settings(doctor) == []


@pytest.mark.parametrize(
    "address",
    [
        "http://localhost:8000", "http://127.0.0.1:8000", "http://192.168.1.5:8000",
        "http://[::1]:8000", "http://workshop:8000", "http://workshop.local",
    ],
)  # fmt: skip
def test_developers_have_their_modes_where_nobody_else_comes(address, settings):
    settings.SITE_URL, settings.ALLOWED_HOSTS = address, ["*"]
    settings.DEBUG = settings.DEMO = True
    assert settings_of_the_site() == []
    settings.SITE_URL = "http://203.0.114.7"
    assert [one.id for one in settings_of_the_site()] == 2 * ["intrigue.E005"]
