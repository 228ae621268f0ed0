"""Names and other words that stand on one line: no break in them reaches an email's body."""

import pytest

from games.forms import passkeys, people, table
from games.forms.moderation import game_actions
from games.models import Game, OutboxEmail, User
from games.services import outbox
from games.services.clean_text import on_one_line
from games.services.email import compose
from tests.support.tables import MONDAY, open_table, seat_of

pytestmark = pytest.mark.django_db

BREAKS = (
    "Evil\r\nBcc: x@evil.test\r\n\r\nDear Anna,\x0b\x0c\x1c\x1e\x85\u2028\u2029 pay\x00\u202e now"
)


def test_a_name_of_a_table_stays_in_the_subject_whatever_it_is():
    """Also one that was given before such names were kept on one line."""
    game = open_table("Anna", "Boris", "Clara", now=MONDAY)
    OutboxEmail.objects.all().delete()
    Game.objects.update(name=BREAKS.replace("\x00", ""))
    game.refresh_from_db()
    anna = User.objects.get(name="Anna")
    outbox.enqueue("game_started", game=game, person=anna, now=MONDAY)
    mail = compose.compose([(OutboxEmail.objects.get(), seat_of(game, "Anna"))])
    assert "Dear Anna, pay" in " ".join(mail.subject.split())
    assert mail.subject.isprintable() or "\u202e" in mail.subject
    assert mail.body.startswith("Hello Anna,")


def test_what_stands_on_one_line_holds_no_breaks_and_nothing_unseen():
    assert on_one_line(BREAKS) == "Evil Bcc: x@evil.test Dear Anna, pay now"
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    persian = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    assert on_one_line(f" {family}  {persian} ") == f"{family} {persian}"


@pytest.mark.parametrize(
    "form",
    [table.TableForm, people.KnownForm, passkeys.AddPasskeyForm, passkeys.RenamePasskeyForm,
     game_actions.RenameForm],
)  # fmt: skip
def test_every_name_is_kept_on_one_line(form):
    fields = [name for name in ("name", "note") if name in form.base_fields]
    field = form.base_fields[fields[0]]
    assert field.clean("Evil\r\nBcc:\u2028 x\u202e") == "Evil Bcc: x"
