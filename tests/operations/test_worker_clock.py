"""The clock of a worker; `test_processes` has it in real ones."""

from types import SimpleNamespace

import pytest
from kombu.asynchronous.timer import Timer

from intrigue_site.celery import app
from intrigue_site.worker_clock import Clock


@pytest.fixture
def consumer():
    return SimpleNamespace(app=app, timer=Timer())


def times(timer):
    """When something will be done."""
    return sorted(eta for eta, _priority, entry in timer.queue if not entry.canceled)


def test_what_is_due_stays_due_while_the_broker_is_away(consumer):
    """Or what is sent every hour would never be, if the broker is away more often than that."""
    clock = Clock(consumer, clock=True)
    clock.start(consumer)
    due = times(consumer.timer)
    assert len(due) == len(app.conf.beat_schedule)
    clock.stop(consumer)
    assert times(consumer.timer) == []
    clock.start(consumer)
    assert times(consumer.timer) == due


def test_a_worker_without_the_option_has_no_clock(consumer):
    assert Clock(consumer).enabled is False
    assert Clock(consumer, clock=True).enabled is True
