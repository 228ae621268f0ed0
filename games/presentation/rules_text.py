"""The rules of an edition in words, with its options applied: what the pages of the rules show.

One text serves all editions: numbers, occupations and nouns come from the edition, and where
editions differ, the sentence that is true for this one is told.
"""

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.editions import Edition
from games.presentation.words import edition_words, money


class Section(NamedTuple):
    """A part of the rules: its anchor, its title, and its paragraphs; a list where `steps`.

    The anchor is also the name of the part's example.
    """

    anchor: str
    title: str
    paragraphs: list[str]
    steps: list[str]


class _Teller:
    """Tells sentences about one edition: `{scholars}` and the like are filled in."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.nouns = edition_words(edition)._asdict()

    def tell(self, sentence: str, **more: object) -> str:
        return sentence.format(**self.nouns, **more)


def rules_told(edition: Edition) -> list[Section]:
    """The rules of this edition, in the order in which one needs them."""
    teller = _Teller(edition)
    return [
        _aim(teller),
        _turn(teller),
        _salary(teller),
        _door(teller),
        _uncontested(teller),
        _external(teller),
        _internal(teller),
        _bribes(teller),
        _broke(teller),
        _sending(teller),
        _end(teller),
        _secrets(teller),
        _default(teller),
    ]


def _aim(teller: _Teller) -> Section:
    goal = teller.tell(
        _(
            "Every player owns a {palace} and decides who may work there. Your {scholars} want "
            "to work for the others, because that pays salaries; theirs want to work for you, and "
            "pay you bribes for it. You may promise anything and keep none of it. The most money "
            "wins."
        )
    )
    return Section("aim", _("What it is about"), [goal], [])


def _turn(teller: _Teller) -> Section:
    begins = _(
        "Seats and the first player are drawn. The turns go clockwise, so “left” is the next seat. "
        "Whoever has the turn is the owner, and holds court:"
    )
    steps = [
        _("The bank pays the owner's salaries."),
        teller.tell(
            _(
                "The owner deals with the {scholars} at the door: first those without a rival, "
                "then external conflicts, then internal conflicts."
            )
        ),
        teller.tell(_("The owner sends two {scholars} to the doors of others.")),
    ]
    return Section("turn", _("A turn"), [begins], steps)


def _salary(teller: _Teller) -> Section:
    paid = teller.tell(
        _(
            "At the beginning of your turn the bank pays you for every {scholar} of yours that "
            "works in another {palace}: the salary of its {area}. In the first round nobody works "
            "yet."
        )
    )
    return Section("salary", _("Salaries"), [paid], [])


def _door(teller: _Teller) -> Section:
    depends = teller.tell(
        _(
            "In one {palace} only one {scholar} of each occupation can work, and {the_area} that "
            "an occupation once has stays with it to the end. So the occupation decides what "
            "happens to those who wait at the door:"
        )
    )
    steps = [
        _("uncontested: alone of its occupation at the door, and nobody of it works inside;"),
        _("external conflict: several of one occupation at the door, and nobody of it inside;"),
        _("internal conflict: one or more at the door, and one of the same occupation inside."),
    ]
    return Section("door", _("At the door"), [depends], steps)


def _uncontested(teller: _Teller) -> Section:
    hired = teller.tell(
        _(
            "Each player concerned pays a bribe for each such {scholar}. Then the owner gives all "
            "of them open {areas}, one each. Nobody can be sent away: the bribe is only about "
            "which one it will be."
        )
    )
    return Section("uncontested", _("Without a rival"), [hired], [])


def _external(teller: _Teller) -> Section:
    hired = teller.tell(
        _(
            "There is one round of bribes for all external conflicts. Then the owner hires one of "
            "each occupation, whom they like, and gives each an open {area}. The others are "
            "banished to the island and take no more part in the game."
        )
    )
    return Section("external", _("External conflicts"), [hired], [])


def _internal(teller: _Teller) -> Section:
    edition = teller.edition
    fight = teller.tell(
        _(
            "All of the occupation at the door together attack the resident, who holds "
            "{the_area}. Bribes are paid for all of them. The owner names one winner, who holds "
            "{the_area} from now on; all others are banished."
        )
    )
    passing = {
        "required": _("For the resident, too, the minimum must be paid."),
        "optional": _("For the resident 0 may be paid: that is to pass, and it may still win."),
    }
    winning = {
        "any": _("The owner may choose anyone, whatever was paid."),
        "highest": _(
            "The owner may choose the resident, or the attacker for whom the most was paid; of "
            "equally high attackers any."
        ),
    }
    order = {
        "ascending": _(
            "Several internal conflicts are settled one after the other, the lowest salary first."
        ),
        "descending": _(
            "Several internal conflicts are settled one after the other, the highest salary first."
        ),
    }
    paragraphs = [
        fight,
        f"{passing[edition.defender_bribe]} {winning[edition.attackers]}",
        order[edition.internal_order],
    ]
    return Section("internal", _("Internal conflicts"), paragraphs, [])


def _bribes(teller: _Teller) -> Section:
    edition = teller.edition
    ways = {
        "sequential": _(
            "Bribes are paid one after the other, clockwise from the owner's left; in an internal "
            "conflict the resident's player comes first. Everybody sees them, and nobody may raise "
            "a bribe afterwards."
        ),
        "simultaneous": _(
            "Bribes are sealed: all hand in theirs at the same time and see nobody else's. When "
            "the last one is in, all are opened and paid."
        ),
    }
    lost = {
        False: _("A bribe belongs to the owner at once, and whoever loses does not get it back."),
        True: _(
            "A bribe belongs to the owner at once. When the conflict is decided, all who were "
            "banished get theirs back, the beaten resident too; what the bank had paid goes back "
            "to the bank."
        ),
    }
    several = teller.tell(
        _(
            "Whoever has several {scholars} in it bribes for all of them at once, and names the "
            "order in which they are paid."
        )
    )
    paragraphs = [
        ways[edition.bribing],
        f"{_least_bribe(teller)} {several}",
        lost[edition.refund_losers],
    ]
    return Section("bribes", _("Bribes"), paragraphs, [])


def _least_bribe(teller: _Teller) -> str:
    edition = teller.edition
    if edition.uncontested_min_bribe == edition.unit:
        return _("A bribe is at least {unit}, a multiple of it, and at most what you hold.").format(
            unit=money(edition.unit)
        )
    return _(
        "A bribe is at least {unit}, a multiple of it, and at most what you hold; without a rival "
        "it is at least {least}."
    ).format(unit=money(edition.unit), least=money(edition.uncontested_min_bribe))


def _broke(teller: _Teller) -> Section:
    ways = {
        "bank": _(
            "Whoever holds less than the minimum bribes exactly the minimum: first with the money "
            "that is there, and the bank pays the rest."
        ),
        "debt": _(
            "Whoever holds less than the minimum bribes exactly the minimum and owes what is "
            "missing. The next money pays the debt."
        ),
    }
    return Section("broke", _("Who cannot pay"), [ways[teller.edition.broke]], [])


def _sending(teller: _Teller) -> Section:
    where = (
        teller.tell(_("The two must go to two different {palaces}."))
        if teller.edition.distinct_palaces
        else teller.tell(_("Both may go to the same {palace}."))
    )
    sent = teller.tell(
        _(
            "At the end of your turn you send two of your {scholars} who are still at home to the "
            "doors of other players, where they wait for the owner's next turn."
        )
    )
    never = teller.tell(
        _("With one {scholar} left you send one. In the last round nobody is sent.")
    )
    return Section("sending", _("Sending"), [f"{sent} {where} {never}"], [])


def _end(teller: _Teller) -> Section:
    rounds = teller.edition.rounds
    end = ngettext(
        "After {rounds} round everybody is paid all salaries once more. The most money wins; who "
        "has the same shares the victory.",
        "After {rounds} rounds everybody is paid all salaries once more. The most money wins; who "
        "has the same shares the victory.",
        rounds,
    ).format(rounds=rounds)
    return Section("end", _("The end"), [end], [])


def _secrets(teller: _Teller) -> Section:
    talk = _(
        "Players talk at the table, and everybody reads it. Promises are part of the game and bind "
        "nobody."
    )
    secret = _(
        "What you hold is secret until the end. Bribes and salaries are public, so whoever keeps "
        "count can know it all the same."
    )
    return Section("talk", _("Talk and secrets"), [talk, secret], [])


def _default(teller: _Teller) -> Section:
    played = teller.tell(
        _(
            "When a deadline passes, the default is played: for every bribe the minimum; the "
            "highest bribes win, and the highest gets the best {area}; of equal ones whoever paid "
            "first, so a resident loses only to more; the first {scholars} in the order of the "
            "cards go to the next players on the left."
        )
    )
    return Section("default", _("The default move"), [played], [])
