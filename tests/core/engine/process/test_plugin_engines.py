"""Third-party plugins that go wrong: only their job is lost, they are quarantined."""

import json
import shutil
import time
from pathlib import Path

import pytest

from core.document.data.model import ReaderSettings
from core.document.model import MetricChoice
from core.engine.messages import Ask, JobState, LoadArguments, PluginsArguments
from core.questions.compare import CompareModels
from core.questions.decide import Totals
from core.questions.lanes import Lane
from tests.core.engine.process.plugin_engines import (
    LIMIT,
    interval_document,
    interval_path,
    make_client,
    run,
    states,
    values,
)
from tests.helpers.factories.plugins import metric_code, write_plugin
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv

__all__ = ["interval_path", "make_client"]  # fixtures

CONTRACT = Path(__file__).parents[3] / "contract"


def add_good(folder):
    code = metric_code("good_distance")
    write_plugin(folder / "good", code, plugin="org.example.good")


def add_bad(folder, *names):
    for name in names:
        found = next(CONTRACT.glob(f"*/{name}"))
        shutil.copytree(found, folder / name, ignore=shutil.ignore_patterns("__pycache__"))


def evaluate(client, document, title=""):
    return run(client, "compare.models", Ask.of(document, CompareModels(resamples=50)), title=title)


def test_a_good_plugin_is_served_by_the_second_engine(make_client, tmp_path, interval_path):
    add_good(tmp_path / "plugins")
    client, _ = make_client()
    document = interval_document(client, interval_path, "mae")
    plain = values(evaluate(client, document))
    assert "plugins" not in client.engine_pids, "a job without third-party code left the engine"
    document = interval_document(client, interval_path, "mae", "good_distance")
    both = values(evaluate(client, document))
    assert "plugins" in client.engine_pids
    assert both["good_distance"] == pytest.approx(both["mae"])
    assert both["mae"] == plain["mae"]
    listed = states(run(client, "plugins", PluginsArguments()))
    assert listed["org.example.good"].state == "active"


@pytest.mark.soak
def test_every_bad_plugin_is_quarantined_with_the_reason(make_client, tmp_path):
    folder = tmp_path / "plugins"
    add_good(folder)
    add_bad(folder, "raises", "hangs", "exits", "wrong_shape", "wrong_api", "exits_at_once")
    client, _ = make_client()
    listed = states(run(client, "plugins", PluginsArguments()))
    assert listed["org.example.good"].state == "active"
    assert listed["org.example.wrong_api"].state == "does_not_fit"
    reasons = {
        "raises": "this metric always fails",
        "hangs": "did not come back within 5 seconds",
        "exits": "end the program",
        "wrong_shape": "",
        "exits_at_once": "exit code 0",
    }
    for name, reason in reasons.items():
        entry = listed[f"org.example.{name}"]
        assert entry.state == "quarantined", entry
        assert entry.why
        assert reason in f"{entry.why} {entry.traceback}", entry
    remembered = json.loads((tmp_path / "quarantine.json").read_text())
    assert {"org.example.hangs", "org.example.exits_at_once"} <= remembered.keys()


@pytest.mark.soak
def test_quarantine_outlives_the_session(make_client, tmp_path):
    add_bad(tmp_path / "plugins", "exits_at_once")
    client, _ = make_client()
    run(client, "plugins", PluginsArguments())
    client.shutdown()
    client, _ = make_client()
    listed = states(run(client, "plugins", PluginsArguments()))
    assert listed["org.example.exits_at_once"].state == "quarantined"
    assert "plugins" not in client.engine_pids, "the plugin was tried again"
    listed = states(run(client, "plugins", PluginsArguments(check_again=True)))
    assert listed["org.example.exits_at_once"].state == "quarantined"


def test_a_plugin_that_ends_its_engine_loses_its_job_only(make_client, tmp_path, interval_path):
    add_good(tmp_path / "plugins")
    add_bad(tmp_path / "plugins", "exits_in_use")
    client, _ = make_client()
    document = interval_document(client, interval_path, "mae", "good_distance", "exits_in_use")
    finished = evaluate(client, interval_document(client, interval_path, "mae"))
    main = client.engine_pids["main"]
    lost = evaluate(client, document, title="Comparing models")
    assert lost.state is JobState.LOST
    assert "org.example.exits_in_use" in lost.error.what
    assert lost.error.where == "Comparing models"
    assert client.engine_pids["main"] == main
    assert client.result(finished.ref) is not None
    again = evaluate(client, document)
    assert set(values(again)) == {"mae", "good_distance"}
    assert any("exits_in_use" in text for text in again.result.warnings)
    listed = states(run(client, "plugins", PluginsArguments()))
    assert listed["org.example.exits_in_use"].state == "quarantined"
    assert listed["org.example.good"].state == "active"


@pytest.mark.soak
def test_a_plugin_that_hangs_is_ended_by_stop(make_client, tmp_path, interval_path):
    add_bad(tmp_path / "plugins", "hangs_in_use")
    client, events = make_client()
    document = interval_document(client, interval_path, "mae", "hangs_in_use")
    job = client.submit("compare.models", Ask.of(document, CompareModels(resamples=50)))
    while client.plugin_in_use != ("org.example.hangs_in_use", "metric hangs_in_use"):
        assert not events.outcomes(job), events.outcomes(job)
        time.sleep(0.02)
    builtin = run(client, "load", LoadArguments(path=interval_path, reader=ReaderSettings()))
    assert builtin.state is JobState.DONE, "built-in jobs waited for a plugin"
    client.cancel(job)
    assert client.wait(job, LIMIT).state is JobState.CANCELLED
    assert set(values(evaluate(client, document))) == {"mae"}
    listed = states(run(client, "plugins", PluginsArguments()))
    assert listed["org.example.hangs_in_use"].state == "quarantined"
    assert "Stop" in listed["org.example.hangs_in_use"].why


def test_safe_mode_runs_built_in_plugins_only(make_client, tmp_path, interval_path):
    add_good(tmp_path / "plugins")
    add_bad(tmp_path / "plugins", "exits_at_once")
    client, _ = make_client(safe_mode=True)
    listed = states(run(client, "plugins", PluginsArguments()))
    assert all(plugin.startswith("payoff.") for plugin in listed)
    document = interval_document(client, interval_path, "mae", "good_distance")
    assert set(values(evaluate(client, document))) == {"mae"}
    assert set(client.engine_pids) == {"main"}


def test_a_binary_journey_through_the_process(make_client, tmp_path):
    client, _ = make_client()
    path = write_csv(tmp_path / "scored.csv", scored_columns())
    loaded = run(client, "load", LoadArguments(path=path, reader=ReaderSettings())).result
    money = (MetricChoice(metric="auc"), MetricChoice(metric="total_profit"))
    document = scored_document(loaded.data, metrics=money)
    job = client.submit("compare.models", Ask.of(document, CompareModels(resamples=100)))
    decided = run(client, "decide.totals", Ask.of(document, Totals()), Lane.QUICK)
    assert decided.state is JobState.DONE, decided.error
    assert decided.result.models[0].total.value > 0
    evaluated = client.wait(job, LIMIT)
    assert evaluated.state is JobState.DONE, evaluated.error
    totals = {
        c.model: c.estimate.value for c in evaluated.result.cells if c.metric == "total_profit"
    }
    assert totals["good"] == pytest.approx(decided.result.models[0].total.value)
