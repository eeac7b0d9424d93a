"""Plugins removed or updated while they are at work: the change waits, the job ends as it began."""

import zipfile

import pytest

from core.document.plugin_results import (
    InstallPluginArguments,
    PluginsAtWork,
)
from core.engine.messages import JobState, PluginsArguments
from tests.core.engine.process.plugin_changes import PLUGIN, TITLE, at_work, code, go, remove
from tests.core.engine.process.plugin_engines import (
    LIMIT,
    interval_path,
    make_client,
    run,
    states,
    values,
)
from tests.helpers.factories.plugins import manifest

__all__ = ["at_work", "go", "interval_path", "make_client"]  # fixtures


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


@pytest.mark.soak
def test_stop_ends_the_job_and_the_change_goes_on(at_work, tmp_path):
    client, _events, _arguments, job = at_work
    change = remove(client)
    client.cancel(job)
    assert client.wait(job, LIMIT).state is JobState.CANCELLED
    assert client.wait(change, LIMIT).state is JobState.DONE
    assert not (tmp_path / "plugins" / PLUGIN).exists()


@pytest.mark.soak
def test_a_change_that_waits_can_be_stopped(at_work, tmp_path, go):
    client, _events, _arguments, job = at_work
    change = remove(client)
    client.cancel(change)
    assert client.wait(change, LIMIT).state is JobState.CANCELLED
    go.touch()
    assert client.wait(job, LIMIT).state is JobState.DONE
    assert (tmp_path / "plugins" / PLUGIN / "factor.py").is_file()


@pytest.mark.soak
def test_the_end_of_the_session_leaves_no_change_waiting(at_work):
    client, events, _arguments, _job = at_work
    change = remove(client)
    client.shutdown()
    assert [outcome.state for outcome in events.outcomes(change)] == [JobState.CANCELLED]
