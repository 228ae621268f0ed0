"""What another site has filled in is neither stored nor offered to be sent with one click."""

import pytest
from django.test import Client

from games.forms.submitted import SubmittedForm
from games.models import Game, User
from games.views import resend
from tests.support.client import browser, person, verified
from tests.support.legal import texts_in, write

pytestmark = pytest.mark.django_db(transaction=True)

FORGED = {"Origin": "https://evil.example"}
PLANTED = {"reason": "planted", "hours": "720", "others": "1"}


@pytest.fixture
def marta(settings, tmp_path):
    """A moderator who has not shown a second factor in this session."""
    settings.STAFF_NEED_SECOND_FACTOR = True
    with texts_in(settings, tmp_path):
        yield verified("Marta", is_staff=True, is_superuser=True)


def owe(debt, tmp_path):
    if debt == "terms":
        write(tmp_path, terms="Play fair.")
    elif debt == "name":
        User.objects.update(name_key=None)
    elif debt == "second factor":
        User.objects.update(needs_second_factor=True)


@pytest.mark.sample(1)
@pytest.mark.parametrize("debt", ["second factor", "terms", "name", "nothing"])
@pytest.mark.parametrize("address", ["/admin/site/act/hours/", "/people/{rosa}/block/"])
def test_whatever_somebody_owes_first(marta, tmp_path, debt, address):
    """Each debt leads elsewhere, and keeps what a page of ours has sent."""
    rosa = person("Rosa")
    owe(debt, tmp_path)
    client = Client(enforce_csrf_checks=True)
    client.force_login(marta)
    answer = client.post(address.format(rosa=rosa.pk), PLANTED, headers=FORGED)
    assert answer.status_code == 403
    assert "Send" not in answer.content.decode()
    assert resend.STORED not in client.session


def test_nor_where_mail_programs_may_post(marta, tmp_path):
    """Such an address asks for no token."""
    owe("name", tmp_path)
    client = browser(marta)
    client.post("/invitations/abc/never/", PLANTED, headers=FORGED)
    assert resend.STORED not in client.session


@pytest.mark.parametrize("debt", ["second factor", "terms", "name", "nothing"])
def test_nor_where_the_browser_is_believed(marta, tmp_path, debt):
    """Such an address looks only after the debts of whoever sends the form."""
    owe(debt, tmp_path)
    client = Client(enforce_csrf_checks=True)
    client.force_login(marta)
    client.post("/first-game/", PLANTED, headers=FORGED)
    assert resend.STORED not in client.session
    assert not Game.objects.exists()


def test_signed_out(marta):
    client = Client(enforce_csrf_checks=True)
    assert client.post("/tables/new/", PLANTED, headers=FORGED).status_code == 403
    assert resend.STORED not in client.session


def test_what_fails_before_the_check_offers_nothing(rf):
    """As where the database goes away early."""
    request = rf.post("/tables/new/", PLANTED)
    assert SubmittedForm.of(request) is None
    request.csrf_processing_done = True
    assert SubmittedForm.of(request).fields == list(PLANTED.items())


def test_a_form_of_ours_is_still_kept(marta, tmp_path):
    owe("terms", tmp_path)
    client = browser(marta)
    client.post(f"/people/{person('Rosa').pk}/block/", PLANTED)
    assert client.session[resend.STORED]["fields"] == [list(one) for one in PLANTED.items()]
