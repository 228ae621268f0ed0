"""No test is left unmarked that has to be: see docs/testing.md."""

from tests.faults.processes import ROOT

FILES = {str(path.relative_to(ROOT)): path.read_text() for path in ROOT.glob("tests/**/test_*.py")}


def unmarked(mark: str, *folders: str, text: str = "") -> list[str]:
    """The files in these folders, or with this text in them, that don't have the mark."""
    return [
        name
        for name, content in sorted(FILES.items())
        if (name.startswith(folders) or (text and text in content))
        and f"pytest.mark.{mark}" not in content
    ]


def test_the_browser_and_the_faults_are_for_the_build_server():
    assert not unmarked("full", "tests/browser/", "tests/faults/")


def test_races_and_faults_count():
    imported = "tests.support.races import " + "at_once"
    assert not unmarked("counts", "tests/faults/", text=imported)
