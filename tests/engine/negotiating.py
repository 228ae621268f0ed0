"""Games in which players negotiate: offers and replies in the words of the game record."""

from typing import Any

from games.engine import Step
from games.engine.ledger import Ledger, Status, follow, offer, reply
from games.engine.promise_codec import Offered, decode_promise_entry, encode_promise
from tests.engine.cases import Game, at
from tests.engine.presets import PRESETS

FOUR = "red yellow green blue"


class Negotiated(Game):
    """A game with a ledger. Scholars are named without their edition: "yellow-0-1" is of the first
    occupation; areas are given by their place from the lowest salary, money in units.
    """

    def __init__(self, beginning: Step) -> None:
        super().__init__(beginning)
        self.ledger: Ledger = ()
        edition = beginning.state.table.edition
        self.occupations = edition.occupations
        self.areas = sorted(edition.areas)
        self.unit = edition.unit

    def name(self, scholar: str) -> str:
        owner, occupation, number = scholar.split("-")
        return f"{owner}-{self.occupations[int(occupation)]}-{number}"

    def play(self, move: dict[str, Any]) -> None:
        before, seen = self.state, len(self.events)
        super().play(move)
        self.ledger = follow(self.ledger, before, self.events[seen:])

    def pays(self, scholar: str, units: int) -> None:
        self.bribe({self.name(scholar): units * self.unit})

    def places(self, **areas: int) -> None:
        """Each scholar, as in yellow_0_1, gets the area of this place."""
        self.place(
            {self.name(one.replace("_", "-")): self.areas[area] for one, area in areas.items()}
        )

    def judges(self, winner: str) -> None:
        self.judge(self.name(winner))

    def sends(self, **palaces: str) -> None:
        self.send({self.name(one.replace("_", "-")): to for one, to in palaces.items()})

    def offers(self, player: str, to: str, **terms: Any) -> int:
        """Offer; the number of the offer. What is called `returns` is the condition, as terms."""
        offered = {"after": 0, "player": player, "type": "offer", "to": to, **self.in_full(terms)}
        read = decode_promise_entry(self.state.table, offered)
        assert isinstance(read, Offered)
        back = encode_promise(self.state.table, read.by, read.promise)
        assert back == {key: offered[key] for key in offered.keys() - {"after", "player", "type"}}
        self.ledger = offer(self.ledger, self.state, read.by, read.promise)
        return len(self.ledger)

    def in_full(self, terms: dict[str, Any]) -> dict[str, Any]:
        full = {}
        for key, term in terms.items():
            match key:
                case "scholar" | "bribe":
                    full[key] = self.name(term)
                case "occupation":
                    full[key] = self.occupations[term]
                case "area":
                    full[key] = self.areas[term]
                case "least" | "most":
                    full[key] = term * self.unit
                case "returns":
                    full["if"] = self.in_full(term)
                case _:
                    full[key] = term
        return full

    def says(self, player: str, given: str, number: int = 1) -> None:
        self.ledger = reply(self.ledger, self.seat(player), number, Status(given))

    def owes(self, player: str, to: str, **terms: Any) -> None:
        """An offer that is accepted at once."""
        self.says(to, "accepted", self.offers(player, to, **terms))

    @property
    def verdicts(self) -> list[str]:
        """The verdict of each accepted offer, how each other offer stands."""
        return [
            (entry.verdict if entry.status is Status.ACCEPTED else entry.status).value
            for entry in self.ledger
        ]

    def pass_until(self, round_: int, active: str, stage: str = "") -> None:
        """Play defaults until it is that player's turn in that round, and that stage."""
        while self.stage != "over":
            text = self.text
            if (text["round"], text["active"]) == (round_, active) and stage in ("", self.stage):
                return
            self.let_pass(self.waiting[0])

    def finish(self) -> None:
        self.pass_until(99, "")


def negotiated_at(
    edition: str, options: dict[str, Any] | None = None, **position: Any
) -> Negotiated:
    """A game of four, in red's turn. Scholars are named as in `Negotiated`, areas by place."""
    occupations = PRESETS[edition]["occupations"]
    areas = sorted(PRESETS[edition]["areas"])

    def name(scholar: str) -> str:
        owner, occupation, number = scholar.split("-")
        return f"{owner}-{occupations[int(occupation)]}-{number}"

    palaces = {
        owner: {areas[place]: name(one) for place, one in row.items()}
        for owner, row in position.pop("palaces", {}).items()
    }
    applicants = {
        owner: [name(one) for one in row] for owner, row in position.pop("applicants", {}).items()
    }
    players = position.pop("players", FOUR)
    made = at(
        edition,
        players,
        options,
        kind=Negotiated,
        palaces=palaces,
        applicants=applicants,
        active="red",
        **{"round": 2, **position},
    )
    assert isinstance(made, Negotiated)
    return made


CONTEST = {"applicants": {"red": ["yellow-0-1", "green-0-1"]}}
ALONE = {"applicants": {"red": ["yellow-0-1"]}}
AT_BLUE = {"applicants": {"blue": ["yellow-3-1"]}}
"""Somebody is to move even in the last round."""

ATTACK = {"palaces": {"red": {1: "yellow-0-1"}}, "applicants": {"red": ["green-0-1"]}}


def contested(edition, **more):
    return negotiated_at(edition, **CONTEST, **more)


def both_pay(game, yellow, green):
    game.pays("yellow-0-1", yellow)
    game.pays("green-0-1", green)
