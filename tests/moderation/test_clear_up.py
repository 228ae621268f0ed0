"""Everything of a person at once: their seats, their messages, and the reports about them."""

import pytest
from django.conf import settings
from django.utils import timezone

from games.models import AuditLine, Game, Message, OutboxEmail, Redaction, Report, User
from games.services.chat.queries import shown_text
from games.services.game import seats
from games.services.lobby import invitations, tables
from games.services.moderation.actions import everything, redaction, timing
from games.services.moderation.actions import reports as report_actions
from games.services.moderation.actions.person_action import latest_action
from games.services.moderation.actions.requests import ActionRequest, PersonRequest
from games.services.operations import sample_games
from games.services.refused import Refused
from games.services.reports import filing
from games.services.reports.rights import reports_for
from tests.support.client import browser, person, text_of
from tests.support.moderators import (
    act_on,
    audited_actions,
    marta_acts,
    moderator,
    person_act_url,
    person_form,
    previewed,
    request_of_nora,
)
from tests.support.reporting import hand_in, named, reported, say
from tests.support.reporting import person_page as report_page
from tests.support.sent_emails import sent
from tests.support.tables import seat_of, table_settings

pytestmark = [pytest.mark.full, pytest.mark.django_db]

VICTOR = ("Victor", "Anna", "Boris")


def table_of(*names: str, name: str) -> Game:
    """A running game of these, who may sit at other tables too."""
    people = [User.objects.filter(name=one).first() or person(one) for one in names]
    settings = table_settings(name=name, size=len(names))
    return sample_games.open_table(settings, *people, now=timezone.now())


@pytest.fixture
def three() -> list[Game]:
    """Victor sits at three tables, and is absent at the first two."""
    games = [table_of(*VICTOR, name=name) for name in ("Uno", "Due", "Tre")]
    for game in games[:2]:
        seats.step_aside(game_id=game.pk, user=named("Victor"), now=timezone.now())
    OutboxEmail.objects.all().delete()
    return games


@pytest.fixture
def marta() -> User:
    return moderator()


def request_of(who: User, about: User) -> PersonRequest:
    return PersonRequest(about.pk, who, "Spam.", latest_action(about, who), timezone.now())


def seated(game: Game) -> set[str]:
    return set(game.seats.filter(user__isnull=False).values_list("user__name", flat=True))


def cleared_up(marta: User, name: str, **wanted: str) -> str:
    """Marta clears up after somebody; what she reads then."""
    client, whom = browser(marta), named(name)
    response = act_on(client, whom, "clear-up", reason="Spam.", **wanted)
    assert response.status_code == 302, text_of(response)
    return text_of(client.get(response.url))


class TestSeats:
    def test_those_where_they_are_absent_are_freed_at_once(self, marta, three):
        page = cleared_up(marta, "Victor", seats="free", where="absent")
        names = f"{three[0]} and {three[1]}"
        assert (
            f"Freed the seats of Victor in 2 games: {names}. "
            "Everyone at these tables gets an email." in page
        )
        assert ["Victor" in seated(game) for game in three] == [False, False, True]
        lines = audited_actions(person=named("Victor"))
        assert lines == [("Marta", "person.clear-up"), *[("Marta", "game.reopen")] * 2]
        told = OutboxEmail.objects.filter(kind="table_news", game=three[0])
        assert set(told.values_list("person__name", flat=True)) == {"Anna", "Boris"}

    def test_who_loses_them_gets_one_email_that_says_how_to_have_one_back(self, marta, three, smtp):
        cleared_up(marta, "Victor", seats="free", where="all")
        told = OutboxEmail.objects.filter(person=named("Victor"))
        assert [one.kind for one in told] == ["seats_taken"]
        text = sent(smtp)["victor"]
        for game in three:
            assert game.name in text
        assert "Reason: Spam." in text
        assert "You can have a seat back until someone else takes it." in text
        assert f"Ask for a seat back: {settings.SITE_URL}/questions/ask/" in text

    def test_what_they_have_back_by_then_is_left_out(self, marta, three, smtp):
        cleared_up(marta, "Victor", seats="free", where="all")
        sitting = named("Victor").sittings.get(seat__game=three[1])
        marta_acts(three[1], "give-back", seat=sitting.seat.number)
        OutboxEmail.objects.exclude(kind="seats_taken").delete()
        text = sent(smtp)["victor"]
        assert "Uno" in text
        assert "Due" not in text

    def test_a_free_seat_has_a_name_that_fits_any_sentence(self, marta, three):
        colour = seat_of(three[0], "Victor").colour.capitalize()
        cleared_up(marta, "Victor", seats="free", where="all")
        anna = browser(named("Anna"))
        shown = text_of(anna.get(three[0].get_absolute_url()))
        assert f"{colour} (free seat)" in shown
        assert "Nobody (" not in shown

    def test_each_can_be_given_back(self, marta, three):
        cleared_up(marta, "Victor", seats="courtier", where="all")
        assert all("Victor" not in seated(game) for game in three)
        given = three[1]
        sitting = named("Victor").sittings.get(seat__game=given)
        marta_acts(given, "give-back", seat=sitting.seat.number)
        assert ["Victor" in seated(game) for game in three] == [False, True, False]

    def test_each_game_is_named_before_anything_is_done(self, marta, three):
        victor = named("Victor")
        client, page = browser(marta), person_act_url(victor, "clear-up")
        form = person_form(client, victor, "clear-up") | {"seats": "free", "where": "all"}
        shown = text_of(client.post(page, form))
        for game in three:
            colour = seat_of(game, "Victor").colour
            assert f"{game}: Victor ({colour}) loses their seat." in shown
        assert shown.count("Absent since") == 2
        assert "Playing" in shown
        assert "Nothing has been done yet." in shown
        assert all("Victor" in seated(game) for game in three)

    def test_nothing_is_chosen_at_first_and_something_has_to_be(self, marta, three):
        response = act_on(browser(marta), named("Victor"), "clear-up")
        assert response.status_code == 422
        assert "Please choose what to clear up." in text_of(response)
        response = act_on(browser(marta), named("Victor"), "clear-up", seats="free")
        assert "Please choose in which games to do this." in text_of(response)
        assert audited_actions(person=named("Victor")) == []

    def test_a_game_that_cannot_be_changed_stops_no_other(self, marta, three):
        Game.objects.filter(pk=three[0].pk).update(parked_at=timezone.now(), deadline_at=None)
        page = cleared_up(marta, "Victor", seats="free", where="all")
        assert f"{three[0]}: This game is parked. Retry it first." in page
        assert f"in 2 games: {three[1]} and {three[2]}" in page
        assert "Victor" in seated(three[0])

    def test_of_two_moderators_one_succeeds(self, marta, three):
        victor = named("Victor")
        first, second = request_of(marta, victor), request_of(moderator("Otto"), victor)
        everything.clear_up(first, seats="free", where="all")
        with pytest.raises(Refused, match="record has changed"):
            everything.clear_up(second, seats="courtier", where="all")
        freed = Game.objects.filter(seats__user=None, seats__computer_player="").distinct()
        assert freed.count() == 3

    def test_who_has_returned_meanwhile_keeps_the_seat(self, marta, three):
        victor = named("Victor")
        client, page = browser(marta), person_act_url(victor, "clear-up")
        form = person_form(client, victor, "clear-up") | {"seats": "free", "where": "absent"}
        shown = client.post(page, form)
        seats.come_back(game_id=three[0].pk, user=victor, now=timezone.now())
        again = form | previewed(shown)
        answer = client.post(page, again)
        assert "Nothing has been done yet." in text_of(answer)
        assert f"{three[0]}: Victor" not in text_of(answer)


class TestMessages:
    def test_all_are_removed_by_one_decision_with_one_email(self, marta, three):
        spam = [say(game, "Victor", "Buy gold!") for game in three for _ in range(2)]
        kept = say(three[0], "Anna", "No.")
        page = cleared_up(marta, "Victor", messages="on")
        assert "Removed 6 public messages. Victor gets one email and may appeal once." in page
        texts = [shown_text(one) for one in Message.objects.filter(pk__in=[m.pk for m in spam])]
        assert all("Spam." in text and "gold" not in text for text in texts)
        assert Message.objects.get(pk=kept.pk).text == "No."
        [email] = OutboxEmail.objects.filter(kind="report_decided")
        assert email.person == named("Victor")
        own = text_of(browser(named("Victor")).get("/reports/"))
        assert "The removal of all your public messages" in own
        assert "Appeal" in own

    def test_an_appeal_shows_all_of_them_again(self, marta, three):
        spam = [say(game, "Victor", f"Buy gold at {game.name}!") for game in three]
        cleared_up(marta, "Victor", messages="on")
        report = Report.objects.get()
        filing.appeal(report_id=report.pk, user=named("Victor"), text="Why?", now=timezone.now())
        otto = ActionRequest(moderator("Otto"), "Sorry.", timezone.now())
        report_actions.grant_appeal(otto, report_id=report.pk)
        texts = Message.objects.filter(pk__in=[one.pk for one in spam]).values_list("text")
        assert sorted(text for (text,) in texts) == sorted(one.text for one in spam)
        assert not Redaction.objects.exists()

    def test_tables_of_the_moderator_are_left_to_others(self, marta, three):
        elsewhere = table_of("Victor", "Marta", "Boris", name="Own")
        message = say(elsewhere, "Victor", "Buy gold!")
        timing.cancel(request_of_nora(elsewhere))
        other = say(three[0], "Victor", "Buy gold!")
        client, page = browser(marta), person_act_url(named("Victor"), "clear-up")
        form = person_form(client, named("Victor"), "clear-up") | {"messages": "on"}
        shown = text_of(client.post(page, form))
        assert "1 public message from Victor at Uno is removed." in shown
        assert elsewhere.name not in shown
        cleared_up(marta, "Victor", messages="on")
        assert not Redaction.objects.filter(message=message).exists()
        assert Redaction.objects.filter(message=other).exists()

    def test_a_moderator_of_one_of_the_tables_never_learns_of_the_decision(self, marta, three):
        otto = moderator("Otto")
        his = table_of("Victor", "Otto", "Boris", name="Own")
        say(his, "Victor", "Buy gold!")
        cleared_up(marta, "Victor", messages="on")
        report = Report.objects.get()
        assert not reports_for(otto).filter(pk=report.pk).exists()
        assert reports_for(moderator("Paul")).filter(pk=report.pk).exists()
        with pytest.raises(Refused, match="one of your tables"):
            report_actions.take_back(
                ActionRequest(otto, "No.", timezone.now()), report_id=report.pk
            )

    def test_what_was_removed_before_stays_as_it_was(self, marta, three):
        message = say(three[0], "Victor", "A cow!")
        redaction.redact(ActionRequest(marta, "An insult.", timezone.now()), message_id=message.pk)
        say(three[0], "Victor", "Buy gold!")
        cleared_up(marta, "Victor", messages="on")
        assert Redaction.objects.get(message=message).reason == "An insult."
        assert Redaction.objects.count() == 2


class TestReports:
    def test_all_open_ones_are_upheld_and_private_words_removed(self, marta, three):
        first = reported("Anna", say(three[0], "Victor", "Buy gold!"))
        hand_in(browser(named("Boris")), report_page(named("Victor")), why="A spammer.")
        page = cleared_up(marta, "Victor", reports="uphold", messages="on")
        assert "Upheld 2 reports. Victor and the reporters get an email." in page
        assert set(Report.objects.filter(reporter__isnull=False).values_list("state")) == {
            ("upheld",)
        }
        assert Redaction.objects.get(message=first.message).report == first

    def test_those_of_others_and_about_their_tables_are_left(self, marta, three):
        mine = table_of("Victor", "Marta", "Boris", name="Own")
        hidden = reported("Boris", say(mine, "Victor", "Marta is a cow!"))
        timing.cancel(request_of_nora(mine))
        taken = reported("Anna", say(three[0], "Victor", "Buy gold!"))
        otto = ActionRequest(moderator("Otto"), "", timezone.now())
        report_actions.take(otto, report_id=taken.pk)
        client, page = browser(marta), person_act_url(named("Victor"), "clear-up")
        form = person_form(client, named("Victor"), "clear-up") | {"reports": "uphold"}
        shown = text_of(client.post(page, form))
        assert "There's no open report about Victor that you may decide on." in shown
        assert mine.name not in shown
        cleared_up(marta, "Victor", reports="uphold")
        for report, state in ((hidden, "open"), (taken, "taken")):
            report.refresh_from_db()
            assert report.state == state
        assert not AuditLine.objects.filter(action="report.uphold").exists()

    def test_of_a_dismissal_only_those_who_reported_hear(self, marta, three):
        reported("Anna", say(three[0], "Victor", "Hello."))
        OutboxEmail.objects.all().delete()
        page = cleared_up(marta, "Victor", reports="reject")
        assert "Dismissed 1 report about Victor. The reporter gets an email." in page
        [email] = OutboxEmail.objects.filter(kind="report_decided")
        assert email.person.name == "Anna"


def test_the_ban_leads_to_it(marta, three):
    page = browser(marta).get(person_act_url(named("Victor"), "ban")).content.decode()
    assert person_act_url(named("Victor"), "clear-up") in page


def test_its_pages_need_few_queries(marta, django_assert_max_num_queries):
    games = [table_of(*VICTOR, name=f"Table {n}") for n in range(12)]
    messages = [say(game, "Victor", "Buy gold!") for game in games]
    for message in messages[:4]:
        reported("Anna", message)
    victor, now = named("Victor"), timezone.now()
    for number in range(3):
        settings = table_settings(name=f"Waiting {number}", size=3)
        waiting = tables.open_table(host=victor, settings=settings, now=now)
        tables.join(game_id=waiting.pk, user=named("Anna"), now=now)
        address = f"friend{number}@example.org"
        invitations.invite(game_id=waiting.pk, user=victor, addresses=[address], now=now)
    client = browser(marta)
    form = person_form(client, victor, "clear-up")
    form |= {"seats": "free", "where": "all", "messages": "on", "reports": "uphold"}
    form |= {"invitations": "on", "tables": "hand-over"}
    with django_assert_max_num_queries(15):
        shown = client.post(person_act_url(victor, "clear-up"), form)
    assert "Anna becomes the host" in text_of(shown)
    assert "Nothing has been done yet." in text_of(shown)
