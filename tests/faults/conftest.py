"""Sites to break, and where their figures go."""

import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection

from tests.faults.checker import Figures
from tests.faults.processes import Keeper
from tests.faults.report import PROPERTY
from tests.faults.site import prepare


@pytest.fixture(scope="session")
def prepared(addresses, django_db_setup, collected):
    """A folder with what every site begins with: a copy of the tests' empty database.

    Who asks for it is marked `django_db`: otherwise the tests may have no database so far.
    """
    migrated = urlsplit(addresses["DATABASE_URL"])._replace(path=connection.settings_dict["NAME"])
    folder = Path(tempfile.mkdtemp(prefix="intrigue-faults-"))
    folder.chmod(0o755)  # PostgreSQL has a user of its own
    keeper = Keeper(folder)  # with which the folder goes, too
    try:
        prepare(keeper, migrated.geturl(), collected)
        yield folder
    finally:
        keeper.close()


@pytest.fixture
def figures(record_property):
    """Tell the figures of a scenario, then assert that what has to be 0 is 0."""

    def text(name: str, found: Figures) -> None:
        record_property(PROPERTY, json.dumps({name: asdict(found)}))
        found.assert_sound()

    return text
