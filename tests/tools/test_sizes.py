"""Files and functions are as short as CONTRIBUTING.md wants them, so that one sees them whole."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST_FILE = 400
LONGEST_FUNCTION = 45
LONGER = {"intrigue_site/settings.py": "one setting after the other, each with its reason"}

FILES = {
    str(path.relative_to(ROOT)): path.read_text()
    for folder in ("games", "intrigue_site")
    for path in (ROOT / folder).rglob("*.py")
    if "migrations" not in path.parts
}


def test_files_are_short():
    long = {name for name, text in FILES.items() if len(text.splitlines()) > LONGEST_FILE}
    assert long == set(LONGER)


def test_functions_are_short():
    functions = {
        f"{name}: {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for name, text in FILES.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name for name, lines in functions.items() if lines > LONGEST_FUNCTION} == set()
