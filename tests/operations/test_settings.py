"""What an installation is refused, and what it is given."""

import os
import re
import subprocess
import sys

import pytest

from tests.support.hosted import production
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.servers import free_port

pytestmark = pytest.mark.full

SWEPT = re.compile(
    r"^[-\d]{10}T[:.\d]{12}\+00:00 INFO celery\.app\.trace \[([-0-9a-f]{36})\] "
    r"Task games\.tasks\.sweep\[\1\] succeeded",
    re.MULTILINE,
)
"""A line of the site's own log, with the id of the task."""

REFUSAL = "SECRET_KEY is missing or weak"
PRODUCTION = {
    "SECRET_KEY": "kept in this test only: 8dAq0zP-Xw5fJr2Lm9YbT6vHc3NsEgKu",
    "SITE_URL": "https://intrigue.example.org",
    "TRUSTED_PROXIES": "1",
}
CELERY = ["-m", "celery", "--app", "intrigue_site"]
PROCESSES = {
    "web": ["-c", "import intrigue_site.wsgi"],
    "live": ["-m", "uvicorn", "intrigue_site.live:application"],
    "worker": [*CELERY, "worker", "--pool", "solo"],
    "beat": [*CELERY, "beat", "--pidfile", ""],
    "inbound": ["manage.py", "receive_email"],
}


@pytest.fixture
def site(tmp_path):
    """The environment of a site that has all it needs to start."""
    static = tmp_path / "static"
    static.mkdir()
    (static / "staticfiles.json").write_text('{"paths": {}, "version": "1.1", "hash": ""}')
    return production(tmp_path, static) | PRODUCTION


def run(*command, **environment):
    """Run a command of the site with this environment and nothing else set."""
    return subprocess.run(
        [sys.executable, *command],
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


@pytest.mark.long(every=3)
@pytest.mark.parametrize("key", [None, "django-insecure-" + "0123456789" * 6, "", "short"])
@pytest.mark.parametrize("process", PROCESSES)
def test_nothing_serves_people_without_a_strong_secret_key(process, key, site):
    del site["SECRET_KEY"]
    ended = run(*PROCESSES[process], **site, **({} if key is None else {"SECRET_KEY": key}))
    assert ended.returncode == (3 if process == "web" else 1)
    assert REFUSAL in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.long(after=2)
@pytest.mark.parametrize("process", PROCESSES)
def test_settings_that_cant_be_read_are_told_in_one_line_by_every_process(process):
    """By celery itself nothing is read of them."""
    ended = run(*PROCESSES[process], **PRODUCTION, SWEEP_SECONDS="often")
    assert ended.returncode == (3 if process == "web" else 1)
    assert ended.stderr == "SWEEP_SECONDS must be a number from 0.1 to 3600.0, not often.\n"


def test_gunicorn_gives_up_with_the_sentence_instead_of_trying_for_ever(site):
    command = ["-m", "gunicorn", "intrigue_site.wsgi", "--no-control-socket", "--bind"]
    ended = run(*command, f"127.0.0.1:{free_port()}", **site | {"MAIL_FROM": "Intrigue"})
    assert ended.returncode == 3
    assert "\nMAIL_FROM must be an email address, such as" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("direct", "after"), [({}, 5), ({"DATABASE_DIRECT_URL": "postgresql://db/intrigue"}, None)]
)
def test_statements_are_prepared_only_where_no_pooler_is_configured(direct, after):
    """After five times: the connection may be another one the next time."""
    show = (
        "from django.conf import settings; options = settings.DATABASES['default']['OPTIONS']; "
        "print(options['server_side_binding'], options['prepare_threshold'])"
    )
    ended = run("-c", show, DJANGO_SETTINGS_MODULE="intrigue_site.settings", **PRODUCTION, **direct)
    assert ended.stdout == f"True {after}\n"


def test_tools_need_no_environment():
    ended = run("manage.py", "check")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_production_settings_pass_the_deployment_check(site):
    ended = run("manage.py", "check", "--deploy", "--fail-level", "WARNING", **site)
    assert ended.returncode == 0, ended.stderr


def test_two_checks_of_deployment_are_silenced_and_find_nothing_but_what_is_left_to_the_owner(site):
    """Whether HSTS is for sub-domains too, and for the browsers' preload lists (settings.py)."""
    script = """
import django
django.setup()
from django.conf import settings
from django.core.checks import run_checks
print(*sorted(settings.SILENCED_SYSTEM_CHECKS))
print(*sorted(one.id for one in run_checks(include_deployment_checks=True)))
"""
    ended = run("-c", script, **site)
    assert ended.stdout.splitlines() == 2 * ["security.W005 security.W021"], ended.stderr


def test_production_is_https_only_and_known_by_the_host_of_its_address():
    names = "ALLOWED_HOSTS", "SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "ATOMIC_REQUESTS"
    script = f"""
from intrigue_site import settings
print([getattr(settings, name, None) for name in {names}], settings.DEFAULT_FROM_EMAIL)
"""
    ended = run("-c", script, **PRODUCTION)
    assert ended.stdout.strip() == (
        "[['intrigue.example.org'], True, True, None] Intrigue <intrigue@intrigue.example.org>"
    )


def test_secrets_are_taken_as_they_are_whatever_they_begin_with():
    script = """
from intrigue_site import settings
mailer = settings.MAILERS["default"]["OPTIONS"]
print(settings.SECRET_KEY, mailer["username"], mailer["password"])
"""
    secrets = {"SECRET_KEY": "$key", "SMTP_USER": "$user", "SMTP_PASSWORD": "$$ecret"}
    assert run("-c", script, **secrets).stdout.split() == ["$key", "$user", "$$ecret"]


@pytest.mark.long(after=2)
@pytest.mark.parametrize(
    ("address", "backend"),
    [
        ("", "intrigue_site.smtp.EmailBackend"),
        ("smtps://me:pssst@mail.example.org", "intrigue_site.smtp.EmailBackend"),
        ("postmark://Pssst", "anymail.backends.postmark.EmailBackend"),
        ("mailgun://Pssst@mail.example.org", "anymail.backends.mailgun.EmailBackend"),
    ],
)
def test_one_variable_decides_what_sends_email(address, backend):
    script = "from intrigue_site import settings; print(settings.MAILERS['default']['BACKEND'])"
    assert run("-c", script, EMAIL_URL=address).stdout.strip() == backend
    assert run("manage.py", "check", EMAIL_URL=address).returncode == 0


def test_a_malformed_address_for_email_is_refused_and_not_repeated():
    ended = run("manage.py", "check", EMAIL_URL="pigeon://pssst@loft")
    assert ended.returncode != 0
    assert "EMAIL_URL must be an address such as smtp+starttls://" in ended.stderr
    assert "pssst" not in ended.stderr


def test_moderators_need_a_second_factor_everywhere_but_in_the_demo():
    script = "from intrigue_site import settings; print(settings.STAFF_NEED_SECOND_FACTOR)"
    assert run("-c", script, **PRODUCTION).stdout.strip() == "True"
    assert run("-c", script, **PRODUCTION, DEMO="1").stdout.strip() == "False"


def test_an_unknown_way_to_sign_up_is_refused():
    ended = run("manage.py", "check", SIGN_UP="closed")
    assert ended.returncode != 0
    assert "SIGN_UP must be open or invited." in ended.stderr


@pytest.mark.long(every=2)
@pytest.mark.parametrize("name", ["DATABASE_URL", "DATABASE_DIRECT_URL"])
@pytest.mark.parametrize(
    "address",
    [
        "nonsense",
        "postgresql://intrigue:pssst@db:port/intrigue",
        "mysql://intrigue:pssst@db/intrigue",
    ],
    ids=["no address", "no port", "another database"],
)
def test_a_malformed_address_of_the_database_is_refused_and_not_repeated(name, address):
    ended = run("manage.py", "check", **{name: address})
    assert ended.returncode != 0
    assert ended.stderr == (
        f"{name} must be an address such as postgresql://intrigue:PASSWORD@HOST:5432/intrigue.\n"
    )


@pytest.mark.django_db
def test_the_migrations_are_complete():
    from django.core.management import call_command

    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_a_real_worker_runs_what_a_real_beat_sends(process_environment, tmp_path):
    """The way of a message, from beat over Valkey to a worker; what it does is tested elsewhere."""
    log = tmp_path / "celery.log"
    command = [sys.executable, "-m", "celery", "--app", "intrigue_site", "worker", "-B"]
    options = ["--concurrency", "1", "--loglevel", "INFO", "--logfile", str(log)]
    environment = {**process_environment, "SWEEP_SECONDS": "1"}
    with subprocess.Popen([*command, *options], env=environment) as worker:
        try:
            wait_until(lambda: log.exists() and SWEPT.search(log.read_text()))
        finally:
            worker.terminate()
    assert worker.returncode == 0


SERVICES = [
    "",
    "postmark://token",
    "mailgun://key@mail.example.org",
    "smtps://u:p@mail.example.org",
]
SECRETS = ["", "user:password", "a-signing-key"]


@pytest.mark.long(every=3)
@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("service", SERVICES)
def test_changing_the_email_service_takes_one_variable(service, secret, site):
    """Whatever secret the service before had, every process starts."""
    chosen = {"EMAIL_URL": service, "EMAIL_EVENTS_SECRET": secret}
    chosen = {name: value for name, value in chosen.items() if value}
    ended = run("-c", "import intrigue_site.wsgi", **site, **chosen)
    assert ended.returncode == 0, ended.stderr
