"""The default move: what is played for a player who lets a deadline pass (ruling 8)."""

from games.engine.choices import BribeChoice, Choice, JudgeChoice, SendChoice
from games.engine.moves import Bribe, Judge, Place, Played, Send
from games.engine.state import Payment, Scholar


def default_for(
    choice: Choice, contenders: tuple[Scholar, ...], paid: tuple[Payment, ...]
) -> Played:
    """The default move (ruling 8) for a choice, given the public bribes of the conflict.

    `contenders` are in bribing order, which breaks ties.
    """
    if isinstance(choice, BribeChoice):
        return Bribe(tuple((scholar, choice.minimum) for scholar in choice.scholars))
    if isinstance(choice, SendChoice):
        targets = choice.palaces[: choice.count]
        return Send(tuple(zip(choice.scholars, targets, strict=False)))
    amounts = {payment.scholar: payment.amount for payment in paid}
    ranked = sorted(contenders, key=lambda scholar: -amounts[scholar])
    if isinstance(choice, JudgeChoice):
        return Judge(next(scholar for scholar in ranked if scholar in choice.winners))
    winners = {scholar.occupation: scholar for scholar in reversed(ranked)}.values()
    hired = [scholar for scholar in ranked if scholar in winners]
    best_first = sorted(choice.open_areas, reverse=True)
    return Place(tuple(zip(hired, best_first, strict=False)))
