"""What the engine refuses, in the reader's language."""

from typing import assert_never

from django.utils.translation import gettext as _

from games.engine import BribeChoice, IllegalMove
from games.engine.choices import Choice
from games.engine.errors import BadOrder, BadPromise, OrderCode, PromiseCode
from games.engine.ledger import MOST_OFFERS_IN_A_TURN, MOST_OPEN_OFFERS
from games.presentation.text.words import People, Phrase, money


def move_refused(people: People, choice: Choice | None, reason: IllegalMove) -> str:
    """Why a move for this choice is refused, and what would be right."""
    words = people.words
    match reason.code:
        case "amount" if isinstance(choice, BribeChoice):
            return _wrong_amount(people, choice, reason)
        case "cash" if isinstance(choice, BribeChoice):
            return _too_much(people, choice, reason)
        case "scholars":
            return _("Please choose {scholars} you can send, each only once.").format(
                scholars=words.scholars
            )
        case "area":
            return _("Please choose different {areas}.").format(areas=words.areas)
        case "palace":
            return _wrong_palaces(people)
        case "over" | "type" | "turn" | "contenders" | "amount" | "cash" | "promise":
            return _refused_whatever_was_entered(reason)
        case _:
            assert_never(reason.code)


def _refused_whatever_was_entered(reason: IllegalMove) -> str:
    if reason.code == "promise":
        return _("This would break a binding promise, and that isn't allowed at this table.")
    return _("This move doesn't match the decision you have to make now. Please reload the page.")


def _wrong_palaces(people: People) -> str:
    if people.table.edition.distinct_palaces:
        text = _("Please choose different {palaces}.")
    else:
        text = _("Please choose other players' {palaces}.")
    return text.format(palaces=people.words.palaces)


def _wrong_amount(people: People, choice: BribeChoice, reason: IllegalMove) -> str:
    if reason.scholar in choice.may_pass:
        rule = _(
            "The bribe for {scholar} must be a multiple of {unit} and at least "
            "{minimum}, or 0 to pass."
        )
    else:
        rule = _("The bribe for {scholar} must be a multiple of {unit} and at least {minimum}.")
    return rule.format(
        scholar=_whom(people, choice, reason),
        unit=money(choice.unit),
        minimum=money(choice.minimum),
    )


def _too_much(people: People, choice: BribeChoice, reason: IllegalMove) -> str:
    highest = choice.highest(reason.cash)
    exactly = highest == choice.minimum
    if reason.scholar in choice.may_pass:
        rule = (
            _(
                "You have {cash} left for {scholar}: the bribe must be exactly {highest}, "
                "or 0 to pass."
            )
            if exactly
            else _(
                "You have {cash} left for {scholar}: the bribe can be at most {highest}, "
                "or 0 to pass."
            )
        )
    else:
        rule = (
            _("You have {cash} left for {scholar}: the bribe must be exactly {highest}.")
            if exactly
            else _("You have {cash} left for {scholar}: the bribe can be at most {highest}.")
        )
    return rule.format(
        cash=money(reason.cash), scholar=_whom(people, choice, reason), highest=money(highest)
    )


def _whom(people: People, choice: BribeChoice, reason: IllegalMove) -> Phrase:
    """The scholar whose bribe is refused; the engine names it with each of these refusals."""
    scholar = reason.scholar or choice.scholars[0]
    return people._replace(among=choice.scholars).scholar(scholar)


def order_refused(people: People, reason: BadOrder) -> str:
    """Why a standing order cannot be set, and what would be right."""
    words = people.words
    text: dict[OrderCode, str] = {
        "format": _("This order isn't possible. Please reload the page."),
        "decision": _("You have no more decisions to make."),
        "sending": _("You have nobody left to send."),
        "scholars": _("Please choose {scholars} you can send, each only once."),
        "palace": _wrong_palaces(people),
        "scholar": _(
            "You can set a bribe in advance only for those of {your_scholars} who are waiting at "
            "a door or already earning a salary, and only if that bribe hasn't been paid yet."
        ),
        "pass": _(
            "You can pass only for a resident, and only if the rules of this table allow it."
        ),
        "sealed": _("Bribes are sealed here: enter an amount or choose the minimum."),
        "first": _(
            "There are no rival bribes before yours: enter an amount or choose the minimum."
        ),
        "amount": _("The bribe must be a multiple of {unit} and at least {least}."),
        "more": _(
            "The amount above the highest bribe must be a multiple of {unit} and at least {least}."
        ),
        "limit": _("The limit must be a multiple of {unit} and at least {least}."),
    }
    return text[reason.code].format(
        scholars=words.scholars,
        your_scholars=words.your_scholars,
        unit=money(reason.unit),
        least=money(reason.least),
    )


def promise_refused(people: People, round_number: int, reason: BadPromise) -> str:
    """Why an offer, or a reply to one, makes no sense in this round, and what would."""
    edition = people.table.edition
    chosen_badly = _("That promise can't be made. Please choose the players and {scholars} again.")
    text: dict[PromiseCode, str] = {
        "over": _("The game is over: no more promises can be made."),
        "only": _("This promise would be pointless: the only applicant can't be turned away."),
        "area": _("That salary is no longer available. Please choose another one."),
        "late": _("It's too late for that promise: it can't be kept any more."),
        "elsewhere": _(
            "That's only possible for {scholars} who are waiting at the door of that palace or "
            "can still be sent there."
        ),
        "no-area": _("That's only possible for {scholars} who have a job at that palace."),
        "amount": _("The amount must be a multiple of {unit} and at least {unit}."),
        "until": _("Please choose a round from {first} to {last}."),
        "closed": _("This offer is no longer open."),
        "binding": _(
            "You can't accept this: together with the other binding promises, it would leave no "
            "legal move."
        ),
        "many": _(
            "You can have at most {most} open offers at a time, and make at most {in_a_turn} "
            "offers in a turn."
        ),
        "player": chosen_badly,
        "form": chosen_badly,
        "bribe": chosen_badly,
        "scholar": chosen_badly,
    }
    return text[reason.code].format(
        unit=money(edition.unit),
        first=round_number,
        last=edition.rounds,
        most=MOST_OPEN_OFFERS,
        in_a_turn=MOST_OFFERS_IN_A_TURN,
        scholars=people.words.scholars,
    )
