"""The lines of responses: how things stand, and what one can write."""

from collections.abc import Iterator
from itertools import cycle
from typing import assert_never

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.changes import listeners
from games.engine import BribeChoice, JudgeChoice, PlaceChoice, Scholar, SendChoice
from games.engine.choices import Choice
from games.engine.forced import sending_after
from games.engine.moves import Place
from games.features.inbound.acting.negotiating import offers_to_reply_to
from games.features.inbound.acting.position_text import position_lines
from games.features.inbound.commands.words import shown
from games.models import Game, Thread, User
from games.presentation.board.decision import decision_of
from games.presentation.board.turn_summary import result_text
from games.presentation.text.time_left import until
from games.presentation.text.words import (
    People,
    Phrase,
    colour_text,
    listed,
    moment,
    money,
    occupation_text,
    scholar_name,
)
from games.services.game.position import Position
from games.services.game.queries.promises import may_negotiate, read_promises


def status_lines(position: Position, reader: User, thread: Thread | None) -> list[str]:
    """How things stand: the reader's decision, the position, and the offers to them here."""
    lines = [*_decision(position, reader), *position_lines(position.people, position.view)]
    offers = read_promises(position).in_conversation(thread)
    if offers.to_me:
        lines.append(_("Offers you can reply to:"))
        lines += [f"{number}. {one.offered}" for number, one in enumerate(offers.to_me, 1)]
    if offers.own:
        lines.append(_("You have promised:"))
        lines += [offer.text for offer in offers.own]
    if offers.at_stake:
        lines.append(_("You were promised:"))
        lines += [offer.text for offer in offers.at_stake]
    return lines


def _decision(position: Position, reader: User) -> Iterator[str]:
    game = position.game
    if game.status == Game.Status.FINISHED:
        yield result_text(position.people, position.view)
        return
    decision = decision_of(position.people, position.view, position.deadline_move())
    if decision is not None and position.is_to_move:
        yield decision.headline
        yield from decision.facts
        deadline_at = position.deadline_at
        if deadline_at is not None and game.has_deadlines:
            by = until(deadline_at, reader.time_zone, timezone.now()).text
            yield _("Make your move by {deadline}.").format(deadline=by)
    elif game.talk_until is not None:
        text = _("Negotiations are open until {moment} at the latest.")
        yield text.format(moment=moment(game.talk_until, reader.time_zone))
    elif position.names_to_move:
        yield _("Next to move: {names}.").format(names=listed(position.names_to_move))


def help_lines(
    position: Position | None, game: Game, reader: User, thread: Thread | None
) -> list[str]:
    """What the reader can write now, each as a line that would be understood, and what it does."""
    lines = []
    if position is not None:
        lines += [f"{example} — {_('your move')}" for example in examples(position)]
        if position.is_to_move:
            lines.append(f"{shown('default')} — {_('plays the default move')}")
        lines += _negotiation(position, thread)
        lines.append(f"{shown('status')} — {_('tells you how things stand')}")
    lines.append(f"{shown('help')} — {_('shows you this list')}")
    if not game.is_silent:
        to = listeners(game, reader, thread)
        lines.append(
            _("Anything else you write is sent as a message to {listeners}.").format(listeners=to)
        )
    return lines


def examples(position: Position) -> list[str]:
    """The commands that fit the reader's decision, with values that may be played."""
    choice, people = position.view.choice, position.people
    if choice is None or not position.is_to_move:
        return []
    lines = [_example(people, position.view.default, choice)]
    sending = sending_after(position.view)
    return lines if sending is None else [*lines, _example(people, None, sending)]


def _example(people: People, default: object, choice: Choice) -> str:
    match choice:
        case BribeChoice(scholars):
            word, parts = (
                "bribe",
                [
                    pgettext("example of a bribe", "{scholar} {amount}").format(
                        scholar=_scholar_to_name(people, one, scholars),
                        amount=money(choice.minimum),
                    )
                    for one in scholars
                ],
            )
        case PlaceChoice(conflicts):
            among = tuple(one for conflict in conflicts for one in conflict)
            word, parts = (
                "place",
                [
                    _("{scholar} at {salary}").format(
                        scholar=_scholar_to_name(people, one, among), salary=money(area)
                    )
                    for one, area in (default.placements if isinstance(default, Place) else ())
                ],
            )
        case JudgeChoice(winners):
            word, parts = "judge", [_scholar_to_name(people, winners[0], winners)]
        case SendChoice(scholars, palaces):
            word, parts = (
                "send",
                [
                    _("{scholar} to {palace}").format(
                        scholar=people.occupation(one), palace=people.colour_text(palace)
                    )
                    for one, palace in zip(scholars[: choice.count], cycle(palaces), strict=False)
                ],
            )
        case _:
            assert_never(choice)
    return f"{shown(word)} {'; '.join(parts)}"


def _scholar_to_name(people: People, scholar: Scholar, among: tuple[Scholar, ...]) -> Phrase:
    """A scholar as a command names it, no longer than it takes to tell it from the others."""
    name = people.occupation(scholar)
    if len({one.owner for one in among}) > 1:
        name = scholar_name(people.table, scholar)
    if scholar._replace(number=3 - scholar.number) not in among:
        return name
    return Phrase(*(f"{form} #{scholar.number}" for form in name.forms or (name,)))


def _negotiation(position: Position, thread: Thread | None) -> Iterator[str]:
    if not may_negotiate(position):
        return
    offers = offers_to_reply_to(position, thread)
    for number, offer in enumerate(offers, 1):
        which = f" {number}" if len(offers) > 1 else ""
        yield f"{shown('accept')}{which} / {shown('decline')}{which} — {offer.text}"
    yield f"{offer_example(position)} — {_('an offer')}"


def offer_example(position: Position) -> str:
    """An offer as it is written; any other player and scholar would do."""
    table, reader = position.view.table, position.view.seat or 0
    edition = table.edition
    # Translators: an offer in an email, which has to be understood as you write it: use the words
    # of the messages "words of a command".
    text = _("{offer} {player}: if you pay {amount}, I place your {scholar} at {salary}")
    return text.format(
        offer=shown("offer"),
        player=colour_text(table.players[(reader + 1) % len(table.players)]),
        amount=money(6 * edition.unit),
        scholar=occupation_text(edition.occupations[-1]),
        salary=money(max(edition.areas)),
    )
