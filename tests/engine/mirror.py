"""The rules a second time: slow, on plain names, sharing no line with games.engine.

Written from rules.md and record-format.md alone, so that two readings of them can be compared.
"""

from typing import Any

from tests.engine.presets import PRESETS

TYPE_OF_STAGE = {
    "uncontested-bribes": "bribe",
    "external-bribes": "bribe",
    "internal-bribes": "bribe",
    "placement": "place",
    "hiring": "place",
    "judgement": "judge",
    "sending": "send",
}


def owner_of(scholar: str) -> str:
    return scholar.partition("-")[0]


def occupation_of(scholar: str) -> str:
    return scholar.split("-")[1]


class Refused(Exception):
    """A move that is not legal, with its code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Mirror:
    """A game in the words of its record."""

    def __init__(self, record: dict[str, Any]) -> None:
        preset = PRESETS[record["edition"]]
        self.rules = {
            "bribing": "sequential",
            "refund_losers": False,
            "uncontested_min_bribe": preset["unit"],
            **preset,
            **record["options"],
        }
        self.players: list[str] = record["players"]
        self.first = record["first"]
        position = record.get("position", {})
        self.round = position.get("round", 1)
        self.active: str | None = position.get("active", self.first)
        self.cash = {p: position.get("cash", {}).get(p, preset["start"]) for p in self.players}
        self.palaces: dict[str, dict[int, str | None]] = {
            p: {
                area: position.get("palaces", {}).get(p, {}).get(str(area))
                for area in preset["areas"]
            }
            for p in self.players
        }
        self.applicants = {p: [*position.get("applicants", {}).get(p, [])] for p in self.players}
        self.island = [*position.get("island", [])]
        self.unsent = {p: self._beside(p) for p in self.players}
        self.bribes: dict[str, tuple[int, int]] = {}
        self.submitted: dict[str, list[tuple[str, int]]] = {}
        self.conflict: list[str] = []
        self.area: int | None = None
        self.stage = ""
        self._salary(self.active)
        self._continue()

    def _beside(self, player: str) -> list[str]:
        out = {s for row in self.palaces.values() for s in row.values()} | {*self.island}
        out |= {s for row in self.applicants.values() for s in row}
        every = [
            f"{player}-{occupation}-{number}"
            for occupation in self.rules["occupations"]
            for number in (1, 2)
        ]
        return [scholar for scholar in every if scholar not in out]

    # What happens by itself

    def _salary(self, player: str | None) -> None:
        for palace in self.palaces.values():
            for area, scholar in palace.items():
                if scholar and owner_of(scholar) == player:
                    self.cash[player] += area

    def _continue(self) -> None:
        """Open the next stage of this turn, or of the next turns until somebody is to move."""
        while True:
            if self._open_conflict():
                return
            if self.round < self.rules["rounds"] and self.unsent[self.active]:
                self.stage = "sending"
                return
            if not self._next_turn():
                return

    def _next_turn(self) -> bool:
        left = self._clockwise(self.active)[0]
        if left == self.first:
            if self.round == self.rules["rounds"]:
                for player in self.players:
                    self._salary(player)
                self.active, self.stage = None, "over"
                return False
            self.round += 1
        self.active = left
        self._salary(left)
        return True

    def _clockwise(self, player: str | None) -> list[str]:
        at = self.players.index(player)
        return self.players[at + 1 :] + self.players[:at]

    def _open_conflict(self) -> bool:
        """Classify who waits at the active player's door."""
        self.bribes, self.submitted, self.area = {}, {}, None
        waiting = self.applicants[self.active]
        bound = {occupation_of(s): area for area, s in self.palaces[self.active].items() if s}
        free = [s for s in waiting if occupation_of(s) not in bound]
        rivals = {o: [s for s in free if occupation_of(s) == o] for o in self.rules["occupations"]}
        uncontested = [s for s in free if len(rivals[occupation_of(s)]) == 1]
        external = [s for s in free if len(rivals[occupation_of(s)]) > 1]
        if uncontested:
            self.stage, self.conflict = "uncontested-bribes", self._by_seat(uncontested)
        elif external:
            self.stage, self.conflict = "external-bribes", self._by_seat(external)
        elif waiting:
            attacked = sorted({bound[occupation_of(s)] for s in waiting})
            self.area = attacked[-1 if self.rules["internal_order"] == "descending" else 0]
            self._open_internal(waiting)
        return bool(waiting)

    def _open_internal(self, waiting: list[str]) -> None:
        defender = self.palaces[self.active][self.area]
        attackers = [s for s in waiting if occupation_of(s) == occupation_of(defender)]
        order = self._by_seat(attackers)
        own = [s for s in order if owner_of(s) == owner_of(defender)]
        self.conflict = [defender, *own, *(s for s in order if s not in own)]
        self.stage = "internal-bribes"

    def _by_seat(self, scholars: list[str]) -> list[str]:
        cards = list(self.rules["occupations"])
        return [
            scholar
            for player in self._clockwise(self.active)
            for scholar in sorted(
                (s for s in scholars if owner_of(s) == player),
                key=lambda s: (cards.index(occupation_of(s)), s),
            )
        ]

    # Moves

    def waiting(self) -> list[str]:
        if self.stage == "over":
            return []
        if not self.stage.endswith("-bribes"):
            return [self.active]
        expected = [
            p for p in dict.fromkeys(map(owner_of, self.conflict)) if p not in self.submitted
        ]
        return expected[:1] if self.rules["bribing"] == "sequential" else expected

    def play(self, move: Any) -> None:
        """Play a move of the record, or raise `Refused` and change nothing."""
        player, given = self._read(move)
        if given is None:
            given = self.default(player)
        kind = TYPE_OF_STAGE[self.stage]
        getattr(self, f"_check_{kind}")(player, given)
        getattr(self, f"_play_{kind}")(player, given)

    def refusal(self, move: Any) -> str | None:
        """The code with which a move is refused, None for a legal one. Changes nothing."""
        try:
            player, given = self._read(move)
            if given is not None:
                getattr(self, f"_check_{TYPE_OF_STAGE[self.stage]}")(player, given)
        except Refused as reason:
            return reason.code
        return None

    def _read(self, move: Any) -> tuple[str, Any]:
        if self.stage == "over":
            raise Refused("over")
        expected = TYPE_OF_STAGE[self.stage]
        parts = {"bribe": "bribes", "place": "placements", "judge": "winner", "send": "scholars"}
        if type(move) is not dict or move.get("type") not in (expected, "default"):
            raise Refused("type")
        keys = {"player", "type"} | ({parts[expected]} if move["type"] == expected else set())
        if set(move) != keys or type(move["player"]) is not str:
            raise Refused("type")
        given = move.get(parts[expected])
        if move["type"] == expected and not self._well_formed(expected, given):
            raise Refused("type")
        if move["player"] not in self.waiting():
            raise Refused("turn")
        return move["player"], given

    def _well_formed(self, expected: str, given: Any) -> bool:
        if expected == "judge":
            return type(given) is str
        second = str if expected == "send" else int
        return type(given) is list and all(
            type(pair) is list
            and len(pair) == 2
            and type(pair[0]) is str
            and type(pair[1]) is second
            for pair in given
        )

    def _contenders_of(self, player: str) -> list[str]:
        return [s for s in self.conflict if owner_of(s) == player]

    def _minimum(self) -> int:
        key = "uncontested_min_bribe" if self.stage == "uncontested-bribes" else "unit"
        return self.rules[key]

    def _may_pass(self, scholar: str) -> bool:
        return (
            self.rules["defender_bribe"] == "optional"
            and self.stage == "internal-bribes"
            and scholar == self.conflict[0]
        )

    def _check_bribe(self, player: str, given: list[tuple[str, int]]) -> None:
        if sorted(s for s, _ in given) != sorted(self._contenders_of(player)):
            raise Refused("contenders")
        for scholar, amount in given:
            in_range = amount >= self._minimum() and amount % self.rules["unit"] == 0
            if not in_range and not (amount == 0 and self._may_pass(scholar)):
                raise Refused("amount")
        money_panel = self.cash[player]
        for _, amount in given:
            if amount > money_panel and amount > self._minimum():
                raise Refused("cash")
            money_panel -= amount if amount <= money_panel else max(money_panel, 0)

    def _check_place(self, player: str, given: list[tuple[str, int]]) -> None:
        occupations = [occupation_of(s) for s in self.conflict]
        chosen = [s for s, _ in given]
        if not {*chosen} <= {*self.conflict} or sorted(map(occupation_of, chosen)) != sorted(
            {*occupations}
        ):
            raise Refused("contenders")
        open_areas = [area for area, s in self.palaces[player].items() if s is None]
        for _, area in given:
            if area not in open_areas:
                raise Refused("area")
            open_areas.remove(area)

    def _legal_winners(self) -> list[str]:
        if self.rules["attackers"] == "any":
            return self.conflict
        defender, *attackers = self.conflict
        best = max(self.bribes[s][0] for s in attackers)
        return [defender, *(s for s in attackers if self.bribes[s][0] == best)]

    def _check_judge(self, player: str, given: str) -> None:
        if player != self.active or given not in self._legal_winners():
            raise Refused("contenders")

    def _check_send(self, player: str, given: list[tuple[str, str]]) -> None:
        scholars = [s for s, _ in given]
        left = [*self.unsent[player]]
        if len(scholars) != min(2, len(left)):
            raise Refused("scholars")
        for scholar in scholars:
            if scholar not in left:
                raise Refused("scholars")
            left.remove(scholar)
        palaces = [p for _, p in given]
        if any(p == player or p not in self.players for p in palaces):
            raise Refused("palace")
        if self.rules["distinct_palaces"] and len({*palaces}) < len(palaces):
            raise Refused("palace")

    def _play_bribe(self, player: str, given: list[tuple[str, int]]) -> None:
        self.submitted[player] = given
        if self.rules["bribing"] == "sequential":
            self._pay(player)
        elif not self.waiting():
            for other in dict.fromkeys(map(owner_of, self.conflict)):
                self._pay(other)
        if not self.waiting():
            after = {"uncontested": "placement", "external": "hiring", "internal": "judgement"}
            self.stage = after[self.stage.split("-")[0]]

    def _pay(self, player: str) -> None:
        for scholar, amount in self.submitted[player]:
            bank = 0
            if self.rules["broke"] == "bank" and amount > self.cash[player]:
                bank = amount - self.cash[player]
            self.cash[player] -= amount - bank
            self.cash[self.active] += amount
            self.bribes[scholar] = (amount, bank)

    def _play_place(self, player: str, given: list[tuple[str, int]]) -> None:
        for scholar, area in given:
            self.palaces[player][area] = scholar
            self.applicants[player].remove(scholar)
        self._banish([s for s in self.conflict if s not in {s for s, _ in given}])
        self._continue()

    def _play_judge(self, player: str, winner: str) -> None:
        for scholar in self.conflict[1:]:
            self.applicants[player].remove(scholar)
        self.palaces[player][self.area] = winner
        self._banish([s for s in self.conflict if s != winner])
        self._continue()

    def _banish(self, losers: list[str]) -> None:
        for scholar in losers:
            self.applicants[self.active] = [s for s in self.applicants[self.active] if s != scholar]
            self.island.append(scholar)
            if self.rules["refund_losers"]:
                amount, bank = self.bribes[scholar]
                self.cash[self.active] -= amount
                self.cash[owner_of(scholar)] += amount - bank

    def _play_send(self, player: str, given: list[tuple[str, str]]) -> None:
        for scholar, palace in given:
            self.unsent[player].remove(scholar)
            self.applicants[palace].append(scholar)
        self._next_turn()
        if self.stage != "over":
            self._continue()

    def default(self, player: str) -> Any:
        """Ruling 8, as the part of a move that says what is done."""
        if self.stage.endswith("-bribes"):
            return [[s, self._minimum()] for s in self._contenders_of(player)]
        if self.stage == "sending":
            return [
                [s, p]
                for s, p in zip(self.unsent[player][:2], self._clockwise(player), strict=False)
            ]
        ranked = sorted(self.conflict, key=lambda s: (-self.bribes[s][0], self.conflict.index(s)))
        if self.stage == "judgement":
            return next(s for s in ranked if s in self._legal_winners())
        hired = [
            s
            for at, s in enumerate(ranked)
            if occupation_of(s) not in [occupation_of(r) for r in ranked[:at]]
        ]
        best = sorted((a for a, s in self.palaces[player].items() if s is None), reverse=True)
        return [[s, area] for s, area in zip(hired, best, strict=False)]

    def state(self) -> dict[str, Any]:
        """The state as the game record writes it."""
        richest = max(self.cash.values())
        over = self.stage == "over"
        return {
            "round": self.round,
            "active": self.active,
            "stage": self.stage,
            "waiting": sorted(self.waiting()),
            "cash": dict(self.cash),
            "palaces": {
                p: {str(area): s for area, s in row.items()} for p, row in self.palaces.items()
            },
            "applicants": {p: sorted(row) for p, row in self.applicants.items()},
            "unsent": {p: sorted(row) for p, row in self.unsent.items()},
            "island": sorted(self.island),
            "winners": sorted(p for p, m in self.cash.items() if over and m == richest),
        }
