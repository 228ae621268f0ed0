import pytest

from tests.features.inbound import replying


@pytest.fixture(autouse=True)
def takes_replies(settings):
    replying.turn_on(settings)
