"""How much is measured: in full, and quickly to see whether it works."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    """`games` and `events` are those of the full database.

    Before it is filled, pages are also measured `with_few_games`: about a hundred.

    `runs` are those of a page, `tables` the copies of a game that POSTs go to, `moves` those whose
    CPU time is taken, `seconds` and `played` the time and the games of each run of the load.
    `strangers` watch so many games (`watched`).
    """

    with_few_games: bool = True
    games: int = 100_000
    events: int = 1_000_000
    people: int = 50_000
    runs: int = 40
    tables: int = 24
    moves: int = 500
    seconds: float = 30.0
    played: int = 500
    deadlines: tuple[int, ...] = (500, 5000)
    workers: tuple[int, ...] = (1, 2, 4)
    senders: tuple[int, ...] = (1, 2)
    emails: int = 10_000
    kills: int = 3
    streams: int = 9000
    strangers: int = 500
    watched: int = 50
    simulated: int = 2000
    repeats: int = 3
    sweep_seconds: float = 5.0


QUICK = Sizes(
    with_few_games=False,
    games=1000,
    events=10_000,
    people=1000,
    runs=3,
    tables=7,
    moves=25,
    seconds=2.0,
    played=64,
    deadlines=(20,),
    workers=(2,),
    emails=50,
    kills=1,
    streams=200,
    strangers=100,
    watched=10,
    simulated=200,
    repeats=2,
    sweep_seconds=1.0,
)
