"""What the site reads of its environment: secrets in variables and files, and misspelt names."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from intrigue_site import environment
from intrigue_site.environment import SECRETS, flag, mistyped, number, secret


@pytest.fixture(autouse=True)
def nothing_else_is_set(monkeypatch):
    monkeypatch.setattr("os.environ", {"PATH": "/bin", "HOME": "/root", "SSL_CERT_DIR": "/etc"})


@pytest.fixture
def credentials(monkeypatch, tmp_path):
    """The folder in which systemd passes on credentials."""
    folder = tmp_path / "credentials"
    folder.mkdir()
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(folder))
    return folder


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_in_its_variable_or_in_a_file_that_another_names(name, monkeypatch, tmp_path):
    file = tmp_path / "kept"
    assert secret(name) == ""
    monkeypatch.setenv(name, "$ecret ")
    assert secret(name) == "$ecret "
    monkeypatch.setenv(name, "")
    file.write_text(" $ecret\n")
    monkeypatch.setenv(f"{name}_FILE", str(file))
    assert secret(name) == " $ecret"


def test_a_secret_is_a_credential_of_systemd(credentials, monkeypatch):
    assert secret("SECRET_KEY") == ""
    (credentials / "SECRET_KEY").write_text("pssst\n")
    assert secret("SECRET_KEY") == "pssst"
    assert secret("PUSH_KEY") == ""
    monkeypatch.setenv("SECRET_KEY_FILE", "/nope")
    assert refusal_of("SECRET_KEY") == (
        "SECRET_KEY_FILE and systemd's credential SECRET_KEY are set: only one of them can be."
    )


def refusal_of(name: str) -> str:
    with pytest.raises(ImproperlyConfigured) as refused:
        secret(name)
    return str(refused.value)


def test_a_secret_in_two_places_is_refused_and_not_repeated(monkeypatch, tmp_path):
    monkeypatch.setenv("EMAIL_URL", "smtps://me:pssst@mail.example.org")
    monkeypatch.setenv("EMAIL_URL_FILE", str(tmp_path / "kept"))
    assert refusal_of("EMAIL_URL") == (
        "EMAIL_URL and EMAIL_URL_FILE are set: only one of them can be."
    )


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "can't be read (No such file or directory)"),
        (b"", "is empty"),
        (b"\n", "is empty"),
        (b"\xff", "isn't text"),
    ],
)
def test_a_file_without_a_secret_is_refused(content, why, monkeypatch, tmp_path):
    file = tmp_path / "kept"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setenv("PUSH_KEY_FILE", str(file))
    assert refusal_of("PUSH_KEY") == (
        "PUSH_KEY_FILE must be a file with nothing but the secret, which the site's user can "
        f"read: {file} {why}."
    )


@pytest.mark.parametrize("said", ["a few", "0", "65536", "2.5", "nan"])
def test_a_number_that_is_none_or_out_of_bounds_is_refused(said, monkeypatch):
    assert number("SMTP_PORT", 25, least=1, most=65535) == 25
    monkeypatch.setenv("SMTP_PORT", said)
    with pytest.raises(ImproperlyConfigured) as refused:
        number("SMTP_PORT", 25, least=1, most=65535)
    assert str(refused.value) == f"SMTP_PORT must be a whole number from 1 to 65535, not {said}."


def test_a_number_may_have_a_fraction_where_the_usual_one_has(monkeypatch):
    monkeypatch.setenv("SWEEP_SECONDS", "2.5")
    assert number("SWEEP_SECONDS", 15.0, least=0.1, most=3600.0) == 2.5
    monkeypatch.setenv("SWEEP_SECONDS", "nan")
    with pytest.raises(ImproperlyConfigured, match=r"a number from 0\.1 to 3600\.0, not nan"):
        number("SWEEP_SECONDS", 15.0, least=0.1, most=3600.0)


def test_a_switch_is_on_or_off_and_nothing_else(monkeypatch):
    for said, is_on in (("", False), ("0", False), ("No", False), ("1", True), ("YES", True)):
        monkeypatch.setenv("ROBOTS", said)
        assert flag("ROBOTS") is is_on
    monkeypatch.setenv("ROBOTS", "perhaps")
    with pytest.raises(ImproperlyConfigured, match=r"^ROBOTS must be yes or no, not perhaps\.$"):
        flag("ROBOTS")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("EMIAL_URL", "EMAIL_URL"),
        ("MAIL_FORM", "MAIL_FROM"),
        ("MAIL_URL", "EMAIL_URL"),
        ("SECRETKEY", "SECRET_KEY"),
        ("secret_key", "SECRET_KEY"),
        ("SECRET_KEY_FLIE", "SECRET_KEY_FILE"),
        ("SECRETKEY_FILE", "SECRET_KEY_FILE"),
        ("ALLOWED_HOST", "ALLOWED_HOSTS"),
        ("TIMEZONE", "TIME_ZONE"),
        ("SMTP_USERNAME", "SMTP_USER"),
        ("DATABASE_URI", "DATABASE_URL"),
        ("TRUSTED_PROXY", "TRUSTED_PROXIES"),
    ],
)
def test_a_misspelt_variable_is_named_with_what_was_meant(name, meant, monkeypatch):
    monkeypatch.setenv(name, "something")
    assert list(mistyped()) == [f"{name} isn't a setting of the site: {meant} is."]


def test_a_file_is_read_for_a_secret_only(monkeypatch):
    monkeypatch.setenv("SITE_URL_FILE", "/run/secrets/site")
    assert list(mistyped()) == [
        "SITE_URL_FILE isn't read, since SITE_URL is no secret: set SITE_URL itself."
    ]


FOREIGN = """
    _ CELERY_LOG_FILE CELERY_LOG_LEVEL CREDENTIALS_DIRECTORY DEBIAN_FRONTEND DISPLAY EDITOR EMAIL
    FORWARDED_ALLOW_IPS GIT_DIR GPG_KEY GUNICORN_CMD_ARGS HOME HOSTNAME HTTPS_PROXY http_proxy
    INVOCATION_ID JOURNAL_STREAM LANG LANGUAGE LC_ALL LC_TIME LESSCLOSE LISTEN_FDS LISTEN_PID
    LOGNAME LS_COLORS MAIL MEMORY_PRESSURE_WATCH NOTIFY_SOCKET OLDPWD PAGER PATH PGCONNECT_TIMEOUT
    PGDATABASE PGHOST PGPASSWORD PGPORT PGUSER POSTGRES_DB POSTGRES_PASSWORD POSTGRES_USER PWD
    DB_PASSWORD_FILE POSTGRES_PASSWORD_FILE
    PYTHON_VERSION PYTHONPATH PYTHONUNBUFFERED REDIS_URL RUNTIME_DIRECTORY SHELL SHLVL
    SSH_AUTH_SOCK SSH_CONNECTION SSL_CERT_DIR STATE_DIRECTORY SUDO_USER SYSTEMD_EXEC_PID TERM TMPDIR
    TZ USER USERNAME VALKEY_URL VIRTUAL_ENV VISUAL WATCHDOG_USEC WEB_CONCURRENCY
    XDG_RUNTIME_DIR XDG_SESSION_ID DJANGO_SETTINGS_MODULE
"""


def test_what_others_read_is_not_taken_for_a_misspelling(monkeypatch):
    for name in [*FOREIGN.split(), *environment.VARIABLES, *environment.READ_ELSEWHERE]:
        monkeypatch.setenv(name, "something")
    assert list(mistyped()) == []
