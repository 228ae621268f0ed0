"""bin/manage and the file that it reads as systemd does."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from intrigue_site.environment_file import read
from tests.support.patience import PATIENCE_SECONDS

ROOT = Path(__file__).resolve().parents[2]

ODD = r"""# A comment, which a backslash does not continue \
A=1
B=plain value with trailing   
C='single $x "y" \n'
D="double \$x \" \\ \n \`"
  E = spaced = yes
F=
G='a'"b" c d
H=back\ slash\$ end\ 
I=line \
goes on
; J=1
K="two
lines"
export L=1
M=a"b"'c'
nothing
O=a#b;c
P=$HOME`id`$(id)"""  # noqa: W291 (spaces at the end count)

MEANT = {
    "A": "1",
    "B": "plain value with trailing",
    "C": r'single $x "y" \n',
    "D": r'double $x " \ \n `',
    "E": "spaced = yes",
    "F": "",
    "G": "abc d",
    "H": "back slash$ end ",
    "I": "line goes on",
    "K": "two\nlines",
    "M": "a\"b\"'c'",
    "O": "a#b;c",
    "P": "$HOME`id`$(id)",
}


def test_values_are_read_as_systemd_reads_them():
    assert read(ODD) == MEANT
    assert read("") == {}
    assert read("\n\n=1\nA=1") == {"A": "1"}


def manage(*arguments, cwd, **environment):
    return subprocess.run(
        [ROOT / "bin/manage", *arguments],
        cwd=cwd,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


@pytest.mark.full
def test_bin_manage_reads_the_file_wherever_it_is_called(tmp_path):
    file = tmp_path / "site.env"
    file.write_text("SITE_URL='https://a.example'\nMAIL_FROM=Intrigue <post@$HOME.example>\n")
    link = tmp_path / "manage"
    link.symlink_to(ROOT / "bin/manage")
    code = "from django.conf import settings as s; print(s.SITE_URL, s.SERVER_EMAIL)"
    ask = ("shell", "--no-imports", "-c", code)
    told = manage(*ask, cwd=tmp_path, INTRIGUE_ENV=str(file))
    assert told.stdout == "https://a.example Intrigue <post@$HOME.example>\n", told.stderr
    told = manage(*ask, cwd="/", INTRIGUE_ENV=str(file), SITE_URL="https://b.example")
    assert told.stdout.startswith("https://b.example "), told.stderr


def test_a_file_that_is_named_must_be_there(tmp_path):
    told = manage("check", cwd=tmp_path, INTRIGUE_ENV=f"{tmp_path}/none.env")
    assert told.returncode == 1
    assert told.stderr.startswith(f"{tmp_path}/none.env can't be read: No such file or directory.")


def test_the_example_has_every_setting_once():
    """But for those of the demo, which no site needs."""
    tables = (ROOT / "docs/settings.md").read_text().partition("## For the demo")[0]
    rows = re.findall(r"^\| (`.+?`) \|", tables, re.MULTILINE)
    example = (ROOT / "deploy/intrigue.env.example").read_text()
    named = re.findall(r"^#?([A-Z][A-Z_]+)=", example, re.MULTILINE)
    assert sorted(named) == sorted(re.findall(r"`(\w+)`", " ".join(rows)))


@pytest.mark.full
def test_the_example_is_read_without_a_mistake():
    key = "kept in this test only: 8dAq0zP-Xw5fJr2Lm9YbT6vHc3NsEgKu"
    example = ROOT / "deploy/intrigue.env.example"
    told = manage("check", cwd="/", INTRIGUE_ENV=str(example), SECRET_KEY=key)
    assert "no issues" in told.stdout, told.stderr
