"""`manage.py doctor` and the way of visitors to the site: each mistake of a host is named."""

import shutil
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
import trustme
from django.utils import timezone

from games.models import Tick
from tests.conftest import for_processes
from tests.support.hosted import PYTHON
from tests.support.public_sites import PublicSite
from tests.support.servers import MailServer, free_port

pytestmark = [
    pytest.mark.full,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed"),
]


@pytest.fixture(scope="module")
def processes(addresses, django_db_setup, collected, tmp_path_factory):
    """A site that is right, but for the proxy that each test starts, and beat."""
    folder = tmp_path_factory.mktemp("public")
    with MailServer() as mail:
        smtp = {"SMTP_HOST": mail.hostname, "SMTP_PORT": str(mail.port)}
        site = PublicSite(for_processes(addresses) | smtp, collected, folder)
        with site.runs():
            yield site


@pytest.fixture
def site(processes, transactional_db):
    """The same, as if beat had just woken the worker."""
    for name in (Tick.SWEEP, Tick.MAIL):
        Tick.objects.ticked(name, timezone.now() + timedelta(minutes=1))
    return processes


def test_of_a_site_that_is_right_all_is_well(site):
    with site.nginx():
        lines, status = site.doctor()
    assert [line for line in lines if not line.well] == []
    assert status == 0
    web = [line.text for line in lines if line.part == "Web"]
    assert web == [f"{site.address} shows its pages and files."]
    assert "processes listening: 1." in [line.text for line in lines]
    assert not Tick.objects.filter(name__startswith=Tick.PROBE).exists()


FOR_EVER = (
    "Web: The web server takes requests by https for ones by http, and redirects every page to "
    "itself for ever, because"
)
BY_ITSELF = "Caddy sends it by itself."
PROXY_MISTAKES = {
    "no X-Forwarded-Proto": (
        {"forwarded_proto": ""},
        (
            f"{FOR_EVER} the proxy sends no X-Forwarded-Proto: nginx needs "
            f"`proxy_set_header X-Forwarded-Proto $scheme;`, {BY_ITSELF}"
        ),
    ),
    "X-Forwarded-Proto of an inner proxy": (
        {"forwarded_proto": "proxy_set_header X-Forwarded-Proto http;"},
        (
            f"{FOR_EVER} the proxy says X-Forwarded-Proto: http. It must be what the visitor came "
            "by, also behind another proxy."
        ),
    ),
    "no Host": (
        {"host": "proxy_set_header Host backend;"},
        (
            "Web: The proxy asks the web server for the host backend instead of localhost, so "
            f"pages are refused with 400: nginx needs `proxy_set_header Host $host;`, {BY_ITSELF}"
        ),
    ),
}


@pytest.mark.long(after=1)
@pytest.mark.parametrize("mistake", PROXY_MISTAKES)
def test_what_the_proxy_doesnt_say_is_named(site, mistake):
    changed, said = PROXY_MISTAKES[mistake]
    with site.nginx(**changed):
        assert site.troubles() == [said]


@pytest.mark.long
def test_visitors_whose_addresses_the_proxy_doesnt_say_are_named(site):
    with site.nginx(forwarded_for=""):
        assert site.troubles() == [
            f"{part}: The proxy sends {who} no X-Forwarded-For, so all visitors seem to come from "
            "127.0.0.1 and share the limits of one address: nginx needs `proxy_set_header "
            f"X-Forwarded-For $proxy_add_x_forwarded_for;`, {BY_ITSELF}"
            for part, who in (("Web", "the web server"), ("Live", "the live process"))
        ]


def of_web_server(site, **changed):
    """What is wrong where the web server has another environment."""
    with site.web_server(free_port(), **changed) as port, site.nginx(web=port):
        return site.troubles()


@pytest.mark.long
def test_a_number_of_proxies_that_is_wrong_is_named(site):
    none = of_web_server(site, TRUSTED_PROXIES="0")
    assert none == [
        (
            "Web: The web server has TRUSTED_PROXIES=0, but the doctor came through 1, so all "
            "visitors seem to come from 127.0.0.1 and share the limits of one address. Set "
            "TRUSTED_PROXIES=1, the number of your proxies that add to X-Forwarded-For."
        ),
        f"{FOR_EVER} it believes no proxy: TRUSTED_PROXIES must be the number of your proxies.",
    ]
    [many] = of_web_server(site, TRUSTED_PROXIES="2")
    assert "so anybody can claim to come from any address. Set TRUSTED_PROXIES=1, the" in many


@pytest.mark.long
def test_modes_that_are_not_for_visitors_are_named(site):
    [another, debug] = of_web_server(site, DEBUG="1")
    assert another.startswith("Web: The web server has another DEBUG than this command.")
    assert debug.startswith("Web: The web server runs with DEBUG=1: errors show visitors its code")
    [another, demo] = of_web_server(site, DEMO="1")
    assert "another" in another
    assert demo.startswith("Web: The web server runs with DEMO=1: everybody can sign in as anybody")


def test_another_key_setting_or_version_is_named(site):
    [key] = of_web_server(site, SECRET_KEY="another key, " * 6)
    assert key.startswith("Web: The web server has another SECRET_KEY than this command")
    [setting] = of_web_server(site, MAIL_FROM="elsewhere@example.org")
    assert setting.startswith("Web: The web server has another MAIL_FROM than this command")
    [version] = of_web_server(site, COMMIT="ba9876543210")
    assert "The web server runs 1" in version or "The web server runs 0" in version
    assert "(ba9876543210), and this is" in version


@pytest.mark.long
def test_a_web_server_at_another_database_is_named(site, empty):
    migrate = [PYTHON, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(migrate, env=empty, check=True)
    [found] = of_web_server(site, DATABASE_URL=empty["DATABASE_URL"])
    assert found == (
        "Web: The web server uses another database than this command. Give all processes the same "
        "DATABASE_URL, then restart them."
    )


@pytest.mark.long
def test_a_live_process_that_differs_is_named(site):
    another = site.live_process(free_port(), SECRET_KEY="another key, " * 6)
    with another as port, site.nginx(live=port):
        [found] = site.troubles()
    assert found.startswith("Live: The live process has another SECRET_KEY than this command")


@pytest.mark.long
def test_one_of_two_web_servers_that_differs_is_named(site):
    """The proxy gives each its turn."""
    with site.web_server(free_port(), MAIL_FROM="elsewhere@example.org") as port:
        both = f"upstream both {{ server 127.0.0.1:{site.web}; server 127.0.0.1:{port}; }}"
        with site.nginx(upstream=both, web_servers="both"):
            [found] = site.troubles()
    assert found.startswith("Web: The web server has another MAIL_FROM than this command")


@pytest.mark.long
def test_a_clock_that_is_off_is_named(site):
    library = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")
    if not library.exists():
        pytest.skip("libfaketime is not installed")
    [found] = of_web_server(site, LD_PRELOAD=str(library), FAKETIME="+40m")
    assert found.startswith("Clocks: The clock of the web server is 40 minutes ahead of this")


@pytest.mark.long
def test_what_is_not_there_is_named(site):
    with site.nginx(web=free_port()):
        [web] = site.troubles()
    assert web.startswith("Web: The proxy answers 502 because it doesn't reach the web server:")
    with site.nginx(live=free_port()):
        [live] = site.troubles()
    assert live.startswith(f"Live: {site.address}/live/ answers 502, because no live process runs")
    with site.nginx(live=site.web):
        [live] = site.troubles()
    assert live.startswith(f"Live: {site.address}/live/ answers 404, and not like a live process")
    [proxy] = site.troubles()
    assert proxy.startswith(f"Web: {site.address} doesn't answer (Connection refused). Start the ")


@pytest.mark.long
def test_a_certificate_that_is_bad_or_runs_out_is_named(site):
    now = timezone.now()
    soon = site.authority.issue_cert("localhost", not_after=now + timedelta(days=13))
    with site.nginx(certificate=soon):
        [found] = site.troubles()
    assert found.startswith(f"Web: The certificate of {site.address} runs out at ")
    for begun, left, troubles in ((1, 11, 0), (11, 1, 1)):  # such as Caddy's own
        lasting, until = now - timedelta(hours=begun), now + timedelta(hours=left)
        short = site.authority.issue_cert("localhost", not_before=lasting, not_after=until)
        with site.nginx(certificate=short):
            assert len(site.troubles()) == troubles
    over = site.authority.issue_cert(
        "localhost", not_before=now - timedelta(days=9), not_after=now - timedelta(days=1)
    )
    stranger = trustme.CA().issue_cert("localhost")
    other = site.authority.issue_cert("intrigue.example")
    for bad, why in (
        (over, "certificate has expired"),
        (stranger, "unable to get local issuer certificate"),
        (other, "Hostname mismatch, certificate is not valid for 'localhost'"),
    ):
        with site.nginx(certificate=bad):
            [found] = [one for one in site.troubles() if one.startswith("Web")]
        assert found.startswith(f"Web: The certificate of {site.address} isn't good: {why}. Give")


@pytest.mark.long
def test_an_address_of_the_site_that_is_wrong_is_named(site):
    with site.nginx():
        for wrong, why in (
            (site.address.replace("https", "http"), "SITE_URL must begin with https://"),
            ("localhost", "SITE_URL must be the address of the site and nothing more"),
            ("", "SITE_URL isn't set"),
            (f"{site.address}/intrigue", "SITE_URL must be the address of the site and nothing"),
        ):
            troubles = site.troubles(SITE_URL=wrong)
            found = [one for one in troubles if one.startswith(("Settings", "Web"))]
            assert len(found) == 1, wrong
            assert found[0].startswith(f"Settings: {why}")


@pytest.mark.long
def test_files_that_the_proxy_doesnt_pass_on_are_named(site):
    with site.nginx(more="location /static/ { return 404; }"):
        [found] = site.troubles()
    assert found.startswith("Web: The front page names /static/")
    assert "but that answers 404. Run manage.py collectstatic" in found


@pytest.mark.long
def test_a_stream_that_is_held_back_is_named(site):
    with site.nginx(more_of_live="proxy_ignore_headers X-Accel-Buffering;"):
        [found] = site.troubles()
    assert found.startswith(f"Live: {site.address}/live/ sends nothing within 20 seconds.")
