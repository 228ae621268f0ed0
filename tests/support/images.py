"""Container images that buildah makes and starts, without a daemon and without a registry."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.support.patience import PATIENCE_SECONDS, wait_until

ROOT = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "intrigue-tests"
BASE = "localhost/base:trixie"
IMAGE = "localhost/intrigue:test"
CONTAINER = "intrigue"
OF_THIS_MACHINE = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pip.conf")
"""What it trusts, and where it has packages from, if it says so."""

INCLUDED = "ca-certificates,python3,python3-venv"
LEFT_OUT = (
    "usr/share/doc", "usr/share/locale", "usr/share/man", "var/cache/apt", "var/lib/apt/lists"
)  # fmt: skip
"""What the official images of Debian and Python leave out, too."""

AS_COMPOSE_DOES = """
mount -o remount,bind,ro / && mount -t tmpfs tmpfs /tmp &&
exec setpriv --reuid=10001 --regid=10001 --clear-groups --no-new-privs \
    --inh-caps=-all --bounding-set=-all "$@"
"""
"""With the root read-only, a /tmp in memory and no rights at all, as buildah alone cannot."""


def needed() -> None:
    """Skip where such images can't be made."""
    missing = [name for name in ("buildah", "debootstrap") if shutil.which(name) is None]
    if missing or os.geteuid() != 0:
        assert "CI" not in os.environ or not missing, f"{missing} is not installed"
        pytest.skip("needs buildah, debootstrap and root")


def base() -> Path:
    """A Debian 13 with Python, packed: from its packages, once for all tests of this machine."""
    packed = CACHE / "trixie.tar"
    if not packed.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        folder = CACHE / f"trixie-{os.getpid()}"
        options = ["--variant=minbase", f"--include={INCLUDED}"]
        said(["debootstrap", *options, "trixie", str(folder)])
        for name in LEFT_OUT:
            shutil.rmtree(folder / name)
        new = CACHE / f"trixie-{os.getpid()}.tar"
        said(["tar", "--create", f"--file={new}", f"--directory={folder}", "."])
        new.rename(packed)
        shutil.rmtree(folder)
    return packed


def said(command: list[str]) -> str:
    """What it prints; it succeeds."""
    answer = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, f"{command}:\n{answer.stdout[-4000:]}{answer.stderr[-4000:]}"
    return answer.stdout


class Images:
    """The images and containers in one folder, which has them all."""

    def __init__(self, folder: Path) -> None:
        places = ["--root", str(folder / "storage"), "--runroot", str(folder / "run")]
        self._buildah = ["buildah", *places, "--storage-driver", "vfs"]

    def buildah(self, *arguments: str) -> str:
        return said([*self._buildah, *arguments])

    def build(self, **told: str) -> None:
        """The image of this checkout, and a container of it."""
        container = self.buildah("from", "scratch").strip()
        self.buildah("add", container, str(base()), "/")
        self.buildah("commit", "--rm", container, BASE)
        told = {"BASE": BASE, **told}
        self.buildah(
            "bud", "--isolation", "chroot", "--network", "host", "--format", "docker",
            *(f"--volume={path}:{path}:ro" for path in OF_THIS_MACHINE if Path(path).exists()),
            *(f"--build-arg={name}={value}" for name, value in told.items()),
            f"--ignorefile={ROOT / '.containerignore'}", f"--tag={IMAGE}", str(ROOT),
        )  # fmt: skip
        self.buildah("from", "--pull-never", "--name", CONTAINER, IMAGE)

    def described(self) -> dict:
        """What the image says of itself."""
        return json.loads(self.buildah("inspect", "--type", "image", IMAGE))["Docker"]

    def size(self) -> int:
        """The bytes of its files."""
        return sum(path.lstat().st_size for path in self.files().rglob("*"))

    def files(self) -> Path:
        """The folder with all that is in it."""
        return Path(self.buildah("mount", CONTAINER).strip())

    def command(
        self, command: list[str], environment: Mapping[str, str], mounted: Mapping[Path, str]
    ) -> list[str]:
        """What runs a command in the container, as the compose file does."""
        return [
            *self._buildah, "run", "--isolation", "chroot", "--user", "root",
            "--cap-add", "CAP_SYS_ADMIN",
            *(f"--volume={path}:{inside}" for path, inside in mounted.items()),
            *(f"--env={name}={value}" for name, value in environment.items()),
            CONTAINER, "--", "sh", "-c", AS_COMPOSE_DOES, "sh", *command,
        ]  # fmt: skip

    @contextmanager
    def running(self, command: list[str], log: Path) -> Iterator[None]:
        """Such a command, which is asked to end, as a daemon asks, and ends by itself."""
        with log.open("wb") as output:
            buildah = subprocess.Popen(command, stdout=output, stderr=output)
        try:
            yield
            assert buildah.poll() is None, log.read_text()
            first_process(buildah.pid).terminate()
            code = buildah.wait(timeout=PATIENCE_SECONDS)
            # Once it has ended all it did, uvicorn lets the signal do what it does.
            said = log.read_text()
            assert code == 0 or "subprocess exited on terminated" in said, said
        finally:
            buildah.terminate()  # which kills what it runs
            buildah.wait(timeout=PATIENCE_SECONDS)


def first_process(buildah: int) -> psutil.Process:
    """The one that would be the first of its container: buildah's, below its own three."""
    process = psutil.Process(buildah)
    for _ in range(3):
        wait_until(process.children)
        [process] = process.children()
    return process
