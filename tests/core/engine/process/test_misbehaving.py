"""Every kind of misbehaviour of a plugin, once: the window's side lives, other plugins go on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.document.model import MetricChoice
from core.engine.client import EngineClient
from core.engine.messages import Ask, JobState, PluginsArguments
from core.engine.options import EngineOptions, crash_book_of
from core.questions.compare import CompareModels
from core.questions.data import TableRows
from core.questions.lanes import Lane
from tests.core.engine.process.plugin_engines import (  # noqa: F401  interval_path is a fixture
    interval_document,
    interval_path,
    run,
    states,
)
from tests.helpers.factories.misbehaving_plugins import IMPORT, USE, write
from tests.helpers.factories.misbehaving_plugins import KINDS as ALL_KINDS

pytestmark = pytest.mark.timeout(600)  # some kinds end an engine, which then starts again
KINDS = {name: kind for name, kind in ALL_KINDS.items() if kind.in_suite}
IN_USE = [name for name, kind in KINDS.items() if kind.moment == USE]
LONG = ("eats_memory", "segfaults")  # ends its engine as "ends" does
NOT_IN_USE = [name for name, kind in KINDS.items() if kind.moment != USE]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("misbehaving")
    (folder / "plugins").mkdir()
    for kind in KINDS:
        write(folder / "plugins", kind)
    options = EngineOptions(
        store_folder=str(folder / "store"),
        plugin_folder=str(folder / "plugins"),
        quarantine_path=str(folder / "quarantine.json"),
        log_folder=str(folder / "log"),
        stop_seconds=1.0,
        plugin_seconds=4.0,
        call_seconds=2.0,
        plugin_bytes=100_000_000,
        warm_up=False,
    )
    with EngineClient(lambda event: None, options=options) as made:
        yield made


@pytest.fixture(scope="module")
def listed(client):
    return states(client.wait(client.submit("plugins", PluginsArguments()), 300))


@pytest.fixture(scope="module")
def document(client, interval_path, listed):  # noqa: F811  pytest hands the fixture in by its name
    return interval_document(client, interval_path, "mae")


@pytest.mark.every_nth(3)
@pytest.mark.parametrize("name", NOT_IN_USE)
def test_what_goes_wrong_before_it_is_used_is_quarantined_with_its_reason(listed, name):
    kind, entry = KINDS[name], listed[f"org.example.{name}"]
    assert entry.state == ("does_not_fit" if name == "wrong_api" else "quarantined"), entry
    reported = " ".join([entry.why, *(f"{one.check} {one.found}" for one in entry.checks)])
    assert any(word in reported for word in kind.words), reported
    if kind.moment == IMPORT and not kind.is_deadly:
        assert any(one.state == "failed" for one in entry.checks)


@pytest.mark.every_nth(3)
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.soak if name in LONG else ()) for name in IN_USE],
)
def test_what_goes_wrong_in_use_is_named_and_the_rest_goes_on(client, document, listed, name):
    assert listed[f"org.example.{name}"].state == "active"
    kind = KINDS[name]
    requested = replace(document, metrics=(MetricChoice(metric="mae"), MetricChoice(metric=name)))
    job = client.submit("compare.models", Ask.of(requested, CompareModels(resamples=20)))
    rows = Ask.of(document, TableRows(start=0, count=5))
    assert run(client, "data.rows", rows, Lane.QUICK).state is JobState.DONE
    outcome = client.wait(job, 120)
    if kind.is_deadly:
        assert outcome.state is JobState.LOST, outcome
        assert f"org.example.{name}" in outcome.error.what
        assert any(word in outcome.error.why for word in kind.words), outcome.error
        assert crash_book_of(client.options).crashes()[f"org.example.{name}"].count == 1
        return
    assert outcome.state is JobState.DONE, outcome.error
    cells = {cell.metric: cell.estimate for cell in outcome.result.cells}
    assert any(word in cells[name].note for word in kind.words), cells[name].note
    assert cells["mae"].value > 0
    assert not cells["mae"].note


def test_nothing_was_deleted_and_the_main_engine_never_ended(client, listed, document):
    assert {entry.stem for entry in _folder(client).glob("*.py")} == set(KINDS)
    result = run(client, "compare.models", Ask.of(document, CompareModels(resamples=20)))
    assert result.state is JobState.DONE
    assert set(client.engine_pids) >= {"main"}


def _folder(client):
    from pathlib import Path

    return Path(client.options.plugin_folder)


def test_there_are_at_least_twenty_kinds():
    """One end by a signal, and one of the two that never return, stand for all in the suite."""
    assert len(KINDS) >= 28
    assert sum(kind.is_deadly for kind in KINDS.values()) >= 6
    assert sum(kind.is_deadly for kind in ALL_KINDS.values()) >= 11
