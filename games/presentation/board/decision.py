"""What a player has to decide, and what is played if they do nothing, in words."""

from collections.abc import Sequence
from typing import NamedTuple, assert_never

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine import (
    BRIBING,
    Bribe,
    BribeChoice,
    Default,
    Judge,
    JudgeChoice,
    Move,
    Place,
    PlaceChoice,
    Scholar,
    Send,
    SendChoice,
    Stage,
    View,
)
from games.engine.choices import Choice
from games.engine.owed import Undone
from games.engine.promises import IfBribed, Promise
from games.presentation.board.promise_hints import breach_text
from games.presentation.text.promises import deed_clause
from games.presentation.text.words import People, capital, listed, money, with_currency


class Decision(NamedTuple):
    """A decision of the reader: its headline, what to know, their money, and the default move.

    `orders_fail` says that they have set orders for it that can't be played any more.
    """

    headline: str
    facts: list[str]
    own: str
    if_nothing_is_done: str
    orders_fail: bool = False


def decision_of(
    people: People, view: View, deadline_move: Move | None, *, orders_fail: bool = False
) -> Decision | None:
    """The decision of the seat that this view was made for, or None where it is not to move.

    `deadline_move` is played if the player does nothing, None where nobody is to move.
    """
    if view.choice is None or deadline_move is None:
        return None
    people = _for_reader(people, view)
    return Decision(
        headline=_headline(people, view, view.choice),
        facts=facts(people, view),
        own=_("You have {cash}.").format(cash=with_currency(people.table, own_cash(view))),
        if_nothing_is_done=move_text(people, deadline_move),
        orders_fail=orders_fail,
    )


def _for_reader(people: People, view: View) -> People:
    """For sentences about the decision at hand, said to the player of the viewed seat."""
    return people._replace(among=view.contenders, reader=view.seat)


def facts(people: People, view: View) -> list[str]:
    """What one has to know of the present stage, whoever is to move; all of it public."""
    people = _for_reader(people, view)
    return [*_what_it_is_about(people, view), *bribes_so_far(people, view)]


def _headline(people: People, view: View, choice: Choice) -> str:
    words = people.words
    match choice:
        case BribeChoice(scholars):
            yours = listed(people.your_scholar(scholar) for scholar in scholars)
            text = _("Choose how much to bribe {owner} for {scholars}.")
            return text.format(owner=people.name(owner_of(view)), scholars=yours)
        case PlaceChoice(conflicts) if view.stage is Stage.PLACEMENT:
            hired = [scholar for conflict in conflicts for scholar in conflict]
            text = ngettext(
                "Choose {the_area} for {scholars}.", "Choose {areas} for {scholars}.", len(hired)
            )
            return text.format(
                the_area=words.the_area, areas=words.areas, scholars=people.scholars(hired)
            )
        case PlaceChoice():
            text = _("Choose who to hire, and for {which_area}.")
            return text.format(which_area=words.which_area)
        case JudgeChoice(area=area):
            return _("Choose who gets {the_area} worth {amount} in {your_palace}.").format(
                the_area=words.the_area, amount=money(area), your_palace=words.your_palace
            )
        case SendChoice():
            return _("Send {your_scholars} to other {palaces}.").format(
                your_scholars=words.your_scholars, palaces=words.palaces
            )
        case _:
            assert_never(choice)


def _what_it_is_about(people: People, view: View) -> list[str]:
    match view.stage:
        case Stage.UNCONTESTED_BRIBES:
            about = _no_conflict(people, view)
        case Stage.EXTERNAL_BRIBES | Stage.HIRING:
            about = _external_conflict(people, view)
        case Stage.INTERNAL_BRIBES | Stage.JUDGEMENT:
            about = _internal_conflict(people, view)
        case Stage.PLACEMENT | Stage.SENDING | Stage.OVER:
            return []
        case _:
            assert_never(view.stage)
    return [about, *_how_bribes_go(view)]


def _no_conflict(people: People, view: View) -> str:
    text = _("There are no rivals: bribes can only influence {which_area} {owner} assigns.")
    if any(scholar.owner == view.seat for scholar in view.contenders):
        text = _("There's no rival: the bribe can only influence {which_area} the owner gives you.")
    elif owner_of(view) == view.seat:
        text = _("There are no rivals: bribes can only influence {which_area} you assign.")
    return text.format(which_area=people.words.which_area, owner=people.name(owner_of(view)))


def _external_conflict(people: People, view: View) -> str:
    own = {one.occupation for one in view.contenders if one.owner == view.seat}
    rivals = [one for one in view.contenders if one.owner != view.seat and one.occupation in own]
    text = _(
        "You're up against {rivals}. One of each occupation is hired; the others are banished."
    )
    if not rivals:
        rivals = list(view.contenders)
        text = _("Rivals: {rivals}. One of each occupation is hired; the others are banished.")
    return text.format(rivals=people.whose_scholars(rivals))


def _internal_conflict(people: People, view: View) -> str:
    resident, *attackers = view.contenders
    text = ngettext(
        "{resident}, who earns {amount}, is challenged by {attackers}. The loser is banished.",
        "{resident}, who earns {amount}, is challenged by {attackers}. The losers are banished.",
        len(attackers),
    )
    return capital(
        text.format(
            resident=people.whose_scholar(resident),
            amount=money(area_of(view)),
            attackers=people.whose_scholars(attackers),
        )
    )


def _how_bribes_go(view: View) -> list[str]:
    if view.stage not in BRIBING:
        return []
    if view.table.edition.bribing == "simultaneous":
        return [_("Bribes are sealed: nobody sees any of them until all are submitted.")]
    return [_("Bribes are open: each is paid immediately, and players who bribe later see it.")]


def bribes_so_far(people: People, view: View) -> list[str]:
    """Which bribes are in, as far as the viewed seat may know; nothing where none are."""
    people = _for_reader(people, view)
    if view.handed_in:
        names = listed(people.name(seat) for seat in view.handed_in)
        return [
            _("Players who have already submitted their sealed bribes: {names}.").format(
                names=names
            )
        ]
    if not view.paid or view.stage is Stage.SENDING:
        return []
    paid = listed(bribe_text(people, payment.scholar, payment.amount) for payment in view.paid)
    if view.stage in BRIBING:
        return [_("Paid so far: {bribes}.").format(bribes=paid)]
    return [_("Paid: {bribes}.").format(bribes=paid)]


def own_cash(view: View) -> int:
    """The money of the viewed seat; `ValueError` for a spectator's view."""
    cash = view.cash[view.seat] if view.seat is not None else None
    if cash is None:
        raise ValueError("A spectator holds no money.")
    return cash


def owner_of(view: View) -> int:
    """The seat whose palace holds court; `ValueError` when the game is over."""
    if view.active is None:
        raise ValueError("Nobody is active any more: the game is over.")
    return view.active


def area_of(view: View) -> int:
    """The salary fought for; `ValueError` outside an internal conflict."""
    if view.area is None:
        raise ValueError("There is no internal conflict.")
    return view.area


def move_text(people: People, move: Move) -> str:
    """What a move does, as the end of "If you do nothing, this is played: …"."""
    match move:
        case Bribe(bribes):
            return listed(bribe_text(people, who, amount) for who, amount in bribes)
        case Place(placements):
            return listed(
                _("{scholar} gets {the_area} worth {amount}").format(
                    scholar=people.scholar(who),
                    the_area=people.words.the_area,
                    amount=money(area),
                )
                for who, area in placements
            )
        case Judge(winner):
            return _("{scholar} wins").format(scholar=people.scholar(winner))
        case Send(sent):
            return _sending_text(people, sent)
        case Default():
            return _("the default move")
        case _:
            assert_never(move)


def _sending_text(people: People, sent: Sequence[tuple[Scholar, int]]) -> str:
    """Who goes where. Of two of a kind, nobody needs to know which is which."""
    people = people._replace(among=())
    (first, palace), *rest = sent
    if len({who[:2] for who, _palace in sent}) > 1 or not rest:
        text = _("{scholar} goes to {owner}")
        return listed(
            text.format(scholar=people.scholar(who), owner=people.name(palace))
            for who, palace in sent
        )
    ((_twin, other),) = rest
    text = _("{scholar} goes to {owner}, and the other one to {other}")
    if other == palace:
        text = _("{scholar} goes to {owner}, and so does the other one")
    return text.format(
        scholar=people.scholar(first), owner=people.name(palace), other=people.name(other)
    )


def moves_text(people: People, view: View, moves: Sequence[Move]) -> str:
    """What the moves of one form do: "4,000 for your clerk; your priest goes to Anna"."""
    people = _for_reader(people, view)
    return "; ".join(move_text(people, move) for move in moves)


def bribe_text(people: People, scholar: Scholar, amount: int) -> str:
    """A bribe: "4,000 for the blue clerk", "nothing for the green priest"."""
    if amount == 0:
        return _("nothing for {scholar}").format(scholar=people.scholar(scholar))
    text = _("{amount} for {scholar}")
    return text.format(amount=money(amount), scholar=people.scholar(scholar))


class Review(NamedTuple):
    """What moves would do, a sentence for each, and the money they take and leave."""

    sentences: list[str]
    totals: list[str]


def review(people: People, view: View, moves: Sequence[Move]) -> Review:
    """Moves that the viewed seat has entered but not submitted, for it to review."""
    people = _for_reader(people, view)
    return Review([f"{capital(move_text(people, move))}." for move in moves], _totals(view, moves))


def second_thoughts(
    people: People,
    view: View,
    moves: Sequence[Move],
    undone: Undone,
    *,
    sends_unseen: bool = False,
) -> list[str]:
    """What the viewed seat is told before it makes such moves; none for most.

    `undone` are the promises that they break or leave without their condition. `sends_unseen` says
    that a sending was joined to its move, and may have been overlooked.
    """
    people = _for_reader(people, view)
    paid = sum(amount for one in moves if isinstance(one, Bribe) for _who, amount in one.bribes)
    also_sent = _("This also sends {your_scholars}, as suggested. You can send them later instead.")
    reasons = (
        (2 * paid > own_cash(view), _("That's more than half of your money.")),
        *((True, breach_text(people, promise)) for promise in undone.broken),
        *((True, _unmet(people, promise)) for promise in undone.unmet),
        (sends_unseen, also_sent.format(your_scholars=people.words.your_scholars)),
    )
    return [sentence for holds, sentence in reasons if holds]


def _unmet(people: People, promise: Promise) -> str:
    """What a promise to the reader comes to that lacks its condition, and why."""
    condition = promise.condition
    said = {"name": people.name(promise.seat), "promise": deed_clause(people, promise)}
    if not isinstance(condition, IfBribed):
        return _("{name}'s promise to you won't apply either: {promise}.").format(**said)
    text = _(
        "You'd pay less than {amount} for {scholar}, so {name}'s promise wouldn't apply: {promise}."
    )
    amount, scholar = money(condition.least), people.scholar(condition.scholar)
    return text.format(amount=amount, scholar=scholar, **said)


def _totals(view: View, moves: Sequence[Move]) -> list[str]:
    bribes = [move for move in moves if isinstance(move, Bribe)]
    if not bribes:
        return []
    cash, table = own_cash(view), view.table
    spent = sum(amount for bribe in bribes for _who, amount in bribe.bribes)
    if spent <= cash:
        text = _("You pay {amount} in total and keep {rest}.")
        return [text.format(amount=with_currency(table, spent), rest=money(cash - spent))]
    if view.table.edition.broke == "bank":
        text = _("You pay all the money you have ({amount}); the bank pays the remaining {rest}.")
        return [text.format(amount=with_currency(table, cash), rest=money(spent - cash))]
    text = _("You pay {amount} in total and then owe {rest}.")
    return [text.format(amount=with_currency(table, spent), rest=money(spent - cash))]
