"""The log: what happened at a table and is no move, as sentences.

Its author stands beside the sentence; a moderator's reason, if there is one, below.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import table_events
from games.presentation.text.said import Said
from games.presentation.text.tables import counted, time_text
from games.presentation.text.words import People, moment


class _Moved(NamedTuple):
    """The log's sentence about a moved deadline, and the reason alone: "" for none."""

    text: Said
    why: Promise | str


_MOVED: Final[Mapping[str, _Moved]] = {
    "outage": _Moved(
        Said(
            gettext_lazy(
                "{name}'s deadline is extended to {moment}: the clock stopped for a while."
            ),
            gettext_lazy("Your deadline is extended to {moment}: the clock stopped for a while."),
        ),
        gettext_lazy("The site was partly down for a while."),
    ),
    "email": _Moved(
        Said(
            gettext_lazy("{name}'s deadline is extended to {moment}: email was down."),
            gettext_lazy("Your deadline is extended to {moment}: email was down."),
        ),
        gettext_lazy("Email was down."),
    ),
    "moved": _Moved(
        Said(
            gettext_lazy("{name}'s deadline is now {moment}."),
            gettext_lazy("Your deadline is now {moment}."),
        ),
        "",
    ),
    "pause": _Moved(
        Said(
            gettext_lazy("{name}'s deadline is now {moment}: the game was paused."),
            gettext_lazy("Your deadline is now {moment}: the game was paused."),
        ),
        gettext_lazy("The game was paused."),
    ),
    "parked": _Moved(
        Said(
            gettext_lazy("{name}'s deadline is now {moment}: the game was stopped by an error."),
            gettext_lazy("Your deadline is now {moment}: the game was stopped by an error."),
        ),
        gettext_lazy("The game was stopped by an error."),
    ),
    "hours": _Moved(
        Said(
            gettext_lazy("{name}'s deadline is now {moment}: all games were given extra time."),
            gettext_lazy("Your deadline is now {moment}: all games were given extra time."),
        ),
        gettext_lazy("All games were given extra time."),
    ),
    "downtime": _Moved(
        Said(
            gettext_lazy("{name}'s deadline is now {moment}: the site was unavailable."),
            gettext_lazy("Your deadline is now {moment}: the site was unavailable."),
        ),
        gettext_lazy("The site was unavailable."),
    ),
    "maintenance": _Moved(
        Said(
            gettext_lazy("{name}'s deadline is now {moment}: the site was under maintenance."),
            gettext_lazy("Your deadline is now {moment}: the site was under maintenance."),
        ),
        gettext_lazy("The site was under maintenance."),
    ),
    "days_off": _Moved(
        Said(
            gettext_lazy("{name}'s deadline is {moment}: days off don't count."),
            gettext_lazy("Your deadline is {moment}: days off don't count."),
        ),
        gettext_lazy("Days off don't count."),
    ),
}
"""The words for each of `table_events.REASONS`."""


def why_moved(why: str) -> str:
    """Why a deadline was moved, as a sentence; "" if there is none but the will of its author."""
    return str(_MOVED[why].why)


_SENTENCES: Final[Mapping[type, Promise]] = {
    table_events.HousePlayerSat: gettext_lazy(
        "A computer player takes over the {colour} seat permanently."
    ),
    table_events.SeatReopened: gettext_lazy(
        "The {colour} seat is free again: a substitute may take it."
    ),
    table_events.GameResumed: gettext_lazy(
        "The game resumes. Everyone keeps the time they had left."
    ),
    table_events.GameTakenUp: gettext_lazy("The game continues after being stopped by an error."),
    table_events.GameRested: gettext_lazy(
        "Nobody is left at the table: the game is dormant until someone returns or takes a seat."
    ),
    table_events.GameWoken: gettext_lazy(
        "Someone is at the table again, and the game continues. All deadlines have been reset."
    ),
    table_events.GameAbandoned: gettext_lazy(
        "Nobody came back. The game is abandoned and doesn't count for anyone."
    ),
    table_events.GameCancelled: gettext_lazy("The game is cancelled. Nobody wins."),
    table_events.NewcomersRefused: gettext_lazy(
        "The table is closed to new players: substitutes can't join."
    ),
    table_events.NewcomersWelcome: gettext_lazy("The table is open to substitutes again."),
}
"""What needs no more than the colour of its seat, where it has one."""

_OF_A_PLAYER: Final[Mapping[type, Said]] = {
    table_events.SeatAbsent: Said(
        gettext_lazy(
            "{name} is absent: the game continues without waiting for them until they return or "
            "a substitute takes the seat."
        ),
        gettext_lazy(
            "You are absent: the game continues without waiting for you until you return or a "
            "substitute takes your seat."
        ),
    ),
    table_events.SeatReturned: Said(gettext_lazy("{name} is back."), gettext_lazy("You are back.")),
    table_events.SubstituteSat: Said(
        gettext_lazy("{name} takes over {colour} as a substitute."),
        gettext_lazy("You take over {colour} as a substitute."),
    ),
    table_events.SeatGivenBack: Said(
        gettext_lazy("{name} gets the {colour} seat back."),
        gettext_lazy("You get the {colour} seat back."),
    ),
    table_events.DefaultCalled: Said(
        gettext_lazy("A moderator has ended the wait for {name}'s move."),
        gettext_lazy("A moderator has ended the wait for your move."),
    ),
    table_events.MissExcused: Said(
        gettext_lazy("{name}'s missed deadlines are excused."),
        gettext_lazy("Your missed deadlines are excused."),
    ),
}
"""What needs no more than the name and the colour of its seat."""


def _in_a_sentence(people: People, event: Any) -> str:
    seat, text = getattr(event, "seat", None), str(_SENTENCES[type(event)])
    return text if seat is None else text.format(colour=people.colour_text(seat))


def _of_a_player(people: People, event: Any) -> str:
    colour = people.colour_text(event.seat)
    return _OF_A_PLAYER[type(event)].about(people, event.seat, colour=colour)


def _deadline_moved(people: People, event: table_events.DeadlineMoved) -> str:
    if not people.has_deadlines and why_moved(event.why):
        return why_moved(event.why)
    after = moment(event.after, people.zone)
    return _MOVED[event.why].text.about(people, event.seat, moment=after)


def _paused(people: People, event: table_events.GamePaused) -> str:
    if event.until is None:
        return _("The game is paused.")
    return _("The game is paused until {moment}.").format(moment=moment(event.until, people.zone))


def _pace(_people: People, event: table_events.PaceChanged) -> str:
    text = _("From the next decision on, players have {time} per move.")
    return text.format(time=time_text(event.seconds))


def _rewound(_people: People, event: table_events.Rewound) -> str:
    text = _(
        "The game is rewound to step {step}: everything after it is discarded, and standing "
        "orders no longer apply."
    )
    return text.format(step=event.to_seq)


_REPLACE: Final = Said(
    gettext_lazy("Replace {name} with a computer player permanently?"),
    gettext_lazy("Replace you with a computer player permanently?"),
)
_CALLS_A_VOTE: Final = Said(
    gettext_lazy("{name} calls a vote: {question}"), gettext_lazy("You call a vote: {question}")
)
_WAITS_WITHOUT_DEADLINE: Final = Said(
    gettext_lazy("{name} is waiting for {other}'s reply."),
    gettext_lazy("{name} is waiting for your reply."),
)
_WAITS: Final = Said(
    gettext_lazy("{name} will wait for {other}'s reply until {moment}."),
    gettext_lazy("{name} will wait for your reply until {moment}."),
)


def vote_text(people: People, kind: str, amount: int | None, seat: int | None) -> str:
    """What a vote is about, as a question."""
    match kind:
        case "pause":
            text = _("Pause the game for {time}?")
            return text.format(time=counted(amount or 0, "day"))
        case "resume":
            return _("Resume the game?")
        case "extend":
            text = _("Give everyone who still has to move an extra {time}?")
            return text.format(time=counted(amount or 0, "hour"))
        case "replace":
            return _REPLACE.about(people, seat or 0)
        case "end":
            return _("End the game now, without a winner?")
        case "rewind":
            return _("Rewind the game, even though sealed bribes have since been revealed?")
        case _:
            raise ValueError(f"No words for a vote of the kind {kind!r}.")


def vote_rule(*, needs_all: bool, asks_absent: bool, least: int) -> str:
    """When a vote passes, as a sentence; `least` say yes in any."""
    if asks_absent:
        return _(
            "Only one player is active, so the absent players may vote too. The vote passes when "
            "the time is up, unless an absent player votes no, or returns and doesn't vote yes."
        )
    if needs_all:
        return _("The vote passes only if every active player votes yes.")
    text = _(
        "The vote passes if at least {least} players vote yes and more vote yes than no. Not "
        "voting counts as neither."
    )
    return text.format(least=least)


def vote_outcome(kind: str, *, passed: bool) -> str:
    """How a vote has ended, as a sentence."""
    return str(VOTES[kind][0 if passed else 1])


def _vote_opened(people: People, event: table_events.VoteOpened) -> str:
    text = vote_text(people, event.vote, event.amount, event.seat)
    if event.by is None:
        return _("The table votes: {question}").format(question=text)
    return _CALLS_A_VOTE.about(people, event.by, question=text)


VOTES: Final[Mapping[str, tuple[Promise, Promise]]] = {
    "pause": (
        gettext_lazy("The vote to pause the game has passed."),
        gettext_lazy("The vote to pause the game has failed."),
    ),
    "resume": (
        gettext_lazy("The vote to resume the game has passed."),
        gettext_lazy("The vote to resume the game has failed."),
    ),
    "extend": (
        gettext_lazy("The vote for extra time has passed."),
        gettext_lazy("The vote for extra time has failed."),
    ),
    "replace": (
        gettext_lazy("The vote to bring in a computer player has passed."),
        gettext_lazy("The vote to bring in a computer player has failed."),
    ),
    "end": (
        gettext_lazy("The vote to end the game has passed."),
        gettext_lazy("The vote to end the game has failed."),
    ),
    "rewind": (
        gettext_lazy("Everyone has agreed to the rewind."),
        gettext_lazy("Not everyone agreed to the rewind."),
    ),
}
"""A sentence for each kind of vote when it has passed, and when it has failed."""


def _negotiation_time_opened(people: People, event: table_events.TalkOpened) -> str:
    return _("The negotiation time lasts until {moment}.").format(
        moment=moment(event.until, people.zone)
    )


def _negotiation_time_moved(people: People, event: table_events.TalkMoved) -> str:
    text = _("The negotiation time is extended to {moment}.")
    return text.format(moment=moment(event.after, people.zone))


def _negotiation_time_closed(_people: People, event: table_events.TalkClosed) -> str:
    if event.early:
        return _("Everyone is ready: the negotiation time is over.")
    return _("The negotiation time is over.")


def _wait_began(people: People, event: table_events.WaitBegan) -> str:
    said = _WAITS if people.has_deadlines else _WAITS_WITHOUT_DEADLINE
    name, other = people.name(event.seat), people.name(event.of)
    until = moment(event.until, people.zone)
    return said.about(people, event.of, name=name, other=other, moment=until)


def _vote_closed(_people: People, event: table_events.VoteClosed) -> str:
    return vote_outcome(event.vote, passed=event.passed)


TELL: Final[Mapping[type, Callable[[People, Any], str]]] = {
    **dict.fromkeys(_SENTENCES, _in_a_sentence),
    **dict.fromkeys(_OF_A_PLAYER, _of_a_player),
    table_events.DeadlineMoved: _deadline_moved,
    table_events.GamePaused: _paused,
    table_events.PaceChanged: _pace,
    table_events.Rewound: _rewound,
    table_events.TalkOpened: _negotiation_time_opened,
    table_events.TalkMoved: _negotiation_time_moved,
    table_events.TalkClosed: _negotiation_time_closed,
    table_events.WaitBegan: _wait_began,
    table_events.VoteOpened: _vote_opened,
    table_events.VoteClosed: _vote_closed,
}
