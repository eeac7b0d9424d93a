"""Plugins removed or updated while they are at work: the change waits, the job ends as it began."""

import time
import zipfile

import pytest

from core.document.studies.plugin_files import (
    InstallPluginArguments,
    PluginsAtWork,
    RemovePluginArguments,
)
from core.engine.messages import Ask, JobState, PluginsArguments
from core.questions.compare import CompareModels
from tests.core.engine.process.test_plugin_engines import (
    LIMIT,
    interval_document,
    interval_path,
    make_client,
    run,
    states,
    values,
)
from tests.core.extensions.making import GENERAL, manifest, metric_source, write_plugin

__all__ = ["interval_path", "make_client"]  # fixtures

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


def test_a_plugin_is_removed_when_the_job_that_uses_it_has_ended(at_work, tmp_path, go):
    client, events, _arguments, job = at_work
    change = remove(client)
    events.wait_for_partial(change)
    assert events.partials(change)[0].partial == PluginsAtWork(jobs=(TITLE,))
    assert (tmp_path / "plugins" / PLUGIN / "factor.py").is_file()
    assert not events.outcomes(change)
    go.touch()
    assert values(client.wait(job, LIMIT))["slow_miss"] > 0
    assert client.wait(change, LIMIT).state is JobState.DONE
    assert not (tmp_path / "plugins" / PLUGIN).exists()
    assert PLUGIN not in states(run(client, "plugins", PluginsArguments(check_again=True)))


def test_an_update_waits_and_a_result_is_that_of_the_version_it_began_with(at_work, tmp_path, go):
    client, _events, arguments, job = at_work
    newer = tmp_path / "newer.payoff-plugin"
    with zipfile.ZipFile(newer, "w") as archive:
        archive.writestr("plugin.toml", manifest(PLUGIN, version="2.0.0"))
        archive.writestr("own.py", code(go))
        archive.writestr("factor.py", "FACTOR = 2.0\n")
    change = client.submit("install_plugin", InstallPluginArguments(path=str(newer)))
    listing = client.submit("plugins", PluginsArguments(check_again=True))  # keeps its turn
    go.touch()
    old = client.wait(job, LIMIT)
    assert client.wait(change, LIMIT).state is JobState.DONE
    listed = states(client.wait(listing, LIMIT))
    assert (listed[PLUGIN].version, listed[PLUGIN].state) == ("2.0.0", "active")
    new = run(client, "compare.models", arguments)
    assert values(new)["slow_miss"] == pytest.approx(2 * values(old)["slow_miss"])
    assert old.ref != new.ref
    kept = client.result(old.ref)  # of the version before: still there
    assert [cell.estimate.value for cell in kept.cells] == list(values(old).values())


def test_stop_ends_the_job_and_the_change_goes_on(at_work, tmp_path):
    client, _events, _arguments, job = at_work
    change = remove(client)
    client.cancel(job)
    assert client.wait(job, LIMIT).state is JobState.CANCELLED
    assert client.wait(change, LIMIT).state is JobState.DONE
    assert not (tmp_path / "plugins" / PLUGIN).exists()


def test_a_change_that_waits_can_be_stopped(at_work, tmp_path, go):
    client, _events, _arguments, job = at_work
    change = remove(client)
    client.cancel(change)
    assert client.wait(change, LIMIT).state is JobState.CANCELLED
    go.touch()
    assert client.wait(job, LIMIT).state is JobState.DONE
    assert (tmp_path / "plugins" / PLUGIN / "factor.py").is_file()


def test_the_end_of_the_session_leaves_no_change_waiting(at_work):
    client, events, _arguments, _job = at_work
    change = remove(client)
    client.shutdown()
    assert [outcome.state for outcome in events.outcomes(change)] == [JobState.CANCELLED]
