"""The admin in a language of other letters: what is Latin there cannot be translated."""

import re
from string import ascii_letters

import pytest
from django.contrib.admin import SimpleListFilter
from django.contrib.admin.utils import label_for_field
from django.test import Client
from django.utils.functional import Promise
from django.utils.translation import trans_real

from games.admin import site
from games.models import Message, Report, User
from tests.support.busy_site import fill_tables
from tests.support.client import browser
from tests.support.moderators import administrator, key_of
from tests.support.tables import open_table
from tests.support.untranslated import LATIN, NAMES, Words

pytestmark = [pytest.mark.full, pytest.mark.django_db]

KEPT = re.compile(r"(\{[^}]*\}|%\(\w+\)[sd]|%[sd%]|<[^>]*>|&\w+;)")
WIDE = {ord(letter): ord(letter) + 0xFEE0 for letter in ascii_letters}
PEOPLE_AND_WORDS = re.compile(
    r"Anna|Boris|Clara|Dora|Emil|Nora|Nadja|Fanny|Georg|Hanna|“anna”|“nobody”"
    r"|(anna|boris|clara|dora) (?=\d)"
    r"|The Venice table|A feast\.|Be kind(er)?\.|He cheats\.|/tables/\S+"
)


class OtherLetters(trans_real.DjangoTranslation):
    """Every sentence in wide letters, but for its placeholders."""

    def gettext(self, message: str) -> str:
        parts = KEPT.split(message.partition("\x04")[2] or message)
        return "".join(part if KEPT.fullmatch(part) else part.translate(WIDE) for part in parts)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.fixture
def nadja(monkeypatch) -> Client:
    """An administrator who reads other letters."""
    monkeypatch.setitem(trans_real._translations, "ru", OtherLetters("ru"))
    User.objects.filter(pk=administrator().pk).update(language="ru")
    return browser(User.objects.get(name="Nadja"))


def latin(client: Client, address: str) -> list[str]:
    """What of a page is in Latin letters, and no name or code, nor written by people."""
    answered = client.get(address)
    assert answered.status_code == 200, address
    words = Words(answered.content.decode()).words
    return [
        f"{address}: {one.strip()}"
        for one in words
        if LATIN.search(NAMES.sub("", PEOPLE_AND_WORDS.sub("", one)))
    ]


def test_lists_and_rows_can_be_translated(nadja):
    fill_tables()
    found = []
    for model in site._registry:
        address = f"/admin/games/{model._meta.model_name}/"
        found += latin(nadja, address)
        for row in model.objects.order_by("-pk")[:3]:
            found += latin(nadja, f"{address}{key_of(row)}/change/")
    assert "\n".join(found) == ""


def test_desk_and_acts_can_be_translated(nadja):
    fill_tables()
    game = open_table("Fanny", "Georg", "Hanna")
    anna = User.objects.get(name="Anna 1")
    message, report = Message.objects.last(), Report.objects.last()
    pages = [
        "/admin/", "/admin/?q=anna", "/admin/site/", "/admin/?q=nobody",
        f"/admin/games/user/{anna.pk}/doubles/",
        f"/admin/games/game/{game.pk}/glass/",
        *(f"/admin/games/game/{game.pk}/act/{slug}/" for slug in (
            "pause", "extend", "deadline", "default", "excuse", "house-player", "absent", "reopen",
            "give-back", "pace", "referee",
            "send-again", "rewind", "our-fault", "present", "resume",
        )),
        *(f"/admin/games/user/{anna.pk}/act/{slug}/" for slug in (
            "warn", "mute", "ban", "note", "clear-address", "second-factor", "unmute",
            "answer-objection",
        )),
        *(f"/admin/games/report/{report.pk}/act/{slug}/" for slug in (
            "take", "uphold", "reject", "grant-appeal",
        )),
        *(f"/admin/games/message/{message.pk}/act/{slug}/" for slug in ("remove", "show")),
        *(f"/admin/site/act/{slug}/" for slug in (
            "hours", "downtime", "notice", "no-new-games", "maintenance", "maintenance-over",
        )),
    ]  # fmt: skip
    assert "\n".join(line for page in pages for line in latin(nadja, page)) == ""


@pytest.mark.parametrize("admin", site._registry.values(), ids=lambda admin: admin.opts.model_name)
def test_every_label_is_a_lazy_translation(admin):
    """Also those of fields in which nothing stood above, and of the filters."""
    names = {*admin.list_display, *(admin.fields or ())}
    labels = [label_for_field(name, admin.model, admin) for name in names]
    for one in admin.list_filter:
        field = one[0] if isinstance(one, tuple) else one
        is_own = isinstance(field, type) and issubclass(field, SimpleListFilter)
        labels.append(field.title if is_own else label_for_field(field, admin.model, admin))
    labels += [admin.opts.verbose_name, admin.opts.verbose_name_plural]
    assert [str(label) for label in labels if not isinstance(label, Promise)] == []
    assert admin.fields, "Without its fields named, a new one is shown at once."


def test_every_choice_that_is_shown_is_a_lazy_translation():
    for admin in site._registry.values():
        for field in admin.opts.fields:
            for value, label in field.flatchoices if field.name != "time_zone" else ():
                own_name = field.name == "language"
                assert own_name or isinstance(label, Promise), (admin.opts.model_name, value)
