"""People and tables for the pages to be looked at: each made when it is first needed."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property
from uuid import uuid4

from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from django.utils import timezone

from games.features.export import requests as exports
from games.features.questions import answering, asking, from_addresses
from games.features.questions.models import Question
from games.features.questions.queries import last_letter
from games.models import (
    FactorReset,
    Game,
    Invitation,
    Message,
    Move,
    PrivateMessage,
    Report,
    User,
)
from games.services.chat import messages
from games.services.email import delivery
from games.services.email.subscriptions import CHOICES, token_for
from games.services.game import notes, seats
from games.services.lobby import changed_settings, invitations, tables
from games.services.moderation.actions import people, redaction, site
from games.services.moderation.actions.person_action import latest_action
from games.services.moderation.actions.requests import ActionRequest, PersonRequest
from games.services.operations.sample_games import open_table
from games.services.people import acquaintances, blocks
from games.services.people.reset_links import token_for as token_for_reset
from games.services.people.sanctions import token_for as token_for_conduct
from games.services.reports import filing
from games.services.reports.filing import Complaint
from intrigue_site import demo_content, mailbox
from intrigue_site.scenarios import lay_out, scenario
from tests.support import passkeys
from tests.support.client import Field, all_forms, as_shown, browser, forms_of, verified
from tests.support.moderators import marta_acts, moderator
from tests.support.sites import by_nadja
from tests.support.tables import seats_to_move, table_settings
from tests.support.whispering import whisper

PASSWORD = "not so secret"


class World:
    """Who and what there is. All of it is made by the services, as people would."""

    def __init__(self) -> None:
        self.now: datetime = timezone.now()
        self.browsers: dict[User, Client] = {}

    # The people

    @cached_property
    def rosa(self) -> User:
        """Who has just come."""
        return verified("Rosa", time_zone="Europe/Vienna")

    @cached_property
    def sonja(self) -> User:
        """Who has a second factor."""
        user = verified("Sonja", time_zone="Europe/Vienna")
        TOTP.activate(user, generate_totp_secret())
        RecoveryCodes.activate(user)
        return user

    @cached_property
    def petra(self) -> User:
        """Who has a passkey."""
        user = verified("Petra", time_zone="Europe/Vienna")
        passkeys.add(self.of(user), passkeys.Device(), "My phone")
        return user

    @cached_property
    def ursula(self) -> User:
        """Who is warned and suspended."""
        user = verified("Ursula", time_zone="Europe/Vienna")
        people.warn(self._about(user, "You insulted someone at a table."))
        until = self.now + timedelta(days=3)
        people.suspend(self._about(user, "You carried on after a warning."), until=until)
        return User.objects.get(pk=user.pk)

    def _about(self, user: User, reason: str) -> PersonRequest:
        marta = self._marta()
        return PersonRequest(user.pk, marta, reason, latest_action(user, marta), self.now)

    def _marta(self) -> User:
        return User.objects.filter(name="Marta").first() or moderator()

    @cached_property
    def boris(self) -> User:
        return verified("Boris")

    @cached_property
    def asked(self) -> User:
        """The player to move at the running table."""
        return self.running.seats.exclude(deadline_at=None).first().user

    @cached_property
    def other(self) -> User:
        """A player who isn't to move, has left an order and notes, and announced days off."""
        other = self.running.seats.filter(deadline_at=None).first().user
        client = browser(other)
        page = f"{self.running.get_absolute_url()}orders/"
        first_form = _order_forms(client.get(page).content.decode())[0]
        client.post(page, as_shown(first_form))
        first = (self.now + timedelta(days=3)).date()
        seats.announce_days_off(
            game_id=self.running.pk, user=other, first_day=first, last_day=first, now=self.now
        )
        notes.keep_notes(game=self.running, user=other, text="Ada owes me one.", now=self.now)
        return other

    # The tables

    @cached_property
    def running(self) -> Game:
        """A game in the middle: a last decision is due, and the sending with it."""
        return lay_out(scenario("joined"), self.now)

    @cached_property
    def moved(self) -> Game:
        """A game of which all deadlines were moved: by a moderator and a pause."""
        game = lay_out(scenario("sealed"), self.now)
        marta_acts(game, "pause", until=(self.now + timedelta(days=9)).strftime("%Y-%m-%dT%H:%M"))
        marta_acts(game, "resume")
        marta_acts(game, "extend", seat="all", hours=30)
        return game

    @cached_property
    def late(self) -> Game:
        """A game in which a moderator has ended the wait for somebody."""
        game = lay_out(scenario("sealed"), self.now)
        marta_acts(game, "default", seat=seats_to_move(game)[0].number)
        return game

    @cached_property
    def made(self) -> Move:
        """The move that was made for them."""
        return self.late.moves.filter(cause="moderator").select_related("seat__user").last()

    @cached_property
    def finished(self) -> Game:
        return lay_out(scenario("over"), self.now)

    @cached_property
    def waiting(self) -> Game:
        """A table of Rosa's that waits for players, with somebody at it and somebody invited."""
        settings = table_settings(
            name="The Rialto table", listed=True, description="A friendly game.\nBe quick, please."
        )
        game = open_table(settings, self.rosa, self.boris, now=self.now)
        addresses = ["gustav@example.org", "hanna@example.org"]
        invitations.invite(game_id=game.pk, user=self.rosa, addresses=addresses, now=self.now)
        messages.say(game_id=game.pk, user=self.boris, text="I am in.", token=uuid4(), now=self.now)
        return game

    @cached_property
    def changed(self) -> Game:
        """A table of Rosa's, at which Boris and the one who is asked have to agree to settings."""
        settings = table_settings(name="The Burano table")
        game = open_table(settings, self.rosa, self.boris, self.asked, now=self.now)
        changed = replace(settings, move_time=timedelta(days=2), press="private", days_off=14)
        changed_settings.change(game_id=game.pk, user=self.rosa, settings=changed, now=self.now)
        return game

    @cached_property
    def said(self) -> Message:
        """A message of Boris at Rosa's table."""
        return self.waiting.messages.get(text="I am in.")

    @cached_property
    def whispered(self) -> PrivateMessage:
        """A private message at a table where Boris plays, to the next player."""
        settings = table_settings(name="Whispers", size=3, press="private", threads_shown=True)
        game = open_table(settings, self.boris, verified("Dora"), verified("Emil"), now=self.now)
        seat = game.seats.get(user=self.boris).number
        return whisper(game, seat, (seat + 1) % 3, text="See #1: let's share.", now=self.now)

    @cached_property
    def against_boris(self) -> Report:
        """A message of Boris that a moderator has removed; he may appeal, and reports Rosa."""
        game, now = self.waiting, self.now
        said = messages.say(game_id=game.pk, user=self.boris, text="Fool!", token=uuid4(), now=now)
        request = ActionRequest(
            self._marta(), "Insults and personal threats have no place here.", now
        )
        redaction.redact(request, message_id=said.pk)
        about = Complaint(self.boris, "She calls me names.", uuid4(), now)
        filing.report_person(about, person=self.rosa, game=game)
        return Report.objects.get(message=said)

    @cached_property
    def question(self) -> Question:
        """Boris has asked something, and a moderator has answered and left a note."""
        marta, now = self._marta(), self.now
        written = asking.Written(self.boris, "Why did the clock play?", uuid4(), now)
        question = asking.ask(written, kind="clock", game=self.waiting)
        request, seen = ActionRequest(marta, "", now), last_letter(question)
        text = "Your deadline had passed."
        answering.answer(request, question_id=question.pk, text=text, token=uuid4(), seen=seen)
        answering.note(request, question_id=question.pk, text="He was away.", token=uuid4())
        asking.write_more(written._replace(token=uuid4()), question_id=question.pk)
        return question

    @cached_property
    def from_address(self) -> Question:
        """Somebody without an account has asked, and hasn't entered the code yet."""
        assert self.question  # there is a moderator
        written = from_addresses.Unconfirmed(
            "vera@example.org", "", "I can't sign in.", uuid4(), self.now
        )
        return from_addresses.ask(written, kind="access")

    def to_confirm(self) -> str:
        return f"/questions/confirm/{from_addresses.id_to_confirm(self.from_address)}/"

    def by_email(self) -> str:
        """The thread of who has entered the code."""
        asked = self.from_address
        from_addresses.confirm(asked.pk, from_addresses.code_of(asked), self.now)
        return f"/questions/by-email/{from_addresses.id_by_email(asked)}/"

    @cached_property
    def closed(self) -> Game:
        settings = table_settings(name="The Lido table")
        game = open_table(settings, self.rosa, now=self.now)
        tables.cancel(game_id=game.pk, user=self.rosa, now=self.now)
        return game

    @cached_property
    def invitation(self) -> Invitation:
        return self.waiting.invitations.get(email="gustav@example.org")

    # Browsers

    def nobody(self) -> Client:
        return Client()

    def of(self, user: User) -> Client:
        """The browser of somebody who gave the password a moment ago; each has one."""
        if user not in self.browsers:
            self.browsers[user] = browser(user)
            self.browsers[user].post("/accounts/reauthenticate/", {"password": PASSWORD})
        return self.browsers[user]

    def with_full_home(self) -> Client:
        """Who has one of each kind of table."""
        asked, table = self.asked, self.waiting
        assert self.changed.seats.filter(user=asked).exists()
        assert self.finished.seats.filter(user=asked).exists()
        invitations.invite(game_id=table.pk, user=self.rosa, addresses=[asked.email], now=self.now)
        open_table(table_settings(name="The Murano table"), asked, now=self.now)
        return browser(asked)

    def with_acquaintances(self) -> Client:
        """A person whom Boris has declared to know, and who has blocked Sonja."""
        self.waiting  # noqa: B018 - a table of both
        note = "We went to school together."
        acquaintances.declare(user=self.boris, other_id=self.rosa.pk, now=self.now, note=note)
        blocks.block(user=self.rosa, other_id=self.sonja.pk, now=self.now)
        return self.of(self.rosa)

    def asked_for_code(self, page: str, **typed: str) -> Client:
        """Somebody to whom a code was emailed a moment ago, after this form was filled in."""
        client = Client()
        filled = as_shown(forms_of(client.get(page).content.decode())[page]) | typed
        client.post(page, filled)
        return client

    def signing_up(self) -> Client:
        return self.asked_for_code(
            "/accounts/signup/",
            email="flora@example.org",
            password1="a red scholar in Venice",
            name="Flora",
            time_zone="Europe/Vienna",
        )

    def signing_in_by_code(self) -> Client:
        return self.asked_for_code("/accounts/login/code/", email=self.rosa.email)

    def resetting(self) -> Client:
        return self.asked_for_code("/accounts/password/reset/", email=self.rosa.email)

    def with_reset_code(self) -> Client:
        """Who has entered the code and chooses a new password."""
        client = self.resetting()
        code = {"action": "verify", "code": _newest_code()}
        client.post("/accounts/password/reset/confirm/", code)
        return client

    def after_the_password(self) -> Client:
        """Who has a second factor and has given address and password."""
        client = Client()
        form = {"login": self.sonja.email, "password": PASSWORD}
        client.post("/accounts/login/", form)
        return client

    def after_the_password_with_a_passkey(self) -> Client:
        """Who has a passkey and has given address and password."""
        client = Client()
        client.post("/accounts/login/", {"login": self.petra.email, "password": PASSWORD})
        return client

    def without_password(self) -> Client:
        """Who signs in with emailed codes, as those who were guests."""
        user = verified("Nora")
        user.set_unusable_password()
        user.save()
        client = self.asked_for_code("/accounts/login/code/", email=user.email)
        code = {"action": "verify", "code": _newest_code()}
        client.post("/accounts/login/code/confirm/", code)
        return client

    def with_something_kept(self) -> Client:
        """A player who wrote when not signed in any more, and has signed in again."""
        client = Client()
        client.post(f"{self.waiting.get_absolute_url()}talk/", {"talk-text": "Who is in?"})
        client.post("/accounts/login/", {"login": self.rosa.email, "password": PASSWORD})
        return client

    def with_export_asked(self) -> Client:
        """Somebody whose file with all their data is being made."""
        exports.ask(self.boris, self.now)
        return self.of(self.boris)

    def with_export(self) -> Client:
        """Somebody whose file with all their data is there."""
        exports.ask(self.sonja, self.now - timedelta(minutes=1))
        exports.make_next(now=self.now)
        return self.of(self.sonja)

    def in_maintenance(self) -> Client:
        """Somebody, while the site shows every notice that it can."""
        now = by_nadja(timezone.now(), "The server is being moved.")
        site.stop_new_games(now, until=self.now + timedelta(days=9))
        site.set_notice(now, text="Our tenth birthday: see https://example.org/" + 9 * "long")
        site.begin_maintenance(now, until=self.now + timedelta(hours=2))
        return self.of(self.rosa)

    # Addresses

    def stop_link(self) -> str:
        return f"/unsubscribe/{token_for(self.asked, self.running)}/"

    def choices_link(self) -> str:
        return f"/choices/{token_for(self.asked, CHOICES)}/"

    def conduct_link(self) -> str:
        """Where somebody banned sees why, and objects."""
        user = User.objects.filter(name="Bella").first()
        if user is None:
            user = verified("Bella")
            people.ban(self._about(user, "You're using more than one account."))
        return f"/conduct/{token_for_conduct(user)}/"

    def reset_link(self) -> str:
        """Where somebody stops the reset of their second factor."""
        user = User.objects.filter(name="Vera").first() or verified("Vera")
        reset, _made = FactorReset.objects.get_or_create(
            person=user, defaults={"reason": "A lost phone.", "at": self.now}
        )
        return f"/accounts/reset/{token_for_reset(reset)}/"

    def sign_in_link(self) -> str:
        return f"/demo/sign-in/{demo_content.sign_in_token(self.rosa)}/"

    def letter(self) -> str:
        """The address of an email that says whose turn it is."""
        _ = self.asked
        delivery.drain(now=self.now)
        turn = next(one for one in mailbox.envelopes() if self.asked.email in one.to)
        return f"/mailbox/{turn.key}/"


def _newest_code() -> str:
    """The code that was emailed last, which has a line of its own."""
    text = mailbox.letter(mailbox.envelopes()[0].key).text
    return re.search(r"^\s*([0-9A-Z]+(?:-[0-9A-Z]+)*)\s*$", text, re.MULTILINE)[1]


def _order_forms(html: str) -> list[dict[str, Field]]:
    return [fields for _, fields in all_forms(html) if "about" in fields]
