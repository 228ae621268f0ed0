"""The path of a move in docs/architecture.md is the path that the code takes."""

import re
from itertools import combinations, pairwise

import pytest

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


@pytest.mark.parametrize(("file", "following"), list(pairwise(PATH)))
def test_each_file_names_the_next_one(file, following):
    assert names(*(BY_SIGNAL[::-1] if (file, following) == BY_SIGNAL else (file, following)))


@pytest.mark.parametrize(("before", "file"), list(combinations(PATH, 2)))
def test_no_file_names_one_before_it(before, file):
    assert (before, file) == BY_SIGNAL or not names(file, before)
