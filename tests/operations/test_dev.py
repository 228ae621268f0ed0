"""What developers use beside the demo's visitors: `bin/dev`, and how the demo ends when it must."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.support.demos import Demo, demo_folder, is_running
from tests.support.patience import wait_until
from tests.support.servers import free_port

pytestmark = [pytest.mark.full, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]

AGAIN_AFTER_SECONDS = 60

folder = pytest.fixture(demo_folder)


def page(address):
    """Status and text of a page, be it an error page."""
    try:
        with urllib.request.urlopen(address) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.mark.long
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

        wait_until(lambda: min(starts_of_both()) >= 1)
        before = starts_of_both()
        changed_at = -AGAIN_AFTER_SECONDS

        def both_have_started_anew():
            """They may have begun to watch the files only after the first change."""
            nonlocal changed_at
            if time.monotonic() - changed_at > AGAIN_AFTER_SECONDS:
                os.utime(ROOT / "intrigue_site" / "celery.py")
                changed_at = time.monotonic()
            return all(now > then for now, then in zip(starts_of_both(), before, strict=True))

        wait_until(both_have_started_anew)

        started += running.processes()
        running.end(signal.SIGINT)
    assert running.process.returncode == 0
    assert [process for process in started if is_running(process)] == []


@pytest.mark.long
def test_a_demo_that_is_killed_leaves_nothing_running(folder):
    with Demo(folder, free_port()) as running:
        running.wait_until_up()
        started = running.processes()
        assert len(started) > 6
    wait_until(lambda: not any(is_running(process) for process in started))


def test_ctrl_c_before_the_start_is_no_traceback(tmp_path):
    """The settings are read before anything has started; here somebody presses Ctrl-C meanwhile.

    The handler is set anew, since a shell lets its jobs in the background ignore Ctrl-C.
    """
    settings = (
        "import signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "signal.raise_signal(signal.SIGINT)\n"
    )
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
