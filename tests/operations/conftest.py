"""A database that nobody has migrated."""

from urllib.parse import urlsplit

import pytest
from django.db import connection


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
