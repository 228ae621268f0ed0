"""What leads to an email of every kind: rows that the services make, for previews and for tests.

Previews roll them back (`previews`); nothing here touches a table of anybody else.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final
from uuid import uuid4

from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy

from games import extensions
from games.engine import Bribe, Place
from games.features.previews import account_samples
from games.features.previews.tables import (
    DAY,
    Cast,
    Sample,
    accepted_deal,
    at_table,
    bribing_table,
    deal_of,
    play_on,
    seat_to_move,
    table,
)
from games.models import (
    Game,
    InboundEmail,
    Invitation,
    Move,
    OutboxEmail,
    Report,
    Thread,
    User,
    Vote,
)
from games.services.chat import messages as chat_messages
from games.services.chat import threads
from games.services.game import seats, votes
from games.services.lobby import changed_settings
from games.services.lobby.settings import settings_of
from games.services.moderation.actions import messages as messages_actions
from games.services.moderation.actions import reports as reports_actions
from games.services.moderation.actions import timing
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import ActionRequest, GameRequest
from games.services.operations import sample_games
from games.services.reports import filing
from games.services.reports.filing import Complaint

# About a game


def _invitation(cast: Cast) -> Sample:
    """To somebody with an account."""
    dora = cast.person("Dora")
    game = table(cast, "Anna", size=3, description=cast.words.description)
    invitation = Invitation.objects.create(
        game=game, email=dora.email, invited_by=game.host, created_at=cast.now
    )
    return Sample(game, dora, {"about": invitation.pk})


def _to_stranger(cast: Cast) -> Sample:
    """To somebody without an account."""
    game = table(cast, "Anna", size=3, description=cast.words.description)
    invitation = Invitation.objects.create(
        game=game, email="dora@sample.invalid", invited_by=game.host, created_at=cast.now
    )
    return Sample(game, None, {"address": invitation.email, "about": invitation.pk})


def _game_started(cast: Cast) -> Sample:
    game = table(cast, no_play_days=(5, 6), fixed_hour=20, time_zone="Europe/Vienna")
    return Sample(game, at_table(game, "Anna"), {})


def _turn(cast: Cast) -> Sample:
    game = table(cast)
    for _ in range(4):
        play_on(cast, game)
    seat, user = seat_to_move(game)
    return Sample(game, user, {"deadline_version": seat.deadline_version})


def _talk_reminder(cast: Cast) -> Sample:
    game, people = bribing_table(cast, talk_seconds=43200)
    return Sample(game, people[0], {})


def _default_played(cast: Cast) -> Sample:
    game = table(cast)
    _seat, user = seat_to_move(game)
    phase = game.phase_no
    play_on(cast, game)
    Move.objects.filter(game=game).update(cause="clock")
    game.refresh_from_db()
    game.phase_no = phase
    return Sample(game, user, {})


def _marked_absent(cast: Cast) -> Sample:
    game = table(cast, absent_player="random")
    anna = at_table(game, "Anna")
    game.seats.filter(user=anna).update(absent_since=cast.now)
    return Sample(game, anna, {})


def _game_rests(cast: Cast) -> Sample:
    game = table(cast)
    for _seat, user in sample_games.seated(game):
        seats.step_aside(game_id=game.pk, user=user, now=cast.now)
    email = OutboxEmail.objects.get(game=game, kind="game_rests", person__name="Anna")
    game.refresh_from_db()
    return Sample(game, email.person, {"about": email.about})


def _substitute_wanted(cast: Cast) -> Sample:
    game = table(cast)
    seat = game.seats.get(user=at_table(game, "Anna"))
    game.seats.filter(pk=seat.pk).update(absent_since=cast.now)
    return Sample(game, cast.person("Dora"), {"about": seat.pk})


def _mention(cast: Cast) -> Sample:
    game = table(cast)
    message = chat_messages.say(
        game_id=game.pk, user=at_table(game, "Boris"), text=cast.words.mention, token=uuid4(),
        now=cast.now,
    )  # fmt: skip
    return Sample(game, at_table(game, "Anna"), {"about": message.pk})


def _private_message(cast: Cast) -> Sample:
    game, people = bribing_table(cast, press="private")
    message = threads.say(
        game_id=game.pk, user=people[1], to=[people[0].pk], text=cast.words.whisper,
        token=uuid4(), now=cast.now,
    )  # fmt: skip
    return Sample(game, people[0], {"about": message.pk})


def _offer(cast: Cast) -> Sample:
    deal = deal_of(cast)
    return Sample(deal.game, deal.reader, {"about": deal.made_at})


def _offer_reply(cast: Cast) -> Sample:
    deal = accepted_deal(cast)
    return Sample(deal.game, deal.maker, {"about": deal.game.events.latest("seq").seq})


def _promise_broken(cast: Cast) -> Sample:
    deal = accepted_deal(cast)
    one, two = deal.game.decoded().contenders
    sample_games.submit(deal.game, deal.reader, Bribe(((one, 4000), (two, 1000))), cast.now)
    sample_games.submit(deal.game, deal.maker, Place(((one, 1000), (two, 10000))), cast.now)
    judged = deal.game.events.get(kind="PromiseJudged")
    return Sample(deal.game, deal.reader, {"about": judged.seq})


def _game_over(cast: Cast) -> Sample:
    game = table(cast)
    while game.status == Game.Status.RUNNING:
        play_on(cast, game)
    return Sample(game, at_table(game, "Anna"), {})


def _table_closed(cast: Cast) -> Sample:
    game = table(cast, "Anna", "Boris", size=3)
    game.status = Game.Status.CANCELLED
    game.save(update_fields=["status"])
    return Sample(game, at_table(game, "Boris"), {})


def _settings_changed(cast: Cast) -> Sample:
    game = table(cast, "Anna", "Boris", size=4)
    anna = at_table(game, "Anna")
    settings = replace(settings_of(game), move_time=2 * DAY, press="private", days_off=14)
    changed_settings.change(game_id=game.pk, user=anna, settings=settings, now=cast.now)
    game.refresh_from_db()
    return Sample(game, at_table(game, "Boris"), {"about": game.settings_version})


def _game_parked(cast: Cast) -> Sample:
    game = table(cast)
    game.clock, game.deadline_at = game.clock.park(cast.now), None
    game.error = "clock.py:7\nValueError"
    game.save(update_fields=["parked_at", "deadline_at", "error"])
    return Sample(game, cast.moderator("Marta"), {})


def _by_nora(cast: Cast, game: Game) -> GameRequest:
    """What a moderator means to do with this game, as it stands now."""
    nora = cast.moderator("Nora")
    return GameRequest(game.pk, nora, cast.words.reason, seen_now(game), cast.now)


def _table_news(cast: Cast) -> Sample:
    game = table(cast)
    timing.extend(_by_nora(cast, game), time=DAY)
    email = OutboxEmail.objects.filter(game=game, kind="table_news").earliest("pk")
    return Sample(game, email.person, {"about": email.about})


def _referee(cast: Cast) -> Sample:
    game = table(cast)
    request = _by_nora(cast, game)
    messages_actions.write_as_referee(request, text=cast.words.referee, token=uuid4())
    email = OutboxEmail.objects.get(game=game, kind="referee", person__name="Anna")
    return Sample(game, email.person, {"about": email.about})


def _vote(cast: Cast) -> Sample:
    game = table(cast)
    pause = votes.Proposal(Vote.Kind.PAUSE, amount=7)
    votes.call_vote(game_id=game.pk, user=at_table(game, "Boris"), proposal=pause, now=cast.now)
    return Sample(game, at_table(game, "Anna"), {"about": Vote.objects.get(game=game).pk})


# About people and reports


def _reported(cast: Cast) -> tuple[Report, User, User]:
    """Boris has written something at the table, and Anna has reported it; Nora is a moderator."""
    game, anna, about = _mention(cast)
    if game is None or anna is None:
        raise ValueError("Somebody is mentioned at a table.")
    nora = cast.moderator("Nora")
    complaint = Complaint(anna, cast.words.complaint, uuid4(), cast.now)
    filing.report_message(complaint, message_id=about["about"])
    return Report.objects.get(reporter=anna), nora, at_table(game, "Boris")


def _report(cast: Cast) -> Sample:
    report, nora, _boris = _reported(cast)
    return Sample(None, nora, {"about": report.pk})


def _decided(cast: Cast) -> tuple[Report, User, User]:
    report, nora, boris = _reported(cast)
    request = ActionRequest(nora, cast.words.decision, cast.now)
    reports_actions.take(request, report_id=report.pk)
    reports_actions.uphold(request, report_id=report.pk)
    return report, nora, boris


def _report_decided(cast: Cast) -> Sample:
    report, _nora, boris = _decided(cast)
    return Sample(None, boris, {"about": report.pk})


def _report_reopened(cast: Cast) -> Sample:
    report, nora, _boris = _reported(cast)
    request = ActionRequest(nora, cast.words.decision, cast.now)
    reports_actions.reject(request, report_id=report.pk)
    reports_actions.reopen(request, report_id=report.pk)
    return Sample(None, report.reporter, {"about": report.pk})


def _appealed(cast: Cast) -> tuple[Report, User]:
    report, nora, boris = _decided(cast)
    filing.appeal(report_id=report.pk, user=boris, text=cast.words.appeal, now=cast.now)
    return report, nora


def _appeal(cast: Cast) -> Sample:
    report, nora = _appealed(cast)
    return Sample(None, nora, {"about": report.pk})


def _appeal_decided(cast: Cast) -> Sample:
    report, _nora = _appealed(cast)
    request = ActionRequest(cast.moderator("Otto"), cast.words.granted, cast.now)
    reports_actions.grant_appeal(request, report_id=report.pk)
    return Sample(None, report.reporter, {"about": report.pk})


def _response(title: str, cast: Cast) -> Sample:
    """The response to a reply by email."""
    anna = (game := table(cast)).host
    lines = [cast.words.done] if title == "done" else [cast.words.refused]
    response = {"title": title, "lines": lines}
    row = InboundEmail.objects.create(
        person=anna, game=game, message_id="sha256:of one without", received_at=cast.now,
        state=InboundEmail.State.DONE, response=response,
    )  # fmt: skip
    return Sample(game, anna, {"about": row.pk})


def _not_read(cast: Cast) -> Sample:
    """A reply from an address that isn't the player's own."""
    game, people = bribing_table(cast)
    return Sample(game, people[0], {"about": 0})


def _talk_ends(cast: Cast) -> Sample:
    """Private messages will be removed in a month."""
    game, reader, _about = _private_message(cast)
    Thread.objects.filter(game=game).update(kept_until=cast.now + 30 * DAY)
    return Sample(None, reader, {"about": cast.now.toordinal()})


def _own(path: str) -> Callable[[Cast], Sample]:
    """The sample that a feature makes of its own rows."""
    return lambda cast: Sample(*import_string(path)(cast))


SAMPLES: Final[dict[str, Callable[[Cast], Sample]]] = {
    "invitation": _invitation,
    "invitation_reminder": _invitation,
    "game_started": _game_started,
    "your_turn": _turn,
    "reminder": _turn,
    "last_reminder": _turn,
    "default_played": _default_played,
    "marked_absent": _marked_absent,
    "game_rests": _game_rests,
    "substitute_wanted": _substitute_wanted,
    "mention": _mention,
    "offer": _offer,
    "private_message": _private_message,
    "talk_reminder": _talk_reminder,
    "offer_reply": _offer_reply,
    "promise_broken": _promise_broken,
    "game_over": _game_over,
    "table_closed": _table_closed,
    "table_news": _table_news,
    "settings_changed": _settings_changed,
    "referee": _referee,
    "vote": _vote,
    "game_parked": _game_parked,
    "report": _report,
    "appeal": _appeal,
    "report_decided": _report_decided,
    "report_reopened": _report_reopened,
    "appeal_decided": _appeal_decided,
    "understood": partial(_response, "done"),
    "not_understood": partial(_response, "refused"),
    "not_read": _not_read,
    "conduct": account_samples.conduct,
    "seats_taken": account_samples.seats_taken,
    "account_changed": account_samples.account_changed,
    "export_ready": account_samples.export_ready,
    "not_told": account_samples.without_notices,
    "talk_ends": _talk_ends,
    "address_test": lambda cast: Sample(None, cast.person("Anna"), {}),
    **{kind.key: _own(kind.sample) for kind in extensions.email_kinds() if kind.sample},
}
"""What leads to an email of each kind."""


# One message about several things


def _bundle(cast: Cast) -> list[tuple[str, Sample]]:
    """Two things at one table."""
    turn = _turn(cast)
    return [("your_turn", turn), ("game_started", Sample(turn.game, turn.reader, {}))]


def _digest(cast: Cast) -> list[tuple[str, Sample]]:
    """Anna is mentioned at one table, and another game has started."""
    return [("game_started", _game_started(cast)), ("mention", _mention(cast))]


MESSAGES: Final[dict[str, Callable[[Cast], list[tuple[str, Sample]]]]] = {
    "bundle": _bundle,
    "digest": _digest,
    "invitation_to_stranger": lambda cast: [("invitation", _to_stranger(cast))],
    "reminder_to_stranger": lambda cast: [("invitation_reminder", _to_stranger(cast))],
}
"""The samples of other messages."""

LABELS: Final = {
    "bundle": gettext_lazy("several updates from one table"),
    "digest": gettext_lazy("the digest"),
    "invitation_to_stranger": gettext_lazy("an invitation to someone without an account"),
    "reminder_to_stranger": gettext_lazy(
        "a reminder of an invitation to someone without an account"
    ),
}
"""What moderators call these."""
