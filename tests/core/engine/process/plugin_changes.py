"""Shared by tests of plugin changes."""

import time

import pytest

from core.document.plugin_results import (
    RemovePluginArguments,
)
from core.engine.messages import Ask
from core.questions.compare import CompareModels
from tests.core.engine.process.plugin_engines import (
    interval_document,
)
from tests.helpers.factories.plugins import GENERAL, metric_source, write_plugin

PLUGIN, TITLE = "org.example.slow", "Comparing models"

SLOW = """\
import os, time

import payoff


def compute(sample, parameters):
    end = time.monotonic() + 60
    if len(sample) <= 500:
        return mean_miss(sample)
    while not os.path.exists({go!r}) and time.monotonic() < end:
        time.sleep(0.01)
    from .factor import FACTOR  # first needed here, long after the import

    return FACTOR * mean_miss(sample)


def mean_miss(sample):
    miss = abs(sample.outcome - sample.posteriors[0])
    return float((sample.weight * miss).sum() / sample.weight.sum())

"""


@pytest.fixture
def go(tmp_path):
    """The file that lets the plugin's metric come to its end."""
    return tmp_path / "go"


def code(go):
    return metric_source("slow_miss", SLOW.format(go=str(go)), form=GENERAL)


@pytest.fixture
def at_work(make_client, tmp_path, interval_path, go):
    """A client with what it says, a document, and a job that is in the plugin."""
    folder = write_plugin(tmp_path / "plugins" / PLUGIN, code(go), plugin=PLUGIN)
    (folder / "factor.py").write_text("FACTOR = 1.0\n")
    client, events = make_client()
    document = interval_document(client, interval_path, "slow_miss")
    arguments = Ask.of(document, CompareModels(resamples=0))
    job = client.submit("compare.models", arguments, title=TITLE)
    while client.plugin_in_use != (PLUGIN, "metric slow_miss"):
        assert not events.outcomes(job), events.outcomes(job)
        time.sleep(0.02)
    return client, events, arguments, job


def remove(client):
    return client.submit("remove_plugin", RemovePluginArguments(plugin=PLUGIN), title="Removing")
