"""Positions at which standing orders count, and what is ordered there."""

from games.engine import view
from games.engine.orders import Orders, SendThese, move_of_orders
from tests.engine.cases import at

FOUR = "red yellow green blue"


def seen(game, player):
    return view(game.state, game.seat(player))


def scholar(game, name):
    return game.state.table.scholars[name]


def orders(game, bribes, **more):
    return Orders({scholar(game, name): order for name, order in bribes.items()}, **more)


def played(game, player, bribes, play_out=move_of_orders):
    """The amounts that these bribe orders play now, by scholar; None: the player has to decide."""
    move = play_out(seen(game, player), orders(game, bribes))
    if move is None:
        return None
    names = game.state.table.names
    return {names[one]: amount for one, amount in move.bribes}


def external(cash=32000, options=None, edition="mayfair-2005"):
    """Three clerks at red's door; yellow has paid 4,000, green is to move next, then blue."""
    game = at(
        edition,
        FOUR,
        options,
        round=2,
        cash={"red": 32000, "yellow": 32000, "green": cash, "blue": 32000},
        applicants={"red": ["yellow-clerk-1", "green-clerk-1", "blue-clerk-1"]},
    )
    if not options:
        game.bribe({"yellow-clerk-1": 4000})
    return game


def two_of_green(cash=32000):
    """Green has a priest and a clerk in two external conflicts with yellow's."""
    applicants = ["yellow-clerk-1", "green-clerk-1", "yellow-priest-1", "green-priest-1"]
    game = at(
        "mayfair-2005",
        FOUR,
        round=2,
        cash={"red": 32000, "yellow": 32000, "green": cash, "blue": 32000},
        applicants={"red": applicants},
    )
    game.bribe({"yellow-clerk-1": 4000, "yellow-priest-1": 7000})
    return game


def one_clerk_of_green():
    """Green's clerk meets yellow's; beside it yellow's priest meets blue's."""
    applicants = ["yellow-clerk-1", "green-clerk-1", "yellow-priest-1", "blue-priest-1"]
    game = at(
        "mayfair-2005",
        FOUR,
        round=2,
        cash=dict.fromkeys(FOUR.split(), 32000),
        applicants={"red": applicants},
    )
    game.bribe({"yellow-clerk-1": 4000, "yellow-priest-1": 7000})
    return game


def attacked(edition="reference-manual", cash=32000):
    """Yellow's healer in red's palace is attacked by green's: yellow is to move first."""
    return at(
        edition,
        FOUR,
        round=2,
        cash={"red": 32000, "yellow": cash, "green": 32000, "blue": 32000},
        palaces={"red": {6000: "yellow-healer-1"}},
        applicants={"red": ["green-healer-1"]},
    )


def sending(game, pairs):
    return SendThese(tuple((scholar(game, name), game.seat(to)) for name, to in pairs.items()))
