"""The path of a move in docs/architecture.md is the path that the code takes."""

import re
from itertools import combinations, pairwise

from tests.tools.test_boundaries import ROOT, imports_of

DOCS = (ROOT / "docs" / "architecture.md").read_text()
PATH = re.findall(
    r"^\d+\. `([^`]+)`",
    DOCS.partition("\n## The path of a move\n")[2].partition("\n## ")[0],
    re.MULTILINE,
)
BY_SIGNAL = ("games/services/outbox.py", "games/wake.py")
"""The second one listens to the first, which doesn't know of it."""


def names(file: str, other: str) -> bool:
    """Whether a file names another one as a module."""
    module = other.removesuffix(".py").replace("/", ".")
    return module in imports_of(ROOT / file) or f'"{module}"' in (ROOT / file).read_text()


def test_it_takes_twelve_files_from_the_address_to_the_mail_server():
    assert len(PATH) == 12
    assert (PATH[0], PATH[-1]) == (
        "intrigue_site/urls.py",
        "games/services/email/mail_server.py",
    )


def test_each_file_names_the_next_one():
    steps = [BY_SIGNAL[::-1] if step == BY_SIGNAL else step for step in pairwise(PATH)]
    assert [step for step in steps if not names(*step)] == []


def test_no_file_names_one_before_it():
    steps = [step for step in combinations(PATH, 2) if step != BY_SIGNAL]
    assert [(before, file) for before, file in steps if names(file, before)] == []
