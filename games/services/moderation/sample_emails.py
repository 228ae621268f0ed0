"""What leads to an email of every kind: rows that the services make, for previews and for tests.

Previews roll them back (`email_previews`); nothing here touches a table of anybody else.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import uuid4

from games.engine import Bribe, Place, Send, default_move
from games.engine.ledger import Status
from games.engine.promises import IfBribed, PlaceIn, Promise
from games.models import AuditLine, Game, Invitation, Move, OutboxMail, Report, Seat, User, Vote
from games.services.chat import messages as chat_messages
from games.services.chat import promises, threads
from games.services.game import seats, votes
from games.services.lobby.settings import TableSettings
from games.services.moderation.actions import messages as messages_actions
from games.services.moderation.actions import people as people_actions
from games.services.moderation.actions import reports as reports_actions
from games.services.moderation.actions import timing
from games.services.moderation.actions.on_games import seen_now
from games.services.moderation.actions.requests import ActionRequest, GameRequest, PersonRequest
from games.services.operations import scenarios
from games.services.reports import filing
from games.services.reports.filing import Complaint
from games.table_events import OfferMade

DAY: Final = timedelta(days=1)
PLAYERS: Final = ("Anna", "Boris", "Clara")


@dataclass(frozen=True)
class Words:
    """What people wrote."""

    table: str = "The Venice table"
    note: str = "Slow and friendly."
    mention: str = "@Anna, what do you say to that?"
    whisper: str = "Shall we stand together?"
    referee: str = "Please stay polite."
    reason: str = "A player asked for it."
    complaint: str = "This is an insult."
    decision: str = "This is still a game among friends."
    appeal: str = "It was a joke."
    granted: str = "So it was."
    suspended: str = "You keep insulting others."


@dataclass(frozen=True)
class Cast:
    """Who plays, when, and what they write. Each name is asked for once or more."""

    person: Callable[[str], User]
    moderator: Callable[[str], User]
    now: datetime
    seed: int | None = None
    """Who sits where and what house players play; None for any."""
    words: Words = field(default_factory=Words)


class Sample(NamedTuple):
    """An email to be written: about which game, to whom (None: an address), and what else."""

    game: Game | None
    reader: User | None
    about: dict[str, Any]


# Tables


def _table(cast: Cast, *names: str, **more: Any) -> Game:
    """A game of these people; it has started if they fill it."""
    host, *others = [cast.person(name) for name in names or PLAYERS]
    usual: dict[str, Any] = {"edition": "mayfair-2005", "size": len(others) + 1, "answer_time": DAY}
    settings = TableSettings(name=cast.words.table, **(usual | more))
    return scenarios.open_table(settings, host, *others, now=cast.now, seed=cast.seed)


def _awaited(game: Game) -> tuple[Seat, User]:
    """Whoever is to move next."""
    game.refresh_from_db()
    return scenarios.to_move(game)[0]


def _play_on(cast: Cast, game: Game) -> None:
    """Whoever is to move makes the default move."""
    seat, user = _awaited(game)
    scenarios.submit(game, user, default_move(game.decoded(), seat.drawn_number), cast.now)


def _at(game: Game, name: str) -> User:
    return User.objects.get(name=name, seats__game=game)


def _bribing_table(cast: Cast, **more: Any) -> tuple[Game, list[User]]:
    """The first has sent two scholars to the second and is to bribe; all in order of the seats."""
    game = _table(cast, **more)
    state = game.decoded()
    by_number = {seat.drawn_number: user for seat, user in scenarios.seated(game)}
    first, size = state.table.first, game.size
    order = [(first + place) % size for place in range(size)]
    kinds = [state.table.edition.occupations.index(one) for one in ("doctor", "clerk")]
    sent = [one for one in state.unsent[first] if one.number == 1 and one.occupation in kinds]
    move = Send(tuple((one, order[1]) for one in sent))
    scenarios.submit(game, by_number[first], move, cast.now)
    return game, [by_number[number] for number in order]


def _number(game: Game, user: User) -> int:
    return game.seats.get(user=user).drawn_number


# About a game


def _invitation(cast: Cast) -> Sample:
    """To somebody with an account; what others get is in tests/lobby/test_email_invitees.py."""
    dora = cast.person("Dora")
    game = _table(cast, "Anna", size=3, note=cast.words.note)
    invitation = Invitation.objects.create(
        game=game, email=dora.email, invited_by=game.host, created_at=cast.now
    )
    return Sample(game, None, {"address": invitation.email, "about": invitation.pk})


def _game_started(cast: Cast) -> Sample:
    game = _table(cast, no_play_days=(5, 6), fixed_hour=20, time_zone="Europe/Vienna")
    return Sample(game, _at(game, "Anna"), {})


def _turn(cast: Cast) -> Sample:
    game = _table(cast)
    for _ in range(4):
        _play_on(cast, game)
    seat, user = _awaited(game)
    return Sample(game, user, {"deadline_version": seat.deadline_version})


def _talk_reminder(cast: Cast) -> Sample:
    game, people = _bribing_table(cast, talk_seconds=43200)
    return Sample(game, people[0], {})


def _default_played(cast: Cast) -> Sample:
    game = _table(cast)
    _seat, user = _awaited(game)
    phase = game.phase_no
    _play_on(cast, game)
    Move.objects.filter(game=game).update(cause="clock")
    game.refresh_from_db()
    game.phase_no = phase
    return Sample(game, user, {})


def _marked_absent(cast: Cast) -> Sample:
    game = _table(cast, absent_player="random")
    anna = _at(game, "Anna")
    game.seats.filter(user=anna).update(absent_since=cast.now)
    return Sample(game, anna, {})


def _game_rests(cast: Cast) -> Sample:
    game = _table(cast)
    for _seat, user in scenarios.seated(game):
        seats.step_aside(game_id=game.pk, user=user, now=cast.now)
    mail = OutboxMail.objects.get(game=game, kind="game_rests", person__name="Anna")
    game.refresh_from_db()
    return Sample(game, mail.person, {"about": mail.about})


def _substitute_wanted(cast: Cast) -> Sample:
    game = _table(cast)
    seat = game.seats.get(user=_at(game, "Anna"))
    game.seats.filter(pk=seat.pk).update(absent_since=cast.now)
    return Sample(game, cast.person("Dora"), {"about": seat.pk})


def _mention(cast: Cast) -> Sample:
    game = _table(cast)
    said = chat_messages.say(
        game_id=game.pk, user=_at(game, "Boris"), text=cast.words.mention, token=uuid4(),
        now=cast.now,
    )  # fmt: skip
    return Sample(game, _at(game, "Anna"), {"about": said.pk})


def _private_message(cast: Cast) -> Sample:
    game, people = _bribing_table(cast, press="private")
    thread = threads.begin(
        game_id=game.pk, user=people[1], others=[_number(game, people[0])], now=cast.now
    )
    said = threads.say(
        game_id=game.pk, thread=thread.token, user=people[1], text=cast.words.whisper,
        token=uuid4(), now=cast.now,
    )  # fmt: skip
    return Sample(game, people[0], {"about": said.pk})


class _Deal(NamedTuple):
    """An offer of the one who is to place, to the one whose scholars are to be placed."""

    game: Game
    reader: User
    maker: User
    made_at: int
    """The number of its event."""


def _deal(cast: Cast) -> _Deal:
    game, (reader, maker, _third) = _bribing_table(cast)
    scholar = game.decoded().contenders[0]
    wanted = PlaceIn(scholar, None, 6000), IfBribed(scholar, 4000)
    promise = Promise(_number(game, maker), _number(game, reader), *wanted)
    promises.make_offer(
        game_id=game.pk, user=maker, promise=promise, text="", token=uuid4(), now=cast.now
    )
    game.refresh_from_db()
    made = game.events.filter(kind=OfferMade.__name__).latest("seq")
    return _Deal(game, reader, maker, made.seq)


def _accepted(cast: Cast) -> _Deal:
    deal = _deal(cast)
    promises.reply_to_offer(
        game_id=deal.game.pk,
        user=deal.reader,
        made_at=deal.made_at,
        given=Status.ACCEPTED,
        now=cast.now,
    )
    deal.game.refresh_from_db()
    return deal


def _offer(cast: Cast) -> Sample:
    deal = _deal(cast)
    return Sample(deal.game, deal.reader, {"about": deal.made_at})


def _offer_reply(cast: Cast) -> Sample:
    deal = _accepted(cast)
    return Sample(deal.game, deal.maker, {"about": deal.game.events.latest("seq").seq})


def _promise_broken(cast: Cast) -> Sample:
    deal = _accepted(cast)
    one, two = deal.game.decoded().contenders
    scenarios.submit(deal.game, deal.reader, Bribe(((one, 4000), (two, 1000))), cast.now)
    scenarios.submit(deal.game, deal.maker, Place(((one, 1000), (two, 10000))), cast.now)
    judged = deal.game.events.get(kind="PromiseJudged")
    return Sample(deal.game, deal.reader, {"about": judged.seq})


def _game_over(cast: Cast) -> Sample:
    game = _table(cast)
    while game.status == Game.Status.RUNNING:
        _play_on(cast, game)
    return Sample(game, _at(game, "Anna"), {})


def _table_closed(cast: Cast) -> Sample:
    game = _table(cast, "Anna", "Boris", size=3)
    game.status = Game.Status.CANCELLED
    game.save(update_fields=["status"])
    return Sample(game, _at(game, "Boris"), {})


def _game_parked(cast: Cast) -> Sample:
    game = _table(cast)
    game.parked_at, game.deadline_at, game.error = cast.now, None, "clock.py:7\nValueError"
    game.save(update_fields=["parked_at", "deadline_at", "error"])
    return Sample(game, cast.moderator("Marta"), {})


def _by_nora(cast: Cast, game: Game) -> GameRequest:
    """What a moderator means to do with this game, as it stands now."""
    nora = cast.moderator("Nora")
    return GameRequest(game.pk, nora, cast.words.reason, seen_now(game), cast.now)


def _table_news(cast: Cast) -> Sample:
    game = _table(cast)
    timing.extend(_by_nora(cast, game), time=DAY)
    mail = OutboxMail.objects.filter(game=game, kind="table_news").earliest("pk")
    return Sample(game, mail.person, {"about": mail.about})


def _referee(cast: Cast) -> Sample:
    game = _table(cast)
    request = _by_nora(cast, game)
    messages_actions.write_as_referee(request, text=cast.words.referee, token=uuid4())
    mail = OutboxMail.objects.get(game=game, kind="referee", person__name="Anna")
    return Sample(game, mail.person, {"about": mail.about})


def _vote(cast: Cast) -> Sample:
    game = _table(cast)
    pause = votes.Proposal(Vote.Kind.PAUSE, amount=7)
    votes.call_vote(game_id=game.pk, user=_at(game, "Boris"), proposal=pause, now=cast.now)
    return Sample(game, _at(game, "Anna"), {"about": Vote.objects.get(game=game).pk})


# About people and reports


def _reported(cast: Cast) -> tuple[Report, User, User]:
    """Boris has said something at the table, and Anna has reported it; Nora is a moderator."""
    game, anna, about = _mention(cast)
    if game is None or anna is None:
        raise ValueError("Somebody is mentioned at a table.")
    nora = cast.moderator("Nora")
    complaint = Complaint(anna, cast.words.complaint, uuid4(), cast.now)
    filing.report_message(complaint, message_id=about["about"])
    return Report.objects.get(reporter=anna), nora, _at(game, "Boris")


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


def _conduct(cast: Cast) -> Sample:
    """Anna is suspended for a week."""
    anna = cast.person("Anna")
    request = PersonRequest(anna.pk, cast.moderator("Nora"), cast.words.suspended, 0, cast.now)
    people_actions.suspend(request, until=cast.now + 7 * DAY)
    line = AuditLine.objects.filter(action="person.suspend").latest("pk")
    return Sample(None, anna, {"about": line.pk})


SAMPLES: Final[dict[str, Callable[[Cast], Sample]]] = {
    "invitation": _invitation,
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
    "referee": _referee,
    "vote": _vote,
    "game_parked": _game_parked,
    "report": _report,
    "appeal": _appeal,
    "report_decided": _report_decided,
    "appeal_decided": _appeal_decided,
    "conduct": _conduct,
}
"""What leads to an email of each kind."""
