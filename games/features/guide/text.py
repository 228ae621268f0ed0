"""The guide of a first game: two sentences, and behind "Why?" the rule, what to look at, and tips.

Only from what the player's own view holds. A guided game is of the Mayfair edition with bribes in
the open, so its words are used as they are.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine import BribeChoice, Scholar, Stage, View, rival_bribes
from games.engine.careers import Career
from games.engine.forced import sending_after
from games.engine.ledger import Ledger, Status
from games.engine.promises import Verdict
from games.features.guide import lessons
from games.features.guide.reckoning import reckoning
from games.features.guide.worth import area_at_stake, payments_to_come
from games.presentation.board.decision import own_cash
from games.presentation.board.turn_summary import result_in_short
from games.presentation.text.words import People, listed, money
from games.services.game.reply_time import is_request


class GuideText(NamedTuple):
    """The guide's panel: a title, what it says first, and what it says to who asks why.

    `section` is the part of the rules page where there is more.
    """

    title: str
    lead: list[str]
    why: list[str]
    hints: list[str]
    section: str


def guide(
    people: People,
    view: View,
    ledger: Ledger,
    past: Iterable[str] = (),
    news: Collection[int] = (),
    careers: Iterable[Career] = (),
) -> GuideText | None:
    """The text for the player of this view, or None for a spectator.

    `past` are the stages of their earlier decisions in order, `news` the offers of the ledger of
    which something has happened since they moved last, and `careers` those of all scholars once the
    game is over.
    """
    if view.seat is None:
        return None
    if view.stage is Stage.OVER:
        return _over(people, view, view.seat, ledger, careers)
    if view.choice is None:
        requests = [one for one in ledger if is_request(one.promise, one.by)]
        waits = any(one.status is Status.OPEN and one.other == view.seat for one in requests)
        return _request(people, view.seat, ledger) if waits else _others_play()
    text = _GUIDES[view.stage](people, view, view.seat)
    said = lessons.said(people, view, ledger, past, news)
    text.why[:0] = said.displaced
    if sending_after(view) is not None:
        text.why.append(_what_sending_is())
        text.hints.append(_where_there_is_room(people, view, view.seat))
    if len(view.unsent[view.seat]) == 2 * len(view.table.edition.occupations):
        text.why.insert(0, _where_money_comes_from())
    return text._replace(lead=said.lead)


def _others_play() -> GuideText:
    return GuideText(
        title=_("The others are playing"),
        lead=[_("You have nothing to do right now. This page shows what's happening.")],
        why=[],
        hints=[],
        section="turn",
    )


def _request(people: People, seat: int, ledger: Ledger) -> GuideText:
    return GuideText(
        title=_("Someone is asking you for a promise"),
        lead=lessons.when_requested(people, seat, ledger),
        why=[
            _(
                "Someone who's about to bribe you wants a promise in return and is waiting for "
                "your reply. A promise brings you more money now; whether you keep it is up to "
                "you, but everyone will see if you don't."
            )
        ],
        hints=[_("Accept or decline, and the game goes on.")],
        section="turn",
    )


def _uncontested(people: People, view: View, seat: int) -> GuideText:
    return GuideText(
        title=_("An uncontested bribe"),
        lead=[],
        why=[
            _(
                "None of the other scholars at this door or inside has your scholar's "
                "occupation, so your scholar is sure to be hired. The bribe can only influence "
                "which area they get. The owner takes the money and may still choose freely."
            ),
        ],
        hints=[_worth(view), _bribe_form()],
        section="uncontested",
    )


def _external(people: People, view: View, seat: int) -> GuideText:
    return GuideText(
        title=_("Rivals at the door"),
        lead=[],
        why=[
            _(
                "Several scholars of the same occupation want in, and only one of them is hired. "
                "The others go to the island for the rest of the game. Losers don't get their "
                "bribes back."
            ),
            *_rival_bribes(people, view),
        ],
        hints=[_worth(view), _bribe_form()],
        section="external",
    )


def _internal(people: People, view: View, seat: int) -> GuideText:
    if view.contenders[0].owner == seat:
        meaning = _(
            "Your scholar holds an area here, and it's wanted by others of the same occupation. "
            "You bribe first. The owner then decides freely, and whoever loses goes to the "
            "island."
        )
    else:
        meaning = _(
            "Your scholar wants an area that a scholar of the same occupation holds. The owner "
            "decides freely; whoever loses goes to the island."
        )
    return GuideText(
        title=_("A fight for an area"),
        lead=[],
        why=[meaning, *_rival_bribes(people, view)],
        hints=[_worth(view), _bribe_form()],
        section="internal",
    )


def _placement(people: People, view: View, seat: int) -> GuideText:
    return GuideText(
        title=_("You hold court: assign areas"),
        lead=[],
        why=[
            _(
                "The bribes are already yours. Everyone here must be hired; you choose who gets "
                "which area. Nothing you said before is binding."
            ),
        ],
        hints=[_who_decides_about_you(people, view, seat), _decision_form()],
        section="uncontested",
    )


def _hiring(people: People, view: View, seat: int) -> GuideText:
    return GuideText(
        title=_("You hold court: choose who to hire"),
        lead=[],
        why=[
            _(
                "The bribes are already yours. You hire one scholar of each occupation and "
                "choose their areas; the others go to the island. You don't have to choose the "
                "highest bribe."
            ),
        ],
        hints=[_who_decides_about_you(people, view, seat), _decision_form()],
        section="external",
    )


def _judgement(people: People, view: View, seat: int) -> GuideText:
    return GuideText(
        title=_("You hold court: choose the winner"),
        lead=[],
        why=[
            _(
                "The bribes are already yours. Choose the winner: the area is theirs from now on, "
                "and the others go to the island. You don't have to choose the highest bribe."
            ),
        ],
        hints=[_who_decides_about_you(people, view, seat), _decision_form()],
        section="internal",
    )


def _sending(people: People, view: View, seat: int) -> GuideText:
    return GuideText(
        title=_("Send two scholars"),
        lead=[],
        why=[_what_sending_is()],
        hints=[
            _where_there_is_room(people, view, seat),
            _("Choose two scholars and a palace for each. Both may go to the same palace."),
        ],
        section="sending",
    )


def _over(
    people: People, view: View, seat: int, ledger: Ledger, careers: Iterable[Career]
) -> GuideText:
    text = _("{result}, with {money}.")
    if seat in view.winners:
        text = _("You won your first game with {money}.")
    result = text.format(result=result_in_short(view), money=money(own_cash(view)))
    return GuideText(
        title=_("That was your first game"),
        lead=[result, *reckoning(people, view, careers), *_promises_in_all(seat, ledger)],
        why=[
            _(
                "When you play with people, promises are the heart of the game: you talk, make "
                "deals, and find out who keeps their word. Games with people take days or weeks, "
                "and the site emails you when it's your turn."
            ),
        ],
        hints=[],
        section="end",
    )


_GUIDES: Final[dict[Stage, Callable[[People, View, int], GuideText]]] = {
    Stage.UNCONTESTED_BRIBES: _uncontested,
    Stage.EXTERNAL_BRIBES: _external,
    Stage.INTERNAL_BRIBES: _internal,
    Stage.PLACEMENT: _placement,
    Stage.HIRING: _hiring,
    Stage.JUDGEMENT: _judgement,
    Stage.SENDING: _sending,
}


# What is shown at several stages.


def _promises_in_all(seat: int, ledger: Ledger) -> list[str]:
    """What became of the promises that were made to the player; nothing if none was settled."""
    verdicts = [entry.verdict for entry in ledger if entry.promise.to == seat]
    kept, broken = verdicts.count(Verdict.KEPT), verdicts.count(Verdict.BROKEN)
    if not kept + broken:
        return []
    text = _("Promises made to you: {kept} kept, {broken} broken.")
    return [text.format(kept=kept, broken=broken)]


def _where_money_comes_from() -> str:
    return _(
        "Money comes from salaries, paid at the start of your turns, and from the bribes of "
        "players who want jobs for their scholars in your palace."
    )


def _what_sending_is() -> str:
    return _(
        "At the end of your turn, two of your scholars go to other players' doors and wait there "
        "for the owner's turn. A scholar without rivals of the same occupation is sure to be "
        "hired; the others have to fight."
    )


def _bribe_form() -> str:
    return _("Enter an amount. Before anything is submitted, “Review” shows what you'd have left.")


def _decision_form() -> str:
    return _("The prefilled choices favour the highest bribes. Change anything you like.")


def _rival_bribes(people: People, view: View) -> list[str]:
    """The highest bribe of others in each conflict that the player is in."""
    own = view.choice.scholars if isinstance(view.choice, BribeChoice) else ()
    highest = {one: max(rival_bribes(view, one), default=0) for one in own}
    if not any(highest.values()):
        return [
            _("None of your rivals has paid yet. Players who bribe after you will see your bribe.")
        ]
    if len({one.occupation for one in own}) == 1:
        text = _("The highest bribe a rival has paid so far is {amount}.")
        return [text.format(amount=money(max(highest.values())))]
    text = _("The highest bribe against {scholar} so far is {amount}.")
    return [
        text.format(scholar=people.your_scholar(one), amount=money(amount))
        for one, amount in highest.items()
        if amount
    ]


def _worth(view: View) -> str:
    area, times = area_at_stake(view), payments_to_come(view)
    return ngettext(
        "An area that pays {area} will pay only once more. Keep your bribe well below that.",
        "An area that pays {area} will pay {times} more times: {total} if you can keep it. Keep "
        "your bribe well below that.",
        times,
    ).format(area=money(area), times=times, total=money(area * times))


def _who_decides_about_you(people: People, view: View, seat: int) -> str:
    """The owners at whose palaces the player's scholars wait or work."""

    def is_there(scholars: tuple[Scholar | None, ...]) -> bool:
        return any(scholar is not None and scholar.owner == seat for scholar in scholars)

    owners = [
        people.name(owner)
        for owner, (waiting, row) in enumerate(zip(view.applicants, view.palaces, strict=True))
        if owner != seat and (is_there(waiting) or is_there(row))
    ]
    if not owners:
        return _("A high salary makes a player rich. Think about who your rivals are.")
    return _(
        "Players with your scholars at their doors or in their palaces: {owners}. If you treat "
        "them well, they'll have a reason to treat you well."
    ).format(owners=listed(owners))


def _where_there_is_room(people: People, view: View, seat: int) -> str:
    """The palace of another player at which most areas will still be open."""

    def room(owner: int) -> int:
        held = {scholar.occupation for scholar in view.palaces[owner] if scholar is not None}
        wanted = {scholar.occupation for scholar in view.applicants[owner]}
        return len(view.table.edition.areas) - len(held | wanted)

    best = max(view.table.clockwise_from_left_of(seat), key=room)
    return ngettext(
        "{name}'s palace has the most room right now: {count} occupation isn't represented there "
        "yet, inside or at the door. The earlier you hold an area, the more often it pays.",
        "{name}'s palace has the most room right now: {count} occupations aren't represented "
        "there yet, inside or at the door. The earlier you hold an area, the more often it pays.",
        room(best),
    ).format(name=people.name(best), count=room(best))
