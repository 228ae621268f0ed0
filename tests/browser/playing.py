"""Playing by the forms of the game page, and what its board has to show."""

from games.engine import Bribe, Judge, Move, Place, Send, Stage, State, View
from games.presentation.text.words import money
from tests.browser.players import Player


def as_forms_send(seen: View, move: Move) -> Move:
    """The move as a form makes it: of two scholars alike, the first one is sent first."""
    if not isinstance(move, Send):
        return move
    left, sent = list(seen.choice.scholars), []
    for scholar, palace in move.scholars:
        first = next(one for one in left if one[:2] == scholar[:2])
        left.remove(first)
        sent.append((first, palace))
    return Send(tuple(sent))


def fields_of(state: State, move: Move) -> dict[str, str]:
    """The form filled in with this move."""
    table = state.table
    match move:
        case Bribe(bribes):
            filled = {table.names[scholar]: str(amount) for scholar, amount in bribes}
            first = {"first": table.names[bribes[0][0]]} if len(bribes) > 1 else {}
            return filled | first
        case Place(placements):
            filled = {}
            for scholar, area in placements:
                occupation = table.edition.occupations[scholar.occupation]
                filled[f"{occupation}-winner"] = table.names[scholar]
                filled[f"{occupation}-area"] = str(area)
            return filled
        case Judge(winner):
            return {"winner": table.names[winner]}
        case Send(scholars):
            filled = {}
            for place, (scholar, palace) in enumerate(scholars, 1):
                filled[f"send-scholar-{place}"] = table.names[scholar]
                filled[f"send-palace-{place}"] = table.players[palace]
            return filled
    raise AssertionError(move)


def shown_on_board(state: State, seat: int) -> dict:
    """What the board of this seat has to show."""
    names, players = state.table.names, state.table.players
    areas = state.table.edition.areas
    return {
        "palaces": {
            players[palace]: {
                str(area): names[who]
                for area, who in zip(areas, residents, strict=True)
                if who is not None
            }
            for palace, residents in enumerate(state.palaces)
        },
        "doors": {
            players[palace]: sorted(names[who] for who in door)
            for palace, door in enumerate(state.applicants)
        },
        "island": sorted(names[who] for who in state.island),
        "cash": [[players[seat], str(state.cash[seat])]],
    }


def assert_board(player: Player, state: State, seat: int) -> None:
    """The page shows the position, and of all money only the player's own."""
    shown = player.board()
    shown["doors"] = {palace: sorted(door) for palace, door in shown["doors"].items()}
    shown["island"] = sorted(shown["island"])
    assert shown == shown_on_board(state, seat), player.name


def hand_in(player: Player, stage: Stage, move: Move) -> None:
    """Submit the form of the decision, which is filled in; a placement at once where that goes."""
    if stage is Stage.PLACEMENT:
        player.press(player.button("Submit now"))
        if player.page.locator("h1").inner_text() == "Review":
            player.press(player.button("Submit"))
        return
    player.press(player.button("Review"))
    if isinstance(move, Bribe):
        paid = sum(amount for _, amount in move.bribes)
        assert player.sees(money(paid)), player.page.locator("main").inner_text()
    player.press(player.button("Submit"))
