"""Plugins changed from another program while a window's job uses them, and the other way round."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from core.document.plugin_results import PluginsAtWork
from core.engine.messages import JobState, PluginsArguments
from core.engine.plugin_use import PluginLock
from tests.core.engine.process.plugin_changes import (
    PLUGIN,
    at_work,
    go,
    remove,
)
from tests.core.engine.process.plugin_engines import (
    LIMIT,
    interval_path,
    make_client,
    run,
    states,
    values,
)

__all__ = ["at_work", "go", "interval_path", "make_client"]  # fixtures

HOLDS = """\
import sys, time
from core.engine.options import EngineOptions
from core.engine.plugin_use import PluginLock

lock = PluginLock(EngineOptions(plugin_folder=sys.argv[1], quarantine_path=sys.argv[2]))
print(lock.begin_use(keeps_turn=True) if sys.argv[3] == "use" else lock.begin_change(), flush=True)
time.sleep(600)
"""


def begin_soon(lock: PluginLock) -> bool:
    """Begin a change as a terminal does, again and again."""
    end = time.monotonic() + LIMIT
    while not lock.begin_change():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def test_another_program_waits_for_the_job_that_uses_plugins(at_work, go):
    client, _events, _arguments, job = at_work
    terminal = PluginLock(client.options)
    assert not terminal.begin_change()
    go.touch()
    assert values(client.wait(job, LIMIT))["slow_miss"] > 0
    assert begin_soon(terminal)
    terminal.end_change()


@pytest.mark.soak
def test_long_jobs_wait_behind_another_program_that_waits_and_go_on_after_it(at_work, go):
    client, events, arguments, job = at_work
    terminal = PluginLock(client.options)
    assert not terminal.begin_change()  # it is its turn now
    later = client.submit("compare.models", arguments, title="Later")
    go.touch()
    assert client.wait(job, LIMIT).state is JobState.DONE
    assert begin_soon(terminal)
    assert not events.outcomes(later)
    listing = client.submit("plugins", PluginsArguments(check_again=True))
    assert not events.outcomes(listing)
    terminal.end_change()  # nobody tells the window: it looks
    assert client.wait(later, LIMIT).state is JobState.DONE
    assert states(client.wait(listing, LIMIT))[PLUGIN].state == "active"


def test_a_change_waits_for_another_window_and_can_be_stopped(make_client, tmp_path):
    client, events = make_client()
    other = PluginLock(client.options)
    assert other.begin_use(keeps_turn=True)
    (tmp_path / "plugins" / "own.py").write_text("")
    change = remove(client)
    events.wait_for_partial(change)
    assert events.partials(change)[0].partial == PluginsAtWork(jobs=(), is_elsewhere=True)
    client.cancel(change)
    assert client.wait(change, LIMIT).state is JobState.CANCELLED
    third = PluginLock(client.options)  # the turn was given back
    assert third.begin_use(keeps_turn=True)
    third.end_use()
    change = remove(client)
    other.end_use()
    assert client.wait(change, LIMIT).state is JobState.FAILED  # there is no such plugin
    assert begin_soon(other)
    other.end_change()


@pytest.mark.parametrize("what", ["use", "change"])
def test_a_program_that_is_killed_leaves_nothing_behind(make_client, tmp_path, what):
    client, _events = make_client()
    options = client.options
    command = [sys.executable, "-c", HOLDS, options.plugin_folder, options.quarantine_path, what]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == "True"
        lock = PluginLock(options)
        assert not lock.begin_change()
        assert lock.begin_use(keeps_turn=False) == (what == "use")
        lock.end_use()
        lock.end_change()
        holder.kill()
    assert begin_soon(lock)
    lock.end_change()
    assert run(client, "plugins", PluginsArguments()) is not None


def test_a_folder_that_cannot_be_written_keeps_nobody_from_working(make_client, tmp_path):
    client, _events = make_client()
    place = tmp_path / "no folder"
    place.write_text("a file")
    lock = PluginLock(
        type(client.options)(
            plugin_folder=client.options.plugin_folder, quarantine_path=str(place / "q.json")
        )
    )
    assert lock.begin_use(keeps_turn=True)
    lock.end_use()
    assert lock.begin_change()
    lock.end_change()
