"""Two reports of one message: who is emailed of the second decision."""

import pytest

from tests.support.moderators import moderator
from tests.support.reporting import decide, reported, upheld
from tests.support.sent_emails import sent

pytestmark = [pytest.mark.full, pytest.mark.counts, pytest.mark.django_db]


def test_who_wrote_the_message_is_emailed_once_that_it_was_removed(message, smtp):
    marta = moderator("Marta")
    first, second = reported("Anna", message), reported("Clara", message)
    upheld(marta, first, remove_message="this")
    assert sorted(sent(smtp).keys() & {"anna", "boris", "clara"}) == ["anna", "boris"]
    upheld(marta, second)
    assert sorted(sent(smtp)) == ["clara"]


def test_a_removal_that_comes_with_the_second_decision_is_emailed(message, smtp):
    marta = moderator("Marta")
    first, second = reported("Anna", message), reported("Clara", message)
    upheld(marta, first, remove_message="")
    sent(smtp)
    upheld(marta, second, remove_message="this")
    assert sorted(sent(smtp)) == ["boris", "clara"]


def test_where_the_first_decision_was_taken_back_the_second_is_emailed(message, smtp):
    marta = moderator("Marta")
    first, second = reported("Anna", message), reported("Clara", message)
    upheld(marta, first, remove_message="this")
    decide(marta, first, "take-back", reason="A mistake.")
    sent(smtp)
    upheld(marta, second, remove_message="")
    assert sorted(sent(smtp)) == ["boris", "clara"]
