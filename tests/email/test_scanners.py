"""Programs that look through email fetch every link in it, and nothing happens."""

import pytest

from tests.support.every_email import MAKE, arrived
from tests.support.scanner import assert_nothing_changes_by_its_links

pytestmark = pytest.mark.django_db


@pytest.mark.long(every=3)
@pytest.mark.full
@pytest.mark.parametrize("kind", MAKE)
def test_whoever_fetches_all_links_of_an_email_changes_nothing(kind, smtp):
    _game, mail = arrived(kind, smtp)
    assert assert_nothing_changes_by_its_links(mail)
