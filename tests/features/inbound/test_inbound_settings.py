"""What the settings get from the names of the servers that receive replies."""

import pytest

from tests.operations.test_settings import run

pytestmark = pytest.mark.full

NAMES = ("MAIL_REPLIES_DOMAIN", "MAIL_AUTHSERV_ID")


@pytest.mark.parametrize("name", NAMES)
def test_replies_by_email_need_both_of_their_names(name):
    ended = run("manage.py", "check", **{name: "mx.example.org"})
    assert ended.returncode != 0
    assert "Set both MAIL_REPLIES_DOMAIN and MAIL_AUTHSERV_ID, or neither." in ended.stderr


def test_switched_off_they_are_not_even_read():
    script = "from intrigue_site import settings; print(*(hasattr(settings, one) for one in NAMES))"
    given = dict.fromkeys(NAMES, "mx.example.org")
    ended = run("-c", f"{NAMES = }; {script}", **given, FEATURES_OFF="inbound")
    assert (ended.stdout, ended.stderr) == ("False False\n", "")
    assert run("-c", f"{NAMES = }; {script}", **given).stdout == "True True\n"
