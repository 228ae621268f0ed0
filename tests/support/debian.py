"""A Debian 13 that really boots: systemd and all, in a container without a network.

What has to be downloaded is kept in a folder outside the repository, so only the first test waits.
"""

import fcntl
import hashlib
import http.client
import os
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_SECONDS, wait_until

KEPT = Path(os.environ.get("INTRIGUE_TEST_DOWNLOADS", "/var/cache/intrigue-tests"))
AUTHORITIES = os.environ.get("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt")
CLEAN = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
REBOOTS = 133
"""The status with which systemd-nspawn ends if the machine wants to be started again."""


def skip_where_nothing_boots() -> None:
    programs = "systemd-nspawn", "debootstrap"
    missing = [name for name in programs if shutil.which(name) is None]
    if missing or os.geteuid() != 0:
        assert "CI" not in os.environ or not missing, f"{missing} is not installed"
        pytest.skip("needs systemd-nspawn, debootstrap and root")


def inside(root: Path, *command: str, **environment: str) -> None:
    """Run a command in a folder with a Debian that isn't running; it has this one's network."""
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    known = {**CLEAN, "HOME": "/root", "DEBIAN_FRONTEND": "noninteractive", **environment}
    subprocess.run(["chroot", str(root), *command], env=known, check=True)


def kept(name: str, contents: str) -> tuple[Path, Path | None]:
    """Where a download with these contents is, and where to make it if it isn't there."""
    place = KEPT / f"{name}-{hashlib.sha256(contents.encode()).hexdigest()[:12]}"
    if place.exists():
        return place, None
    for old in KEPT.glob(f"{name}-*"):
        shutil.rmtree(old)
    return place, place.with_name(f"{place.name}.new")


@contextmanager
def alone() -> Iterator[None]:
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def debian(commands: list[list[str]]) -> Path:
    """A folder with Debian 13 in which these commands have been run once; nothing is started."""
    with alone():
        place, new = kept("trixie", repr(commands))
        if new:
            first = "--include=systemd,systemd-sysv,dbus,ca-certificates"
            subprocess.run(["debootstrap", "--variant=minbase", first, "trixie", new], check=True)
            policy = new / "usr/sbin/policy-rc.d"
            policy.write_text("#!/bin/sh\nexit 101\n")
            policy.chmod(0o755)
            for command in commands:
                inside(new, *command)
            policy.unlink()
            new.rename(place)
    return place


def wheels(base: Path, requirements: Path) -> Path:
    """A folder with Python's packages as Debian's pip downloads them, and what builds some."""
    with alone():
        place, new = kept("wheels", requirements.read_text() + base.name)
        if new:
            new.mkdir()
            work = base / "tmp/wheels"
            work.mkdir()
            shutil.copy(AUTHORITIES, work / "authorities.pem")
            shutil.copy(requirements, work / "requirements.txt")
            pip = ("/tmp/wheels/venv/bin/pip", "download", "--quiet", "--dest", "/tmp/wheels")
            trust = dict.fromkeys(("SSL_CERT_FILE", "PIP_CERT"), "/tmp/wheels/authorities.pem")
            inside(base, "python3", "-m", "venv", "/tmp/wheels/venv")
            hashed = ("--require-hashes", "--requirement", "/tmp/wheels/requirements.txt")
            inside(base, *pip, *hashed, **trust)
            inside(base, *pip, "setuptools", "wheel", **trust)
            for file in (*work.glob("*.whl"), *work.glob("*.tar.gz")):
                shutil.move(file, new)
            shutil.rmtree(work)
            new.rename(place)
    return place


class Machine:
    """A Debian that runs; its disk is in `root`."""

    def __init__(self, root: Path, log: Path) -> None:
        self.root = root
        self.log = log
        self._nspawn: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        options = "--boot --private-network --register=no --keep-unit --console=read-only --quiet"
        with self.log.open("ab") as log:
            self._nspawn = subprocess.Popen(
                ["systemd-nspawn", *options.split(), "--directory", str(self.root)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        wait_until(lambda: self.state() in {"running", "degraded"})

    def state(self) -> str:
        with suppress(IndexError, OSError):
            return self.run("systemctl", "is-system-running", check=False).strip()
        return ""

    def reboot(self) -> None:
        assert self._nspawn is not None
        self.run("systemctl", "reboot", check=False)
        assert self._nspawn.wait(PATIENCE_SECONDS) == REBOOTS
        self.start()

    def stop(self) -> None:
        assert self._nspawn is not None
        with suppress(IndexError, OSError):
            self.run("systemctl", "poweroff", check=False)
        try:
            self._nspawn.wait(60)
        except subprocess.TimeoutExpired:
            self._nspawn.terminate()
            self._nspawn.wait()

    def run(self, *command: str, check: bool = True, cwd: str = "/root", **variables: str) -> str:
        """What a command of root's prints, its errors too."""
        enter = f"nsenter --target {self._init()} --mount --uts --ipc --net --pid --cgroup --root"
        answer = subprocess.run(
            [*enter.split(), f"--wdns={cwd}", "--", *command],
            env={**CLEAN, "HOME": "/root", **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if check and answer.returncode:
            raise AssertionError(f"{command}: {answer.returncode}\n{answer.stdout}")
        return answer.stdout

    def _init(self) -> str:
        assert self._nspawn is not None
        pid = self._nspawn.pid
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0]

    def connected(self, port: int) -> socket.socket:
        """A connection to a port of the machine, made in its network."""
        made: list[socket.socket] = []

        def connect() -> None:
            with Path(f"/proc/{self._init()}/ns/net").open() as network:
                os.setns(network.fileno(), os.CLONE_NEWNET)
            made.append(socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS))

        # Only the thread moves, and it ends.
        thread = threading.Thread(target=connect)
        thread.start()
        thread.join()
        if not made:
            raise ConnectionRefusedError(port)
        return made[0]

    def https(self, host: str, authority: Path) -> http.client.HTTPConnection:
        """A connection to its proxy, which proves with a certificate that it is this host."""
        context = ssl.create_default_context(cafile=str(authority))
        connection = http.client.HTTPConnection(host, timeout=PATIENCE_SECONDS)
        connection.sock = context.wrap_socket(self.connected(443), server_hostname=host)
        return connection


@contextmanager
def machine(base: Path, folder: Path) -> Iterator[Path]:
    """The disk of a new machine, a copy of that folder; it isn't started."""
    places = {name: folder / name for name in ("disk", "changed", "work")}
    for place in places.values():
        place.mkdir()
    disk = places["disk"]
    layers = f"lowerdir={base},upperdir={places['changed']},workdir={places['work']}"
    mount = ["mount", "-t", "overlay", "overlay", "-o", layers, str(disk)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("this machine allows no overlays")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)
