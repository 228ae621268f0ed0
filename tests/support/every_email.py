"""An email of every kind, and what leads to it."""

from uuid import uuid4

from games.engine import Bribe, Place
from games.engine.promises import IfBribed, PlaceIn, Promise
from games.models import (
    AuditLine,
    Game,
    InboundMail,
    Invitation,
    Move,
    OutboxMail,
    Report,
    Seat,
    User,
    Vote,
)
from games.services import outbox
from games.services.chat import messages as chat_messages
from games.services.email import delivery
from games.services.game import seats, votes
from games.services.moderation.actions import messages as messages_actions
from games.services.moderation.actions import people, timing
from games.services.moderation.actions import reports as reports_actions
from games.services.moderation.actions.requests import ActionRequest, PersonRequest
from games.services.reports import filing
from games.services.reports.filing import Complaint
from tests.support import promising
from tests.support.client import person
from tests.support.moderators import moderator, request_of_nora
from tests.support.tables import DAY, MONDAY, answer, awaited_seats, open_table, seat_of
from tests.support.whispering import whisper


def a_game(*names, **more):
    """A game at <Venice> & Co, whose name would break a careless page; its mails are gone."""
    game = open_table(*(names or ("Anna", "Boris", "Clara")), name="<Venice> & Co", **more)
    OutboxMail.objects.all().delete()
    return game


def finish(game):
    while game.status == Game.Status.RUNNING:
        answer(game, awaited_seats(game)[0].user, MONDAY)
        game.refresh_from_db()
    OutboxMail.objects.all().delete()


def make_invitation():
    """To somebody with an account; what others get is in tests/lobby/test_email_invitees.py."""
    person("Dora")
    game = a_game("Anna", size=3, note="No <b>tricks</b>.")
    invitation = Invitation.objects.create(
        game=game, email="dora@example.org", invited_by=game.host, created_at=MONDAY
    )
    return game, None, {"address": invitation.email, "about": invitation.pk}


def make_game_started():
    game = a_game(no_play_days=(5, 6), fixed_hour=20, time_zone="Europe/Vienna")
    return game, "Anna", {}


def make_turn():
    game = a_game()
    for _ in range(4):
        answer(game, awaited_seats(game)[0].user, MONDAY)
        game.refresh_from_db()
    OutboxMail.objects.all().delete()
    [seat] = awaited_seats(game)
    return game, seat.user.name, {"deadline_version": seat.deadline_version}


def make_default_played():
    game = a_game()
    [seat] = awaited_seats(game)
    phase = game.phase_no
    answer(game, seat.user, MONDAY)
    OutboxMail.objects.all().delete()
    Move.objects.update(cause="clock")
    game.refresh_from_db()
    game.phase_no = phase
    return game, seat.user.name, {}


def make_marked_absent():
    game = a_game(absent_player="random")
    Seat.objects.filter(user__name="Anna").update(absent_since=MONDAY)
    return game, "Anna", {}


def make_game_rests():
    game = a_game()
    for seat in game.seats.all():
        seats.step_aside(game_id=game.pk, user=seat.user, now=MONDAY)
    mail = OutboxMail.objects.get(kind="game_rests", person__name="Anna")
    OutboxMail.objects.all().delete()
    game.refresh_from_db()
    return game, "Anna", {"about": mail.about}


def make_substitute_wanted():
    game = a_game()
    Seat.objects.filter(user__name="Anna").update(absent_since=MONDAY)
    person("Dora")
    return game, "Dora", {"about": seat_of(game, "Anna").pk}


def make_mention():
    game = a_game()
    text = "@Anna, <i>promise</i>?\nSee https://example.org/?a=1&b=2"
    boris = User.objects.get(name="Boris")
    said = chat_messages.say(game_id=game.pk, user=boris, text=text, token=uuid4(), now=MONDAY)
    OutboxMail.objects.all().delete()
    return game, "Anna", {"about": said.pk}


def make_game_over():
    game = a_game()
    finish(game)
    return game, "Anna", {}


def make_table_closed():
    game = a_game("Anna", "Boris", size=3)
    Game.objects.update(status=Game.Status.CANCELLED)
    game.refresh_from_db()
    return game, "Boris", {}


def make_game_parked():
    game = a_game()
    Game.objects.update(parked_at=MONDAY, deadline_at=None, error="clock.py:7\nValueError")
    game.refresh_from_db()
    person("Marta", is_staff=True)
    return game, "Marta", {}


def make_table_news():
    game = a_game()
    timing.extend(request_of_nora(game), time=DAY)
    mail = OutboxMail.objects.get(kind="table_news")
    OutboxMail.objects.all().delete()
    return game, mail.person.name, {"about": mail.about}


def make_referee():
    game = a_game()
    messages_actions.write_as_referee(request_of_nora(game), text="Be <i>kind</i>.", token=uuid4())
    mail = OutboxMail.objects.filter(kind="referee", person__name="Anna").get()
    OutboxMail.objects.all().delete()
    return game, "Anna", {"about": mail.about}


def make_offer():
    """Three play, one has sent two scholars to another, who makes an offer about them."""
    game = promising.bribing_table(name="<Venice> & Co")
    other, owner, _third = promising.in_order(game)
    scholar = game.decoded().contenders[0]
    promise = Promise(owner, other, PlaceIn(scholar, None, 6000), IfBribed(scholar, 4000))
    made_at = promising.offers(game, owner, promise)
    OutboxMail.objects.all().delete()
    return game, promising.sitter(game, other).name, {"about": made_at}


def make_private_message():
    game = promising.bribing_table(name="<Venice> & Co", press="private")
    other, owner, _third = promising.in_order(game)
    said = whisper(game, owner, other, text="<i>Psst!</i>\nLet's talk.")
    OutboxMail.objects.all().delete()
    return game, promising.sitter(game, other).name, {"about": said.pk}


def make_talk_reminder():
    game = promising.bribing_table(name="<Venice> & Co", talk_seconds=43200)
    OutboxMail.objects.all().delete()
    return game, promising.sitter(game, promising.in_order(game)[0]).name, {}


def make_offer_reply():
    game, _name, about = make_offer()
    other, owner, _third = promising.in_order(game)
    promising.replies(game, other, about["about"])
    OutboxMail.objects.all().delete()
    return game, promising.sitter(game, owner).name, {"about": game.events.latest("seq").seq}


def make_promise_broken():
    game, name, about = make_offer()
    promising.replies(game, promising.in_order(game)[0], about["about"])
    one, two = game.decoded().contenders
    moves = Bribe(((one, 4000), (two, 1000))), Place(((one, 1000), (two, 10000)))
    promising.moves(game, *moves)
    OutboxMail.objects.all().delete()
    return game, name, {"about": game.events.get(kind="PromiseJudged").seq}


def make_vote():
    game = a_game()
    proposal = votes.Proposal(Vote.Kind.PAUSE, amount=7)
    votes.call_vote(
        game_id=game.pk, user=User.objects.get(name="Boris"), proposal=proposal, now=MONDAY
    )
    OutboxMail.objects.all().delete()
    return game, "Anna", {"about": Vote.objects.get().pk}


def make_report():
    """Boris has said something at the table, and Anna has reported it; Nora is a moderator."""
    _, name, about = make_mention()
    nora, anna = moderator("Nora"), User.objects.get(name=name)
    complaint = Complaint(anna, "He <b>insults</b> me.", uuid4(), MONDAY)
    filing.report_message(complaint, message_id=about["about"])
    OutboxMail.objects.all().delete()
    return None, nora.name, {"about": Report.objects.get().pk}


def make_report_decided():
    _, name, about = make_report()
    request = ActionRequest(User.objects.get(name=name), "Nobody is <i>insulted</i> here.", MONDAY)
    reports_actions.take(request, report_id=about["about"])
    reports_actions.uphold(request, report_id=about["about"])
    OutboxMail.objects.all().delete()
    return None, "Boris", about


def make_appeal():
    _, name, about = make_report_decided()
    boris = User.objects.get(name=name)
    filing.appeal(report_id=about["about"], user=boris, text="A <i>joke</i>.", now=MONDAY)
    OutboxMail.objects.all().delete()
    return None, "Nora", about


def make_appeal_decided():
    _, _name, about = make_appeal()
    request = ActionRequest(moderator("Otto"), "It was a <i>joke</i>.", MONDAY)
    reports_actions.grant_appeal(request, report_id=about["about"])
    OutboxMail.objects.all().delete()
    return None, "Anna", about


def make_answer(title):
    """What Anna was answered to an email of hers."""
    game = a_game()
    said = {"title": title, "lines": ["4,000 < 5,000 & 6,000", "32,000"]}  # in any language
    row = InboundMail.objects.create(
        person=User.objects.get(name="Anna"), game=game, message_id="sha256:of one without",
        received_at=MONDAY, state=InboundMail.State.DONE, answer=said,
    )  # fmt: skip
    return game, "Anna", {"about": row.pk}


def make_understood():
    return make_answer("done")


def make_not_understood():
    return make_answer("refused")


def make_conduct():
    """Anna is suspended for a week."""
    anna = person("Anna")
    request = PersonRequest(anna.pk, moderator("Nora"), "You <b>shout</b>.", 0, MONDAY)
    people.suspend(request, until=MONDAY + 7 * DAY)
    OutboxMail.objects.all().delete()
    return None, anna.name, {"about": AuditLine.objects.get().pk}


MAKE = {
    "invitation": make_invitation,
    "game_started": make_game_started,
    "your_turn": make_turn,
    "reminder": make_turn,
    "last_reminder": make_turn,
    "default_played": make_default_played,
    "marked_absent": make_marked_absent,
    "game_rests": make_game_rests,
    "substitute_wanted": make_substitute_wanted,
    "mention": make_mention,
    "offer": make_offer,
    "private_message": make_private_message,
    "talk_reminder": make_talk_reminder,
    "offer_reply": make_offer_reply,
    "promise_broken": make_promise_broken,
    "game_over": make_game_over,
    "table_closed": make_table_closed,
    "table_news": make_table_news,
    "referee": make_referee,
    "vote": make_vote,
    "game_parked": make_game_parked,
    "report": make_report,
    "appeal": make_appeal,
    "report_decided": make_report_decided,
    "appeal_decided": make_appeal_decided,
    "conduct": make_conduct,
    "understood": make_understood,
    "not_understood": make_not_understood,
}


def arrived(kind, smtp, make=None, now=MONDAY):
    """The one email of this kind, as it arrives."""
    game, name, about = (make or MAKE[kind])()
    to = User.objects.get(name=name) if name else None
    if to is not None:
        to.time_zone = "Europe/Vienna"
        to.save()
    outbox.enqueue(kind, game=game, person=to, now=now, **about)
    assert delivery.drain(now=now) == 1, OutboxMail.objects.get().error
    [mail] = smtp.messages
    return game, mail
