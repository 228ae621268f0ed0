"""What each seat to move has to decide, as everybody may know it; own games in a few words."""

from collections.abc import Iterable
from typing import NamedTuple, assert_never

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine import BribeChoice, JudgeChoice, PlaceChoice, Scholar, SendChoice, Stage, View
from games.presentation.board.decision import area_of, move_text, owner_of
from games.presentation.text.words import People, Phrase, listed, money


class SeatToMove(NamedTuple):
    """What everybody may know of a seat's decision: what it is about, and the default move."""

    seat: int
    headline: str
    if_nothing_is_done: str


def seats_to_move(people: People, view: View) -> list[SeatToMove]:
    """The decisions of all seats to move, in bribing order."""
    people = people._replace(among=view.contenders)
    return [
        SeatToMove(seat, _headline(people, view, seat), move_text(people, default))
        for seat, default in view.defaults
    ]


def _headline(people: People, view: View, seat: int) -> str:
    name, words = people.name(seat), people.words
    match view.stage:
        case Stage.PLACEMENT:
            text = ngettext(
                "{name} must choose {the_area} for {scholars}.",
                "{name} must choose {areas} for {scholars}.",
                len(view.contenders),
            )
            return text.format(
                name=name,
                the_area=words.the_area,
                areas=words.areas,
                scholars=people.scholars(view.contenders),
            )
        case Stage.HIRING:
            return _("{name} must choose who to hire ({scholars}), and for {which_area}.").format(
                name=name,
                which_area=words.which_area,
                scholars=_rivals(people, view.contenders),
            )
        case Stage.JUDGEMENT:
            return _("{name} must choose who gets {the_area} worth {salary}: {scholars}.").format(
                name=name,
                the_area=words.the_area,
                salary=money(area_of(view)),
                scholars=people.scholars(view.contenders, "or"),
            )
        case Stage.SENDING:
            return _("{name} must send {scholars} to other {palaces}.").format(
                name=name, scholars=words.scholars, palaces=words.palaces
            )
        case Stage.UNCONTESTED_BRIBES | Stage.EXTERNAL_BRIBES | Stage.INTERNAL_BRIBES:
            return _headline_of_bribe(people, view, seat)
        case Stage.OVER:
            raise ValueError("Nobody is to move: the game is over.")
        case _:
            assert_never(view.stage)


def _headline_of_bribe(people: People, view: View, seat: int) -> str:
    own = [scholar for scholar in view.contenders if scholar.owner == seat]
    return _("{name} must decide how much to bribe {owner} for {scholars}.").format(
        name=people.name(seat), scholars=people.scholars(own), owner=people.name(owner_of(view))
    )


def _rivals(people: People, scholars: Iterable[Scholar]) -> Phrase:
    """One of each occupation: those of one, then those of the next."""
    rivals: dict[int, list[Scholar]] = {}
    for scholar in scholars:
        rivals.setdefault(scholar.occupation, []).append(scholar)
    return listed(people.scholars(group, "or") for group in rivals.values())


def decision_in_short(people: People, view: View) -> str:
    """The decision of the viewed seat in a few words; "" where it is not to move."""
    people = people._replace(among=view.contenders)
    match view.choice:
        case None:
            return ""
        case BribeChoice(scholars):
            own = listed(people.your_scholar(scholar) for scholar in scholars)
            owner = people.name(owner_of(view))
            return _("bribe {owner} for {scholars}").format(scholars=own, owner=owner)
        case PlaceChoice() if view.stage is Stage.PLACEMENT:
            text = ngettext(
                "choose {the_area} for {scholars}",
                "choose {areas} for {scholars}",
                len(view.contenders),
            )
            return text.format(
                the_area=people.words.the_area,
                areas=people.words.areas,
                scholars=people.scholars(view.contenders),
            )
        case PlaceChoice():
            return _("choose who to hire ({scholars})").format(
                scholars=_rivals(people, view.contenders)
            )
        case JudgeChoice(_winners, area):
            return _("choose who gets {the_area} worth {salary}").format(
                the_area=people.words.the_area, salary=money(area)
            )
        case SendChoice():
            return _("choose where to send {scholars}").format(scholars=people.words.your_scholars)
        case _:
            assert_never(view.choice)


def result_in_short(view: View) -> str:
    """How the game ended for the viewed seat: "You won"."""
    if view.seat is None:
        return ""
    if view.seat in view.winners:
        return _("You won") if len(view.winners) == 1 else _("You share the victory")
    cash = [amount or 0 for amount in view.cash]
    ahead = sum(amount > cash[view.seat] for amount in cash)
    texts = (
        _("You finished second of {count}"),
        _("You finished third of {count}"),
        _("You finished fourth of {count}"),
        _("You finished fifth of {count}"),
    )
    return texts[ahead - 1].format(count=len(cash))


def result_text(people: People, view: View) -> str:
    """The winners in a sentence: "Anna has won.", "You won!"; "" while the game goes on."""
    if not view.winners:
        return ""
    if view.winners == (people.reader,):
        return _("You won!")
    names = listed(people.name(seat) for seat in view.winners if seat != people.reader)
    if people.reader in view.winners:
        return _("You share the victory with {names}.").format(names=names)
    return ngettext("{names} has won.", "{names} have won.", len(view.winners)).format(names=names)


def sending_too(people: People) -> str:
    """The title of a sending that may be joined to the move that comes before it."""
    text = _("Also send {your_scholars} now")
    return text.format(your_scholars=people.words.your_scholars)
