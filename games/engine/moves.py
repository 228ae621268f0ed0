"""The moves of the rule book. The seat that makes a move stands beside it, as a number."""

from typing import NamedTuple

from games.engine.state import Scholar


class Bribe(NamedTuple):
    """One bribe for each of the player's contenders in this stage, in the order of paying."""

    bribes: tuple[tuple[Scholar, int], ...]


class Place(NamedTuple):
    """Every uncontested applicant, or one winner of each external conflict, with its area."""

    placements: tuple[tuple[Scholar, int], ...]


class Judge(NamedTuple):
    """The winner of an internal conflict."""

    winner: Scholar


class Send(NamedTuple):
    """The scholars sent in this turn, each with the seat whose palace it goes to."""

    scholars: tuple[tuple[Scholar, int], ...]


class Default(NamedTuple):
    """Whatever is played for a player who lets the deadline pass (ruling 8)."""


type Played = Bribe | Place | Judge | Send
"""A move that names what is done; `Default` leaves that to the rules."""

type Move = Played | Default
