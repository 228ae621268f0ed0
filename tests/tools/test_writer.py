"""Only the writer of a game changes its own fields; everybody else asks it to."""

import ast

import pytest

from tests.tools.test_boundaries import ROOT

WRITERS = {"LockedGame", "Writer"}
"""Whatever a parameter of these types is called, it is the writer."""

NAMES = {"writer", "promises", "_locked"}
CHANGING = {"add", "append", "clear", "extend", "insert", "pop", "remove", "setdefault", "update"}


def last_name(node: ast.AST) -> str:
    """What stands last in "writer", "action.writer" or "self._locked"."""
    return getattr(node, "id", "") or getattr(node, "attr", "")


def is_change(node: ast.AST, writers: set[str]) -> bool:
    """Whether a field of the writer is assigned, deleted or changed in place here."""
    match node:
        case ast.Attribute(ctx=ast.Store() | ast.Del()) as field:
            return last_name(field.value) in writers
        case ast.Subscript(value=ast.Attribute() as field, ctx=ast.Store() | ast.Del()):
            return last_name(field.value) in writers
        case ast.Call(func=ast.Attribute(value=ast.Attribute() as field, attr=name)):
            return name in CHANGING and last_name(field.value) in writers
    return False


def changes_in(code: str) -> list[int]:
    nodes = list(ast.walk(ast.parse(code)))
    typed = [node for node in nodes if isinstance(node, ast.arg) and node.annotation is not None]
    writers = NAMES | {node.arg for node in typed if last_name(node.annotation) in WRITERS}
    return [node.lineno for node in nodes if is_change(node, writers)]


@pytest.mark.parametrize(
    "code",
    [
        "writer.state = boundary.state",
        "writer.next_seq += 1",
        "a, action.writer.orders = b, {}",
        "del writer.orders",
        "writer.days_off[seat.pk] = []",
        "del writer.orders[seat.pk]",
        "writer.orders.clear()",
        "self._locked.moves.append(move)",
        "writer.promises.offers = offers",
        "def begin(table: LockedGame):\n    table.now = now",
    ],
)
def test_a_change_is_found(code):
    assert changes_in(code) == [code.count("\n") + 1]


def test_asking_reading_and_changing_the_game_is_no_change():
    code = """
def pause(writer: Writer):
    writer.game.paused_at = writer.now
    writer.seats[0].remind_at = None
    self.writer = writer
    return writer.orders.values(), writer.record(event, cause)
"""
    assert changes_in(code) == []


def test_nobody_changes_a_field_of_the_writer():
    files = [path for path in (ROOT / "games").rglob("*.py") if "Writer" in path.read_text()]
    assert len(files) > 15
    found = {
        str(path.relative_to(ROOT)): lines
        for path in (ROOT / "games").rglob("*.py")
        if (lines := changes_in(path.read_text()))
    }
    assert found == {}
