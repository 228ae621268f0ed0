"""Who is muted or blocked: through no field do their words reach anybody else."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django import forms
from django.utils import timezone

from games.forms.moderation.base import ActionForm
from games.models import Acquaintance, Game, Invitation, Message, OutboxEmail, User
from games.services.chat import messages
from games.services.lobby import tables
from games.services.people import acquaintances, blocks
from tests.support.client import browser, opening_form, person, text_of
from tests.support.every_form import FORMS, fields_of
from tests.support.sent_emails import emailed
from tests.support.tables import open_table, seat_of, table_settings

pytestmark = pytest.mark.django_db

OTHERS_READ = {
    "MessageForm.text",
    "WhisperForm.text",
    "ThreadForm.text",
    "EditForm.text",
    "KnownForm.note",
    "TableForm.name",
    "TableForm.description",
    "InviteForm.addresses",
    "ProfileForm.name",
}
"""What each of these tests is about, besides listing a table and "the same again"."""

NOBODY_ELSE_READS = {
    "FindForm.text",
    "FindOpenForm.text",
    "NotesForm.text",
    "DeleteForm.name",
    "AddEmailForm.email",
    "OwnAddressForm.email",
    "LoginForm.password",
    "SignInForm.password",
    "RequestLoginCodeForm.email",
    "SignInCodeForm.email",
    "ResetPasswordForm.email",
    "ForgottenPasswordForm.email",
    "FirstSeatForm.email",
    "UnconfirmedForm.address",
    "CodeForm.code",
    "FirstSeatForm.name",  # nobody is muted before there is an account
    "KeepForm.email",
    "KeepForm.name",
    "NameAndZone.name",
    "SignUpForm.name",  # nobody is muted before there is an account
    "NewAccount.name",
    "ProviderSignUpForm.name",
    "ProviderSignUpForm.email",
    "ProviderSignUpForm.username",
    "SignUpForm.email",
    "SignUpForm.username",
    "SignupForm.email",
    "SignupForm.username",
    "ChangeEmailForm.email",
    "MistypedAddressForm.email",
    "AuthenticateForm.code",
    "ReauthenticateForm.code",
    "SecondFactorForm.code",
    "SecondFactorAgainForm.code",
    "AddPasskeyForm.name",
    "AddWebAuthnForm.name",
    "RenamePasskeyForm.name",
    "EditWebAuthnForm.name",
    "SubscriptionForm.endpoint",
    "SubscriptionForm.p256dh",
    "SubscriptionForm.auth",
}
MODERATORS_READ = {
    "ReportForm.why",
    "WrittenForm.text",
    "QuestionForm.text",
    "UnconfirmedForm.text",
    "AppealForm.appeal",
    "SanctionAppealForm.objection",
    "AuditSearchForm.who",
    "AuditSearchForm.game",
    "AuditSearchForm.person",
    "AuditSearchForm.words",
}


def test_every_free_text_is_known_to_be_read_by_others_or_not():
    found = {
        f"{form.__name__}.{name}"
        for form in FORMS
        if not issubclass(form, ActionForm)
        for name, field in fields_of(form).items()
        if isinstance(field, forms.CharField) and not isinstance(field.widget, forms.HiddenInput)
    }
    assert found == OTHERS_READ | NOBODY_ELSE_READS | MODERATORS_READ


@pytest.fixture
def table():
    """A table of Mutie that waits, opened before the mute."""
    game = open_table("Mutie", "Boris", size=4, name="Old name", now=timezone.now())
    OutboxEmail.objects.all().delete()
    return game


@pytest.fixture
def mutie(table):
    User.objects.filter(name="Mutie").update(muted_until=timezone.now() + timedelta(days=3))
    return browser(User.objects.get(name="Mutie"))


class TestMuted:
    """Mutie may write nothing that others read, and reads why wherever she tries."""

    def said_no(self, answer) -> None:
        assert "You are muted until" in text_of(answer)

    def test_talk(self, mutie, table):
        said = {"talk-text": "Hear me", "talk-token": str(uuid4())}
        self.said_no(mutie.post(f"{table.get_absolute_url()}talk/", said))
        assert not Message.objects.exists()

    def test_a_note_about_knowing_somebody(self, mutie, table):
        anna = person("Anna")
        self.said_no(mutie.post(f"/people/{anna.pk}/know/", {"note": "You are a cheat"}))
        assert not Acquaintance.objects.exists()
        assert "cheat" not in text_of(browser(anna).get("/people/"))

    def test_saying_yes_to_somebody_who_knows_her_says_nothing(self, mutie, table):
        boris, her = User.objects.get(name="Boris"), User.objects.get(name="Mutie")
        acquaintances.declare(user=boris, other_id=her.pk, now=timezone.now(), note="School")
        mutie.post(f"/people/{boris.pk}/know/", {"note": "You are a cheat"})
        known = Acquaintance.objects.get()
        assert known.confirmed_at is not None
        assert known.note == "School"

    def test_a_table_of_her_own(self, mutie, table):
        form = opening_form(browser(person("Anna"))) | {"name": "Hear me", "description": "Hear me"}
        self.said_no(mutie.post("/tables/new/", form | {"opening_token": str(uuid4())}))
        assert Game.objects.count() == 1

    def test_the_same_again(self, mutie):
        old = open_table("Anna", "Clara", "Dora", now=timezone.now())
        Game.objects.filter(pk=old.pk).update(status="finished", deadline_at=None)
        her = User.objects.get(name="Mutie")
        seat_of(old, "Dora").sittings.update(user=her)
        old.seats.filter(user__name="Dora").update(user=her)
        self.said_no(mutie.post(f"{old.get_absolute_url()}again/", follow=True))
        assert not Game.objects.filter(rematch_of=old).exists()
        browser(old.host).post(f"{old.get_absolute_url()}again/")
        mutie.post(f"{old.get_absolute_url()}again/")
        again = Game.objects.get(rematch_of=old)
        assert again.seats.filter(user=her).exists()  # what another opened she plays

    def test_an_invitation(self, mutie, table):
        typed = {"addresses": "zoe@example.org"}
        self.said_no(mutie.post(f"{table.get_absolute_url()}invite/", typed))
        assert not Invitation.objects.exists()
        assert not OutboxEmail.objects.exists()

    def test_listing_her_table(self, mutie, table):
        listing = {"listed": "yes"}
        self.said_no(mutie.post(f"{table.get_absolute_url()}listed/", listing, follow=True))
        table.refresh_from_db()
        assert not table.listed

    def test_another_name(self, mutie, table):
        profile = {"name": "Hear me", "time_zone": "UTC", "language": ""}
        self.said_no(mutie.post("/accounts/profile/", profile))
        assert not User.objects.filter(name="Hear me").exists()

    def test_she_still_joins_a_table_and_leaves_it(self, mutie):
        other = open_table("Anna", size=4, now=timezone.now())
        mutie.post(f"{other.get_absolute_url()}join/")
        assert other.seats.filter(user__name="Mutie").exists()


class TestBlocked:
    """Anna has blocked Bodo, who is not told."""

    @pytest.fixture
    def anna(self):
        return person("Anna")

    @pytest.fixture
    def bodo(self, anna):
        bodo = person("Bodo")
        blocks.block(user=anna, other_id=bodo.pk, now=timezone.now())
        return bodo

    @pytest.mark.full
    def test_his_note_about_her_is_not_shown_to_her(self, anna, bodo):
        page = browser(bodo).post(f"/people/{anna.pk}/know/", {"note": "A cheat"}, follow=True)
        assert page.status_code == 200
        assert "You've said that you know this person." in text_of(page)
        for url in (f"/people/{bodo.pk}/", "/people/", "/"):
            page = text_of(browser(anna).get(url))
            assert "A cheat" not in page
            assert "says you know each other" not in page
        blocks.unblock(user=anna, other_id=bodo.pk)
        assert "A cheat" in text_of(browser(anna).get(f"/people/{bodo.pk}/"))

    def test_nor_one_from_before_the_block_or_one_she_had_confirmed(self, anna):
        bodo, now = person("Bodo"), timezone.now()
        acquaintances.declare(user=bodo, other_id=anna.pk, now=now, note="A cheat")
        acquaintances.declare(user=anna, other_id=bodo.pk, now=now)
        assert "A cheat" in text_of(browser(anna).get(f"/people/{bodo.pk}/"))
        blocks.block(user=anna, other_id=bodo.pk, now=now)
        page = text_of(browser(anna).get(f"/people/{bodo.pk}/"))
        assert "A cheat" not in page
        assert "You know each other" in page

    def test_he_emails_her_by_no_mention_at_a_table_of_both(self, anna):
        game = tables.open_table(host=anna, settings=table_settings(), now=timezone.now())
        bodo = person("Bodo")
        tables.join(game_id=game.pk, user=bodo, now=timezone.now())
        blocks.block(user=anna, other_id=bodo.pk, now=timezone.now())
        self.speak(game, bodo, "@Anna, you are a cheat")
        assert emailed("mention") == []
        self.speak(game, anna, "@Bodo, enough")
        assert emailed("mention") == ["Bodo"]

    def speak(self, game: Game, user: User, text: str) -> None:
        messages.say(game_id=game.pk, user=user, text=text, token=uuid4(), now=timezone.now())

    @pytest.mark.full
    def test_his_invitation_is_neither_emailed_nor_shown(self, anna, bodo):
        game = tables.open_table(host=bodo, settings=table_settings(), now=timezone.now())
        typed = {"addresses": anna.email}
        browser(bodo).post(f"{game.get_absolute_url()}invite/", typed)
        assert game.name not in text_of(browser(anna).get("/"))
        game.listed = True
        game.save()
        assert game.name not in text_of(browser(anna).get("/tables/"))
