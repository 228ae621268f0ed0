"""deploy/alerts.yml: what its rules ask for is on the page of metrics."""

import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Tick
from tests.features.metrics.scraping import samples, scraped
from tests.support.live import live_process
from tests.support.patience import wait_until

ALERTS = Path(__file__).resolve().parents[3] / "deploy" / "alerts.yml"
OF_PROMETHEUS = {"job", "instance", "le"}


def expressions():
    """The expressions of the rules, in one line each."""
    text = ALERTS.read_text()
    return [
        " ".join(one.split())
        for one in re.findall(r"expr: (?:>-)?(.+?)\n        \w", text, re.DOTALL)
    ]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("watched")
def test_each_metric_and_label_of_a_rule_is_there(settings):
    settings.SITE_URL = "http://alerts.example.org"
    for name in ("sweep", "mail", "backup"):
        Tick.objects.create(name=name, at=timezone.now())
    Client().get("/health/")
    there = defaultdict(set)
    with live_process():
        wait_until(lambda: "intrigue_live_processes 1.0" in scraped().content.decode())
        for sample in samples(scraped().content.decode()):
            there[sample.name] |= sample.labels.items()
    rules = expressions()
    assert len(rules) == ALERTS.read_text().count("- alert:") > 10
    asked = set(re.findall(r"intrigue_\w+", " ".join(rules)))
    assert asked <= set(there)
    for name, told in re.findall(r"(intrigue_\w+)\{(.+?)\}", " ".join(rules)):
        for label, sign, value in re.findall(r'(\w+)(=~|!=|=)"(.+?)"', told):
            assert label in dict(there[name]), (name, label)
            if sign == "=":
                assert (label, value) in there[name], (name, label, value)
    known = {label for labels in there.values() for label, _value in labels} | OF_PROMETHEUS
    for grouped in re.findall(r"(?:by|on) \((.+?)\)", " ".join(rules)):
        assert set(grouped.split(", ")) <= known


@pytest.mark.skipif(not shutil.which("promtool"), reason="Prometheus isn't installed")
def test_prometheus_takes_the_rules():
    said = subprocess.run(
        ["promtool", "check", "rules", str(ALERTS)], capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stdout + said.stderr
