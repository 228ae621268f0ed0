"""A database that nobody has migrated, and queues without messages."""

from urllib.parse import urlsplit

import pytest
from django.db import connection

from intrigue_site.celery import app as celery_app


@pytest.fixture
def empty(process_environment):
    """The environment of a site whose database is there and empty."""
    name = f"{connection.settings_dict['NAME']}_empty"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {name}")
        cursor.execute(f"CREATE DATABASE {name}")
    address = urlsplit(process_environment["DATABASE_URL"])._replace(path=name)
    yield {**process_environment, "DATABASE_URL": address.geturl()}
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def empty_queues(addresses):
    """No message of another test waits for the workers of this one."""
    with celery_app.connection_for_write() as broker:
        for queue in celery_app.conf.task_queues:
            bound = queue.bind(broker.default_channel)
            bound.declare()
            bound.purge()
