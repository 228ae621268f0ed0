"""The rules of an edition in words, with its options applied: what the pages of the rules show.

One text serves all editions: numbers, occupations and nouns come from the edition, and where
editions differ, the sentence that is true for this one is chosen.
"""

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.editions import Edition
from games.presentation.text.words import edition_words, money


class Section(NamedTuple):
    """A part of the rules: its anchor, its title, and its paragraphs; a list where `steps`.

    The anchor is also the name of the part's example.
    """

    anchor: str
    title: str
    paragraphs: list[str]
    steps: list[str]


class _Wording:
    """Fills `{scholars}` and the like into sentences about one edition."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.nouns = edition_words(edition)._asdict()

    def fill(self, sentence: str, **more: object) -> str:
        return sentence.format(**self.nouns, **more)


def rules_text(edition: Edition) -> list[Section]:
    """The rules of this edition, in the order in which one needs them."""
    wording = _Wording(edition)
    return [
        _aim(wording),
        _turn(wording),
        _salary(wording),
        _door(wording),
        _uncontested(wording),
        _external(wording),
        _internal(wording),
        _bribes(wording),
        _broke(wording),
        _sending(wording),
        _end(wording),
        _secrets(wording),
        _default(wording),
    ]


def _aim(wording: _Wording) -> Section:
    if wording.edition.promises == "binding":
        goal = _(
            "Each player owns a {palace} and decides who may work there. Your {scholars} want to "
            "work for the others, where they earn you salaries; theirs want to work for you, and "
            "their owners bribe you to hire them. Most promises can be broken. The player with "
            "the most money wins."
        )
    else:
        goal = _(
            "Each player owns a {palace} and decides who may work there. Your {scholars} want to "
            "work for the others, where they earn you salaries; theirs want to work for you, and "
            "their owners bribe you to hire them. You can promise anything and keep none of it. "
            "The player with the most money wins."
        )
    return Section("aim", _("What the game is about"), [wording.fill(goal)], [])


def _turn(wording: _Wording) -> Section:
    begins = _(
        "Seats and the first player are drawn at random. Play goes clockwise, so “left” means the "
        "next seat. The player whose turn it is, called the owner, holds court:"
    )
    steps = [
        _("The owner collects salaries from the bank."),
        wording.fill(
            _(
                "The owner deals with the {scholars} at the door: first those without a rival, "
                "then external conflicts, then internal conflicts."
            )
        ),
        wording.fill(_("The owner sends two {scholars} to other players' doors.")),
    ]
    return Section("turn", _("A turn"), [begins], steps)


def _salary(wording: _Wording) -> Section:
    paid = wording.fill(
        _(
            "At the start of your turn, the bank pays you for every {scholar} you have working "
            "in another {palace}: the salary of its {area}. In the first round, none of yours "
            "are working yet."
        )
    )
    return Section("salary", _("Salaries"), [paid], [])


def _door(wording: _Wording) -> Section:
    depends = wording.fill(
        _(
            "Only one {scholar} of each occupation can work in a {palace}, and {the_area} given "
            "to an occupation stays with it to the end. So the occupation decides what happens "
            "to those waiting at the door:"
        )
    )
    steps = [
        _(
            "uncontested: the only one of its occupation at the door, with nobody of that "
            "occupation working inside;"
        ),
        _(
            "external conflict: several of the same occupation at the door, with nobody of "
            "that occupation inside;"
        ),
        _(
            "internal conflict: one or more at the door, with one of the same occupation "
            "already inside."
        ),
    ]
    return Section("door", _("At the door"), [depends], steps)


def _uncontested(wording: _Wording) -> Section:
    hired = wording.fill(
        _(
            "For each uncontested {scholar}, the player who sent it pays a bribe. Then the owner "
            "gives every such {scholar} one of the open {areas}. Nobody can be sent away: the "
            "bribe only influences who gets which one."
        )
    )
    return Section("uncontested", _("Without a rival"), [hired], [])


def _external(wording: _Wording) -> Section:
    hired = wording.fill(
        _(
            "There is one round of bribes for all external conflicts together. Then the owner "
            "freely chooses one of each occupation to hire and gives each an open {area}. The "
            "others are banished to the island and take no further part in the game."
        )
    )
    return Section("external", _("External conflicts"), [hired], [])


def _internal(wording: _Wording) -> Section:
    edition = wording.edition
    fight = wording.fill(
        _(
            "All applicants of that occupation jointly attack the resident, who holds "
            "{the_area}. Bribes are paid for everyone involved. The owner names one winner, who "
            "holds {the_area} from then on; all others are banished."
        )
    )
    passing = {
        "required": _("The resident's player also has to pay at least the minimum."),
        "optional": _("The resident's player may pay 0 to pass, and the resident may still win."),
    }
    winning = {
        "any": _("The owner may choose anyone, whatever was paid."),
        "highest": _(
            "The owner may choose the resident or the attacker with the highest bribe; if "
            "several attackers tie for it, any of them may be chosen."
        ),
    }
    order = {
        "ascending": _(
            "If there are several internal conflicts, they're settled one after another, "
            "lowest salary first."
        ),
        "descending": _(
            "If there are several internal conflicts, they're settled one after another, "
            "highest salary first."
        ),
    }
    paragraphs = [
        fight,
        f"{passing[edition.defender_bribe]} {winning[edition.attackers]}",
        order[edition.internal_order],
    ]
    return Section("internal", _("Internal conflicts"), paragraphs, [])


def _bribes(wording: _Wording) -> Section:
    edition = wording.edition
    ways = {
        "sequential": _(
            "Bribes are paid one after another, clockwise from the owner's left; in an internal "
            "conflict, the resident's player goes first. Everyone sees them, and nobody may raise"
            " a bribe afterwards."
        ),
        "simultaneous": _(
            "Bribes are sealed: everyone submits theirs at the same time without seeing the "
            "others. Once the last one is in, all are revealed and paid."
        ),
    }
    lost = {
        False: _("A bribe goes to the owner immediately, and the losers don't get theirs back."),
        True: _(
            "A bribe goes to the owner immediately. Once the conflict is decided, the bribes for "
            "all who were banished are refunded, including a defeated resident's; whatever the "
            "bank paid goes back to the bank."
        ),
    }
    several = wording.fill(
        _(
            "Players with several {scholars} involved pay for all of them at once and choose the "
            "order in which the bribes are paid."
        )
    )
    paragraphs = [
        ways[edition.bribing],
        f"{_minimum_bribe(wording)} {several}",
        lost[edition.refund_losers],
    ]
    return Section("bribes", _("Bribes"), paragraphs, [])


def _minimum_bribe(wording: _Wording) -> str:
    unit, least = (
        money(wording.edition.minimum_bribe(1, uncontested=alone)) for alone in (False, True)
    )
    if least == unit:
        return _(
            "A bribe must be at least {unit}, a multiple of that amount, and no more than you have."
        ).format(unit=unit)
    return _(
        "A bribe must be at least {unit}, a multiple of that amount, and no more than you have; "
        "without a rival, it must be at least {least}."
    ).format(unit=unit, least=least)


def _broke(wording: _Wording) -> Section:
    ways = {
        "bank": _(
            "For a player who has less than the minimum, a bribe is exactly the minimum: they "
            "pay all the money they have, and the bank pays the rest."
        ),
        "debt": _(
            "A player who has less than the minimum pays exactly the minimum and owes the "
            "difference. The next money they get pays off the debt."
        ),
    }
    return Section("broke", _("If you can't pay"), [ways[wording.edition.broke]], [])


def _sending(wording: _Wording) -> Section:
    where = (
        wording.fill(_("The two must go to different {palaces}."))
        if wording.edition.distinct_palaces
        else wording.fill(_("Both may go to the same {palace}."))
    )
    sent = wording.fill(
        _(
            "At the end of your turn, you send two of your {scholars} who are still at home to "
            "the doors of other players, where they wait for the owner's next turn."
        )
    )
    never = wording.fill(
        _("If you have only one {scholar} left, you send one. In the last round, nobody is sent.")
    )
    return Section("sending", _("Sending"), [f"{sent} {where} {never}"], [])


def _end(wording: _Wording) -> Section:
    rounds = wording.edition.rounds
    end = ngettext(
        "After {rounds} round, everyone is paid all their salaries once more. The player with "
        "the most money wins; players who tie share the victory.",
        "After {rounds} rounds, everyone is paid all their salaries once more. The player with "
        "the most money wins; players who tie share the victory.",
        rounds,
    ).format(rounds=rounds)
    return Section("end", _("End of the game"), [end], [])


def _secrets(wording: _Wording) -> Section:
    talk = _(
        "Players talk in the table chat, which everyone can read. Promises are part of the game, "
        "but they aren't binding."
    )
    if wording.edition.promises == "binding":
        talk = _(
            "Players talk in the table chat, which everyone can read. An owner's promises for the "
            "current turn are binding once accepted; all other promises can be broken."
        )
    secret = _(
        "How much money you have is secret until the end. But bribes and salaries are public, so "
        "anyone who keeps count can work it out."
    )
    return Section("talk", _("Chat and secrets"), [talk, secret], [])


def _default(wording: _Wording) -> Section:
    played = wording.fill(
        _(
            "When a deadline passes, the default move is played: every bribe is the minimum; the "
            "highest bribes win, and the highest gets the best {area}; ties go to whoever paid "
            "first, so a resident loses only to a higher bribe; the first {scholars} in card "
            "order go to the next players on the left."
        )
    )
    return Section("default", _("The default move"), [played], [])
