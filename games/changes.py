"""What people change at a table otherwise than on its page, such as by email.

Each kind is described, and done by the form and the service of its page. What is wanted is data
that can be stored until it is confirmed; it is checked both times:

- `{"kind": "move", "data": …}`: what the form of the decision would post, without its hidden fields
- `{"kind": "play", "move": …}`: a move as docs/record-format.md writes it
- `{"kind": "say", "text": …}`
- `{"kind": "offer", "terms": …, "among": …}`: a promise as JSON of `encode_promise`
- `{"kind": "accept", "made_at": …, "among": …}`, and the same for `decline`

`among` is the token of a private conversation, "" for the whole table.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from games.engine import IllegalMove, check, decode_move
from games.engine import Move as EngineMove
from games.engine.ledger import Status
from games.engine.promises import Promise
from games.forms.moves import FORMS, MoveForm
from games.forms.offers import LikelyForm
from games.models import Game, Thread, User
from games.presentation.board.decision import (
    moves_text,
    review,
)
from games.presentation.board.refusals import move_refused
from games.presentation.log.promise_story import offer_text
from games.services.accounts import gate
from games.services.accounts.gate import Hindrance
from games.services.chat import messages, promises, threads
from games.services.chat.thread_queries import threads_at
from games.services.clean_text import tidy
from games.services.game import moves, once
from games.services.game.position import Position, read_position
from games.services.game.queries.promises import read_promises
from games.services.people import sanctions
from games.services.refused import Refused

type Wanted = dict[str, Any]

GIVEN: Final = {"accept": Status.ACCEPTED, "decline": Status.DECLINED}


class Change(NamedTuple):
    """Changes that a person makes at a table, or in a private conversation there."""

    person: User
    game: Game
    thread: Thread | None
    now: datetime

    def described(self, wanted: Wanted) -> list[str]:
        """What would be done, in words; `Refused` if it can't be."""
        self._refuse_suspended()
        return _KINDS[wanted["kind"]].describe(self, wanted)

    def done(self, wanted: Wanted, token: UUID, phase_no: int) -> list[str]:
        """Do it, in this phase of the game only, and once for each token; what was done."""
        self._refuse_suspended()
        return _KINDS[wanted["kind"]].do(self, wanted, token, phase_no)

    def _refuse_suspended(self) -> None:
        if Hindrance.SUSPENDED in gate.hindrances(self.person, self.now):
            raise Refused(sanctions.why_suspended(self.person, self.now))

    def refuse_late(self, phase_no: int) -> None:
        """Refuse what was written for an earlier phase."""
        self.game.refresh_from_db()
        if self.game.phase_no != phase_no:
            raise Refused(went_on())

    @property
    def position(self) -> Position:
        return read_position(self.game, self.person)


def form_of(position: Position, data: Any, token: UUID) -> MoveForm:
    """The form of the person's decision with this data; `Refused` if they have none to make."""
    if not position.is_to_move:
        raise Refused(_nothing_to_decide(position))
    given = {**data, "phase_no": str(position.game.phase_no), "token": str(token)}
    return FORMS[type(position.view.choice)](given, people=position.people, view=position.view)


def _nothing_to_decide(position: Position) -> str:
    if position.seat is None:
        return _("You don't have a seat at this table.")
    if position.game.is_going_on and position.game.is_negotiation_time and position.seat.user:
        return moves.no_moves_yet(position.game, position.seat.user)
    return _("It isn't your turn, so nothing was played.")


def errors_of(form: Any) -> list[str]:
    """What is wrong with a form, as its page shows it."""
    return [
        str(reason) if name == "__all__" else f"{form.fields[name].label}: {reason}"
        for name, reasons in form.errors.items()
        for reason in reasons
    ]


def listeners(game: Game, reader: User, thread: Thread | None) -> str:
    """The people who read what is written in this conversation."""
    if thread is None:
        return _("everyone at the table")
    return next((one.names for one in threads_at(game, reader) if one.token == thread.token), "")


def already_in() -> str:
    return _("Your move had already been submitted, and it counts.")


def went_on() -> str:
    return _("The game has moved on since you wrote that, so it had no effect.")


def _describe_move(change: Change, wanted: Wanted) -> list[str]:
    position = change.position
    made = _moves(position, wanted, UUID(int=0))
    reviewed = review(position.people, position.view, made)
    return [*reviewed.sentences, *reviewed.totals, *moves.warnings_of(position, made)]


def _moves(position: Position, wanted: Wanted, token: UUID) -> Sequence[EngineMove]:
    """The moves that are wanted, by a form or as a record; `Refused` if they aren't legal."""
    if wanted["kind"] == "play":
        return [_recorded(position, wanted["move"])]
    form = form_of(position, wanted["data"], token)
    if not form.is_valid():
        raise Refused(" ".join(errors_of(form)))
    return form.moves


def _recorded(position: Position, written: Any) -> EngineMove:
    view = position.view
    if not position.is_to_move or view.choice is None:
        raise Refused(_nothing_to_decide(position))
    try:
        seat, move = decode_move(view.table, written)
    except IllegalMove as reason:
        raise Refused(str(reason)) from reason  # which only who writes the program can mend
    if seat != view.seat:
        raise Refused(_("This move isn't for your seat."))
    try:
        check(view.table, view.choice, move)
    except IllegalMove as reason:
        raise Refused(move_refused(position.people, view.choice, reason)) from reason
    return move


def _play(change: Change, wanted: Wanted, token: UUID, phase_no: int) -> list[str]:
    person, game = change.person, change.game
    if moves.already_played(game_id=game.pk, user=person, token=token):
        return [already_in()]
    with moves.at_table(person, change.now, pk=game.pk) as turn:
        position = turn.position
        if position.game.phase_no != phase_no:
            raise Refused(went_on())
        made = _moves(position, wanted, token)
        done = moves_text(position.people, position.view, made)
        turn.submit(made, phase_no, token)
    if not turn.outcome.played:
        raise Refused(turn.outcome.reason or went_on())
    return [moves.done_and_next(turn.position, done)]


def _describe_message(change: Change, wanted: Wanted) -> list[str]:
    text, game = tidy(wanted["text"]), change.game
    if not game.seats.filter(user=change.person).exists():
        raise Refused(_("Only players at this table can use its chat."))
    sanctions.refuse_who_may_not_write(change.person, change.now)
    messages.refuse_unless_fit(game, change.person, text, change.now)
    to = listeners(game, change.person, change.thread)
    return [_("Your message to {listeners}:").format(listeners=to), text]


def _say(change: Change, wanted: Wanted, token: UUID, _phase_no: int) -> list[str]:
    """Send a message, also when the game has moved on: a message belongs to no phase."""
    game_id, user, text, now = change.game.pk, change.person, wanted["text"], change.now
    if change.thread is None:
        messages.say(game_id=game_id, user=user, text=text, token=token, now=now)
    else:
        thread = change.thread.token
        threads.say(game_id=game_id, to=thread, user=user, text=text, token=token, now=now)
    return [_("Your message was sent:"), tidy(wanted["text"])]


def _describe_offer(change: Change, wanted: Wanted) -> list[str]:
    position = change.position
    by = position.view.seat or 0  # `_promise` refuses people without one
    return [offer_text(position.people, by, _promise(position, wanted))]


def _promise(position: Position, wanted: Wanted) -> Promise:
    form = LikelyForm(dict(wanted), people=position.people, view=position.view)
    if not form.is_valid() or form.promise is None:
        raise Refused(" ".join(errors_of(form)))
    return form.promise


def _offer(change: Change, wanted: Wanted, token: UUID, phase_no: int) -> list[str]:
    if once.is_done(change.person, token):
        return [_("You have made the offer.")]
    change.refuse_late(phase_no)
    promise = _promise(change.position, wanted)
    promises.make_offer(
        game_id=change.game.pk,
        user=change.person,
        promise=promise,
        text="",
        token=token,
        now=change.now,
        among=wanted["among"],
    )
    return [_("You have made the offer.")]


def _describe_reply(change: Change, wanted: Wanted) -> list[str]:
    offers = read_promises(change.position).to_me
    for offer in offers:
        if (offer.made_at, offer.thread) == (wanted["made_at"], wanted["among"]):
            text = (
                _("You accept: {offer}.")
                if wanted["kind"] == "accept"
                else _("You decline: {offer}.")
            )
            return [text.format(offer=offer.promise)]
    raise Refused(_("This offer is no longer open."))


def _reply(change: Change, wanted: Wanted, token: UUID, phase_no: int) -> list[str]:
    reply = {
        "game_id": change.game.pk,
        "user": change.person,
        "made_at": wanted["made_at"],
        "given": GIVEN[wanted["kind"]],
        "among": wanted["among"],
    }
    if not once.is_done(change.person, token) and not promises.is_replied(**reply):
        change.refuse_late(phase_no)
    promises.reply_to_offer(**reply, now=change.now, token=token)
    if wanted["kind"] == "accept":
        return [_("You have accepted the offer.")]
    return [_("You have declined the offer.")]


class Kind(NamedTuple):
    describe: Callable[[Change, Wanted], list[str]]
    do: Callable[[Change, Wanted, UUID, int], list[str]]


_KINDS: Final = {
    "move": Kind(_describe_move, _play),
    "play": Kind(_describe_move, _play),
    "say": Kind(_describe_message, _say),
    "offer": Kind(_describe_offer, _offer),
    "accept": Kind(_describe_reply, _reply),
    "decline": Kind(_describe_reply, _reply),
}
