"""How many queries the pages of the admin need, and how long they take, with a full database."""

import argparse
import os
import statistics
import time

import django
from django.test import Client

from tests.support.servers import Servers, wait_for_addresses

RUNS = 5
type Form = dict[str, str]

SLOW = 200
"""Milliseconds."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--explain", action="store_true", help="tell the slowest query of a page")
    given = parser.parse_args()
    servers = Servers()
    try:
        os.environ |= wait_for_addresses(servers.folder) | {
            "DJANGO_SETTINGS_MODULE": "intrigue_site.settings",
            "SECRET_KEY": "x" * 60,
            "DEMO": "1",
            "ALLOWED_HOSTS": "testserver",
        }
        django.setup()
        _measure(explain=given.explain)
    finally:
        servers.stop()


def _measure(*, explain: bool) -> None:
    # Django is set up now.
    from django.core.management import call_command

    from tests.benchmarks.filling import fill
    from tests.benchmarks.pages import pages, previews, reader

    call_command("migrate", verbosity=0)
    print("Filling the database ...", flush=True)
    fill()
    client = reader()
    print("\n| page | queries | milliseconds |\n|---|---:|---:|")
    for name, address in pages():
        _page(client, name, address, explain=explain)
    for name, address, form in previews(client):
        _page(client, name, address, form, explain=explain)


def _page(
    client: Client, name: str, address: str, form: Form | None = None, *, explain: bool
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    took = []
    for _run in range(RUNS):
        began = time.perf_counter()
        with CaptureQueriesContext(connection) as queries:
            page = client.get(address) if form is None else client.post(address, form)
        took.append(1000 * (time.perf_counter() - began))
        if page.status_code != 200:
            raise SystemExit(f"{address} was answered with {page.status_code}")
    middle = statistics.median(took)
    slow = " slow" if middle > SLOW else ""
    print(f"| {name} | {len(queries)} | {middle:.0f}{slow} |", flush=True)
    if explain and slow:
        worst = max(queries.captured_queries, key=lambda one: float(one["time"]))
        print(f"  {worst['time']} s: {worst['sql'][:3000]}", flush=True)
        if worst["sql"].startswith("SELECT"):
            with connection.cursor() as cursor:
                cursor.execute("EXPLAIN ANALYZE " + worst["sql"].replace("%", "%%"), ())
                print("\n".join(f"    {row[0]}" for row in cursor.fetchall()), flush=True)


if __name__ == "__main__":
    main()
