"""What developers use beside the demo's visitors: `bin/dev`, and how the demo ends when it must."""

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.demos import Demo, demo_folder, is_running
from tests.servers import free_port

ROOT = Path(__file__).resolve().parent.parent

folder = pytest.fixture(demo_folder)


def page(address):
    """Status and text of a page, be it an error page."""
    try:
        with urllib.request.urlopen(address) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_a_change_of_the_code_is_followed_by_web_and_worker(folder):
    def starts(name, words):
        return (folder / "var" / "log" / f"{name}.log").read_text().count(words)

    def starts_of_both():
        return starts("web", "Starting WSGI development server"), starts("worker", "[tasks]")

    with Demo(folder, free_port(), "--reload") as running:
        running.wait_until_up()
        started = running.processes()
        status, text = page(f"http://localhost:{running.port}/nonsense/")
        assert status == 404
        assert "Using the URLconf defined in" in text

        running.wait_until(lambda: min(starts_of_both()) >= 1)
        web, worker = starts_of_both()
        os.utime(ROOT / "intrigue_site" / "celery.py")
        running.wait_until(lambda: starts_of_both()[0] > web)
        running.wait_until(lambda: starts_of_both()[1] > worker)

        started += running.processes()
        running.end(signal.SIGINT)
    assert running.process.returncode == 0
    assert [process for process in started if is_running(process)] == []


def test_a_demo_that_is_killed_leaves_nothing_running(folder):
    with Demo(folder, free_port()) as running:
        running.wait_until_up()
        started = running.processes()
        assert len(started) > 6
    running.wait_until(lambda: not any(is_running(process) for process in started))


def test_ctrl_c_before_the_start_is_no_traceback(tmp_path):
    """The settings are read before anything has started; here somebody presses Ctrl-C meanwhile."""
    settings = "import signal\nsignal.raise_signal(signal.SIGINT)\n"
    (tmp_path / "interrupted.py").write_text(settings)
    environment = {
        **os.environ, "PYTHONPATH": str(tmp_path), "DJANGO_SETTINGS_MODULE": "interrupted",
    }  # fmt: skip
    ended = subprocess.run(
        [sys.executable, ROOT / "manage.py", "demo"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
