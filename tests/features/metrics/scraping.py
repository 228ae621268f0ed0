"""The page of metrics as a Prometheus gets and reads it."""

from collections import Counter

from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

TOKEN = "9QwZ3pV7-kTn1xYb5mHc8sLd"


def scraped():
    """The response to whoever knows the token, asking by the address of the machine."""
    headers = {"host": "10.0.0.7:8000", "authorization": f"Bearer {TOKEN}"}
    return Client(headers=headers).get("/metrics")


def samples(text):
    return [one for family in text_string_to_metric_families(text) for one in family.samples]


def metrics():
    """The value of each series, such as `intrigue_up{part: broker}`, of all processes together."""
    found = Counter()
    for sample in samples(scraped().content.decode()):
        labels = sorted(sample.labels.keys() - {"process"})
        told = ", ".join(f"{label}: {sample.labels[label]}" for label in labels)
        found[f"{sample.name}{{{told}}}" if told else sample.name] += sample.value
    return found
