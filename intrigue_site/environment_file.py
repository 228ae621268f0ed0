"""The site's settings in a file, read as systemd reads them; bin/manage runs this as a script.

It needs nothing but Python's own library, and runs before the site's settings are read.
"""

import os
import pwd
import re
import sys
from pathlib import Path

SITE = Path(__file__).resolve().parent.parent
USUAL = "/etc/intrigue.env"
USER = "intrigue"

LINE = re.compile(
    r"""\s* (?: [#;] [^\r\n]*   # a comment
              | (?P<name> [^=\r\n]* ) (?: = (?P<rest>) )? )""",
    re.VERBOSE | re.DOTALL,
)
PIECE = re.compile(
    r"""[ \t]* (?: '(?P<single> [^']* )'
                 | "(?P<double> (?: \\. | [^"\\] )* )"
                 | (?P<plain> (?: \\. | [^\r\n\\] )+ ) )""",
    re.VERBOSE | re.DOTALL,
)
"""What a value is made of: behind a quoted piece another may follow, a plain one is the last."""


def read(text: str) -> dict[str, str]:
    """The variables in a file for systemd's EnvironmentFile."""
    found, place = {}, 0
    while place < len(text) and (line := LINE.match(text, place)):
        place = max(line.end(), place + 1)
        if line["rest"] is None:
            continue
        value = ""
        while piece := PIECE.match(text, place):
            value += _meant(piece)
            place = piece.end()
        if re.fullmatch(r"[A-Za-z_]\w*", name := line["name"].strip(), re.ASCII):
            found[name] = value
    return found


def _meant(piece: re.Match[str]) -> str:
    """A piece without its quotes and backslashes; a line that ends with one goes on."""
    if (single := piece["single"]) is not None:
        return single
    if (double := piece["double"]) is not None:
        return re.sub(r'\\(["\\`$]|\n)', lambda kept: kept[1].strip("\n"), double)
    plain = re.sub(r"((?:\\.|[^\\])*?)[ \t]*\Z", r"\1", piece["plain"], count=1, flags=re.DOTALL)
    return re.sub(r"\\(.)", lambda kept: kept[1].strip("\n"), plain, flags=re.DOTALL)


def main() -> None:
    """Run manage.py with these settings, and with those of the caller's that have the same names.

    Root becomes the user of the site first, whom the database knows.
    """
    named = os.environ.get("INTRIGUE_ENV")
    path = Path(named or USUAL)
    settings: dict[str, str] = {}
    if named or path.exists():
        try:
            settings = read(path.read_text())
        except OSError as fault:
            sys.exit(f"{path} can't be read: {fault.strerror}. Run this as root or as {USER}.")
    environment = {**settings, **os.environ}
    if os.geteuid() == 0:
        _become(environment)
    manage = str(SITE / "manage.py")
    os.execve(sys.executable, [sys.executable, manage, *sys.argv[1:]], environment)  # noqa: S606


def _become(environment: dict[str, str]) -> None:
    try:
        user = pwd.getpwnam(USER)
    except KeyError:
        return
    os.initgroups(USER, user.pw_gid)
    os.setgid(user.pw_gid)
    os.setuid(user.pw_uid)
    environment |= {"HOME": user.pw_dir, "USER": USER, "LOGNAME": USER}


if __name__ == "__main__":
    main()
