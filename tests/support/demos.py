"""A real demo, started and watched by tests."""

import os
import shutil
import subprocess
import sys

import psutil

from intrigue_site.demo import data_folder
from tests.support.patience import PATIENCE_SECONDS


class Demo:
    """A real `manage.py demo`, with its data in a folder of the test."""

    def __init__(self, folder, port, *options):
        self.port = port
        self.data = data_folder(folder / "var")
        environment = {**os.environ, "VAR_DIR": str(folder / "var"), "PYTHONUNBUFFERED": "1"}
        for name in ("DATABASE_URL", "CELERY_BROKER_URL", "DJANGO_SETTINGS_MODULE"):
            environment.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "demo", "--port", str(port), *options],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines = []

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

    def wait_until_up(self):
        for line in self.process.stdout:
            self.lines.append(line.strip())
            if "Ctrl-C" in line:
                return
        raise AssertionError(self.lines)

    def processes(self):
        """Everything it started, also what has a session of its own or was handed to init."""
        own = psutil.Process(self.process.pid)
        postgres = [
            process
            for process in psutil.process_iter(["cmdline"])
            if str(self.data / "postgres") in (process.info["cmdline"] or ())
        ]
        assert postgres
        return [own, *own.children(recursive=True), *postgres]

    def end(self, number):
        self.process.send_signal(number)
        self.wait_for_end()

    def wait_for_end(self):
        self.lines += self.process.communicate(timeout=PATIENCE_SECONDS)[0].splitlines()


def demo_folder(tmp_path):
    """Where a demo keeps its data; as root some of it is elsewhere, and goes with the test."""
    yield tmp_path
    if data_folder(tmp_path / "var") != tmp_path / "var":
        shutil.rmtree(data_folder(tmp_path / "var"))


def is_running(process):
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
