"""PostgreSQL and Valkey for the whole session, a mail server for who asks, and a database to use.

The first process of a session starts the servers while the tests are collected, also under xdist;
each process has a database and a Valkey number of its own. Under xdist the database is a copy of
one that was migrated meanwhile. Addresses in the environment are used instead, as everywhere.
"""

import os
from collections import Counter
from itertools import islice
from pathlib import Path
from pkgutil import resolve_name
from urllib.parse import urlsplit

import environ
import pytest
from django.apps import apps
from django.conf import settings as site_settings
from django.contrib.contenttypes.models import ContentType
from django.core.cache import caches
from django.core.management.commands import flush as flush_command
from django.db import OperationalError, connection
from django.utils import timezone, translation
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from psycopg.errors import DeadlockDetected

from games.models import SiteState, Tick
from intrigue_site.celery import app as celery_app
from intrigue_site.garbage import collect_seldom
from tests.faults import report as faults_report
from tests.support.hosted import collected_in, is_up, production, web_servers
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.servers import MailServer, Servers, set_up_for_tests, wait_for_addresses
from tests.support.tables import tick
from tests.support.template import template_of

pytest_plugins = ["tests.support.again", "tests.support.times"]

SERVERS = pytest.StashKey[Servers]()
MADE_BY_MIGRATING = {
    "django_content_type", "auth_permission", "auth_group", "auth_group_permissions"
}  # fmt: skip

hypothesis_settings.register_profile(
    "patient", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("patient")


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="all that the build server runs")
    parser.addoption("--long", action="store_true", help="also what takes very long")


def pytest_configure(config):
    config.option.full = config.option.full or config.option.long
    if not hasattr(config, "workerinput") and not config.option.collectonly:
        config.stash[SERVERS] = Servers(with_template=bool(config.getoption("tx", None)))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    node.workerinput["servers"] = str(node.config.stash[SERVERS].folder)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Let each worker begin with a share of the longest tests, so that none ends with one alone.

    Workers begin with equal parts of the list, and whoever has done its own takes of another's end.
    """
    if not config.getoption("long"):
        skip_long(items)
    everything = [Path(argument).resolve() for argument in config.args] == [Path(__file__).parent]
    if everything and not config.getoption("full"):
        chosen = quick(items)
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = [item for item in items if item in chosen]
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    long = sorted(
        (item for item in items if is_marked(item, "slow") or is_marked(item, "full")),
        key=lambda item: not is_marked(item, "slow"),
    )
    known = set(long)
    sharing = [item for item in long if "web_ports" in item.fixturenames]
    long = [item for item in long if item not in set(sharing)]
    short = iter([item for item in items if item not in known])
    dealt = []
    for worker in range(workers):
        share = (sharing if worker == 0 else []) + long[worker::workers]
        size = (len(items) - len(dealt)) // (workers - worker)
        dealt += [*share, *islice(short, max(0, size - len(share)))]
    items[:] = dealt


def skip_long(items):
    """Skip what is marked long; of cases alike, those after the first `after`, or all but one in
    `every`.
    """
    cases = Counter()
    for item in items:
        if (long := item.get_closest_marker("long")) is None:
            continue
        test = (item.parent, item.originalname)
        place, every = cases[test], long.kwargs.get("every")
        cases[test] += 1
        if place % every if every else place >= long.kwargs.get("after", 0):
            item.add_marker(pytest.mark.skip(reason="takes minutes: bin/test --long"))


def quick(items):
    """What nobody has to name: without those in full only, and of many cases alike the first."""
    chosen, cases = set(), Counter()
    for item in items:
        sample, test = item.get_closest_marker("sample"), (item.parent, item.originalname)
        if is_marked(item, "full") or (sample and cases[test] == sample.args[0]):
            continue
        cases[test] += not is_marked(item, "skip")
        chosen.add(item)
    return chosen


def is_marked(item, name):
    return item.get_closest_marker(name) is not None


def pytest_collection_finish():
    collect_seldom()


def pytest_terminal_summary(terminalreporter):
    faults_report.tell(terminalreporter)


def pytest_unconfigure(config):
    if SERVERS in config.stash:
        config.stash[SERVERS].stop()


def servers_folder(config):
    """Of the servers of this session; all its processes see it."""
    given = getattr(config, "workerinput", None)
    return Path(given["servers"]) if given else config.stash[SERVERS].folder


@pytest.fixture(scope="session")
def addresses(request):
    """DATABASE_URL of the server and CELERY_BROKER_URL with a Valkey number of this process."""
    given = getattr(request.config, "workerinput", None)
    found = wait_for_addresses(servers_folder(request.config))
    number = int(given["workerid"].removeprefix("gw")) if given else 0
    assert number < 16, "Valkey has no more than 16 numbers: take fewer workers."
    broker = urlsplit(found["CELERY_BROKER_URL"])._replace(path=f"/{number}").geturl()
    return {**found, "CELERY_BROKER_URL": broker}


@pytest.fixture(scope="session")
def django_db_modify_db_settings(request, addresses):
    """Point Django and Celery to the servers, before the test database is made."""
    if "DATABASE_URL" not in os.environ:
        set_up_for_tests(addresses["DATABASE_URL"])
    address = environ.Env.db_url_config(addresses["DATABASE_URL"])
    address["OPTIONS"] = address.get("OPTIONS", {}) | site_settings.BINDING
    site_settings.DATABASES["default"].update(address)
    site_settings.CELERY_BROKER_URL = addresses["CELERY_BROKER_URL"]
    celery_app.conf.broker_url = addresses["CELERY_BROKER_URL"]
    request.getfixturevalue("django_db_modify_db_settings_parallel_suffix")
    if given := getattr(request.config, "workerinput", None):
        template = template_of(Path(given["servers"]))
        connection.settings_dict["TEST"] |= {"TEMPLATE": template, "MIGRATE": False}


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Let a transactional test empty its tables, quickly and past the triggers that would refuse.

    No test begins with the note of which version has migrated.

    To delete a few rows is quicker than to truncate all tables. What migrating has put there stays,
    and needn't be put there again.
    """

    def empty(_operations, _style, tables, **_more):
        statements = [
            "SET LOCAL lock_timeout = '60s'",  # a browser's last request may still be under way
            "SET LOCAL session_replication_role = replica",
            *(f'DELETE FROM "{table}"' for table in tables if table not in MADE_BY_MIGRATING),
        ]
        return ["; ".join(statements)]

    with django_db_blocker.unblock():
        SiteState.objects.all().delete()
    operations = type(connection.ops)
    flush = operations.execute_sql_flush

    def flush_once_more(ours, statements):
        """A browser's last request may also lock the same rows in another order."""
        try:
            flush(ours, statements)
        except OperationalError as trouble:
            if not isinstance(trouble.__cause__, DeadlockDetected):
                raise
            flush(ours, statements)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(operations, "sql_flush", empty)
        patch.setattr(operations, "execute_sql_flush", flush_once_more)
        patch.setattr(flush_command, "emit_post_migrate_signal", lambda *_, **__: None)
        yield


LIMITS = (
    "games.services.operations.clock.MOST_SECONDS",
    "games.services.operations.clock.MOST_SECONDS_OF_A_HELPER",
    "games.services.operations.clock.MOST_SECONDS_OF_OTHERS",
    "games.services.email.delivery.MOST_SECONDS",
    "games.services.email.delivery.SLOW_AFTER",
    "games.services.operations.time_grants.MOST_SECONDS",
    "games.services.moderation.actions.timing.MOST_SECONDS",
)


@pytest.fixture(autouse=True, scope="session")
def a_slow_machine_is_no_fault():
    """One sweep and one drain do all there is to do, however long that takes.

    Gives the limits of production, which `limits_of_production` sets again.
    """
    usual = {name: resolve_name(name) for name in LIMITS}
    with pytest.MonkeyPatch.context() as patch:
        for name in LIMITS:
            patch.setattr(name, PATIENCE_SECONDS)
        yield usual


@pytest.fixture
def limits_of_production(a_slow_machine_is_no_fault, monkeypatch):
    """A sweep, a drain and a grant end when they do in production."""
    for name, seconds in a_slow_machine_is_no_fault.items():
        monkeypatch.setattr(name, seconds)


@pytest.fixture(autouse=True)
def begins_as_a_new_process():
    """Forget what earlier tests left in the memory of the process: a count of queries is the same
    whichever tests came before.
    """
    caches["process"].clear()
    ContentType.objects.clear_cache()


@pytest.fixture(autouse=True)
def begins_in_english():
    """Forget the language of the pages that earlier tests have asked for."""
    with translation.override("en"):
        yield


@pytest.fixture
def smtp(settings):
    """A real mail server to which Django's mail goes; `smtp.messages` is what it was given."""
    with MailServer() as server:
        backend = "intrigue_site.smtp.EmailBackend"
        options = {"host": server.hostname, "port": server.port, "timeout": 20}
        settings.MAILERS = {"default": {"BACKEND": backend, "OPTIONS": options}}
        yield server.inbox


def for_processes(addresses):
    """The environment of real processes: this worker's database and broker."""
    database = urlsplit(addresses["DATABASE_URL"])._replace(path=connection.settings_dict["NAME"])
    return {
        **os.environ,
        **addresses,
        "DATABASE_URL": database.geturl(),
        "DJANGO_SETTINGS_MODULE": "intrigue_site.settings",
        "SECRET_KEY": site_settings.SECRET_KEY,
        "SITE_URL": site_settings.SITE_URL,
        "PYTHONUNBUFFERED": "1",
    }


@pytest.fixture
def process_environment(transactional_db, addresses, settings, smtp):
    """The environment for real processes of the site: this test's database, broker and mail server.

    Production settings; give SWEEP_SECONDS what the test needs.
    """
    caches["default"].clear()  # what other tests' processes have counted towards limits
    options = settings.MAILERS["default"]["OPTIONS"]
    mail = {"SMTP_HOST": options["host"], "SMTP_PORT": str(options["port"])}
    return for_processes(addresses) | mail


@pytest.fixture(scope="session")
def collected(request, addresses, django_db_setup):
    """The folder of the browsers' files as they are hosted; who asks for it changes nothing."""
    return collected_in(servers_folder(request.config), for_processes(addresses))


@pytest.fixture(scope="session")
def hosted_web_servers(addresses, django_db_setup, collected, tmp_path_factory):
    """Two web servers as they are hosted, and the inbox of their mail server.

    They are those of all tests of this worker that ask for them.
    """
    folder = tmp_path_factory.mktemp("hosted")
    environment = for_processes(addresses) | production(folder, collected)
    with MailServer() as mail:
        environment |= {"SMTP_HOST": mail.hostname, "SMTP_PORT": str(mail.port)}
        with web_servers(environment, folder, 2) as ports:
            yield ports, mail.inbox


@pytest.fixture
def web_ports(hosted_web_servers, transactional_db):
    """Their ports; the site is empty, and well though no worker runs."""
    ports, inbox = hosted_web_servers
    inbox.messages.clear()
    caches["default"].clear()  # what was counted towards limits
    for model in apps.get_app_config("games").get_models():
        assert not model._default_manager.exists(), model
    now = timezone.now()
    tick(now)
    Tick.objects.ticked(Tick.MAIL, now)
    for port in ports:
        wait_until(lambda port=port: is_up(port))
    return ports


@pytest.fixture
def web_inbox(web_ports, hosted_web_servers):
    """What they have emailed in this test."""
    return hosted_web_servers[1]
