"""Who a process is, and what another one makes of its answer."""

import json

import pytest

from games.services.operations.identity import disagreement, identity


@pytest.fixture
def theirs(settings):
    settings.VERSION, settings.COMMIT = "1.2.3", "0123456789ab"
    return json.loads(json.dumps(identity()._asdict()))


def test_a_process_of_the_same_code_and_settings_agrees(theirs):
    assert disagreement("The web server", theirs) == ""


def test_neither_a_key_nor_a_setting_can_be_read_in_an_answer(settings):
    settings.PUSH_KEY = "a secret of push"
    text = repr(identity())
    for secret in (settings.SECRET_KEY, settings.PUSH_KEY, settings.SITE_URL):
        assert secret not in text


def test_it_answers_without_a_key(settings):
    settings.SECRET_KEY = ""
    assert identity().key == ""


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"version": "1.2.2"}, "runs 1.2.2 (0123456789ab), and this is 1.2.3 (0123456789ab)."),
        ({"commit": "ba9876543210"}, "runs 1.2.3 (ba9876543210), and this is 1.2.3 (0123456789ab)"),
        ({"commit": ""}, ""),
    ],
)
def test_other_code_is_named(theirs, other, said):
    text = disagreement("The worker one", theirs | other)
    assert said in text
    assert bool(text) == bool(said)
    if said:
        assert text.endswith("Install the same version everywhere, then restart all processes.")


def test_a_version_that_answers_without_one_is_named(theirs):
    assert disagreement("The worker one", {"now": 1.0}).startswith(
        "The worker one runs a version before 1.0. Install"
    )


def test_another_key_is_named_and_then_no_setting(theirs, settings):
    settings.SECRET_KEY = "another key for the tests only, and nobody has to keep it secret"
    text = disagreement("The worker one", theirs)
    assert text.startswith("The worker one has another SECRET_KEY than this command")
    assert "SITE_URL" not in text


def test_settings_that_differ_are_named_by_their_variables(theirs, settings):
    settings.SITE_URL, settings.FEATURES_OFF = "https://other.example", ["push"]
    assert disagreement("The worker one", theirs) == (
        "The worker one has another SITE_URL, another FEATURES_OFF than this command. "
        "Give all processes the same environment, then restart them."
    )
