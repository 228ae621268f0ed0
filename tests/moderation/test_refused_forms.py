"""What is wrong with the form of an action is seen at the top of its page."""

import pytest

from tests.support.client import browser, text_of
from tests.support.moderators import moderator, person_act_url
from tests.support.reporting import named, table_at_rest

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("slug", "filled", "error"),
    [
        ("warn", {}, "Please choose or write a reason."),
        ("note", {}, "This field is required."),
        (
            "clear-up",
            {"seats": "free", "reason": "Gone."},
            "In which games : Please choose in which games to do this.",
        ),
    ],
)
def test_the_error_stands_above_the_form_and_has_the_focus(slug, filled, error):
    table_at_rest()
    page = browser(moderator()).post(person_act_url(named("Anna"), slug), {"seen": 0} | filled)
    assert page.status_code == 422
    html = page.content.decode()
    top, _form = html.split('<form method="post" id="act">', 1)
    assert 'class="errornote" role="alert" tabindex="-1" autofocus' in top
    assert error in text_of(page)
    if slug == "clear-up":
        assert '<a href="#id_where">' in top
        assert 'id="id_where"' in html
