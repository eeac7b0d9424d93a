"""Runs: stopped and resumed, crashed and resumed, on other backends; seeds; journals."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from core.document.experiments.spec import ExperimentSpec
from payoff.errors import PayoffError
from tests.helpers.factories.systems import run_experiment

SPEC = ExperimentSpec(
    protocol="sepsis",
    synthetic_rows=60,
    systems=20,
    splits=50,
    samplers=("gaussian",),
    learners=("linear",),
)


def read(_path):
    raise AssertionError("made-up rows need no file")


def run(spec=SPEC, **more):
    return run_experiment(spec, read, **more)


def same(first, second):
    return all(
        np.array_equal(getattr(first, name), getattr(second, name), equal_nan=True)
        for name in (
            "sampler",
            "system",
            "split",
            "learner",
            "error",
            "variance",
            "bound",
            "effect_bound",
        )
    )


class _Stop:
    """Says stop once so many runs are told of."""

    def __init__(self, after):
        self.after, self.done = after, 0

    def __call__(self):
        return self.done >= self.after


def test_115_stopped_at_517_and_resumed(tmp_path):
    path = tmp_path / "runs"
    whole = run()
    assert whole.done == whole.wanted == 1000
    seen = []

    class Counting(_Stop):
        def __call__(self):
            self.done = len(path.read_text("utf-8").splitlines()) - 1 if path.exists() else 0
            return super().__call__()

    stopped = run(journal=lambda _name: path, should_stop=Counting(516), workers=1)
    kept = len(path.read_text("utf-8").splitlines()) - 1
    assert 516 <= kept <= 518  # what was under way is kept too
    assert stopped.done == kept
    assert not stopped.is_whole
    resumed = run(journal=lambda _name: path, on_result=lambda r: seen.append(r.done))
    assert seen[0] == kept
    assert resumed.is_whole
    assert same(resumed.runs, whole.runs)


def test_115_a_crash_in_the_middle_of_a_line(tmp_path):
    path = tmp_path / "runs"
    spec = replace(SPEC, systems=2, splits=5)
    whole = run(spec, journal=lambda _name: path)
    lines = path.read_bytes()
    path.write_bytes(lines[: len(lines) * 6 // 10])
    resumed = run(spec, journal=lambda _name: path)
    assert resumed.done == 10
    assert same(resumed.runs, whole.runs)
    again = run(spec, journal=lambda _name: path)
    assert same(again.runs, whole.runs)


def test_journals_of_other_experiments_are_refused(tmp_path):
    path = tmp_path / "runs"
    spec = replace(SPEC, systems=1, splits=2)
    run(spec, journal=lambda _name: path)
    with pytest.raises(PayoffError, match="another experiment"):
        run(replace(spec, seed=3), journal=lambda _name: path)
    path.write_text("nonsense\n", "utf-8")
    with pytest.raises(PayoffError, match="damaged"):
        run(spec, journal=lambda _name: path)


def test_progress_tells_time_left():
    reported = []
    run(replace(SPEC, systems=2, splits=2), on_result=reported.append)
    assert reported[0].done == 0
    assert np.isnan(reported[0].seconds_left)
    assert reported[-1].done == reported[-1].wanted == 4
    assert reported[-1].seconds_left == 0.0


def test_processes_give_the_same_table():
    spec = replace(SPEC, systems=2, splits=2)
    assert same(run(spec, backend="processes", workers=2).runs, run(spec).runs)
    with pytest.raises(PayoffError, match="no backend"):
        run(spec, backend="magic")


def test_dask_has_to_be_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)  # as where it is not
    with pytest.raises(PayoffError, match="needs the package distributed"):
        run(replace(SPEC, systems=1, splits=1), backend="dask", address="tcp://127.0.0.1:1")


@pytest.mark.soak
@pytest.mark.filterwarnings("ignore")
def test_a_local_dask_cluster_gives_the_same_table():
    from tests.helpers.cluster import two_workers

    spec = replace(SPEC, systems=2, splits=3)
    with two_workers() as cluster:
        found = run(spec, backend="dask", address=cluster.scheduler_address)
    assert same(found.runs, run(spec).runs)
